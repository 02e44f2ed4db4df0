"""/metrics: what it counts, in whose format, and for all workers."""
import os
import shutil
import signal
import subprocess

import pytest
from prometheus_client.parser import text_string_to_metric_families

from kit.client import Client
from kit.server import Server
from sextant import alive, wait_until


@pytest.fixture(scope="module")
def page(service, retail):
    """After an answer, so that nothing is empty."""
    client = service.client("counted@example.org")
    assert client.ask(client.new_chat(retail, "builtin"),
                      "revenue by city in 2025").complete
    reply = Client(service.url).get("/metrics")
    assert reply.headers["content-type"] == \
        "text/plain; version=0.0.4; charset=utf-8"
    return reply.body.decode()


def test_every_family_has_help_and_a_type_and_one_place(page):
    families = list(text_string_to_metric_families(page))
    names = [family.name for family in families]
    assert len(set(names)) == len(names) > 25
    for family in families:
        assert family.name.startswith("sextant_")
        assert family.documentation and family.samples, family.name
        assert family.type in ("counter", "gauge", "histogram"), family.name
    samples = [(s.name, tuple(sorted(s.labels.items())))
               for family in families for s in family.samples]
    assert len(set(samples)) == len(samples)


def test_buckets_only_grow_and_end_in_the_count(page):
    for family in text_string_to_metric_families(page):
        if family.type != "histogram":
            continue
        rows = {}
        for s in family.samples:
            key = tuple(v for k, v in sorted(s.labels.items()) if k != "le")
            kind = s.name.removeprefix(family.name)
            rows.setdefault(key, {}).setdefault(kind, []).append(s.value)
        for row in rows.values():
            assert row["_bucket"] == sorted(row["_bucket"])
            assert row["_bucket"][-1] == row["_count"][0]
            assert len(row["_sum"]) == 1


def test_promtool_accepts_the_page(page):
    if not shutil.which("promtool"):
        pytest.skip("promtool is not installed (Debian: prometheus)")
    done = subprocess.run(["promtool", "check", "metrics"], input=page,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr


def test_an_answer_is_counted_everywhere(service, retail, page):
    route = "/api/data-agent/chats/:chatId/messages/:messageId/stream"
    counted = [
        ("runs_total", {"outcome": "complete", "phase": "done"}),
        ("phases_total", {"phase": "explainer"}),
        ("phase_duration_seconds_count", {"phase": "planner"}),
        ("run_duration_seconds_count", {}),
        ("model_calls_total", {"provider": "builtin", "outcome": "ok"}),
        ("http_requests_total", {"route": route, "status": "200"}),
        ("first_event_duration_seconds_count", {}),
        ("journal_flush_duration_seconds_count", {}),
        ("sandbox_executions_total", {"outcome": "ok"}),
        ("loop_lag_seconds_count", {})]
    def look():
        return [service.metric(name, **labels) for name, labels in counted]
    before = look()
    client = service.client("counted@example.org")
    chat = client.new_chat(retail, "builtin")
    assert client.ask(chat, "revenue by city in 2025").complete
    def grown():  # the stream ends before its request is counted
        now = look()
        return all(b < n for b, n in zip(before, now)) and now
    wait_until(grown, what="all of it")
    assert service.metric("workers") == 1


def test_a_changed_user_is_told_to_who_listens(service):
    """And not one who only signed in."""
    service.client("heard@example.org").get("/api/auth/me")
    def told(what):
        """The notices that a session receives about a user (and about others)."""
        his = "where email = 'heard@example.org'"
        [[user]] = service.psql(f"select id from users {his}")
        said = service.psql(f"listen sextant; update users set {what} {his}")
        return [row for row in said if f"changed {user}" in str(row)]
    wait_until(lambda: service.metric("notices_listening") == 1,
               what="its listening")
    before = service.metric("notices_heard_total")
    assert told("last_login_at = now()") == []
    assert len(told("roles = '{viewer}'")) == 1
    wait_until(lambda: service.metric("notices_heard_total") > before,
               what="the notice")


def test_a_refusal_is_counted_by_its_status(service):
    def refused():
        return service.metric("http_requests_total", status="401",
                              route="/api/ontologies")
    before = refused()
    assert Client(service.url).get("/api/ontologies").status == 401
    wait_until(lambda: refused() > before, what="the refusal")
    assert refused() == before + 1


def test_any_worker_tells_of_all_and_no_counter_goes_back():
    server = Server(SANDBOX_URL="off", WORKERS=2)
    try:
        server.start()
        asked = 0
        def seen():
            return server.metric("http_requests_total", route="/healthz")
        for _ in range(40):
            assert Client(server.url).get("/healthz").status == 200
            asked += 1
        wait_until(lambda: seen() == asked, what="the other worker's share")
        assert server.metric("workers") == 2
        dead = server.workers()[0]
        os.kill(dead, signal.SIGKILL)
        wait_until(lambda: not alive(dead) and len(server.workers()) == 2 and
                   server.metric("workers") == 2, what="another worker")
        assert seen() >= asked
    finally:
        server.remove()
