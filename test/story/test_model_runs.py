"""Model builds over HTTP: followed, stopped, started again, and what remains if a process
or database fails meanwhile."""
import os
import signal
import uuid
from urllib.parse import unquote, urlsplit

import pytest
import yaml

from kit import contract, players
from kit.fixtures import model_settings, open_service
from kit.orders import INJECTION, LINES, ORDER, changed_nothing_told, obeys
from kit.server import hand_on
from sextant import alive, wait_until

PATH = "/api/semantic-models/runs"
SHOP = """
create schema extra;
create table customer (customer_id int primary key, segment text);
create table sale (sale_id int primary key, customer_id int references customer,
                   sold_at date, amount numeric(10,2));
create table extra.note (note_id int primary key, sale_id int, text text);
insert into customer select i, 'segment ' || i % 3 from generate_series(1, 30) i;
insert into sale select i, i % 30 + 1, date '2024-01-01' + i, i
  from generate_series(1, 100) i;
insert into extra.note select i, 101 - i, 'note' from generate_series(1, 50) i;
grant usage on schema extra to public;
grant select on extra.note to public;
"""
# Each is looked at until its time is over: there are minutes to look at.
SLOW = SHOP + "".join(f"create view slow_{i} as select pg_sleep(600)::text as a;"
                      for i in range(40))


@pytest.fixture(scope="module")
def shops(source):
    source.load("shop", SHOP)
    source.load("slow_shop", SLOW)
    return source


def connect(client, url, **more):
    """The id of a connection to that address."""
    at = urlsplit(url)
    return client.post("/api/connections", {
        "name": str(uuid.uuid4()), "host": at.hostname, "port": at.port,
        "databaseName": at.path[1:], "username": at.username,
        "password": unquote(at.password), **more}).data["id"]


def build(client, connection, name="built", **more):
    return client.post(PATH, {"connectionId": connection, "name": name, **more})


def follow(client, run, **more):
    return client.stream("POST", f"{PATH}/{run}/stream", **more)


def is_reading(event):
    return event.data.get("stage") == "samples"


@pytest.fixture(scope="module")
def quiet(source):
    """A server without a language model."""
    it = open_service(source, LEASE_MS=6000, DRAIN_MS=300, SANDBOX_URL="off")
    yield it
    it.remove()


@pytest.fixture
def somebody(quiet):
    """Of whom nothing is known, and of whom nothing goes on afterwards."""
    made = []

    def somebody(role="contributor"):
        made.append(quiet.client(f"{uuid.uuid4()}@example.org", role))
        return made[-1]
    yield somebody
    for client in made:
        for run in client.get(PATH).data["items"]:
            client.post(f"{PATH}/{run['id']}/cancel")


@pytest.fixture
def cat(somebody):
    return somebody()


def check_events(events):
    ids = [e.id for e in events]
    assert ids == sorted(set(ids))
    assert [e.type for e in events[:-1]] == ["run_progress"] * (len(events) - 1)
    assert events[-1].type in ("run_complete", "run_error")
    for event in events:
        contract.judge(event.data, {"$ref": "#/components/schemas/ModelRunEvent"})


def test_a_model_is_built_and_may_be_asked_about(cat, shops):
    connection = connect(cat, shops.url("shop"))
    made = build(cat, connection, instructions="Amounts are in euro.")
    assert made.status == 201
    assert made.data["databaseName"] == "shop"
    run = made.data["id"]
    events = follow(cat, run).finish()
    check_events(events)
    last = events[-1].data
    assert last["type"] == "run_complete" and last["datasetCount"] == 3
    one = cat.get(f"{PATH}/{run}").data
    assert (one["status"], one["error"]) == ("complete", None)
    assert one["semanticModelId"] == last["semanticModelId"]
    assert one["endedAt"] and one["found"]["warnings"] == []
    [listed] = cat.get(PATH, connectionId=connection).data["items"]
    assert listed == {k: v for k, v in one.items() if k != "found"}
    model = f"/api/semantic-models/{one['semanticModelId']}"
    assert cat.get(model).data["relationshipCount"] == one["relationshipCount"]
    text = cat.get(f"{model}/yaml").body.decode()
    assert "The database shop." in text and "Amounts are in euro." in text
    assert cat.post("/api/semantic-models/validate",
                    {"yaml": text}).data["valid"] is True
    ontology = cat.post("/api/ontologies", {
        "name": "built", "semanticModelId": one["semanticModelId"]}).data["id"]
    wait_until(lambda: cat.get(f"/api/ontologies/{ontology}").data["status"]
               == "ready", what="the ontology")
    answer = cat.ask(cat.new_chat(ontology, "builtin"), "total amount by segment")
    assert answer.complete


def test_a_stream_goes_on_where_it_was_left(cat, shops):
    run = build(cat, connect(cat, shops.url("shop"))).data["id"]
    events = follow(cat, run).finish()
    again = follow(cat, run).finish()
    assert [(e.id, e.type) for e in again] == [(events[-1].id, "run_complete")]
    for where in ({"headers": {"Last-Event-ID": str(events[-1].id)}},
                  {"query": {"after": events[-1].id}}):
        assert follow(cat, run, **where).finish() == []
    assert follow(cat, run, query={"after": "x"}).status == 400


def test_what_is_selected_is_read_and_nothing_else(cat, shops):
    connection = connect(cat, shops.url("slow_shop"))

    def datasets(**selection):
        run = build(cat, connection, **selection).data["id"]
        last = follow(cat, run).finish()[-1].data
        assert last["type"] == "run_complete", last
        graph = cat.get(
            f"/api/semantic-models/{last['semanticModelId']}/yaml").body.decode()
        found = cat.get(f"{PATH}/{run}").data["found"]
        return graph.count("source:"), found["warnings"]
    assert datasets(selectedSchemas=["extra"]) == (1, [])
    assert datasets(selectedTables=["customer", "extra.note"]) == (2, [])
    assert datasets(selectedSchemas=["public"], selectedTables=[
        "customer", "no such"]) == (1, ["Of 2 selected tables 1 can be read."])


def test_a_second_build_replaces_the_model_and_reaches_its_ontologies(cat, shops):
    connection = connect(cat, shops.url("shop"))

    def built(**more):
        run = build(cat, connection, **more).data["id"]
        last = follow(cat, run).finish()[-1].data
        assert last["type"] == "run_complete", last
        return last
    first = built(selectedTables=["customer"])
    ontology = cat.post("/api/ontologies", {
        "name": "built", "semanticModelId": first["semanticModelId"]}).data["id"]
    path = f"/api/ontologies/{ontology}"
    wait_until(lambda: cat.get(path).data["status"] == "ready", what="it")
    second = built()
    assert second["semanticModelId"] == first["semanticModelId"]
    assert cat.get(path).data["datasetCount"] == 3
    other = connect(cat, shops.url("slow_shop"))
    reply = build(cat, other)
    assert reply.code == "CONFLICT" and "another database" in reply.json["message"]


def test_a_build_is_stopped_down_to_its_queries(cat, shops):
    connection = connect(cat, shops.url("slow_shop"))
    run = build(cat, connection).data["id"]
    stream = follow(cat, run)
    stream.wait_for(is_reading)
    stopped = cat.post(f"{PATH}/{run}/cancel").data
    assert (stopped["status"], stopped["error"]["code"]) == ("cancelled",
                                                             "CANCELLED")
    events = stream.finish()
    check_events(events)
    assert events[-1].data["code"] == "CANCELLED"
    wait_until(lambda: not shops.busy("slow_shop", "slow_"), what="the end")
    assert cat.post(f"{PATH}/{run}/cancel").data == stopped
    assert cat.get("/api/semantic-models", search="built").data["items"] == []
    again = build(cat, connection, selectedTables=["customer"]).data["id"]
    assert follow(cat, again).finish()[-1].type == "run_complete"


def test_one_at_a_time_of_the_same_and_two_of_a_user(cat, somebody, shops):
    connection = connect(cat, shops.url("slow_shop"))
    first = build(cat, connection, selectedSchemas=["public"]).data["id"]
    for more in ({"name": "other"}, {"name": "other", "selectedSchemas": [
            "extra", "public"]}, {"selectedSchemas": ["extra"]}):
        reply = build(cat, connection, **more)
        assert reply.code == "CONFLICT", (more, reply.body)
        assert reply.json["details"] == {"runId": first}
    second = build(cat, connect(cat, shops.url("slow_shop")), name="other")
    assert second.status == 201
    reply = build(cat, connection, name="third", selectedSchemas=["extra"])
    assert reply.code == "RATE_LIMITED" and int(reply.headers["retry-after"]) > 0
    admin = somebody("admin")
    assert build(admin, connection).json["details"] == {"runId": first}
    assert cat.get(PATH).data["total"] == 2


def test_who_may_and_who_may_see(cat, somebody, shops):
    connection = connect(cat, shops.url("shop"))
    run = build(cat, connection).data["id"]
    follow(cat, run).finish()
    viewer = somebody("viewer")
    assert build(viewer, connection).code == "FORBIDDEN"
    assert viewer.post(f"{PATH}/{run}/cancel").code == "FORBIDDEN"
    other = somebody()
    assert build(other, connection).json["message"] == "Connection not found"
    assert other.get(PATH).data["items"] == []
    for who in (other, viewer):
        assert who.get(f"{PATH}/{run}").status == 404
        assert follow(who, run).status == 404
    assert other.post(f"{PATH}/{run}/cancel").status == 404
    assert somebody("admin").get(f"{PATH}/{run}").data["status"] == "complete"


@pytest.mark.parametrize("body, field", [
    ({"selectedSchemas": [""]}, "selectedSchemas"),
    ({"selectedSchemas": ["x" * 64]}, "selectedSchemas"),
    ({"selectedTables": ["t"] * 1001}, "selectedTables"),
    ({"selectedTables": [None]}, "selectedTables"),
    ({"name": " "}, "name"), ({"instructions": "x" * 4001}, "instructions"),
])
def test_what_is_malformed_is_named(cat, body, field):
    reply = build(cat, str(uuid.uuid4()), **body)
    assert reply.fields() == {field}


def test_a_database_without_tables_says_so(cat, shops):
    run = build(cat, connect(cat, shops.url("shop")),
                selectedSchemas=["no such"]).data["id"]
    last = follow(cat, run).finish()[-1].data
    assert last["code"] == "NO_DATASETS" and "no table" in last["message"]


def test_a_database_that_goes_away_leaves_the_old_model(cat, shops):
    connection = connect(cat, shops.url("slow_shop"))
    run = build(cat, connection, selectedTables=["customer"]).data["id"]
    model = follow(cat, run).finish()[-1].data["semanticModelId"]
    path = f"/api/semantic-models/{model}"
    before = cat.get(path).data, cat.get(f"{path}/yaml").body
    run = build(cat, connection).data["id"]
    stream = follow(cat, run)
    stream.wait_for(is_reading)
    try:
        shops.psql("postgres", "alter role slow_shop_reader nologin")
        shops.psql("postgres", "select pg_terminate_backend(pid) from"
                   " pg_stat_activity where datname = 'slow_shop'")
        last = stream.finish()[-1].data
    finally:
        shops.psql("postgres", "alter role slow_shop_reader login")
    assert last["code"] == "DATABASE_UNAVAILABLE", last
    assert "slow_shop_reader" in last["message"]
    assert cat.get(f"{PATH}/{run}").data["error"] == {
        "code": last["code"], "message": last["message"]}
    assert (cat.get(path).data, cat.get(f"{path}/yaml").body) == before


def test_a_disabled_user_builds_nothing(cat, somebody, shops):
    run = build(cat, connect(cat, shops.url("slow_shop"))).data["id"]
    stream = follow(cat, run)
    stream.wait_for(is_reading)
    me = cat.get("/api/auth/me").data["id"]
    admin = somebody("admin")
    admin.request("PATCH", f"/api/users/{me}", {"isActive": False}).data
    wait_until(lambda: not shops.busy("slow_shop", "slow_"), what="the end")
    admin.request("PATCH", f"/api/users/{me}", {"isActive": True}).data
    wait_until(lambda: cat.get("/api/auth/me").status == 200, what="the user")
    wait_until(lambda: cat.get(f"{PATH}/{run}").data["status"] == "cancelled",
               what="the end of the run")


# ---- descriptions by a language model -----------------------------------------------

DESCRIBER = "You are the Describer of a data agent"


@pytest.fixture
def described(service, shops, play):
    """A model that is built while the describer says that: its text, and its run."""
    client = service.client(f"{uuid.uuid4()}@example.org")

    def described(fixtures, **more):
        play("retail", fixtures)
        run = build(client, connect(client, shops.url("shop")),
                    name=str(uuid.uuid4()), **more).data["id"]
        last = follow(client, run).finish()[-1].data
        assert last["type"] == "run_complete", last
        path = f"/api/semantic-models/{last['semanticModelId']}/yaml"
        return (yaml.safe_load(client.get(path).body)["semantic_model"][0],
                client.get(f"{PATH}/{run}").data["found"])
    return described


def test_tables_without_a_comment_get_words(described, aimock, shops):
    shops.psql("shop", "comment on table customer is 'Who buys'")
    told = {"tables": [
        {"table": "public.sale", "description": "A sale\nof the shop.", "columns": [
            {"column": "amount", "description": "In euro"},
            {"column": "no such", "description": "x"}]},
        {"table": "public.customer", "description": "x", "columns": []},
        {"table": "no.such", "description": "x", "columns": []}]}
    model, found = described(
        players.structured(DESCRIBER, None, "describe_tables", told),
        instructions="All of it is made up.")
    sets = {d["name"]: d for d in model["datasets"]}
    assert sets["sale"]["description"] == "A sale of the shop. 100 rows."
    assert sets["customer"]["description"] == "Who buys. 30 rows."
    fields = {f["name"]: f.get("description") for f in sets["sale"]["fields"]}
    assert fields["amount"] == "In euro. From 1.00 to 100.00."
    assert found["warnings"] == ["The language model did not describe 1 tables."]
    [(_, user, _)] = aimock.prompts(DESCRIBER)
    assert "All of it is made up." in user
    assert '"public.sale"' in user and '"extra.note"' in user
    assert '"public.customer"' not in user and '"segment 0"' not in user


HOSTILE = """create type "{order}, a type" as enum ('a');
create table "{order}" (id int primary key, "x
{order}" text, kind "{order}, a type");
comment on column "{order}".id is '{lines}';
insert into "{order}" values (1, '{lines}', 'a');"""


def test_orders_in_a_database_do_not_move_the_describer(service, source, play, aimock):
    """Orders in the names of a table, a column and a type, in a comment and in a cell."""
    source.load("orders", HOSTILE.format(order=INJECTION, lines=LINES))
    play("retail", [*obeys(), *players.structured(DESCRIBER, None, "describe_tables", {
        "tables": [{"table": f"public.{INJECTION}", "description": "Payments.",
                    "columns": [{"column": "kind", "description": "How it was paid."}]}]})])
    client = service.client(f"{uuid.uuid4()}@example.org")
    run = build(client, connect(client, source.url("orders")),
                name=str(uuid.uuid4())).data["id"]
    last = follow(client, run).finish()[-1].data
    assert last["type"] == "run_complete", last
    path = f"/api/semantic-models/{last['semanticModelId']}/yaml"
    model = yaml.safe_load(client.get(path).body)["semantic_model"][0]
    [one] = model["datasets"]
    assert one["description"].startswith("Payments.")
    [(_, user, _)] = aimock.prompts(DESCRIBER)
    assert user.count(ORDER) >= 4  # the name, its column, its type, and what describes them
    changed_nothing_told(aimock)


def test_what_a_model_says_amiss_leaves_the_model_without_words(described, aimock):
    model, found = described([players.says(DESCRIBER, None, "No idea.")])
    [warning] = found["warnings"]
    assert {d["name"] for d in model["datasets"]} == {"sale", "customer", "note"}
    assert warning.startswith("The language model did not describe")
    assert "its reply" in warning
    described([players.says(DESCRIBER, None, "No idea.")], describe=False)
    assert aimock.prompts(DESCRIBER) == []


def test_the_admin_says_which_model_describes_and_its_calls_are_counted(
        described, aimock, service):
    root = service.client(f"{uuid.uuid4()}@example.org", "admin")
    calls = {"provider": "openai", "model": "gpt-4.1-mini"}

    def put(openai):
        reply = root.request("PUT", "/api/system-settings", {
            "agentConfigs": {"dataAgent": openai}})
        assert reply.status == 200, reply.body

    put({"openai": {"model": calls["model"], "temperature": 0.4}})
    try:
        described([players.says(DESCRIBER, None, "No idea.")])
    finally:
        put({})
    [(_, _, body)] = aimock.prompts(DESCRIBER)
    assert (body["model"], body["temperature"]) == (calls["model"], 0.4)
    assert service.metric("model_calls_total", **calls, outcome="failed") == 1
    assert service.metric("model_tokens_total", **calls) > 0


def test_a_build_asks_no_model_for_a_user_without_tokens(
        source, shops, models, aimock, play):
    service = open_service(source, TOKENS_PER_DAY=1, SANDBOX_URL="off",
                           **model_settings(models.url))
    try:
        client = service.client(f"{uuid.uuid4()}@example.org")
        connection = connect(client, shops.url("shop"))
        play("retail", [players.says(DESCRIBER, None, "No idea.")])

        def warnings(**more):
            run = build(client, connection, name=str(uuid.uuid4()), **more).data["id"]
            assert follow(client, run).finish()[-1].data["type"] == "run_complete"
            return client.get(f"{PATH}/{run}").data["found"]["warnings"]

        [first] = warnings()
        assert "its reply" in first
        asked = len(aimock.prompts(DESCRIBER))
        [second] = warnings()
        assert "tokens for today" in second
        assert warnings(describe=False) == []
        assert len(aimock.prompts(DESCRIBER)) == asked > 0
    finally:
        service.remove()


# ---- a process that dies -------------------------------------------------------------

@pytest.fixture(scope="module")
def mortal(source, models):
    """A server whose process is killed while it waits for its language model."""
    it = open_service(source, LEASE_MS=6000, SANDBOX_URL="off",
                      **model_settings(models.url))
    yield it
    it.remove()


def kill(service):
    worker = service.worker()
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: not alive(worker), what="its end")


def at_descriptions(client, run):
    progress = client.get(f"{PATH}/{run}").data["progress"]
    return progress if progress["stage"] == "descriptions" else None


def test_a_build_survives_its_process_and_reads_nothing_twice(
        mortal, source, shops, models, play):
    """Killed while it asks for descriptions: the links are its last checkpoint."""
    source.load("mortal_shop", SHOP)
    play("retail", players.structured(DESCRIBER, None, "describe_tables", {
        "tables": [{"table": "public.sale", "description": "A sale.",
                    "columns": []}]}))
    client = mortal.client(f"{uuid.uuid4()}@example.org")
    held = models.hold(DESCRIBER)
    run = build(client, connect(client, source.url("mortal_shop"))).data["id"]
    stream = follow(client, run)
    held.wait()
    before = wait_until(lambda: at_descriptions(client, run), what="the stage")
    kill(mortal)
    stream.thread.join(60)
    source.psql("mortal_shop", "create table late (late_id int primary key);"
                " grant select on late to public")
    held.released.set()
    mortal.wait_healthy("/readyz")
    hand_on(mortal.psql, run)
    events = follow(client, run).finish()
    check_events(events)
    assert events[-1].id > max(e.id for e in stream.events)
    last = events[-1].data
    assert (before["stage"], last["type"]) == ("descriptions", "run_complete"), last
    assert last["datasetCount"] == 3, "the table came after the catalog was read"
    assert last["relationshipCount"] == 2
    text = client.get(
        f"/api/semantic-models/{last['semanticModelId']}/yaml").body.decode()
    assert "A sale. 100 rows." in text, "descriptions and samples are in the model"
    [listed] = client.get(PATH).data["items"]
    assert listed["status"] == "complete"


def test_a_build_that_is_cancelled_after_its_process_died_stays_cancelled(
        quiet, shops):
    client = quiet.client("dan@example.org")
    connection = connect(client, shops.url("slow_shop"))
    run = build(client, connection).data["id"]
    follow(client, run).wait_for(is_reading)
    kill(quiet)
    quiet.wait_healthy("/readyz")
    assert client.get(f"{PATH}/{run}").data["status"] == "running"
    assert build(client, connection, name="other").json["details"] == {"runId": run}
    assert client.post(f"{PATH}/{run}/cancel").data["status"] == "cancelled"
    assert follow(client, run).finish()[-1].data["code"] == "CANCELLED"
    again = build(client, connection, selectedTables=["customer"]).data["id"]
    assert follow(client, again).finish()[-1].type == "run_complete"


def test_a_server_that_stops_hands_the_build_to_the_next(quiet, shops):
    client = quiet.client("eve@example.org")
    run = build(client, connect(client, shops.url("slow_shop"))).data["id"]
    stream = follow(client, run)
    stream.wait_for(is_reading)
    assert quiet.stop() == 0
    quiet.start()
    client = quiet.client("eve@example.org")
    follow(client, run).wait_for(
        lambda e: e.type == "run_progress" and e.id > stream.events[-1].id)
    assert client.get(f"{PATH}/{run}").data["status"] == "running"
    client.post(f"{PATH}/{run}/cancel")


def test_a_build_whose_connection_is_deleted_ends(quiet, shops):
    client = quiet.client("fay@example.org")
    connection = connect(client, shops.url("slow_shop"))
    run = build(client, connection).data["id"]
    stream = follow(client, run)
    stream.wait_for(is_reading)
    assert client.request("DELETE", f"/api/connections/{connection}").status == 204
    assert stream.finish()[-1].data["code"] == "CANCELLED"
    assert client.get(f"{PATH}/{run}").status == 404
    wait_until(lambda: not shops.busy("slow_shop", "slow_"), what="the end")
    assert quiet.psql(f"select 1 from runs where message_id = '{run}'") == []


def test_a_build_is_no_run_of_a_chat(quiet, somebody, shops):
    """It counts towards no limit of chats, and no list of theirs shows it."""
    client = quiet.client("gil@example.org")
    chat = client.new_chat(quiet.ontologies["retail"], "builtin")
    run = build(client, connect(client, shops.url("slow_shop"))).data["id"]
    follow(client, run).wait_for(is_reading)
    assert client.ask(chat, "revenue by city in 2025").complete
    admin = somebody("admin")
    assert run not in str(admin.get("/api/admin/runs").data)
    assert admin.post(f"/api/admin/runs/{run}/cancel").status == 404
    assert client.get(f"/api/data-agent/messages/{run}/events").status == 404
    assert client.get(f"{PATH}/{run}").data["status"] == "running"
    client.post(f"{PATH}/{run}/cancel")
