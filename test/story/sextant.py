"""A real server for stories: the program, its home, its HTTP interface.

    server = Server(SANDBOX_URL="off"); server.start()
    token = server.token("ann@example.com", "contributor")
    status, body = server.call("GET", "/api/ontologies", token)
    server.remove()
"""

import http.client
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("SEXTANT_PROGRAM", str(ROOT / "build" / "sextant"))
PATIENCE = 60


def environment(**settings):
    """The environment of every process of a story, without the developer's own keys and
    settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG")
            if name in os.environ}
    if "SANDBOX_PYTHON" in os.environ:
        kept["SANDBOX_PYTHON"] = os.environ["SANDBOX_PYTHON"]
    kept.update({name: str(value) for name, value in settings.items()
                 if value is not None})
    return kept


def wait_until(true, seconds=PATIENCE, what="it"):
    """Polls; returns the result of `true` when it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        got = true()
        if got:
            return got
        select.select([], [], [], 0.02)
    raise AssertionError(f"{what} did not come within {seconds} s")


def alive(pid):
    """Not a zombie either."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []


def descendants(pid):
    found = []
    for child in children(pid):
        found += [child] + descendants(child)
    return found


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace").split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


class Server:
    """One SEXTANT_HOME, and the server in it when it runs."""

    program = PROGRAM

    def __init__(self, **settings):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="sx-", dir="/tmp"))
        self.settings = {"PORT": 0, "SEXTANT_HOME": self.home, **settings}
        self.process = None
        self.url = None

    # ---- its life -------------------------------------------------------

    def begin(self, *arguments, **settings):
        """Starts it without waiting."""
        self.log = open(self.home / "story.log", "ab")
        self.process = subprocess.Popen(
            [self.program, "serve", *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.log,
            env=environment(**{**self.settings, **settings}))
        return self.process

    def start(self, *arguments, **settings):
        process = self.begin(*arguments, **settings)
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        line = process.stdout.readline().decode() if ready else ""
        assert line.startswith("Sextant is up: "), line + self.log_text()
        self.url = line.split(": ", 1)[1].strip()
        return self

    def stop(self, number=signal.SIGTERM, seconds=PATIENCE):
        """Its exit status."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(seconds)
        self.process.stdout.close()
        self.log.close()
        self.process = None
        return status

    def remove(self):
        if self.process is not None and self.process.poll() is None:
            left = descendants(self.process.pid)
            try:
                self.stop(seconds=40)
            except subprocess.TimeoutExpired:
                self.process.kill()
                for pid in left:
                    if alive(pid):
                        os.kill(pid, signal.SIGKILL)
        elif self.process is not None:
            self.stop()
        if (self.home / "server.json").exists():  # one in the background
            self.run("stop", check=False)
        shutil.rmtree(self.home, ignore_errors=True)

    def log_text(self):
        """Its complete lines so far."""
        path = self.home / "story.log"
        text = path.read_text(errors="replace") if path.exists() else ""
        return text[:text.rfind("\n") + 1]

    # ---- its processes --------------------------------------------------

    def _child(self, *words):
        for pid in children(self.process.pid):
            line = " ".join(command_line(pid))
            if all(word in line for word in words) and " launch " not in line:
                return pid
        return None

    def worker(self):
        return wait_until(lambda: self._child("sextant", "worker"),
                          what="the worker")

    def workers(self):
        found = {pid: command_line(pid) for pid in children(self.process.pid)}
        return [pid for pid, words in found.items()
                if "worker" in words and "launch" not in words]

    def postgres(self):
        return wait_until(lambda: self._child("postgres", "-D"),
                          what="PostgreSQL")

    # ---- HTTP -----------------------------------------------------------

    def connection(self, timeout=PATIENCE):
        at = urllib.parse.urlsplit(self.url)
        return http.client.HTTPConnection(at.hostname, at.port,
                                          timeout=timeout)

    def request(self, method, path, token=None, body=None, headers=None):
        """(status, headers, bytes)"""
        connection = self.connection()
        sent = dict(headers or {})
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        try:
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def call(self, method, path, token=None, body=None):
        """(status, what the JSON says)"""
        status, _, raw = self.request(method, path, token, body)
        return status, json.loads(raw) if raw else None

    def stream(self, method, path, token, body=None, headers=None):
        """An open event stream: (status, response); the caller closes it."""
        connection = self.connection(timeout=120)
        sent = {"Authorization": f"Bearer {token}",
                "Accept": "text/event-stream", **(headers or {})}
        data = json.dumps(body).encode() if body is not None else None
        if data:
            sent["Content-Type"] = "application/json"
        connection.request(method, path, data, sent)
        response = connection.getresponse()
        return response.status, response

    # ---- the command line -----------------------------------------------

    def run(self, *arguments, check=True, timeout=180, **settings):
        """A command in the same home."""
        done = subprocess.run(
            [self.program, *map(str, arguments)], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=timeout,
            env=environment(**{**self.settings, **settings}))
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done

    def token(self, email="ann@example.com", role="contributor"):
        return self.run("token", "--user", email, "--role",
                        role).stdout.strip()

    def psql(self, sql, database="sextant", user="sextant"):
        """Rows as lists of texts, from the embedded cluster."""
        done = subprocess.run(
            ["psql", "-qAt", "-F", "\x1f", "-X", "-v", "ON_ERROR_STOP=1",
             "-h", str(self.home / "run" / "postgres"), "-U", user,
             "-d", database, "-c", sql],
            capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return [line.split("\x1f") for line in done.stdout.splitlines()]

    # ---- questions ------------------------------------------------------

    def ontology(self, token, name="retail"):
        _, body = self.call("GET", "/api/ontologies", token)
        for item in body["data"]["items"]:
            if item["name"] == name:
                return item["id"]
        raise AssertionError(f"no ontology {name}")

    def chat(self, token, ontology_id, **more):
        status, body = self.call("POST", "/api/data-agent/chats", token,
                                 {"ontologyId": ontology_id, **more})
        assert status == 201, body
        return body["data"]["id"]

    def ask(self, token, chat_id, question):
        """Asks and reads the whole stream: a list of events."""
        status, body = self.call(
            "POST", f"/api/data-agent/chats/{chat_id}/messages", token,
            {"content": question})
        assert status == 201, body
        message = body["data"]["assistantMessage"]["id"]
        status, response = self.stream(
            "POST",
            f"/api/data-agent/chats/{chat_id}/messages/{message}/stream",
            token)
        assert status == 200, response.read()
        return read_events(response.read())


# ---- readers of event streams ---------------------------------------------


class Event:
    def __init__(self, kind, data, number):
        self.type, self.data, self.id = kind, data, number

    def __repr__(self):
        return f"{self.id} {self.type} {str(self.data)[:200]}"


def read_events(raw):
    """As WHATWG HTML says ("interpreting an event stream")."""
    events, kind, data, last = [], "", [], None
    text = raw.decode().removeprefix("\ufeff")
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line == "":
            if data:
                events.append(Event(kind or "message",
                                    json.loads("\n".join(data)), last))
            kind, data = "", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            kind = value
        elif field == "data":
            data.append(value)
        elif field == "id" and "\0" not in value:
            last = value
    return events


def read_as_seed_000(raw):
    """Every line that begins with "data: "; the type is in the data."""
    return [json.loads(line[6:]) for line in raw.decode().split("\n")
            if line.startswith("data: ")]


def read_as_seed_001(raw):
    """Blocks of which the first line is the type and the second the data."""
    events = []
    for block in raw.decode().split("\n\n")[:-1]:
        if not block.strip() or block.startswith(":"):
            continue
        kind, data = block.split("\n")[:2]
        events.append((kind.replace("event: ", "", 1),
                       json.loads(data.replace("data: ", "", 1))))
    return events
