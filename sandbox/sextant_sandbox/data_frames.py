"""Tables of files as DataFrames, within the memory of an execution: tables that do not
fit into it together are cut."""

from . import engine
from .engine import quoted

_TEXTS = ("VARCHAR", "JSON")
_TEXT_BYTES = 60        # of a text in Python, besides its characters
_OTHER_BYTES = 10       # of a number or a time, with the mask of nulls
_SMALL = 64 << 20       # bytes: not worth a look at the lengths of texts
_TRIES = 4
_MOST_TOLD = 64         # tables that were cut


def load(plan, tables):
    """({name: DataFrame}, [{name, rows, of}] of the tables that were cut to their first
    rows). Leaves no thread and no open file."""
    if not tables:
        return {}, []
    connection = engine.open_tables(plan, tables, eighths=3)
    try:
        sizes = [_size(connection, table["name"]) for table in tables]
        room = plan.settings["memory"] * 3 // 8
        for left in reversed(range(_TRIES)):
            counts = _counts(sizes, room)
            try:
                return _load(connection, tables, counts), [
                    {"name": table["name"], "rows": count, "of": rows}
                    for table, count, (rows, _) in zip(tables, counts, sizes)
                    if count < rows][:_MOST_TOLD]
            except Exception as error:
                if not left or not _is_of_memory(error):
                    raise
            room = min(room, sum(rows * each for rows, each in sizes)) // 3
    except Exception as error:
        if _is_of_memory(error):
            raise MemoryError from None
        raise
    finally:
        connection.close()
        engine.forget()


def _is_of_memory(error):
    """The engine's own error is no MemoryError."""
    return isinstance(error, MemoryError) \
        or type(error).__name__ == "OutOfMemoryException" \
        or "bad_alloc" in str(error) or "failed to allocate" in str(error).lower()


def _size(connection, name):
    """(rows, bytes that a row takes as part of a DataFrame)."""
    kinds = connection.execute(f"describe from {quoted(name)}").fetchall()
    rows = connection.execute(
        f"select count(*) from {quoted(name)}").fetchone()[0]
    texts = [column for column, kind, *_ in kinds if kind in _TEXTS]
    each = _TEXT_BYTES * len(texts) + _OTHER_BYTES * (len(kinds) - len(texts))
    if texts and rows * each > _SMALL // 8:
        lengths = " + ".join(f"coalesce(sum(strlen({quoted(column)})), 0)"
                             for column in texts)
        total = connection.execute(
            f"select {lengths} from {quoted(name)}").fetchone()[0]
        each += int(total) // rows + 1
    return rows, each


def _counts(sizes, room):
    """How many rows of each table have room: small tables stay whole, and the large
    ones share what is left."""
    counts = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda n: sizes[n][0] * sizes[n][1])
    for done, n in enumerate(order):
        rows, each = sizes[n]
        share = room // (len(sizes) - done)
        counts[n] = min(rows, share // max(1, each))
        room -= counts[n] * each
    return counts


def _load(connection, tables, counts):
    return {table["name"]: _frame(connection, table["name"], count)
            for table, count in zip(tables, counts)}


def _frame(connection, name, count):
    """Whole numbers stay whole where some are missing, and texts are texts."""
    kinds = connection.execute(f"describe from {quoted(name)}").fetchall()
    rows = f"from {quoted(name)} limit {count}"
    frame = connection.execute(rows).df()
    for column, kind, *_ in kinds:
        if kind in _TEXTS:
            frame[column] = frame[column].astype("str")
        elif kind == "BIGINT" and frame[column].dtype == "float64":
            frame[column] = _whole(connection, rows, column)
    return frame


def _whole(connection, rows, column):
    import numpy
    import pandas
    values = connection.execute(
        f"select {quoted(column)} {rows}").fetchnumpy()[column]
    return pandas.arrays.IntegerArray(
        numpy.ma.getdata(values).astype("int64"),
        numpy.ma.getmaskarray(values))
