"""seccomp: which system calls an execution may make.

An allow-list: every other call fails with EPERM, also calls that are newer than this
file. libseccomp, which knows the numbers for each architecture, compiles the filter
once, in the zygote. Each child only inserts its own pid and installs the filter.
"""

import ctypes
import ctypes.util
import os
import struct

from . import syscalls

EPERM, ENOSYS, ENOTTY = 1, 38, 25

ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek
open openat openat2 creat close close_range dup dup2 dup3 pipe pipe2
stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2
readlink readlinkat getdents getdents64 getcwd chdir fchdir umask
mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat
symlink symlinkat chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat
truncate ftruncate fallocate utime utimes utimensat futimesat
getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
flock fsync fdatasync sync_file_range fadvise64 readahead
sendfile copy_file_range
mmap munmap mprotect mremap madvise msync mincore brk membarrier
get_mempolicy
futex futex_waitv set_robust_list set_tid_address rseq sched_yield
sched_getaffinity sched_getparam sched_getscheduler sched_getattr
sched_get_priority_max sched_get_priority_min getpriority getcpu
nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times
getitimer setitimer alarm pause
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait
epoll_pwait epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime
timerfd_gettime
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend
rt_sigtimedwait sigaltstack restart_syscall
getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid
getgroups getpgid getpgrp getsid capget
getrlimit setrlimit getrusage sysinfo uname getrandom
wait4 waitid exit exit_group
""".split()

# glibc falls back to an older call on ENOSYS, but not on EPERM.
UNKNOWN = ["clone3"]

CLONE_THREAD = 0x00010000
CLONE_NEW_ANY = 0x7E020000 | 0x80
# fcntl without F_SETOWN, F_SETSIG (signals to others) and F_SETPIPE_SZ.
FCNTL = [0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032]
# Queries of terminals and pending bytes, close-on-exec, non-blocking.
IOCTL = [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451]
# PR_SET_NAME, PR_GET_NAME, and the naming of memory areas.
PRCTL = [15, 16, 0x53564D41]

# A placeholder for the child's own pid, which install() fills in.
_PID_HOLE = 0x7A5E0F19

_ACT_KILL_PROCESS = 0x80000000
_ACT_ERRNO = 0x00050000
_ACT_ALLOW = 0x7FFF0000
_ATTR_BADARCH = 2
_ATTR_OPTIMIZE = 8
_EQUAL, _MASKED_EQUAL = 4, 7


class _Argument(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int),
                ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


class _Filter:
    """A libseccomp filter under construction."""

    def __init__(self):
        name = ctypes.util.find_library("seccomp") or "libseccomp.so.2"
        self.lib = ctypes.CDLL(name)
        self.lib.seccomp_init.restype = ctypes.c_void_p
        self.ctx = ctypes.c_void_p(self.lib.seccomp_init(
            ctypes.c_uint32(_ACT_ERRNO | EPERM)))
        if not self.ctx:
            raise OSError(12, "seccomp_init failed")
        self._attribute(_ATTR_BADARCH, _ACT_KILL_PROCESS)
        self._attribute(_ATTR_OPTIMIZE, 2)

    def _attribute(self, which, value):
        self.lib.seccomp_attr_set(self.ctx, ctypes.c_int(which),
                                  ctypes.c_uint32(value))

    def rule(self, name, *arguments, action=_ACT_ALLOW):
        number = self.lib.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return  # not a call of this architecture, or newer than the library
        array = (_Argument * max(1, len(arguments)))(*arguments)
        failed = self.lib.seccomp_rule_add_array(
            self.ctx, ctypes.c_uint32(action), ctypes.c_int(number),
            ctypes.c_uint(len(arguments)), array)
        if failed:
            raise OSError(-failed, f"seccomp rule for {name}")

    def program(self):
        with open(os.memfd_create("filter"), "r+b") as file:
            failed = self.lib.seccomp_export_bpf(
                self.ctx, ctypes.c_int(file.fileno()))
            if failed:
                raise OSError(-failed, "seccomp_export_bpf")
            file.seek(0)
            return file.read()

    def release(self):
        self.lib.seccomp_release(self.ctx)


def build():
    """The BPF program as bytes, with a placeholder for the child's pid."""
    rules = _Filter()
    try:
        for name in ALLOWED:
            rules.rule(name)
        for name in UNKNOWN:
            rules.rule(name, action=_ACT_ERRNO | ENOSYS)
        _conditional(rules)
        return rules.program()
    finally:
        rules.release()


def _conditional(rules):
    mask = CLONE_THREAD | CLONE_NEW_ANY
    rules.rule("clone", _Argument(0, _MASKED_EQUAL, mask, CLONE_THREAD))
    for name, position, values in (("fcntl", 1, FCNTL), ("ioctl", 1, IOCTL),
                                   ("prctl", 0, PRCTL)):
        for value in values:
            rules.rule(name, _Argument(position, _EQUAL, value, 0))
    for name in ("kill", "tgkill"):
        rules.rule(name, _Argument(0, _EQUAL, _PID_HOLE, 0))
    rules.rule("prlimit64", _Argument(0, _EQUAL, 0, 0))


def install(program, pid):
    """Confines this process irrevocably; needs no_new_privs."""
    code = program.replace(struct.pack("=I", _PID_HOLE),
                           struct.pack("=I", pid))
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = _Program(len(code) // 8, ctypes.addressof(buffer))
    syscalls.prctl(syscalls.PR_SET_SECCOMP, 2,
                   ctypes.c_void_p(ctypes.addressof(filter_)))


def works():
    """Checks in a throw-away child that the filter refuses what it should."""
    for attempt in (os.fork, lambda: os.execv("/bin/true", ["true"]),
                    lambda: os.kill(os.getppid() or 1, 0)):
        try:
            if attempt() == 0:
                os._exit(0)
            return False
        except PermissionError:
            continue
        except OSError:
            return False
    return True
