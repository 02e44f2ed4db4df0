"""Seed 004 word by word: the members of each request, answer, event, capsule and tool result
of its sections 6 to 8, 10, 12 and 13, over an uploaded file; its error cases; and what the
same paths have beyond it: names with slashes, downloads, the scientist's rows."""
import csv as csv_reader
import io
import json
import urllib.parse
import uuid
import zipfile

import pytest

from kit import csv, fixtures, players
from kit.client import Client
from test_csv import needs_duckdb

CSV = "city,amount\n" + "Rome,1.5\nOslo,2\nRome,3\n"
COUNT = "select city, count(*) as n from orders group by city order by n desc"
PLAN = {"table": "orders",
        "select": [{"column": "city"},
                   {"function": "count", "column": "*", "alias": "total"}],
        "filters": [{"column": "city", "operator": "=", "value": "Rome"}],
        "group_by": ["city"], "order_by": [{"column": "total", "direction": "desc"}],
        "limit": 50}
FRAME = ("result_df = orders.groupby('city').agg(n=('city', 'size'), "
         "mean=('amount', 'mean')).reset_index()")
SEED = {  # members of each shape; ours may have more, and none may be missing
    "response": {"assistant_message", "run_id", "thread_id", "status", "result", "details"},
    "result": {"columns", "rows", "row_count", "exec_time_ms", "error"},
    "details": {"dataset_id", "query_mode", "plan_json", "compiled_sql", "python_code"},
    "capsule": {"run_id", "created_at", "dataset_id", "question", "query_mode", "plan_json",
                "compiled_sql", "python_code", "status", "result_json", "error_json",
                "exec_time_ms"},
    "dataset": {"id", "name", "description", "prompts", "version_hash"},
    "message": {"role", "content", "dataset_id", "run_id"},
}
QUESTION = "How many orders are there for each city?"
ANSWER = "Rome has 2 orders and Oslo 1."

pytestmark = needs_duckdb


@pytest.fixture(scope="module")
def dataset(service):
    reply = service.client("ann@example.org").request(
        "POST", "/datasets?name=orders.csv", CSV.encode(),
        {"Content-Type": "application/octet-stream"})
    assert reply.status == 201, reply.body
    return reply.json["id"]


@pytest.fixture
def ask(ann, dataset):
    def ask(message, **more):
        reply = csv.chat(ann, dataset, message, **more)
        assert reply.status == 200, reply.body
        return reply.json
    return ask


def has(shape, value):
    assert SEED[shape] <= set(value), SEED[shape] - set(value)
    return value


def thread_path(name):
    return f"/threads/{urllib.parse.quote(name, safe='')}/messages"


# ---- section 8: the routes -----------------------------------------------------


def test_healthz(service):
    reply = Client(service.url).get("/healthz")
    assert reply.status == 200 and reply.json["status"] == "ok"


def test_datasets_have_the_members_of_the_seed(ann, dataset):
    listed = ann.get("/datasets").json["datasets"]
    mine, = [has("dataset", d) for d in listed if d["id"] == dataset]
    assert mine["name"] == "orders" and isinstance(mine["prompts"], list)


def test_a_schema_has_the_members_of_the_seed(ann, dataset):
    schema = ann.get(f"/datasets/{dataset}/schema").json
    assert schema["dataset_id"] == dataset
    file, = schema["files"]
    assert {"name", "table_name", "schema", "sample_rows"} <= set(file)
    assert file["name"] == "orders.csv" and file["table_name"] == "orders"
    assert set(file["schema"]) == {"city", "amount"}
    assert set(file["sample_rows"][0]) == {"city", "amount"}


@pytest.mark.parametrize("message, mode", [
    (f"SQL: {COUNT}", "sql"), (f"PYTHON: {FRAME}", "python"),
    ("PLAN: " + json.dumps(PLAN), "plan")])
def test_an_answer_has_the_members_of_the_seed(ask, ann, dataset, message, mode):
    it = has("response", ask(message))
    result, details = has("result", it["result"]), has("details", it["details"])
    assert it["status"] == "succeeded" and result["error"] is None
    assert it["thread_id"].startswith("thread-")
    assert result["row_count"] == len(result["rows"]) > 0
    assert all(len(row) == len(result["columns"]) for row in result["rows"])
    assert isinstance(result["exec_time_ms"], int)
    assert details["dataset_id"] == dataset and details["query_mode"] == mode
    assert (details["python_code"] is not None) == (mode == "python")
    assert (details["plan_json"] is not None) == (mode == "plan")
    assert (details["compiled_sql"] is not None) == (mode != "python")
    capsule = has("capsule", ann.get(f"/runs/{it['run_id']}").json)
    for key in ("columns", "rows", "row_count", "exec_time_ms"):
        assert capsule["result_json"][key] == result[key]
    assert capsule["result_json"]["status"] == "success"
    for key in ("query_mode", "plan_json", "compiled_sql", "python_code", "dataset_id"):
        assert capsule[key] == details[key]
    assert ann.get(f"/runs/{it['run_id']}/status").json == {"run_id": it["run_id"],
                                                            "status": "succeeded"}


@pytest.mark.parametrize("body", [
    {"query_type": "sql", "sql": COUNT},
    {"query_type": "python", "python_code": FRAME},
    {"query_type": "plan", "plan": PLAN}])
def test_runs_answer_as_chat(ann, dataset, body):
    reply = ann.post("/runs", {"dataset_id": dataset, **body})
    assert reply.status == 200, reply.body
    it = has("response", reply.json)
    assert it["status"] == "succeeded" and it["result"]["row_count"] > 0


def test_messages_have_the_members_of_the_seed(ask, ann, dataset):
    thread = f"shapes {uuid.uuid4()}"
    it = ask(f"SQL: {COUNT}", thread_id=thread)
    found = ann.get(thread_path(thread)).json
    assert set(found) == {"thread_id", "messages"} and found["thread_id"] == thread
    asked, told = [has("message", m) for m in found["messages"]]
    assert (asked["role"], told["role"]) == ("user", "assistant")
    assert asked["content"] == f"SQL: {COUNT}"
    assert told["content"] == it["assistant_message"]
    assert {asked["run_id"], told["run_id"]} == {it["run_id"]}
    assert ann.get(thread_path("never used")).json == {"thread_id": "never used",
                                                       "messages": []}


@pytest.mark.parametrize("path, body", [
    ("/chat", {"message": "SQL: select 1"}), ("/chat/stream", {"message": "SQL: select 1"}),
    ("/runs", {"query_type": "sql", "sql": "select 1"})])
def test_an_unknown_dataset_is_404_with_detail(ann, path, body):
    reply = ann.post(path, {"dataset_id": "ecommerce", **body})
    assert reply.status == 404 and reply.json["detail"] == "Dataset not found"


def test_an_unknown_run(ann):
    run = str(uuid.uuid4())
    reply = ann.get(f"/runs/{run}")
    assert reply.status == 404 and reply.json["detail"] == "Run not found"
    assert ann.get(f"/runs/{run}/status").json == {"run_id": run, "status": "not_found"}


# ---- section 6: what the tools answer --------------------------------------------


@pytest.fixture
def tool(play, ann, aimock, dataset):
    def tool(name, **arguments):
        """What the model reads of one call."""
        play("retail", [players.analyses(QUESTION, [(name, arguments)], 0),
                        players.analyses(QUESTION, ANSWER)])
        reply = csv.chat(ann, dataset, QUESTION)
        assert reply.status == 200, reply.body
        body = aimock.prompts(players.CSV)[1][2]
        return json.loads([m["content"] for m in body["messages"]
                           if m["role"] == "tool"][-1])
    return tool


def test_the_tools_answer_in_the_forms_of_the_seed(tool, dataset):
    listed, = tool("list_datasets")
    assert set(listed) == {"id", "name", "description", "example_prompts"}
    assert listed["id"] == dataset and len(listed["example_prompts"]) <= 3
    schema = tool("get_dataset_schema", dataset_id=dataset)
    assert set(schema) >= {"dataset_id", "files"} and schema["dataset_id"] == dataset
    file, = schema["files"]
    assert {"name", "table_name", "schema", "sample_rows"} <= set(file)
    assert len(file["sample_rows"]) == 3
    rows = tool("execute_sql", dataset_id=dataset, sql=COUNT)
    assert rows["status"] == "success" and rows["rows"] == [["Rome", 2], ["Oslo", 1]]
    assert {"columns", "rows", "row_count", "exec_time_ms"} <= set(rows)
    plan = tool("execute_query_plan", dataset_id=dataset, plan=PLAN)
    assert plan["plan"] == PLAN and plan["compiled_sql"].lower().startswith("select")
    assert plan["rows"] == [["Rome", 2]]
    frame = tool("execute_python", dataset_id=dataset, python_code=FRAME)
    assert frame["columns"] == ["city", "n", "mean"] and frame["row_count"] == 2


@pytest.mark.parametrize("name, arguments, code", [
    ("execute_sql", {"sql": "drop table orders"}, "SQL_POLICY_VIOLATION"),
    ("execute_query_plan", {"plan": {"table": "orders", "select": [{"column": "no"}]}},
     "PLAN_VALIDATION_ERROR")])
def test_a_tool_names_its_error(tool, dataset, name, arguments, code):
    told = tool(name, dataset_id=dataset, **arguments)
    assert told["error"] == code and told["message"]


# ---- section 10: the stream ------------------------------------------------------


def test_the_events_have_the_payloads_of_the_seed(play, ann, dataset):
    play("retail", [players.analyses(QUESTION, [("execute_sql", {
        "dataset_id": dataset, "sql": COUNT})], 0), players.analyses(QUESTION, ANSWER)])
    reply = ann.post("/chat/stream", {"dataset_id": dataset, "message": QUESTION})
    shapes = {"token": {"text"}, "tool_call": {"name", "input"},
              "tool_result": {"name", "output"}, "done": {"run_id"}}
    for kind, data in csv.parse(reply.body):
        if kind == "result":
            has("response", data)
        else:
            assert set(data) == shapes[kind], kind
        if kind == "tool_result":
            assert isinstance(data["output"], str)
            assert json.loads(data["output"])["status"] == "success"


def test_explicit_python_streams_no_token(ann, dataset):
    reply = ann.post("/chat/stream", {"dataset_id": dataset, "message": f"PYTHON: {FRAME}"})
    kinds = [kind for kind, _ in csv.parse(reply.body)]
    assert kinds == ["tool_call", "tool_result", "result", "done"]


# ---- section 15, H: the error cases ------------------------------------------------


def test_bad_sql(ask):
    it = ask("SQL: select nothing from orders")
    assert it["status"] == "failed" and it["result"]["error"]["type"] == "SQL_ERROR"
    assert set(it["result"]["error"]) == {"type", "message"}
    assert it["result"]["rows"] == [] and it["result"]["row_count"] == 0
    it = ask("SQL: drop table orders")
    assert it["status"] == "rejected"
    assert it["result"]["error"]["type"] == "SQL_POLICY_VIOLATION"


def test_missing_llm_key(source):
    """Without a key the server works: the built-in analyst answers."""
    service = fixtures.open_service(source)
    try:
        ann = service.client("ann@example.org")
        it = csv.chat(ann, service.ontologies["retail"], "number of stores by city").json
        assert it["status"] == "succeeded" and it["result"]["row_count"] > 0
    finally:
        service.remove()


# ---- names of threads --------------------------------------------------------------


@pytest.mark.parametrize("name", [
    "team/ann", "/", "a/../b", "%2F", "%252f", "a\\b", "Größe/é", "a?b#c", "x/messages",
    "..", "...", "é" * 255])
def test_any_name_of_a_thread_can_be_read(ask, ann, dataset, name):
    if name == "..":
        name = f"../{uuid.uuid4()}"
    ask("SQL: select 1 as one", thread_id=name)
    found = ann.get(thread_path(name))
    assert found.status == 200, found.body
    assert found.json["thread_id"] == name and len(found.json["messages"]) >= 2


@pytest.mark.parametrize("name", ["", "x" * 256, ".", "..", "a\nb", "a\x7fb", "\x1f", 7, []])
def test_what_names_no_thread(ann, dataset, name):
    for path in ("/chat", "/chat/stream"):
        reply = ann.post(path, {"dataset_id": dataset, "message": "SQL: select 1",
                                "thread_id": name})
        assert reply.status == 400 and reply.fields() == {"thread_id"}, reply.body


def test_slashes_are_refused_elsewhere(ann):
    for path in ("/runs/a%2Fb", "/datasets/..%2Fx", "/threads%2Fx/messages", "/a%5Cb"):
        assert ann.get(path).status == 400, path
    assert ann.get("/threads/a%2Fb").status == 404
    assert ann.get("/threads/../healthz").status == 400


# ---- downloads -----------------------------------------------------------------------


def test_a_python_result_is_downloaded(ask, ann, bob):
    it = ask(f"PYTHON: {FRAME}")
    path = f"/runs/{it['run_id']}/export"
    reply = ann.get(path)
    assert reply.status == 200, reply.body
    assert reply.headers["content-type"].startswith("text/csv")
    assert "attachment" in reply.headers["content-disposition"]
    rows = list(csv_reader.reader(io.StringIO(reply.body.decode())))
    assert rows == [["city", "n", "mean"], ["Oslo", "1", "2"], ["Rome", "2", "2.25"]] or \
        rows == [["city", "n", "mean"], ["Oslo", "1", "2.0"], ["Rome", "2", "2.25"]]
    book = zipfile.ZipFile(io.BytesIO(ann.get(path, format="xlsx").body))
    sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "2.25" in sheet and "Rome" in sheet
    assert ann.get(path, format="exe").fields() == {"format"}
    assert bob.get(path).status == 404
    assert ann.get("/runs/nothing/export").status == 404
    empty = ask("PYTHON: print('no rows')")
    none = ann.get(f"/runs/{empty['run_id']}/export")
    assert none.status == 404 and none.json["detail"] == "The run has no rows."


def test_a_formula_is_defused_in_a_download(ask, ann):
    it = ask("PYTHON: result_df = pd.DataFrame({'=a': ['=1+1', None, 'x\"y']})")
    text = ann.get(f"/runs/{it['run_id']}/export").body.decode()
    assert text == "\"'=a\"\r\n\"'=1+1\"\r\n\r\n\"x\"\"y\"\r\n"


# ---- the scientist's rows --------------------------------------------------------------


def test_the_scientist_has_rows(play, ann, dataset):
    from test_scientist import BAD, CODE, EXPLAIN, decides, says
    code = "result = datasets['orders'].groupby('city').amount.sum().reset_index()"
    play("retail", [*decides(), says(CODE, code), says(EXPLAIN, "So it is.")])
    it = csv.chat(ann, dataset, "Amounts?", agent="scientist").json
    assert it["status"] == "succeeded", it
    assert it["result"]["columns"] == ["city", "amount"]
    assert it["result"]["rows"] == [["Oslo", 2.0], ["Rome", 4.5]]
    assert it["result"]["row_count"] == 2 and it["result"]["error"] is None
    assert it["details"]["python_code"] == code == it["final_output"]["code"]
    text = ann.get(f"/runs/{it['run_id']}/export").body.decode()
    assert text.startswith("city,amount\r\nOslo,2")
    play("retail", [*decides(), says(CODE, BAD[1]),
                    says("who fixes broken Python code", BAD[2])])
    it = csv.chat(ann, dataset, "And now?", agent="scientist").json
    assert it["status"] == "failed" and it["result"]["rows"] == []
    assert it["result"]["error"]["type"] == "PYTHON_ERROR"
    assert it["final_output"]["output_type"] == "error"
