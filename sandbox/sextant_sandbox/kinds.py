"""The types of columns of text: found by trying each one on every value.

A column has a type only if all its values have it; words that mean "nothing" are
null then. Numbers that begin with zero are text, because they are codes, and so are those
with a plus sign and more than six digits, because they are telephone numbers.

What may be read in two ways (1,234 or 1/2/2025) is decided by the other values of its
column, then by the other columns of its file.
"""

from . import written

from .engine import text

_NOTHING = ["", "NA", "N/A", "n/a", "NULL", "Null", "null", "None", "NaN", "nan",
            "-", "#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!"]
_CLOCK = r"[ T]\d{1,2}:\d{2}(:\d{2}(\.\d{1,6})?)?( ?[AaPp][Mm])?"
# Name, shape, format. Where two have the same shape, the values decide.
DATES = [
    ("ymd-", r"\d{4}-\d{1,2}-\d{1,2}", "%Y-%m-%d"),
    ("ymd/", r"\d{4}/\d{1,2}/\d{1,2}", "%Y/%m/%d"),
    ("dmy.", r"\d{1,2}\.\d{1,2}\.\d{4}", "%d.%m.%Y"),
    ("dmy.y", r"\d{2}\.\d{2}\.\d{2}", "%d.%m.%y"),
    ("mdy/y", r"\d{1,2}/\d{1,2}/\d{2}", "%m/%d/%y"),
    ("dmy/y", r"\d{1,2}/\d{1,2}/\d{2}", "%d/%m/%y"),
    ("mdy/", r"\d{1,2}/\d{1,2}/\d{4}", "%m/%d/%Y"),
    ("dmy/", r"\d{1,2}/\d{1,2}/\d{4}", "%d/%m/%Y"),
    ("dmy-", r"\d{1,2}-\d{1,2}-\d{4}", "%d-%m-%Y"),
    ("mdy-", r"\d{1,2}-\d{1,2}-\d{4}", "%m-%d-%Y"),
    ("dby", r"\d{1,2}[ -][A-Za-z]{3}[ -]\d{4}", "%d-%b-%Y"),
    ("bdy", r"[A-Za-z]{3} \d{1,2}, \d{4}", "%b %d, %Y"),
    ("Bdy", r"[A-Za-z]{4,9} \d{1,2}, \d{4}", "%B %d, %Y"),
]
_RIVALS = [("mdy/", "dmy/"), ("mdy/y", "dmy/y"), ("dmy-", "mdy-")]
_CLOCKS = [" %H:%M:%S.%f", " %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p"]
_WHOLE = r"-?(0|[1-9]\d{0,17})|\+(0|[1-9]\d{0,5})"
_DECIMAL = rf"{_WHOLE}|[+-]?(0|[1-9]\d*)?\.\d+|-?[1-9]\d*"
_FLOAT = rf"{_WHOLE}|-?[1-9]\d*|[+-]?((0|[1-9]\d*)\.\d*|\.\d+|" \
         r"(0|[1-9]\d*)(\.\d*)?[eE][+-]?\d{1,3}|\.\d+[eE][+-]?\d{1,3})"
_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ZONED = r"\d{4}-\d{1,2}-\d{1,2}[ T].*:.*(Z|[+-]\d{2}(:?\d{2})?)"
_MOST_SCALE = 6
_EXACT = 15  # digits that a double holds


def value(column):
    """The trimmed text; null where it means nothing."""
    words = ", ".join(map(text, _NOTHING))
    return f"(case when trim({column}) in ({words}) then null " \
           f"else trim({column}) end)"


def _shaped(v, shape):
    return f"regexp_full_match({v}, {text(shape)})"


def _date(v, name):
    _, shape, form = _form(name)
    if name == "dby":
        v = f"replace({v}, ' ', '-')"
    return f"case when {_shaped(v, shape)} " \
           f"then try_strptime({v}, {text(form)}) end"


def _stamp(v, name):
    _, shape, form = _form(name)
    plain = f"replace({v}, 'T', ' ')" if name == "ymd-" else v
    forms = ", ".join(text(form + clock) for clock in _CLOCKS)
    return f"case when {_shaped(v, shape + _CLOCK)} then try_strptime(" \
           f"regexp_replace({plain}, '(\\d)([AaPp][Mm])$', '\\1 \\2'), " \
           f"[{forms}]) when {_shaped(v, shape)} " \
           f"then try_strptime({v}, {text(form)}) end"


def _form(name):
    return next(form for form in DATES if form[0] == name)


# What is counted: each expression is not null where a value fits.
def _probes(v):
    probes = {
        "bool": f"case when lower({v}) in ('true', 'false') then 1 end",
        "int8": f"case when {_shaped(v, _WHOLE)} then 1 end",
        "numeric": f"case when {_shaped(v, _DECIMAL)} then 1 end",
        "float8": f"case when {_shaped(v, _FLOAT)} then 1 end",
        "dotted": f"case when {_shaped(v, written.DOTTED)} then 1 end",
        "marked": f"case when {_shaped(v, written.MARKED)} then 1 end",
        "uuid": f"case when {_shaped(v, _UUID)} then 1 end",
        "time": f"case when {_shaped(v, '[0-9]{1,2}:[0-9]{2}(:[0-9.]+)?')} "
                f"then try_cast({v} as time) end",
        "timestamptz": f"case when {_shaped(v, _ZONED)} "
                       f"then try_cast({v} as timestamptz) end",
    }
    for name, _, _ in DATES:
        probes["date " + name] = _date(v, name)
        probes["stamp " + name] = _stamp(v, name)
    return probes


class Guess:
    """A type with what is needed to read it: `forms` of dates, `digits` before and `scale`
    after the point of decimals, the `unit` of numbers. `readings`: two Guesses that fit
    the values; `doubtful`: nothing else has decided which one. `empty`: there was no
    value."""

    def __init__(self, name, forms=(), digits=0, scale=0, unit="", readings=(),
                 empty=False):
        self.name, self.forms = name, list(forms)
        self.digits, self.scale, self.unit = digits, scale, unit
        self.readings, self.doubtful, self.empty = readings, bool(readings), empty

    def with_readings(self, readings):
        """This one, as one of two."""
        return Guess(self.name, self.forms, self.digits, self.scale, self.unit,
                     readings)

    def told(self):
        """For `read`."""
        about = {"type": self.name}
        if self.forms:
            about["forms"] = self.forms
        if self.name in _DECIMALS:
            about["digits"], about["scale"] = self.digits, self.scale
        if self.unit:
            about["unit"] = self.unit
        return about


def expression(about, column):
    """SQL that reads a column of text as this type. All its values have it, or mean
    nothing and give null; short, because a file may have thousands of columns."""
    v, name = f"trim({column})", about["type"]
    if name == "text":
        return f"nullif({column}, '')"
    if name == "bool":
        return f"try_cast(lower({v}) as boolean)"
    if name == "numeric":
        return f"try_cast({v} as {_decimal_type(about)})"
    if name in written.MARKS:
        return written.expression(v, name, about.get("unit", ""),
                                  _decimal_type(about))
    if name in ("date", "timestamp"):
        make = _date if name == "date" else _stamp
        tried = ", ".join(make(v, form) for form in about["forms"])
        return f"coalesce({tried}, null)::{name}"
    if name == "float8":
        return f"{value(column)}::double"  # NaN means nothing
    return f"try_cast({v} as {_ENGINE[name]})"


def _decimal_type(about):
    digits, scale = int(about["digits"]), int(about["scale"])
    if about["type"] in written.MARKS and not scale and digits <= 18:
        return "bigint"
    return f"decimal({18 if digits + scale <= 18 else 38}, {scale})"


_ENGINE = {"int8": "bigint", "uuid": "uuid",
           "time": "time", "timestamptz": "timestamptz"}
_DECIMALS = ("numeric", *written.MARKS)
_NAMES = {"text", "bool", "date", "timestamp", "float8", *_DECIMALS, *_ENGINE}


def is_told(about):
    """Whether `read` has such a column; it comes back from outside."""
    forms = {form[0] for form in DATES}
    return (isinstance(about, dict) and about.get("type") in _NAMES
            and isinstance(about.get("forms", []), list)
            and all(f in forms for f in about.get("forms", []))
            and (about["type"] not in ("date", "timestamp")
                 or bool(about.get("forms")))
            and all(type(about.get(n, 0)) is int and 0 <= about.get(n, 0) <= 38
                    for n in ("digits", "scale"))
            and about.get("scale", 0) + about.get("digits", 0) <= 38
            and isinstance(about.get("unit", ""), str)
            and (about["type"] not in _DECIMALS or {"digits", "scale"} <= set(about)))


def guess(connection, source, columns):
    """A Guess for each column of a source of texts (SQL for a from clause)."""
    def cells(columns):
        listed = ", ".join(columns)
        return f"unpivot (select {listed} from {source}) " \
               f"on {listed} into name place value cell"
    return _guessed(connection, columns, cells)


def guess_cells(connection, texts):
    """A Guess for each of these texts alone."""
    def cells(places):
        rows = ", ".join(f"({n}, {text(texts[n])})" for n in places)
        return f"from (values {rows}) as t(place, cell)"
    return _guessed(connection, list(range(len(texts))), cells)


def _guessed(connection, places, cells):
    """`cells` gives SQL for the cells of some places. How numbers are written is asked
    only where all values may be such numbers, because it takes long."""
    counts = _count(connection, cells(places), *_asked("v"))
    marked = [p for p in places if p in counts and _is_marked(counts[p])]
    if marked:
        more = _count(connection, cells(marked), *written.asked("v"))
        for place in marked:
            counts[place].update(more[place])
    return [_decide(counts.get(place, {"n": 0})) for place in places]


def _is_marked(counts):
    n = counts["n"]
    return n and (counts["marked"] == n and counts["float8"] < n
                  or counts["dotted"] == counts["numeric"] == n > counts["int8"])


def _count(connection, cells, asked, names):
    rows = connection.execute(
        f"select place, {', '.join(asked)} from (select place, "
        f"{value('cell')} as v from ({cells})) group by place").fetchall()
    return {row[0]: dict(zip(names, row[1:])) for row in rows}


def _asked(v):
    """What is counted of the values of a column, and its names."""
    probes = {"n": v, **_probes(v)}
    names = [*probes, "digits", "scale"]
    asked = [f"count({probe})" for probe in probes.values()]
    asked.append(f"max(length(regexp_extract({v}, '^[+-]?([0-9]*)', 1)))")
    asked.append(f"max(length(regexp_extract({v}, '[.](\\d*)$', 1)))")
    return asked, names


def _decide(counts):
    n = counts["n"]
    if not n:
        return Guess("text", empty=True)
    for name in ("bool", "int8"):
        if counts[name] == n:
            return Guess(name)
    number = _number(counts)
    if number:
        return number
    if counts["uuid"] == n:
        return Guess("uuid")
    for name, kind in (("date", "date "), ("timestamp", "stamp ")):
        dates = _dates(counts, name, kind)
        if dates:
            return dates
    for name in ("timestamptz", "time"):
        if counts[name] == n:
            return Guess(name)
    return Guess("text")


def _number(counts):
    """A number with as many digits as the longest value. One that a double does not hold
    exactly is no float8."""
    n, digits, scale = counts["n"], counts["digits"], counts["scale"] or 0
    plain = None
    if counts["numeric"] == n and digits + scale <= 38 and (
            scale <= _MOST_SCALE or digits > _EXACT):
        plain = Guess("numeric", digits=max(1, digits), scale=scale)
    elif counts["float8"] == n and digits <= _EXACT:
        plain = Guess("float8")
    if "units" not in counts:
        return plain
    found = [Guess(name, digits=about[0], scale=about[1], unit=about[2])
             for name in written.MARKS
             if (about := written.number(counts, name)) is not None]
    if plain:
        found = [plain, *(g for g in found if g.name == "comma")]
    if len(found) > 1 and found[0].told() | {"type": ""} != found[1].told() | {"type": ""}:
        return found[0].with_readings(tuple(found))
    return found[0] if found else None


def _dates(counts, name, kind):
    """All values have one of the forms; of two with the same shape, the one that fits
    more of them."""
    forms = [form for form, _, _ in DATES if counts[kind + form]]
    others = list(forms)
    for first, second in _RIVALS:
        if first in forms and second in forms:
            one, two = counts[kind + first], counts[kind + second]
            forms.remove(first if two > one else second)
            others.remove(first if two >= one else second)
    if sum(counts[kind + form] for form in forms) != counts["n"]:
        return None
    guess = Guess(name, forms)
    return guess if others == forms else \
        guess.with_readings((guess, Guess(name, others)))


def settle(guesses, delimiter):
    """Decides what may be read in two ways, by the columns that may not; by the delimiter,
    if none says how numbers are written: where the comma is the decimal mark, programs
    put semicolons between cells. Where nothing else decides, `doubtful` stays."""
    marks = [_mark(g) for g in guesses if not g.readings]
    commas, points = marks.count(","), marks.count(".")
    orders = [_order(g) for g in guesses if not g.readings]
    for n, guess in enumerate(guesses):
        if not guess.readings:
            continue
        one, two = guess.readings
        if one.forms:
            votes = orders.count(_order(one)), orders.count(_order(two))
            doubtful = votes[0] == votes[1]
        else:
            votes, doubtful = (points, commas), points == commas
            if doubtful and one.name == "numeric":
                doubtful = False  # a point in a plain number is the usual thing
            elif doubtful and delimiter == ";":
                votes = 0, 1
        guesses[n] = (two if votes[1] > votes[0] else one).with_readings(guess.readings)
        guesses[n].doubtful = doubtful


def _mark(guess):
    """The decimal mark that a column shows to be that of its file, or None."""
    if guess.name == "numeric":
        return "." if guess.scale else None
    return "." if guess.name == "float8" else written.MARKS.get(guess.name)


def _order(guess):
    """"dmy" or "mdy" if dates have an order that may be the other way round, else None."""
    rivals = [form for pair in _RIVALS for form in pair]
    return next((form[:3] for form in guess.forms if form in rivals), None)


def misfits(connection, source, columns, guesses, at_once=200):
    """The places of the columns that have a value which the guess, made from the first
    rows, does not fit."""
    found = []
    checked = [n for n, g in enumerate(guesses) if g.name != "text"]
    for start in range(0, len(checked), at_once):
        part = checked[start:start + at_once]
        inner = ", ".join(f"{value(columns[n])} as v_{n}" for n in part)
        asked = ", ".join(f"count(v_{n}) = count({_fit(guesses[n], f'v_{n}')})"
                          for n in part)
        row = connection.execute(
            f"select {asked} from (select {inner} from {source})").fetchone()
        found += [n for n, fits in zip(part, row) if not fits]
    return found


def _fit(guess, v):
    if guess.name in ("date", "timestamp"):
        kind = "date " if guess.name == "date" else "stamp "
        probes = _probes(v)
        return f"coalesce({', '.join(probes[kind + f] for f in guess.forms)}" \
               ", null)"
    if guess.name in written.MARKS:
        return written.fit(v, guess.name, guess.unit, guess.digits, guess.scale)
    fits = _probes(v)[guess.name]
    if guess.name == "numeric":
        return f"case when length(regexp_extract({v}, '^[+-]?([0-9]*)', 1)) " \
               f"<= {guess.digits} and length(regexp_extract({v}, " \
               f"'[.](\\d*)$', 1)) <= {guess.scale} then {fits} end"
    if guess.name == "float8":
        return f"case when length(regexp_extract({v}, '^[+-]?([0-9]*)', 1)) " \
               f"<= {_EXACT} then {fits} end"
    return fits
