"""The folder of an execution: what it sees as /tmp.

With mount namespaces it is a tmpfs with a size limit, fresh for each
execution. Without, it is a folder below `work`, emptied after each execution
and watched for its size.
"""

import os
import shutil
import stat

from . import namespaces


class Mounted:
    """A tmpfs a slot, in the zygote's mount namespace."""

    def __init__(self, size):
        self.size = size

    def make(self, slot, uid):
        owner = uid or 0
        return namespaces.mount_slot(slot, owner, owner, self.size)

    def remove(self, slot):
        namespaces.unmount_slot(slot)

    def too_large(self, slot):
        return False  # the kernel says ENOSPC


class Folder:
    """A plain folder a slot; the size is checked while the code runs."""

    def __init__(self, work, size):
        self.work, self.size = work, size

    def path(self, slot):
        return os.path.join(self.work, f"slot{slot}")

    def make(self, slot, uid):
        path = self.path(slot)
        self.remove(slot)
        os.mkdir(path, 0o700)
        if uid is not None:
            os.chown(path, uid, uid)
        return path

    def remove(self, slot):
        remove_tree(self.path(slot))

    def too_large(self, slot):
        return _size(self.path(slot)) > self.size


def remove_tree(path):
    """Also when the code has taken rights away from its folders."""
    shutil.rmtree(path, onerror=_make_removable)


def _make_removable(action, path, error):
    if issubclass(error[0], FileNotFoundError):
        return
    try:
        os.chmod(os.path.dirname(path), stat.S_IRWXU)
        if not os.path.islink(path):
            os.chmod(path, stat.S_IRWXU)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
    except OSError:
        pass


def _size(path):
    total = 0
    for folder, _, files in os.walk(path):
        for name in files:
            try:
                total += os.lstat(os.path.join(folder, name)).st_blocks * 512
            except OSError:
                continue
    return total
