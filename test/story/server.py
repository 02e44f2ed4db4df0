"""The server under test: the real program, in a home of its own."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from client import Client
from places import BUILD, PATIENCE, PROGRAM, Lines, until


def environment(**settings):
    """Nothing of the machine's own settings but where programs are."""
    kept = {k: v for k, v in os.environ.items()
            if k in ("PATH", "SANDBOX_PYTHON", "ASAN_OPTIONS", "UBSAN_OPTIONS")}
    kept.update({"HOME": "/nonexistent", "LC_ALL": "C.UTF-8"})
    kept.update({k: str(v) for k, v in settings.items() if v is not None})
    return kept


def children(pid):
    """Processes that `pid` started, by what they run."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text()
            words = (entry / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue  # it has ended meanwhile
        if int(stat.rpartition(")")[2].split()[1]) == pid:
            found[int(entry.name)] = words
    return found


class Server:
    """`sextant serve`. Settings are those of its environment."""

    def __init__(self, **settings):
        self.home = Path(tempfile.mkdtemp(prefix="sx-", dir="/tmp"))
        self.settings = {"SEXTANT_HOME": self.home, "PORT": 0,
                         "LOG_LEVEL": "info", **settings}
        self.process = self.out = self.log = self.url = None
        self.tokens = {}

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, "serve"], env=environment(**self.settings),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd="/")
        self.out, self.log = Lines(self.process.stdout), Lines(self.process.stderr)
        try:
            line = self.out.wait_for("http://")
        except AssertionError as e:
            raise AssertionError(f"{e}\n{self.log.text()}") from None
        self.url = line[line.index("http://"):].split()[0]
        return self

    def stop(self):
        """Ends it as an operator does; its exit status."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode if self.process else None

    def close(self):
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def sextant(self, *words, check=True, stdin=None):
        """Another command of the program, with the same home and settings."""
        done = subprocess.run([PROGRAM, *map(str, words)],
                              env=environment(**self.settings), input=stdin,
                              capture_output=True, cwd="/", timeout=PATIENCE * 3)
        assert not check or done.returncode == 0, \
            f"{words}: {done.returncode}\n{done.stdout.decode()}\n" \
            f"{done.stderr.decode()}"
        return done

    def token(self, email, role="contributor"):
        if (email, role) not in self.tokens:
            done = self.sextant("token", "--user", email, "--role", role)
            self.tokens[email, role] = done.stdout.decode().strip()
        return self.tokens[email, role]

    def client(self, email="ann@example.org", role="contributor"):
        return Client(self.url, self.token(email, role))

    def connect(self, name, url):
        self.sextant("connection", "add", name, url)

    def import_model(self, path, connection, *more):
        """The id of the ontology."""
        done = self.sextant("import", path, "--connection", connection, *more)
        return done.stdout.decode().split()[-1]

    def processes(self, kind):
        """Pids of its `worker`s, `server.py` (the sandbox) or `postgres`."""
        found = children(self.process.pid)
        return sorted(pid for pid, words in found.items()
                      if any(w == kind or w.endswith("/" + kind) for w in words))

    def one(self, kind):
        return until(f"a process {kind}", lambda: self.processes(kind))[0]

    def metric(self, name):
        """The value of a metric's line."""
        text = Client(self.url).get("/metrics").body.decode()
        for line in text.splitlines():
            if line.startswith(f"sextant_{name} "):
                return float(line.split()[-1])
        raise AssertionError(f"no metric {name}:\n{text}")

    def ready(self):
        until("/readyz", lambda: self.reachable("/readyz"))

    def reachable(self, path="/healthz"):
        try:
            return Client(self.url).get(path).status == 200
        except OSError:
            return False

    def log_lines(self, wanted):
        """Log lines about something, decoded."""
        return [json.loads(line) for line in list(self.log.said)
                if line and wanted in line and line.startswith("{")]


__all__ = ["Server", "environment", "children", "BUILD"]
