"""A semantic model that people correct one thing at a time: edits, versions, what is hidden,
the value of a metric and the evidence of a relationship before they are saved."""
import uuid

import pytest

from kit.fixtures import MODELS

PATH = "/api/semantic-models"
RETAIL = MODELS["retail"].read_text()
EMAILS = "select full_name, email from customers limit 3"


def edit(op, kind, name=None, dataset=None, called=None, **values):
    """`called`: the value `name`."""
    values |= {"name": called} if called else {}
    it = {"op": op, "kind": kind, "name": name, "dataset": dataset,
          "values": values}
    return {key: value for key, value in it.items() if value}


class Model:
    """A model of one client, and its ontology."""

    def __init__(self, client, ontology):
        self.client, self.ontology = client, ontology
        found = client.get(f"/api/ontologies/{ontology}").data
        self.id = found["semanticModelId"]
        self.path = f"{PATH}/{self.id}"

    def shown(self, client=None):
        return (client or self.client).get(f"{self.path}/parts").data

    def change(self, client=None, version=None, **what):
        body = {"version": version or self.shown()["version"], **what}
        return (client or self.client).post(f"{self.path}/edits", body)

    def make(self, *edits, **more):
        reply = self.change(edits=list(edits), **more)
        assert reply.status == 200, reply.body
        return reply.data

    def text(self):
        return self.client.get(f"{self.path}/yaml").body.decode()

    def versions(self):
        return self.client.get(f"{self.path}/versions").data["items"]

    def dataset(self, name):
        return next(d for d in self.shown()["parts"]["datasets"]
                    if d["name"] == name)

    def names(self):
        graph = self.client.get(f"/api/ontologies/{self.ontology}/graph").data
        return ({n["name"] for n in graph["nodes"]},
                {m["name"] for m in graph["metrics"]})


@pytest.fixture
def model(service, ann):
    made = service.import_model(service.retail_model, "retail", "--name",
                                f"edited {uuid.uuid4()}", "--owner",
                                "ann@example.org")
    service.psql(f"update ontologies set visibility = 'shared' where id = '{made}'")
    service.psql("update semantic_models set visibility = 'shared' where id ="
                 f" (select semantic_model_id from ontologies where id = '{made}')")
    return Model(ann, made)


def trusted_problem(model, sql):
    """What the guard and the model check say against a query; None: nothing."""
    reply = model.client.post("/api/data-agent/trusted-answers", {
        "ontologyId": model.ontology, "question": str(uuid.uuid4()), "sql": sql})
    if reply.status in (200, 201):
        return None
    return str(reply.body)


# ---- edits -------------------------------------------------------------------


def test_one_thing_changes_and_all_other_lines_stay(model):
    before = model.text()
    saved = model.make(
        edit("set", "dataset", "stores", label="Shops", description="All shops."),
        edit("set", "field", "city", "stores", synonyms=["town", "no"]))
    assert saved["saved"] and saved["version"] == 2
    assert not saved["rewritten"] and saved["warnings"] == []
    assert saved["changes"] == [
        'Label of stores: "Shops"', "Description of stores changed",
        'Synonyms of stores.city: "store city, town, market" is now "town, no"']
    old, new = before.splitlines(), model.text().splitlines()
    assert new[0] == old[0]  # a comment
    kept = [line for line in old if line in new]
    assert len(kept) >= len(old) - 3
    assert model.dataset("stores")["label"] == "Shops"
    assert model.client.get(model.path).data["version"] == 2


def test_a_new_name_is_understood_in_questions(model):
    model.make(edit("set", "metric", "revenue", label="turnover"))
    answer = model.client.ask(
        model.client.new_chat(model.ontology, "builtin"), "turnover by city in 2025")
    assert answer.complete and "Dallas" in answer.content, answer.content


@pytest.mark.parametrize("change, field, sentence", [
    (edit("set", "dataset", "shops", label="x"), "edits/0/name", 'no dataset "shops"'),
    (edit("set", "field", "town", "stores", label="x"), "edits/0/name", "no field"),
    (edit("set", "dataset", "stores", colour="red"), "edits/0/values", "cannot be set"),
    (edit("set", "dataset", "stores", label="two\nlines"), "edits/0/values/label",
     "one line"),
    (edit("set", "dataset", "stores", label="x" * 256), "edits/0/values/label",
     "too long"),
    (edit("set", "dataset", "stores", hidden="yes"), "edits/0/values/hidden",
     "true or false"),
    (edit("set", "dataset", "stores", synonyms="one"), "edits/0/values/synonyms",
     "a list"),
    (edit("add", "dataset", called="x"), "edits/0/op", "only be set"),
    (edit("add", "metric", called="revenue", expression="count(*)"),
     "edits/0/values/name", "already a metric"),
    (edit("add", "metric", called="m"), "edits/0/values/expression", "missing"),
    (edit("set", "metric", "revenue", expression="sum(orders.nothing)"),
     "expression", "not a field"),
    (edit("set", "metric", "revenue", expression="pg_sleep(1)"), "expression",
     "cannot be used"),
    (edit("remove", "relationship", "nothing"), "edits/0/name", "no relationship"),
    (edit("fly", "metric", "revenue"), "edits/0/op", "set, add or remove"),
    (edit("set", "thing", "revenue", label="x"), "edits/0/kind", "kind must be"),
])
def test_what_cannot_be_done_is_said_with_its_place(model, change, field, sentence):
    reply = model.change(edits=[change])
    assert reply.status == 400, reply.body
    detail = reply.json["details"][0]
    assert detail["field"] == field and sentence in detail["message"], detail
    assert model.shown()["version"] == 1


def test_errors_of_the_new_text_store_nothing(model):
    reply = model.change(edits=[
        edit("set", "metric", "revenue", label="fine"),
        edit("set", "metric", "revenue", expression="sum(")])
    assert reply.status == 400 and "not SQL" in str(reply.body)
    assert model.change(yaml="a: [").status == 400
    assert model.change(edits=[]).status == 400
    assert model.change(edits=[edit("set", "dataset", "stores", label="x")],
                        yaml="x").status == 400
    assert (model.shown()["version"], model.text()) == (1, RETAIL)


def test_a_stale_edit_is_refused_with_a_sentence(model):
    model.make(edit("set", "dataset", "stores", label="Shops"))
    reply = model.change(version=1, edits=[edit("set", "dataset", "stores", label="x")])
    assert reply.status == 409
    assert "version 2 is the newest" in str(reply.body)
    assert model.dataset("stores")["label"] == "Shops"


def test_only_the_owner_and_admins_edit(model, service, bob, viewer):
    change = [edit("set", "dataset", "stores", label="Shops")]
    for other in (bob, viewer):
        shown = model.shown(other)
        assert not shown["editable"] and shown["parts"]["metrics"]
        assert model.change(other, edits=change).status == 403
        assert other.post(f"{model.path}/preview",
                          {"expression": "count(orders.order_id)"}).status == 403
    root = service.client("root@example.org", "admin")
    assert model.change(root, edits=change).status == 200
    assert model.versions()[0]["author"] == "root@example.org"
    service.psql("update semantic_models set visibility = 'private'"
                 f" where id = '{model.id}'")
    assert bob.get(f"{model.path}/parts").status == 404
    assert model.change(bob, edits=change).status == 404


def test_a_change_is_audited(model, service):
    model.make(edit("set", "dataset", "stores", label="Shops"))
    root = service.client("root@example.org", "admin")
    events = root.get("/api/admin/audit").data["items"]
    ours = [e for e in events if e["action"] == "semantic_model.edited"
            and e["target"]["id"] == model.id]
    assert len(ours) == 1 and "Shops" in str(ours[0]["details"])


def test_a_dry_run_stores_nothing(model):
    found = model.make(edit("set", "dataset", "stores", label="Shops"), dryRun=True)
    assert not found["saved"] and 'label: Shops' in found["yaml"]
    assert found["changes"] == ['Label of stores: "Shops"']
    assert model.shown()["version"] == 1


def test_metrics_and_relationships_come_and_go(model):
    model.make(edit("add", "metric", called="big_orders", description="Orders",
                    expression="count(distinct orders.order_id)",
                    synonyms=["large orders"]))
    assert "big_orders" in model.names()[1]
    model.make(edit("set", "metric", "big_orders", called="all_orders"))
    assert "all_orders" in model.names()[1]
    model.make(edit("remove", "metric", "all_orders"))
    assert "all_orders" not in model.names()[1]
    first = model.shown()["parts"]["relationships"][0]
    model.make(edit("remove", "relationship", first["name"]))
    model.make(edit("add", "relationship", called="again",
                    **{k: first[k] for k in ("from", "to", "fromColumns", "toColumns")}))
    again = model.shown()["parts"]["relationships"][-1]
    assert again["name"] == "again" and again["toIsKey"] == first["toIsKey"]


# ---- versions ----------------------------------------------------------------


def test_every_change_is_a_version_and_can_be_undone(model):
    model.make(edit("set", "dataset", "stores", label="Shops"))
    model.make(edit("set", "model", instructions="Be brief."))
    listed = model.versions()
    assert [v["version"] for v in listed] == [3, 2, 1]
    assert listed[1]["changes"] == ['Label of stores: "Shops"']
    assert listed[1]["author"] == "ann@example.org"
    one = model.client.get(f"{model.path}/versions/2").data
    assert one["previousYaml"] == RETAIL and "Shops" in one["yaml"]
    saved = model.change(restore=1).data
    assert saved["version"] == 4 and saved["saved"]
    assert model.text() == RETAIL
    assert model.versions()[0]["restores"] == 1
    assert model.client.get(f"{model.path}/versions/9").status == 404
    assert model.change(restore=9).status == 404


def test_another_text_replaces_the_model(model):
    other = RETAIL.replace("label: Opening Date", "label: Opened")
    found = model.change(yaml=other, dryRun=True).data
    assert found["changes"] == [
        'Label of stores.opened_on: "Opening Date" is now "Opened"']
    assert model.change(yaml=other).data["saved"]
    assert model.text() == other
    assert model.change(yaml=other).data["saved"] is False


# ---- what is hidden ------------------------------------------------------------


def test_a_hidden_field_reaches_nothing(model, retail, service):
    assert trusted_problem(model, EMAILS) is None
    saved = model.make(edit("set", "field", "email", "customers", hidden=True))
    assert saved["changes"] == ["customers.email is hidden"]
    assert "email" not in model.names()[0]
    assert "no column email" in trusted_problem(model, EMAILS)
    assert "hides columns" in trusted_problem(model, "select * from customers limit 1")
    assert trusted_problem(model, "select full_name from customers limit 1") is None
    stored = str(service.psql("select model::text from semantic_models"
                              f" where id = '{model.id}'"))
    assert "full_name" in stored
    assert "Mail address" not in stored and "email" not in stored
    assert next(f for f in model.dataset("customers")["fields"]
                if f["name"] == "email")["hidden"]
    model.make(edit("set", "field", "email", "customers", hidden=False))
    assert trusted_problem(model, EMAILS) is None


def test_a_hidden_dataset_takes_its_relationships_and_metrics_along(model):
    assert "stockouts" in model.names()[0]
    model.make(edit("set", "dataset", "stockouts", hidden=True))
    nodes, metrics = model.names()
    assert "stockouts" not in nodes
    parts = model.shown()["parts"]
    assert {m["name"] for m in parts["metrics"] if not m["hidden"]} == metrics
    assert any(m["hidden"] for m in parts["metrics"])
    assert trusted_problem(model, "select count(*) from stockouts")
    answer = model.client.ask(
        model.client.new_chat(model.ontology, "builtin"), "number of stockouts by city")
    assert "stockouts" not in str(answer.metadata.get("datasetsUsed"))
    hidden = [edit("set", "dataset", d["name"], hidden=True)
              for d in parts["datasets"]]
    reply = model.change(edits=hidden)
    assert reply.status == 400 and "at least one" in str(reply.body)


def test_trusted_answers_are_checked_again(model):
    made = model.client.post("/api/data-agent/trusted-answers", {
        "ontologyId": model.ontology, "question": "Whose mail?", "sql": EMAILS}).data
    assert made["state"] == "trusted"
    model.make(edit("set", "field", "email", "customers", hidden=True))
    items = model.client.get("/api/data-agent/trusted-answers",
                             ontologyId=model.ontology).data["items"]
    assert items[0]["state"] == "stale"


# ---- what the data says ----------------------------------------------------------


def test_the_value_of_a_metric_is_seen_before_it_is_saved(model, service):
    def preview(expression):
        return model.client.post(f"{model.path}/preview",
                                 {"expression": expression}).data
    found = preview("count(distinct orders.order_id)")
    assert int(found["value"]) == 6000 or int(found["value"]) > 0
    assert found["warnings"] == [] and "problem" not in found
    over = preview("sum(order_items.quantity * order_items.unit_price)")
    assert float(over["value"]) > 0, over
    assert "for each row" in preview("orders.order_id")["problem"]
    assert "no field" in preview("count(*)")["problem"]
    assert "not a field" in preview("sum(orders.nothing)")["problem"]
    assert preview("sum(")["problem"]
    assert preview("sum(orders.status)")["problem"]  # the database's own sentence
    fan = preview("sum(orders.shipping_fee) + sum(order_items.quantity)")
    assert fan.get("warnings") or fan.get("problem")


def test_the_evidence_of_a_relationship(model):
    def evidence(**ends):
        return model.client.post(f"{model.path}/evidence", ends).data
    good = evidence(**{"from": "orders", "to": "stores", "fromColumns": ["store_id"],
                       "toColumns": ["store_id"]})
    assert good["oneSideUnique"] and good["rowsMatched"] == good["rowsWithKey"] > 0
    turned = evidence(**{"from": "stores", "to": "orders", "fromColumns": ["store_id"],
                         "toColumns": ["store_id"]})
    assert not turned["oneSideUnique"]
    wrong = evidence(**{"from": "orders", "to": "stores", "fromColumns": ["order_id"],
                        "toColumns": ["city"]})
    assert "problem" in wrong
    assert "no dataset" in evidence(**{
        "from": "orders", "to": "shops", "fromColumns": ["a"],
        "toColumns": ["b"]})["problem"]


# ---- delete ---------------------------------------------------------------------


def test_a_deleted_ontology_comes_back_with_its_chats(model, bob):
    client, path = model.client, f"/api/ontologies/{model.ontology}"
    chat = client.new_chat(model.ontology, "builtin")
    assert bob.request("DELETE", path).status == 403
    assert client.request("DELETE", path).status == 204
    assert client.get(path).status == 404
    assert bob.post(f"{path}/restore").status == 404
    back = client.post(f"{path}/restore")
    assert back.status == 200 and back.data["status"] == "ready"
    assert client.get(f"/api/data-agent/chats/{chat}").status == 200
    answer = client.ask(chat, "revenue by city in 2025")
    assert answer.complete and "Dallas" in answer.content
