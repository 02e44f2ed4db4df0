"""Measures the time from a request to the warm sandbox until the first line of the
program runs."""
import http.client
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = ROOT / "build" / "venv" / "bin" / "python3"
CLOCK = json.dumps({"code": "import time; print(time.clock_gettime(time.CLOCK_BOOTTIME))"})


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("sandbox", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self.path))


def ask(path):
    """Returns (ms until the first line, ms until the answer)."""
    connection = UnixConnection(path)
    asked = time.clock_gettime(time.CLOCK_BOOTTIME)
    connection.request("POST", "/execute", CLOCK)
    answer = json.loads(connection.getresponse().read())
    over = time.clock_gettime(time.CLOCK_BOOTTIME)
    connection.close()
    return (float(answer["stdout"]) - asked) * 1000, (over - asked) * 1000


def python_start_ms(times):
    """Returns (start p50, start p99, answer p50) of consecutive runs; None without a
    Python environment."""
    if not PYTHON.exists():
        return None
    with tempfile.TemporaryDirectory(prefix="sextant-bench-") as folder:
        os.chmod(folder, 0o755)
        path = pathlib.Path(folder) / "sandbox.sock"
        server = subprocess.Popen(
            [PYTHON, ROOT / "sandbox" / "server.py", "--die-with-parent", "--socket", path],
            env={"PATH": "/usr/bin:/bin", "SANDBOX_WORK": folder}, stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        try:
            for line in server.stderr:
                if "sandbox ready" in line:
                    break
            else:
                return None
            threading.Thread(target=server.stderr.read, daemon=True).start()
            for _ in range(5):
                ask(path)
            seen = [ask(path) for _ in range(times)]
        finally:
            server.terminate()
            server.wait(60)
    starts = sorted(start for start, _ in seen)
    answers = sorted(answer for _, answer in seen)
    return starts[times // 2], starts[times * 99 // 100], answers[times // 2]
