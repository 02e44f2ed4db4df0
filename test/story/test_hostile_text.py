"""Hostile text in a terminal and in the log."""
import json
import uuid

from kit.client import Client
from sextant import wait_until

# Clears the screen, names the window, turns the writing; C1 and DEL as well.
CONTROLS = "\x1b[2J\x1b]0;title\x07\x9b31m\x7f\b\u202e\u2066"
LINE = '\n{"level":"error","msg":"a forged line"}\n'


def is_plain(text):
    return not [c for c in text if c in "\u202e\u2066" or
                (not c.isprintable() and ord(c) < 0xa0 and c != "\n")]


def test_an_answer_in_a_terminal_is_plain_text(service, retail):
    done = service.run("ask", f"revenue by zz{CONTROLS}zz in 2025",
                       "--ontology", retail, check=False,
                       LLM_DEFAULT_PROVIDER="builtin")
    said = done.stdout + done.stderr
    assert "[2J" in said and is_plain(said), repr(said)


def test_what_is_wrong_in_a_model_is_told_in_plain_text(service, tmp_path):
    model = tmp_path / "model.yaml"
    model.write_text(json.dumps({
        "version": "0.1.1", "semantic_model": [{"name": "m", "datasets": [
            {"name": "a", "source": "a", "fields": [{
                "name": "k", "expression": {"dialects": [
                    {"dialect": CONTROLS, "expression": "k"}]}}]}]}]}))
    done = service.run("import", model, "--check", check=False)
    assert done.returncode == 1
    assert "[2J" in done.stderr and is_plain(done.stderr), repr(done.stderr)


def test_nobody_writes_lines_or_secrets_into_the_log(service):
    """Neither names nor headers nor error messages with them forge a line."""
    admin = service.client("root@example.org", "admin")
    secret = f"secret{uuid.uuid4().hex}"
    connection = {"name": secret[:9] + LINE, "host": "127.0.0.1", "port": 1,
                  "databaseName": "x" + LINE, "username": "u'" + LINE,
                  "password": f"{secret}'\\ {LINE}"}
    replies = [
        admin.post("/api/connections/test", connection),
        Client(service.url).post("/api/auth/login", {
            "email": "a@b" + LINE, "password": secret}),
        Client(service.url, f"{secret}.{secret}.{secret}").get("/api/auth/me"),
        Client(service.url).get(f"/api/data-agent/share/{secret}"),
        Client(service.url).get(f"/api/auth/me?token={secret}"),
        Client(service.url).get("/api/%C2%9B31m%E2%80%AE"),
        admin.request("GET", "/api/auth/me",
                      headers={"X-Request-Id": '"}{"msg":"a forged line'}),
    ]
    assert [r.status for r in replies] == [200, 400, 401, 404, 401, 404, 200]
    assert secret.encode() not in b"".join(r.body for r in replies)
    last = replies[-1].headers["x-request-id"]
    wait_until(lambda: last in service.log_text(), what="the log")
    lines = service.log_text().splitlines()
    assert secret not in "".join(lines) and is_plain("".join(lines))
    # The first admin's password is a line for a person.
    events = [line for line in lines if not line.startswith("The first admin is ")]
    assert len(events) >= len(lines) - 1
    assert all(json.loads(line)["msg"] != "a forged line" for line in events)
