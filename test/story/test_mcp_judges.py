"""The MCP server, judged by the official TypeScript SDK and by the official inspector."""
import json
import subprocess

import pytest

from kit import players
from kit.places import STORY
from sextant import environment, wait_until

QUESTION = "revenue by city in 2025"
TOP = "select city, count(*) as n from stores group by city order by n desc, city limit 1"
TOOLS = ["ask", "list_ontologies", "describe_dataset", "query", "get_answer"]
INSPECTOR = STORY / "node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js"

pytestmark = pytest.mark.long
BOTH = pytest.mark.parametrize("over", ["http", "stdio"])


# ---- the official SDK --------------------------------------------------------


def job_of(over, service, ann):
    if over == "http":
        return {"url": service.url + "/mcp", "token": ann.token}
    return {"command": str(service.program), "args": ["mcp", "--url", service.url],
            "env": {"SEXTANT_TOKEN": ann.token, "SEXTANT_HOME": str(service.home)}}


def begin(job):
    return subprocess.Popen(["node", STORY / "kit" / "mcp_client.mjs", json.dumps(job)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(program):
    out, problem = program.communicate(timeout=120)
    assert program.returncode == 0, problem
    return json.loads(out)


@BOTH
def test_the_sdk_uses_all_there_is(service, ann, retail, play, over):
    play("retail")
    seen = finish(begin({**job_of(over, service, ann), "question": QUESTION,
                         "ontology": retail, "sql": TOP}))
    assert seen["errors"] == [] and seen["server"]["name"] == "sextant"
    assert {"tools", "resources"} <= set(seen["capabilities"])
    assert [tool["name"] for tool in seen["tools"]] == TOOLS
    got = seen["answer"]["structuredContent"]
    assert not seen["answer"].get("isError")
    assert got["answer"] == ann.message(got["chat_id"], got["answer_id"])["content"]
    assert [p["progress"] for p in seen["progress"]] == \
        list(range(1, len(seen["progress"]) + 1))
    assert "Running queries and analyses" in [p["message"] for p in seen["progress"]]
    assert "| Dallas | 3 |" in seen["rows"]["content"][0]["text"]
    assert seen["refused"]["isError"]
    assert "may not be changed" in seen["refused"]["content"][0]["text"]
    assert seen["unknown"] == -32602
    uris = {r["uri"] for r in seen["resources"]}
    assert {f"sextant://ontologies/{retail}",
            f"sextant://answers/{got['answer_id']}"} <= uris
    assert "semantic_model" in seen["model"]["contents"][0]["text"]
    assert json.loads(seen["kept"]["contents"][0]["text"]) == got


@BOTH
def test_the_sdk_cancels_a_question(service, ann, retail, play, hold, over):
    play("retail")
    held = hold(players.EXPLAINER)  # so that it does not end by itself
    try:
        seen = finish(begin({**job_of(over, service, ann), "question": QUESTION,
                             "ontology": retail, "cancel": "Running queries and analyses"}))
        assert "enough" in seen["cancelled"] and not seen["after"].get("isError"), seen
        chat = ann.get("/api/data-agent/chats").data["items"][0]["id"]

        def failed():
            items = ann.get(f"/api/data-agent/chats/{chat}/messages").data["items"]
            return [m for m in items if m["status"] == "failed"]
        [answer] = wait_until(failed, what="the end of the run")
    finally:
        held.released.set()
    assert answer["metadata"]["error"]["code"] == "CANCELLED"


# ---- the official inspector --------------------------------------------------


def node():
    """Its version; Debian 12 has 18."""
    return int(subprocess.run(["node", "--version"], capture_output=True, text=True
                              ).stdout[1:].partition(".")[0])


@pytest.fixture
def inspect(service, ann, tmp_path):
    """Runs a method, and returns what the inspector prints."""
    def inspect(over, *more):
        job = job_of(over, service, ann)
        target = [job["url"], "--transport", "http", "--header",
                  f"Authorization: Bearer {ann.token}"] if over == "http" else [
            job["command"], *job["args"], "--transport", "stdio",
            *(word for name, value in job["env"].items()
              for word in ("-e", f"{name}={value}"))]
        done = subprocess.run(
            ["node", INSPECTOR, *target, *more], capture_output=True, text=True,
            timeout=120, cwd=tmp_path, env=environment(HOME=tmp_path))
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)
    return inspect


@pytest.mark.skipif(node() < 20, reason="the inspector needs node 20")
@BOTH
def test_the_inspector_lists_and_calls(inspect, retail, over):
    listed = inspect(over, "--method", "tools/list")["tools"]
    assert [tool["name"] for tool in listed] == TOOLS
    rows = inspect(over, "--method", "tools/call", "--tool-name", "query", "--tool-arg",
                   f"ontology={retail}", f"sql={TOP}")
    assert "| Dallas | 3 |" in rows["content"][0]["text"]
    uris = {r["uri"] for r in inspect(over, "--method", "resources/list")["resources"]}
    assert f"sextant://ontologies/{retail}" in uris
