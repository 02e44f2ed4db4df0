"""The SQL console: a person's query goes the way of an agent's, and no other."""
import csv
import io
import json
import re
import socket
import uuid

import pytest

from sextant import ROOT, wait_until
from test_file_sources import FILES, pytestmark as needs_duckdb, upload

RUN, EXPLAIN, EXPORT = "/api/sql/run", "/api/sql/explain", "/api/sql/export"
QUERIES, HISTORY = "/api/sql/queries", "/api/sql/history"
CITIES = "select city, count(*) as stores from stores group by city order by 2 desc, 1"
SLOW = ("select count(*) from orders a join orders b on a.order_id <> b.order_id - 1 "
        "join orders c on c.order_id <> b.order_id - 1")
ATTACKS = ROOT / "test/data/guard/attacks.sql"


@pytest.fixture
def own(service):
    """An ontology of Ann's that everyone may use."""
    service.token_of("ann@example.org")
    made = service.import_model(service.retail_model, "retail", "--name",
                                f"console {uuid.uuid4()}", "--owner", "ann@example.org")
    service.psql(f"update ontologies set visibility = 'shared' where id = '{made}'")
    return made


def run(client, ontology, sql, path=RUN, **more):
    return client.post(path, {"ontologyId": ontology, "sql": sql, **more})


def problem(reply):
    return reply.json["details"]


def audited(service, ontology):
    return [json.loads(row[0]) for row in service.psql(
        "select json_build_object('action', action, 'details', details)::text"
        f" from audit_events where target = '{ontology}' and action like 'sql.%'"
        " order by id")]


# ---- running -----------------------------------------------------------------


def test_a_query_is_answered_with_exact_values(ann, retail):
    got = run(ann, retail, "select 9007199254740993::int8 as a, 1.10::numeric as b,"
              " null::text as c, true as d, 'x' as d from orders limit 1").data
    assert got["columns"] == ["a", "b", "c", "d", "d_2"]
    assert got["columnTypes"] == ["int8", "numeric", "text", "bool", "text"]
    assert got["rows"] == [["9007199254740993", "1.10", None, "t", "x"]]
    assert (got["rowCount"], got["truncated"], got["judged"]) == (1, False, True)


def test_rows_are_bounded(ann, retail):
    got = run(ann, retail, "select order_id from orders order by 1", maxRows=3).data
    assert got["rows"] == [["1"], ["2"], ["3"]] and got["truncated"]
    assert run(ann, retail, "select 1", maxRows=0).status == 400
    whole = run(ann, retail, "select * from orders").data
    assert whole["rowCount"] == len(whole["rows"]) == 1000 and whole["truncated"]


def test_an_error_has_its_line_and_column(ann, retail):
    reply = run(ann, retail, "\n  select city,\n  citi from stores")
    assert (reply.status, reply.code) == (400, "SQL_FAILED")
    assert 'column "citi" does not exist' in reply.json["message"]
    assert (problem(reply)["line"], problem(reply)["column"]) == (3, 3)
    assert "stores.city" in problem(reply)["hint"]
    reply = run(ann, retail, "select 1\nfrom from stores")
    assert (reply.code, problem(reply)["guard"]) == ("SQL_REFUSED", "syntax")
    assert (problem(reply)["line"], problem(reply)["column"]) == (2, 6)
    reply = run(ann, retail, "select\n 'ü', pg_sleep(1)")
    assert problem(reply)["guard"] == "function"
    assert (problem(reply)["line"], problem(reply)["column"]) == (2, 7)


def test_the_model_warns_and_the_query_runs(ann, retail):
    got = run(ann, retail, "select sum(s.square_feet) as area from stores s"
              " join orders o on o.store_id = s.store_id").data
    kinds = {w["kind"]: w for w in got["warnings"]}
    assert kinds["fan_out"]["grave"] and got["rowCount"] > 0
    got = run(ann, retail, CITIES).data
    assert got["warnings"] == []


def test_what_is_not_there_and_who_may_not(ann, viewer, service, retail):
    assert run(ann, str(uuid.uuid4()), "select 1").status == 404
    assert run(viewer, retail, "select 1").status == 403
    private = service.import_model(service.retail_model, "retail", "--name",
                                   f"private {uuid.uuid4()}", "--owner",
                                   "ann@example.org", "--private")
    bob = service.client("bob@example.org", "contributor")
    for path in (RUN, EXPLAIN):
        assert run(bob, private, "select 1", path).status == 404
    assert run(bob, private, "select 1", EXPORT, format="csv").status == 404
    assert bob.get(QUERIES, ontologyId=private).status == 404
    assert run(ann, private, "select 1 as a").data["rows"] == [["1"]]
    assert run(ann, retail, "  ").fields() == {"sql"}
    assert run(ann, "x", "").fields() == {"ontologyId", "sql"}
    assert run(ann, retail, "select 1 -- " + "x" * 30000).fields() == {"sql"}


# ---- attacks -----------------------------------------------------------------


def attacks():
    """(code, text) of each block."""
    code, found = None, []
    for block in re.split(r"\n\s*\n", ATTACKS.read_text()):
        mark = re.match(r"\s*-- expect: (\w+)\s*", block)
        if mark:
            code, block = mark[1], block[mark.end():]
        if block.strip():
            found.append((code, block))
    return found


def test_the_attack_list_is_refused(ann, retail, service):
    before = service.psql("select count(*) from users")
    tried = [(code, text) for code, text in attacks() if len(text) <= 30000]
    assert len(tried) > 500
    for path in (RUN, EXPLAIN):
        open_ = []
        for code, text in tried if path == RUN else tried[::7]:
            reply = run(ann, retail, text, path)
            if (reply.status, reply.code) != (400, "SQL_REFUSED"):
                open_.append((code, reply.status, reply.code, text[:200]))
        assert open_ == []
    assert service.psql("select count(*) from users") == before


def test_explain_of_what_executes_is_refused(ann, retail):
    for text in ("analyze select 1", "(analyze) select 1", "explain select 1",
                 "select 1; drop table orders", "select 1) select (2",
                 "declare c cursor for select 1", "create table x as select 1",
                 "execute x", "select * from pg_stats", "select $1"):
        reply = run(ann, retail, text, EXPLAIN)
        assert (reply.status, reply.code) == (400, "SQL_REFUSED"), text


# ---- the plan ----------------------------------------------------------------


def nodes(node):
    yield node
    for child in node["children"]:
        yield from nodes(child)


def test_a_plan_is_a_tree_with_costs(ann, retail):
    got = run(ann, retail, "select s.city, count(*) from orders o join stores s on"
              " s.store_id = o.store_id where o.status = 'completed' group by 1",
              EXPLAIN).data
    assert got["engine"] == "PostgreSQL"
    found = list(nodes(got["plan"]))
    assert {n["relation"] for n in found} >= {"orders", "stores"}
    assert got["plan"]["cost"] > 0 and got["plan"]["rows"] > 0
    details = {d["name"]: d["value"] for n in found for d in n["details"]}
    assert "completed" in details["Filter"]
    reply = run(ann, retail, "select\n citi from stores", EXPLAIN)
    assert (problem(reply)["line"], problem(reply)["column"]) == (2, 2)


def test_nothing_is_executed(ann, retail):
    got = run(ann, retail, "select 1 / (store_id - store_id) from stores", EXPLAIN)
    assert got.status == 200
    assert run(ann, retail, "select 1 / (store_id - store_id) from stores").code \
        == "SQL_FAILED"


STAFF = """semantic_model:
  - name: staff
    datasets:
      - name: staff
        source: public.staff
        fields:
          - {name: name, expression: name}
"""


def test_a_plan_does_not_tell_what_a_view_reads(service, source, ann, tmp_path):
    for statement in ("create schema if not exists hidden",
                      "create table if not exists hidden.salaries (name text, pay int)",
                      "create or replace view public.staff as select name"
                      " from hidden.salaries where pay > 4242",
                      "grant select on public.staff to public"):
        source.psql("retail", statement)
    file = tmp_path / "staff.osi.yaml"
    file.write_text(STAFF)
    made = service.import_model(str(file), "retail", "--name", f"staff {uuid.uuid4()}")
    got = run(ann, made, "select name from staff where name like 'A%'", EXPLAIN)
    assert got.status == 200, got.body
    assert "salaries" not in got.body.decode() and "4242" not in got.body.decode()
    assert list(nodes(got.data["plan"]))[-1]["relation"] is None


# ---- how many, how long ------------------------------------------------------


def queries_of_console(source):
    return source.psql("postgres", "select count(*) from pg_stat_activity where state ="
                       " 'active' and query like '%b.order_id - 1%'"
                       " and pid <> pg_backend_pid() and backend_type = 'client backend'"
                       )[0][0]


def open_run(service, client, ontology, sql):
    """A request whose answer is not read."""
    host, port = service.url.removeprefix("http://").split(":")
    body = json.dumps({"ontologyId": ontology, "sql": sql}).encode()
    it = socket.create_connection((host, int(port)))
    it.sendall((f"POST {RUN} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json"
                f"\r\nAuthorization: Bearer {client.token}\r\nContent-Length: "
                f"{len(body)}\r\n\r\n").encode() + body)
    return it


def test_a_client_that_leaves_stops_its_query(service, source, ann, own):
    held = open_run(service, ann, own, SLOW)
    wait_until(lambda: queries_of_console(source) == "1", what="the query")
    held.close()
    wait_until(lambda: queries_of_console(source) == "0", what="the end of the query")
    item = wait_until(lambda: ann.get(HISTORY, ontologyId=own).data, what="history")[0]
    assert (item["sql"], item["outcome"]) == (SLOW, "cancelled"), item["problem"]


def test_two_queries_of_a_user_at_a_time(service, source, ann, bob, own):
    held = [open_run(service, ann, own, SLOW) for _ in range(2)]
    wait_until(lambda: queries_of_console(source) == "2", what="two queries")
    assert run(ann, own, "select 1").status == 429
    assert run(bob, own, "select 1").status == 200
    for it in held:
        it.close()
    wait_until(lambda: run(ann, own, "select 1").status == 200, what="room")


# ---- the audit and the history -----------------------------------------------


def test_the_audit_has_no_literals(service, ann, own):
    run(ann, own, "select 'very secret' -- and so is this\n, 4711 from stores")
    run(ann, own, "drop table stores")
    run(ann, own, CITIES, EXPLAIN)
    run(ann, own, CITIES, EXPORT, format="csv")
    events = audited(service, own)
    assert [e["action"] for e in events] == ["sql.run", "sql.run", "sql.explained",
                                             "sql.exported"]
    assert events[0]["details"]["statement"] == "select ? , ? from stores"
    assert [e["details"]["outcome"] for e in events] == ["complete", "refused",
                                                         "complete", "asked"]
    assert "secret" not in json.dumps(events)


def test_history_is_bounded_and_can_be_deleted(service, ann, bob, own):
    for i in range(103):
        run(ann, own, f"select {i} as n from stores limit 1")
    run(ann, own, "select 5 as n from stores limit 1")
    items = ann.get(HISTORY, ontologyId=own).data
    assert [i["sql"] for i in items[:2]] == ["select 5 as n from stores limit 1",
                                             "select 102 as n from stores limit 1"]
    assert len(items) == 100 == len({i["sql"] for i in items})
    assert items[0]["outcome"] == "complete" and items[0]["rowCount"] == 1
    assert bob.get(HISTORY, ontologyId=own).data == []
    one = items[0]["id"]
    assert bob.request("DELETE", f"{HISTORY}/{one}").status == 404
    assert ann.request("DELETE", f"{HISTORY}/{one}").status == 204
    assert ann.request("DELETE", f"{HISTORY}/{one}").status == 404
    assert len(ann.get(HISTORY, ontologyId=own).data) == 99
    assert ann.request("DELETE", HISTORY).status == 400
    assert ann.request("DELETE", HISTORY, query={"ontologyId": own}).status == 204
    assert ann.get(HISTORY, ontologyId=own).data == []


# ---- saved queries -----------------------------------------------------------


def save(client, ontology, name, sql=CITIES, **more):
    return client.post(QUERIES, {"ontologyId": ontology, "name": name, "sql": sql,
                                 **more})


def test_saved_queries(ann, bob, own):
    made = save(ann, own, "Stores by city")
    assert made.status == 201
    assert (made.data["state"], made.data["mine"], made.data["shared"]) \
        == ("fits", True, False)
    assert save(ann, own, "stores BY city").status == 409
    assert save(bob, own, "Stores by city").status == 201
    assert [q["by"] for q in bob.get(QUERIES, ontologyId=own).data] \
        == ["bob@example.org"]
    path = f"{QUERIES}/{made.data['id']}"
    assert bob.request("PATCH", path, {"name": "x"}).status == 404
    changed = ann.request("PATCH", path, {"shared": True, "name": "Cities"}).data
    assert (changed["name"], changed["sql"], changed["shared"]) \
        == ("Cities", CITIES, True)
    seen = bob.get(QUERIES, ontologyId=own).data
    assert [(q["name"], q["mine"]) for q in seen] \
        == [("Stores by city", True), ("Cities", False)]
    assert bob.request("PATCH", path, {"name": "x"}).status == 403
    assert bob.request("DELETE", path).status == 403
    assert ann.request("DELETE", path).status == 204
    assert [q["name"] for q in bob.get(QUERIES, ontologyId=own).data] \
        == ["Stores by city"]
    assert save(ann, own, "").fields() == {"name"}
    assert save(ann, own, "a\nb").fields() == {"name"}
    assert save(ann, str(uuid.uuid4()), "x").status == 404


def test_a_query_is_stale_when_the_model_changes(service, ann, own):
    assert save(ann, own, "good").data["state"] == "fits"
    broken = save(ann, own, "broken", "select city from shops").data
    assert broken["state"] == "stale" and "shops" in broken["problem"]
    assert save(ann, own, "no column", "select citi from stores").data["state"] == "stale"
    model = ann.get(f"/api/ontologies/{own}").data["semanticModelId"]
    text = ann.get(f"/api/semantic-models/{model}/yaml").body.decode()
    smaller = re.sub(r"public\.stores\b", "public.other_stores", text)
    assert smaller != text
    service.psql(f"update ontologies set version = version + 0 where id = '{own}'")
    reply = ann.request("PATCH", f"/api/semantic-models/{model}", {"yaml": smaller})
    assert reply.status == 200, reply.body
    states = {q["name"]: q["state"] for q in ann.get(QUERIES, ontologyId=own).data}
    assert states == {"good": "stale", "broken": "stale", "no column": "stale"}


# ---- files -------------------------------------------------------------------


def test_the_whole_result_as_a_file(ann, retail):
    reply = run(ann, retail, "select order_id from orders order by 1", EXPORT,
                format="csv")
    rows = list(csv.reader(io.StringIO(reply.body.decode(), newline="")))
    assert rows[0] == ["order_id"] and len(rows) > 1001
    reply = run(ann, retail, "select order_id from orders order by 1", EXPORT,
                format="json", rows=2)
    assert json.loads(reply.body)["rows"] == [["1"], ["2"]]
    assert run(ann, retail, "select 1", EXPORT, format="doc").fields() == {"format"}
    assert run(ann, retail, "drop table orders", EXPORT, format="csv").status == 409


@needs_duckdb
def test_uploaded_files(ann, service):
    made = upload(ann, *FILES, name=f"console {uuid.uuid4()}")
    ontology = made["ontology_id"]
    got = run(ann, ontology, "select city, sum(amount) as total from orders"
              " where city is not null group by all order by city").data
    assert got["columns"] == ["city", "total"] and got["rows"][0][0] == "Austin"
    assert got["columnTypes"][1] == "numeric"
    plan = run(ann, ontology, "select c.tier, count(*) as n from orders o join customers"
               " c on c.customer_id = o.customer_id group by 1", EXPLAIN).data
    assert plan["engine"] == "DuckDB"
    found = list(nodes(plan["plan"]))
    assert {"orders", "customers"} & {n["relation"] for n in found}
    assert any(n["operation"] == "Hash Join" for n in found)
    reply = run(ann, ontology, "select\n citi from orders")
    assert (reply.code, problem(reply)["line"]) == ("SQL_FAILED", 2)
    for text in ("select * from read_csv('/etc/passwd')", "from duckdb_settings()",
                 "install httpfs", "select * from 'x.csv'", "attach 'x' as y",
                 "copy orders to 'x'", "select getenv('HOME')", "pragma version",
                 "select 1; select 2"):
        for path in (RUN, EXPLAIN):
            reply = run(ann, ontology, text, path)
            assert reply.status == 400 and reply.code in ("SQL_REFUSED", "SQL_FAILED"), \
                (text, reply.body)
    assert save(ann, ontology, "dialect", "select median(amount) from orders"
                ).data["state"] == "fits"
