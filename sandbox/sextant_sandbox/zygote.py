"""The zygote: packages loaded, one thread, forks a child per execution.

It neither runs nor reads untrusted code: a request goes from the front directly to
the child that was forked for it. The zygote reports to the front each new spare (with
the descriptors of its pipes) and each dead child (with its status and the descriptors
of its files).

Children are forked ahead of time: each slot always has a waiting spare, so that no
request has to wait for the fork and the namespaces.

Started as `python -I zygote.py FD`, with the control channel at FD and the
settings as its first message.
"""

import os
import signal
import socket
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sextant_sandbox import (  # noqa: E402
    birth, channel, collect, confine, limits, namespaces, scratch, seccomp,
    syscalls as sys_)


class Zygote:
    def __init__(self, control, settings, world):
        self.control = control
        self.settings = settings
        self.world = world
        self.layers = dict(world.layers)
        self.slots = {}     # pid -> Child
        self.vacant = []    # slots that need a spare
        self.building = False   # the last slot is taken
        self.build_asked = False
        mounted = self.layers["mountNamespace"]
        self.scratch = (scratch.Mounted(settings) if mounted
                        else scratch.Folder(world.work, settings))

    def prepare(self):
        """Loads the packages, probes the layers, and reports both to the front."""
        cache = namespaces.CACHE if self.layers["mountNamespace"] \
            else os.path.join(self.world.work, "cache")
        os.makedirs(cache, 0o700, exist_ok=True)
        from sextant_sandbox import warm
        warm.check()
        self.runner, self.translate, packages = _load(
            cache, self.settings["warm"])
        sys_.limit_malloc_arenas(2)
        self.plan = self._plan()
        self._probe()
        self.tell("ready", layers=self.layers, packages=packages,
                  problem=confine.floor_problem(self.layers))

    def tell(self, kind, fds=(), **fields):
        channel.send(self.control, {"kind": kind, **fields}, fds)

    def _plan(self):
        wanted = {n for n, on in self.layers.items() if on}
        wanted |= {"rlimits", "seccomp", "landlock"} - self.world.disabled
        plan = confine.Plan(self.settings, wanted, self.world)
        plan.processes = self.world.process_limit()
        space = limits.address_space_of(self.world.proc_fd)
        plan.address_space = space + self.settings["memory"]
        try:
            plan.filter = seccomp.build()
        except (OSError, AttributeError):
            plan.layers.discard("seccomp")
        return plan

    def _probe(self):
        """Forks a child that applies every layer and tries to break out."""
        failed = self._try_layers()
        for name in failed:
            self.plan.layers.discard(name)
        if "mountNamespace" in failed:
            raise SystemExit("a child cannot enter its slot")
        for name in ("rlimits", "seccomp", "landlock"):
            self.layers[name] = name in self.plan.layers

    def _try_layers(self):
        directory = self.scratch.make(0, self.plan.slot_uid(0))
        receive, report = os.pipe()
        pid = os.fork()
        if pid == 0:
            _probe_child(self.plan, directory, report)
        os.close(report)
        with open(receive) as answers:
            lines = answers.read().splitlines()
        os.waitpid(pid, 0)
        self.scratch.remove(0)
        for line in lines[:-1]:
            print("probe:", line, file=sys.stderr, flush=True)
        if not lines or not lines[-1].startswith("failed:"):
            raise SystemExit("the probe died")
        return lines[-1][len("failed:"):].split()

    def serve(self):
        """Runs until the front closes. Spares are forked from this frame, which holds
        nothing of earlier executions, because a child can read the frames that it
        was forked from."""
        self._catch_children()
        self.vacant.extend(range(self._build_slot()))
        while self._look():
            while self.vacant:
                self._spawn(self.vacant.pop())

    def _look(self):
        """Handles one event; returns False at the end."""
        ready = [] if self.vacant else self._wait()
        if self.control in ready and not self._hear():
            return False
        self._reap()
        self._watch_sizes()
        return True

    def _hear(self):
        """Handles one message; returns False when the front has closed."""
        message, _ = channel.receive(self.control)
        if message is None:
            return False
        if message["kind"] == "take":
            for child in self.slots.values():
                if child.serial == message["serial"]:
                    child.take = message["names"]
        elif message["kind"] == "build":
            self.build_asked = True
            self._offer_build()
        return True

    def _offer_build(self):
        if self.build_asked and not self.building:
            self.build_asked, self.building = False, True
            self.vacant.append(self._build_slot())

    def _build_slot(self):
        return self.settings["slots"] - 1

    def _hear_all(self):
        """What the front asked of a child it asked before the child began."""
        import select
        while select.select([self.control], [], [], 0)[0]:
            if not self._hear():
                raise SystemExit(0)

    def _catch_children(self):
        self.wake, wake = os.pipe()
        for fd in (self.wake, wake):
            os.set_blocking(fd, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def _wait(self):
        import select
        pause = None if isinstance(self.scratch, scratch.Mounted) else 0.2
        ready, _, _ = select.select([self.control, self.wake], [], [], pause)
        if self.wake in ready:
            try:
                os.read(self.wake, 4096)
            except BlockingIOError:
                pass
        return ready

    def _reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            child = self.slots.pop(pid, None)
            if child is not None:
                self._bury(child, status)

    def _bury(self, child, status):
        """Kills what is left of the execution before its files are opened, and empties
        the slot before it is offered again."""
        self._hear_all()
        child.end_namespace()
        if not child.init and self.plan.first_uid is not None \
                and not self.layers["seccomp"]:
            _kill_leftovers(self.world.proc_fd,
                            self.plan.slot_uid(child.slot))
        images = [] if child.builds else collect.open_files(child.directory)
        taken = collect.open_taken(child.directory, child.take)
        fds = [fd for _, fd in images + taken]
        self.tell("done", fds, slot=child.slot,
                  serial=child.serial, returnCode=os.waitstatus_to_exitcode(
                      status), names=[name for name, _ in images],
                  taken=[name for name, _ in taken],
                  tooLarge=child.too_large)
        for fd in fds:
            os.close(fd)
        self.scratch.remove(child.slot)
        if child.builds:
            self.building = False
            self._offer_build()
        else:
            self.vacant.append(child.slot)

    def _spawn(self, slot):
        builds = slot == self._build_slot()
        directory = self.scratch.make(slot, self.plan.slot_uid(slot), builds)
        child = Child(self.plan, slot, directory, builds)
        child.fork(self._live)
        self.slots[child.pid] = child
        self.tell("spare", child.front_fds(), slot=slot, serial=child.serial,
                  builds=builds)
        child.close_front_fds()

    def _live(self, child, fds):
        """Everything that a child does."""
        self.slots.clear()  # the child must not hold descriptors of others
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.setsid()
            os.nice(5)
            self.plan.put_on(child.slot, child.directory, fds,
                             builds=child.builds)
            directory = "/tmp"
            if not self.layers["mountNamespace"]:
                directory = child.directory
                self.translate("/tmp", directory,
                               [*self.plan.readable, self.plan.files])
            self.runner.serve_one(self.plan, directory)
        except BaseException as error:
            print("child:", type(error).__name__, error, file=sys.stderr)
        finally:
            os._exit(97)

    def _watch_sizes(self):
        for child in self.slots.values():
            if not child.too_large and self.scratch.too_large(
                    child.slot, child.builds):
                child.too_large = True
                signal.pidfd_send_signal(child.pidfd, signal.SIGKILL)


class Child:
    """A spare, later an execution, seen from the zygote."""

    serials = 0

    def __init__(self, plan, slot, directory, builds):
        Child.serials += 1
        self.builds, self.take = builds, []
        self.plan, self.slot, self.directory = plan, slot, directory
        self.serial = Child.serials
        self.init = None
        self.too_large = False

    def fork(self, live):
        mine, self.request = socket.socketpair()
        self.out, out = os.pipe()
        self.err, err = os.pipe()
        null = os.open("/dev/null", os.O_RDONLY)
        own = "pidNamespace" in self.plan.layers
        if own:
            self._make_namespace()
        self.pid = os.fork()
        if self.pid == 0:
            live(self, [null, out, err, mine.fileno()])
        if own:
            birth.return_to_own_pid_namespace(self.plan.proc_fd)
        self.pidfd = os.pidfd_open(self.pid)
        mine.close()
        for fd in (out, err, null):
            os.close(fd)

    def _make_namespace(self):
        """Creates a new pid namespace for the next children. Its init is `cat`, which exits
        when the zygote does, and then the kernel kills the others."""
        sys_.unshare(sys_.CLONE_NEWPID)
        end, self.leash = os.pipe()
        out = os.open("/dev/null", os.O_WRONLY)
        self.init = os.posix_spawn(
            namespaces.INIT, ["init"], {},
            file_actions=[(os.POSIX_SPAWN_DUP2, end, 0),
                          (os.POSIX_SPAWN_DUP2, out, 1),
                          (os.POSIX_SPAWN_DUP2, out, 2)])
        os.close(end)
        os.close(out)

    def front_fds(self):
        return [self.request.fileno(), self.out, self.err, self.pidfd]

    def close_front_fds(self):
        """Kills the child; the pidfd stays open for the size watch."""
        self.request.close()
        os.close(self.out)
        os.close(self.err)

    def end_namespace(self):
        """Waits for init, and so for the whole namespace."""
        os.close(self.pidfd)
        if not self.init:
            return
        os.close(self.leash)
        try:
            os.kill(self.init, signal.SIGKILL)
            os.waitpid(self.init, 0)
        except (ProcessLookupError, ChildProcessError):
            pass  # it exited first, which killed the execution


def _load(cache, everything):
    """Imports the modules of an execution only now, from the new root, so that its
    tracebacks do not name folders of the machine."""
    from sextant_sandbox import (chart_theme, charts, engine, runner,
                                 tmpnames, warm)
    sys.path.pop(0)
    if everything:
        warm.load(cache)
        charts.watch_saving()
        chart_theme.apply()
        engine.open_once()
    return runner, tmpnames.translate, warm.versions()


def _probe_child(plan, directory, report):
    try:
        failed = []
        plan.put_on(0, directory, [report, report, report], failed)
        failed += confine.ineffective(plan)
        os.write(1, ("failed:" + " ".join(failed) + "\n").encode())
    except BaseException as error:
        os.write(1, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(0)


def _kill_leftovers(proc_fd, uid):
    """Without a pid namespace: kills each process of the slot's uid, one by one. It never
    uses kill(-1), which would kill everything if the process still has a
    capability."""
    for name in os.listdir(proc_fd):
        if not name.isdigit() or _uid_of(proc_fd, name) != uid:
            continue
        try:
            pidfd = os.pidfd_open(int(name))
        except ProcessLookupError:
            continue
        try:
            if _uid_of(proc_fd, name) == uid:
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        except ProcessLookupError:
            pass
        finally:
            os.close(pidfd)


def _uid_of(proc_fd, name):
    try:
        with open(os.open(f"{name}/status", os.O_RDONLY,
                          dir_fd=proc_fd)) as status:
            line = next(x for x in status if x.startswith("Uid:"))
            return int(line.split()[1])
    except (OSError, StopIteration):
        return None


def main():
    control = socket.socket(fileno=int(sys.argv[1]))
    sys_.prctl(sys_.PR_SET_PDEATHSIG, signal.SIGKILL)
    settings, _ = channel.receive(control)
    if settings is None:
        return
    try:
        world = birth.be_born(control, settings)
    except namespaces.HalfWay as error:
        channel.send(control, {"kind": "broken", "layer": "mountNamespace"})
        raise SystemExit(f"no way into a private root: {error}")
    zygote = Zygote(control, settings, world)
    began = time.monotonic()
    try:
        zygote.prepare()
    except ImportError as error:  # a package is missing
        zygote.tell("unloadable", reason=str(error)[:300])
        return
    print(f"loaded in {time.monotonic() - began:.1f} s", file=sys.stderr,
          flush=True)
    if confine.floor_problem(zygote.layers):
        channel.receive(control)  # wait for the end
        return
    zygote.serve()


if __name__ == "__main__":
    main()
