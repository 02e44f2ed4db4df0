"""Fixtures: a real server on a unix socket, started by root and by a plain user."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = os.path.join(HERE, "..", "..", "sandbox", "server.py")
PYTHON = os.environ.get("SANDBOX_PYTHON", sys.executable)
CANARY = "canary-7d1f0c"
PLAIN_UID = 64999


class UnixConnection(http.client.HTTPConnection):
    """Also a context manager."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __init__(self, path, timeout=240):
        super().__init__("sandbox", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Server:
    """Waits for the line that says it is ready, or for one of `awaited`."""

    started = []

    def __init__(self, uid=None, arguments=(), environment=None, tcp=False,
                 python=PYTHON, awaited=("sandbox ready", "sandbox unsafe")):
        self.folder = tempfile.mkdtemp(prefix="sandbox-test-")
        os.chmod(self.folder, 0o755)
        if uid is not None:
            os.chown(self.folder, uid, uid)
        self.socket = os.path.join(self.folder, "s.sock")
        where = ["--host", "127.0.0.1", "--port", "0"] if tcp else [
            "--socket", self.socket]
        prefix = [] if uid is None else [
            "setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
        self.process = subprocess.Popen(
            prefix + [python, SERVER, "--die-with-parent", *where,
                      *arguments],
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
            env={"PATH": "/usr/bin:/bin", "SECRET": CANARY,
                 "SANDBOX_WORK": self.folder, **(environment or {})})
        Server.started.append(self)
        self.lines = []
        self.ready = self.wait_for(*awaited)

    def wait_for(self, *messages):
        for line in self.process.stderr:
            self.lines.append(line)
            entry = json.loads(line)
            if entry["msg"] in messages:
                return entry
        raise AssertionError("the server ended:\n" + "".join(self.lines))

    def drain(self):
        """Stops reading the log, which must not block the server."""
        import threading
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        return self

    def request(self, method, path, body=None, headers=None, timeout=240):
        connection = UnixConnection(self.socket, timeout)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, json.loads(response.read()), response
        finally:
            connection.close()

    def execute(self, code, **fields):
        body = json.dumps({"code": code, **fields})
        status, answer, _ = self.request("POST", "/execute", body)
        return status, answer

    @contextlib.contextmanager
    def endless(self, number):
        """Runs this many executions, which end when their clients disconnect."""
        body = b'{"code": "while True: pass", "timeout": 120}'
        with contextlib.ExitStack() as stack:
            for _ in range(number):
                sock = stack.enter_context(socket.socket(socket.AF_UNIX))
                sock.connect(self.socket)
                sock.sendall(b"POST /execute HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s"
                             % (len(body), body))
            yield

    def health(self):
        return self.request("GET", "/health")[:2]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(60)
        finally:
            self.process.kill()
            shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def no_server_is_left():
    yield
    for server in Server.started:
        if server.process.poll() is None:
            server.stop()


def descendants(pid):
    """{pid: number of threads} of all processes below `pid`."""
    found = {}
    for child in _children(pid):
        try:
            found[child] = len(os.listdir(f"/proc/{child}/task"))
        except OSError:
            continue
        found.update(descendants(child))
    return found


def _children(pid):
    for task in _tasks(pid):
        try:
            with open(f"/proc/{pid}/task/{task}/children") as file:
                yield from map(int, file.read().split())
        except OSError:
            continue


def _tasks(pid):
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def modes():
    return ["root", "user"] if os.geteuid() == 0 else ["self"]


@pytest.fixture(scope="session", params=modes())
def server(request):
    uid = PLAIN_UID if request.param == "user" else None
    server = Server(uid).drain()
    yield server
    assert server.stop() == 0
