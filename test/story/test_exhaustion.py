"""Exhausted resources: descriptors, the disk, memory, slow readers, a clock that jumps.
The server survives, reports it, and recovers."""
import contextlib
import os
import pathlib
import re
import selectors
import shutil
import socket
import subprocess
import tempfile
import time
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import pytest

import sextant
from kit import fixtures, players
from kit.client import Client, check_stream
from kit.server import Server
from sextant import PROGRAM, wait_until

QUESTION = "revenue by city in 2025"
FAKETIME = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


@pytest.fixture
def quiet_wire(wire, play):
    wire.forget()
    play("retail")
    yield wire
    wire.forget()


def begin(server, client, provider="openai"):
    return client.start(client.new_chat(server.ontologies["retail"], provider),
                        QUESTION)


def healthy(server):
    return Client(server.url).get("/healthz").status == 200


# ---- descriptors ------------------------------------------------------------


def test_without_descriptors_what_is_under_way_goes_on(source, quiet_wire,
                                                       monkeypatch, tmp_path):
    """With 64 descriptors: idle connections are closed, and some descriptors are reserved
    for the database and the model."""
    few = tmp_path / "few"
    few.write_text(f'#!/bin/sh\nulimit -n 64\nexec {PROGRAM} "$@"\n')
    few.chmod(0o755)
    with monkeypatch.context() as change:
        change.setattr(sextant.Server, "program", str(few))
        server = fixtures.open_service(
            source, SANDBOX_URL="off", DATABASE_URL=source.make_database("few"),
            **fixtures.model_settings(quiet_wire.url))
    try:
        limits = pathlib.Path(f"/proc/{server.worker()}/limits").read_text()
        assert re.search(r"^Max open files +64 ", limits, re.M), limits
        client = server.client()
        held = quiet_wire.hold(players.PLANNER)
        stream, message = begin(server, client)
        held.wait()
        at = urlsplit(server.url)
        with contextlib.ExitStack() as open_ones:
            for _ in range(200):
                open_ones.enter_context(socket.create_connection(
                    (at.hostname, at.port), timeout=30))
            assert healthy(server), "a new client is served"
            held.released.set()
            events = stream.finish()
            check_stream(events)
            assert events[-1].type == "message_complete"
            # It waits for descriptors without spinning, which its log would show.
            assert len(server.log_entries("cannot accept")) < 100
        assert healthy(server)
        assert server.client().ask(client.new_chat(
            server.ontologies["retail"], "builtin"), QUESTION).complete
    finally:
        server.remove()


# ---- readers ----------------------------------------------------------------


@pytest.mark.long
def test_a_thousand_streams_of_one_user_hear_the_same_end(source, quiet_wire):
    server = fixtures.open_service(source, SANDBOX_URL="off",
                                   **fixtures.model_settings(quiet_wire.url))
    readers, n = {}, 1000
    try:
        client = server.client()
        held = quiet_wire.hold(players.PLANNER)
        stream, message = begin(server, client)
        held.wait()
        at = urlsplit(server.url)
        request = (f"GET /api/data-agent/messages/{message}/events HTTP/1.1\r\n"
                   f"Host: {at.netloc}\r\nAuthorization: Bearer {client.token}\r\n"
                   "\r\n").encode()
        selector = selectors.DefaultSelector()
        for _ in range(n):
            it = socket.create_connection((at.hostname, at.port), timeout=60)
            it.sendall(request)
            it.setblocking(False)
            readers[it] = b""
            selector.register(it, selectors.EVENT_READ)
        assert healthy(server)
        held.released.set()
        ended, end = 0, time.monotonic() + 120
        while ended < n and time.monotonic() < end:
            for key, _ in selector.select(1):
                got = key.fileobj.recv(65536)
                readers[key.fileobj] += got
                if not got or readers[key.fileobj].endswith(b"0\r\n\r\n"):
                    selector.unregister(key.fileobj)
                    ended += 1
        assert ended == n
        assert all(raw.count(b"event: message_complete") == 1
                   for raw in readers.values())
        stream.finish()
    finally:
        for it in readers:
            it.close()
        server.remove()


@pytest.mark.long
def test_readers_that_do_not_read_cost_a_bounded_queue(source, quiet_wire, play):
    """They are closed; the run and other readers continue."""
    words = " ".join(["The table shows the revenue of each city."] * 300)
    play("retail", [{**players.says(players.EXPLAINER, QUESTION, words),
                     "chunkSize": 1}])
    server = fixtures.open_service(source, SANDBOX_URL="off",
                                   **fixtures.model_settings(quiet_wire.url))
    slow = []
    try:
        client = server.client()
        held = quiet_wire.hold(players.EXPLAINER)
        stream, message = begin(server, client)
        held.wait()
        at = urlsplit(server.url)
        for _ in range(200):
            it = socket.socket()
            it.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            it.connect((at.hostname, at.port))
            it.sendall(f"GET /api/data-agent/messages/{message}/events HTTP/1.1\r\n"
                       f"Host: {at.netloc}\r\nAuthorization: Bearer {client.token}"
                       "\r\n\r\n".encode())
            slow.append(it)
        before = resident_mb(server.worker())
        held.released.set()
        events = stream.finish(120)
        check_stream(events)
        assert events[-1].data["content"].startswith(words)
        assert resident_mb(server.worker()) - before < 600
        assert healthy(server)
    finally:
        for it in slow:
            it.close()
        server.remove()
        play("retail")


# What all streams of a worker may hold, and what else 600 connections cost.
STREAM_MB, OTHER_MB = 16, 24


@pytest.fixture(scope="module")
def long_log(source, aimock):
    """A server with little memory for streams, and a message whose event log is
    2.8 MB, as many large artifacts leave it."""
    server = fixtures.open_service(
        source, SANDBOX_URL="off", DATABASE_URL=source.make_database("long_log"),
        STREAM_BYTES=STREAM_MB * 2**20)
    client = server.client()
    answer = client.ask(client.new_chat(server.ontologies["retail"], "builtin"),
                        QUESTION)
    assert answer.complete
    source.psql("long_log", f"""insert into run_events
select '{answer.message_id}', n, n, 'event: phase_artifact' || chr(10) ||
  'data: {{"type":"phase_artifact","phase":"explainer","artifact":"' ||
  repeat('x', 40000) || '"}}' || chr(10) || 'id: ' || n || chr(10) || chr(10)
from generate_series({answer.events[-1].id}, {answer.events[-1].id} + 69) n""")
    yield server, client, answer.message_id
    server.remove()


def ask_for(server, client, message, n):
    """As many readers of the log that do not read."""
    at = urlsplit(server.url)
    asked = (f"GET /api/data-agent/messages/{message}/events HTTP/1.1\r\n"
             f"Host: {at.netloc}\r\nAuthorization: Bearer {client.token}"
             "\r\n\r\n").encode()
    readers = []
    for _ in range(n):
        it = socket.socket()
        it.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        it.connect((at.hostname, at.port))
        it.sendall(asked)
        readers.append(it)
    return readers


@pytest.mark.long
@pytest.mark.parametrize("n", [300, 600])
def test_readers_of_a_long_log_share_one_budget(long_log, n):
    """They never read: their total memory is bounded and freed, a client that reads gets
    everything meanwhile, and they are closed in the end."""
    server, client, message = long_log
    path = f"/api/data-agent/messages/{message}/events"
    whole = client.get(path).body.count(b"\nid: ")
    before = resident_mb(server.worker())
    readers = ask_for(server, client, message, n)
    try:
        wait_until(lambda: server.metric("event_streams"), what="the readers")
        most = 0

        def closed():
            nonlocal most
            most = max(most, resident_mb(server.worker()))
            return server.metric("event_streams") == 0

        assert client.get(path).body.count(b"\nid: ") == whole
        wait_until(closed, 60, what="the end of those who do not read")
        assert most - before < STREAM_MB + OTHER_MB
        wait_until(lambda: resident_mb(server.worker()) - before < OTHER_MB,
                   what="the memory that is given back")
    finally:
        for it in readers:
            it.close()


def resident_mb(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


# ---- the disk ---------------------------------------------------------------


@pytest.fixture
def small_disk():
    """A private file system; skips the test if it cannot be mounted."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sx-disk-", dir="/tmp"))
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=220m,mode=755",
                           "tmpfs", str(folder)], capture_output=True, check=False)
    if done.returncode != 0:
        folder.rmdir()
        pytest.skip("no file system may be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)
    folder.rmdir()


def fill(folder):
    """Fills the disk to the last byte."""
    path = folder / "ballast"
    with open(path, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    if file.write(b"x" * size) < size:
                        break
    return path


@pytest.mark.long
def test_a_full_disk_is_told_and_over_when_there_is_room(source, small_disk):
    """The database cannot write, nor can the log."""
    server = Server(SANDBOX_URL="off", RUNS_PER_USER=0)
    shutil.rmtree(server.home)
    server.home = small_disk / "home"
    server.home.mkdir(mode=0o700)
    server.settings["SEXTANT_HOME"] = server.home
    try:
        server.start()
        server.connect("retail", source.url("retail"))
        server.ontologies["retail"] = server.import_model(
            fixtures.MODELS["retail"], "retail")
        client = server.client()
        chat = client.new_chat(server.ontologies["retail"], "builtin")
        assert client.ask(chat, QUESTION).complete
        ballast = fill(small_disk)
        statuses = set()

        def refused():
            reply = client.post("/api/data-agent/chats",
                                {"ontologyId": server.ontologies["retail"],
                                 "name": "x" * 200})
            statuses.add(reply.status)
            assert reply.status in (201, 503), reply.body
            return reply.status == 503

        wait_until(refused, what="a refusal")
        assert healthy(server)
        assert client.get("/api/ontologies").status in (200, 503)
        ballast.unlink()
        wait_until(lambda: Client(server.url).get("/readyz").status == 200,
                   what="readiness")
        wait_until(lambda: client.post(
            "/api/data-agent/chats",
            {"ontologyId": server.ontologies["retail"]}).status == 201,
            what="a chat")
        chat = client.new_chat(server.ontologies["retail"], "builtin")
        assert client.ask(chat, QUESTION).complete
    finally:
        server.remove()


# ---- memory -----------------------------------------------------------------


def test_without_memory_for_the_first_admin_the_next_start_makes_it(source):
    """36 MB are enough to prepare the database, not to hash a password."""
    server = Server(SANDBOX_URL="off")
    try:
        server.start()
        server.psql("update users set password_hash = null")
        done = subprocess.run(
            ["sh", "-c", f"ulimit -v 36864; exec {PROGRAM} prepare serve"],
            capture_output=True, text=True, timeout=60, check=True,
            env=sextant.environment(**server.settings))
        assert "no first admin" in done.stderr
        assert "not enough memory" in done.stderr
        told = server.log_text().count("The first admin is")
        server.stop()
        server.start()
        assert server.log_text().count("The first admin is") == told + 1
    finally:
        server.remove()


def test_a_server_under_a_limit_of_its_own_keeps_it(source, tmp_path,
                                                    monkeypatch):
    """A limit stricter than the one for PostgreSQL, which then still
    starts."""
    few = tmp_path / "few"
    few.write_text(f'#!/bin/sh\nulimit -v 450000\nexec {PROGRAM} "$@"\n')
    few.chmod(0o755)
    with monkeypatch.context() as change:
        change.setattr(sextant.Server, "program", str(few))
        server = Server(SANDBOX_URL="off")
        try:
            server.start()
            limits = pathlib.Path(f"/proc/{server.postgres()}/limits").read_text()
            most = re.search(r"^Max address space +(\d+) ", limits, re.M)
            assert int(most[1]) <= 450000 * 1024, limits
        finally:
            server.remove()


# ---- the clock ----------------------------------------------------------------


@pytest.fixture
def movable(tmp_path, monkeypatch):
    """A program whose workers see the time in `clock`."""
    if FAKETIME is None:
        pytest.skip("libfaketime is not here")
    real = pathlib.Path(PROGRAM).resolve()
    clock = tmp_path / "clock"
    clock.write_text("+0\n")
    supervisor = real.with_name("sextant-supervisor")
    shutil.copy(supervisor, tmp_path / "sextant-supervisor")
    program = tmp_path / "sextant"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = worker ] || exec {real} "$@"\n'
        f"export FAKETIME_TIMESTAMP_FILE={clock} FAKETIME_NO_CACHE=1\n"
        "export FAKETIME_DONT_FAKE_MONOTONIC=1\n"
        f'LD_PRELOAD={FAKETIME} exec {real} "$@"\n')
    program.chmod(0o755)

    def start(source, **settings):
        with monkeypatch.context() as change:
            change.setattr(sextant.Server, "program",
                           str(tmp_path / "sextant-supervisor"))
            server = Server(DATA_DIR=sextant.ROOT, **settings)
            server.start()
        servers.append(server)
        server.connect("retail", source.url("retail"))
        server.ontologies["retail"] = server.import_model(
            fixtures.MODELS["retail"], "retail")
        return server

    servers = []
    yield start, lambda text: clock.write_text(text + "\n")
    for server in servers:
        server.remove()


def hour(client):
    return parsedate_to_datetime(client.get("/healthz").headers["date"])


@pytest.mark.long
@pytest.mark.parametrize("jump", ["+3600", "-3600"])
def test_a_clock_that_jumps_moves_no_deadline(source, quiet_wire, movable, jump):
    """Leases, deadlines and heartbeats continue as before; a token of a month stays
    valid."""
    start, set_clock = movable
    server = start(source, SANDBOX_URL="off", HEARTBEAT_MS=1000,
                   RUN_DEADLINE_MS=120000, RUNS_PER_USER=0,
                   **fixtures.model_settings(quiet_wire.url))
    client = server.client()
    held = quiet_wire.hold(players.PLANNER)
    stream, message = begin(server, client)
    held.wait()
    wall = hour(client)
    set_clock(jump)
    wait_until(lambda: abs(hour(client) - wall).total_seconds() > 1800,
               what="the other hour")
    comments = stream.body.count(b"\n: ")
    wait_until(lambda: stream.body.count(b"\n: ") > comments + 3,
               what="comments")
    held.released.set()
    events = stream.finish()
    check_stream(events)
    assert events[-1].type == "message_complete", events[-1].data
    assert "phase_restart" not in [e.type for e in events]
    set_clock("+0")
    again, _ = begin(server, client)
    assert again.finish()[-1].type == "message_complete"
    order = [item["id"] for item in client.get(
        "/api/data-agent/chats").data["items"]]
    assert len(order) == 2
