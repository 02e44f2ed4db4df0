"""Landlock: which files an execution may reach (kernel 5.13 and later).

Files that are not listed here cannot be opened, whatever their permissions.
"""

import ctypes
import os

from . import syscalls

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REMOVE_DIR, REMOVE_FILE, MAKE_CHAR, MAKE_DIR = 16, 32, 64, 128
MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = (
    256, 512, 1024, 2048, 4096)
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15

READ = READ_FILE | READ_DIR
# No sockets, fifos or devices, on which the collector could hang.
SCRATCH = (READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG
           | MAKE_SYM | REFER | TRUNCATE)
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

_CREATE, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1


class _Ruleset(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64),
                ("scoped", ctypes.c_uint64)]


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("fd", ctypes.c_int32)]


def version():
    """The kernel's Landlock ABI; 0 when it has none."""
    try:
        return syscalls.syscall(_CREATE, 0, 0, _VERSION_FLAG)
    except OSError:
        return 0


def _handled(abi):
    """The attributes that this ABI knows, and the number of bytes that it reads."""
    rights = (1 << 13) - 1
    if abi >= 2:
        rights |= REFER
    if abi >= 3:
        rights |= TRUNCATE
    if abi >= 5:
        rights |= IOCTL_DEV
    net = 3 if abi >= 4 else 0      # TCP bind and connect: no port is allowed
    scoped = 3 if abi >= 6 else 0   # no abstract sockets and no signals to the outside
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    return _Ruleset(rights, net, scoped), size


def restrict(readable, scratch, devices, unlisted):
    """Confines this process irrevocably; needs no_new_privs or a capability. Files in
    `unlisted` can be read by who knows their names."""
    abi = version()
    if abi < 1:
        raise OSError(38, "no Landlock in this kernel")
    attributes, size = _handled(abi)
    ruleset = syscalls.syscall(_CREATE, ctypes.byref(attributes), size, 0)
    try:
        for path in readable:
            _allow(ruleset, path, READ & attributes.fs)
        _allow(ruleset, unlisted, READ_FILE & attributes.fs)
        for path in devices:
            _allow(ruleset, path, (READ_FILE | WRITE_FILE) & attributes.fs)
        _allow(ruleset, scratch, SCRATCH & attributes.fs)
        syscalls.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset, path, rights):
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= FILE_RIGHTS
        rule = _PathRule(rights, fd)
        syscalls.syscall(_ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)
    finally:
        os.close(fd)
