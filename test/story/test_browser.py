"""The page in a browser, against the real server: web/story/. Screenshots go to
build-asan/results/page."""
import os
import shutil
import subprocess
import uuid

import pytest

from kit.client import Client
from sextant import ROOT

WEB = ROOT / "web"
PASSWORD = "correct horse battery staple"
# Where the machine's own is too old, make web has fetched one.
OURS = ROOT / "build" / "node" / "bin" / "node"
NODE = str(OURS) if OURS.exists() else "node"
SHOTS = ROOT / "build-asan" / "results" / "page"

pytestmark = [
    pytest.mark.skipif(not (ROOT / "static" / "app" / "index.html").exists(),
                       reason="the page is not built: make web"),
    pytest.mark.skipif(not shutil.which("chromium"), reason="there is no chromium"),
]


def story(name, server, role="admin"):
    email = f"{uuid.uuid4().hex[:8]}@example.org"
    admin = Client(server.url, server.token("root@example.org", "admin"))
    admin.post("/api/users", {"email": email, "password": PASSWORD, "roles": [role]}).data
    done = subprocess.run(
        [NODE, f"story/{name}.mjs", server.url, email, PASSWORD, str(SHOTS)],
        cwd=WEB, capture_output=True, text=True, timeout=400,
        env={**os.environ, "CHROMIUM": shutil.which("chromium")})
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_signs_in_asks_and_sees_what_the_answer_stands_on(demo):
    story("main", demo)
