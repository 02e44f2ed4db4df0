"""Semantic models over HTTP: import, ontologies, removal."""
import json
import uuid

import pytest

from postgres import PASSWORD
from sextant import PROGRAM, wait_until
from kit.fixtures import MODELS
from kit.places import SHARED_DATA

PATH = "/api/semantic-models"
RETAIL = MODELS["retail"].read_text()


def small(**dataset):
    return {"name": "small", "datasets": [{
        "name": "orders", "source": "public.orders",
        "fields": [{"name": "order_id", "expression": "order_id"}], **dataset}]}


@pytest.fixture
def connection(ann, source):
    return ann.post("/api/connections", {
        "name": str(uuid.uuid4()), "host": "127.0.0.1", "port": source.port,
        "databaseName": "retail", "username": "retail_reader",
        "password": PASSWORD}).data["id"]


@pytest.fixture
def bring(ann, connection):
    def bring(text=RETAIL, **more):
        field = "yaml" if isinstance(text, str) else "model"
        return ann.post(PATH, {"name": str(uuid.uuid4()), field: text,
                               "connectionId": connection, **more})
    return bring


def make(client, model, **more):
    """A ready ontology of it."""
    made = client.post("/api/ontologies", {
        "name": "made", "semanticModelId": model["id"], **more}).data
    assert made["status"] == "creating"
    return wait_ready(client, made["id"])


def wait_ready(client, ontology):
    def look():
        data = client.get(f"/api/ontologies/{ontology}").data
        return data if data["status"] != "creating" else None
    data = wait_until(look, what="the ontology")
    assert data["status"] == "ready", data
    return data


def documents():
    folder = SHARED_DATA / "osi"
    return sorted(folder.glob("*.yaml")) if folder.is_dir() else []


class TestBringing:
    def test_the_text_comes_back_byte_by_byte(self, ann, bring):
        reply = bring()
        assert reply.status == 201
        data = reply.data
        assert data["datasetCount"] >= 5 and data["ontologyCount"] == 0
        assert data["databaseName"] == "retail" and data["warnings"] == []
        raw = ann.get(f"{PATH}/{data['id']}/yaml")
        assert raw.body.decode() == RETAIL
        assert raw.headers["content-type"].startswith("application/yaml")
        assert ann.get(f"{PATH}/{data['id']}").data == {
            k: v for k, v in data.items() if k != "warnings"}

    @pytest.mark.parametrize("path", documents(), ids=lambda p: p.name)
    def test_documents_of_others_go_round(self, ann, bring, path):
        text = path.read_text()
        first = bring(text).data
        out = ann.get(f"{PATH}/{first['id']}/yaml").body.decode()
        assert out == text
        second = bring(out).data
        for key in ("datasetCount", "relationshipCount", "metricCount",
                    "osiVersion", "warnings"):
            assert first[key] == second[key]

    def test_json_keeps_its_keys_in_their_order(self, ann, bring):
        model = small(zeta="kept", description="😀 \"quoted\": #no comment",
                      primary_key=["order_id"])
        data = bring(model).data
        assert [w["path"] for w in data["warnings"]] == ["/datasets/0/zeta"]
        text = ann.get(f"{PATH}/{data['id']}/yaml").body.decode()
        places = [text.index(key) for key in ("source", "fields", "zeta",
                                              "description", "primary_key")]
        assert places == sorted(places) and "😀" in text
        again = bring(text).data
        assert again["warnings"][0]["message"] == data["warnings"][0]["message"]

    def test_all_errors_at_once_each_with_its_place(self, ann, bring, service):
        text = ("semantic_model:\n  - name: x\n    datasets:\n"
                "      - name: a\n        source: public.a\n"
                "      - name: a\n    relationships:\n"
                "      - {name: r, from: a, to: nobody, from_columns: [x, y],"
                " to_columns: [z]}\n")
        before = service.psql("select count(*) from semantic_models")
        reply = bring(text)
        assert reply.code == "VALIDATION_ERROR"
        found = {(d["line"], d["path"].rsplit("/", 1)[-1])
                 for d in reply.json["details"]}
        assert {(6, "name"), (6, "1"), (8, "to"), (8, "to_columns")} <= found
        assert reply.fields() == {"yaml"}
        assert service.psql("select count(*) from semantic_models") == before

    @pytest.mark.parametrize("text, why", [
        ("a: &a [x]\nb: *a\n", "anchors"),
        ("a: !!python/object x\n", "tags"),
        ("[" * 5000, "levels"),
        ("? i:\t:", None), ("- |\n", None), ("%\u00b3", None),
        ("x" * (256 * 1024 + 1), "256 KB"), ("", "empty"),
        ("- {a: " * 2000, None),
        ("- x\n" * 60000, "60000"),
    ], ids=lambda v: (v or "odd")[:12])
    def test_hostile_texts_are_refused_and_nothing_else_happens(
            self, ann, bring, service, text, why):
        reply = bring(text)
        assert reply.code == "VALIDATION_ERROR", reply.body[:500]
        if why:
            assert why in reply.json["details"][0]["message"]
        assert ann.get("/healthz").status == 200

    def test_validate_keeps_nothing(self, ann):
        data = ann.post(f"{PATH}/validate", {"yaml": RETAIL}).data
        assert data["valid"] is True and data["errors"] == []
        assert data["model"]["datasetCount"] >= 5
        data = ann.post(f"{PATH}/validate", {"model": {"datasets": []}}).data
        assert data["valid"] is False and data["model"] is None
        assert data["errorCount"] == len(data["errors"]) == 1

    def test_a_name_is_taken_once_and_the_connection_must_be_seen(
            self, ann, bob, bring, connection):
        data = bring(name="taken once").data
        assert bring(name="taken once").code == "CONFLICT"
        reply = bob.post(PATH, {"connectionId": connection, "yaml": RETAIL})
        assert (reply.status, reply.json["message"]) == (404,
                                                         "Connection not found")
        assert ann.request("DELETE", f"{PATH}/{data['id']}").status == 204
        assert bring(name="taken once").status == 201

    @pytest.mark.parametrize("body, field", [
        ({"yaml": RETAIL, "model": {}}, "model"), ({}, "yaml"),
        ({"yaml": 7}, "yaml"), ({"model": "x"}, "model"),
    ])
    def test_a_model_is_text_or_json(self, ann, connection, body, field):
        reply = ann.post(PATH, {"connectionId": connection, **body})
        assert field in reply.fields()


class TestMaking:
    def test_an_ontology_is_made_and_answers(self, ann, bring):
        ontology = make(ann, bring().data, description="of the shop")
        assert ontology["embeddingModel"] == "lexical:2"
        answer = ann.ask(ann.new_chat(ontology["id"], "builtin"),
                         "revenue by city in 2025")
        assert answer.complete

    def test_the_graph_has_what_is_counted(self, ann, retail):
        one = ann.get(f"/api/ontologies/{retail}").data
        graph = ann.get(f"/api/ontologies/{retail}/graph").data
        assert len(graph["nodes"]) == one["nodeCount"]
        assert len(graph["edges"]) == one["relationshipCount"]
        ids = [n["id"] for n in graph["nodes"]]
        assert len(set(ids)) == len(ids)
        assert all({e["source"], e["target"]} <= set(ids)
                   for e in graph["edges"])
        small = ann.get(f"/api/ontologies/{retail}/graph", fields="false").data
        assert {n["label"] for n in small["nodes"]} == {"Dataset"}
        assert len(small["nodes"]) == one["datasetCount"]
        assert {e["type"] for e in small["edges"]} == {"RELATES_TO"}

    def test_what_is_suggested_can_be_answered(self, ann, retail):
        asked = ann.get(f"/api/ontologies/{retail}/suggestions").data[
            "suggestions"]
        assert len(asked) >= 3 and len(set(asked)) == len(asked)
        for question in asked[:2]:
            answer = ann.ask(ann.new_chat(retail, "builtin"), question)
            assert answer.complete
            assert answer.metadata["stepResults"][0]["sqlResult"]["rowCount"] > 0

    def test_embeddings_are_made_anew(self, ann, service, bring):
        ontology = make(ann, bring().data)
        service.psql("delete from ontology_embeddings where ontology_id ="
                     f" '{ontology['id']}'")
        path = f"/api/admin/ontologies/{ontology['id']}/backfill-embeddings"
        assert ann.post(path).code == "FORBIDDEN"
        admin = service.client("root@example.org", "admin")
        assert admin.post(path).data["embeddingModel"] == "lexical:2"
        [[n]] = service.psql("select count(*) from ontology_embeddings where"
                             f" ontology_id = '{ontology['id']}'")
        assert int(n) == ontology["datasetCount"]
        answer = ann.ask(ann.new_chat(ontology["id"], "builtin"),
                         "revenue by city in 2025")
        assert answer.complete

    def test_one_that_is_not_ready_shows_no_graph(self, ann, service, retail):
        [[made]] = service.psql(
            "insert into ontologies (owner_id, semantic_model_id, name, status,"
            " visibility, failure) select owner_id, semantic_model_id, 'bad',"
            f" 'failed', 'shared', 'why' from ontologies where id = '{retail}'"
            " returning id")
        assert ann.get(f"/api/ontologies/{made}").data["failure"] == "why"
        for what in ("graph", "suggestions"):
            assert ann.get(f"/api/ontologies/{made}/{what}").code == "CONFLICT"

    def test_another_text_reaches_the_ontologies(self, ann, bob, bring,
                                                 service):
        model = bring(small()).data
        ontology = make(ann, model)
        path = f"{PATH}/{model['id']}"
        changed = ann.request("PATCH", path, {
            "name": "other name", "yaml": RETAIL, "visibility": "shared"}).data
        assert changed["name"] == "other name"
        assert changed["datasetCount"] > 1 and changed["ontologyCount"] == 1
        now = ann.get(f"/api/ontologies/{ontology['id']}").data
        assert now["datasetCount"] == changed["datasetCount"]
        assert now["name"] == "made" and now["visibility"] == "private"
        assert ann.get(f"{path}/yaml").body.decode() == RETAIL
        assert bob.get(path).status == 200
        assert service.psql("select action from audit_events where target = "
                            f"'{model['id']}' order by action") == [
            ["semantic_model.edited"], ["semantic_model.shared"]]
        assert bob.request("PATCH", path, {"name": "x"}).code == "FORBIDDEN"
        bad = ann.request("PATCH", path, {"name": "never", "yaml": "a: 1"})
        assert bad.code == "VALIDATION_ERROR"
        assert ann.get(path).data["name"] == "other name"


class TestTheEnd:
    def test_an_ontology_goes_with_its_chats(self, ann, bob, service, bring):
        ontology = make(ann, bring().data, visibility="shared")
        path = f"/api/ontologies/{ontology['id']}"
        chat = ann.new_chat(ontology["id"], "builtin")
        assert bob.request("DELETE", path).code == "FORBIDDEN"
        assert ann.request("DELETE", path).status == 204
        assert ann.get(path).status == 404
        assert ann.request("DELETE", path).status == 404
        assert ann.get(f"/api/data-agent/chats/{chat}").status == 404
        restore = ann.post(f"/api/data-agent/chats/{chat}/restore")
        assert restore.status == 404
        reply = ann.post("/api/data-agent/chats", {"ontologyId": ontology["id"]})
        assert reply.status == 404
        assert service.psql("select count(*) from ontology_embeddings where"
                            f" ontology_id = '{ontology['id']}'") == [["0"]]

    def test_one_removed_while_it_is_created_can_be_restored(self, ann, bring, service):
        model = bring().data
        for _ in range(8):
            made = ann.post("/api/ontologies", {
                "name": "early", "semanticModelId": model["id"]}).data
            path = f"/api/ontologies/{made['id']}"
            assert ann.request("DELETE", path).status == 204
            reply = ann.post(f"{path}/restore")
            assert reply.status == 200, reply.body
            wait_ready(ann, made["id"])

    def test_one_whose_creation_failed_can_be_restored(self, ann, bring, service):
        ontology = make(ann, bring().data)
        service.psql("update ontologies set status = 'failed', failure = 'why'"
                     f" where id = '{ontology['id']}'")
        path = f"/api/ontologies/{ontology['id']}"
        assert ann.request("DELETE", path).status == 204
        assert ann.post(f"{path}/restore").data["failure"] == "why"

    def test_a_model_goes_with_its_ontologies_and_stops_their_runs(
            self, ann, service, bring, source):
        model = bring().data
        ontology = make(ann, model)
        chat = ann.new_chat(ontology["id"], "builtin")
        source.psql("retail", "select 1")
        stream, _ = ann.start(chat, "revenue by city in 2025")
        assert ann.request("DELETE", f"{PATH}/{model['id']}").status == 204
        events = stream.finish()
        assert events[-1].type in ("message_complete", "message_error")
        assert ann.get(f"{PATH}/{model['id']}").status == 404
        assert ann.get(f"/api/ontologies/{ontology['id']}").status == 404
        assert service.psql(
            "select action from audit_events where target ="
            f" '{model['id']}'") == [["semantic_model.deleted"]]


# ---- the probe alone ---------------------------------------------------------------

def probe(text, *words):
    import subprocess
    done = subprocess.run([PROGRAM, "probe-yaml", *words], input=text.encode(),
                          capture_output=True, timeout=60, env={})
    return done.returncode, json.loads(done.stdout)


def test_the_probe_may_ask_the_kernel_for_little():
    import subprocess
    with subprocess.Popen([PROGRAM, "probe-yaml"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, env={}) as process:
        def confined():
            with open(f"/proc/{process.pid}/status") as file:
                said = dict(line.split(":\t", 1) for line in file)
            return said["NoNewPrivs"] == "1\n" and said["Seccomp"] == "2\n"
        wait_until(confined, what="its filter of system calls")
        out, _ = process.communicate(RETAIL.encode(), timeout=60)
    assert process.returncode == 0 and json.loads(out)["errors"] == 0


def test_the_probe_needs_nothing_and_says_all():
    status, said = probe(RETAIL)
    assert status == 0 and said["errors"] == 0 and said["model"]["datasets"]
    status, said = probe("a: [", "--yaml")
    assert status == 0 and "model" not in said and "yaml" not in said
    assert said["findings"][0]["severity"] == "error"


def test_the_flat_form_of_one_dataset():
    _, said = probe("""
name: customers
description: Customer master data
source: public.customers
fields:
  - name: customer_id
    expression: customer_id
    data_type: integer
    is_primary_key: true
""")
    [dataset] = said["model"]["datasets"]
    assert dataset["primaryKey"] == ["customer_id"]
