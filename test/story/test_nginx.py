"""Through a real nginx with the unchanged deploy/nginx.conf."""
import contextlib
import http.client
import os
import signal
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest

from kit import fixtures, players
from kit.client import Client, check_stream
from kit.nginx import NGINX, Nginx
from kit.server import Server
from postgres import free_port
from sextant import wait_until

QUESTION = "revenue by city in 2025"
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not here")

@pytest.fixture(scope="module")
def behind(source, wire):
    it = fixtures.open_service(source, SANDBOX_URL="off", RUNS_PER_USER=0,
                               HEARTBEAT_MS=1000,
                               **fixtures.model_settings(wire.url))
    yield it
    it.remove()


@pytest.fixture(scope="module")
def nginx(behind, tmp_path_factory):
    it = Nginx(tmp_path_factory.mktemp("nginx"), behind.url)
    yield it
    it.close()


@pytest.fixture
def ann(behind, nginx, wire, play):
    wire.forget()
    play("retail")
    yield Client(nginx.url, behind.token_of("ann@example.org"))
    wire.forget()


def test_events_come_at_once_and_not_packed(behind, nginx, ann, wire):
    """Also before the model has sent anything."""
    held = wire.hold(players.PLANNER)
    chat = ann.new_chat(behind.ontologies["retail"], "openai")
    _, message = ann.new_message(chat, QUESTION)
    stream = ann.stream("POST", f"/api/data-agent/chats/{chat}/messages/"
                                f"{message}/stream",
                        headers={"Accept-Encoding": "gzip"})
    assert stream.status == 200
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert "content-encoding" not in stream.headers
    stream.wait_for("llm_call_start")
    # Comments keep an idle stream open.
    wait_until(lambda: b"\n: " in stream.body, what="a comment")
    assert not held.released.is_set()
    held.released.set()
    events = stream.finish()
    check_stream(events)
    assert events[-1].type == "message_complete"
    direct = Client(behind.url, ann.token).follow(message).finish()
    assert [(e.id, e.data) for e in direct] == [(e.id, e.data) for e in events]


def test_an_answer_is_joined_and_left_through_it(behind, ann):
    chat = ann.new_chat(behind.ontologies["retail"], "openai")
    answer = ann.ask(chat, QUESTION)
    assert answer.complete
    rest = ann.follow(answer.message_id, last_event_id="3").finish()
    assert [e.id for e in rest] == [e.id for e in answer.events][3:]


def test_too_much_is_refused_in_the_servers_words(behind, ann):
    much = b'{"content": "' + b"x" * (1024 * 1024) + b'"}'
    reply = ann.post("/api/data-agent/chats", much)
    direct = Client(behind.url, ann.token).post("/api/data-agent/chats", much)
    for answer in (reply, direct):
        assert answer.status == 413
        assert answer.headers["x-request-id"] == answer.json["requestId"]
    for name in ("statusCode", "code", "message"):
        assert reply.json[name] == direct.json[name]


def raw(url, request):
    """Everything received until the other side closes."""
    at = urlsplit(url)
    with socket.create_connection((at.hostname, at.port), timeout=60) as s:
        s.sendall(request)
        return b"".join(iter(lambda: s.recv(65536), b""))


def test_http_1_0_needs_no_host(nginx, ann):
    for head in (b"GET /healthz HTTP/1.0\r\n\r\n",
                 b"GET /api/auth/me HTTP/1.0\r\nAuthorization: Bearer " +
                 ann.token.encode() + b"\r\n\r\n"):
        status, _, rest = raw(nginx.url, head).partition(b"\r\n")
        assert status.split()[1] == b"200", (head, rest)


def test_figures_are_not_for_those_outside(nginx, behind):
    assert Client(nginx.url).get("/metrics").status == 404
    assert Client(behind.url).get("/metrics").status == 200


def test_a_reload_is_not_seen_through_it(behind, nginx):
    answers, over = [], threading.Event()

    def knock():
        while not over.is_set():
            try:
                reply = Client(nginx.url).get("/readyz")
                answers.append((reply.status, reply.body))
            except (OSError, http.client.HTTPException) as problem:
                answers.append((problem, b""))

    threads = [threading.Thread(target=knock) for _ in range(3)]
    for thread in threads:
        thread.start()
    old = behind.worker()
    try:
        os.kill(behind.process.pid, signal.SIGHUP)
        wait_until(lambda: "settings reloaded" in behind.log_text(),
                   what="the reload")
        wait_until(lambda: not os.path.exists(f"/proc/{old}"),
                   what="the end of the old worker")
    finally:
        over.set()
        for thread in threads:
            thread.join()
    refused = [a for a in answers if a[0] != 200 and b"database" not in a[1]]
    assert answers and not refused, refused[:3]


# ---- two servers ------------------------------------------------------------


@pytest.fixture
def two(source, tmp_path):
    """On one database, behind one nginx."""
    settings = dict(SANDBOX_URL="off", RUNS_PER_USER=0, LOG_LEVEL="warn",
                    DATABASE_URL=source.make_database("rolling"),
                    JWT_SECRET="a secret of both of them " * 2,
                    CREDENTIALS_KEY="c1" * 32)
    with contextlib.ExitStack() as after:
        one = fixtures.open_service(source, PORT=free_port(), **settings)
        after.callback(one.remove)
        other = Server(PORT=free_port(), **settings)
        after.callback(other.remove)
        other.start()
        nginx = Nginx(tmp_path, one.url, other.url)
        after.callback(nginx.close)
        yield one, other, Client(nginx.url, one.token_of("ann@example.org"))
    source.psql("postgres", "drop database rolling")


def test_a_rolling_restart_loses_nothing(two):
    """Restarts one server after the other: neither reads nor writes nor questions are
    refused."""
    one, other, ann = two
    ontology = one.ontologies["retail"]
    problems, answered, over = [], dict.fromkeys(("read", "wrote", "asked"), 0), \
        threading.Event()

    def read():
        reply = ann.get("/api/ontologies")
        assert reply.status == 200, reply

    def wrote():
        ann.new_chat(ontology)

    def asked():
        answer = ann.ask(ann.new_chat(ontology), QUESTION)
        assert answer.complete, answer

    def go_on(what):
        while not over.is_set():
            try:
                what()
                answered[what.__name__] += 1
            except Exception as problem:  # reported after the threads have ended
                problems.append((what.__name__, repr(problem)[:500]))

    threads = [threading.Thread(target=go_on, args=(what,))
               for what in (read, read, wrote, asked, asked)]
    for thread in threads:
        thread.start()
    try:
        for server in (one, other):
            before = dict(answered)
            assert server.stop() == 0
            wait_until(lambda: problems or
                       all(answered[k] > before[k] for k in answered),
                       what="answers of the other server")
            server.start()
            time.sleep(2.5)  # nginx asks it again after fail_timeout
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert not problems, (len(problems), problems[:3])
