"""Paths, and a reader of a program's output."""
import os
import threading
import time
from pathlib import Path

from sextant import PATIENCE, ROOT

STORY = ROOT / "test" / "story"
SHARED_DATA = Path(os.environ.get("SEXTANT_SHARED_DATA",
                                  ROOT.parent / "shared" / "data"))


class Lines(threading.Thread):
    """Collects the output of a program, and waits for lines of it."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream, self.said, self.over = stream, [], False
        self.news = threading.Condition()
        self.start()

    def run(self):
        for line in self.stream:
            with self.news:
                self.said.append(line.decode("utf-8", "replace").rstrip("\n"))
                self.news.notify_all()
        with self.news:
            self.over = True
            self.news.notify_all()

    def wait_for(self, wanted):
        """The first line that contains `wanted`."""
        end = time.monotonic() + PATIENCE
        with self.news:
            while True:
                for line in self.said:
                    if wanted in line:
                        return line
                left = end - time.monotonic()
                assert left > 0 and not self.over, \
                    f"no {wanted!r}:\n" + "\n".join(self.said)
                self.news.wait(left)
