"""Where things are, and small helpers that every story needs."""
import os
import shutil
import socket
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STORY = ROOT / "test" / "story"
BUILD = Path(os.environ.get("SEXTANT_BUILD", ROOT / "build"))
PROGRAM = BUILD / "sextant"
SHARED_DATA = Path(os.environ.get("SEXTANT_SHARED_DATA",
                                  ROOT.parent / "shared" / "data"))
PATIENCE = float(os.environ.get("SEXTANT_PATIENCE", "60"))


def until(what, look, patience=PATIENCE):
    """Looks until `look` answers something true, and answers that."""
    end = time.monotonic() + patience
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, f"waited {patience:.0f} s for {what}"
        time.sleep(0.02)


def free_port():
    """A port that was free a moment ago, for programs that take no 0."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def find_postgres(program):
    """A program of the newest PostgreSQL on this machine."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"),
                     key=lambda p: int(p.parent.name))
    for folder in reversed(folders):
        if (folder / program).exists():
            return str(folder / program)
    found = shutil.which(program)
    assert found, f"{program} is missing: apt install postgresql"
    return found


class Lines(threading.Thread):
    """Keeps what a program says, and waits for what it will say."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream, self.said, self.news = stream, [], threading.Condition()
        self.start()

    def run(self):
        for line in self.stream:
            with self.news:
                self.said.append(line.decode("utf-8", "replace").rstrip("\n"))
                self.news.notify_all()
        with self.news:
            self.said.append(None)
            self.news.notify_all()

    def wait_for(self, wanted, patience=PATIENCE):
        """The first line that has `wanted` in it."""
        end = time.monotonic() + patience
        seen = 0
        with self.news:
            while True:
                for line in self.said[seen:]:
                    if line is None:
                        raise AssertionError(
                            f"it ended without {wanted!r}:\n{self.text()}")
                    if wanted in line:
                        return line
                seen = len(self.said)
                left = end - time.monotonic()
                assert left > 0, f"no {wanted!r} in {patience:.0f} s:\n{self.text()}"
                self.news.wait(left)

    def text(self):
        return "\n".join(line for line in self.said if line is not None)
