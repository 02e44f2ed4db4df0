"""Turns `data` of a request into the variables that the code sees."""

import keyword


class BadRequest(ValueError):
    """The request is invalid; the text is for the caller."""


def names_from(data, types):
    """Returns {"data": the whole object, and each valid name: its value or DataFrame}."""
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise BadRequest("data must be an object")
    if types is not None and not isinstance(types, dict):
        raise BadRequest("columnTypes must be an object")
    names = {}
    for name, value in data.items():
        if usable(name):
            names[name] = _value(value, (types or {}).get(name))
    names["data"] = data
    return names


def from_tables(tables):
    """The variables for tables: `datasets` has all of them, and a single one is `df`."""
    if not tables:
        return {}
    names = {name: frame for name, frame in tables.items() if usable(name)}
    if len(tables) == 1:
        names["df"] = next(iter(tables.values()))
    names["datasets"] = dict(tables)
    return names


def usable(name):
    return (name.isidentifier() and not keyword.iskeyword(name)
            and not name.startswith("__"))


def _value(value, types):
    if not isinstance(value, list):
        return value
    if not all(isinstance(row, dict) for row in value):
        return value
    import pandas
    columns = list(types) if not value and isinstance(types, dict) else None
    frame = pandas.DataFrame(value, columns=columns)
    if isinstance(types, dict):
        for column, kind in types.items():
            if column in frame.columns and isinstance(kind, str):
                _convert(frame, column, kind)
    return frame


def _convert(frame, column, kind):
    """Converts by the PostgreSQL type; a column that cannot be converted stays as it is."""
    convert = _CONVERSIONS.get(kind.lower().strip())
    if convert is None:
        return
    try:
        frame[column] = convert(frame[column])
    except Exception:
        pass


def _to_float(series):
    import pandas
    return pandas.to_numeric(series).astype("float64")


def _to_integer(series):
    import pandas
    whole = [None if _missing(v) else int(v) for v in series]
    return pandas.Series(pandas.array(whole, dtype="Int64"),
                         index=series.index)


def _to_time(series):
    import pandas
    return pandas.to_datetime(series, format="ISO8601")


def _to_utc_time(series):
    import pandas
    return pandas.to_datetime(series, format="ISO8601", utc=True)


def _missing(value):
    return value is None or value != value


_CONVERSIONS = {
    "numeric": _to_float, "decimal": _to_float,
    "int8": _to_integer, "bigint": _to_integer,
    "date": _to_time, "timestamp": _to_time,
    "timestamp without time zone": _to_time,
    "timestamptz": _to_utc_time, "timestamp with time zone": _to_utc_time,
}
