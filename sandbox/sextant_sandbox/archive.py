"""A ZIP archive that may be hostile: its sizes are looked at before anything in it is
unpacked. zipfile unpacks no more of a member than the archive's directory says."""

import os
import struct
import zipfile

from .identify import Unreadable

MOST_DIRECTORY = 4 << 20    # bytes of the list of members
MOST_PART = 32 << 20        # of a member that is read as a whole
MOST_UNPACKED = 4 << 30     # of all members that are read in pieces
_TAIL = 22 + 65535          # the end record with the longest comment
_DAMAGED = "The file is a damaged ZIP archive or Excel file."
_TOO_LARGE = "The file becomes too large when it is unpacked."


class Archive(zipfile.ZipFile):
    """An archive of which parts are read with limits; raises Unreadable."""

    def __init__(self, path):
        self.left = MOST_UNPACKED
        try:
            if _directory_size(path) > MOST_DIRECTORY:
                raise Unreadable("The file is a ZIP archive of too many files.")
            super().__init__(path)
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError,
                NotImplementedError, struct.error):
            raise Unreadable(_DAMAGED) from None

    def read(self, name, pwd=None):
        if self.getinfo(name).file_size > MOST_PART:
            raise Unreadable(_TOO_LARGE)
        return super().read(name, pwd)

    def open(self, name, *rest, **named):
        size = name.file_size if isinstance(name, zipfile.ZipInfo) \
            else self.getinfo(name).file_size
        self.left -= size
        if self.left < 0:
            raise Unreadable(_TOO_LARGE)
        return super().open(name, *rest, **named)


def _directory_size(path):
    """As the end record says: zipfile makes an object for each member at once."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        start = max(0, size - _TAIL - 20)
        file.seek(start)
        tail = file.read()
        at = tail.rfind(b"PK\5\6")
        if at < 0 or len(tail) < at + 22:
            raise zipfile.BadZipFile
        told = struct.unpack_from("<L", tail, at + 12)[0]
        if tail[max(0, at - 20):at][:4] != b"PK\6\7":
            return told
        file.seek(struct.unpack_from("<Q", tail, at - 12)[0])
        return struct.unpack("<40xQ", file.read(48))[0]
