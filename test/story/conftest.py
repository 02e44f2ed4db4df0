"""Fixtures of the stories: a server for each test that needs its own, and one with the
demo data for tests that only ask questions."""

import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit.fixtures import *  # noqa: E402,F401,F403
from sextant import PROGRAM, Server  # noqa: E402

if not os.access(PROGRAM, os.X_OK):
    raise pytest.UsageError(f"{PROGRAM} is not built: make")


@pytest.fixture
def home():
    """A new home, in which no server runs yet; no sandbox."""
    server = Server(SANDBOX_URL="off")
    yield server
    server.remove()


@pytest.fixture
def server(home):
    """A private server without a sandbox."""
    return home.start()


@pytest.fixture(scope="session")
def demo():
    """A shared server with sandbox and demo data: do not break it."""
    server = Server(RUNS_PER_USER=0)
    server.start()
    server.run("demo", "load")
    yield server
    server.remove()
