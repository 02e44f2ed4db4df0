"""Servers for the stories: one for each test that wants its own, one with the
demo data for all that only ask."""

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
    """A home of one's own in which nothing runs yet; no sandbox."""
    server = Server(SANDBOX_URL="off")
    yield server
    server.remove()


@pytest.fixture
def server(home):
    """A server of one's own without a sandbox."""
    return home.start()


@pytest.fixture(scope="session")
def demo():
    """A server with sandbox and demo data, shared: do not break it."""
    server = Server(RUNS_PER_USER=0)
    server.start()
    server.run("demo", "load")
    yield server
    server.remove()
