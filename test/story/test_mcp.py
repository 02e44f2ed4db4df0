"""The MCP server: judged by the official client, and by hostile messages on the wire."""
import asyncio
import json
import subprocess
import uuid

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from kit import players
from sextant import environment, wait_until

QUESTION = "revenue by city in 2025"
BOTH = {"Accept": "application/json, text/event-stream"}
META = "io.modelcontextprotocol/"
MODERN = "2026-07-28"
NOT_THERE = "00000000-0000-4000-8000-000000000000"
TOOLS = ["ask", "list_ontologies", "describe_dataset", "query", "get_answer"]


def message(method, params=None, number=1):
    it = {"jsonrpc": "2.0", "id": number, "method": method}
    return it if params is None else {**it, "params": params}


def call(name, number=1, **arguments):
    return message("tools/call", {"name": name, "arguments": arguments}, number)


@pytest.fixture
def post(ann):
    def post(body, client=ann, **headers):
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.request("POST", "/mcp", body, headers={**BOTH, **names})
    return post


@pytest.fixture
def session(post):
    reply = post(message("initialize", {"protocolVersion": "2025-11-25",
                                        "capabilities": {}, "clientInfo": {}}))
    return reply.headers["mcp-session-id"]


def modern(method, params=None, **headers):
    """A message of a version without a handshake, and its headers."""
    meta = {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}
    return (message(method, {**(params or {}), "_meta": meta}),
            {"MCP_Protocol_Version": MODERN, "Mcp_Method": method, **headers})


# ---- the official client -----------------------------------------------------


def over_http(service, ann):
    http = httpx2.AsyncClient(headers={"Authorization": "Bearer " + ann.token},
                              timeout=60)
    return streamable_http_client(service.url + "/mcp", http_client=http)


def over_stdio(service, ann):
    return stdio_client(StdioServerParameters(
        command=service.program, args=["mcp", "--url", service.url],
        env=environment(SEXTANT_TOKEN=ann.token)))


@pytest.mark.parametrize("transport", [over_http, over_stdio])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client(service, ann, retail, play, transport, mode):
    play("retail")

    async def work():
        told = []

        async def progress(at, _total, text):
            told.append((at, text))

        async with Client(transport(service, ann), mode=mode) as client:
            assert client.protocol_version == (
                MODERN if mode == "auto" else "2025-11-25")
            assert [t.name for t in (await client.list_tools()).tools] == TOOLS
            answer = await client.call_tool(
                "ask", {"question": QUESTION, "ontology": retail},
                progress_callback=progress)
            assert not answer.is_error
            got = answer.structured_content
            kept = ann.message(got["chat_id"], got["answer_id"])
            assert got["answer"] == kept["content"]
            assert answer.content[0].text.startswith(kept["content"])
            assert [at for at, _ in told] == list(range(1, len(told) + 1))
            assert "Running queries and analyses" in [text for _, text in told]
            more = await client.call_tool(
                "ask", {"question": QUESTION, "chat_id": got["chat_id"]})
            assert more.structured_content["chat_id"] == got["chat_id"]
            found = await client.call_tool("get_answer",
                                           {"answer_id": got["answer_id"]})
            assert found.structured_content == got
            rows = await client.call_tool(
                "query", {"ontology": retail, "sql":
                          "select city, count(*) as n from stores group by city "
                          "order by n desc, city limit 1"})
            assert "| Dallas | 3 |" in rows.content[0].text
            uris = [str(r.uri) for r in (await client.list_resources()).resources]
            assert f"sextant://ontologies/{retail}" in uris
            assert f"sextant://answers/{got['answer_id']}" in uris
            model = await client.read_resource(f"sextant://ontologies/{retail}")
            assert "semantic_model" in model.contents[0].text
            text = await client.read_resource(
                f"sextant://answers/{got['answer_id']}")
            assert json.loads(text.contents[0].text) == got
    asyncio.run(work())


@pytest.mark.parametrize("transport", [over_http, over_stdio])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_cancelled_question(service, ann, retail, hold, play, transport, mode):
    play("retail")
    held = hold(players.PLANNER)

    async def work():
        async with Client(transport(service, ann), mode=mode) as client:
            asked = asyncio.create_task(client.call_tool(
                "ask", {"question": QUESTION, "ontology": retail}))
            await asyncio.to_thread(held.wait)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            await asyncio.to_thread(wait_cancelled, ann)
    asyncio.run(work())
    held.released.set()


def wait_cancelled(ann):
    chat = ann.get("/api/data-agent/chats").data["items"][0]["id"]

    def failed():
        items = ann.get(f"/api/data-agent/chats/{chat}/messages").data["items"]
        return [m for m in items if m["status"] == "failed"]
    answer = wait_until(failed, what="the cancelled answer")[0]
    assert answer["metadata"]["error"]["code"] == "CANCELLED"


# ---- tools -------------------------------------------------------------------


@pytest.mark.parametrize("name,arguments,says", [
    ("ask", {}, "do not fit"), ("ask", {"question": 3}, "do not fit"),
    ("ask", {"question": " "}, "do not fit"),
    ("ask", {"question": "x" * 10001}, "do not fit"),
    ("ask", {"question": "x", "chat_id": "7"}, "do not fit"),
    ("ask", {"question": "x", "chat_id": NOT_THERE}, "Chat not found"),
    ("ask", {"question": "x", "ontology": "none"}, "no ontology of this name"),
    ("query", {"sql": "delete from stores"}, "may not be changed"),
    ("query", {"sql": "select pg_sleep(9)"}, "not allowed"),
    ("query", {"sql": "select 1; select 2"}, ""),
    ("query", {"sql": "select * from pg_authid"}, ""),
    ("query", {"sql": "select from from"}, ""), ("query", {"sql": ""}, "do not fit"),
    ("describe_dataset", {"dataset": "nope"}, "no dataset"),
    ("describe_dataset", {"dataset": []}, "do not fit"),
    ("get_answer", {"answer_id": "x"}, "do not fit"),
    ("get_answer", {"answer_id": NOT_THERE}, "no such answer"),
], ids=str)
def test_what_goes_wrong_in_a_tool_is_its_result(post, retail, name, arguments,
                                                 says):
    if name in ("query", "describe_dataset"):
        arguments = {"ontology": retail, **arguments}
    reply = post(call(name, **arguments))
    assert reply.status == 200
    result = reply.json["result"]
    assert result["isError"] and says in result["content"][0]["text"]


def test_a_viewer_may_not_ask_or_query(post, viewer, retail):
    listed = post(message("tools/list"), viewer).json["result"]["tools"]
    assert [t["name"] for t in listed] == ["list_ontologies", "describe_dataset",
                                           "get_answer"]
    for refused in (call("ask", question="x"), call("query", sql="select 1")):
        result = post(refused, viewer).json["result"]
        assert result["isError"] and "may not use" in result["content"][0]["text"]


def test_answers_are_of_their_user_alone(post, ann, bob, retail, play):
    play("retail")
    answer = ann.ask(ann.new_chat(retail, "openai"), QUESTION).message_id
    assert not post(call("get_answer", answer_id=answer)).json["result"]["isError"]
    assert post(call("get_answer", answer_id=answer), bob).json["result"]["isError"]
    uri = {"uri": f"sextant://answers/{answer}"}
    assert post(message("resources/read", uri), bob).json["error"]["code"] == -32002


# ---- the wire ----------------------------------------------------------------


@pytest.mark.parametrize("asked,told", [
    ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"),
    ("2025-03-26", "2025-03-26"), ("2024-11-05", "2024-11-05"),
    ("1999-01-01", "2025-11-25"), (MODERN, "2025-11-25")])
def test_versions_are_agreed_on(post, asked, told):
    reply = post(message("initialize", {"protocolVersion": asked}, 0))
    assert reply.json["result"]["protocolVersion"] == told
    assert reply.json["id"] == 0


@pytest.mark.parametrize("body,status,code", [
    (b"{", 400, -32700), (b"", 400, -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"\\u0000"}', 400, -32700), (b"[]", 400, -32600),
    (b"1", 400, -32600), (b"null", 400, -32600),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600),
    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600),
    (b'{"jsonrpc":"2.0","id":1}', 400, -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"nope"}', 200, -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', 200, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"resources/read"}', 200, -32002),
    (b'[' + b'{"jsonrpc":"2.0","method":"x"},' * 50 +
     b'{"jsonrpc":"2.0","method":"x"}]', 400, -32600),
    (b'[' * 100000, 400, -32700),
], ids=lambda v: str(v)[:40])
def test_bad_messages(post, body, status, code):
    reply = post(body, Content_Type="application/json")
    assert reply.status == status
    assert reply.json["jsonrpc"] == "2.0" and reply.json["error"]["code"] == code


def test_nothing_to_answer(post):
    for body in (message("notifications/initialized"),
                 {"jsonrpc": "2.0", "id": 1, "result": {}},
                 [{"jsonrpc": "2.0", "method": "notifications/cancelled",
                   "params": {"requestId": 7}}]):
        if "id" in body and "method" in body:
            del body["id"]
        reply = post(body)
        assert (reply.status, reply.body) == (202, b"")


def test_batches_in_the_versions_that_have_them(post):
    batch = [message("ping", number=1), message("nope", number="b"),
             {"jsonrpc": "2.0", "method": "notifications/x"},
             call("list_ontologies", 3)]
    for headers in ({}, {"MCP_Protocol_Version": "2025-03-26"}):
        reply = post(batch, **headers)
        assert [m["id"] for m in reply.json] == [1, "b", 3]
        assert reply.json[1]["error"]["code"] == -32601
    for version in ("2025-06-18", "2025-11-25", MODERN):
        reply = post(batch, MCP_Protocol_Version=version)
        assert reply.status == 400 and reply.json["error"]["code"] == -32600


def test_a_batch_with_a_question(post, retail, play):
    play("retail")
    reply = post([message("ping", number=1),
                  call("ask", 2, question=QUESTION, ontology=retail),
                  message("ping", number=3)])
    assert reply.headers["content-type"] == "text/event-stream"
    data = [json.loads(line[6:]) for line in reply.body.splitlines()
            if line.startswith(b"data: ")]
    assert [m["id"] for m in data] == [1, 2, 3]
    assert not data[1]["result"]["isError"]


def test_versions_that_there_are_not(post):
    reply = post(message("ping"), MCP_Protocol_Version="1999-01-01")
    assert reply.status == 400 and reply.json["error"]["code"] == -32022
    assert MODERN in reply.json["error"]["data"]["supported"]


def test_sessions_are_of_their_user(post, bob, session):
    assert post(message("ping"), Mcp_Session_Id=session).status == 200
    for wrong in (session[:-1] + ("0" if session[-1] != "0" else "1"), "x",
                  str(uuid.uuid4())):
        reply = post(message("ping"), Mcp_Session_Id=wrong)
        assert reply.status == 404
    assert post(message("ping"), bob, Mcp_Session_Id=session).status == 404


@pytest.mark.parametrize("change,status,code", [
    ({}, 200, None), ({"Mcp_Method": "tools/list"}, 400, -32020),
    ({"Mcp_Method": ""}, 400, -32020), ({"Mcp_Name": "query"}, 400, -32020),
    ({"Mcp_Name": "=?base64?bGlzdF9vbnRvbG9naWVz?="}, 200, None)])
def test_headers_repeat_a_modern_request(post, change, status, code):
    body, headers = modern("tools/call", {"name": "list_ontologies"},
                           Mcp_Name="list_ontologies")
    reply = post(body, **{**headers, **change})
    assert reply.status == status
    assert reply.json.get("error", {}).get("code") == code
    assert code or reply.json["result"]["resultType"] == "complete"


def test_modern_errors_have_a_status(post):
    body, headers = modern("nope")
    assert post(body, **headers).status == 404
    body, headers = modern("initialize")
    assert post(body, **headers).status == 404
    body, headers = modern("tools/list")
    del body["params"]
    reply = post(body, **headers)
    assert reply.status == 400 and reply.json["error"]["code"] == -32602


def test_what_the_address_takes(service, ann, post):
    for method in ("GET", "DELETE"):
        reply = ann.request(method, "/mcp", headers=BOTH)
        assert reply.status == 405 and reply.headers["allow"] == "POST"
    ping = message("ping")
    assert post(ping, Accept="application/json").status == 406
    assert post(ping, Accept="*/*").status == 200
    assert post(b"{}", Content_Type="text/plain").status == 415
    assert ann.__class__(service.url).post("/mcp", ping).status == 401
    for origin, status in (("http://evil.example.com", 403), ("null", 403),
                           ("http://localhost.evil.com", 403),
                           ("http://localhost:6274", 200)):
        assert post(ping, Origin=origin).status == status


def test_a_lost_client_finds_its_answer(ann, retail, hold, play):
    """In the versions with a handshake, leaving does not cancel."""
    play("retail")
    held = hold(players.PLANNER)
    stream = ann.stream("POST", "/mcp", call("ask", question=QUESTION,
                                             ontology=retail), BOTH)
    held.wait()
    chat = ann.get("/api/data-agent/chats").data["items"][0]["id"]
    stream.leave()
    held.released.set()

    def complete():
        items = ann.get(f"/api/data-agent/chats/{chat}/messages").data["items"]
        return [m for m in items if m["status"] == "complete" and
                m["role"] == "assistant"]
    wait_until(complete, what="the answer")


# ---- standard input ------------------------------------------------------------


def bridge(service, token, text, *more):
    done = subprocess.run(
        [service.program, "mcp", "--url", service.url, *more], input=text,
        capture_output=True, timeout=60,
        env=environment(SEXTANT_TOKEN=token, SEXTANT_HOME=service.home))
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_lines_that_are_no_messages(service, ann):
    status, lines = bridge(service, ann.token, b"{\n\n" + b"x" * 2000000 + b"\n" +
                           json.dumps(message("ping", number=4)).encode())
    assert status == 0
    assert [line.get("error", {}).get("code") for line in lines] == [
        -32700, -32600, None]
    assert lines[2] == {"jsonrpc": "2.0", "id": 4, "result": {}}


def test_a_wrong_token_and_a_server_that_is_away(service, ann):
    ping = json.dumps(message("ping", number="p")).encode()
    _, lines = bridge(service, "x", ping)
    assert lines[0]["id"] == "p" and "token" in lines[0]["error"]["message"]
    _, lines = bridge(service, ann.token, ping, "--url", "http://127.0.0.1:9")
    assert lines[0]["id"] == "p" and "reached" in lines[0]["error"]["message"]


def test_it_needs_a_token(service):
    done = subprocess.run([service.program, "mcp"], capture_output=True, text=True,
                          env=environment(SEXTANT_HOME=service.home))
    assert done.returncode == 2 and "SEXTANT_TOKEN" in done.stderr
