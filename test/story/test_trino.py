"""A real Trino cluster as a source: what it answers equals what PostgreSQL and uploaded
files answer, a model is made from its catalog, the built-in analyst asks it, and a query
that no one waits for is ended there."""
import http.client
import json
import os
import signal
import socket
import statistics
import threading
import time
from urllib.parse import urlsplit

import pytest
import yaml

import trino
from kit import players
from kit.fixtures import model_settings
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
def server(cluster, postgres, aimock, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    (folder / "rows.csv").write_text("n\n" + "".join(f"{n}\n" for n in range(1, 301)))
    (folder / "one.yaml").write_text(
        "semantic_model:\n  - name: " + ONE.format(name="one", source="public.rows"))
    (folder / "two.yaml").write_text("semantic_model:\n  - name: two\n" + TWO)
    (folder / "parents.csv").write_text("parent_id,amount\n1,10\n2,20\n")
    (folder / "children.csv").write_text("child_id,parent_id\n1,1\n2,2\n3,1\n")
    (folder / "slow.yaml").write_text(SLOW_MODEL)
    it = Server(**model_settings(aimock.url, SQL_MAX_ROWS="100",
                                 SQL_QUERY_TIMEOUT_MS="40000"))
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


def running_in(engine, server, cluster, postgres):
    """What the engine itself says it runs of our endless query, as a number."""
    if engine == "postgresql":
        return int(postgres.psql(
            "postgres", "select count(*) from pg_stat_activity where state = 'active'"
            " and query like '%rows d where a.n%' and pid <> pg_backend_pid()")[0][0])
    if engine == "trino":
        over = http.client.HTTPConnection("127.0.0.1", cluster.port, timeout=30)
        over.request("GET", "/v1/query", headers={"X-Trino-User": "test"})
        queries = json.load(over.getresponse())
        over.close()
        return len([q for q in queries if q["state"] not in ("FAILED", "FINISHED")
                    and " d where " in q["query"].replace("\n", " ").lower()])
    with socket.socket(socket.AF_UNIX) as it:
        it.connect(str(server.home / "run" / "sandbox.sock"))
        it.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        told = b"".join(iter(lambda: it.recv(65536), b""))
    return json.loads(told.partition(b"\r\n\r\n")[2])["running"]


@ENGINES
def test_a_query_whose_client_leaves_ends(server, cluster, postgres, ann, engine):
    ontology = server.ontology(ann.token, engine)
    gone = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    gone.request("POST", "/api/sql/run", json.dumps({"ontologyId": ontology, "sql": ENDLESS}),
                 {"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"})
    where = engine, server, cluster, postgres
    wait_until(lambda: running_in(*where), 60, "the query")
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
def test_a_lint_is_told(server, ann, engine):
    def warned(sql):
        answer = ann.post("/api/sql/run", {
            "ontologyId": server.ontology(ann.token, f"{engine} two"), "sql": sql})
        assert answer.status == 200, answer.body
        return [(w["kind"], w["rule"]) for w in answer.data["warnings"]]
    assert warned("select amount from parents order by amount limit 1") == []
    assert warned("select amount from parents limit 1") == [("rule", "limit_without_order")]
    assert ("unrelated_join", None) in warned(
        "select p.amount from parents p join children c on c.child_id = p.parent_id")


CONNECTIONS = {"postgresql": "plain", "trino": "pg", "duckdb": "duckdb"}


def connection_of(server, engine):
    admin = server.client("boss@example.org", "admin")
    connections = admin.get("/api/connections?pageSize=100").data["items"]
    return next(c["id"] for c in connections if c["name"] == CONNECTIONS[engine])


@pytest.mark.parametrize("engine", ["postgresql", "trino"])
def test_a_source_is_looked_through(server, engine):
    """Databases, schemas, tables, columns; uploaded files have none but their tables."""
    admin = server.client("boss@example.org", "admin")
    at, database = f"/api/connections/{connection_of(server, engine)}/databases", {
        "postgresql": "exact", "trino": "pg"}[engine]

    def names(path):
        return [item["name"] for item in admin.get(path, pageSize=100).data["items"]]
    assert database in names(at)
    at += f"/{database}/schemas"
    assert "public" in names(at)
    at += "/public/tables"
    assert names(at) == ["children", "parents", "rows"]
    columns = admin.get(at + "/children/columns").data["items"]
    assert [(c["name"], c["dataType"], c["position"]) for c in columns] == [
        ("child_id", "integer", 1), ("parent_id", "integer", 2)]


@ENGINES
def test_a_model_is_made_from_the_source(server, ann, engine):
    """The same tables, columns and types in all three."""
    if engine == "duckdb":  # made when the files were uploaded
        [model] = [m for m in ann.get("/api/semantic-models", pageSize=100).data["items"]
                   if m["name"] == "duckdb two"]
        text = ann.get(f"/api/semantic-models/{model['id']}/yaml").body.decode()
    else:
        text = server.run("import", "--from-database", CONNECTIONS[engine], "--schema",
                          "public", "--print", timeout=600).stdout
    [model] = yaml.safe_load(text)["semantic_model"]
    made = {d["name"]: {f["name"]: f["datatype"] for f in d["fields"]}
            for d in model["datasets"]}
    assert made.pop("rows", {"n": "Integer"}) == {"n": "Integer"}
    assert made == {"parents": {"parent_id": "Integer", "amount": "Integer"},
                    "children": {"child_id": "Integer", "parent_id": "Integer"}}
    assert {(r["from"], r["to"], *r["from_columns"], *r["to_columns"])
            for r in model["relationships"]} == {
        ("children", "parents", "parent_id", "parent_id")}


@ENGINES
def test_samples_are_rows_of_the_source(server, aimock, ann, engine):
    question = f"What does the source {engine} look like?"
    aimock.play([players.acts(question, ("get_sample_data",
                                         {"datasetName": "parents", "limit": 2})),
                 players.reacts(question, "So it is.")])
    chat = ann.new_chat(server.ontology(ann.token, f"{engine} two"), "openai",
                        agent="react")
    answer = ann.ask(chat, question)
    [result] = answer.of("tool_result")
    assert sorted(cells(result["result"])[-2:]) in (
        [["1", "10"], ["2", "20"]], [["10", "1"], ["20", "2"]]), result
    assert "20" in aimock.prompts(players.REACT)[-1][2]["messages"][-1]["content"]


@ENGINES
def test_a_cancelled_run_ends_in_the_engine(
        server, cluster, postgres, aimock, ann, engine):
    question = f"How many are there in {engine}?"
    aimock.play([players.acts(question, ("query_database", {"sql": ENDLESS})),
                 players.reacts(question, "So it is.")])
    chat = ann.new_chat(server.ontology(ann.token, engine), "openai", agent="react")
    stream, message = ann.start(chat, question)
    where = engine, server, cluster, postgres
    wait_until(lambda: running_in(*where) == 1, 60, "the query")
    begun = time.monotonic()
    assert ann.cancel(message).status == 200
    wait_until(lambda: not running_in(*where), 10, "the end of the query")
    print(f"{engine}: ended within {time.monotonic() - begun:.2f} s")  # a second is promised
    stream.finish()
    assert ann.settled(chat, message)["metadata"]["error"]["code"] == "CANCELLED"


@ENGINES
def test_rows_that_are_not_shared_stay_here(server, ann, engine):
    admin = server.client("boss@example.org", "admin")

    def share(how):
        changed = admin.request("PATCH", f"/api/connections/{connection_of(server, engine)}",
                                {"options": {"shareRows": how}})
        assert changed.status == 200, changed.body
        return query(ann, engine, "select n from rows where n = 217")
    try:
        text, failed = share("none")
        assert not failed and "217" not in text and not cells(text)[1:], text
    finally:
        text, failed = share("all")
    assert not failed and cells(text)[-1] == ["217"], text


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
