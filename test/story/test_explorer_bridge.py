"""The explorer's bridge: explorations whose data stays in a browser, which a script plays
here. Two servers share one database, so that answers arrive at the other one."""
import json
import os
import pathlib
import subprocess
import time
import uuid

import pytest

from sextant import ROOT, wait_until
from kit import fixtures
from kit.bridge import PATH, TABLE, Browser, answers, result_of, rows_of
from kit.client import Client
from kit.server import Server
from postgres import Postgres

# Where ai5, ai6 and ai7 are: the AI SDK of these versions.
PACKAGES = pathlib.Path(os.environ.get("AI_SDK_PACKAGES", ROOT / "test/story/node_modules"))
EXPLORER = "You are a data analyst. You explore one table"
USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
SUMMARY = "The North leads with 42 units.\n\n- North: 42\n- South: 7"
# Texts that must not be found anywhere but in the browser.
PLANTED = "planted-cell-7f3a91"
CONTROL = "stored-cell-5b20c4"
TIMED_OUT = "Tool execution timeout after 30000ms"
QUERY = ("executeSQLQuery", {"query": "SELECT region, sum(units) FROM t_parsed GROUP BY 1",
                             "reason": "Units by region"})


@pytest.fixture(scope="module")
def postgres():
    """Of this story alone: it looks through all files of it."""
    it = Postgres().start()
    try:
        it.make_role("explorer")
        it.psql("postgres", "create database explorer owner explorer")
        yield it
    finally:
        it.remove()


@pytest.fixture(scope="module")
def pair(postgres, aimock):
    """Two servers on one database, with a scripted model."""
    settings = dict(SANDBOX_URL="off", JWT_SECRET="a secret of both of them " * 2,
                    CREDENTIALS_KEY="e4" * 32,
                    DATABASE_URL=postgres.url("explorer", "explorer"),
                    **fixtures.model_settings(aimock.url))
    servers = []
    try:
        for _ in range(2):
            servers.append(Server(**settings))
            servers[-1].start()
        yield servers
    finally:
        for server in servers:
            server.remove()


@pytest.fixture
def look_in(postgres):
    """The first cell of a query of their database."""
    return lambda sql: str(postgres.psql("explorer", sql)[0][0])


@pytest.fixture
def clients(pair):
    """One user's clients at both servers."""
    token = pair[0].token_of(f"{uuid.uuid4().hex[:12]}@example.org")
    return [Client(server.url, token) for server in pair]


def says(question, reply, turn):
    """The model's n-th reply; a list: tool calls."""
    if isinstance(reply, list):
        reply = {"toolCalls": [{"name": name, "arguments": json.dumps(arguments)}
                               for name, arguments in reply]}
    elif isinstance(reply, str):
        reply = {"content": reply}
    return {"match": {"systemMessage": EXPLORER, "userMessage": question,
                      "turnIndex": turn},
            "response": {**reply, "usage": USAGE}}


@pytest.fixture
def asks(aimock):
    """Plays rounds of calls, then the summary; returns the body of a question."""
    def asks(*rounds, summary=SUMMARY, **more):
        question = f"Which region leads? {uuid.uuid4().hex[:8]}"
        replies = [*rounds, summary]
        aimock.play([says(question, reply, n) for n, reply in enumerate(replies)])
        return {"id": uuid.uuid4().hex[:16], "question": question, "share": "rows",
                "llmProvider": "openai", **TABLE, **more}
    return asks


# ---- the stream ---------------------------------------------------------------


def test_a_stream_has_the_chunks_of_the_protocol(clients, asks):
    browser = Browser(clients[0], asks([QUERY]), answers).finish()
    assert browser.response.headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert browser.response.headers["content-type"].startswith("text/event-stream")
    assert [c["type"] for c in browser.chunks] == [
        "start", "start-step", "tool-input-available", "tool-output-available",
        "finish-step", "start-step", "text-start", "text-delta", "text-end",
        "finish-step", "data-exploration", "finish"]
    assert browser.ids == list(range(1, len(browser.chunks) + 2))
    call = browser.of("tool-input-available")[0]
    uuid.UUID(call["toolCallId"])
    assert call["toolName"] == "executeSQLQuery"
    assert call["input"]["query"] == QUERY[1]["query"]
    assert call["input"]["queries"][0]["sql"].upper().startswith("SELECT")
    output = browser.of("tool-output-available")[0]
    assert output["toolCallId"] == call["toolCallId"]
    assert output["output"]["success"] is True
    result = browser.result
    assert result["status"] == "exploration_complete"
    assert result["summary"] == SUMMARY and "North: 42" in result["insights"]
    assert result["executedQueries"][0]["result"]["rows"][0] == ["North", 42]
    assert result["metadata"]["stepCount"] == 2
    assert result["metadata"]["tokensUsed"] == 300
    assert Browser(clients[0], resume=browser.of("start")[0]["messageId"]).status == 204


def test_the_model_reads_the_rows_that_the_browser_sent(clients, asks, aimock):
    Browser(clients[0], asks([QUERY]), answers).finish()
    *_, last = aimock.prompts(EXPLORER)
    told = [m["content"] for m in last[2]["messages"] if m["role"] == "tool"]
    assert len(told) == 1 and "North" in told[0] and "42" in told[0]


def test_messages_of_use_chat_are_a_question_and_a_conversation(clients, asks, aimock):
    body = asks()
    question = body.pop("question")
    body["messages"] = [
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "What is it?"}]},
        {"id": "2", "role": "assistant", "parts": [
            {"type": "step-start"}, {"type": "text", "text": "Sales of a shop."},
            {"type": "tool-executeSQLQuery", "toolCallId": "x",
             "state": "output-available", "input": {}, "output": {"rows": [["secret"]]}}]},
        {"id": "3", "role": "user", "parts": [{"type": "text", "text": question}]}]
    body.update(trigger="submit-message", messageId=None)
    browser = Browser(clients[0], body, answers).finish()
    assert browser.result["summary"] == SUMMARY
    *_, last = aimock.prompts(EXPLORER)
    system = json.dumps(last[2]["messages"])
    assert "Sales of a shop." in system and "secret" not in system


def test_calls_of_one_reply_run_side_by_side(clients, asks):
    waiting = []

    def together(browser, chunk):
        waiting.append(chunk)
        if len(waiting) == 2:
            for one in reversed(waiting):
                assert browser.callback(result_of(one)).status == 200
    other = ("executeSQLQuery", {"query": "SELECT count(*) FROM t_parsed", "reason": "Size"})
    browser = Browser(clients[0], asks([QUERY, other]), together).finish()
    assert len(browser.of("tool-output-available")) == 2
    assert browser.result["status"] == "exploration_complete"
    assert [q["reason"] for q in browser.result["executedQueries"]] == [
        "Units by region", "Size"]


def test_calls_come_in_the_order_of_the_reply(clients, asks):
    wanted = [f"Query {n}" for n in range(8)]
    calls = [(QUERY[0], {**QUERY[1], "reason": reason}) for reason in wanted]
    for _ in range(3):
        browser = Browser(clients[0], asks(calls), answers).finish()
        assert [c["input"]["reason"] for c in browser.of("tool-input-available")] == wanted
        assert [q["reason"] for q in browser.result["executedQueries"]] == wanted


def test_a_call_that_is_refused_never_reaches_the_browser(clients, asks):
    bad = ("executeSQLQuery", {"query": "DELETE FROM t_parsed", "reason": "Harm"})
    browser = Browser(clients[0], asks([bad]), answers).finish()
    assert not browser.of("tool-input-available")
    refused = browser.of("data-refused")[0]["data"]
    assert refused["toolName"] == "executeSQLQuery"
    assert refused["output"]["success"] is False and refused["output"]["error"]
    assert browser.result["status"] == "exploration_complete"


def test_max_steps_ends_with_a_summary_without_tools(clients, asks, aimock):
    body = asks([QUERY], [QUERY], [QUERY], maxSteps=2, summary="never asked")
    browser = Browser(clients[0], body, answers).finish()
    calls = aimock.prompts(EXPLORER)
    assert len(calls) == 3 and calls[2][2]["tool_choice"] == "none"
    assert len(browser.of("tool-input-available")) == 2


def test_without_a_key_the_built_in_analyst_plays_the_model(clients):
    body = {"id": uuid.uuid4().hex, "question": "total units by region", "share": "rows",
            "llmProvider": "builtin", **TABLE}
    browser = Browser(clients[0], body, answers).finish()
    calls = browser.of("tool-input-available")
    names = [c["toolName"] for c in calls]  # the last two are called together
    assert names[0] == "profileData"
    assert sorted(names[1:]) == ["createVisualization", "executeSQLQuery"]
    assert browser.result["status"] == "exploration_complete"
    assert "Total of units is largest where region is North: 42." in browser.result["summary"]
    [chart] = browser.result["charts"]
    assert chart["title"] == "Total of units by region" and "data" not in chart["spec"]
    assert browser.result["metadata"]["tokensUsed"] == 0


# ---- callbacks ----------------------------------------------------------------


def test_the_callback_may_reach_the_other_server(clients, asks, look_in):
    def at_the_other(browser, chunk):
        assert browser.callback(result_of(chunk), clients[1]).status == 200
    started = time.monotonic()
    browser = Browser(clients[0], asks([QUERY]), at_the_other).finish()
    assert browser.result["executedQueries"][0]["result"]["rows"][0] == ["North", 42]
    assert time.monotonic() - started < 20
    assert look_in("select count(*) from explorer_calls") == "0"


def test_a_call_is_answered_once(clients, asks):
    statuses = []

    def twice(browser, chunk):
        for client in (clients[0], clients[1], clients[0]):
            statuses.append(browser.callback(result_of(chunk), client).status)
    Browser(clients[0], asks([QUERY]), twice).finish()
    assert statuses == [200, 404, 404]


def test_a_call_of_another_user_is_unknown(pair, clients, asks):
    stranger = pair[1].client(f"{uuid.uuid4().hex[:12]}@example.org")
    replies = []

    def foreign(browser, chunk):
        replies.append(browser.callback(result_of(chunk), stranger))
        answers(browser, chunk)
    browser = Browser(clients[0], asks([QUERY]), foreign).finish()
    assert replies[0].status == 404 and replies[0].json["success"] is False
    assert replies[0].json["error"] == replies[0].json["message"]
    assert browser.result["status"] == "exploration_complete"


def test_unknown_and_wrong_callbacks_are_refused(clients):
    unknown = {"toolCallId": str(uuid.uuid4()), "success": True, "result": {}}
    for client in clients:
        assert client.post("/api/tool-callback", unknown).status == 404
    assert clients[0].post("/api/tool-callback",
                           {**unknown, "toolCallId": "call_1"}).status == 404
    for wrong in ({"success": True, "result": {}}, {"toolCallId": "x"},
                  {**unknown, "success": "yes"}, {**unknown, "result": [1]},
                  {**unknown, "error": 7}):
        assert clients[0].post("/api/tool-callback", wrong).status == 400, wrong


def test_a_callback_of_two_mebibytes_is_too_large(clients, asks):
    statuses = []

    def large(browser, chunk):
        body = result_of(chunk)
        body["result"]["results"][0]["rows"] = [["x" * 2 ** 21, 1]]
        try:
            statuses.append(browser.callback(body).status)
        except OSError:  # it was refused while it was sent
            statuses.append(413)
        answers(browser, chunk)
    browser = Browser(clients[0], asks([QUERY]), large).finish()
    assert statuses == [413] and browser.result["status"] == "exploration_complete"


def test_a_failure_in_the_browser_is_told_to_the_model(clients, asks, aimock):
    def fails(browser, chunk):
        assert browser.callback({"toolCallId": chunk["toolCallId"], "success": False,
                                 "error": "Catalog Error: no such column"}).status == 200
    browser = Browser(clients[0], asks([QUERY]), fails).finish()
    assert "no such column" in browser.of("tool-output-error")[0]["errorText"]
    *_, last = aimock.prompts(EXPLORER)
    assert "no such column" in json.dumps(last[2]["messages"])
    assert browser.result["status"] == "exploration_complete"


def test_the_form_of_the_seed_is_an_answer(clients, asks):
    def as_the_seed(browser, chunk):
        data = {"columns": ["region", "units"], "rows": [["West", 9]]}
        assert browser.callback({"toolCallId": chunk["toolCallId"], "success": True,
                                 "result": {"success": True, "data": data}}).status == 200
    browser = Browser(clients[0], asks([QUERY]), as_the_seed).finish()
    assert browser.result["executedQueries"][0]["result"]["rows"] == [["West", 9]]


def test_hostile_answers_are_no_cells(clients, asks):
    def hostile(browser, chunk):
        wide = {**rows_of(chunk["input"]["queries"][0]),
                "rows": [[{"a": [1]}, ["b"], "more", "more"], "no row", None] + [[1, 2]] * 3000,
                "rowCount": "many"}
        assert browser.callback({"toolCallId": chunk["toolCallId"], "success": True,
                                 "result": {"results": [wide]}}).status == 200
    browser = Browser(clients[0], asks([QUERY]), hostile).finish()
    rows = browser.of("tool-output-available")[0]["output"]["data"]["rows"]
    assert rows[0] == [None, None] and all(len(row) == 2 for row in rows)
    assert len(rows) <= 1000


def test_a_call_that_is_not_answered_times_out(clients, asks):
    browser = Browser(clients[0], asks([QUERY]))
    chunk = browser.wait_for("tool-input-available")
    started = time.monotonic()
    assert browser.wait_for("tool-output-error")["errorText"] == TIMED_OUT
    assert 25 < time.monotonic() - started < 45
    assert browser.callback(result_of(chunk)).status == 404
    assert browser.finish().result["status"] == "exploration_complete"


# ---- the life of a run --------------------------------------------------------


def test_a_reader_that_comes_back_gets_everything(clients, asks):
    body = asks([QUERY])
    first = Browser(clients[0], body)
    call = first.wait_for("tool-input-available")
    first.leave()
    again = Browser(clients[0], resume=body["id"])
    assert again.wait_for("tool-input-available") == call
    after = Browser(clients[0], resume=body["id"], after=2)
    assert after.wait_for("tool-input-available") == call and after.ids[0] == 3
    answers(again, call)
    assert again.finish().chunks[0]["type"] == "start"
    assert again.chunks[2:] == after.finish().chunks
    assert Browser(clients[0], resume=body["id"]).status == 204


def test_a_reader_may_come_back_at_the_other_server(clients, asks, look_in):
    body = asks([QUERY])
    first = Browser(clients[0], body)
    call = first.wait_for("tool-input-available")
    first.leave()
    again = Browser(clients[1], resume=body["id"])
    assert again.status == 200 and again.wait_for("tool-input-available") == call
    assert again.response.headers["x-vercel-ai-ui-message-stream"] == "v1"
    run = again.of("start")[0]["messageId"]
    after = Browser(clients[1], resume=run, after=2)
    assert after.wait_for("tool-input-available") == call and after.ids[0] == 3
    answers(again, call)
    again.finish()
    assert again.ids == list(range(1, len(again.chunks) + 2))
    assert again.result["executedQueries"][0]["result"]["rows"][0] == ["North", 42]
    assert again.chunks[2:] == after.finish().chunks
    wait_until(lambda: look_in("select count(*) from explorer_parts") == "0")
    for client in clients:
        assert Browser(client, resume=body["id"]).status == 204


def test_a_run_is_cancelled_at_the_other_server(pair, clients, asks):
    stranger = pair[1].client(f"{uuid.uuid4().hex[:12]}@example.org")
    body = asks([QUERY])
    browser = Browser(clients[0], body)
    browser.wait_for("tool-input-available")
    assert Browser(stranger, resume=body["id"]).status == 204
    assert stranger.post(f"{PATH}/{body['id']}/cancel").status == 404
    assert clients[1].post(f"{PATH}/{body['id']}/cancel").json["success"] is True
    assert browser.finish().chunks[-1]["errorText"] == "The run was cancelled."
    assert clients[1].post(f"{PATH}/nothing/cancel").status == 404


def test_the_same_chat_at_the_other_server_replaces_a_run(clients, asks):
    body = asks([QUERY])
    first = Browser(clients[0], body)
    first.wait_for("tool-input-available")
    second = Browser(clients[1], body, answers)
    assert first.finish().chunks[-1]["errorText"] == "The run was cancelled."
    assert second.finish().result["status"] == "exploration_complete"


def test_others_cannot_follow_or_cancel(pair, clients, asks):
    stranger = pair[0].client(f"{uuid.uuid4().hex[:12]}@example.org")
    body = asks([QUERY])
    browser = Browser(clients[0], body)
    call = browser.wait_for("tool-input-available")
    run = browser.of("start")[0]["messageId"]
    for name in (body["id"], run):
        assert Browser(stranger, resume=name).status == 204
        assert stranger.post(f"{PATH}/{name}/cancel").status == 404
    answers(browser, call)
    browser.finish()


def test_a_cancelled_run_says_so(clients, asks):
    body = asks([QUERY])
    browser = Browser(clients[0], body)
    browser.wait_for("tool-input-available")
    reply = clients[0].post(f"{PATH}/{body['id']}/cancel")
    assert reply.status == 200 and reply.json["success"] is True
    browser.finish()
    assert [c["type"] for c in browser.chunks[-2:]] == ["data-exploration", "error"]
    assert browser.chunks[-1]["errorText"] == "The run was cancelled."
    assert browser.result["status"] == "error"
    assert browser.result["error"]["code"] == "CANCELLED"


def test_a_third_stream_is_refused_and_the_same_chat_is_replaced(clients, asks):
    body = asks([QUERY])
    bodies = [{**body, "id": f"chat {n}"} for n in range(3)]
    open_ones = [Browser(clients[0], b) for b in bodies[:2]]
    for browser in open_ones:
        browser.wait_for("tool-input-available")
    third = Browser(clients[0], bodies[2])
    assert third.status == 429 and third.json["code"] == "RATE_LIMITED"
    assert third.json["success"] is False and third.json["error"]
    again = Browser(clients[0], bodies[0])
    assert again.status == 200
    assert open_ones[0].finish().chunks[-1]["errorText"] == "The run was cancelled."
    for name in ("chat%200", "chat%201"):
        assert clients[0].post(f"{PATH}/{name}/cancel").status == 200
    again.finish()
    open_ones[1].finish()


def test_a_run_ends_when_its_browser_has_vanished(clients, asks, pair):
    body = asks([QUERY], [QUERY])
    browser = Browser(clients[0], body)
    browser.wait_for("tool-input-available")
    browser.leave()
    run = browser.of("start")[0]["messageId"]
    wait_until(lambda: [e for e in pair[0].log_entries("exploration over")
                        if e.get("run") == run], seconds=120)


def test_what_is_wrong_is_said_before_the_stream(pair, clients):
    good = {"question": "Why?", **TABLE}
    wrong = {"maxSteps": [0, 16, 99, "3"], "schema": [None, [], "x", [{"name": "a"}]],
             "share": ["all", 1], "question": ["", 5], "rowCount": [-1, "4"],
             "sampleData": ["x", [[1]] * 21], "id": ["", "a\u0001b", 4],
             "dataDescription": ["x" * 4001], "llmProvider": ["gpt"]}
    for field, values in wrong.items():
        for value in values:
            reply = Browser(clients[0], {**good, field: value})
            assert reply.status == 400, (field, value)
            assert reply.json["success"] is False
            assert [d["field"] for d in reply.json["details"]] == [field], (field, value)
    assert Client(pair[0].url).post(PATH, good).status == 401


# ---- clients of others --------------------------------------------------------


@pytest.mark.parametrize("version", [5, 6, 7])
def test_use_chat_of_the_ai_sdk_drives_it(pair, clients, asks, version):
    package = PACKAGES / f"ai{version}" / "package.json"
    if not package.exists():
        pytest.skip(f"ai{version} is not installed")
    entry = json.loads(package.read_text())["exports"]["."]
    main = package.parent / (entry.get("import") or entry["default"])
    done = subprocess.run(
        ["node", ROOT / "test/story/kit/use_chat.mjs", main, pair[0].url,
         clients[0].token, json.dumps(asks([QUERY]))],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    it = json.loads(done.stdout)
    assert it["status"] == "ready" and it["errors"] == []
    assert it["data"] == ["data-exploration"]
    assert [c["name"] for c in it["calls"]] == ["executeSQLQuery"]
    question, answer = it["messages"]
    assert question["role"] == "user" and answer["role"] == "assistant"
    assert [part["type"] for part in answer["parts"]] == [
        "step-start", "tool-executeSQLQuery", "step-start", "text", "data-exploration"]
    tool = answer["parts"][1]
    assert tool["state"] == "output-available" and tool["output"]["success"] is True
    assert answer["parts"][3]["text"] == SUMMARY


# ---- what stays ---------------------------------------------------------------


def files_with(folder, text):
    found = []
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            try:
                with open(path, "rb") as file:
                    if text in file.read():
                        found.append(path)
            except OSError:
                continue
    return found


def test_no_cell_is_stored_or_logged(pair, clients, asks, postgres, look_in):
    def with_cells(browser, chunk):
        body = result_of(chunk)
        for result in body["result"]["results"]:
            result["rows"] = [[PLANTED, 1]]
        client = clients[len(browser.of("tool-output-available")) % 2]
        assert browser.callback(body, client).status == 200
    body = asks([QUERY], [QUERY], [QUERY], summary=f"The leader is {PLANTED}.",
                sampleData=[[PLANTED, 1, 2]], dataDescription=PLANTED)
    browser = Browser(clients[0], body, with_cells)
    elsewhere = Browser(clients[1], resume=body["id"])
    browser.finish()
    assert PLANTED in browser.result["summary"]
    assert elsewhere.status == 200 and PLANTED in elsewhere.finish().result["summary"]
    run = browser.of("start")[0]["messageId"]
    postgres.psql("postgres", "checkpoint")
    assert look_in("select count(*) from audit_events where action = "
                   f"'explorer.started' and target = '{run}'") == "1"
    user = clients[0].get("/api/auth/me").data["id"]
    assert look_in(f"select sum(tokens) from token_usage where user_id = '{user}'") == "600"
    for table in ("runs", "data_chat_messages", "llm_traces", "run_events"):
        assert look_in(f"select count(*) from {table}") == "0"
    # What is stored is found: a text that this test writes.
    postgres.psql("explorer", f"create table control as select '{CONTROL}' as cell")
    assert any("pg_wal" in path for path in files_with(postgres.folder, CONTROL.encode()))
    assert files_with(postgres.folder, PLANTED.encode()) == []
    for server in pair:
        assert PLANTED not in server.log_text()
