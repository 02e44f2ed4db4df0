"""Uploaded files as a source: every agent answers over them as over a database, with the
same figures, and a machine that has never seen a file gets it."""
import json
import re
import shutil
import subprocess
import time
import uuid

import pytest

from kit import players
from kit.client import check_stream
from kit.fixtures import model_settings
from kit.server import Server
from sextant import ROOT, environment, wait_until

CITIES = ["Austin", "Dallas", "Houston", ""]
ORDERS = [(i, i % 7 + 1, CITIES[i % 4], f"{i * 1.25:.2f}",
           f"2025-{i % 12 + 1:02d}-{i % 28 + 1:02d}", "t" if i % 2 else "f")
          for i in range(1, 301)]
CUSTOMERS = [(i, f"customer {i}", "gold" if i % 2 else "silver") for i in range(1, 8)]
HEADERS = ("id,customer_id,city,amount,ordered_on,paid", "customer_id,name,tier")
QUESTION = "Which city sells most?"
SCHEMA = """create table orders (id bigint primary key, customer_id bigint, city text,
  amount numeric(10,2), ordered_on date, paid boolean);
create table customers (customer_id bigint primary key, name text, tier text);
"""
MODEL = """semantic_model:
  - name: twins
    datasets:
      - name: orders
        source: public.orders
        primary_key: [id]
        fields:
          - {name: id, expression: id}
          - {name: customer_id, expression: customer_id}
          - {name: city, expression: city}
          - {name: amount, expression: amount}
          - {name: ordered_on, expression: ordered_on, dimension: {is_time: true}}
          - {name: paid, expression: paid}
      - name: customers
        source: public.customers
        primary_key: [customer_id]
        fields:
          - {name: customer_id, expression: customer_id}
          - {name: name, expression: name}
          - {name: tier, expression: tier}
    relationships:
      - {name: orders_customers, from: orders, to: customers,
         from_columns: [customer_id], to_columns: [customer_id]}
"""


def python_has_duckdb():
    python = environment().get("SANDBOX_PYTHON") or str(ROOT / "build/venv/bin/python3")
    return subprocess.run([python, "-c", "import duckdb"],
                          stderr=subprocess.DEVNULL).returncode == 0


pytestmark = pytest.mark.skipif(
    not (ROOT / "sandbox/sextant_sandbox/query.py").exists() or
    not python_has_duckdb(), reason="this sandbox has no DuckDB")


def lines(header, rows):
    return (header + "\n" + "".join(
        ",".join(str(cell) for cell in row) + "\n" for row in rows)).encode()


FILES = [("orders.csv", lines(HEADERS[0], ORDERS)),
         ("customers.csv", lines(HEADERS[1], CUSTOMERS))]


def upload(client, *files, **fields):
    edge = uuid.uuid4().hex
    body = b""
    for name, value in fields.items():
        body += (f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
                 f"{value}\r\n").encode()
    for name, data in files:
        body += (f'--{edge}\r\nContent-Disposition: form-data; name="file"; '
                 f'filename="{name}"\r\nContent-Type: text/csv\r\n\r\n').encode()
        body += data + b"\r\n"
    body += f"--{edge}--\r\n".encode()
    reply = client.post("/datasets", body, patience=120, headers={
        "Content-Type": f"multipart/form-data; boundary={edge}"})
    assert reply.status == 201, reply.body
    return json.loads(reply.body)


@pytest.fixture(scope="module")
def dataset(service):
    return upload(service.client("ann@example.org"), *FILES, name="sales by city")


@pytest.fixture(scope="module")
def twins(service, source, tmp_path_factory):
    """The same rows in PostgreSQL."""
    rows = "".join(
        f"insert into orders values ({o[0]},{o[1]},{repr(o[2]) if o[2] else 'null'},"
        f"{o[3]},'{o[4]}','{o[5]}');\n" for o in ORDERS)
    rows += "".join(f"insert into customers values ({c[0]},'{c[1]}','{c[2]}');\n"
                    for c in CUSTOMERS)
    source.load("twins", SCHEMA + rows)
    service.connect("twins", source.url("twins"))
    path = tmp_path_factory.mktemp("twins") / "twins.osi.yaml"
    path.write_text(MODEL)
    return service.import_model(path, "twins")


def rows_of(answer):
    """The rows of the first step; values are texts."""
    data = json.loads(answer.metadata["stepResults"][0]["sqlResult"]["data"])
    return [{k: None if v is None else str(v) for k, v in row.items()}
            for row in data]


# ---- every agent ----------------------------------------------------------------


def test_an_upload_is_ready_for_questions(service, dataset):
    assert dataset["status"] == "ready"
    assert dataset["ontology_id"] and dataset["connection_id"]
    connection = service.client("ann@example.org").get(
        "/api/connections/" + dataset["connection_id"]).data
    assert connection["dbType"] == "duckdb" and \
        connection["name"] == "sales by city"


@pytest.mark.parametrize("agent", ["pipeline", "react"])
def test_the_built_in_analyst_counts_rows_per_city(ann, dataset, agent):
    chat = ann.new_chat(dataset["ontology_id"], "builtin", agent=agent)
    answer = ann.ask(chat, "how many orders per city")
    check_stream(answer.events)
    counted = {row["city"]: row["number_of_orders"] for row in rows_of(answer)}
    assert counted == {"Austin": "75", "Dallas": "75", "Houston": "75", None: "75"}
    assert answer.metadata["verificationReport"]["status"] == "passed", answer.content
    assert "orders" in json.dumps(answer.metadata["dataLineage"])


@pytest.mark.parametrize("agent", ["pipeline", "react"])
def test_two_files_are_linked(ann, dataset, agent):
    chat = ann.new_chat(dataset["ontology_id"], "builtin", agent=agent)
    answer = ann.ask(chat, "number of orders by tier")
    counted = {row["tier"]: row["number_of_orders"] for row in rows_of(answer)}
    gold = sum(o[1] % 2 for o in ORDERS)
    assert counted == {"gold": str(gold), "silver": str(300 - gold)}
    assert "customer_id" in json.dumps(answer.metadata["dataLineage"])


def test_a_second_set_of_the_name_gets_another_model(service, dataset):
    again = upload(service.client("ann@example.org"), FILES[0],
                   name="sales by city")
    names = service.psql("select name from semantic_models where id ="
                         f" '{again['semantic_model_id']}'")
    assert names == [["sales by city 2"]]


# ---- the contract of an engine --------------------------------------------------

SAME = [
    "SELECT city, COUNT(*) AS n FROM orders GROUP BY city ORDER BY city NULLS LAST",
    "SELECT id, city, ordered_on, paid FROM orders ORDER BY id LIMIT 9",
    "SELECT c.tier, COUNT(*) AS n, MIN(o.ordered_on) AS first FROM orders o"
    " JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1 ORDER BY 1",
    "SELECT DATE_TRUNC('month', ordered_on)::date AS month, COUNT(*) AS n FROM orders"
    " GROUP BY 1 ORDER BY 1",
    "SELECT EXTRACT(year FROM ordered_on)::int AS year, COUNT(*) FILTER (WHERE paid) AS"
    " paid FROM orders GROUP BY 1",
    "SELECT STRING_AGG(DISTINCT tier, ', ' ORDER BY tier) AS tiers FROM customers",
    "SELECT id, id, NULL::text AS nothing FROM customers c JOIN orders o"
    " ON o.customer_id = c.customer_id WHERE o.id = 1",
    "SELECT 7 / 2 AS whole, 9007199254740993::bigint AS large, ''::text AS empty",
    "SELECT COALESCE(city, 'none') AS city FROM orders WHERE city IS NULL LIMIT 1",
]


@pytest.fixture
def run_sql(play, ann):
    """The result of a query that a model asks for."""
    def run_sql(ontology, *queries):
        play("retail", [players.acts(QUESTION, ("query_database", {"sql": sql}), turn=n)
                       for n, sql in enumerate(queries)] +
             [players.reacts(QUESTION, "So it is.")])
        answer = ann.ask(ann.new_chat(ontology, "openai", agent="react"), QUESTION)
        check_stream(answer.events)
        return [e["result"] for e in answer.of("tool_result")], answer
    return run_sql


def without_time(result):
    return re.sub(r"(\d+\+? rows), \d+ms", r"\1", result)


def test_both_engines_give_the_same_rows(run_sql, dataset, twins):
    for n in range(0, len(SAME), 5):
        ours, _ = run_sql(dataset["ontology_id"], *SAME[n:n + 5])
        theirs, _ = run_sql(twins, *SAME[n:n + 5])
        for sql, one, other in zip(SAME[n:n + 5], ours, theirs):
            assert without_time(one) == without_time(other), sql


def test_both_engines_compute_exact_sums(run_sql, dataset, twins):
    sql = "SELECT SUM(amount)::numeric(18,2) AS total FROM orders"
    for ontology in (dataset["ontology_id"], twins):
        (result,), _ = run_sql(ontology, sql)
        assert "56437.50" in result, result


WRONG = ["SELECT nothing FROM orders", "SELECT name::integer FROM customers",
         "SELECT * FROM nowhere", "DELETE FROM orders", "SELECT 1; SELECT 2"]


def test_both_engines_refuse_and_explain(run_sql, dataset, twins):
    for ontology in (dataset["ontology_id"], twins):
        results, answer = run_sql(ontology, *WRONG)
        assert answer.complete
        events = answer.of("tool_result")
        assert len(events) == len(WRONG)
        for sql, event in zip(WRONG, events):
            assert event.get("error"), (sql, event)


def test_sql_that_only_duckdb_has_runs(run_sql, dataset):
    results, _ = run_sql(dataset["ontology_id"],
                         "SELECT median(amount) AS middle FROM orders",
                         "FROM customers SELECT count(*) AS n")
    assert "188.1" in results[0], results[0]
    assert "| 7 |" in results[1], results[1]


@pytest.mark.parametrize("sql", [
    "SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM '/etc/passwd'",
    "COPY orders TO '/tmp/x'", "ATTACH '/tmp/x'", "SELECT getenv('HOME')",
    "SELECT * FROM duckdb_settings()", "INSTALL httpfs", "SET threads = 1"])
def test_files_cannot_reach_the_host(run_sql, dataset, sql):
    _, answer = run_sql(dataset["ontology_id"], sql)
    assert answer.of("tool_result")[0].get("error"), answer.of("tool_result")


def test_more_rows_than_the_limit_are_said(service, ann):
    many = upload(ann, ("many.csv", lines("id,city", (
        (i, CITIES[i % 3]) for i in range(2500)))))
    ours = many["ontology_id"]
    chat = ann.new_chat(ours, "builtin", agent="react")
    answer = ann.ask(chat, "number of many by id")
    report = answer.metadata["verificationReport"]
    failed = [c["name"] for c in report["checks"] if not c["passed"]]
    assert "not_truncated" in failed, report


def test_an_export_has_all_rows(run_sql, ann):
    many = upload(ann, ("many.csv", lines("id,city", (
        (i, CITIES[i % 3]) for i in range(2500)))))
    _, answer = run_sql(many["ontology_id"], "SELECT id, city FROM many ORDER BY id")
    step = answer.metadata["stepResults"][0]
    assert step["sqlResult"]["truncated"]
    reply = ann.get(f"/api/data-agent/messages/{answer.message_id}/steps/"
                    f"{step['stepId']}/export", format="csv")
    assert reply.status == 200, reply.body
    rows = reply.body.decode("utf-8-sig").splitlines()
    assert rows[0] == "id,city" and len(rows) == 2501
    assert rows[2500] == f"2499,{CITIES[2499 % 3]}"


def test_shared_aggregates_hide_the_rows_of_files(run_sql, ann, aimock):
    own = upload(ann, *FILES, name="private sales")
    path = "/api/connections/" + own["connection_id"]
    changed = ann.request("PATCH", path, {"options": {"shareRows": "aggregates"}})
    assert changed.status == 200, changed.body
    run_sql(own["ontology_id"], "SELECT name FROM customers",
            "SELECT tier, COUNT(*) AS n FROM customers GROUP BY tier",
            "FROM customers SELECT name", "SELECT name::integer FROM customers",
            "SELECT median(customer_id) AS middle, max(name) AS last FROM customers")
    seen = json.dumps([prompt[2] for prompt in aimock.prompts(players.REACT)])
    assert "gold" in seen
    assert "customer 3" not in seen and "customer 7" not in seen


# ---- connections ----------------------------------------------------------------


def test_the_connection_of_a_set_has_no_address(ann, dataset):
    path = "/api/connections/" + dataset["connection_id"]
    assert ann.request("DELETE", path).status == 409
    assert ann.request("PATCH", path, {"host": "db.test"}).status == 400
    tested = ann.post(path + "/test")
    assert b"uploaded files" in tested.body, tested.body
    made = ann.post("/api/connections", {
        "name": "x", "dbType": "duckdb", "host": "h", "databaseName": "d",
        "username": "u"})
    assert made.status == 400


def test_the_time_zone_of_a_connection_counts(run_sql, ann):
    """Queries run in it, "today" is a day of it, and times have its offset."""
    own = upload(ann, ("visits.csv", lines("id,seen_at", [
        (1, "2025-03-01T23:10:00Z"), (2, "2025-07-01T21:59:59Z")])), name="visits")
    path = "/api/connections/" + own["connection_id"]
    sql = ("SELECT id, seen_at::timestamptz AS t, CAST(seen_at::timestamptz AS date)"
           " AS day FROM visits ORDER BY id")
    (result,), _ = run_sql(own["ontology_id"], sql)
    assert "| 1 | 2025-03-01 23:10:00+00 | 2025-03-01 |" in result, result
    refused = ann.request("PATCH", path, {"options": {"timeZone": "Europe/Atlantis"}})
    assert refused.status == 400
    changed = ann.request("PATCH", path, {"options": {"timeZone": "Europe/Berlin"}})
    assert changed.status == 200 and \
        changed.data["options"]["timeZone"] == "Europe/Berlin"
    (result,), _ = run_sql(own["ontology_id"], sql)
    assert "| 1 | 2025-03-02 00:10:00+01 | 2025-03-02 |" in result, result
    assert "| 2 | 2025-07-01 23:59:59+02 | 2025-07-01 |" in result, result


def test_commands_leave_the_connection_of_a_set_alone(service, source):
    owner = f"{uuid.uuid4().hex[:12]}@example.org"
    name = upload(service.client(owner), *FILES, name=f"of {owner}")["name"]
    added = service.run("connection", "add", name, service.source_url, "--owner", owner,
                        check=False)
    assert added.returncode == 1 and "uploaded files" in added.stderr, added.stderr
    removed = service.run("connection", "remove", name, check=False)
    assert removed.returncode == 1 and "delete the dataset" in removed.stderr
    assert service.psql("select db_type, host, port::text from connections"
                        f" where name = '{name}'") == [["duckdb", "", "0"]]


def test_a_hidden_set_hides_its_connection(ann):
    own = upload(ann, *FILES, name="soon gone")
    path = "/api/connections/" + own["connection_id"]

    def listed():
        found = ann.get("/api/connections", pageSize=100).json
        ids = [item["id"] for item in found["data"]["items"]]
        return own["connection_id"] in ids, found["data"]["total"]
    shown, total = listed()
    assert shown
    assert ann.request("DELETE", "/datasets/" + own["id"]).status == 204
    assert listed() == (False, total - 1)
    assert ann.get(path).status == 404
    assert ann.request("PATCH", path, {"name": "back"}).status == 404
    assert ann.post(f"/datasets/{own['id']}/restore").status == 200
    assert listed() == (True, total)
    assert ann.get(path).status == 200


# ---- cancel, and another machine ------------------------------------------------


def test_a_cancelled_question_ends_its_query(service, ann, dataset, play):
    slow = ("SELECT count(*) AS n FROM orders a, orders b, orders c, orders d"
            " WHERE a.amount * b.amount < c.amount * d.amount")
    play("retail", [players.acts(QUESTION, ("query_database", {"sql": slow})),
                    players.reacts(QUESTION, "So it is.")])
    chat = ann.new_chat(dataset["ontology_id"], "openai", agent="react")
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for("tool_call")
    begun = time.monotonic()
    ann.cancel(message)
    stream.finish()
    assert time.monotonic() - begun < 5
    assert service.healthy()


def test_machines_that_lack_the_files_get_them(source):
    """Three servers with one database, each with a sandbox of its own. The first takes the
    files; the caches of the others are empty, and then they are removed."""
    secret = {"JWT_SECRET": "s" * 40, "CREDENTIALS_KEY": "00" * 32,
              "DATABASE_URL": source.make_database("machines")}
    servers = [Server(**secret) for _ in range(3)]
    try:
        for server in servers:
            server.start()
        made = upload(servers[0].client(), *FILES, name="sales")
        for server in servers[1:]:
            client = server.client()
            for _ in range(2):
                chat = client.new_chat(made["ontology_id"], "builtin")
                answer = client.ask(chat, "how many orders per city")
                assert len(rows_of(answer)) == 4, answer.content
                for cache in server.home.rglob("sandbox-files"):
                    shutil.rmtree(cache)
    finally:
        for server in servers:
            server.remove()
