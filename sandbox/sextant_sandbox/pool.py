"""The front's side of the zygote: spares, the queue, restarts.

Each zygote is one generation. The current one supplies the spares. A retired one
(after `recycle` executions) only finishes its executions. When the current one dies,
its executions fail, queued requests keep waiting, and the next one is started after
a pause that doubles with each failure.
"""

import asyncio
import collections
import os
import signal
import socket
import subprocess
import sys
import tempfile

from . import channel, scratch
from .log import tell

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
UNLOADABLE_PAUSE = 60.0  # until somebody has installed the missing package
READY_SECONDS = 120
BUILDER_SECONDS = 20
MOST_EARLY_DEATHS = 3
MOST_FAILURES = 3


class QueueFull(Exception):
    pass


class QueueTimeout(Exception):
    pass


class NoZygote(Exception):
    """It cannot load its packages, or has failed to start several times in a row."""


class ZygoteGone(Exception):
    """The zygote died while the execution ran in it."""


class Place:
    """A request in the queue. `user`: the user of the execution; "" for none."""

    def __init__(self, loop, user):
        self.user, self.given = user, loop.create_future()


class Spare:
    """A confined child that waits for its program, with its descriptors."""

    def __init__(self, zygote, message, fds):
        request, self.out, self.err, self.pidfd = fds
        self.zygote = zygote
        self.serial = message["serial"]
        self.builds = message["builds"]
        self.request = socket.socket(fileno=request)
        self.request.setblocking(False)
        self.done = asyncio.get_running_loop().create_future()
        self.done.add_done_callback(_seen)
        self.used, self.user = False, ""

    def kill(self):
        try:
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        except OSError:
            pass

    def last_words(self):
        """Reads stderr of a spare that died unused; only this package writes to it."""
        os.set_blocking(self.err, False)
        try:
            return os.read(self.err, 1000).decode(errors="replace")
        except OSError:
            return ""

    def take(self, names):
        """Asks for these files of the execution; to be called before it begins."""
        channel.send(self.zygote.control, {
            "kind": "take", "serial": self.serial, "names": names})

    def forget(self):
        """Ends it without collecting its files."""
        self.done.add_done_callback(_close_files)

    def close(self):
        self.request.close()
        for fd in (self.out, self.err, self.pidfd):
            os.close(fd)


def _seen(future):
    if not future.cancelled():
        future.exception()


def _close_files(future):
    if not future.cancelled() and future.exception() is None:
        for fd in future.result()[1]:
            os.close(fd)


class Zygote:
    """One zygote process. Calls pool.on_ready, on_spare, on_gone."""

    def __init__(self, pool, settings):
        self.pool = pool
        self.work = tempfile.mkdtemp(prefix="zygote", dir=pool.options.work)
        os.chmod(self.work, 0o711)
        self.settings = {**settings, "work": self.work,
                         "files": pool.files}
        self.loop = asyncio.get_running_loop()
        self.layers, self.packages, self.problem = {}, {}, None
        self.ready = False
        self.children = {}      # serial -> Spare
        self.early_deaths = 0
        self._start()

    def _start(self):
        self.control, theirs = channel.pair()
        self.complaints, complaints = os.pipe()
        script = os.path.join(os.path.dirname(__file__), "zygote.py")
        self.process = subprocess.Popen(
            [sys.executable, "-IB", script, str(theirs.fileno())], env={},
            stdin=subprocess.DEVNULL, stdout=complaints, stderr=complaints,
            pass_fds=[theirs.fileno()], start_new_session=True, cwd="/")
        theirs.close()
        os.close(complaints)
        os.set_blocking(self.complaints, False)
        self.control.setblocking(False)
        self.loop.add_reader(self.control, self._hear)
        self.loop.add_reader(self.complaints, self._hear_complaint)
        channel.send(self.control, self.settings)
        self.deadline = self.loop.call_later(READY_SECONDS, self.end)

    def _hear(self):
        try:
            message, fds = channel.receive(self.control)
        except BlockingIOError:
            return
        except (OSError, ValueError):
            message, fds = None, []
        if message is None:
            self._went()
        else:
            getattr(self, "_on_" + message["kind"])(message, fds)

    def _on_map(self, message, fds):
        count = 2 * self.settings["slots"] + 1
        line = f"0 {self.settings['uid']} {count}\n"
        try:
            for name in ("uid_map", "gid_map"):
                with open(f"/proc/{self.process.pid}/{name}", "w") as file:
                    file.write(line)
            mapped = True
        except OSError as error:
            tell("warn", "uids not mapped", reason=str(error))
            mapped = False
        channel.send(self.control, {"mapped": mapped})

    def _on_broken(self, message, fds):
        """Disables this layer for the next attempt."""
        self.pool.options.zygote["disabled"].append(message["layer"])

    def _on_unloadable(self, message, fds):
        self.pool.unloadable = message["reason"]

    def _on_ready(self, message, fds):
        self.deadline.cancel()
        self.ready = True
        self.layers, self.packages = message["layers"], message["packages"]
        self.problem = message["problem"]
        self.pool.on_ready(self)

    def _on_spare(self, message, fds):
        spare = Spare(self, message, fds)
        self.children[spare.serial] = spare
        self.pool.on_spare(spare)

    def _on_done(self, message, fds):
        spare = self.children.pop(message["serial"])
        if spare.used:
            self.early_deaths = 0
            self.pool.proved()
            spare.done.set_result((message, fds))
            return
        for fd in fds:
            os.close(fd)
        tell("error", "a spare died", returnCode=message["returnCode"],
             text=spare.last_words())
        self.pool.drop(spare)
        self.early_deaths += 1
        if self.early_deaths > MOST_EARLY_DEATHS:
            self.end()

    def _hear_complaint(self):
        """Logs what the zygote's libraries print."""
        try:
            text = os.read(self.complaints, 4096).decode(errors="replace")
        except BlockingIOError:
            return
        if not text:
            self.loop.remove_reader(self.complaints)
        for line in text.splitlines():
            tell("debug" if self.ready else "info", "zygote", text=line[:500])

    def _went(self):
        self.loop.remove_reader(self.control)
        self.loop.remove_reader(self.complaints)
        self.deadline.cancel()
        self.control.close()
        os.close(self.complaints)
        self.process.kill()
        self.process.wait()
        for spare in self.children.values():
            if spare.used:
                spare.done.set_exception(ZygoteGone())
            else:
                self.pool.drop(spare)
        self.children.clear()
        scratch.remove_tree(self.work)
        self.pool.on_gone(self)

    def end(self):
        """Kills it and everything that it has forked."""
        self.process.kill()

    def resident_kb(self):
        """The memory of the process that has the packages, not of the outer process."""
        pid = self.process.pid
        try:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                pid = int((file.read().split() or [pid])[0]) \
                    if self.layers.get("pidNamespace") else pid
            with open(f"/proc/{pid}/statm") as file:
                pages = int(file.read().split()[1])
        except (OSError, ValueError):
            return None
        return pages * os.sysconf("SC_PAGESIZE") // 1024

    def quiet(self):
        return not any(spare.used for spare in self.children.values())


class Pool:
    def __init__(self, options, files):
        self.options = options
        self.files = files  # the folder of what executions are given to read
        self.loop = asyncio.get_running_loop()
        self.free = collections.deque()
        self.waiting = collections.deque()  # Place objects
        self.running = 0
        self.running_of = collections.Counter()  # user -> count
        self.builders = asyncio.Semaphore(1)
        # The future of the child that was asked for, and the zygote that makes it.
        self.builder, self.builder_of = None, None
        self.current, self.next, self.retired = None, None, set()
        self.pause, self.failures = FIRST_PAUSE, 0
        self.unloadable = None  # why the packages cannot be loaded
        self.told = None  # why there is no zygote, as the log has it
        self.served, self.generation = 0, 0
        self.ending = False
        self._begin_zygote()

    def _begin_zygote(self):
        if self.ending or self.next:
            return
        slots = self.options.zygote["slots"]
        offset = slots * (self.generation % 2)
        self.generation += 1
        try:
            self.next = Zygote(self,
                               {**self.options.zygote, "uidOffset": offset})
        except OSError as error:  # no process, descriptor or folder is available
            self._try_later(str(error))

    async def acquire(self, user=""):
        """Returns a spare, marked as used. Return it with release().

        A user has at most half of the running and of the queued executions, so that
        one user's long programs leave room for others. The user with the fewest
        running executions is next."""
        if self.broken():
            raise NoZygote
        if self._queue_is_full(user):
            raise QueueFull
        place = Place(self.loop, user)
        self.waiting.append(place)
        self._serve_waiting()
        try:
            return await asyncio.wait_for(place.given,
                                          self.options.queue_timeout)
        except asyncio.TimeoutError:
            raise QueueTimeout from None
        finally:
            if place in self.waiting:
                self.waiting.remove(place)

    def _queue_is_full(self, user):
        if self.free and self.running < self.options.parallel \
                and self._below_share(user):
            return False
        queue = self.options.queue
        own = sum(place.user == user for place in self.waiting)
        return len(self.waiting) >= queue or \
            bool(user) and own >= max(1, queue // 2)

    def _below_share(self, user):
        """Requests without a user are limited only by the total."""
        share = max(1, self.options.parallel // 2)
        return not user or self.running_of[user] < share

    def _next_place(self):
        """The next request that may run; None if there is none."""
        if not self.free or self.running >= self.options.parallel:
            return None
        may = [p for p in self.waiting
               if not p.given.done() and self._below_share(p.user)]
        return min(may, key=lambda p: self.running_of[p.user], default=None)

    def why_broken(self):
        why = "the packages cannot be loaded"
        return f"{why}: {self.unloadable}" if self.unloadable else why

    def broken(self):
        """Whether to wait for a zygote is of no use."""
        return self.current is None and (
            self.unloadable is not None or self.failures >= MOST_FAILURES)

    def proved(self):
        """Records that an execution ended normally."""
        self.pause, self.failures = FIRST_PAUSE, 0

    def _take(self, user):
        spare = self.free.popleft()
        spare.used, spare.user = True, user
        self.running += 1
        self.running_of[user] += 1
        return spare

    def _serve_waiting(self):
        while place := self._next_place():
            self.waiting.remove(place)
            place.given.set_result(self._take(place.user))

    def _refuse_waiting(self):
        while self.waiting and self.broken():
            place = self.waiting.popleft()
            if not place.given.done():
                place.given.set_exception(NoZygote())

    def release(self, spare):
        spare.close()
        self.running -= 1
        self.running_of[spare.user] -= 1
        if not self.running_of[spare.user]:
            del self.running_of[spare.user]
        self.served += 1
        if self.served >= self.options.recycle:
            self.served = 0
            self._begin_zygote()
        self._end_retired()
        self._serve_waiting()

    def abandon(self, spare):
        """Releases a spare whose client has disconnected."""
        spare.kill()
        spare.forget()
        self.release(spare)

    async def acquire_builder(self):
        """Returns a child that makes tables; there is one at a time. Return it with
        release_builder(); raises ZygoteGone."""
        await self.builders.acquire()
        try:
            if self.current is None or self.current.problem:
                raise ZygoteGone
            self.builder = self.loop.create_future()
            self.builder_of = self.current
            channel.send(self.current.control, {"kind": "build"})
            return await asyncio.wait_for(self.builder, BUILDER_SECONDS)
        except (OSError, asyncio.TimeoutError):
            self._builder_failed()
            raise ZygoteGone from None
        except BaseException:
            self._builder_failed()
            raise

    def _builder_failed(self):
        if self.builder is not None:
            self.builder.cancel()
        self.builders.release()
        self._end_retired()

    def _owes_builder(self, zygote):
        return self.builder_of is zygote and not self.builder.done()

    def _give_builder(self, spare):
        spare.used = True
        if self.builder is None or self.builder.done():
            spare.kill()
            spare.forget()
            spare.close()
        else:
            self.builder.set_result(spare)

    def release_builder(self, spare):
        spare.close()
        self.builders.release()
        self._end_retired()

    def drop(self, spare):
        """Handles the death of an unused spare."""
        if spare in self.free:
            self.free.remove(spare)
        spare.close()

    def on_ready(self, zygote):
        old, self.current, self.next = self.current, zygote, None
        self.unloadable = self.told = None
        if old is not None:
            self.retired.add(old)
            self.free = collections.deque(
                s for s in self.free if s.zygote is zygote)
            self._end_retired()
        tell("info", "zygote ready", layers=zygote.layers,
             problem=zygote.problem, residentKb=zygote.resident_kb())

    def _end_retired(self):
        for zygote in self.retired:
            if zygote.quiet() and not self._owes_builder(zygote):
                zygote.end()

    def on_spare(self, spare):
        if spare.builds:
            self._give_builder(spare)
            return
        if spare.zygote in self.retired:
            return  # dies with its zygote
        self.free.append(spare)
        self._serve_waiting()

    def on_gone(self, zygote):
        if self._owes_builder(zygote):
            self.builder.set_exception(ZygoteGone())
        if zygote in self.retired:
            self.retired.discard(zygote)
            return
        if zygote is self.current:
            self.current = None
        if zygote is self.next:
            self.next = None
        if self.ending:
            return
        self._try_later(self.why_broken() if self.unloadable else "it ended")

    def _try_later(self, why):
        self.failures += 1
        self._refuse_waiting()
        pause = UNLOADABLE_PAUSE if self.unloadable else self.pause
        tell("debug" if why == self.told else "error", "no zygote", reason=why,
             restartInSeconds=pause)
        self.told = why
        self.loop.call_later(pause, self._begin_zygote)
        self.pause = min(self.pause * 2, LONGEST_PAUSE)

    def end(self):
        self.ending = True
        for zygote in {self.current, self.next, *self.retired} - {None}:
            zygote.end()
