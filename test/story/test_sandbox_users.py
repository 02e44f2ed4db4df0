"""What a sandbox learns of the users for whom it executes code: a name by which it
can share its capacity among them, and nothing else."""
import http.server
import json
import threading

import pytest

from kit.fixtures import open_service

QUESTION = "revenue by city in 2025 as a bar chart"
RESULT = json.dumps({"code": 0, "stdout": "done\n", "stderr": "", "files": [],
                     "charts": [], "executionTimeMs": 1}).encode()


class Recorder(http.server.BaseHTTPRequestHandler):
    """A sandbox that keeps what it is asked."""
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.users.append(self.headers["X-Sandbox-User"])
        self.send_response(200)
        self.send_header("Content-Length", str(len(RESULT)))
        self.end_headers()
        self.wfile.write(RESULT)

    def log_message(self, *args):
        pass


@pytest.fixture
def sandbox():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    server.users = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_sandbox_can_tell_users_apart_but_does_not_know_them(source, sandbox):
    server = open_service(
        source, SANDBOX_URL=f"http://127.0.0.1:{sandbox.server_address[1]}")
    try:
        people = [server.client(f"{name}@example.org") for name in ("ann", "bob")]
        names = []
        for client in (people[0], people[1], people[0]):
            sandbox.users.clear()
            chat = client.new_chat(server.ontologies["retail"], "builtin",
                                   agent="react")
            assert client.ask(chat, QUESTION).complete
            names.append(set(sandbox.users))
        ids = {row[0] for row in server.psql("select id from users")}
    finally:
        server.remove()
    (ann,), (bob,), (ann_again,) = names
    assert ann and bob and ann == ann_again != bob
    assert len(ann) <= 64 and ann.isalnum()
    assert not ids & {ann, bob}
    assert not {i.replace("-", "") for i in ids} & {ann, bob}
