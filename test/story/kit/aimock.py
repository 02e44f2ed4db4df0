"""The scripted model server (@copilotkit/aimock), on one port for both protocols:
/v1/chat/completions and /v1/messages."""
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

from kit.places import STORY, Lines

CLI = STORY / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
OLD_NODE = STORY / "kit" / "old_node" / "register.mjs"
# It needs at least one fixture to start.
FIRST = {"fixtures": [{"match": {"userMessage": "nobody asks this"},
                       "response": {"content": "nobody hears this"}}]}


class Aimock:
    def __init__(self):
        assert CLI.exists(), "aimock is missing: npm ci --prefix test/story"
        with tempfile.TemporaryDirectory() as folder:
            first = Path(folder) / "first.json"
            first.write_text(json.dumps(FIRST))
            self.process = subprocess.Popen(
                ["node", "--import", OLD_NODE, CLI, "-p", "0", "-h", "127.0.0.1", "-f", first,
                 "--journal-max", "0", "--chunk-size", "60"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env={"PATH": os.environ["PATH"], "AIMOCK_STRICT_TURN_INDEX": "1"})
            self.log = Lines(self.process.stdout)
            line = self.log.wait_for("http://127.0.0.1:")
        self.url = re.search(r"http://127\.0\.0\.1:\d+", line).group(0)
        self.playing = None

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.url}/__aimock/{path}", data, method=method,
                             headers={"Content-Type": "application/json"}),
                     timeout=30) as reply:
            return json.loads(reply.read() or b"null")

    def play(self, fixtures, name=None):
        """Uses only these fixtures, with an empty journal. The first one that matches a
        request answers."""
        self.playing = None
        self._call("POST", "reset", {})
        added = self._call("POST", "fixtures", {"fixtures": fixtures})["added"]
        assert added == len(fixtures)
        self.playing = name

    def journal(self):
        """The requests since then, oldest first."""
        entries = self._call("GET", "journal")
        return entries if isinstance(entries, list) else entries["entries"]

    def forget(self):
        self._call("POST", "reset/journal", {})

    def prompts(self, marker):
        """The calls whose system text contains `marker`: (system, the last user message,
        the whole body)."""
        found = []
        for entry in self.journal():
            body = entry["body"]
            texts = {"system": [], "user": []}
            for m in body.get("messages", []):
                if m["role"] in texts:
                    texts[m["role"]].append(plain(m["content"]))
            system = "\n".join(texts["system"])
            if marker in system:
                found.append((system, texts["user"][-1], body))
        return found

    def close(self):
        self.process.kill()
        self.process.wait()


def plain(content):
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])
