"""Without a mount namespace: maps /tmp in the code to the run's folder.

This is a convenience, not a security layer: Landlock and the file modes keep the code
in its folder; this makes '/tmp/chart.png' work. It does not affect C extensions that
open files themselves.
"""

import builtins
import functools
import io
import os

_ONE_PATH = """
open listdir scandir stat lstat mkdir rmdir remove unlink chmod utime truncate
access readlink chdir
""".split()
_TWO_PATHS = ["rename", "replace", "link", "symlink"]


def translate(prefix, directory, others):
    """`others` are folders that keep their names."""
    others = tuple(path + "/" for path in [directory, *others])

    def moved(path):
        if isinstance(path, os.PathLike):
            path = os.fspath(path)
        if isinstance(path, str) and (path == prefix
                                      or path.startswith(prefix + "/")):
            if not (path + "/").startswith(others):
                return directory + path[len(prefix):]
        return path

    for name in _ONE_PATH:
        setattr(os, name, _wrapped(getattr(os, name), moved, 1))
    for name in _TWO_PATHS:
        setattr(os, name, _wrapped(getattr(os, name), moved, 2))
    builtins.open = io.open = _wrapped(io.open, moved, 1)


def _wrapped(function, moved, count):
    @functools.wraps(function)
    def wrapper(*arguments, **options):
        head = [moved(a) for a in arguments[:count]]
        return function(*head, *arguments[count:], **options)
    return wrapper
