"""A browser for explorations: follows the UI message stream and answers its tool calls."""
import http.client
import json
import threading

from sextant import PATIENCE, wait_until

PATH = "/api/agentic-explore-bridge"
SCHEMA = [{"name": "region", "type": "VARCHAR"}, {"name": "units", "type": "BIGINT"},
          {"name": "price", "type": "DOUBLE"}]
TABLE = {"schema": SCHEMA, "rowCount": 4}


def rows_of(query):
    """What a query of a call returns here."""
    return {"id": query["id"], "columns": ["category", "value"],
            "types": ["VARCHAR", "BIGINT"], "rows": [["North", 42], ["South", 7]],
            "rowCount": 2}


def result_of(chunk):
    """The body of a callback that answers all queries of a call."""
    return {"toolCallId": chunk["toolCallId"], "success": True,
            "result": {"success": True,
                       "results": [rows_of(q) for q in chunk["input"]["queries"]]}}


class Browser:
    """One stream. `answer`: what becomes of a call; it gets the browser and the chunk."""

    def __init__(self, client, body=None, answer=None, resume=None, after=None):
        self.client, self.answer = client, answer
        self.chunks, self.ids, self.over, self.done = [], [], False, False
        self.connection = http.client.HTTPConnection(client.host, client.port,
                                                     timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {client.token}",
                   "Content-Type": "application/json"}
        if after is not None:
            headers["Last-Event-ID"] = str(after)
        if resume is None:
            self.connection.request("POST", PATH, json.dumps(body), headers)
        else:
            self.connection.request("GET", f"{PATH}/{resume}/stream", None, headers)
        self.response = self.connection.getresponse()
        self.status = self.response.status
        self.reader = None
        if self.status == 200:
            self.reader = threading.Thread(target=self._read, daemon=True)
            self.reader.start()
        else:
            self.body = self.response.read()
            self.connection.close()

    @property
    def json(self):
        return json.loads(self.body)

    def _read(self):
        try:
            for line in self.response:
                self._take(line.decode().rstrip("\n"))
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass
        self.over = True

    def _take(self, line):
        if line.startswith("id: "):
            self.ids.append(int(line[4:]))
        if not line.startswith("data: "):
            assert not line or line.startswith((":", "id: ")), line
            return
        if line == "data: [DONE]":
            self.done = True
            return
        chunk = json.loads(line[6:])
        self.chunks.append(chunk)
        if chunk["type"] == "tool-input-available" and self.answer:
            self.answer(self, chunk)

    def callback(self, body, client=None, **options):
        return (client or self.client).post("/api/tool-callback", body, **options)

    def of(self, kind):
        return [c for c in self.chunks if c["type"] == kind]

    def wait_for(self, kind, n=1):
        wait_until(lambda: len(self.of(kind)) >= n or self.over, what=kind)
        assert len(self.of(kind)) >= n, self.chunks
        return self.of(kind)[n - 1]

    def finish(self):
        self.reader.join(PATIENCE)
        assert self.over and self.done, self.chunks
        return self

    def leave(self):
        """As a page that is closed."""
        try:
            self.connection.sock.shutdown(2)
        except (OSError, AttributeError):
            pass

    @property
    def result(self):
        return self.of("data-exploration")[0]["data"]


def answers(browser, chunk):
    """Answers each call at the server of the stream."""
    reply = browser.callback(result_of(chunk))
    assert reply.status == 200, reply.body
    assert reply.json["success"] is True and reply.json["message"]
