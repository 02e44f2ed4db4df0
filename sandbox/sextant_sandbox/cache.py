"""The front's cache on disk: files as they were uploaded, and the tables made of them.

A file is known by the hash of its bytes, a table by the hash of what it was made
from. The server can send any of it again, so the cache is emptied at every start, and
what was used least recently goes first when a newcomer needs room. What a running
request uses stays.

An execution finds what it may read under a name of 128 random bits in `open`, a
folder that no process can list: the name is all that gives access, only that one
execution gets it, and it is gone when that execution is over.
"""

import collections
import contextlib
import hashlib
import os

UNLISTED = 0o311


class Full(Exception):
    """Running requests use so much of the cache that there is no room."""


class Mismatch(Exception):
    """The bytes do not have the hash that they were announced with."""


class Entry:
    """`users`: the running requests that hold it."""

    def __init__(self, path, size):
        self.path, self.size, self.users = path, size, 0


class Cache:
    def __init__(self, folder, most):
        self.folder = folder
        self.entries = collections.OrderedDict()  # the least recent first
        self.bytes = 0
        self.open = os.path.join(folder, "open")
        os.mkdir(folder, 0o711)
        disk = os.statvfs(folder)
        self.most = min(most, disk.f_frsize * disk.f_blocks * 3 // 4)
        for name in ("files", "tables", "new"):
            os.mkdir(os.path.join(folder, name), 0o700)
        os.mkdir(self.open)
        os.chmod(self.open, UNLISTED)

    def find(self, key):
        """The entry, which is now the most recent one; None if it is not here."""
        entry = self.entries.get(key)
        if entry is not None:
            self.entries.move_to_end(key)
        return entry

    def reserve(self, size):
        """Makes room for `size` bytes and counts them; raises Full."""
        spare = sum(e.size for e in self.entries.values() if not e.users)
        if self.bytes - spare + size > self.most:
            raise Full
        for key in list(self.entries):
            if self.bytes + size <= self.most:
                break
            if not self.entries[key].users:
                self._drop(key)
        self.bytes += size

    def release(self, size):
        """Gives back what was reserved and not used."""
        self.bytes -= size

    def _drop(self, key):
        entry = self.entries.pop(key)
        self.bytes -= entry.size
        with contextlib.suppress(OSError):
            os.unlink(entry.path)

    def new_file(self):
        """A descriptor and a path for an entry that is being written."""
        path = os.path.join(self.folder, "new", os.urandom(16).hex())
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        return os.open(path, flags, 0o644), path

    def add(self, kind, key, path, size):
        """Takes over a file of reserved bytes; returns its entry."""
        known = self.find(key)
        if known is not None:
            os.unlink(path)
            self.release(size)
            return known
        os.chmod(path, 0o444)
        place = os.path.join(self.folder, kind, key)
        os.rename(path, place)
        entry = self.entries[key] = Entry(place, size)
        return entry

    @contextlib.contextmanager
    def held(self, entries):
        """Keeps the entries in the cache."""
        for entry in entries:
            entry.users += 1
        try:
            yield
        finally:
            for entry in entries:
                entry.users -= 1

    @contextlib.contextmanager
    def offered(self, entries):
        """Holds the entries; yields for each the name in `open` under which an
        execution can read it."""
        names = []
        with self.held(entries):
            try:
                for entry in entries:
                    name = os.urandom(16).hex()
                    os.link(entry.path, os.path.join(self.open, name))
                    names.append(name)
                yield names
            finally:
                for name in names:
                    with contextlib.suppress(OSError):
                        os.unlink(os.path.join(self.open, name))


class Upload:
    """Writes a file of `size` bytes that should have the hash `key`."""

    def __init__(self, cache, key, size):
        self.cache, self.key, self.size = cache, key, size
        self.hash, self.over = hashlib.sha256(), False
        cache.reserve(size)
        try:
            self.fd, self.path = cache.new_file()
        except OSError:
            cache.release(size)
            raise

    def write(self, piece):
        self.hash.update(piece)
        view = memoryview(piece)
        while view:
            view = view[os.write(self.fd, view):]

    def finish(self):
        """Puts the file into the cache; raises Mismatch."""
        if self.hash.hexdigest() != self.key:
            raise Mismatch
        self.cache.add("files", self.key, self.path, self.size)
        self.over = True

    def close(self):
        os.close(self.fd)
        if not self.over:
            self.cache.release(self.size)
            with contextlib.suppress(OSError):
                os.unlink(self.path)
