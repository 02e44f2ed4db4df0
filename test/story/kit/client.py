"""An API client that uses only the standard library."""
import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from sextant import PATIENCE, wait_until


@dataclass
class Reply:
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def data(self):
        assert self.status < 300, f"{self.status}: {self.body[:2000]!r}"
        return self.json["data"]

    @property
    def code(self):
        return self.json["code"]

    def fields(self):
        """The names of the invalid fields in a 400."""
        return {d["field"] for d in self.json["details"]}


@dataclass
class Event:
    id: int
    type: str
    data: dict


class Stream:
    """An event stream, read by its own thread. An event wakes the threads that wait
    for it."""

    def __init__(self, connection, response):
        self.connection, self.response = connection, response
        self.status = response.status
        self.headers = {k.lower(): v for k, v in response.getheaders()}
        self.news = threading.Condition()
        self.pieces, self.events, self.ended, self.cut = [], [], False, False
        self.buffer = b""
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        try:
            while True:
                piece = self.response.read1(65536)
                if not piece:
                    break
                self._take(piece)
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            self.cut = True
        with self.news:
            self.ended = True
            self.news.notify_all()

    def _take(self, piece):
        self.buffer += piece
        *blocks, self.buffer = self.buffer.split(b"\n\n")
        with self.news:
            self.pieces.append(piece)
            for block in blocks:
                event = parse_block(block)
                if event:
                    self.events.append(event)
            self.news.notify_all()

    @property
    def body(self):
        return b"".join(self.pieces)

    def wait_for(self, wanted, patience=PATIENCE):
        """The first event for which `wanted` holds (a type, or a function)."""
        def fits(event):
            return event.type == wanted if isinstance(wanted, str) else wanted(event)
        end, seen = time.monotonic() + patience, 0
        with self.news:
            while True:
                for event in self.events[seen:]:
                    if fits(event):
                        return event
                seen = len(self.events)
                assert not self.ended, \
                    f"the stream ended without {wanted}: {self.types()}"
                left = end - time.monotonic()
                assert left > 0, f"no {wanted} in {patience} s: {self.types()}"
                self.news.wait(left)

    def finish(self, patience=PATIENCE):
        """All events, when the server has closed the stream."""
        self.thread.join(patience)
        assert self.ended, f"the stream goes on: {self.types()[-5:]}"
        return self.events

    def types(self):
        return [event.type for event in self.events]

    def of(self, kind):
        return [event.data for event in self.events if event.type == kind]

    def leave(self):
        """Disconnects, as a closed browser tab does."""
        sock = self.connection.sock or getattr(self.response.fp.raw, "_sock", None)
        if sock:
            sock.close()
        self.connection.close()


def parse_block(block):
    """None: a comment, or a block of another protocol, which has no number."""
    if not block.strip() or block.startswith(b":"):
        return None
    names = dict(line.split(": ", 1) for line in block.decode().split("\n"))
    return Event(int(names["id"]), names["event"], json.loads(names["data"])) if "id" in names else None


@dataclass
class Answer:
    """A run that has ended, as seen in its stream."""
    events: list
    message_id: str
    chat_id: str
    body: bytes = b""
    last: Event = field(init=False)

    def __post_init__(self):
        self.last = self.events[-1]

    @property
    def metadata(self):
        return self.last.data["metadata"]

    @property
    def content(self):
        return self.last.data["content"]

    @property
    def complete(self):
        return (self.last.type == "message_complete" and
                self.last.data["status"] == "complete")

    def of(self, kind):
        return [event.data for event in self.events if event.type == kind]

    def types(self):
        return [event.type for event in self.events]


class Client:
    def __init__(self, url, token=None):
        self.host, self.port = urlsplit(url).hostname, urlsplit(url).port
        self.token = token

    def request(self, method, path, body=None, headers=None, query=None,
                patience=PATIENCE):
        """`body`: bytes as they are, anything else as JSON."""
        connection = http.client.HTTPConnection(self.host, self.port,
                                                timeout=patience)
        try:
            self._send(connection, method, path, body, headers, query)
            response = connection.getresponse()
            return Reply(response.status,
                         {k.lower(): v for k, v in response.getheaders()},
                         response.read())
        finally:
            connection.close()

    def _send(self, connection, method, path, body, headers, query):
        all_headers = {}
        if self.token:
            all_headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            all_headers["Content-Type"] = "application/json"
        all_headers.update(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body, ensure_ascii=False).encode()
        if query:
            path += "?" + urlencode(query)
        connection.request(method, path, body,
                           {k: v for k, v in all_headers.items() if v is not None})

    def get(self, path, **query):
        return self.request("GET", path, query=query)

    def post(self, path, body=None, **options):
        return self.request("POST", path, body, **options)

    def stream(self, method, path, body=None, headers=None, query=None):
        """Returns a Stream if the answer is one, else a Reply."""
        connection = http.client.HTTPConnection(self.host, self.port,
                                                timeout=PATIENCE)
        self._send(connection, method, path, body, headers, query)
        response = connection.getresponse()
        if response.status == 200:
            return Stream(connection, response)
        reply = Reply(response.status,
                      {k.lower(): v for k, v in response.getheaders()},
                      response.read())
        connection.close()
        return reply

    # ---- chats and questions ---------------------------------------------

    def new_chat(self, ontology_id, provider=None, **more):
        body = {"ontologyId": ontology_id, "llmProvider": provider, **more}
        return self.post("/api/data-agent/chats", body).data["id"]

    def new_message(self, chat_id, question):
        """Returns the ids of the question and of its empty answer."""
        data = self.post(f"/api/data-agent/chats/{chat_id}/messages",
                         {"content": question}).data
        return data["userMessage"]["id"], data["assistantMessage"]["id"]

    def start(self, chat_id, question):
        """Asks, and follows: (stream, id of the answer)."""
        _, message_id = self.new_message(chat_id, question)
        stream = self.stream("POST", f"/api/data-agent/chats/{chat_id}/messages/"
                                     f"{message_id}/stream")
        assert isinstance(stream, Stream), stream.body
        return stream, message_id

    def ask(self, chat_id, question):
        stream, message_id = self.start(chat_id, question)
        events = stream.finish()
        return Answer(events, message_id, chat_id, stream.body)

    def follow(self, message_id, after=None, last_event_id=None):
        return self.stream(
            "GET", f"/api/data-agent/messages/{message_id}/events",
            headers={"Last-Event-ID": last_event_id} if last_event_id is not None
            else None,
            query={"after": after} if after is not None else None)

    def cancel(self, message_id):
        return self.post(f"/api/data-agent/messages/{message_id}/cancel")

    def message(self, chat_id, message_id):
        """The stored message."""
        for item in self.get(f"/api/data-agent/chats/{chat_id}/messages",
                             pageSize=100).data["items"]:
            if item["id"] == message_id:
                return item
        raise AssertionError(f"no message {message_id} in {chat_id}")

    def settled(self, chat_id, message_id):
        """The stored message, after its run has ended."""
        def look():
            found = self.message(chat_id, message_id)
            return found if found["status"] != "generating" else None
        return wait_until(look, what="the end of the run")


def check_stream(events):
    """Asserts what holds for the events of every run that has ended."""
    ids = [event.id for event in events]
    assert ids == list(range(1, len(ids) + 1)), f"ids have gaps: {ids}"
    ends = [e.type for e in events
            if e.type in ("message_complete", "message_error")]
    assert len(ends) == 1 and events[-1].type == ends[0], \
        [e.type for e in events][-5:]
    assert all(event.data["type"] == event.type for event in events)
    assert events[0].type == "message_start"
