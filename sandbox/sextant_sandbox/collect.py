"""Collects the files of an execution, on the trusted side.

Every process of the execution is dead by now, so nothing changes during the
collection. Only regular files directly in the run's folder count: symbolic links
are never followed, and large files are never read.
"""

import os
import stat

MAX_FILES = 10
MAX_BYTES = 5 << 20
MAX_ENCODED = 10 << 20  # all images of an execution, in base64
MAX_TAKEN = 8 << 20  # all texts that a request takes
_ENDINGS = (".png", ".jpg", ".jpeg")
_PNG = b"\x89PNG\r\n\x1a\n"
_JPG = b"\xff\xd8\xff"


def open_files(directory):
    """Returns [(name, fd)] of at most MAX_FILES PNG and MAX_FILES JPEG files."""
    found, counts = [], {True: 0, False: 0}
    try:
        names = sorted(os.listdir(directory))
    except OSError:
        return []
    for name in names:
        if not name.lower().endswith(_ENDINGS) or not _printable(name):
            continue
        is_png = name.lower().endswith(".png")
        fd = None if counts[is_png] >= MAX_FILES else _open_image(
            directory, name)
        if fd is not None:
            counts[is_png] += 1
            found.append((name, fd))
    return found


def _printable(name):
    return name.isprintable() and len(name) <= 200


def open_taken(directory, names):
    """Returns [(name, fd)] of the regular files among those that the request names."""
    found = []
    for name in names:
        fd = _open(directory, name)
        if fd is not None:
            found.append((name, fd))
    return found


def _open(directory, name):
    """Opens a regular file for reading; None if it is anything else."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    path = os.path.join(directory, name)
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        fd = os.open(path, flags)
    except OSError:
        return None
    about = os.fstat(fd)
    if stat.S_ISREG(about.st_mode) and about.st_nlink == 1:
        return fd
    os.close(fd)
    return None


def _open_image(directory, name):
    fd = _open(directory, name)
    if fd is None or _acceptable(name, fd):
        return fd
    os.close(fd)
    return None


def _acceptable(name, fd):
    if not 0 < os.fstat(fd).st_size <= MAX_BYTES:
        return False
    head = os.pread(fd, len(_PNG), 0)
    return head == _PNG if name.lower().endswith(".png") \
        else head.startswith(_JPG)


def read_file(name, fd):
    """Runs in the front: returns the bytes, or None if they are not an image."""
    with open(fd, "rb") as file:
        content = file.read(MAX_BYTES + 1)
    wanted = _PNG if name.lower().endswith(".png") else _JPG
    if len(content) > MAX_BYTES or not content.startswith(wanted):
        return None
    return content


def encoded_size(fd):
    """The size of the file in base64."""
    return (os.fstat(fd).st_size + 2) // 3 * 4
