"""The folder of an execution, which it sees as /tmp.

With mount namespaces it is a new tmpfs with a size limit for each execution. Without
them it is a folder below `work`, which is emptied after each execution and whose
size is watched.
"""

import contextlib
import math
import os
import stat

from . import namespaces

MAX_ENTRIES = 1000  # files and folders in a run's /tmp


class Mounted:
    """One tmpfs for each slot, in the zygote's mount namespace."""

    def __init__(self, settings):
        self.settings = settings

    def make(self, slot, uid, builds=False):
        owner = uid or 0
        return namespaces.mount_slot(slot, owner, owner,
                                     _limit(self.settings, builds))

    def remove(self, slot):
        namespaces.unmount_slot(slot)

    def too_large(self, slot, builds):
        return False  # the kernel says ENOSPC


class Folder:
    """One plain folder for each slot; its size is checked while the code runs."""

    def __init__(self, work, settings):
        self.work, self.settings = work, settings

    def path(self, slot):
        return os.path.join(self.work, f"slot{slot}")

    def make(self, slot, uid, builds=False):
        path = self.path(slot)
        self.remove(slot)
        os.mkdir(path, 0o700)
        if uid is not None:
            os.chown(path, uid, uid)
        return path

    def remove(self, slot):
        remove_tree(self.path(slot))

    def too_large(self, slot, builds):
        return _size(self.path(slot)) > _limit(self.settings, builds)


def _limit(settings, builds):
    return settings["buildSize" if builds else "tmpSize"]


def remove_tree(path):
    """Empties a folder, even if the code removed permissions from its folders, or nested
    them deeper than a path may be long: each folder is moved up and emptied directly
    below `path`. What the system refuses to remove stays."""
    with contextlib.suppress(OSError):
        top = _open_folder(path)
        try:
            _empty(top)
        finally:
            os.close(top)
        os.rmdir(path)


def _empty(top):
    """New names that differ from every name that the code chose."""
    prefix, moved = os.urandom(8).hex(), 0
    pending = _without_files(top)
    while pending:
        name = pending.pop()
        folder = _open_folder(name, top)
        try:
            for inner in _without_files(folder):
                moved += 1
                pending.append(f"{prefix}-{moved}")
                os.rename(inner, pending[-1], src_dir_fd=folder,
                          dst_dir_fd=top)
        finally:
            os.close(folder)
        os.rmdir(name, dir_fd=top)


def _without_files(folder):
    """Removes all files in it; returns the names of its folders, ready to be moved."""
    folders = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                os.close(_open_folder(entry.name, folder))
                folders.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=folder)
    return folders


def _open_folder(name, within=None):
    """Opens a folder with all permissions for its owner, without following a link."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        folder = os.open(name, flags, dir_fd=within)
    except PermissionError:
        os.chmod(name, stat.S_IRWXU, dir_fd=within)
        folder = os.open(name, flags, dir_fd=within)
    os.fchmod(folder, stat.S_IRWXU)
    return folder


def _size(path):
    """The size of all files; infinite if removing them all would delay
    others, or if some cannot be read."""
    total, entries, pending = 0, 0, [path]
    try:
        while pending and entries <= MAX_ENTRIES:
            for entry in _entries(pending.pop()):
                entries += 1
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    total += _bytes(entry)
    except OSError:
        return math.inf
    return total if entries <= MAX_ENTRIES else math.inf


def _entries(path):
    try:
        return list(os.scandir(path))
    except (FileNotFoundError, NotADirectoryError):
        return []  # the folder changes during the walk


def _bytes(entry):
    try:
        return entry.stat(follow_symlinks=False).st_blocks * 512
    except FileNotFoundError:
        return 0
