"""Makes the tables of one file, inside a confined child, and profiles them.

Each table is a database file t0.duckdb, t1.duckdb … in the child's folder with the
table t; the front collects them when the child is dead.
"""

import os

from . import cells, engine, identify, names, sheets, textfile
from .engine import quoted, text
from .identify import Unreadable
from .textfile import Draft

_SAMPLE_ROWS = 10
_SAMPLES = 5
_MOST_TEXT = 256
_LOOKED_AT = 1000
_AT_ONCE = 100
_WIDE = 200  # columns: to choose a compression for each takes too long
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER")
_AS_BIGINT = _WHOLE + ("BIGINT",)
_KEPT = {"BOOLEAN", "DOUBLE", "VARCHAR", "BLOB", "DATE", "TIME", "TIMESTAMP",
         "TIMESTAMP WITH TIME ZONE", "INTERVAL", "UUID", "JSON"}


def answer(plan, directory, file, request):
    """{tables, problem}: a problem is a sentence, and then there are no tables."""
    path = os.path.join(plan.files, file)
    filename = os.path.basename(str(request.get("filename") or "the file"))
    try:
        connection = _open(plan, directory)
        tables = _tables(connection, path, directory, request, filename)
        return {"tables": tables, "problem": None}
    except Unreadable as error:
        return _problem(str(error))
    except (MemoryError, RecursionError):
        return _problem("The file needs more memory to read than it may have.")
    except OSError as error:
        if error.errno in (27, 28):  # EFBIG, ENOSPC
            return _problem("The file is too large to be read.")
        return _problem("The file cannot be read.")
    except Exception as error:
        return _problem(_sentence(error, path, directory))


def _problem(sentence):
    """Without the name of the file, which is next to it in every answer."""
    return {"tables": [], "problem": sentence}


def _sentence(error, path, directory):
    """What the engine says, without places of the machine."""
    kind = type(error).__name__
    if kind == "OutOfMemoryException" or "bad_alloc" in str(error):
        return "The file needs more memory to read than it may have."
    if kind == "IOException" and "space" in str(error).lower():
        return "The file is too large to be read."
    message = str(error)
    try:
        import json
        message = json.loads(message[message.index("{"):])["exception_message"]
    except (ValueError, KeyError, TypeError):
        pass
    message = message.replace(path, "it").replace(directory, "").replace(
        "record/value", "record")
    first = " ".join(message.split("\n")[0].split())[:300].rstrip(". ")
    return f"The file cannot be read: {first}."


def _open(plan, directory):
    connection = engine.open_once()
    memory = plan.settings["buildMemory"] * 3 // 4
    spill = os.path.join(directory, "spill")
    threads = min(os.cpu_count() or 1, engine.MOST_THREADS)
    connection.execute(
        f"set memory_limit = '{memory // 1024}KiB'; set threads = {threads}; "
        f"set temp_directory = {text(spill)}; set errors_as_json = true")
    return connection


def _tables(connection, path, directory, request, filename):
    """Makes all tables of the file, or those that are wanted again."""
    kind = identify.format_of(path)
    wanted = request.get("wanted")
    stem = names.identifier(os.path.splitext(filename)[0], "table")
    if kind == "xlsx":
        drafts = _workbook(connection, path, directory, wanted, stem)
    else:
        told = None if wanted is None else wanted[0]["read"]
        made, format_ = _draft(connection, kind, path, directory, told, filename)
        drafts = [(stem, None, format_, made)]
    tables = []
    for number, (name, sheet, format_, draft) in enumerate(drafts):
        target = os.path.join(directory, f"t{number}.duckdb")
        _make(connection, number, target, draft)
        about = {"name": name, "sheet": sheet, "format": format_,
                 "read": draft.read}
        if wanted is None:
            about.update(_profile(connection, number, draft))
        connection.execute(f"detach _{number}")
        tables.append(about)
    return tables


def _draft(connection, kind, path, directory, told, filename):
    if kind == "parquet":
        return _of_engine(connection, f"read_parquet({text(path)})"), "parquet"
    if kind == "jsonl":
        return _json(connection, path, directory, told), "jsonl"
    draft = textfile.draft(connection, path, directory, told)
    ending = os.path.splitext(filename)[1].lower()
    if told is None and ending in (".parquet", ".xlsx", ".jsonl", ".json"):
        draft.notes.append(f"The file is text, not what {ending} says: it was "
                           "read as CSV.")
    return draft, "tsv" if draft.read["delimiter"] == "\t" else "csv"


def _workbook(connection, path, directory, wanted, stem):
    reads = None if wanted is None else {w["sheet"]: w["read"] for w in wanted}
    texts, notes = sheets.write_texts(path, directory, reads)
    for number, (sheet, target, about) in enumerate(texts):
        folder = os.path.join(directory, f"s{number}")
        os.mkdir(folder)
        draft = textfile.draft(connection, target, folder,
                               None if reads is None else reads[sheet], True)
        draft.notes += about
        if number == 0:
            draft.notes += notes
        name = stem if len(texts) == 1 and reads is None else \
            names.identifier(f"{stem}_{sheet}", "table")
        yield name, sheet, "xlsx", draft


def _json(connection, path, directory, told):
    """One object a line, or one array of objects."""
    encoding, again = identify.encoding_of(path)
    if again:
        path, source = os.path.join(directory, "text.json"), path
        identify.write_as_utf8(source, encoding, path)
    with open(path, "rb") as file:
        first = file.read(4096).lstrip()[:1]
    form = "array" if first == b"[" else "newline_delimited"
    return _of_engine(connection, f"read_json({text(path)}, format = '{form}', "
                      "sample_size = -1, maximum_object_size = 16777216)")


def _of_engine(connection, source):
    """A file that names its own types: they become those that PostgreSQL has."""
    described = connection.execute(f"describe from {source}").fetchall()
    if len(described) > identify.MOST_COLUMNS:
        raise Unreadable(f"The file has {len(described)} columns; at most "
                         f"{identify.MOST_COLUMNS} are possible.")
    wanted = [names.identifier(row[0], f"column{n + 1}")
              for n, row in enumerate(described)]
    columns, shown = [], []
    for name, (title, kind, *_) in zip(names.all_unique(wanted), described):
        about = {"name": name}
        if title.strip() and title.strip() != name:
            about["title"] = title.strip()[:500]
        columns.append(about)
        shown.append(f"{_plain(kind, quoted(title))} as {quoted(name)}")
    return Draft(f"select {', '.join(shown)} from {source}",
                 {"columns": columns}, [])


def _plain(kind, column):
    if kind in _KEPT or kind.startswith("DECIMAL"):
        return column
    if kind in _AS_BIGINT:
        return f"{column}::bigint"
    if kind in ("UBIGINT", "HUGEINT"):
        return f"{column}::hugeint"
    if kind == "FLOAT":
        return f"{column}::varchar::double"
    if kind.startswith("TIMESTAMP_"):
        return f"{column}::timestamp"
    if cells.type_name(kind) == "json":
        return f"to_json({column})"
    return f"{column}::varchar"


def _make(connection, number, target, draft):
    wide = len(draft.read["columns"]) > _WIDE
    connection.execute(
        f"set force_compression = '{'uncompressed' if wide else 'auto'}'; "
        f"attach {text(target)} as _{number}")
    connection.execute(f"create table _{number}.main.t as {draft.select}")
    connection.execute(f"checkpoint _{number}")


def _profile(connection, number, draft):
    """Rows, and for each column its type, nulls, distinct values, range, samples."""
    table = f"_{number}.main.t"
    described = connection.execute(f"describe from {table}").fetchall()
    kinds = [row[1] for row in described]
    rows = connection.execute(f"select count(*) from {table}").fetchone()[0]
    first = _texts(connection, table, described, _LOOKED_AT
                   if len(described) <= 500 else 50)
    counts = _counts(connection, table, described, rows)
    if rows == len(first):
        for n, count in enumerate(counts):
            count["distinct"] = len({row[n] for row in first} - {None})
    else:
        _count_exactly(connection, table, described, rows, counts)
    columns = []
    for n, (row, about) in enumerate(zip(described, draft.read["columns"])):
        column = {"name": row[0], "type": cells.type_name(kinds[n]),
                  **counts[n], "samples": _samples(first, n)}
        if "title" in about:
            column["title"] = about["title"]
        columns.append(column)
    if not rows:
        draft.notes.append("The file has no rows.")
    sample = [[_cut(cell) for cell in row] for row in first[:_SAMPLE_ROWS]]
    return {"rows": rows, "columns": columns, "sample": sample,
            "notes": draft.notes[:50]}


def _counts(connection, table, described, rows):
    found = []
    at_once = _AT_ONCE if rows > 10_000 else 10 * _AT_ONCE
    for start in range(0, len(described), at_once):
        part = described[start:start + at_once]
        asked = []
        for name, kind, *_ in part:
            column = quoted(name)
            ranged = cells.type_name(kind) not in ("json", "bytea")
            asked += [f"count({column})", f"approx_count_distinct({column})",
                      _end(kind, f"min({column})" if ranged else "null"),
                      _end(kind, f"max({column})" if ranged else "null")]
        row = connection.execute(
            f"select {', '.join(asked)} from {table}").fetchone()
        for n, (name, kind, *_) in enumerate(part):
            count, distinct, low, high = row[4 * n:4 * n + 4]
            ends = cells.Writer([kind, kind]).row([low, high])
            found.append({"nulls": rows - count, "distinct": distinct,
                          "min": _cut(ends[0]), "max": _cut(ends[1])})
    return found


def _count_exactly(connection, table, described, rows, found):
    """Few values, and nearly as many as rows: there it matters whether a column is a
    key. The other counts are about right, and marked."""
    places = [n for n, count in enumerate(found) if count["distinct"] <= 10_000
              or count["distinct"] > (rows - count["nulls"]) * 0.8]
    at_once = max(1, min(_AT_ONCE, 1_000_000 // max(1, rows)))
    for start in range(0, len(places), at_once):
        part = places[start:start + at_once]
        asked = ", ".join(f"count(distinct {quoted(described[n][0])})"
                          for n in part)
        row = connection.execute(f"select {asked} from {table}").fetchone()
        for n, count in zip(part, row):
            found[n]["distinct"] = count
    for n in set(range(len(found))) - set(places):
        found[n]["approximate"] = True


def _end(kind, expression):
    return "null" if expression == "null" else cells.as_text(kind, expression)


def _texts(connection, table, described, count):
    """The first rows as texts."""
    kinds = [row[1] for row in described]
    shown = ", ".join(cells.as_text(row[1], quoted(row[0]))
                      for row in described)
    writer = cells.Writer(kinds)
    rows = connection.execute(
        f"select {shown} from {table} limit {count}").fetchall()
    return [writer.row(row) for row in rows]


def _samples(rows, n):
    """Some different values."""
    found = {}
    for row in rows:
        if row[n] is not None:
            found[_cut(row[n])] = True
            if len(found) == _SAMPLES:
                break
    return list(found)


def _cut(cell):
    return cell if cell is None or len(cell) <= _MOST_TEXT \
        else cell[:_MOST_TEXT] + "…"
