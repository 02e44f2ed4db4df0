"""A real OpenTelemetry collector (test/collector), and the spans that it wrote."""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request

from kit.collector import Span, attributes, parse
from postgres import free_port
from sextant import ROOT, wait_until

SOURCE = ROOT / "test" / "collector"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()


def program():
    """As .ci/collector names it."""
    text = b"".join((SOURCE / name).read_bytes() for name in ("main.go", "go.mod", "go.sum"))
    return CACHE / "sextant" / f"collector-{hashlib.sha256(text).hexdigest()[:12]}"


def missing():
    """Why there is no collector here; empty: there is one."""
    return "" if program().exists() else "no collector (make deps-check-all builds it)"


class RealCollector:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="collector-"))
        self.out = self.folder / "traces.json"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.config = self.folder / "config.yaml"
        self.config.write_text(
            "receivers: {otlp: {protocols: {http: {endpoint: '127.0.0.1:%d'}}}}\n"
            "exporters: {file: {path: %s, append: true, flush_interval: 50ms}}\n"
            "service: {pipelines: {traces: {receivers: [otlp], exporters: [file]}}}\n"
            % (self.port, self.out))
        self.process = None

    def start(self):
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen([program(), "--config", self.config],
                                        stdout=log, stderr=log)
        wait_until(self.listens, what="the collector")
        return self

    def listens(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.port)) == 0

    def messages(self):
        """What it took, a message of OTLP for each line that is whole."""
        text = self.out.read_text() if self.out.exists() else ""
        return [parse(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def spans(self):
        return [Span(s) for m in self.messages() for r in m.resource_spans
                for scope in r.scope_spans for s in scope.spans]

    def resources(self):
        return [attributes(r.resource) for m in self.messages() for r in m.resource_spans]

    def of(self, trace):
        """The spans of a trace, once its run and the request that asked are there."""
        def look():
            found = [s for s in self.spans() if s.trace == trace]
            ended = {s.name.split()[0] for s in found}
            return found if {"invoke_agent", "POST"} <= ended else None
        return wait_until(look, what=f"the trace {trace}")

    def refuses(self, body):
        """The status that it answers a body with."""
        request = urllib.request.Request(f"{self.url}/v1/traces", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def pause(self, paused):
        self.process.send_signal(signal.SIGSTOP if paused else signal.SIGCONT)

    def stop(self):
        if self.process:
            self.pause(False)
            self.process.terminate()
            self.process.wait(20)
        self.process = None

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
