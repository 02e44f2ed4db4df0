"""How the zygote enters its namespaces and changes its uid.

If root started it, it first replaces its root folder (only real root can reach
an interpreter below, for example, /root), then changes to the sandbox's uid, then
creates a user namespace in which it is root only over the slots' uids. If another
user started it, the user namespace comes first. It leaves out what the system
refuses, and reports it.
"""

import os
import signal
import sys

from . import channel, limits, namespaces
from . import syscalls as sys_

# Without a user namespace to be root in, the zygote needs these to give slots to other
# uids and to read the files that they leave behind.
_KEPT = {sys_.CAP_CHOWN, sys_.CAP_DAC_OVERRIDE, sys_.CAP_FOWNER,
         sys_.CAP_KILL, sys_.CAP_SETGID, sys_.CAP_SETUID, sys_.CAP_SYS_ADMIN}


class World:
    """The state that the zygote reached.

    layers      layer name -> bool, for the layers that this module sets up
    first_uid   the slots' first uid as seen from inside, or None when all
                processes share one uid
    proc_fd     /proc, opened before it became unreachable
    work        a writable folder if there are no mounts
    readable    files and folders that executions may read
    files       the folder in which an execution finds its tables, by secret names
    """

    def __init__(self, settings):
        self.settings = settings
        self.disabled = set(settings["disabled"])
        self.layers = {"cgroup": False}
        self.first_uid = None
        self.proc_fd = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        self.work = settings["work"]
        self.files = settings["files"]
        self.readable = namespaces.system_paths() + namespaces.CPU_LIMITS + [
            source for source, _ in namespaces.python_places()]

    def attempt(self, layer, action, *arguments):
        """Sets up a layer unless it is disabled, and records whether it worked."""
        try:
            if layer in self.disabled:
                raise OSError(1, "disabled")
            action(*arguments)
            self.layers[layer] = True
        except (OSError, StopIteration) as error:
            print(f"no {layer}: {error}", file=sys.stderr, flush=True)
            self.layers[layer] = False
        return self.layers[layer]

    def process_limit(self):
        """RLIMIT_NPROC of a child. If a slot has neither its own uid nor its own user
        namespace, the user's other processes count as well."""
        own = self.settings["threads"]
        if self.first_uid is not None or self.layers["userNamespace"]:
            return own
        have = limits.tasks_of_user(self.proc_fd, os.getuid())
        return have + own * self.settings["slots"]


def be_born(control, settings):
    """Returns in the process that becomes the zygote."""
    world = World(settings)
    _make_likely_to_be_killed()
    if os.geteuid() == 0:
        _from_root(control, world)
    else:
        _from_user(world)
    world.layers["uid"] = settings["uid"] != 0
    _own_namespaces(world)
    _own_pid_namespace(world)
    sys_.prctl(sys_.PR_SET_DUMPABLE, 0)
    sys_.prctl(sys_.PR_SET_PDEATHSIG, signal.SIGKILL)
    sys_.prctl(sys_.PR_SET_CHILD_SUBREAPER, 1)
    if world.layers["mountNamespace"]:
        namespaces.mount_own_places()
        namespaces.seal_root()
    os.chdir("/")
    return world


def _from_root(control, world):
    uid = world.settings["uid"]
    os.chown(world.work, uid, uid)
    world.attempt("mountNamespace", _private_root, world)
    if uid != 0:
        os.setgroups([])
        sys_.prctl(sys_.PR_SET_KEEPCAPS, 1)
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        sys_.keep_capabilities(_KEPT)
        world.first_uid = uid + 1 + world.settings["uidOffset"]
    if world.attempt("userNamespace", sys_.unshare, sys_.CLONE_NEWUSER):
        _be_mapped(control, world)


def _be_mapped(control, world):
    """Only a process outside of the namespace may map more than one uid: the front
        does it."""
    channel.send(control, {"kind": "map", "pid": os.getpid()})
    answer, _ = channel.receive(control)
    if not answer or not answer.get("mapped"):
        raise SystemExit("the front could not map the uids")
    world.first_uid = 1 + world.settings["uidOffset"]


def _from_user(world):
    uid, gid = os.geteuid(), os.getegid()
    world.settings["uid"] = uid
    if world.attempt("userNamespace", sys_.unshare, sys_.CLONE_NEWUSER):
        namespaces.write_own_maps(uid, gid)
    world.attempt("mountNamespace", _private_root, world)


def _private_root(world):
    places = namespaces.python_places()
    sys_.unshare(sys_.CLONE_NEWNS)
    namespaces.enter_private_root(places + [(world.files, namespaces.FILES)])
    world.files = namespaces.FILES
    namespaces.move_imports(places)
    world.readable = namespaces.system_paths() + [p for _, p in places]


def _own_namespaces(world):
    if world.layers["userNamespace"] and world.layers["mountNamespace"]:
        # From here on the root is locked; later mounts belong to this namespace.
        sys_.unshare(sys_.CLONE_NEWNS)
    world.attempt("networkNamespace", sys_.unshare, sys_.CLONE_NEWNET)
    for flag in (sys_.CLONE_NEWIPC, sys_.CLONE_NEWUTS):
        try:
            sys_.unshare(flag)
        except OSError:
            pass  # optional: seccomp refuses what these would isolate


def _own_pid_namespace(world):
    """The zygote becomes process 1 of a pid namespace: when it exits, the kernel
    kills everything that it has forked."""
    if not world.attempt("pidNamespace", sys_.unshare, sys_.CLONE_NEWPID):
        return
    child = os.fork()
    if child:
        _follow(child)


def _follow(child):
    """The outer process only passes on the exit status."""
    os.closerange(3, 1 << 20)
    _, status = os.waitpid(child, 0)
    os._exit(0 if status == 0 else 1)


def return_to_own_pid_namespace(proc_fd):
    own = os.open("self/ns/pid", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc_fd)
    try:
        sys_.setns(own, sys_.CLONE_NEWPID)
    finally:
        os.close(own)


def _make_likely_to_be_killed():
    """Makes the kernel kill an execution first when the machine runs out of
    memory."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("700")
    except OSError:
        pass
