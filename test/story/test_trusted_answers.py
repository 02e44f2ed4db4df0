"""Trusted answers: marked by an owner, used for the same question, shown for similar
ones, checked again when the model changes."""
import json
import uuid

import pytest

from kit import players

PATH = "/api/data-agent/trusted-answers"
CITIES = "How many stores are there in each city?"
CITIES_SQL = ("select city, count(*) as stores from stores group by city "
              "order by stores desc, city")
COUNT_SQL = "select count(*) as orders from orders where status = 'completed'"


@pytest.fixture
def own(service):
    """An ontology of Ann's that everyone may see."""
    service.token_of("ann@example.org")
    name = f"trusted {uuid.uuid4()}"
    made = service.import_model(service.retail_model, "retail", "--name", name,
                                "--owner", "ann@example.org")
    service.psql("update ontologies set visibility = 'shared' "
                 f"where id = '{made}'")
    return made


@pytest.fixture
def root(service):
    return service.client("root@example.org", "admin")


def mark(client, ontology, question=CITIES, sql=CITIES_SQL):
    return client.post(PATH, {"ontologyId": ontology, "question": question,
                              "sql": sql})


def ask(client, ontology, question, provider="builtin"):
    return client.ask(client.new_chat(ontology, provider), question)


def listed(client, **query):
    return client.get(PATH, **query).data["items"]


def rows(answer):
    return json.loads(answer.metadata["stepResults"][0]["sqlResult"]["data"])


# ---- the same question -------------------------------------------------------


def test_the_same_question_is_answered_by_the_trusted_query(ann, bob, own):
    reply = mark(ann, own)
    assert reply.status == 201
    made = reply.data
    assert (made["state"], made["by"]) == ("trusted", "ann@example.org")
    answer = ask(bob, own, "  how many STORES are there\tin each city ")
    assert answer.complete, answer.content
    assert answer.metadata["trusted"] == {
        "id": made["id"], "by": "ann@example.org", "at": made["at"]}
    result = answer.metadata["stepResults"][0]["sqlResult"]
    assert result["sql"] == CITIES_SQL and result["rowCount"] > 1
    assert str(rows(answer)[0]["stores"]) in answer.content
    assert answer.metadata["verificationReport"]["status"] == "passed"
    assert answer.metadata["datasetsUsed"] == ["stores"]
    phases = [e["phase"] for e in answer.of("phase_start")]
    assert phases == ["planner", "navigator", "sql_builder", "executor",
                      "verifier", "explainer"]
    asked = [e["phase"] for e in answer.of("llm_call_start")]
    assert "planner" not in asked and "sql_builder" not in asked


def test_another_question_is_planned(ann, own):
    mark(ann, own, "How many stores opened in 2019?",
         "select count(*) as stores from stores where opened_on >= '2019-01-01'"
         " and opened_on < '2020-01-01'")
    for other in ("How many stores opened in 2020?",
                  "How many stores opened?",
                  "How many shops opened in 2019?"):
        assert "trusted" not in ask(ann, own, other).metadata
    same = ask(ann, own, "how many stores opened in 2019")
    assert same.metadata["trusted"]["by"] == "ann@example.org"


def test_quoted_texts_are_compared_as_they_are(ann, own):
    sql = "select count(*) as stores from stores where city = 'Dallas'"
    mark(ann, own, 'How many stores are in "Dallas"?', sql)
    assert "trusted" in ask(ann, own, 'How many STORES are in "Dallas"').metadata
    assert "trusted" not in ask(ann, own, 'How many stores are in "DALLAS"?').metadata
    assert "trusted" not in ask(ann, own, 'How many stores are in "Austin"?').metadata


def test_fixed_dates_answer_last_month_only_in_this_month(ann, own, service):
    question = "How many orders were placed last month?"
    fixed = ("select count(*) as orders from orders where order_date >= "
             "'2025-10-01' and order_date < '2025-11-01'")
    made = mark(ann, own, question, fixed).data
    assert len(made["period"]) == 7
    assert "trusted" in ask(ann, own, question).metadata
    service.psql("update trusted_answers set period = '2025-11' "
                 f"where id = '{made['id']}'")
    assert "trusted" not in ask(ann, own, question).metadata
    moving = ("select count(*) as orders from orders where order_date >= "
              "date_trunc('month', current_date) - interval '1 month'")
    again = mark(ann, own, question, moving)
    assert (again.status, again.data["id"]) == (200, made["id"])
    assert again.data["period"] is None
    assert "trusted" in ask(ann, own, question).metadata


def test_a_follow_up_is_not_taken_for_the_question_alone(ann, own):
    mark(ann, own, "And by city?", CITIES_SQL)
    chat = ann.new_chat(own, "builtin")
    ann.ask(chat, "revenue by region")
    assert "trusted" not in ann.ask(chat, "And by city?").metadata
    mark(ann, own)
    assert "trusted" in ann.ask(chat, CITIES).metadata


def test_a_query_that_fails_is_forgotten_and_the_question_planned(
        ann, own, service):
    """The model of the data knows the column, and the database does not."""
    made = mark(ann, own, "revenue by city",
                "select city, count(*) as revenue from stores group by city "
                "having sum(1 / (employees - employees)) > 0").data
    answer = ask(ann, own, "revenue by city")
    assert answer.complete and "trusted" not in answer.metadata
    assert made["sql"] not in [r["sqlResult"]["sql"]
                               for r in answer.metadata["stepResults"]
                               if r["sqlResult"]]
    phases = [e["phase"] for e in answer.of("phase_start")]
    assert phases[:5] == ["planner", "navigator", "sql_builder", "executor",
                          "planner"]


# ---- the ReAct agent -----------------------------------------------------------


def test_react_answers_the_same_question_with_the_trusted_query(ann, bob, own):
    made = mark(ann, own).data
    answer = bob.ask(bob.new_chat(own, "builtin", agent="react"), CITIES.upper())
    assert answer.complete, answer.content
    assert answer.metadata["trusted"] == {
        "id": made["id"], "by": "ann@example.org", "at": made["at"]}
    assert [c["name"] for c in answer.of("tool_call")] == ["query_database"]
    result = answer.metadata["stepResults"][0]["sqlResult"]
    assert result["sql"] == CITIES_SQL and str(rows(answer)[0]["stores"]) in answer.content
    other = bob.ask(bob.new_chat(own, "builtin", agent="react"), "revenue by city")
    assert "trusted" not in other.metadata


def test_react_lets_its_model_write_but_run_no_other_query(ann, own, play, aimock):
    mark(ann, own)
    play("retail", [
        players.acts(CITIES, ("query_database", {"sql": "select 1 as one"}), turn=1),
        players.reacts(CITIES, "Most stores are in **Houston**.")])
    answer = ann.ask(ann.new_chat(own, "openai", agent="react"), CITIES)
    assert answer.metadata["trusted"]["by"] == "ann@example.org"
    queries = [r["sqlResult"]["sql"] for r in answer.metadata["stepResults"]]
    assert queries == [CITIES_SQL]
    system, _, body = aimock.prompts(players.REACT)[0]
    assert [t["function"]["name"] for t in body["tools"]] == ["run_python"]
    assert "An expert vouches" in system
    assert CITIES_SQL in json.dumps(body["messages"])


def test_react_forgets_a_trusted_query_that_fails(ann, own):
    mark(ann, own, "revenue by city",
         "select city, count(*) as revenue from stores group by city "
         "having sum(1 / (employees - employees)) > 0")
    answer = ann.ask(ann.new_chat(own, "builtin", agent="react"), "revenue by city")
    assert answer.complete and "trusted" not in answer.metadata
    assert all("employees - employees" not in r["sqlResult"]["sql"]
               for r in answer.metadata["stepResults"] if r["sqlResult"])
    assert answer.metadata["verificationReport"]["status"] == "passed"


def test_react_sees_similar_trusted_questions(ann, own, play, aimock):
    mark(ann, own)
    question = "How many stores are there in each region?"
    play("retail", [players.reacts(question, "I looked nothing up.")])
    ann.ask(ann.new_chat(own, "openai", agent="react"), question)
    system = aimock.prompts(players.REACT)[0][0]
    assert "whose queries an expert has checked" in system and CITIES_SQL in system
    assert "An expert vouches" not in system


# ---- marking an answer -------------------------------------------------------


def test_an_answer_of_a_chat_is_marked(ann, own):
    answer = ask(ann, own, "revenue by city")
    assert "trusted" not in answer.metadata
    reply = ann.post(PATH, {"messageId": answer.message_id})
    assert reply.status == 201
    made = reply.data
    step = answer.metadata["stepResults"][0]
    assert made["question"] == "revenue by city"
    assert made["sql"] == step["sqlResult"]["sql"]
    assert (made["messageId"], made["stepId"]) == (answer.message_id,
                                                   step["stepId"])
    again = ann.post(PATH, {"messageId": answer.message_id,
                            "stepId": step["stepId"]})
    assert (again.status, again.data) == (200, made)
    second = ask(ann, own, "Revenue by city?")
    assert second.metadata["trusted"]["id"] == made["id"]
    assert rows(second) == rows(answer)
    assert listed(ann, messageId=answer.message_id) == [made]


def test_a_follow_up_needs_its_question_written_out(ann, own):
    chat = ann.new_chat(own, "builtin")
    ann.ask(chat, "revenue by city")
    answer = ann.ask(chat, "and by region?")
    reply = ann.post(PATH, {"messageId": answer.message_id})
    assert (reply.status, reply.fields()) == (400, {"question"})
    assert ann.post(PATH, {"messageId": answer.message_id,
                           "question": "revenue by region"}).status == 201


def test_what_cannot_be_marked(ann, bob, own, retail):
    answer = ask(bob, own, "revenue by city")
    assert ann.post(PATH, {"messageId": answer.message_id}).status == 404
    assert bob.post(PATH, {"messageId": answer.message_id}).status == 403
    assert ann.post(PATH, {"messageId": answer.message_id,
                           "stepId": 0}).status == 400
    talk = ask(ann, own, "hello")
    assert ann.post(PATH, {"messageId": talk.message_id}).status == 404
    mine = ask(ann, own, "revenue by city")
    assert ann.post(PATH, {"messageId": mine.message_id,
                           "stepId": 99}).status == 404
    assert ann.post(PATH, {"messageId": mine.message_id,
                           "ontologyId": retail}).fields() == {"ontologyId"}
    assert ann.post(PATH, {}).fields() == {"ontologyId", "question", "sql"}
    assert ann.post(PATH, {"messageId": "x"}).fields() == {"messageId"}
    for bad in ({"question": ""}, {"question": "x" * 2001}, {"question": 5},
                {"sql": ""}, {"sql": 1}, {"ontologyId": "x"}):
        whole = {"ontologyId": own, "question": CITIES, "sql": CITIES_SQL, **bad}
        assert ann.post(PATH, whole).fields() == set(bad)


@pytest.mark.parametrize("sql, why", [
    ("delete from stores", None),
    ("select 1; select 2", None),
    ("select pg_sleep(1)", None),
    ("select * from pg_shadow", None),
    ("select nothing from stores", "nothing"),
    ("select * from nowhere", "nowhere"),
    ("select sum(o.store_id + s.square_feet) as feet from stores s join orders "
     "o on o.store_id = s.store_id", None),
    ("select '\u202e\u0085' as x from stores", "control"),
    ("select (" + "(" * 5000, None),
    ("selec", None),
], ids=lambda v: (v or "any")[:20])
def test_a_query_that_does_not_pass_is_refused_with_its_reason(
        ann, own, sql, why):
    reply = mark(ann, own, sql=sql)
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    [detail] = reply.json["details"]
    assert detail["field"] == "sql" and detail["message"]
    assert not why or why in detail["message"], detail
    assert listed(ann, ontologyId=own) == []


# ---- who may -----------------------------------------------------------------


def test_rights_follow_the_ontology(service, ann, bob, viewer, root, own):
    assert mark(bob, own).status == 403
    assert mark(viewer, own).status == 403
    made = mark(ann, own).data
    for reader in (ann, bob, viewer, root):
        assert listed(reader, ontologyId=own) == [made]
    at = f"{PATH}/{made['id']}"
    assert bob.request("DELETE", at).status == 403
    assert viewer.request("DELETE", at).status == 403
    service.psql("update ontologies set visibility = 'private' "
                 f"where id = '{own}'")
    assert listed(bob, ontologyId=own) == [] and mark(bob, own).status == 404
    assert bob.request("DELETE", at).status == 404
    assert bob.get(f"{PATH}/export", ontologyId=own).status == 404
    assert listed(root, ontologyId=own) == [made]
    other = mark(root, own, "How many completed orders?", COUNT_SQL)
    assert other.status == 201 and other.data["by"] == "root@example.org"
    assert root.request("DELETE", at).status == 204
    assert ann.request("DELETE", at).status == 404
    assert [t["question"] for t in listed(ann, ontologyId=own)] == [
        "How many completed orders?"]
    actions = [e["action"] for e in root.get(
        "/api/admin/audit", action="trusted_answer.").data["items"]
        if e["target"]["id"] in (made["id"], other.data["id"])]
    assert actions == ["trusted_answer.removed", "trusted_answer.added",
                       "trusted_answer.added"]


def test_the_list_is_filtered_and_paged(ann, own):
    for n in range(5):
        mark(ann, own, f"How many stores have {n} employees?",
             f"select count(*) as stores from stores where employees = {n}")
    page = ann.get(PATH, ontologyId=own, page=2, pageSize=2).data
    assert page["pagination"]["totalItems"] == 5 and len(page["items"]) == 2
    found = listed(ann, ontologyId=own, search="HAVE 3")
    assert [t["values"] for t in found] == [["3"]]
    assert listed(ann, ontologyId=own, state="stale") == []
    assert ann.get(PATH, state="good").fields() == {"state"}
    assert ann.get(PATH, ontologyId="x").fields() == {"ontologyId"}


def test_an_ontology_holds_a_bounded_number(ann, own, service):
    mark(ann, own)
    service.psql(f"""
        insert into trusted_answers (ontology_id, question, wording,
            bound_values, sql, added_by_name, checked_version)
        select '{own}', 'q' || n, 'q' || n, '[]', 'select 1 as one', 'ann', 1
          from generate_series(1, 499) n""")
    assert mark(ann, own, "How many completed orders?", COUNT_SQL).code == "CONFLICT"
    assert mark(ann, own, sql=COUNT_SQL).status == 200


# ---- files -------------------------------------------------------------------


def test_a_file_goes_out_and_comes_back(ann, own, service, tmp_path):
    odd = 'Which stores are "in: #Dallas\\n"?'
    mark(ann, own)
    mark(ann, own, odd, "select store_name\n\nfrom stores -- it's\n  where "
         "city = E'\\tDallas'")
    mark(ann, own, "How many orders were placed in March?",
         "select count(*) as orders from orders where order_date >= "
         "'2025-03-01' and order_date < '2025-04-01'")
    out = ann.get(f"{PATH}/export", ontologyId=own)
    assert out.headers["content-type"].startswith("application/yaml")
    before = listed(ann, ontologyId=own)
    for item in before:
        ann.request("DELETE", f"{PATH}/{item['id']}")
    reply = ann.post(f"{PATH}/import", {"ontologyId": own,
                                        "yaml": out.body.decode()})
    assert reply.data == {"added": 3, "replaced": 0, "skipped": 0, "refused": []}
    after = listed(ann, ontologyId=own)
    same = ("question", "sql", "values", "period")
    assert sorted([t[k] for k in same] for t in after) == \
        sorted([t[k] for k in same] for t in before)
    file = tmp_path / "trusted.yaml"
    file.write_bytes(out.body)
    done = service.run("eval", file, "--ontology", own, "--gold", "--json",
                       check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_an_import_takes_what_passes_and_names_the_rest(ann, own):
    text = f"""
name: mixed
questions:
  - id: a
    question: {CITIES}
    sql: {CITIES_SQL}
  - id: b
    question: How many secrets?
    sql: select count(*) from pg_shadow
  - id: c
    question: What is the weather?
    expect: refuse
  - id: d
    question: "how many  stores are there in each CITY"
    sql: select 1 as one
  - id: e
    question: How many orders last month?
    sql: select count(*) from orders where order_date >= '2025-10-01'
"""
    got = ann.post(f"{PATH}/import", {"ontologyId": own, "yaml": text}).data
    assert (got["added"], got["replaced"], got["skipped"]) == (1, 0, 1)
    assert [(r["line"], r["field"]) for r in got["refused"]] == [
        (7, "sql"), (13, "question"), (16, "question")]
    assert "asked" in got["refused"][2]["message"]


@pytest.mark.parametrize("text", [
    "", "a: &a [*a]\n", "[" * 20000, "questions: 5", "questions: []",
    "name: x\nquestions:\n  - !!python/object {}\n",
    "questions:\n  - {id: a, question: q, sql: select 1, more: x}\n",
    "\u0000", "? i:\t:", "questions:\n  - id: &x a\n    question: *x\n",
    "questions:\n" + "  - {}\n" * 3000, "x" * (3 * 1024 * 1024),
], ids=lambda t: t[:14])
def test_a_hostile_file_is_refused(ann, own, text):
    try:
        reply = ann.post(f"{PATH}/import", {"ontologyId": own, "yaml": text})
        assert reply.status in (400, 413), reply.body[:500]
    except ConnectionError:  # refused and closed while it was being sent
        assert len(text) > 1024 * 1024
    assert listed(ann, ontologyId=own) == []
    assert mark(ann, own).status == 201


def test_the_command_line(service, own, tmp_path):
    file = tmp_path / "set.yaml"
    done = service.run("trusted", "add", CITIES, CITIES_SQL, "--ontology", own)
    ident = done.stdout.strip()
    text = service.run("trusted", "list", "--ontology", own).stdout
    assert ident in text and CITIES in text and "trusted" in text
    refused = service.run("trusted", "add", "x", "delete from stores",
                          "--ontology", own, check=False)
    assert refused.returncode == 1 and "sql: " in refused.stderr
    assert refused.stdout == ""
    file.write_text(service.run("trusted", "export", "--ontology", own).stdout)
    service.run("trusted", "remove", ident)
    assert service.run("trusted", "remove", ident, check=False).returncode == 1
    assert service.run("trusted", "list", "--ontology", own).stdout == ""
    done = service.run("trusted", "import", file, "--ontology", own)
    assert done.stdout == "1 added, 0 replaced, 0 refused, 0 skipped\n"
    file.write_text("questions:\n  - id: a\n    question: q\n    sql: x y\n")
    done = service.run("trusted", "import", file, "--ontology", own, check=False)
    assert done.returncode == 1 and f"{file}:2: sql: " in done.stderr
    for wrong in ([], ["add", "q"], ["remove", "x"], ["nothing"]):
        assert service.run("trusted", *wrong, check=False).returncode == 2


# ---- a model that changes ----------------------------------------------------


def test_a_change_of_the_model_makes_answers_stale_and_good_again(
        ann, own, service):
    kept = mark(ann, own, "How many completed orders?", COUNT_SQL).data
    made = mark(ann, own).data
    model = ann.get(f"/api/ontologies/{own}").data["semanticModelId"]
    path = f"/api/semantic-models/{model}"
    text = ann.get(f"{path}/yaml").body.decode()
    other = text.replace("name: city", "name: town") \
        .replace("expression: city", "expression: town")
    assert other != text
    assert ann.request("PATCH", path, {"yaml": other}).status == 200
    states = {t["id"]: t for t in listed(ann, ontologyId=own)}
    assert states[made["id"]]["state"] == "stale"
    assert "city" in states[made["id"]]["problem"]
    assert states[kept["id"]]["state"] == "trusted"
    assert [t["id"] for t in listed(ann, ontologyId=own, state="stale")] == [
        made["id"]]
    assert made["id"] not in ann.get(f"{PATH}/export",
                                     ontologyId=own).body.decode()
    assert "trusted" not in ask(ann, own, CITIES).metadata
    assert ann.request("PATCH", path, {"yaml": text}).status == 200
    assert {t["state"] for t in listed(ann, ontologyId=own)} == {"trusted"}
    assert "trusted" in ask(ann, own, CITIES).metadata


def test_a_stale_answer_is_not_used_before_anything_has_checked_it(ann, own):
    mark(ann, own)
    model = ann.get(f"/api/ontologies/{own}").data["semanticModelId"]
    path = f"/api/semantic-models/{model}"
    text = ann.get(f"{path}/yaml").body.decode()
    ann.request("PATCH", path, {"yaml": text.replace(
        "name: city", "name: town").replace("expression: city",
                                            "expression: town")})
    assert "trusted" not in ask(ann, own, CITIES).metadata


# ---- similar questions -------------------------------------------------------


def sql_builder_prompt(models):
    return [r for r in models.requests if "You are the SQL Builder" in r][-1]


def test_similar_questions_are_examples_for_a_model(ann, own, play, aimock,
                                                    service):
    mark(ann, own)
    mark(ann, own, "How many stores are there in each state?",
         "select state, count(*) as stores from stores group by state")
    mark(ann, own, "Which payment methods exist?",
         "select distinct payment_method from orders")
    question = "How many stores are there in each region?"
    sql = "select region, count(*) as stores from stores group by region"
    play("retail", [
        *players.structured(players.PLANNER, question, "generate_plan",
                            players.plan(question, [players.step(1, ["stores"])])),
        players.says(players.NAVIGATOR, question, "No join."),
        *players.structured(players.SQL_BUILDER, question, "generate_queries",
                            players.queries((1, sql, ["region", "stores"]))),
        players.says(players.VERIFIER, question,
                     players.verifier_code(4, ["region", "stores"])),
        players.says(players.EXPLAINER, question, "Here are the stores."),
    ])
    answer = ask(ann, own, question, "openai")
    assert answer.complete, answer.last.data
    traces = ann.get(f"/api/data-agent/chats/{answer.chat_id}/messages/"
                     f"{answer.message_id}/traces").data
    prompt = json.dumps(next(t for t in traces if t["phase"] == "sql_builder"))
    assert CITIES in prompt and "in each state" in prompt
    assert "Which payment methods" not in prompt


def test_a_model_explains_a_trusted_answer(ann, own, play):
    mark(ann, own)
    play("retail", [
        players.says(players.VERIFIER, CITIES,
                     players.verifier_code(1, ["city", "stores"])
                     .replace("len(rows) == 1", "len(rows) > 0")),
        players.says(players.EXPLAINER, CITIES, "Most cities have one store."),
    ])
    answer = ask(ann, own, CITIES, "openai")
    assert answer.complete and "trusted" in answer.metadata, answer.last.data
    asked = {e["phase"] for e in answer.of("llm_call_start")}
    assert asked == {"verifier", "explainer"}
    assert answer.content == "Most cities have one store."
