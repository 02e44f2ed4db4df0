"""Tables in the front: which are in the cache, and making those that are not.

Each table is an engine's database file of its own in the cache, so that sets of tables
that overlap share it. A child in the build slot makes the tables of one file; who
asks for a table that is being made waits for it.
"""

import asyncio
import json
import os

from . import cache, references
from .engine_run import Build, Ended
from .execution import BadProgram, ClientGone

MOST_OF_A_FILE = 32  # tables
COPY_BYTES = 1 << 20


class Missing(Exception):
    """The cache lacks files: their hashes."""

    def __init__(self, hashes):
        super().__init__("files are missing")
        self.hashes = hashes


class Unreadable(Exception):
    """A file does not give the tables that it should; the text says why."""


class Tables:
    def __init__(self, options, pool, store):
        self.options, self.pool, self.cache = options, pool, store
        self.making = {}  # key of a table -> the task that makes it

    def check(self, hashes):
        """Raises Missing unless all these files are here."""
        missing = [h for h in dict.fromkeys(hashes) if not self.cache.find(h)]
        if missing:
            raise Missing(missing)

    async def ready(self, wanted):
        """The cache's entries of these references, made if need be. Nothing is awaited
        after the last look, so hold them before you wait for anything."""
        for _ in range(3):  # others may need the room while we wait
            entries = [self.cache.find(ref.key) for ref in wanted]
            lacking = [r for r, e in zip(wanted, entries) if e is None]
            if not lacking:
                return entries
            self.check([r.sha256 for r in lacking
                        if r.key not in self.making])
            await self._make(lacking)
        raise cache.Full

    async def _make(self, lacking):
        files = {}
        for ref in lacking:
            if ref.key not in self.making:
                files.setdefault((ref.sha256, ref.format), []).append(ref)
        for (sha256, kind), refs in files.items():
            task = asyncio.ensure_future(self._make_again(sha256, kind, refs))
            for ref in refs:
                self.making[ref.key] = task
            task.add_done_callback(
                lambda _, keys=[r.key for r in refs]: self._made(keys))
        tasks = {self.making[ref.key] for ref in lacking
                 if ref.key in self.making}
        await asyncio.gather(*map(asyncio.shield, tasks))

    def _made(self, keys):
        for key in keys:
            del self.making[key]

    async def _make_again(self, sha256, kind, refs):
        """Makes tables as `read` says, which an earlier build had found out."""
        wanted = [{"sheet": r.sheet, "read": r.read} for r in refs]
        answer = await self.build(
            {"sha256": sha256, "format": kind, "wanted": wanted},
            self.options.zygote["maxTimeout"])
        if answer.get("problem"):
            raise Unreadable(str(answer["problem"]))
        if any(self.cache.find(ref.key) is None for ref in refs):
            raise cache.Full

    async def build(self, request, timeout):
        """Makes all tables of a file. Returns the child's {tables, problem}; raises
        Missing, Full, Ended or ZygoteGone."""
        entry = self.cache.find(request["sha256"])
        if entry is None:
            raise Missing([request["sha256"]])
        with self.cache.offered([entry]) as (name,):
            spare = await self.pool.acquire_builder()
            try:
                return await self._run(spare, name, request, timeout)
            finally:
                self.pool.release_builder(spare)

    async def _run(self, spare, name, request, timeout):
        names = [f"t{n}.duckdb" for n in range(MOST_OF_A_FILE)]
        run = Build(spare, self.options, {"kind": "build", "file": name}, names)
        never = asyncio.Event()
        made = {}
        try:
            answer = await run.run(json.dumps(request).encode(), never, timeout)
            made = dict(run.made)
            await self._keep(request["sha256"], answer, made)
            return answer
        except (BadProgram, ClientGone):
            raise Ended("memory") from None
        finally:
            for _, fd in run.made:
                os.close(fd)

    async def _keep(self, sha256, answer, made):
        """Copies the tables of a build into the cache."""
        if answer.get("problem"):
            return
        for n, table in enumerate(answer["tables"][:MOST_OF_A_FILE]):
            key = references.key_of(sha256, table["format"], table["sheet"],
                                    table["read"])
            fd = made.get(f"t{n}.duckdb")
            if fd is not None and self.cache.find(key) is None:
                await self._copy(key, fd)

    async def _copy(self, key, source):
        size = os.fstat(source).st_size
        self.cache.reserve(size)
        path = None
        try:
            target, path = self.cache.new_file()
            try:
                await asyncio.to_thread(_copy_bytes, source, target, size)
            finally:
                os.close(target)
            self.cache.add("tables", key, path, size)
        except BaseException:
            self.cache.release(size)
            if path is not None and os.path.exists(path):
                os.unlink(path)
            raise


def _copy_bytes(source, target, size):
    at = 0
    while at < size:
        count = os.sendfile(target, source, at, min(COPY_BYTES, size - at))
        if not count:
            raise OSError(5, "a table became shorter")
        at += count
