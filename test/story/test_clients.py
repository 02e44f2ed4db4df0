"""docs/clients.md: each example does what the page says."""
import json
import os
import re
import subprocess
import sys

import pytest
import yaml

from kit.client import Client
from sextant import ROOT, Server, environment

PAGE = (ROOT / "docs" / "clients.md").read_text()
NODE_MODULES = ROOT / "test" / "story" / "node_modules"
FIRST = "**Dallas** has the highest revenue"


def examples(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.S | re.M)


@pytest.fixture(scope="module")
def shop():
    """A server with the demo data and the built-in analyst."""
    server = Server(SANDBOX_URL="off")
    server.start()
    server.run("demo", "load")
    yield server
    server.remove()


@pytest.fixture(scope="module")
def token(shop):
    return shop.token("client@example.org", "contributor")


@pytest.fixture
def run(shop, token, tmp_path):
    def run(*command):
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, cwd=tmp_path,
            env=environment(SEXTANT_URL=shop.url, SEXTANT_TOKEN=token))
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


def test_the_page_has_the_examples_that_are_run_here():
    assert [len(examples(kind)) for kind in ("sh", "python", "ts", "yaml",
                                             "json")] == [1, 2, 2, 1, 1]


def test_curl(run):
    answer = json.loads(run("sh", "-eu", "-c", examples("sh")[0]))
    assert answer["choices"][0]["message"]["content"].startswith(FIRST)
    assert answer["object"] == "chat.completion"


@pytest.mark.parametrize("which", [0, 1], ids=["openai", "mcp"])
def test_python(run, tmp_path, which):
    script = tmp_path / "example.py"
    script.write_text(examples("python")[which])
    out = run(sys.executable, str(script))
    assert FIRST in out
    assert which == 1 or out.startswith("['retail']")


@pytest.mark.parametrize("which", [0, 1], ids=["openai", "mcp"])
def test_typescript(run, tmp_path, which):
    """The examples have no types, so node runs them as they are."""
    script = tmp_path / "example.mjs"
    script.write_text(examples("ts")[which])
    os.symlink(NODE_MODULES, tmp_path / "node_modules")
    out = run("node", str(script))
    assert FIRST in out
    assert which == 0 or out.startswith("Decomposing the question")


def filled(text, shop, token):
    return text.replace("${SEXTANT_URL}", shop.url).replace("${SEXTANT_TOKEN}",
                                                            token)


def test_librechat(shop, token):
    """What LibreChat asks with this configuration: the models, then chats in the
    background of which it sends the whole conversation."""
    config = yaml.safe_load(filled(examples("yaml")[0], shop, token))
    it = config["endpoints"]["custom"][0]
    assert it["baseURL"] == shop.url + "/v1" and not it["titleConvo"]
    client = Client(shop.url, it["apiKey"])
    models = [m["id"] for m in client.get("/v1/models").json["data"]]
    assert models == it["models"]["default"]
    reply = client.post("/v1/chat/completions", {
        "model": models[0], "stream": True, "temperature": 0.7, "top_p": 1,
        "presence_penalty": 0, "frequency_penalty": 0, "user": "u1",
        "messages": [{"role": "system", "content": "You are ChatGPT."},
                     {"role": "user", "content": "revenue by city in 2025"}]})
    assert reply.status == 200
    assert reply.headers["content-type"] == "text/event-stream"
    assert reply.body.endswith(b"data: [DONE]\n\n")


def test_a_client_that_starts_its_server(shop, token, tmp_path):
    it = json.loads(filled(examples("json")[0], shop, token))
    it = it["mcpServers"]["sextant"]
    lines = [{"jsonrpc": "2.0", "id": 0, "method": "initialize",
              "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                         "clientInfo": {"name": "t", "version": "1"}}},
             {"jsonrpc": "2.0", "method": "notifications/initialized"},
             {"jsonrpc": "2.0", "id": "q", "method": "tools/call",
              "params": {"name": "ask",
                         "arguments": {"question": "revenue by city in 2025"}}}]
    done = subprocess.run(
        [shop.program, *it["args"]], text=True, capture_output=True, timeout=60,
        input="\n".join(json.dumps(line) for line in lines),
        env=environment(SEXTANT_HOME=tmp_path, **it["env"]))
    assert (done.returncode, done.stderr) == (0, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["id"] == 0
    assert first["result"]["protocolVersion"] == "2025-06-18"
    assert second["id"] == "q"
    assert second["result"]["content"][0]["text"].startswith(FIRST)
