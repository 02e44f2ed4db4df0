"""One execution, seen from the front: send it the request, watch it, end it.

The wall clock, the output limits and the decision to kill are here, where the code
cannot reach them.
"""

import asyncio
import base64
import json
import os
import re
import signal
import time

from . import collect
from .pool import ZygoteGone

LOAD_SECONDS = 30
DEATH_SECONDS = 5
GRACE_SECONDS = 10
CUT = "\n... output cut"
_LEFT_OUT = (f"\nImages beyond {collect.MAX_ENCODED >> 20} MiB in sum, in "
             "base64, were left out: ")
_TOO_LARGE = (f"\nTexts beyond {collect.MAX_TAKEN >> 20} MiB in sum were left "
              "out: ")
FLOOD_FACTOR = 16
_MAX_ANSWER = 64 * 1024
_ERROR_LINE = re.compile(r"^[\w.]+(Error|Exception|Warning|Interrupt|Exit"
                         r"|Iteration|Group)?(:|$)")


class BadProgram(Exception):
    """The child refused the request; the text says why."""


class ClientGone(Exception):
    pass


class Drain:
    """Reads a pipe to its end and keeps the first `most` bytes. `flooded` is set when
    the output is so large that the writer should be killed."""

    def __init__(self, fd, most):
        self.fd, self.most = fd, most
        self.kept, self.total = bytearray(), 0
        self.ended, self.flooded = asyncio.Event(), asyncio.Event()
        self.loop = asyncio.get_running_loop()
        os.set_blocking(fd, False)
        self.loop.add_reader(fd, self._read)

    def _read(self):
        try:
            chunk = os.read(self.fd, 65536)
        except BlockingIOError:
            return
        if not chunk:
            self.stop()
            return
        self.total += len(chunk)
        self.kept += chunk[:max(0, self.most - len(self.kept))]
        if self.total > self.most * FLOOD_FACTOR:
            self.flooded.set()

    def stop(self):
        if not self.ended.is_set():
            self.loop.remove_reader(self.fd)
            self.ended.set()

    def text(self):
        """Replaces NUL, which neither a database nor a page accepts."""
        text = self.kept.decode("utf-8", "replace").replace("\0", "\ufffd")
        return text + CUT if self.total > self.most else text


class Execution:
    """`task` goes before the body: what kind of work it is, and its tables."""

    def __init__(self, spare, options, task, take=()):
        self.spare, self.options = spare, options
        self.head = json.dumps(task).encode()
        self.asked_for = list(take)
        self.out = Drain(spare.out, options.max_output)
        self.err = Drain(spare.err, options.max_output)
        self.tasks, self.collected = [], False
        self.cut = []  # the tables that did not fit into memory
        self.end = None     # "exit", "timeout", "flood"

    async def run(self, body, gone, timeout=None):
        """What `_answer` returns; raises ClientGone, BadProgram or ZygoteGone. The child
        is dead or dying afterwards in every case. No timeout: the one in the body."""
        try:
            self._ask_for(self.asked_for)
            self._task(self._feed(body))
            client = self._task(gone.wait())
            in_body = await self._start(client)
            return await self._answer(client, timeout or in_body)
        finally:
            self.spare.kill()
            if not self.collected:
                self.spare.forget()
            for task in self.tasks:
                task.cancel()
            self.out.stop()
            self.err.stop()

    async def _answer(self, client, timeout):
        """(status, response), when the child is dead."""
        began = time.monotonic()
        await self._watch(client, timeout)
        elapsed = round((time.monotonic() - began) * 1000)
        message, fds = await self._finish()
        return self._response(message, fds, elapsed, timeout)

    def _ask_for(self, names):
        if not names:
            return
        try:
            self.spare.take(names)
        except OSError:
            raise ZygoteGone from None

    def _task(self, work):
        task = asyncio.ensure_future(work)
        self.tasks.append(task)
        return task

    async def _feed(self, body):
        loop = asyncio.get_running_loop()
        try:
            for part in (self.head, body):
                length = len(part).to_bytes(8, "big")
                await loop.sock_sendall(self.spare.request, length)
                await loop.sock_sendall(self.spare.request, part)
        except OSError:
            pass  # it died; its exit status says how

    async def _hear(self):
        """Reads the child's only answer, before untrusted code runs in it."""
        loop, answer = asyncio.get_running_loop(), b""
        try:
            while len(answer) < _MAX_ANSWER:
                more = await loop.sock_recv(self.spare.request, 4096)
                if not more:
                    break
                answer += more
            return json.loads(answer)
        except (OSError, ValueError):
            return None

    async def _start(self, client):
        """The timeout in seconds, as the child read it."""
        answer = self._task(self._hear())
        await self._first_of([answer, client], LOAD_SECONDS)
        if client.done():
            raise ClientGone
        reply = answer.result() if answer.done() else None
        if reply is None:
            if answer.done():  # it died, alone or with its zygote
                await self._first_of([self.spare.done, client], DEATH_SECONDS)
            if self.spare.done.done():
                self.spare.done.result()
            raise BadProgram("the data could not be loaded within the limits")
        if "bad" in reply:
            raise BadProgram(reply["bad"])
        self.cut = reply.get("cut") or []
        return reply["timeout"]

    async def _watch(self, client, timeout):
        floods = [self._task(d.flooded.wait()) for d in (self.out, self.err)]
        await self._first_of([self.spare.done, client, *floods], timeout)
        if self.spare.done.done():
            self.end = "exit"
        elif client.done():
            raise ClientGone
        else:
            flooded = self.out.flooded.is_set() or self.err.flooded.is_set()
            self.end = "flood" if flooded else "timeout"
            self.spare.kill()

    @staticmethod
    async def _first_of(things, seconds):
        await asyncio.wait(things, timeout=seconds,
                           return_when=asyncio.FIRST_COMPLETED)

    async def _finish(self):
        """Waits until the zygote reports that it is dead, and for the rest of its output."""
        try:
            done = await asyncio.wait_for(asyncio.shield(self.spare.done),
                                          GRACE_SECONDS)
        except asyncio.TimeoutError:
            self.spare.zygote.end()
            raise ZygoteGone from None
        ends = [self._task(d.ended.wait()) for d in (self.out, self.err)]
        await asyncio.wait(ends, timeout=2)
        return done

    def _response(self, message, fds, elapsed, timeout):
        self.collected = True
        count = len(message["names"])
        charts, files, left_out = _images(message["names"], fds[:count])
        errors = self.err.text()
        if left_out:
            errors += _LEFT_OUT + ", ".join(left_out) + "\n"
        taken, too_large = _texts(message["taken"], fds[count:])
        if too_large:
            errors += _TOO_LARGE + ", ".join(too_large) + "\n"
        timed_out = self.end == "timeout"
        code = -1 if timed_out else message["returnCode"]
        body = {
            "stdout": self.out.text(), "stderr": errors,
            "returnCode": code, "charts": charts, "files": files,
            "executionTimeMs": elapsed,
            "error": self._error(code, timeout, message["tooLarge"]),
        }
        if self.asked_for:
            body["taken"] = taken
        if self.cut:
            body["cut"] = self.cut
        return (408 if timed_out else 200), body

    def _error(self, code, timeout, too_large):
        """A short sentence, or None on success."""
        if self.end == "timeout":
            return f"timed out after {timeout:g} s"
        if self.end == "flood":
            return "killed: too much output"
        if too_large:
            return "killed: too much in /tmp"
        if code == 0:
            return None
        if code < 0:
            return f"killed by signal {-code} ({_signal_name(-code)})"
        return self._last_line() if code == 1 else f"exit status {code}"

    def _last_line(self):
        lines = self.err.text().strip().splitlines()
        last = lines[-1].strip()[:300] if lines else ""
        if last.startswith("MemoryError") or "_ArrayMemoryError" in last:
            limit = self.options.zygote["memoryMb"]
            return f"memory limit of {limit} MB reached"
        return last if _ERROR_LINE.match(last) else last or "exit status 1"


def _images(names, fds):
    """Returns (charts, files, names left out). Each image is in the answer once: a file
    that is a chart holds its index. From the first image that exceeds MAX_ENCODED on,
    none is read."""
    charts, files, left_out, encoded = [], [], [], 0
    for name, fd in zip(names, fds):
        encoded += collect.encoded_size(fd)
        if encoded > collect.MAX_ENCODED:
            os.close(fd)
            left_out.append(name)
            continue
        content = collect.read_file(name, fd)
        if content is None:
            continue
        data = base64.b64encode(content).decode()
        if name.lower().endswith(".png"):
            files.append({"filename": name, "chart": len(charts)})
            charts.append(data)
        else:
            files.append({"filename": name, "data": data})
    return charts, files, left_out


def _texts(names, fds):
    """Returns ({name: text}, names left out). What is not UTF-8 is replaced, and so is
    NUL, which neither a database nor a page accepts."""
    texts, left_out, room = {}, [], collect.MAX_TAKEN
    for name, fd in zip(names, fds):
        with open(fd, "rb") as file:
            content = file.read(room + 1)
        if len(content) > room:
            left_out.append(name)
            continue
        room -= len(content)
        texts[name] = content.decode("utf-8", "replace").replace("\0", "\ufffd")
    return texts, left_out


def _signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
