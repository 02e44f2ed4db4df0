"""The types of columns of text: found by trying each one on every value.

A column has a type only if all its values have it; words that mean "nothing" are
null then. Numbers that begin with zero are text, because they are codes.
"""

from .engine import text

_NOTHING = ["", "NA", "N/A", "n/a", "NULL", "Null", "null", "None", "NaN", "nan",
            "-", "#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!"]
_CLOCK = r"[ T]\d{1,2}:\d{2}(:\d{2}(\.\d{1,6})?)?( ?[AaPp][Mm])?"
# Name, shape, format. Where two have the same shape, the values decide.
DATES = [
    ("ymd-", r"\d{4}-\d{1,2}-\d{1,2}", "%Y-%m-%d"),
    ("ymd/", r"\d{4}/\d{1,2}/\d{1,2}", "%Y/%m/%d"),
    ("dmy.", r"\d{1,2}\.\d{1,2}\.\d{4}", "%d.%m.%Y"),
    ("mdy/", r"\d{1,2}/\d{1,2}/\d{4}", "%m/%d/%Y"),
    ("dmy/", r"\d{1,2}/\d{1,2}/\d{4}", "%d/%m/%Y"),
    ("dmy-", r"\d{1,2}-\d{1,2}-\d{4}", "%d-%m-%Y"),
    ("mdy-", r"\d{1,2}-\d{1,2}-\d{4}", "%m-%d-%Y"),
    ("dby", r"\d{1,2}[ -][A-Za-z]{3}[ -]\d{4}", "%d-%b-%Y"),
    ("bdy", r"[A-Za-z]{3} \d{1,2}, \d{4}", "%b %d, %Y"),
    ("Bdy", r"[A-Za-z]{4,9} \d{1,2}, \d{4}", "%B %d, %Y"),
]
_RIVALS = [("mdy/", "dmy/"), ("dmy-", "mdy-")]
_CLOCKS = [" %H:%M:%S.%f", " %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p"]
_WHOLE = r"[+-]?(0|[1-9]\d{0,17})"
_DECIMAL = r"[+-]?((0|[1-9]\d*)(\.\d+)?|\.\d+)"
_FLOAT = r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?"
_COMMA = r"[+-]?(0|[1-9]\d{0,2}(\.\d{3})+|[1-9]\d*)(,\d+)?"
_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ZONED = r"\d{4}-\d{1,2}-\d{1,2}[ T].*:.*(Z|[+-]\d{2}(:?\d{2})?)"
_MOST_SCALE = 6


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
        "comma": f"case when {_shaped(v, _COMMA)} then 1 end",
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
    """A type with what is needed to read it: `forms` of dates, `digits` before and
    `scale` after the point of decimals."""

    def __init__(self, name, forms=(), digits=0, scale=0, doubtful=False):
        self.name, self.forms = name, list(forms)
        self.digits, self.scale = digits, scale
        self.doubtful = doubtful  # day and month may be the other way round

    def told(self):
        """For `read`."""
        about = {"type": self.name}
        if self.forms:
            about["forms"] = self.forms
        if self.name in ("numeric", "comma"):
            about["digits"], about["scale"] = self.digits, self.scale
        return about

    def expression(self, column):
        return expression(self.told(), column)


def expression(about, column):
    """SQL that reads a column of text as this type. All its values have it, or mean
    nothing and give null; short, because a file may have thousands of columns."""
    v, name = f"trim({column})", about["type"]
    if name == "text":
        return f"nullif({column}, '')"
    if name == "bool":
        return f"try_cast(lower({v}) as boolean)"
    if name in ("numeric", "comma"):
        width = 18 if about["digits"] + about["scale"] <= 18 else 38
        if name == "comma":
            v = f"replace(replace({v}, '.', ''), ',', '.')"
        return f"try_cast({v} as decimal({width}, {int(about['scale'])}))"
    if name in ("date", "timestamp"):
        make = _date if name == "date" else _stamp
        tried = ", ".join(make(v, form) for form in about["forms"])
        return f"coalesce({tried}, null)::{name}"
    if name == "float8":
        return f"{value(column)}::double"  # NaN means nothing
    return f"try_cast({v} as {_ENGINE[name]})"


_ENGINE = {"int8": "bigint", "uuid": "uuid",
           "time": "time", "timestamptz": "timestamptz"}
_NAMES = {"text", "bool", "numeric", "comma", "date", "timestamp", "float8",
          *_ENGINE}


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
            and (about["type"] not in ("numeric", "comma")
                 or {"digits", "scale"} <= set(about)))


def guess(connection, source, columns):
    """A Guess for each column of a source of texts (SQL for a from clause)."""
    listed = ", ".join(columns)
    counts = _count(connection, f"unpivot (select {listed} from {source}) "
                    f"on {listed} into name place value cell", [])
    return [_decide(counts.get(column, {"n": 0})) for column in columns]


def guess_cells(connection, cells):
    """A Guess for each of these texts alone."""
    counts = _count(connection, "select unnest(?) as place, unnest(?) as cell",
                    [list(range(len(cells))), cells])
    return [_decide(counts.get(n, {"n": 0})) for n in range(len(cells))]


def _count(connection, cells, values):
    asked, names = _asked("v")
    rows = connection.execute(
        f"select place, {', '.join(asked)} from (select place, "
        f"{value('cell')} as v from ({cells})) group by place",
        values).fetchall()
    return {row[0]: dict(zip(names, row[1:])) for row in rows}


def _asked(v):
    """What is counted of the values of a column, and its names."""
    probes = {"n": v, **_probes(v)}
    names = [*probes, "commas", "digits", "length", "scale"]
    asked = [f"count({probe})" for probe in probes.values()]
    asked.append(f"count(case when contains({v}, ',') then 1 end)")
    asked.append(f"max(length(regexp_extract({v}, '^[+-]?([0-9]*)', 1)))")
    asked.append(f"max(length({v}))")
    asked.append(f"max(length(regexp_extract({v}, '[.,](\\d*)$', 1)))")
    return asked, names


def _decide(counts):
    n = counts["n"]
    if not n:
        return Guess("text")
    for name in ("bool", "int8"):
        if counts[name] == n:
            return Guess(name)
    number = _decimal(counts)
    if number:
        return number
    for name in ("float8", "uuid"):
        if counts[name] == n:
            return Guess(name)
    for name, kind in (("date", "date "), ("timestamp", "stamp ")):
        dates = _dates(counts, name, kind)
        if dates:
            return dates
    for name in ("timestamptz", "time"):
        if counts[name] == n:
            return Guess(name)
    return Guess("text")


def _decimal(counts):
    """With as many digits as the longest value; a length says enough about numbers
    with a decimal comma, which may be grouped."""
    n, scale = counts["n"], counts["scale"] or 0
    if counts["numeric"] == n:
        if scale > _MOST_SCALE or counts["digits"] + scale > 38:
            return Guess("float8")
        return Guess("numeric", digits=max(1, counts["digits"]), scale=scale)
    if counts["comma"] == n and counts["commas"] \
            and scale <= _MOST_SCALE and counts["length"] <= 38 - scale:
        return Guess("comma", digits=counts["length"], scale=scale)
    return None


def _dates(counts, name, kind):
    """All values have one of the forms; of two with the same shape, the one that fits
    more of them."""
    forms = [form for form, _, _ in DATES if counts[kind + form]]
    doubtful = False
    for first, second in _RIVALS:
        if first in forms and second in forms:
            one, two = counts[kind + first], counts[kind + second]
            doubtful = doubtful or one == two
            forms.remove(first if two > one else second)
    if sum(counts[kind + form] for form in forms) != counts["n"]:
        return None
    return Guess(name, forms, doubtful=doubtful)


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
    fits = _probes(v)[guess.name]
    if guess.name == "numeric":
        return f"case when length(regexp_extract({v}, '^[+-]?([0-9]*)', 1)) " \
               f"<= {guess.digits} and length(regexp_extract({v}, " \
               f"'[.](\\d*)$', 1)) <= {guess.scale} then {fits} end"
    if guess.name == "comma":
        return f"case when length({v}) <= {guess.digits} and length(" \
               f"regexp_extract({v}, ',(\\d*)$', 1)) <= {guess.scale} " \
               f"then {fits} end"
    return fits
