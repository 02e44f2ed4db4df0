"""The requests about files: PUT /files/:sha256, POST /tables, POST /query."""

import asyncio
import contextlib
import json
import re
import time

from . import answers, cache, names, references, wire
from .engine_run import Ended, Query
from .pool import ZygoteGone
from .tables import Missing, Unreadable

MOST_FILES = 32
MOST_TAKEN = 16
MOST_SQL = 200_000      # characters
MOST_ROWS = 1_000_000
MOST_BYTES = 32 << 20
PIECE_SECONDS = 60
UPLOAD_SECONDS = 900
PIECE = 256 << 10
_TIME_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9/_+-]{0,63}")


async def receive_file(store, options, reader, writer, head, key):
    """PUT /files/:sha256. Writes the body to disk as it comes."""
    if not references.HASH.fullmatch(key):
        raise wire.Refusal(404, "a file is named by its SHA-256 in hex",
                           final=True)
    length = wire.body_length(head, options.max_file)
    if store.find(key):
        return 200, await _skip(reader, head, length)
    try:
        upload = cache.Upload(store, key, length)
    except cache.Full:
        raise wire.busy("the cache is full of files in use", final=True)
    except OSError:
        raise wire.busy("the disk takes no more files", final=True)
    try:
        wire.go_on(writer, head)
        await asyncio.wait_for(_copy(reader, upload, length), UPLOAD_SECONDS)
        upload.finish()
    except cache.Mismatch:
        raise wire.Refusal(400, "the bytes have another hash") from None
    except asyncio.TimeoutError:
        raise wire.Refusal(408, "the body did not come in time",
                           final=True) from None
    except ConnectionError:
        raise
    except OSError:
        raise wire.busy("the disk takes no more files", final=True) from None
    finally:
        upload.close()
    return 201, {}


async def _copy(reader, upload, length):
    while length:
        piece = await asyncio.wait_for(reader.read(min(length, PIECE)),
                                       PIECE_SECONDS)
        if not piece:
            raise ConnectionResetError
        upload.write(piece)
        length -= len(piece)


async def _skip(reader, head, length):
    """The file is here: reads the body only if the client sends it without asking."""
    if head.headers.get("expect", "").lower() == "100-continue":
        head.closes = True
        return {}
    while length:
        piece = await asyncio.wait_for(reader.read(min(length, PIECE)),
                                       PIECE_SECONDS)
        if not piece:
            raise ConnectionResetError
        length -= len(piece)
    return {}


def fields_of(body):
    """The JSON object that a body is."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise wire.Refusal(400, "the body is not JSON") from None
    if not isinstance(fields, dict):
        raise wire.Refusal(400, "the body must be an object")
    return fields


def references_of(fields):
    try:
        return references.parse(fields.get("tables", []))
    except references.BadReference as error:
        raise wire.Refusal(400, str(error)) from None


def take_of(fields):
    """The names of the texts that an execution is asked for."""
    take = fields.get("take") or []
    if not isinstance(take, list) or len(take) > MOST_TAKEN:
        raise wire.Refusal(400, f"take may have {MOST_TAKEN} names")
    for name in take:
        if not isinstance(name, str) or not 0 < len(name) <= 200 \
                or not name.isprintable() or "/" in name or name in (".", ".."):
            raise wire.Refusal(400, "take has a name that no file can have")
    return list(dict.fromkeys(take))


def timeout_of(fields, settings):
    timeout = fields.get("timeout")
    if timeout is None:
        timeout = settings["timeout"]
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) \
            or not timeout > 0:
        raise wire.Refusal(400, "timeout must be a positive number")
    return min(timeout, settings["maxTimeout"])


def _count(fields, name, default, most):
    value = fields.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise wire.Refusal(400, f"{name} must be a positive whole number")
    return min(value, most)


def _time_zone_of(fields):
    name = fields.get("timeZone", "UTC")
    if not isinstance(name, str) or not _TIME_ZONE.fullmatch(name):
        raise wire.Refusal(400, "timeZone must be the name of a time zone")
    return name


@contextlib.contextmanager
def _files_or_refusal():
    """Refuses when files are missing or cannot be worked on."""
    try:
        yield
    except Missing as error:
        raise wire.Refusal(404, "files are missing",
                           fields={"missing": error.hashes}) from None
    except cache.Full:
        raise wire.busy("the cache is full of files in use") from None
    except ZygoteGone:
        raise wire.busy("the sandbox is being restarted") from None


async def entries_of(tables, wanted):
    """The cache's entries of the references; refuses if that cannot be."""
    with _files_or_refusal():
        return await tables.ready(wanted)


class QueryRequest:
    """POST /query."""

    def __init__(self, body, settings):
        fields = fields_of(body)
        self.tables = references_of(fields)
        self.timeout = timeout_of(fields, settings)
        sql = fields.get("sql")
        if not isinstance(sql, str):
            raise wire.Refusal(400, "sql must be a string")
        self.sql = sql
        self.rows = _count(fields, "maxRows", 1000, MOST_ROWS)
        self.bytes = _count(fields, "maxBytes", 8 << 20, MOST_BYTES)
        self.time_zone = _time_zone_of(fields)
        self.explain = fields.get("explain") is True

    def refused(self):
        """What is wrong with the text before anybody parses it, or None."""
        if len(self.sql) > MOST_SQL:
            return answers.failed(
                "policy", f"The statement has more than {MOST_SQL} characters.")
        if "\0" in self.sql:
            return answers.failed("policy", "The statement contains NUL.")
        return None

    def body(self, paths):
        return json.dumps({
            "sql": self.sql, "maxRows": self.rows, "maxBytes": self.bytes,
            "timeout": self.timeout, "timeZone": self.time_zone,
            "explain": self.explain,
            "tables": offered(self.tables, paths)}).encode()


def offered(tables, paths):
    """For the child: each table with the name under which it can open it."""
    return [{"name": table.name, "file": path}
            for table, path in zip(tables, paths)]


async def answer_query(front, request, gone, head):
    """The response to a query."""
    refused = request.refused()
    if refused:
        return refused
    try:
        entries = await entries_of(front.tables, request.tables)
    except Unreadable as error:
        return answers.failed("data", str(error))
    except Ended as error:
        return _ended(error.kind, "A file took too long to read.")
    with front.cache.offered(entries) as paths:
        spare = await front.acquire(gone, head)
        began = time.monotonic()
        try:
            run = Query(spare, front.options, {"kind": "query"})
            return await run.run(request.body(paths), gone, request.timeout)
        except Ended as error:
            elapsed = round((time.monotonic() - began) * 1000)
            return _ended(error.kind, "The query took longer than "
                          f"{request.timeout:g} s.", elapsed)
        finally:
            front.pool.release(spare)


def _ended(kind, late, elapsed=0):
    if kind == "timeout":
        return answers.failed(kind, late, elapsed=elapsed)
    return answers.failed("memory", "The query needs more memory than it may "
                          "have.", elapsed=elapsed)


async def answer_tables(front, body):
    """POST /tables: profiles files and makes their tables."""
    fields = fields_of(body)
    timeout = timeout_of(fields, front.options.zygote)
    files = _files_of(fields)
    end = time.monotonic() + timeout
    with _files_or_refusal():
        front.tables.check([file["sha256"] for file in files])
        found, problems = [], []
        for file in files:
            answer = await _profile(front, file, end)
            if answer.get("problem"):
                problems.append({"filename": file["filename"],
                                 "message": answer["problem"]})
            else:
                found += [{**table, "sha256": file["sha256"],
                           "filename": file["filename"]}
                          for table in answer["tables"]]
    taken = set()
    for table in found:
        table["name"] = names.unique(table["name"], taken)
    return {"tables": found, "problems": problems}


async def _profile(front, file, end):
    left = end - time.monotonic()
    late = "The file takes too long to read."
    if left <= 0:
        return {"problem": late}
    try:
        return await front.tables.build({**file, "wanted": None}, left)
    except Ended as error:
        return {"problem": late if error.kind == "timeout" else
                "The file needs more memory to read than it may have."}


def _files_of(fields):
    files = fields.get("files")
    if not isinstance(files, list) or not 0 < len(files) <= MOST_FILES:
        raise wire.Refusal(400, f"files must be 1 to {MOST_FILES} objects")
    for file in files:
        if not isinstance(file, dict) \
                or not isinstance(file.get("filename"), str) \
                or not isinstance(file.get("format"), (str, type(None))) \
                or not isinstance(file.get("sha256"), str) \
                or not references.HASH.fullmatch(file["sha256"]):
            raise wire.Refusal(400, "a file needs sha256 and filename")
    return [{"sha256": f["sha256"], "filename": f["filename"][:255],
             "format": f.get("format")} for f in files]
