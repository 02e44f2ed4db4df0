"""The layers around one execution, and the order in which a child applies them.

The order matters: mounts need the capabilities that the change of uid drops,
Landlock and seccomp need no_new_privs, and seccomp comes last because it refuses
the calls that set up the others. Each layer is a name in `plan`. The zygote removes
a layer from the plan if the probe found that it does not work. A child that cannot
apply a layer of its plan exits instead of running without it.
"""

import fcntl
import os
import resource
import signal

from . import landlock, limits, namespaces, seccomp
from . import syscalls as sys_

LAYERS = ("uid", "userNamespace", "networkNamespace", "mountNamespace",
          "pidNamespace", "rlimits", "seccomp", "landlock", "cgroup")


def floor_problem(layers):
    """Why this set of layers is not enough to run untrusted code, or None."""
    if not (layers["uid"] or layers["userNamespace"]):
        return "neither a uid of its own nor a user namespace"
    if not layers["rlimits"]:
        return "no resource limits"
    if not (layers["seccomp"] or layers["landlock"]):
        return "neither seccomp nor Landlock"
    return None


class Plan:
    """Confines every child of this zygote before it reads a request.

    layers      the set of layer names to apply
    first_uid   children change to this uid plus their slot's number, unless
                it is None
    """

    def __init__(self, settings, layers, world):
        self.layers = set(layers)
        self.first_uid = world.first_uid
        self.proc_fd = world.proc_fd
        self.readable = world.readable
        self.files = world.files
        self.settings = settings
        self.address_space = 0
        self.processes = settings["threads"]
        self.filter = b""

    def slot_uid(self, slot):
        return None if self.first_uid is None else self.first_uid + slot

    def put_on(self, slot, directory, fds, failed=None, builds=False):
        """Confines the calling child. `fds` become descriptors 0, 1, … in order. A layer
        that fails raises an error, or is added to `failed` if that is a list (in the
        probe). `builds`: it makes tables, which takes more memory and larger files."""
        step = _Step(self.layers, failed)
        step("mountNamespace", namespaces.enter_slot, slot)
        if "mountNamespace" in self.layers:
            directory = "/tmp"
        self._keep_only(fds)
        step("rlimits", self._limit, builds)
        self._become(slot, step)
        sys_.prctl(sys_.PR_SET_NO_NEW_PRIVS, 1)
        sys_.prctl(sys_.PR_SET_DUMPABLE, 0)
        sys_.prctl(sys_.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.chdir(directory)
        step("landlock", landlock.restrict, self.readable, directory,
             namespaces.DEVICES, self.files)
        step("seccomp", seccomp.install, self.filter, os.getpid())

    @staticmethod
    def _keep_only(fds):
        """Closes every other descriptor of the zygote."""
        safe = [fcntl.fcntl(fd, fcntl.F_DUPFD, 512) for fd in fds]
        for place, fd in enumerate(safe):
            os.dup2(fd, place)
        os.closerange(len(fds), 1 << 20)

    def _limit(self, builds):
        s = self.settings
        # The engine counts what it uses; its allocator reserves more.
        more = 2 * s["buildMemory"] if builds else 0
        size = s["buildSize"] if builds else s["fileSize"]
        limits.apply(self.address_space + more, size, self.processes,
                     (s["maxTimeout"] + 30) * (os.cpu_count() or 1))

    def _become(self, slot, step):
        """Drops every privilege: changes to the slot's uid, or to a user namespace inside
        the user namespace, which has its own count of processes."""
        uid = self.slot_uid(slot)
        if uid is not None:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        elif "userNamespace" in self.layers:
            sys_.unshare(sys_.CLONE_NEWUSER)
        sys_.keep_capabilities(())


class _Step:
    def __init__(self, layers, failed):
        self.layers, self.failed = layers, failed

    def __call__(self, layer, action, *arguments):
        if layer not in self.layers:
            return
        try:
            action(*arguments)
        except (OSError, ValueError, AttributeError) as error:
            if self.failed is None:
                raise
            self.failed.append(layer)
            print(f"layer {layer}: {error}", flush=True)


def ineffective(plan):
    """Runs in the probe, after put_on: returns the layers that are applied but do not
        confine."""
    weak = []
    if "seccomp" in plan.layers and not seccomp.works():
        weak.append("seccomp")
    if "landlock" in plan.layers and _opens("/"):
        weak.append("landlock")
    if "rlimits" in plan.layers and not _limited(plan.address_space):
        weak.append("rlimits")
    return weak


def _opens(path):
    try:
        os.listdir(path)
        return True
    except OSError:
        return False


def _limited(bytes_):
    return resource.getrlimit(resource.RLIMIT_AS)[1] <= bytes_
