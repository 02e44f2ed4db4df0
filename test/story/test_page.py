"""The URLs for which a browser gets the page, and those for which it does not."""
import os
import pathlib

import pytest

from kit.client import Client
from kit.server import Server
from sextant import ROOT

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def anyone(service):
    return Client(service.url)


@pytest.mark.parametrize("path", [
    "/", "/agent", "/agent/0b8e0c55-9d5c-4d8e-8f8b-0f6b8f1f7a11", "/settings",
    "/admin/users", "/share/some-token", "/apiary"])
def test_the_page_has_its_own_paths(anyone, path):
    reply = anyone.request("GET", path, headers=BROWSER)
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in reply.headers["content-security-policy"]
    assert reply.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", [
    "/api", "/api/nothing", "/app/assets/none-1234abcd.js",
    "/favicon.ico"])
def test_what_is_not_a_page_is_not_found(anyone, path):
    reply = anyone.request("GET", path, headers=BROWSER)
    assert (reply.status, reply.code) == (404, "NOT_FOUND")


@pytest.mark.parametrize("path", ["/v1", "/v1/models-of-nobody"])
def test_below_v1_errors_are_those_of_the_openai_api(anyone, path):
    reply = anyone.request("GET", path, headers=BROWSER)
    assert reply.status == 404
    assert reply.json["error"]["type"] == "invalid_request_error"


def test_a_program_that_asks_for_no_page_gets_none(anyone):
    reply = anyone.request("GET", "/agent", headers={"Accept": "application/json"})
    assert (reply.status, reply.code) == (404, "NOT_FOUND")


def test_what_is_under_a_page_takes_no_other_method(anyone):
    reply = anyone.request("POST", "/agent", headers=BROWSER)
    assert reply.status in (404, 405)


# The supervisor and one worker take 19.5 MB, with 1.6 MB of the page.
IDLE_MB, FILE_MB = 20, 1


def resident_mb(*pids):
    return sum(int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4
               for pid in pids) / 1024


@pytest.mark.skipif("SEXTANT_PROGRAM" in os.environ, reason="for the optimized program")
def test_a_server_at_rest_is_small_and_holds_no_large_file():
    server = Server(SANDBOX_URL="off")
    server.start()
    try:
        at_rest = resident_mb(server.process.pid, server.worker())
        assert at_rest < IDLE_MB, at_rest
        [wasm] = (ROOT / "static/app/assets").glob("duckdb-eh-*.wasm")
        client = Client(server.url)
        before = resident_mb(server.worker())
        for coding in ("br", "gzip", "identity"):
            reply = client.request("GET", f"/app/assets/{wasm.name}",
                                   headers={"Accept-Encoding": coding})
            assert reply.status == 200
            assert reply.headers.get("content-encoding", "identity") == coding
        assert len(reply.body) == wasm.stat().st_size > 20_000_000
        grown = resident_mb(server.worker()) - before
        assert grown < FILE_MB, grown
    finally:
        server.remove()
