"""The rlimits of one execution."""

import os
import resource

MIB = 1 << 20


def apply(address_space, file_size, processes, cpu_seconds):
    """`address_space` and `file_size` are in bytes. The CPU limit backs up the wall
    clock of the front."""
    limits = {
        "AS": address_space,
        "FSIZE": file_size,
        "NPROC": processes,
        "CPU": cpu_seconds,
        "NOFILE": 128,
        "CORE": 0,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
        "SIGPENDING": 256,
        "RTPRIO": 0,
        "NICE": 0,
    }
    for name, value in limits.items():
        _lower(getattr(resource, "RLIMIT_" + name), value)


def tighten_cpu(seconds):
    _lower(resource.RLIMIT_CPU, seconds)


def _lower(which, value):
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def address_space_of(proc_fd):
    """The address space of this process in bytes, from an open /proc."""
    with open(os.open("self/statm", os.O_RDONLY, dir_fd=proc_fd)) as statm:
        return int(statm.read().split()[0]) * resource.getpagesize()


def tasks_of_user(proc_fd, uid):
    """The threads of `uid` in the whole system: without a user namespace,
    RLIMIT_NPROC counts these too."""
    total = 0
    for name in os.listdir(proc_fd):
        if not name.isdigit():
            continue
        try:
            if os.stat(name, dir_fd=proc_fd).st_uid in (uid, 0):
                total += len(os.listdir(os.open(
                    f"{name}/task", os.O_RDONLY, dir_fd=proc_fd)))
        except OSError:
            continue
    return total
