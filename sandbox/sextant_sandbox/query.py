"""One query, inside its confined child."""

import json
import re
import time

from . import answers, cells, engine, guard, names, plans

_ROWS_AT_ONCE = 1024
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
_CALL = re.compile(r'"?(\w+)"?\(.*\)', re.S)
_DESCRIBE = "describe "
_LIMIT = "\n) as _q({columns}) limit {limit}"
_SENTENCE = 600
# A hint at a view of the engine, which no statement may read.
_OWN_NAME = re.compile(r' Did you mean "(duckdb_|information_schema|pg_|pragma_|'
                       r'sqlite_)[^"]*"\??')


class Failed(Exception):
    """The engine's error while it read rows: its text may quote values, whatever its
    class says."""


def answer(plan, request):
    """The response to a query as JSON."""
    began = time.monotonic()

    def elapsed():
        return round((time.monotonic() - began) * 1000)
    try:
        connection = engine.open_tables(plan, request["tables"],
                                        request["timeZone"])
        began = time.monotonic()
        rows, about = _run(connection, request)
        # The server reads the answer as it comes, and needs the columns first.
        columns = _ENCODE(about.pop("columns"))
        about = {**about, "executionTimeMs": elapsed(), "error": None}
        return (f'{{"columns": {columns}, "rows": [{",".join(rows)}], '
                f'{_ENCODE(about)[1:]}')
    except guard.Refused as refusal:
        failed = answers.failed("policy", str(refusal), elapsed=elapsed())
    except (MemoryError, RecursionError):
        failed = answers.failed("memory", "The query needs more memory than it "
                                "may have.", elapsed=elapsed())
    except Failed as failure:
        kind, message, _ = _explained(failure.__cause__)
        failed = answers.failed("data" if kind == "sql" else kind, message,
                                elapsed=elapsed())
    except Exception as error:
        kind, message, at = _explained(error)
        failed = answers.failed(kind, message,
                                _position(error, at, request["sql"]),
                                elapsed=elapsed())
    return _ENCODE(failed)


def _run(connection, request):
    tables = [table["name"] for table in request["tables"]]
    statement, rewritten, titles = guard.judge(connection, request["sql"],
                                               tables)
    if request.get("explain"):
        return plans.explain(connection, rewritten or statement,
                             tables), plans.ABOUT.copy()
    if rewritten is not None:
        try:
            return _select(connection, rewritten, titles, request)
        except Failed:
            raise
        except Exception as error:
            # It did not fit, such as the median of dates: as the text says, then.
            if _kind(error) != "sql":
                raise
    return _select(connection, statement, titles, request)


def _select(connection, statement, titles, request):
    described = connection.execute(_DESCRIBE + statement).fetchall()
    if titles is None or len(titles) != len(described):
        titles = [None] * len(described)  # it has a star
    titles = names.all_unique([title or _title(row[0])
                               for title, row in zip(titles, described)])
    kinds = [row[1] for row in described]
    columns = [f"c{n}" for n in range(len(kinds))]
    shown = ", ".join(map(cells.as_text, kinds, columns))
    limit = request["maxRows"] + 1
    try:
        connection.execute(
            f"select {shown} from (\n{statement}" + _LIMIT.format(
                columns=", ".join(columns), limit=limit))
        rows, writer, more = _rows(connection, kinds, request)
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        raise Failed from error
    return rows, {"columns": [{"name": name, "type": cells.type_name(kind)}
                              for name, kind in zip(titles, kinds)],
                  "moreRows": more, "cutValues": writer.cut}


def _rows(connection, kinds, request):
    """(pieces of JSON with the rows, the Writer, whether there are more)."""
    writer, pieces = cells.Writer(kinds), []
    room, left = request["maxBytes"], request["maxRows"]
    while batch := connection.fetchmany(_ROWS_AT_ONCE):
        values, cut = batch[:left], writer.cut
        text = _ENCODE([writer.row(row) for row in values])[1:-1]
        size = _bytes(text) + 2
        if values and size > room:
            writer.cut = cut
            return pieces + _fitting(writer, values, room), writer, True
        if values:
            pieces.append(text)
        if len(values) < len(batch):
            return pieces, writer, True
        room -= size
        left -= len(values)
    return pieces, writer, False


def _fitting(writer, values, room):
    """The first rows, each as JSON, that have room."""
    fitting = []
    for row in values:
        cut = writer.cut
        text = _ENCODE(writer.row(row))
        room -= _bytes(text) + 2
        if room < 0:
            writer.cut = cut
            break
        fitting.append(text)
    return fitting


def _bytes(text):
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _title(name):
    """PostgreSQL names a call after its function."""
    call = _CALL.fullmatch(name)
    if call is None:
        return name
    return "count" if call[1] == "count_star" else call[1]


_KINDS = {
    "OutOfMemoryException": "memory", "InterruptException": "timeout",
    "PermissionException": "policy",
    "ConversionException": "data", "OutOfRangeException": "data",
    "ConstraintException": "data", "InvalidInputException": "data",
    "DataError": "data",
}


def _kind(error):
    if "bad_alloc" in str(error) or "failed to allocate" in str(error).lower():
        return "memory"
    return _KINDS.get(type(error).__name__, "sql")


def _explained(error):
    """(kind, one sentence, the engine's position or None)."""
    kind = _kind(error)
    if kind == "memory":
        return kind, "The query needs more memory than it may have.", None
    text = str(error)
    try:
        told = json.loads(text[text.index("{"):])
        message, at = str(told["exception_message"]), told.get("position")
    except (ValueError, KeyError, TypeError):
        message, at = re.sub(r"^[\w ]+: ", "", text), None
    if type(error).__name__ in ("InternalException", "FatalException"):
        return "sql", "The engine cannot run this statement.", None
    lines = message.split("\n\nLINE ")[0]
    sentence = _OWN_NAME.sub("", " ".join(lines.split()))[:_SENTENCE]
    return kind, sentence, at


def _position(error, at, sql):
    """The engine counts bytes from 0; PostgreSQL and we, characters from 1. Errors of
    the syntax come from the text itself, later ones from its description; what fails
    while it runs has no place."""
    try:
        place = int(at)
    except (TypeError, ValueError):
        return None
    kind = type(error).__name__
    if kind in ("BinderException", "CatalogException"):
        place -= len(_DESCRIBE)
    elif kind != "ParserException":
        return None
    text = sql.encode()
    if not 0 <= place <= len(text):
        return None
    return len(text[:place].decode(errors="ignore")) + 1
