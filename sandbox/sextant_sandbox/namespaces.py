"""Namespaces: what an execution can see.

The zygote creates its own user, mount, pid, network, ipc and uts namespaces once.
Its root is a small read-only tmpfs with the interpreter, the system's libraries and
fonts, and nothing else of the machine: no /proc, no /etc, no home. Each execution
then gets its own pid and mount namespace.
"""

import os
import sys

from . import syscalls as sys_
from .syscalls import (MS_BIND, MS_NODEV, MS_NOSUID, MS_PRIVATE, MS_RDONLY,
                       MS_REC, MS_REMOUNT)

SLOTS = "/slots"
CACHE = "/cache"
FILES = "/data"
DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]
INIT = "/usr/bin/cat"

_LIBRARIES = ["/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
              "/usr/share/fonts", "/usr/share/zoneinfo",
              "/usr/share/fontconfig", "/etc/ld.so.cache", "/etc/fonts"]
# Without a private root they are visible, and joblib opens them.
CPU_LIMITS = ["/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
              "/sys/fs/cgroup/cpu/cpu.cfs_period_us"]
_SHORTCUTS = ["/lib", "/lib32", "/lib64"]
_BASE_OPTIONS = "size=1m,mode=0755"


class HalfWay(Exception):
    """The process left the root folder, but the new one could not be created."""


def system_paths():
    return [p for p in _LIBRARIES + _SHORTCUTS
            if os.path.exists(p) and not os.path.islink(p)]


def python_places():
    """Returns [(folder, mount point)] of the interpreter and its packages.

    Packages appear below /python, so that tracebacks do not reveal folders of the
    machine, and so that the execution's own /tmp does not hide an interpreter below
    /tmp."""
    places = []
    base = os.path.realpath(sys.base_prefix)
    if base not in ("/usr", "/usr/local", "/"):
        hidden = base.startswith("/tmp/")
        places.append((base, "/python/base" if hidden else base))
    for path in map(os.path.realpath, sys.path):
        known = system_paths() + [source for source, _ in places]
        if os.path.isdir(path) and not any(_below(path, k) for k in known):
            places.append((path, f"/python/{len(places)}"))
    return places


def _below(path, folder):
    return path == folder or path.startswith(folder + "/")


def move_imports(places):
    """Changes sys.path to the locations in the new root."""
    def moved(path):
        path = os.path.realpath(path)
        for source, place in places:
            if _below(path, source):
                return place + path[len(source):]
        return path
    sys.path[:] = [moved(path) for path in sys.path]
    for module in list(sys.modules.values()):
        if isinstance(getattr(module, "__path__", None), list):
            module.__path__ = [moved(path) for path in module.__path__]
    sys.path_importer_cache.clear()


def enter_private_root(places):
    """Replaces / of this private mount namespace with the small read-only root."""
    links = {p: os.readlink(p) for p in _SHORTCUTS if os.path.islink(p)}
    system = system_paths()
    sys_.mount(None, "/", None, MS_REC | MS_PRIVATE)
    base = next(p for p in ("/tmp", "/run", "/mnt") if os.path.isdir(p))
    sys_.mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, _BASE_OPTIONS)
    for name in ("new", "old"):
        os.mkdir(f"{base}/{name}")
    sys_.pivot_root(base, f"{base}/old")
    try:
        _furnish([(p, p) for p in system + [INIT]] + places, links)
        _become_root()
    except OSError as error:
        raise HalfWay(str(error)) from error


def _furnish(places, links):
    os.chdir("/")
    sys_.mount("tmpfs", "/new", "tmpfs", MS_NOSUID, _BASE_OPTIONS)
    for source, place in places:
        _bind(source, place, MS_RDONLY | MS_NOSUID | MS_NODEV)
    for path in DEVICES:
        _bind(path, path, MS_NOSUID)
    for path, target in links.items():
        os.symlink(target, "/new" + path)
    for path in ("/tmp", SLOTS, CACHE):
        os.mkdir("/new" + path, 0o755)


def _become_root():
    """Pivots twice, as bubblewrap does, so that the old root can be unmounted."""
    sys_.unmount("/old")
    os.chdir("/new")
    sys_.pivot_root(".", ".")
    sys_.unmount(".")
    os.chdir("/")


def _bind(source, place, flags):
    source, target = "/old" + source, "/new" + place
    if not os.path.exists(source):
        return
    if os.path.isdir(source):
        os.makedirs(target, 0o755, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    sys_.mount(source, target, None, MS_BIND | MS_REC)
    sys_.mount(None, target, None,
               MS_BIND | MS_REMOUNT | flags | _locked_flags(target))


def _locked_flags(path):
    """The flags that a remount inside a user namespace must keep."""
    have = os.statvfs(path).f_flag
    flags = have & (1 | 2 | 4 | 8 | 1024 | 2048)
    return flags | (sys_.MS_RELATIME if have & 4096 else 0)


def mount_own_places(cache_bytes=16 << 20):
    """Inside the user namespace: creates the folders of the slots and a cache, then
    makes the root read-only."""
    sys_.mount("tmpfs", SLOTS, "tmpfs", MS_NOSUID | MS_NODEV,
               "size=1m,mode=0711")
    sys_.mount("tmpfs", CACHE, "tmpfs", MS_NOSUID | MS_NODEV,
               f"size={cache_bytes},mode=0700")


def seal_root():
    sys_.mount(None, "/", None, MS_BIND | MS_REMOUNT | MS_RDONLY
               | _locked_flags("/"))


def mount_slot(slot, uid, gid, size):
    path = f"{SLOTS}/{slot}"
    os.makedirs(path, 0o755, exist_ok=True)
    sys_.mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV | 8,
               f"size={size},nr_inodes=4096,mode=0700,uid={uid},gid={gid}")
    return path


def unmount_slot(slot):
    sys_.unmount(f"{SLOTS}/{slot}")


def enter_slot(slot):
    """In the child: mounts its slot as /tmp and hides the others."""
    sys_.unshare(sys_.CLONE_NEWNS)
    sys_.mount(f"{SLOTS}/{slot}", "/tmp", None, MS_BIND)
    sys_.unmount(SLOTS)
    sys_.unmount(CACHE)


def write_own_maps(uid, gid):
    """Writes the only map that an unprivileged process may write: itself as root."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"),
                       ("gid_map", f"0 {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
