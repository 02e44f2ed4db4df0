"""A real Trino cluster as a source: what it answers equals what PostgreSQL and uploaded
files answer, a model is made from its catalog, the built-in analyst asks it, and a query
that no one waits for is ended there."""
import http.client
import json
import os
import signal
import statistics
import threading
import time
from urllib.parse import urlsplit

import pytest

import trino
from kit.relay import Relay
from kit.server import Server
from postgres import PASSWORD, Postgres
from sextant import wait_until

pytestmark = [pytest.mark.long,
              pytest.mark.skipif(bool(trino.missing()), reason=trino.missing())]

SLOW = "select max(comment) as latest from sf100.lineitem"  # needs no memory
SLOW_MODEL = """semantic_model:
  - name: slow
    datasets:
      - name: lineitem
        source: sf100.lineitem
        fields:
          - {name: comment, expression: comment}
"""
ENDLESS = "select count(*) as n from rows a, rows b, rows c, rows d where a.n + b.n > c.n"
TWO = """    datasets:
      - name: parents
        source: public.parents
        primary_key: [parent_id]
        fields:
          - {name: parent_id, expression: parent_id, datatype: Integer}
          - {name: amount, expression: amount, datatype: Integer}
      - name: children
        source: public.children
        primary_key: [child_id]
        fields:
          - {name: child_id, expression: child_id, datatype: Integer}
          - {name: parent_id, expression: parent_id, datatype: Integer}
    relationships:
      - {name: of_parent, from: children, to: parents, from_columns: [parent_id],
         to_columns: [parent_id]}
"""
ONE = "{name}\n    datasets:\n      - name: rows\n        source: {source}\n" \
      "        fields:\n          - {{name: n, expression: n}}\n"


@pytest.fixture(scope="module")
def postgres():
    it = Postgres().start()
    it.make_role("reader")
    it.make_database("exact")
    it.psql("exact", "create table rows as select n from generate_series(1, 300) n;"
            "create table parents as select n as parent_id, 10 * n as amount"
            "  from generate_series(1, 2) n;"
            "create table children as select * from (values (1, 1), (2, 2), (3, 1))"
            "  as c (child_id, parent_id);"
            "grant select on rows, parents, children to reader")
    yield it
    it.remove()


@pytest.fixture(scope="module")
def cluster(postgres):
    it = trino.Trino({
        "tpch": "connector.name=tpch\ntpch.double-type-mapping=DECIMAL\n",
        "pg": "connector.name=postgresql\n"
              f"connection-url=jdbc:postgresql://127.0.0.1:{postgres.port}/exact\n"
              f"connection-user=reader\nconnection-password={PASSWORD}\n"})
    try:
        yield it.start()
    finally:
        it.remove()


@pytest.fixture(scope="module")
def server(cluster, postgres, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    (folder / "rows.csv").write_text("n\n" + "".join(f"{n}\n" for n in range(1, 301)))
    (folder / "one.yaml").write_text(
        "semantic_model:\n  - name: " + ONE.format(name="one", source="public.rows"))
    (folder / "two.yaml").write_text("semantic_model:\n  - name: two\n" + TWO)
    (folder / "parents.csv").write_text("parent_id,amount\n1,10\n2,20\n")
    (folder / "children.csv").write_text("child_id,parent_id\n1,1\n2,2\n3,1\n")
    (folder / "slow.yaml").write_text(SLOW_MODEL)
    it = Server(SQL_MAX_ROWS="100", SQL_QUERY_TIMEOUT_MS="40000")
    try:
        it.start()
        for name, url in (("tpch", cluster.url("tpch", "tiny")),
                          ("pg", cluster.url("pg", "public")),
                          ("plain", postgres.url("exact", "reader"))):
            it.run("connection", "add", name, url)
        it.run("import", folder / "one.yaml", "--connection", "pg", "--name", "trino")
        it.run("import", folder / "one.yaml", "--connection", "plain", "--name",
               "postgresql")
        it.run("import", "--file", folder / "rows.csv", "--name", "duckdb")
        it.run("import", folder / "two.yaml", "--connection", "pg", "--name", "trino two")
        it.run("import", folder / "two.yaml", "--connection", "plain", "--name",
               "postgresql two")
        it.run("import", "--file", folder / "parents.csv", "--file", folder / "children.csv",
               "--name", "duckdb two")
        it.run("import", folder / "slow.yaml", "--connection", "tpch", "--name", "slow")
        it.run("import", "--from-database", "tpch", "--name", "tpch", timeout=600)
        yield it
    finally:
        it.remove()


@pytest.fixture
def ann(server):
    return server.client()


def query(client, ontology, sql):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "query", "arguments": {"ontology": ontology, "sql": sql}}}
    reply = client.request("POST", "/mcp", body, patience=120, headers={
        "Accept": "application/json, text/event-stream"})
    text = reply.body.decode()
    if "data:" in text:
        text = [line[5:] for line in text.splitlines() if line.startswith("data:")][-1]
    result = json.loads(text)["result"]
    return result["content"][0]["text"], result.get("isError", False)


# ---- one contract for three engines ------------------------------------------

ENGINES = pytest.mark.parametrize("engine", ["postgresql", "duckdb", "trino"])

VALUES = {
    "cast('12345678901234567890.10' as decimal(22, 2))": "12345678901234567890.10",
    "cast(9223372036854775807 as bigint)": "9223372036854775807",
    "cast('0.1' as double precision)": "0.1",
    "cast(1.50 as decimal(10, 2))": "1.50",
    "date '2024-02-29'": "2024-02-29",
    "timestamp '2020-01-02 03:04:05.123456'": "2020-01-02 03:04:05.123456",
    "timestamp '2020-01-02 03:04:00'": "2020-01-02 03:04:00",
    "'Zürich'": "Zürich",
    "cast(7 as smallint)": "7",
    "cast('2024-07-01 08:00:00 UTC' as timestamp with time zone)":
        "2024-07-01 08:00:00+00",
}


def cells(text):
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[c.strip() for c in line.strip("|").split("|")] for line in lines]


@ENGINES
def test_values_are_exact(ann, engine):
    columns = ", ".join(f"{sql} as c{n}" for n, sql in enumerate(VALUES))
    text, failed = query(ann, engine, f"select {columns} from rows where n = 1")
    assert not failed, text
    assert cells(text)[-1] == list(VALUES.values()), text


@ENGINES
def test_null_is_null(ann, engine):
    text, failed = query(ann, engine, "select cast(null as varchar) as a, count(*) as n"
                         " from rows where nullif(n, 5) is null")
    assert not failed, text
    assert cells(text)[-1][0] in ("NULL", "null", "") and cells(text)[-1][1] == "1"


@ENGINES
def test_rows_beyond_the_limit_are_told(ann, engine):
    text, failed = query(ann, engine, "select n from rows order by n")
    assert not failed and "(100+ rows" in text, text[-300:]


@ENGINES
def test_an_error_is_a_sentence(ann, engine):
    text, failed = query(ann, engine, "select nope from rows")
    assert failed and "nope" in text, text


@ENGINES
def test_what_is_not_of_the_model_is_refused(ann, engine):
    for sql in ("select * from information_schema.tables", "select * from other",
                "delete from rows", "select * from tpch.tiny.orders"):
        text, failed = query(ann, engine, sql)
        assert failed, text


@ENGINES
def test_a_query_whose_client_leaves_ends_within_seconds(server, ann, engine):
    ontology = server.ontology(ann.token, engine)
    gone = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    gone.request("POST", "/api/sql/run", json.dumps({"ontologyId": ontology, "sql": ENDLESS}),
                 {"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"})
    time.sleep(2)
    gone.sock.close()
    gone.close()

    def noted():
        history = ann.get(f"/api/sql/history?ontologyId={ontology}").data
        return next((h for h in history if h["sql"] == ENDLESS), None)
    assert wait_until(noted, 20, "the note")["outcome"] == "cancelled"


@ENGINES
def test_a_join_that_repeats_rows_is_told(server, ann, engine):
    answer = ann.post("/api/sql/run", {
        "ontologyId": server.ontology(ann.token, f"{engine} two"),
        "sql": "select sum(p.amount) as amount from parents p "
               "join children c on c.parent_id = p.parent_id"})
    assert answer.status == 200, answer.body
    [warning] = [w for w in answer.data["warnings"] if w["kind"] == "fan_out"]
    assert warning["grave"] and answer.data["rows"] == [["40"]]


@ENGINES
def test_rows_that_are_not_shared_stay_here(server, ann, engine):
    """Last of the contract: it changes the connections."""
    admin = server.client("boss@example.org", "admin")
    named = {"postgresql": "plain", "trino": "pg", "duckdb": "duckdb"}[engine]
    connections = admin.get("/api/connections?pageSize=100").data["items"]
    [connection] = [c["id"] for c in connections if c["name"] == named]
    changed = admin.request("PATCH", f"/api/connections/{connection}",
                            {"options": {"shareRows": "none"}})
    assert changed.status == 200, changed.body
    text, failed = query(ann, engine, "select n from rows where n = 217")
    assert not failed and "217" not in text and "n" in text, text


# ---- Trino alone -------------------------------------------------------------


def test_names_of_three_parts(ann):
    text, failed = query(ann, "trino", "select count(*) as n from pg.public.rows")
    assert not failed and cells(text)[-1] == ["300"], text


def test_functions_of_trino_are_allowed(ann):
    text, failed = query(ann, "trino", "select approx_distinct(n) > 0 as a, date_diff("
                         "'day', date '2024-01-01', date '2024-03-01') as b, max_by(n, n)"
                         " as c, string_agg(n::text, '-' order by n) as d from rows"
                         " where n < 4")
    assert not failed and cells(text)[-1][1:] == ["60", "3", "1-2-3"], text
    text, failed = query(ann, "trino", "select current_groups() from rows")
    assert failed, text


def test_the_built_in_analyst_asks_a_cluster(server, cluster, ann):
    chat = ann.new_chat(server.ontology(ann.token, "tpch"), "builtin")
    answer = ann.ask(chat, "total extendedprice by region")
    wanted = cluster.query(
        "select r.name, sum(l.extendedprice) from tiny.lineitem l"
        " join tiny.supplier s on s.suppkey = l.suppkey"
        " join tiny.nation n on n.nationkey = s.nationkey"
        " join tiny.region r on r.regionkey = n.regionkey group by 1 order by 2 desc")
    for name, total in wanted:
        assert name in answer.content and \
            f"{float(total):,.2f}" in answer.content, answer.content


def test_a_connection_is_tested(server, cluster, ann):
    body = {"name": "c", "dbType": "trino", "host": "127.0.0.1", "port": cluster.port,
            "databaseName": "tpch", "username": "ann", "useSsl": False,
            "options": {"schema": "tiny"}}
    told = ann.request("POST", "/api/connections/test", body).data
    assert told["success"] and told["serverVersion"] == trino.VERSION
    assert told["rights"]["readableTables"] == 8
    told = ann.request("POST", "/api/connections/test",
                       {**body, "databaseName": "nope"}).data
    assert not told["success"] and "nope" in told["message"], told
    refused = ann.request("POST", "/api/connections/test", {**body, "password": "x"})
    assert refused.status == 400 and b"TLS" in refused.body


def running(cluster):
    return [row[0] for row in cluster.query(
        "select state from system.runtime.queries where query like '%sf100%'"
        " and query not like '%runtime%'")]


def test_a_cancelled_run_ends_its_query_in_the_cluster(server, cluster, ann):
    chat = ann.new_chat(server.ontology(ann.token, "slow"), "builtin")
    stream, message = ann.start(chat, "number of lineitem")
    wait_until(lambda: "RUNNING" in running(cluster), 120, "the query")
    begun = time.monotonic()
    ann.cancel(message)
    wait_until(lambda: "RUNNING" not in running(cluster), 30, "its end")
    print(f"ended within {time.monotonic() - begun:.2f} s, with the time of asking")
    stream.finish()


def test_a_query_that_takes_too_long_ends_in_the_cluster(cluster, ann):
    text, failed = query(ann, "slow", SLOW)
    assert failed and "took longer" in text, text
    wait_until(lambda: "RUNNING" not in running(cluster), 30, "its end")


def test_what_sextant_adds_to_a_query(cluster, ann):
    """Prints it; the machine of a test is too unsteady for a limit."""
    sql = "select count(*) as n from rows"
    query(ann, "trino", sql)
    ours, theirs = [], []
    for _ in range(15):
        begun = time.monotonic()
        query(ann, "trino", sql)
        ours.append(time.monotonic() - begun)
        begun = time.monotonic()
        cluster.query("select count(*) as n from pg.public.rows")
        theirs.append(time.monotonic() - begun)
    print(f"Trino {1000 * statistics.median(theirs):.0f} ms, with Sextant "
          f"{1000 * statistics.median(ours):.0f} ms")


# ---- a cluster that is away, slow, or breaks off -----------------------------------

MANY = "select count(*) as n, max(orderkey) as latest from tiny.orders"


@pytest.fixture
def relayed(cluster, tmp_path):
    """A server that reaches its cluster by a relay: (client, relay, ids of ontologies)"""
    (tmp_path / "slow.yaml").write_text(SLOW_MODEL)
    relay = Relay(f"http://127.0.0.1:{cluster.port}")
    it = Server(SQL_QUERY_TIMEOUT_MS="8000")
    try:
        it.start()
        it.run("connection", "add", "tpch",
               cluster.url("tpch", "tiny").replace(f":{cluster.port}/", f":{relay.port}/"))
        it.run("import", "--from-database", "tpch", "--name", "tpch", timeout=600)
        it.run("import", tmp_path / "slow.yaml", "--connection", "tpch", "--name", "slow")
        client = it.client()
        yield client, relay, {name: it.ontology(client.token, name)
                              for name in ("tpch", "slow")}
    finally:
        it.remove()
        relay.close()


def run_sql(client, ontologies, sql=MANY, of="tpch"):
    """(the answer, seconds)"""
    began = time.monotonic()
    answer = client.request("POST", "/api/sql/run", {"ontologyId": ontologies[of], "sql": sql},
                            patience=60)
    return answer, time.monotonic() - began


def test_connections_that_break_cost_no_row(relayed):
    client, relay, ontologies = relayed
    right = run_sql(client, ontologies)[0].data["rows"]
    assert right == [["15000", "60000"]]
    over = threading.Event()

    def breaks():
        while not over.wait(0.15):
            relay.cut()

    thread = threading.Thread(target=breaks, daemon=True)
    thread.start()
    try:
        answers = [run_sql(client, ontologies)[0] for _ in range(12)]
    finally:
        over.set()
        thread.join()
    good = [a for a in answers if a.status == 200]
    assert all(a.data["rows"] == right for a in good)
    assert all(a.status == 503 and b"Trino" in a.body for a in answers if a not in good), answers
    assert len(good) > 6
    assert run_sql(client, ontologies)[0].data["rows"] == right


def test_a_cluster_that_does_not_answer_costs_a_query_its_time(relayed):
    client, relay, ontologies = relayed
    relay.shut()
    try:
        answer, seconds = run_sql(client, ontologies)
        assert answer.status in (400, 503) and seconds < 8 + 2, (answer.body, seconds)
        assert client.get("/healthz").status == 200
    finally:
        relay.reopen()
    assert run_sql(client, ontologies)[0].status == 200


def test_a_cluster_that_is_killed_is_a_sentence_and_comes_back(cluster, relayed):
    """Last: it starts the cluster again."""
    client, _, ontologies = relayed
    answers = []
    asked = threading.Thread(target=lambda: answers.append(
        run_sql(client, ontologies, SLOW, "slow")))
    asked.start()
    wait_until(lambda: running(cluster), 60, "the query")
    os.killpg(cluster.process.pid, signal.SIGKILL)
    cluster.process.wait()
    asked.join(30)
    [(answer, seconds)] = answers
    # It waits for it as long as the query may take, and does not blame the query.
    assert answer.status == 503 and b"is not available" in answer.body, answer.body
    assert seconds < 8 + 2
    down, seconds = run_sql(client, ontologies)
    assert down.status == 503 and b"is not available" in down.body, down.body
    assert seconds < 8 + 2
    cluster.log.close()
    cluster.start()
    assert run_sql(client, ontologies)[0].status == 200
