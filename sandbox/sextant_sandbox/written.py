"""Numbers as people write them: 1,234.50 or 1.234,50, 1 234, $12, 12 €, 5%, (7) and 7-.

A column of such numbers has one decimal mark and one unit: amounts in two currencies, or
some of them in percent, are text, because no sum of them means anything.
"""

from .engine import text

MARKS = {"point": ".", "comma": ","}  # the types, and their decimal marks
_SPACE = r"[ \x{a0}\x{202f}\x{2009}]"
_CODES = ("USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|"
          "RUB|UAH|BRL|MXN|ARS|CLP|COP|ZAR|ILS|KRW|SGD|HKD|TWD|THB|IDR|MYR|PHP|VND|AED|"
          "SAR|EGP|kr|zł|Kč|Ft")
_MONEY = rf"(?:[A-Z]{{0,3}}\p{{Sc}}|{_CODES})"
_MINUS = r"[-\x{2212}]"


def _digits(mark):
    """Without sign and unit: grouped by threes (or as in India), or not at all. What
    begins with zero is a code, unless it is below one."""
    group = "," if mark == "." else r"\."
    point = r"\." if mark == "." else ","
    groups = [rf"[1-9]\d{{0,2}}(?:{g}\d{{3}})+" for g in (group, "['’]", _SPACE)]
    if mark == ".":
        groups.append(r"[1-9]\d?(?:,\d{2})+,\d{3}")
    return rf"(?:(?:0|[1-9]\d*|{'|'.join(groups)})(?:{point}\d+)?|{point}\d+)"


def _shape(mark):
    number, s = _digits(mark), _SPACE + "?"
    point = r"\." if mark == "." else ","
    amount = rf"(?:{_MONEY}{s})?{number}(?:{s}(?:{_MONEY}|%))?"
    return "|".join([
        rf"{_MINUS}?{s}{amount}", rf"{_MONEY}{s}{_MINUS}{s}{number}",
        rf"{amount}{s}-", rf"\({amount}\)",
        rf"\+{_MONEY}?(?:\d{{1,6}}|\d{{1,3}}(?:[.,]\d{{3}})+)?(?:{point}\d+)?{s}"
        rf"(?:{_MONEY}|%)?"])


_SHAPES = {name: _shape(mark) for name, mark in MARKS.items()}
# What is worth a closer look: few marks around digits.
MARKED = rf"\D{{0,7}}\d(?:[\d.,'’]|{_SPACE})*\D{{0,6}}"
# A plain number whose point may also group its digits.
DOTTED = r"-?(?:0|[1-9]\d{0,2}(?:\.\d{3})?)"
_TELEPHONE = r"\d{3}(?: \d{3}){2,}"


def _is(v, shape):
    return f"regexp_full_match({v}, {text(shape)})"


def _unit(v):
    return f"regexp_extract({v}, {text(_MONEY + '|%')})"


def _whole(v, mark):
    point = "[.]" if mark == "." else ","
    return f"length(regexp_replace(regexp_replace({v}, '{point}\\d*\\D*$', ''), " \
           "'\\D', '', 'g'))"


def _part(v, mark):
    point = "[.]" if mark == "." else ","
    return f"length(regexp_extract({v}, '{point}(\\d+)\\D*$', 1))"


def asked(v):
    """What is counted of the values of a column, and its names."""
    found = {"units": f"count(nullif({_unit(v)}, ''))",
             "first_unit": f"min(nullif({_unit(v)}, ''))",
             "last_unit": f"max(nullif({_unit(v)}, ''))",
             "brackets": f"count(case when starts_with({v}, '(') then 1 end)",
             "telephones": f"count(case when {_is(v, _TELEPHONE)} then 1 end)"}
    for name, mark in MARKS.items():
        fits = _is(v, _SHAPES[name])
        found[name] = f"count(case when {fits} then 1 end)"
        found[name + " digits"] = f"max(case when {fits} then {_whole(v, mark)} end)"
        found[name + " scale"] = f"max(case when {fits} then {_part(v, mark)} end)"
    return list(found.values()), list(found)


def number(counts, name):
    """(digits, scale, unit) of a column of which `counts` has what was asked, if all its
    values are numbers of this type, else None."""
    n, unit = counts["n"], counts["first_unit"] or ""
    if counts[name] < n or unit != (counts["last_unit"] or "") \
            or unit == "%" and counts["units"] < n \
            or counts["telephones"] == n \
            or counts["brackets"] == n and not unit and not counts[name + " scale"]:
        return None
    digits, scale = max(1, counts[name + " digits"]), counts[name + " scale"] or 0
    scale += 2 if unit == "%" else 0
    return (digits, scale, unit) if digits + scale <= 38 else None


def fit(v, name, unit, digits, scale):
    """SQL that is not null where a value has this type and unit, and not more digits."""
    mark = MARKS[name]
    units = "= '%'" if unit == "%" else f"in ('', {text(unit)})"
    scale -= 2 if unit == "%" else 0
    return f"case when {_is(v, _SHAPES[name])} and {_unit(v)} {units} and " \
           f"{_whole(v, mark)} <= {digits} and {_part(v, mark)} <= {scale} then 1 end"


def expression(v, name, unit, kind):
    """SQL that reads such a number as a type of the engine; percents as parts of one. What
    means nothing has no digits, but for one word, and gives null."""
    mark = MARKS[name]
    v = f"nullif({v}, '#DIV/0!')"
    v = rf"regexp_replace({v}, '^(.*)[(\x{{2212}}-](.*)$', '-\1\2')"
    v = f"regexp_replace({v}, '[^-0-9{mark}]', '', 'g')"
    v = f"replace({v}, ',', '.')" if mark == "," else v
    shift = " || 'e-2'" if unit == "%" else ""
    return f"try_cast({v}{shift} as {kind})"
