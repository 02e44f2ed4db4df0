"""The part of HTTP/1.1 that two endpoints need, parsed strictly.

A request with a body must have Content-Length. Every wait has a deadline.
"""

import asyncio
import json

MAX_HEAD = 16 * 1024
HEAD_SECONDS = 10
IDLE_SECONDS = 75
BODY_SECONDS = 60
WRITE_SECONDS = 60
LARGE_TEXT = 64 * 1024

REASONS = {
    200: "OK", 201: "Created", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 411: "Length Required",
    413: "Payload Too Large", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented",
    503: "Service Unavailable", 505: "HTTP Version Not Supported",
}
CODES = {
    400: "VALIDATION_ERROR", 401: "UNAUTHORIZED", 404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED", 408: "TIMEOUT", 411: "LENGTH_REQUIRED",
    413: "PAYLOAD_TOO_LARGE", 431: "HEADERS_TOO_LARGE", 500: "INTERNAL",
    501: "NOT_IMPLEMENTED", 503: "UNAVAILABLE", 505: "VERSION",
}


class Refusal(Exception):
    """An error response with this status and message. `final` closes the connection."""

    def __init__(self, status, message, final=False, headers=(), fields=None):
        super().__init__(message)
        self.status, self.message = status, message
        self.final, self.headers = final, list(headers)
        self.fields = fields or {}

    def body(self):
        return {"statusCode": self.status, "code": CODES[self.status],
                "message": self.message, **self.fields}


def busy(message, final=False):
    return Refusal(503, message, final, [("Retry-After", "1")])


class Connection(asyncio.StreamReaderProtocol):
    """The streams of a connection, and an event that is set when the client disconnects
    (a half-close counts: a client that wants the answer keeps its side open)."""

    def __init__(self, serve):
        super().__init__(asyncio.StreamReader(limit=MAX_HEAD), self._serve)
        self.serve_with = serve
        self.gone = asyncio.Event()

    async def _serve(self, reader, writer):
        await self.serve_with(reader, writer, self.gone)

    def eof_received(self):
        self.gone.set()
        return super().eof_received()

    def connection_lost(self, error):
        self.gone.set()
        super().connection_lost(error)


class Head:
    def __init__(self, method, path, version, headers):
        self.method, self.path = method, path
        self.version, self.headers = version, headers
        self.closes = False  # the body that the client announced is not read

    @property
    def keep_alive(self):
        wish = self.headers.get("connection", "").lower()
        return not self.closes and "close" not in wish and self.version == "HTTP/1.1"


async def read_head(reader, first):
    """Returns None if the client closed or timed out between two requests."""
    try:
        seconds = HEAD_SECONDS if first else IDLE_SECONDS
        raw = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), seconds)
    except asyncio.IncompleteReadError:
        return None
    except asyncio.TimeoutError:
        return None
    except asyncio.LimitOverrunError:
        raise Refusal(431, "the head is too large", final=True) from None
    return _parse_head(raw)


def _parse_head(raw):
    try:
        first, *lines = raw.decode("ascii").split("\r\n")[:-2]
        method, path, version = first.split(" ")
    except (UnicodeDecodeError, ValueError):
        raise Refusal(400, "this is not an HTTP request", final=True) from None
    if version not in ("HTTP/1.1", "HTTP/1.0"):
        raise Refusal(505, "HTTP/1.1 is spoken here", final=True)
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or name != name.strip() or not name:
            raise Refusal(400, "a header line is malformed", final=True)
        name = name.lower()
        if name in headers and name in ("content-length", "host",
                                        "authorization"):
            raise Refusal(400, f"two {name} headers", final=True)
        headers[name] = value.strip()
    return Head(method, path.partition("?")[0], version, headers)


def body_length(head, most):
    """Checks the head before a byte of the body is read."""
    if "transfer-encoding" in head.headers:
        raise Refusal(501, "transfer encodings are not supported", final=True)
    text = head.headers.get("content-length")
    if text is None:
        raise Refusal(411, "Content-Length is required", final=True)
    if not (text.isascii() and text.isdigit()):
        raise Refusal(400, "Content-Length is malformed", final=True)
    if len(text) > 12 or int(text) > most:
        raise Refusal(413, f"the body may have {most} bytes", final=True)
    return int(text)


def go_on(writer, head):
    """Tells a client that waits with its body to send it."""
    if head.headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")


async def read_body(reader, writer, head, length):
    go_on(writer, head)
    try:
        return await asyncio.wait_for(reader.readexactly(length),
                                      BODY_SECONDS)
    except asyncio.IncompleteReadError:
        raise ConnectionResetError from None
    except asyncio.TimeoutError:
        raise Refusal(408, "the body did not come in time",
                      final=True) from None


async def answer(writer, status, body, keep_alive, headers=()):
    """`body` is an object, or the bytes of its JSON."""
    pieces = [body] if isinstance(body, bytes) else _pieces(body)
    lines = [f"HTTP/1.1 {status} {REASONS[status]}",
             "Content-Type: application/json",
             f"Content-Length: {sum(map(len, pieces))}",
             "Connection: " + ("keep-alive" if keep_alive else "close")]
    lines += [f"{name}: {value}" for name, value in headers]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
    for piece in pieces:
        writer.write(piece)
        await asyncio.wait_for(writer.drain(), WRITE_SECONDS)


def _pieces(body):
    """Renders JSON as ASCII in pieces, one for each large text, so that the whole is never
    in one buffer."""
    pieces, small = [], []
    for text in json.JSONEncoder().iterencode(body):
        if len(text) < LARGE_TEXT:
            small.append(text)
            continue
        pieces += ["".join(small).encode(), text.encode()]
        small.clear()
    return [*pieces, "".join(small).encode()]
