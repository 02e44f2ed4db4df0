"""System calls that the standard library does not offer, by ctypes.

Every function raises OSError with the call's errno, so that a caller can distinguish
"not allowed" from "not supported by this kernel".
"""

import ctypes
import os
import platform

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_NOATIME, MS_NODIRATIME = 32, 1024, 2048
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MS_RELATIME = 1 << 21
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER = 0, 1, 3
CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_SYS_ADMIN = 5, 6, 7, 21

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


def _check(result, what):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def _path(text):
    return None if text is None else os.fsencode(text)


def unshare(flags):
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def setns(fd, flags):
    _check(_libc.setns(ctypes.c_int(fd), ctypes.c_int(flags)), "setns")


def mount(source, target, kind=None, flags=0, options=None):
    _check(_libc.mount(_path(source), _path(target), _path(kind),
                       ctypes.c_ulong(flags), _path(options)), "mount")


def unmount(target, flags=MNT_DETACH):
    _check(_libc.umount2(_path(target), ctypes.c_int(flags)), "umount2")


def pivot_root(new, old):
    number = _PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError(38, "no pivot_root number for this machine")
    syscall(number, _path(new), _path(old))


def prctl(option, *arguments):
    padded = (list(arguments) + [0, 0, 0, 0])[:4]
    longs = [a if isinstance(a, ctypes.c_void_p) else ctypes.c_ulong(a)
             for a in padded]
    return _check(_libc.prctl(ctypes.c_int(option), *longs), "prctl")


def syscall(number, *arguments):
    """Passes integers as longs, and buffers and structs unchanged."""
    longs = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _check(_libc.syscall(ctypes.c_long(number), *longs),
                  f"syscall {number}")


class _CapHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapData(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32),
                ("inheritable", ctypes.c_uint32)]


def permitted_capabilities():
    header, data = _CapHeader(0x20080522, 0), (_CapData * 2)()
    _check(_libc.capget(ctypes.byref(header), data), "capget")
    bits = data[0].permitted | data[1].permitted << 32
    return {n for n in range(64) if bits >> n & 1}


def keep_capabilities(wanted):
    """Drops all capabilities except those in `wanted`."""
    bits = sum(1 << n for n in permitted_capabilities() & set(wanted))
    header, data = _CapHeader(0x20080522, 0), (_CapData * 2)()
    for half, part in enumerate((bits & 0xffffffff, bits >> 32)):
        data[half].effective = data[half].permitted = part
    _check(_libc.capset(ctypes.byref(header), data), "capset")


def limit_malloc_arenas(count):
    """Each arena reserves 64 MB of address space, which RLIMIT_AS counts."""
    _libc.mallopt(ctypes.c_int(-8), ctypes.c_int(count))
