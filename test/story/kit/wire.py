"""A proxy between the server and the scripted models that can cut, stall and split the
traffic. Requests without a script pass unchanged.

    wire.script("You are the Planner", [status(500), in_pieces(1)])

The next two requests of the Planner meet these, all others go through."""
import socket
import threading
from urllib.parse import urlsplit

from sextant import PATIENCE


class Exchange:
    """One request, as a behaviour sees it."""

    def __init__(self, wire, sock, raw, body):
        self.wire, self.sock, self.raw, self.body = wire, sock, raw, body

    def send(self, data):
        self.sock.sendall(data)

    def upstream(self):
        """The model server's answer as it arrives, the last one of its connection."""
        with socket.create_connection(self.wire.upstream) as s:
            s.sendall(self.raw + self.body)
            head, piece = read_head(s)
            names = dict(headers_of(head))
            names[b"connection"] = b"close"
            names.pop(b"keep-alive", None)
            yield b"\r\n".join([head.partition(b"\r\n")[0], *(
                b": ".join(pair) for pair in names.items()), b"", b""])
            yield piece
            whole = names.get(b"content-length")
            came, end = len(piece), piece[-7:]
            while came < int(whole) if whole else end != b"\r\n0\r\n\r\n":
                piece = receive(s)
                yield piece
                came, end = came + len(piece), (end + piece)[-7:]

    def answer(self):
        """All of it."""
        return b"".join(self.upstream())

    def wait_gone(self):
        """Waits until the server disconnects."""
        self.wire.waiting.set()
        try:
            while self.sock.recv(65536):
                pass
        except OSError:
            pass
        self.wire.hung_up.set()


# ---- behaviours ------------------------------------------------------------


def passes(x):
    for piece in x.upstream():
        x.send(piece)


def in_pieces(size):
    """Sends packets of `size` bytes, which split lines, numbers and characters."""
    def behave(x):
        x.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answer = x.answer()
        for at in range(0, len(answer), size):
            x.send(answer[at:at + size])
    return behave


def behind(answer, wanted):
    """Where some bytes of its body end."""
    return answer.index(wanted, answer.index(b"\r\n\r\n")) + len(wanted)


def cut_at(wanted, reset=False):
    """Closes the connection after some bytes of the answer's body."""
    def behave(x):
        answer = x.answer()
        at = behind(answer, wanted)
        x.send(answer[:at])
        if reset:
            x.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                              b"\x01\0\0\0\0\0\0\0")
    return behave


def stalls_at(wanted):
    """Sends nothing after these bytes, and keeps the connection open."""
    def behave(x):
        answer = x.answer()
        x.send(answer[:behind(answer, wanted)])
        x.wait_gone()
    return behave


def hangs(x):
    """Not even a status line."""
    x.wait_gone()


class Held:
    """Holds the answer until it is released; or the part after the event that contains
    `wanted`."""

    def __init__(self, wanted=None):
        self.wanted = wanted
        self.reached, self.released = threading.Event(), threading.Event()

    def __call__(self, x):
        answer, at = x.answer(), 0
        if self.wanted:
            at = answer.index(b"\n\n", behind(answer, self.wanted)) + 2
        x.send(answer[:at])
        self.reached.set()
        self.released.wait(5 * PATIENCE)
        x.send(answer[at:])

    def wait(self):
        """Waits until a run has arrived there."""
        assert self.reached.wait(PATIENCE), "nobody came"


def pings_only(x):
    """A stream of comments, which say nothing."""
    x.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    gone = threading.Thread(target=x.wait_gone, daemon=True)
    gone.start()
    try:
        while gone.is_alive():
            x.send(b": ping\n\n")
            gone.join(0.05)
    except OSError:
        pass
    gone.join()


def drops(x):
    """Closes without an answer."""


def replies(status, body, content_type="application/json", **headers):
    def behave(x):
        data = body if isinstance(body, bytes) else body.encode()
        lines = [f"HTTP/1.1 {status} Some Reason", f"Content-Type: {content_type}",
                 f"Content-Length: {len(data)}", "Connection: close"]
        lines += [f"{k.replace('_', '-')}: {v}" for k, v in headers.items()]
        x.send("\r\n".join([*lines, "", ""]).encode() + data)
    return behave


def status(number, **headers):
    return replies(number, '{"error":{"message":"as the story wants it",'
                           '"type":"story_error"}}', **headers)


def events(*blocks):
    """A stream of these blocks, ended properly."""
    return replies(200, "".join(b + "\n\n" for b in blocks),
                   content_type="text/event-stream")


class Wire:
    def __init__(self, upstream):
        at = urlsplit(upstream)
        self.upstream = (at.hostname, at.port)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.lock = threading.Lock()
        self.forget()
        threading.Thread(target=self._accept, daemon=True).start()

    def forget(self):
        """Removes all scripts and records."""
        with self.lock:
            self.scripts, self.seen = [], []
            self.outage, self.refused = None, 0
        self.waiting, self.hung_up = threading.Event(), threading.Event()

    def script(self, marker, behaviours):
        with self.lock:
            self.scripts.append((marker.encode(), list(behaviours)))

    def fail(self, behaviour):
        """Applies this to every request, until heal()."""
        with self.lock:
            self.outage, self.refused = behaviour, 0

    def heal(self):
        with self.lock:
            self.outage = None

    def hold(self, marker, wanted=None):
        """Holds the next answer to such a request."""
        held = Held(wanted)
        self.script(marker, [held])
        return held

    def count(self, marker):
        """Requests with that text so far."""
        with self.lock:
            return sum(marker.encode() in body for _, body in self.seen)

    def bodies(self, marker):
        with self.lock:
            return [body for _, body in self.seen if marker.encode() in body]

    def _accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(sock,),
                             daemon=True).start()

    def _serve(self, sock):
        with sock:
            try:
                raw, body = read_request(sock)
                behave = self._next(raw, body)
                behave(Exchange(self, sock, raw, body))
            except (OSError, EOFError):
                pass  # the server disconnected

    def _next(self, raw, body):
        with self.lock:
            self.seen.append((raw, body))
            if self.outage:
                self.refused += 1
                return self.outage
            for marker, behaviours in self.scripts:
                if marker in body and behaviours:
                    return behaviours.pop(0)
        return passes

    def close(self):
        self.listener.close()


def receive(sock):
    piece = sock.recv(65536)
    if not piece:
        raise EOFError
    return piece


def read_head(sock):
    """The head, and what came with it."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += receive(sock)
    head, end, rest = got.partition(b"\r\n\r\n")
    return head + end, rest


def headers_of(head):
    """(name in lower case, value)"""
    for line in head.split(b"\r\n")[1:-2]:
        name, _, value = line.partition(b":")
        yield name.lower(), value.strip()


def read_request(sock):
    head, body = read_head(sock)
    names = dict(headers_of(head))
    if b"expect" in names:
        sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    while len(body) < int(names.get(b"content-length", 0)):
        body += receive(sock)
    return head, body
