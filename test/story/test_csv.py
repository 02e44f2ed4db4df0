"""The CSV analyst over a database: its tools, threads, capsules, and its own paths in the
forms of its seed. The cases of seed 004 have their names."""
import json
import subprocess
import threading
import uuid

import pytest

from kit import csv, players
from kit.client import Client, check_stream
from sextant import ROOT, environment

QUESTION = "How many stores are there by city?"
BY_CITY = "select city, count(*) as stores from stores group by city order by 2 desc, 1"
PLAN = {"table": "stores",
        "select": [{"column": "city"},
                   {"function": "count", "column": "*", "alias": "stores"}],
        "group_by": ["city"], "order_by": [{"column": "stores", "direction": "desc"},
                                           {"column": "city"}], "limit": 3}
TOOLS = ["execute_python", "execute_query_plan", "execute_sql", "get_dataset_schema",
         "list_datasets"]
ANSWER = "The city with the most stores is Dallas with 3."


@pytest.fixture
def analyst(play, ann, retail):
    """Plays rounds of tool calls and the answer; asks with POST /chat."""
    def analyst(*rounds, answer=ANSWER, question=QUESTION, **more):
        play("retail", [players.analyses(question, list(calls), turn)
                       for turn, calls in enumerate(rounds)] +
             [players.analyses(question, answer)])
        reply = csv.chat(ann, retail, question, **more)
        assert reply.status == 200, reply.body
        return reply.json
    return analyst


@pytest.fixture
def direct(ann, retail):
    def direct(message, **more):
        reply = csv.chat(ann, retail, message, **more)
        assert reply.status == 200, reply.body
        return reply.json
    return direct


def sql(query, dataset):
    return ("execute_sql", {"dataset_id": dataset, "sql": query})


def tool_results(aimock, call):
    """What the model read of its tools before its n-th reply."""
    body = aimock.prompts(players.CSV)[call][2]
    return [json.loads(m["content"]) for m in body["messages"] if m["role"] == "tool"]


# ---- the agent (test_agent) ---------------------------------------------------


def test_tool_calls_are_dispatched_correctly(analyst, aimock, retail):
    it = analyst([sql(BY_CITY, retail)])
    assert it["status"] == "succeeded" and it["assistant_message"].startswith(ANSWER)
    assert it["result"]["columns"] == ["city", "stores"]
    assert it["result"]["rows"][0] == ["Dallas", 3]
    assert it["result"]["row_count"] == len(it["result"]["rows"]) == 12
    assert it["result"]["error"] is None
    assert it["details"] == {"dataset_id": retail, "query_mode": "sql",
                             "plan_json": None, "compiled_sql": BY_CITY,
                             "python_code": None}


def test_tool_results_are_fed_back(analyst, aimock, retail):
    analyst([("get_dataset_schema", {"dataset_id": retail})], [sql(BY_CITY, retail)])
    schema, = tool_results(aimock, 1)
    stores, = [f for f in schema["files"] if f["name"] == "stores"]
    assert stores["table_name"] == "stores" and "city" in stores["schema"]
    assert len(stores["sample_rows"]) == 3
    result = tool_results(aimock, 2)[1]
    assert result["status"] == "success" and result["rows"][0] == ["Dallas", 3]


def test_final_response_is_extracted(analyst):
    it = analyst(answer="You can ask about stores and orders.")
    assert it["assistant_message"] == "You can ask about stores and orders."
    assert it["status"] == "succeeded" and it["details"]["query_mode"] == "chat"
    assert it["result"]["rows"] == [] and it["result"]["error"] is None


def test_capsule_data_is_extracted_correctly(analyst, ann, retail):
    it = analyst([("execute_query_plan", {"dataset_id": retail, "plan": PLAN})])
    capsule = ann.get(f"/runs/{it['run_id']}").json
    assert capsule["query_mode"] == "plan" and capsule["plan_json"] == PLAN
    assert capsule["compiled_sql"].startswith('select "city", count(*) as "stores"')
    assert capsule["status"] == "succeeded" and capsule["question"] == QUESTION
    assert capsule["result_json"]["row_count"] == 3
    assert capsule["assistant_message"] == it["assistant_message"]
    assert capsule["dataset_id"] == retail and capsule["error_json"] is None


def test_tools_are_the_five_of_the_seed(analyst, aimock):
    analyst()
    body = aimock.prompts(players.CSV)[0][2]
    assert sorted(t["function"]["name"] for t in body["tools"]) == TOOLS


def test_a_loop_that_never_ends_is_summed_up_after_15_rounds(analyst, aimock):
    it = analyst(answer={"toolCalls": [{"name": "list_datasets", "arguments": "{}"}]})
    calls = aimock.prompts(players.CSV)
    assert len(calls) == 16 and calls[15][2]["tool_choice"] == "none"
    assert it["status"] in ("succeeded", "failed")


# ---- the tools (test_tools) ----------------------------------------------------


def test_list_datasets_has_ids_names_and_examples(analyst, aimock, retail):
    analyst([("list_datasets", {})])
    (one,), = tool_results(aimock, 1)
    assert one["id"] == retail and one["name"] == "retail"
    assert set(one) == {"id", "name", "description", "example_prompts"}


@pytest.mark.parametrize("call,code", [
    (("execute_sql", {"sql": "drop table stores"}), "SQL_POLICY_VIOLATION"),
    (("execute_sql", {"sql": "select 1; select 2"}), "SQL_POLICY_VIOLATION"),
    (("execute_sql", {"sql": "select pg_read_file('/etc/passwd')"}),
     "SQL_POLICY_VIOLATION"),
    (("execute_sql", {"sql": "select nothing from stores"}), "SQL_ERROR"),
    (("execute_sql", {"sql": "selec 1"}), "SQL_ERROR"),
    (("execute_sql", {"sql": " "}), "INVALID_ARGUMENTS"),
    (("execute_sql", {"dataset_id": "ecommerce", "sql": "select 1"}),
     "DATASET_NOT_FOUND"),
    (("get_dataset_schema", {"dataset_id": "ecommerce"}), "DATASET_NOT_FOUND"),
    (("execute_query_plan", {"plan": {"table": "store", "select": []}}),
     "PLAN_VALIDATION_ERROR"),
    (("execute_query_plan", {"plan": "all"}), "PLAN_VALIDATION_ERROR"),
    (("execute_query_plan", {}), "PLAN_VALIDATION_ERROR"),
    (("execute_python", {"python_code": "1/0"}), "PYTHON_ERROR"),
    (("execute_python", {"python_code": ""}), "INVALID_ARGUMENTS"),
    (("execute_python", {"python_code": "x = 1"}), "NO_RESULT"),
])
def test_a_tool_says_what_is_wrong(analyst, aimock, call, code):
    analyst([call])
    result, = tool_results(aimock, 1)
    assert result["status"] == "error" and result["error"] == code
    assert result["message"] and "\n" not in result["message"]


def test_the_model_corrects_its_query(analyst, retail):
    it = analyst([sql("select citi from stores", retail)], [sql(BY_CITY, retail)])
    assert it["status"] == "succeeded" and it["result"]["error"] is None
    assert it["details"]["compiled_sql"] == BY_CITY


def test_the_last_failure_is_the_status(analyst, retail):
    rejected = analyst([sql("delete from stores", retail)], answer="It cannot be done.")
    assert rejected["status"] == "rejected"
    assert rejected["result"]["error"]["type"] == "SQL_POLICY_VIOLATION"
    failed = analyst([sql("select citi from stores", retail)], answer="It failed.")
    assert failed["status"] == "failed"
    assert failed["result"]["error"]["type"] == "SQL_ERROR"


# ---- fast paths ----------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["SQL:", "sql: ", " Sql:\n"])
def test_explicit_sql_runs_without_a_model(direct, aimock, play, prefix):
    play("retail")
    it = direct(prefix + BY_CITY)
    assert it["status"] == "succeeded" and it["result"]["rows"][0] == ["Dallas", 3]
    assert it["details"]["compiled_sql"] == BY_CITY
    assert not aimock.prompts(players.CSV)


def test_explicit_python_runs_without_a_model(direct):
    it = direct("Python: print('hello')")
    assert it["status"] == "succeeded" and "hello" in it["assistant_message"]
    assert it["details"]["python_code"] == "print('hello')"
    assert it["details"]["query_mode"] == "python"
    failed = direct("PYTHON: raise ValueError('no')")
    assert failed["status"] == "failed"
    assert failed["result"]["error"] == {"type": "PYTHON_ERROR",
                                         "message": "ValueError: no"}


def test_explicit_sql_is_guarded(direct):
    it = direct("SQL: update stores set city = 'x'")
    assert it["status"] == "rejected"
    assert it["result"]["error"]["type"] == "SQL_POLICY_VIOLATION"


# ---- the paths (test_agent_server) ---------------------------------------------


def test_runs_execute_directly(ann, retail):
    def run(**body):
        return ann.post("/runs", {"dataset_id": retail, **body})
    for body in ({"query_type": "sql", "sql": BY_CITY}, {"sql": BY_CITY},
                 {"query_type": "plan", "plan": PLAN}, {"plan_json": PLAN,
                                                        "query_type": "plan"}):
        it = run(**body).json
        assert it["status"] == "succeeded" and it["result"]["rows"][0] == ["Dallas", 3]
    assert run(query_type="python", python_code="print(1)").json["status"] == "succeeded"
    assert run(query_type="sql").fields() == {"sql"}
    assert run(query_type="shell").fields() == {"query_type"}
    assert run(query_type="plan", plan=[]).fields() == {"plan"}


def test_a_run_has_a_capsule_and_a_status(ann, bob, direct):
    it = direct("SQL: select 1 as one")
    capsule = ann.get(f"/runs/{it['run_id']}").json
    assert capsule["run_id"] == it["run_id"] and capsule["query_mode"] == "sql"
    assert capsule["result_json"]["rows"] == [[1]]
    status = ann.get(f"/runs/{it['run_id']}/status").json
    assert status == {"run_id": it["run_id"], "status": "succeeded"}
    foreign = bob.get(f"/runs/{it['run_id']}")
    assert foreign.status == 404 and foreign.json["detail"] == "Run not found"
    assert bob.get(f"/runs/{it['run_id']}/status").json["status"] == "not_found"
    for unknown in (str(uuid.uuid4()), "nothing"):
        assert ann.get(f"/runs/{unknown}").status == 404
        assert ann.get(f"/runs/{unknown}/status").json == {"run_id": unknown,
                                                           "status": "not_found"}


def test_an_unknown_dataset_is_404(ann):
    for dataset in ("ecommerce", str(uuid.uuid4())):
        reply = csv.chat(ann, dataset, "SQL: select 1")
        assert reply.status == 404 and reply.json["detail"] == "Dataset not found"


def test_a_bad_request_is_400_with_its_fields(ann, retail):
    assert ann.post("/chat", {}).fields() == {"dataset_id", "message"}
    assert csv.chat(ann, retail, "x", thread_id="").fields() == {"thread_id"}
    assert csv.chat(ann, retail, "x", thread_id="x" * 256).fields() == {"thread_id"}
    assert csv.chat(ann, retail, "x", agent="pipeline").fields() == {"agent"}


def test_a_viewer_reads_but_does_not_ask(viewer, retail):
    assert csv.chat(viewer, retail, "SQL: select 1").status == 403
    assert viewer.get("/threads/nothing/messages").status == 200


def test_a_request_without_a_token_is_401(service):
    reply = Client(service.url).post("/chat", {})
    assert reply.status == 401 and reply.json["detail"] == reply.json["message"]


# ---- the stream ----------------------------------------------------------------


def stream(user, dataset, message, **more):
    it = user.request("POST", "/chat/stream",
                      {"dataset_id": dataset, "message": message, **more})
    assert it.status == 200, it.body
    assert it.headers["content-type"].startswith("text/event-stream")
    return csv.parse(it.body)


def test_streaming_events_arrive_in_order(play, ann, retail):
    play("retail", [players.analyses(QUESTION, [sql(BY_CITY, retail)], 0),
                   players.analyses(QUESTION, ANSWER)])
    events = stream(ann, retail, QUESTION)
    kinds = [kind for kind, _ in events]
    assert kinds[:2] == ["tool_call", "tool_result"]
    assert kinds[-2:] == ["result", "done"]
    assert set(kinds[2:-2]) == {"token"}
    data = dict(events)
    assert data["tool_call"] == {"name": "execute_sql",
                                 "input": {"dataset_id": retail, "sql": BY_CITY}}
    assert json.loads(data["tool_result"]["output"])["status"] == "success"
    text = "".join(d["text"] for kind, d in events if kind == "token")
    assert data["result"]["assistant_message"].startswith(text)
    assert data["done"] == {"run_id": data["result"]["run_id"]}


def test_the_fast_path_streams_no_token(ann, retail):
    events = stream(ann, retail, "SQL: select 1 as one")
    assert [kind for kind, _ in events] == ["tool_call", "tool_result", "result", "done"]


def test_the_result_of_a_stream_is_that_of_chat(ann, retail):
    result = dict(stream(ann, retail, "SQL: select 1 as one"))["result"]
    whole = csv.chat(ann, retail, "SQL: select 1 as one").json
    same = {"assistant_message", "status", "details"}
    assert {k: result[k] for k in same} == {k: whole[k] for k in same}
    assert set(result) == set(whole)


def test_a_tool_result_is_whole_json_however_large_it_is(ann, retail):
    events = stream(ann, retail, "SQL: select repeat('\"x\\', 200) as a from "
                                 "generate_series(1, 100)")
    output = json.loads(dict(events)["tool_result"]["output"])
    assert output["row_count"] == 100 and output["rows_not_shown"] > 90
    assert len(dict(events)["result"]["result"]["rows"]) == 100


# ---- threads -------------------------------------------------------------------


def test_the_second_message_has_the_first_as_context(analyst, aimock, ann, retail):
    thread = f"thread {uuid.uuid4()}"
    analyst([sql(BY_CITY, retail)], thread_id=thread)
    analyst(question="And in Texas?", answer="There are 9.", thread_id=thread)
    system = aimock.prompts(players.CSV)[0][0]
    assert QUESTION in system and "most stores is Dallas" in system
    found = ann.get(f"/threads/{thread.replace(' ', '%20')}/messages").json
    assert found["thread_id"] == thread
    assert [m["role"] for m in found["messages"]] == ["user", "assistant"] * 2
    assert found["messages"][0]["content"] == QUESTION
    assert found["messages"][2]["run_id"] == found["messages"][3]["run_id"]
    assert found["messages"][0]["dataset_id"] == retail


def test_the_limit_of_messages_is_brought_into_bounds(ann, direct):
    thread = str(uuid.uuid4())
    for n in range(2):
        direct(f"SQL: select {n}", thread_id=thread)
    path = f"/threads/{thread}/messages"
    assert [m["content"] for m in ann.get(path, limit=1).json["messages"]] == \
        ["The result is **1**."]
    assert len(ann.get(path, limit=0).json["messages"]) == 1
    assert len(ann.get(path, limit=1000).json["messages"]) == 4
    assert ann.get(path, limit="x").fields() == {"limit"}


def test_a_thread_belongs_to_its_owner(ann, bob, direct, retail):
    thread = str(uuid.uuid4())
    direct("SQL: select 1", thread_id=thread)
    assert bob.get(f"/threads/{thread}/messages").json["messages"] == []
    assert csv.chat(bob, retail, "SQL: select 2", thread_id=thread).status == 200
    assert len(ann.get(f"/threads/{thread}/messages").json["messages"]) == 2


def test_a_thread_has_one_dataset(ann, direct, chinook_ontology):
    thread = str(uuid.uuid4())
    direct("SQL: select 1", thread_id=thread)
    reply = csv.chat(ann, chinook_ontology, "SQL: select 1", thread_id=thread)
    assert reply.status == 409
    assert reply.json["detail"] == ("This thread is about another dataset. Use another "
                                    "thread_id.")


def test_ten_chats_at_once_do_not_fail(ann, retail):
    replies = []
    def ask(n):
        replies.append(csv.chat(ann, retail, f"SQL: select {n} as n").json)
    threads = [threading.Thread(target=ask, args=[n]) for n in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(r["result"]["rows"][0][0] for r in replies) == list(range(10))
    assert {r["status"] for r in replies} == {"succeeded"}


# ---- as an agent of a chat -----------------------------------------------------


def test_a_chat_may_have_the_agent(play, ann, retail):
    play("retail", [players.analyses(QUESTION, [sql(BY_CITY, retail)], 0),
                   players.analyses(QUESTION, ANSWER)])
    chat = ann.new_chat(retail, "openai", agent="csv")
    it = ann.ask(chat, QUESTION)
    check_stream(it.events)
    assert it.complete and it.of("tool_call")[0]["name"] == "execute_sql"
    assert it.metadata["verificationReport"]["status"] == "passed"
    assert ann.get(f"/runs/{it.message_id}").json["query_mode"] == "sql"


def test_an_invented_figure_is_taken_out(analyst, retail):
    it = analyst([sql(BY_CITY, retail)], answer="Dallas has 3 stores. Reno has 77777.")
    assert "77777" not in it["assistant_message"]


def test_no_model_answers_by_the_built_in_analyst(ann, retail):
    chat = ann.new_chat(retail, "builtin", agent="csv")
    it = ann.ask(chat, "number of stores by city")
    check_stream(it.events)
    assert it.complete and "Dallas" in it.content
    capsule = ann.get(f"/runs/{it.message_id}").json
    assert capsule["result_json"]["columns"][0] == "city"


# ---- over uploaded files -------------------------------------------------------

ORDERS = "city,amount,day\n" + "".join(
    f"{city},{n * 1.5},2026-01-{n % 28 + 1:02d}\n"
    for n, city in enumerate(["Rome", "Oslo", "Rome", "Bern"] * 10))


def python_has_duckdb():
    python = environment().get("SANDBOX_PYTHON") or str(ROOT / "build/venv/bin/python3")
    return subprocess.run([python, "-c", "import duckdb"],
                          stderr=subprocess.DEVNULL).returncode == 0


needs_duckdb = pytest.mark.skipif(not python_has_duckdb(),
                                  reason="the sandbox's Python has no DuckDB")


@pytest.fixture(scope="module")
def orders(service):
    ann = service.client("ann@example.org")
    reply = ann.request("POST", "/datasets?name=orders.csv", ORDERS.encode(),
                        {"Content-Type": "application/octet-stream"})
    assert reply.status == 201, reply.body
    return reply.json


@needs_duckdb
@pytest.mark.parametrize("message", [
    "SQL: select city, count(*) as n from orders group by city order by n desc, city",
    "PYTHON: result_df = (orders.groupby('city').size().rename('n').reset_index()"
    ".sort_values(['n', 'city'], ascending=[False, True]))",
    "PLAN: " + json.dumps({
        "table": "orders", "group_by": ["city"],
        "select": [{"column": "city"},
                   {"function": "count", "column": "*", "alias": "n"}],
        "order_by": [{"column": "n", "direction": "desc"}, {"column": "city"}]})])
def test_rows_per_city_over_a_file(ann, orders, message):
    for dataset in (orders["id"], orders["ontology_id"]):
        it = csv.chat(ann, dataset, message).json
        assert it["status"] == "succeeded", it
        assert it["result"]["columns"] == ["city", "n"]
        assert it["result"]["rows"] == [["Rome", 20], ["Bern", 10], ["Oslo", 10]]
        assert it["details"]["dataset_id"] == orders["id"]


@needs_duckdb
@pytest.mark.parametrize("query", [
    "select * from read_csv('/etc/passwd')", "copy orders to '/tmp/x'",
    "attach '/tmp/x' as x", "install httpfs", "set memory_limit = '1TB'",
    "select 1; select 2", "select * from glob('/*')", "drop table orders"])
def test_sql_that_reaches_out_is_a_policy_violation(ann, orders, query):
    it = csv.chat(ann, orders["id"], f"SQL: {query}").json
    assert it["status"] == "rejected", it
    assert it["result"]["error"]["type"] == "SQL_POLICY_VIOLATION"


@needs_duckdb
def test_the_schema_of_a_file_names_its_table(play, ann, aimock, orders):
    play("retail", [players.analyses("Which table?", [
        ("get_dataset_schema", {"dataset_id": orders["id"]})], 0),
        players.analyses("Which table?", "It is orders.")])
    assert csv.chat(ann, orders["id"], "Which table?").status == 200
    schema, = tool_results(aimock, 1)
    table, = schema["files"]
    assert table["table_name"] == "orders" and set(table["schema"]) == {"city", "amount",
                                                                        "day"}
    assert len(table["sample_rows"]) == 3
