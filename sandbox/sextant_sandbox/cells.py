"""Values of the engine in PostgreSQL's form: type names and texts."""

import re

MOST_TEXT = 65_536  # characters of a cell

_NAMES = {
    "BOOLEAN": "bool", "TINYINT": "int2", "SMALLINT": "int2",
    "INTEGER": "int4", "BIGINT": "int8", "HUGEINT": "numeric",
    "UTINYINT": "int2", "USMALLINT": "int4", "UINTEGER": "int8",
    "UBIGINT": "numeric", "UHUGEINT": "numeric", "BIGNUM": "numeric",
    "VARINT": "numeric", "FLOAT": "float4", "DOUBLE": "float8",
    "VARCHAR": "text", "BLOB": "bytea", "DATE": "date", "TIME": "time",
    "TIME_NS": "time", "TIME WITH TIME ZONE": "timetz",
    "TIMESTAMP": "timestamp", "TIMESTAMP_S": "timestamp",
    "TIMESTAMP_MS": "timestamp", "TIMESTAMP_NS": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamptz", "INTERVAL": "interval",
    "UUID": "uuid", "BIT": "varbit", "JSON": "json", '"NULL"': "text",
    "NULL": "text",
}
_LONG = ("text", "json", "bytea", "varbit")


def type_name(kind):
    """PostgreSQL's name for a type of the engine."""
    if kind.startswith("DECIMAL"):
        return "numeric"
    if kind.startswith("ENUM") and not kind.endswith("]"):
        return "text"
    return _NAMES.get(kind, "json")  # lists, structs, maps, unions


def as_text(kind, column):
    """SQL that gives the text of a column, one character longer than a cell may be
    where it may be long."""
    name = type_name(kind)
    if name == "bool":
        return f"case when {column} then 't' when not {column} then 'f' end"
    if name == "bytea":
        shown = f"'\\x' || lower(hex({column}))"
    elif name == "json" and kind != "JSON":
        shown = f"to_json({column})::varchar"
    else:
        shown = f"{column}::varchar"
    return f"left({shown}, {MOST_TEXT + 1})" if name in _LONG else shown


def finisher(kind):
    """A function that completes the text of a cell, or None."""
    name = type_name(kind)
    if name in ("float4", "float8"):
        return _float_of(6 if name == "float4" else 15)
    if name in ("date", "timestamp", "timestamptz"):
        return _era
    if name == "timetz":
        return _short_zone
    if name == "interval":
        return _interval
    if kind == "DECIMAL(38,10)":
        return _without_zeros
    return None


_FLOAT = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?")


def _float_of(most):
    """PostgreSQL writes the shortest digits that say which number it is, with an
    exponent below 1e-4 and from 1e15 (float8) or 1e6 (float4) on."""
    def finish(text):
        match = _FLOAT.fullmatch(text)
        if match is None:
            return {"nan": "NaN", "-nan": "NaN", "inf": "Infinity",
                    "-inf": "-Infinity"}.get(text, text)
        sign, whole, part, power = match.groups()
        digits = (whole + (part or "")).lstrip("0")
        point = int(power or 0) - len(part or "")
        bare = digits.rstrip("0")
        if not bare:
            return sign + "0"
        point += len(digits) - len(bare)
        exponent = len(bare) - 1 + point
        if exponent < -4 or exponent >= most:
            rest = "." + bare[1:] if len(bare) > 1 else ""
            return f"{sign}{bare[0]}{rest}e{exponent:+03d}"
        if point >= 0:
            return sign + bare + "0" * point
        if exponent >= 0:
            return f"{sign}{bare[:point]}.{bare[point:]}"
        return f"{sign}0.{'0' * (-point - len(bare))}{bare}"
    return finish


def _era(text):
    if text.endswith(" (BC)"):
        return text[:-5] + " BC"
    return text


def _short_zone(text):
    return text[:-3] if text.endswith(":00") and text.count(":") > 2 else text


_UNIT = re.compile(r"(-?\d+) (year|month|day)s?")


def _interval(text):
    def named(match):
        count, unit = match.groups()
        unit = "mon" if unit == "month" else unit
        return f"{count} {unit}" + ("" if count == "1" else "s")
    return _UNIT.sub(named, text)


def _without_zeros(text):
    """The engine's type for a plain `numeric`, which shows no zeros of its own."""
    return text.rstrip("0").rstrip(".")


class Writer:
    """Completes rows of texts of these types, and counts the values it has cut."""

    def __init__(self, kinds):
        self.finishers = [(n, f) for n, f in enumerate(map(finisher, kinds))
                          if f is not None]
        self.long = [n for n, kind in enumerate(kinds)
                     if type_name(kind) in _LONG]
        self.cut = 0

    def row(self, values):
        cells = list(values)
        for n, finish in self.finishers:
            if cells[n] is not None:
                cells[n] = finish(cells[n])
        for n in self.long:
            text = cells[n]
            if text is None:
                continue
            if len(text) > MOST_TEXT:
                text = text[:MOST_TEXT]
                self.cut += 1
            cells[n] = text.replace("\0", "\ufffd")
        return cells
