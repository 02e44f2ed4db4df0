"""New settings without downtime (SIGHUP), and the messages to systemd."""
import os
import shutil
import signal
import socket
import subprocess
import threading

import pytest

from kit import fixtures, players
from kit.client import Client, check_stream
from kit.server import Server
from sextant import (PROGRAM, ROOT, alive, command_line, descendants, environment,
                     wait_until)

QUESTION = "revenue by city in 2025"
ORIGIN = "https://page.example"


@pytest.fixture
def home():
    it = Server(SANDBOX_URL="off")
    yield it
    it.remove()


@pytest.fixture(scope="module")
def two():
    """A server with two workers; a test that reloads it restores the settings."""
    it = Server(SANDBOX_URL="off", WORKERS=2)
    it.start()
    yield it
    it.remove()


@pytest.fixture
def server(two):
    yield two
    (two.home / "config.yaml").unlink(missing_ok=True)
    reload(two)
    wait_until(lambda: len(workers(two)) == 2, what="the end of the old workers")


def workers(server):
    return {pid for pid in descendants(server.process.pid)
            if "worker" in command_line(pid)}


def write_settings(server, text):
    (server.home / "config.yaml").write_text(text)


def hup(server):
    os.kill(server.process.pid, signal.SIGHUP)


def reload(server, times=1):
    """Until the new workers serve."""
    before = server.log_text().count("settings reloaded")
    hup(server)
    wait_until(lambda: server.log_text().count("settings reloaded") ==
               before + times, what="the reload")


def allows(server):
    _, headers, _ = server.request("GET", "/healthz",
                                   headers={"Origin": ORIGIN})
    return headers["Access-Control-Allow-Origin"]


# ---- settings ---------------------------------------------------------------


def test_sighup_brings_new_settings_and_refuses_nobody(server):
    before = workers(server)
    assert len(before) == 2
    answers, over = [], threading.Event()

    def knock():
        while not over.is_set():
            try:
                answers.append(server.call("GET", "/readyz"))
            except OSError as problem:
                answers.append((problem, None))

    threads = [threading.Thread(target=knock) for _ in range(4)]
    for thread in threads:
        thread.start()
    write_settings(server, f"cors_origins: [{ORIGIN}]\nlog_level: debug\n")
    try:
        reload(server)
        wait_until(lambda: not any(map(alive, before)),
                   what="the end of the old workers")
    finally:
        over.set()
        for thread in threads:
            thread.join()
    # A slow database on a busy machine is not the fault of the reload.
    refused = [a for a in answers if a[0] != 200 and
               "database" not in str(a[1])]
    assert answers and not refused, refused[:3]
    assert allows(server) == ORIGIN
    # And again: the other generation's slot is free.
    write_settings(server, "log_level: info\n")
    reload(server)
    wait_until(lambda: allows(server) is None, what="the old settings")


def test_bad_settings_are_told_and_the_old_ones_stay(server):
    before = workers(server)
    for text, told in [
            (f"cors_origins: [{ORIGIN}]\n log_level: debug\n", "line 2, column "),
            ("log_level: debug\n  &a: *b\n", "line 2, column "),
            ("log_level: loud\n", "config.yaml:1:1")]:
        write_settings(server, text)
        told_before = server.log_text().count("the old ones stay")
        hup(server)
        wait_until(lambda: server.log_text().count("the old ones stay") >
                   told_before, what="a complaint")
        line = server.log_entries("the old ones stay")[-1]
        assert told in line["detail"], line
    assert allows(server) is None
    assert workers(server) == before


def test_settings_with_which_no_worker_can_live_change_nothing(server):
    before, token = workers(server), server.token()
    secret = server.home / "jwt_secret"
    good, told = secret.read_text(), len(server.log_entries("the old ones stay"))
    secret.write_text("cut off")
    try:
        hup(server)
        wait_until(lambda: len(server.log_entries("the old ones stay")) > told,
                   what="a complaint")
        wait_until(lambda: workers(server) == before,
                   what="the end of the new workers")
        assert server.call("GET", "/api/ontologies", token)[0] == 200
    finally:
        secret.write_text(good)


def test_what_needs_a_restart_is_told_and_stays(server):
    url = server.url
    write_settings(server, f"host: 127.0.0.2\ncors_origins: [{ORIGIN}]\n")
    reload(server)
    told = server.log_entries("setting not changed")
    assert [entry["detail"] for entry in told] == ["HOST needs a restart"]
    assert server.url == url
    wait_until(lambda: allows(server) == ORIGIN, what="the new workers")


@pytest.fixture
def asked(source, wire, play):
    """A server with a run whose model does not answer yet."""
    def asked(**settings):
        wire.forget()
        play("retail")
        it = fixtures.open_service(source, SANDBOX_URL="off", **settings,
                                   **fixtures.model_settings(wire.url))
        servers.append(it)
        held = wire.hold(players.SQL_BUILDER)
        client = it.client()
        chat = client.new_chat(it.ontologies["retail"], "openai")
        stream, message = client.start(chat, QUESTION)
        held.wait()
        return it, client, held, stream, message
    servers = []
    yield asked
    for it in servers:
        it.remove()


def test_a_run_goes_on_while_its_worker_drains(asked):
    server, client, held, stream, message = asked()
    reload(server)
    hup(server)  # heard when this one is over
    assert Client(server.url, client.token).get("/api/ontologies").status == 200
    held.released.set()
    events = stream.finish()
    check_stream(events)
    assert events[-1].type == "message_complete"
    assert "phase_restart" not in [e.type for e in events]
    wait_until(lambda: server.log_text().count("settings reloaded") == 2,
               what="the second reload")


def test_what_the_old_worker_does_not_end_the_new_one_takes_up(asked):
    server, client, held, stream, message = asked(DRAIN_MS=100)
    reload(server)
    seen = stream.finish()
    assert seen[-1].type not in ("message_complete", "message_error")
    held.released.set()
    events = client.follow(message).finish()
    check_stream(events)
    assert events[-1].type == "message_complete"
    assert "phase_restart" in [e.type for e in events]
    assert [e.data for e in events[:len(seen)]] == [e.data for e in seen]


# ---- the end ----------------------------------------------------------------


def test_a_draining_server_answers_to_its_end(asked):
    """Also on new connections, of which each gets one answer; new runs go
    elsewhere."""
    server, client, held, stream, message = asked(RUNS_PER_USER=0)
    chat = client.new_chat(server.ontologies["retail"], "openai")
    _, another = client.new_message(chat, QUESTION)
    os.kill(server.process.pid, signal.SIGTERM)
    wait_until(lambda: server.log_entries("draining"), what="the drain")
    for _ in range(10):
        alive_reply, ready = client.get("/healthz"), client.get("/readyz")
        assert (alive_reply.status, ready.status) == (200, 503)
        assert "shutting down" in ready.json["message"]
        assert client.get("/api/ontologies").status == 200
        refused = client.post(
            f"/api/data-agent/chats/{chat}/messages/{another}/stream")
        assert refused.status == 503 and refused.code == "UNAVAILABLE"
        for reply in (ready, refused):
            assert int(reply.headers["retry-after"]) >= 1
        for reply in (alive_reply, ready, refused):
            assert reply.headers["connection"] == "close"
    held.released.set()
    events = stream.finish()
    check_stream(events)
    assert events[-1].type == "message_complete"
    assert server.process.wait(60) == 0
    with pytest.raises(ConnectionRefusedError):
        client.get("/healthz")


# ---- systemd ----------------------------------------------------------------


class Manager:
    """The end of NOTIFY_SOCKET that systemd has."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)
        self.states = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            self.states.append(self.socket.recv(4096).decode().split("\n"))

    def wait_for(self, wanted, after=0):
        """The number of states that were sent before it."""
        def look():
            for n, state in enumerate(self.states[after:], after + 1):
                if wanted in state:
                    return n
            return None
        return wait_until(look, what=wanted)


@pytest.mark.parametrize("abstract", [
    False, pytest.param(True, marks=pytest.mark.long)])
def test_systemd_hears_how_it_stands(home, abstract):
    path = f"\0{home.home}/notify" if abstract else str(home.home / "notify")
    manager = Manager(path)
    home.start(NOTIFY_SOCKET=path.replace("\0", "@"), WATCHDOG_USEC=100000)
    manager.wait_for("EXTEND_TIMEOUT_USEC=30000000")
    ready = manager.wait_for("READY=1")
    manager.wait_for("WATCHDOG=1", ready)
    reload(home)
    again = manager.wait_for("RELOADING=1", ready)
    assert any(line.startswith("MONOTONIC_USEC=")
               for line in manager.states[again - 1])
    manager.wait_for("READY=1", again)
    assert home.stop() == 0
    manager.wait_for("STOPPING=1", again)


def test_a_socket_that_was_handed_over_is_served(home):
    given = socket.create_server(("127.0.0.1", 0))
    script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"'
    process = subprocess.Popen(
        ["sh", "-c", script, PROGRAM, "serve"], pass_fds=(3,),
        preexec_fn=lambda: os.dup2(given.fileno(), 3),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(**{**home.settings, "PORT": 1, "WORKERS": 2}))
    try:
        line = process.stdout.readline().decode().strip()
        home.url = line.split(": ", 1)[1]
        assert home.url == f"http://127.0.0.1:{given.getsockname()[1]}"
        assert {home.call("GET", "/healthz")[0] for _ in range(20)} == {200}
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        process.stdout.close()
    # The socket is still open here, and the next server serves what waits there.
    socket.create_connection(given.getsockname()).close()
    given.close()


def test_a_descriptor_that_does_not_listen_is_refused(home):
    with open(os.devnull) as nothing:
        done = subprocess.run(
            ["sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"', PROGRAM,
             "serve"], pass_fds=(3,),
            preexec_fn=lambda: os.dup2(nothing.fileno(), 3),
            capture_output=True, text=True, timeout=60,
            env=environment(**home.settings))
    assert done.returncode == 1 and "LISTEN_FDS" in done.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"),
                    reason="systemd-analyze is not here")
def test_the_unit_file_is_one(tmp_path):
    """With fake programs instead of the installed ones."""
    text = (ROOT / "deploy" / "sextant.service").read_text()
    unit = tmp_path / "sextant.service"
    unit.write_text(text.replace("/usr/local/bin/sextant", PROGRAM))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)],
                          capture_output=True, text=True, timeout=60)
    ours = [line for line in done.stderr.splitlines() if "sextant" in line]
    assert done.returncode == 0 and not ours, done.stderr
