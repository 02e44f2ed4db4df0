"""The six phases and their paths, with the cases of the specification by name."""
import base64
import json
import re

import pytest

from kit import answers, players
from kit.aimock import plain
from kit.client import check_stream

QUESTION = "Why is Houston underperforming?"
SALES = ["order_items", "orders", "stores"]
BY_CITY = """SELECT s.city, SUM(i.line_total) AS revenue FROM order_items i
JOIN orders o ON o.order_id = i.order_id JOIN stores s ON s.store_id = o.store_id
GROUP BY s.city ORDER BY revenue"""
CITIES = "SELECT city, COUNT(*) AS stores FROM stores GROUP BY city ORDER BY city"
OK_CHECKS = players.python("""import json
print(json.dumps({"checks": [{"name": "rows", "passed": True,
 "severity": "fail", "message": "fine"}], "diagnosis": "",
 "recommendedTarget": None}))""")


def traced_is_sent(ann, answer, aimock):
    """Prompts are composed once for the model and once for the trace."""
    roles = {"human": "user", "ai": "assistant"}
    traces = ann.get(f"/api/data-agent/chats/{answer.chat_id}/messages/"
                     f"{answer.message_id}/traces").data
    traced = {tuple((roles.get(m["type"], m["type"]), m["content"])
                    for m in t["promptMessages"]) for t in traces}
    sent = {tuple((m["role"], plain(m["content"])) for m in e["body"]["messages"])
            for e in aimock.journal() if "messages" in e["body"]}
    assert traced == sent


@pytest.fixture
def tell(play, ann, retail, aimock):
    """Uses these fixtures, and the pipeline's usual ones for the other phases, and asks the
    question."""
    def tell(*own, steps=None, specs=None, question=QUESTION, chat=None,
             provider="openai", ontology=None, notes=None, **plan):
        steps = steps or [players.step(1, SALES)]
        specs = specs or [(1, BY_CITY, ["city", "revenue"])]
        if notes:
            own += (players.says(players.NAVIGATOR, question, notes,
                                 hasToolResult=True),)
        play("retail", [
            *own,
            *players.structured(players.PLANNER, question, "generate_plan",
                                players.plan(question, steps, **plan)),
            *players.explores(question, SALES),
            *players.structured(players.SQL_BUILDER, question,
                                "generate_queries", players.queries(*specs)),
            players.says(players.VERIFIER, question, OK_CHECKS),
            players.says(players.EXPLAINER, question, "Houston is behind.")])
        answer = ann.ask(chat or ann.new_chat(ontology or retail, provider),
                         question)
        check_stream(answer.events)
        if provider == "openai":
            traced_is_sent(ann, answer, aimock)
        return answer
    return tell


def results(answer):
    return answer.metadata["stepResults"]


# ---- planner, navigator, graph ------------------------------------------------


THREE_STEPS = dict(
    steps=[players.step(1, SALES), players.step(2, ["stores"]),
           players.step(3, [], "python", depends_on=[1, 2])],
    specs=[(1, BY_CITY, ["city", "revenue"]), (2, CITIES, ["city", "stores"])])
COMPARE = players.says(players.PYTHON, QUESTION, players.python("""
import pandas as pd
both = step_1_data.merge(step_2_data, on="city")
both["revenue"] = pd.to_numeric(both["revenue"])
worst = both.sort_values("revenue").iloc[0]
print(worst["city"], len(both), f"{worst['revenue']:.2f}", sep=";")"""))


def test_planner_should_decompose_complex_question_into_sub_tasks(tell):
    answer = tell(COMPARE, **THREE_STEPS)
    plan = answer.metadata["plan"]
    assert len(plan["steps"]) > 1 and plan["complexity"] == "analytical"


def test_navigator_should_find_join_paths_between_datasets(tell):
    join_plan = tell().metadata["joinPlan"]
    assert [d["name"] for d in join_plan["relevantDatasets"]]
    path = join_plan["joinPaths"][0]
    assert set(path["datasets"]) == set(SALES)
    assert {(e["fromDataset"], e["toDataset"]) for e in path["edges"]} == {
        ("order_items", "orders"), ("orders", "stores")}
    assert all(e["fromColumns"] and e["toColumns"] for e in path["edges"])


def test_should_find_shortest_join_path(tell):
    """Through datasets that the plan does not name."""
    join_plan = tell(steps=[players.step(1, ["products", "stores"])]
                     ).metadata["joinPlan"]
    names = {d["name"] for d in join_plan["relevantDatasets"]}
    assert {"products", "stores"} <= names and len(names) > 2
    assert len(join_plan["joinPaths"][0]["edges"]) == len(names) - 1


def test_should_return_all_relates_to_edges(tell):
    told = [e["result"] for e in tell().of("tool_end")
            if e["name"] == "get_relationships"]
    for edge in ("order_items", "orders", "stores", "products", "customers"):
        assert edge in told[0]


def test_should_execute_full_pipeline_for_analytical_question(tell, source):
    answer = tell(COMPARE, **THREE_STEPS)
    told = answer.metadata
    for key in ("plan", "joinPlan", "querySpecs", "stepResults",
                "explainerOutput"):
        assert told[key], key
    assert told["verificationReport"]["passed"] is True
    assert [r["stepId"] for r in results(answer)] == [1, 2, 3]
    city, revenue = source.psql("retail", BY_CITY)[0]
    assert results(answer)[2]["pythonResult"]["stdout"].strip().split(";") == \
        [city, "12", f"{float(revenue):.2f}"]
    phases = [e["phase"] for e in answer.of("phase_start")]
    assert phases == answers.PHASES


def test_independent_steps_run_side_by_side_and_before_their_dependents(tell):
    answer = tell(COMPARE, **THREE_STEPS)
    order = [(e.type, e.data["stepId"]) for e in answer.events
             if e.type in ("step_start", "step_complete")]
    starts = [step for kind, step in order if kind == "step_start"]
    assert starts[:2] == [1, 2] and starts[2] == 3
    assert order[:2] == [("step_start", 1), ("step_start", 2)]
    assert order[-2:] == [("step_start", 3), ("step_complete", 3)]


# ---- tokens --------------------------------------------------------------------


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_should_extract_token_usage(tell, provider):
    """`should extract OpenAI token usage`, `should extract Anthropic token
    usage`."""
    answer = tell(provider=provider)
    for call in answer.of("llm_call_end"):
        if call["phase"] in ("planner", "navigator", "sql_builder"):
            assert (call["promptTokens"], call["completionTokens"],
                    call["totalTokens"]) == (100, 50, 150)


def test_should_merge_token_usage_objects(tell):
    answer = tell()
    calls = answer.of("llm_call_end")
    total = {"prompt": sum(c["promptTokens"] for c in calls),
             "completion": sum(c["completionTokens"] for c in calls),
             "total": sum(c["totalTokens"] for c in calls)}
    assert answer.metadata["tokensUsed"] == total
    merged = {"prompt": 0, "completion": 0, "total": 0}
    for update in answer.of("token_update"):
        for key in merged:
            merged[key] += update["tokensUsed"][key]
    assert merged == total


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_missing_usage_metadata_is_handled_gracefully(tell, provider):
    fixture = players.says(players.EXPLAINER, QUESTION, "No usage here.")
    fixture["response"]["usage"] = {k: 0 for k in players.USAGE}
    answer = tell(fixture, provider=provider)
    assert answer.complete and answer.content == "No usage here."
    assert answer.of("llm_call_end")[-1]["totalTokens"] >= 0


# ---- repair, revision, failure ---------------------------------------------


def test_a_query_that_fails_is_mended_once(tell):
    broken = BY_CITY.replace("SUM(i.line_total)", "SUM(i.line_total) / 0")
    answer = tell(players.says(players.EXECUTOR, None, f"```sql\n{BY_CITY}\n```"),
                  specs=[(1, broken, ["city", "revenue"])])
    result = results(answer)[0]
    assert not result["error"] and result["sqlResult"]["rowCount"] == 12
    assert result["sqlResult"]["sql"].strip() == BY_CITY.strip()
    errors = answer.of("tool_error")
    assert len(errors) == 1 and "division" in errors[0]["error"]
    assert answer.metadata["revisionsUsed"] == 0
    assert [c["purpose"] for c in answer.of("llm_call_end")].count(
        "sql_repair_step_1") == 1


# ---- join paths ------------------------------------------------------------

LOOSE = """
semantic_model:
  - name: loose
    datasets:
      - name: orders
        source: public.orders
        primary_key: [order_id]
        fields: [{name: order_id}, {name: store_id}, {name: customer_id}]
      - name: stores
        source: public.stores
        primary_key: [store_id]
        fields: [{name: store_id}, {name: city}]
      - name: customers
        source: public.customers
        primary_key: [customer_id]
        fields: [{name: customer_id}, {name: home_city}]
    relationships:
      - {name: sold_in, from: orders, to: stores,
         from_columns: [store_id], to_columns: [store_id]}
      - {name: returned_to, from: orders, to: stores,
         from_columns: [order_id], to_columns: [store_id]}
"""
SOLD = "SELECT s.city, COUNT(*) AS n FROM orders o JOIN stores s USING (store_id) GROUP BY 1"


@pytest.fixture(scope="module")
def loose(service, retail, tmp_path_factory):
    """A semantic model with two paths from orders to stores, and none to customers."""
    path = tmp_path_factory.mktemp("loose") / "loose.yaml"
    path.write_text(LOOSE)
    return service.import_model(path, "retail")


def test_the_navigator_decides_between_join_paths_by_name(tell, loose, aimock):
    answer = tell(ontology=loose, notes="Join along returned_to.",
                  steps=[players.step(1, ["orders", "stores"])],
                  specs=[(1, SOLD, ["city", "n"])])
    paths = answer.metadata["joinPlan"]["joinPaths"]
    assert [e["relationshipName"] for p in paths for e in p["edges"]] == [
        "returned_to"]
    asked = aimock.prompts(players.NAVIGATOR)[0][1]
    assert "connected in 2 ways" in asked and "sold_in" in asked


def test_a_join_path_that_nobody_decides_is_left_open_and_told(tell, loose):
    answer = tell(ontology=loose, notes="They can be joined.",
                  steps=[players.step(1, ["orders", "stores"])],
                  specs=[(1, SOLD, ["city", "n"])])
    plan = answer.metadata["joinPlan"]
    assert [e["relationshipName"] for p in plan["joinPaths"]
            for e in p["edges"]] == ["sold_in", "returned_to"]
    assert "Not decided" in plan["notes"]
    output = answer.metadata["explainerOutput"]
    assert any("Several join paths" in c for c in output["caveats"])
    assert [j["on"] for j in output["dataLineage"]["joins"]] == [
        "orders.store_id = stores.store_id"]


def test_no_join_path_is_a_tool_error_and_no_answer(tell, loose):
    answer = tell(ontology=loose,
                  steps=[players.step(1, ["customers", "stores"])])
    errors = answer.of("tool_error")
    assert len(errors) == 1 and errors[0]["name"] == "get_relationships"
    assert "customers can be joined with nothing; stores with orders" in (
        errors[0]["error"])
    cannot = answer.metadata["cannotAnswer"]
    assert "No join path connects customers and stores" in (
        cannot["missingJoins"][0])
    assert not answer.metadata.get("stepResults")


def test_a_step_that_can_be_done_is_done_and_the_rest_is_a_caveat(tell, loose):
    answer = tell(ontology=loose,
                  steps=[players.step(1, ["stores"]),
                         players.step(2, ["customers", "stores"])],
                  specs=[(1, CITIES, ["city", "stores"]),
                         (2, "SELECT COUNT(*) AS n FROM customers", ["n"])])
    assert not answer.metadata.get("cannotAnswer")
    assert results(answer)[0]["sqlResult"]["rowCount"] == 12
    assert "Do not join them" in answer.metadata["joinPlan"]["notes"]
    assert any("No join path connects customers and stores" in c for c in
               answer.metadata["explainerOutput"]["caveats"])


UNRELATED = """
semantic_model:
  - name: unrelated
    datasets:
      - name: orders
        source: public.orders
        primary_key: [order_id]
        fields: [{name: order_id}, {name: store_id}]
      - name: stores
        source: public.stores
        primary_key: [store_id]
        fields: [{name: store_id}, {name: city}]
"""


@pytest.fixture(scope="module")
def unrelated(service, retail, tmp_path_factory):
    """A semantic model without relationships."""
    path = tmp_path_factory.mktemp("unrelated") / "unrelated.yaml"
    path.write_text(UNRELATED)
    return service.import_model(path, "retail")


def test_a_join_that_the_model_does_not_have_is_guessed_and_marked(tell, unrelated):
    answer = tell(ontology=unrelated,
                  steps=[players.step(1, ["orders", "stores"])],
                  specs=[(1, SOLD, ["city", "n"])])
    assert not answer.metadata.get("cannotAnswer")
    assert results(answer)[0]["sqlResult"]["rowCount"] > 1
    plan = answer.metadata["joinPlan"]
    assert [e["relationshipName"] for p in plan["joinPaths"]
            for e in p["edges"]] == ["perhaps"]
    output = answer.metadata["explainerOutput"]
    assert any("perhaps orders.store_id = stores.store_id joins them" in c
               for c in output["caveats"])
    assert [j["on"] for j in output["dataLineage"]["joins"]] == [
        "orders.store_id = stores.store_id (perhaps)"]
    check = check_named(answer, "joins_follow_model")
    assert not check["passed"] and check["severity"] == "warn"


# ---- rules -----------------------------------------------------------------

def test_a_broken_rule_goes_back_once_and_then_is_a_check_and_a_caveat(tell):
    wrong = "SELECT COUNT(*) FILTER (WHERE status = 'returned') / COUNT(*) AS share FROM orders"
    specs = [(1, wrong, ["share"])]
    answer = tell(*corrects(*specs), specs=specs)
    assert purposes(answer).count("query_correction") == 1
    check = check_named(answer, "integer_division")
    assert not check["passed"] and check["severity"] == "warn"
    assert answer.metadata["verificationReport"]["passed"]
    assert any("drops the fraction" in c for c in
               answer.metadata["explainerOutput"]["caveats"])


def test_a_query_that_breaks_no_rule_says_so(tell):
    answer = tell(specs=[(1, BY_CITY, ["city", "revenue"])])
    assert check_named(answer, "query_rules")["passed"]


# ---- guardrails ------------------------------------------------------------

JUDGED = "judged by the model of the data"
INVENTED = BY_CITY.replace("line_total", "line_totl")
FANNED = """SELECT s.city, SUM(s.square_feet) AS revenue FROM stores s
JOIN orders o ON o.store_id = s.store_id GROUP BY s.city ORDER BY revenue"""


def corrects(*specs):
    """The SQL Builder's reply when its queries come back."""
    return players.structured(players.SQL_BUILDER, None, "generate_queries",
                              players.queries(*specs), userMessage=JUDGED)


def purposes(answer):
    return [c["purpose"] for c in answer.of("llm_call_end")]


def check_named(answer, name):
    report = answer.metadata["verificationReport"]
    return next(c for c in report["checks"] if c["name"] == name)


@pytest.mark.parametrize("wrong,told", [
    (INVENTED, "did you mean line_total?"),
    (BY_CITY.replace("FROM order_items", "FROM order_item"),
     "there is order_items"),
    (FANNED, "the join with orders repeats rows of stores")])
def test_a_wrong_query_is_sent_back_once_before_it_runs(
        tell, aimock, wrong, told):
    answer = tell(*corrects((1, BY_CITY, ["city", "revenue"])),
                  specs=[(1, wrong, ["city", "revenue"])])
    assert purposes(answer).count("query_correction") == 1
    asked = [text for _, text, _ in aimock.prompts(players.SQL_BUILDER)]
    assert told in asked[-1] and JUDGED in asked[-1]
    assert results(answer)[0]["sqlResult"]["sql"].strip() == BY_CITY.strip()
    assert answer.metadata["revisionsUsed"] == 0
    assert not answer.of("tool_error")
    assert answer.metadata["verificationReport"]["passed"]


def test_a_column_that_stays_invented_fails_its_step_before_it_runs(tell):
    specs = (1, INVENTED, ["city", "revenue"])
    answer = tell(*corrects(specs), specs=[specs])
    assert purposes(answer).count("query_correction") == 1
    assert "did you mean line_total?" in results(answer)[0]["error"]
    assert not results(answer)[0]["sqlResult"]
    assert "query_database" not in [
        c["name"] for c in answer.metadata["toolCalls"]]
    assert not check_named(answer, "tables_and_columns")["passed"]


def test_fan_out_that_stays_is_a_failed_check(tell):
    specs = (1, FANNED, ["city", "revenue"])
    answer = tell(*corrects(specs), specs=[specs])
    report = answer.metadata["verificationReport"]
    check = check_named(answer, "fan_out")
    assert not check["passed"] and check["severity"] == "fail"
    assert report["status"] == "failed"
    assert "repeats rows of stores" in report["diagnosis"]
    assert report["recommendedTarget"] == "sql_builder"
    assert answer.metadata["revisionsUsed"] == 3
    assert any("Verification failed: fan_out" in c for c in
               answer.metadata["explainerOutput"]["caveats"])


def test_a_join_of_no_relationship_is_a_caveat(tell):
    sql = """SELECT s.city, COUNT(*) AS customers FROM stores s
JOIN customers c ON c.home_city = s.city GROUP BY s.city"""
    answer = tell(specs=[(1, sql, ["city", "customers"])])
    check = check_named(answer, "joins_follow_model")
    assert not check["passed"] and check["severity"] == "warn"
    assert answer.metadata["verificationReport"]["passed"]
    assert any("follows no relationship" in c for c in
               answer.metadata["explainerOutput"]["caveats"])


def test_checks_by_code_run_when_python_cannot(tell):
    answer = tell(players.says(players.VERIFIER, QUESTION,
                               players.python("raise SystemExit(3)")),
                  specs=[(1, BY_CITY, ["city", "revenue", "share"])])
    report = answer.metadata["verificationReport"]
    assert {c["name"] for c in report["checks"]} >= {
        "tables_and_columns", "joins_follow_model", "fan_out",
        "expected_columns", "row_count", "not_truncated", "grain_unique",
        "measures_not_null"}
    check = check_named(answer, "expected_columns")
    assert not check["passed"] and "share" in check["message"]
    assert report["status"] == "failed"


@pytest.mark.parametrize("sql,reason", [
    ("DELETE FROM stores", "one"), ("SELECT * FROM customers", None),
    ("SELECT 1; SELECT 2", "one"), ("SELECT * FROM pg_authid", None),
    ("SELECT pg_sleep(60)", "pg_sleep"),
    ("SELECT city FROM stores FOR UPDATE", None),
    ("WITH x AS (DELETE FROM stores RETURNING *) SELECT * FROM x", None),
    ("SELECT set_config('default_transaction_read_only','off',false)", None)])
def test_sql_that_is_not_one_read_is_refused_and_told_to_the_model(
        tell, source, aimock, sql, reason):
    before = source.psql("retail", "select count(*) from stores")
    answer = tell(players.says(players.EXECUTOR, None, f"```sql\n{sql}\n```"),
                  specs=[(1, sql, ["x"])])
    if sql == "SELECT * FROM customers":  # a dataset of the ontology: allowed
        assert not results(answer)[0]["error"]
        return
    assert answer.complete
    assert results(answer)[0]["error"] and not results(answer)[0]["sqlResult"]
    assert len(aimock.prompts(players.EXECUTOR)) == 1
    told = aimock.prompts(players.EXECUTOR)[0][1]
    assert "## Error" in told and (reason is None or reason in told)
    assert source.psql("retail", "select count(*) from stores") == before
    assert any("Step 1" in c for c in
               answer.metadata["explainerOutput"]["caveats"])


def test_dependents_of_a_failed_step_are_skipped(tell):
    answer = tell(
        COMPARE, players.says(players.EXECUTOR, None, "```sql\nselect no\n```"),
        steps=THREE_STEPS["steps"],
        specs=[(1, "select nothing", ["x"]), (2, CITIES, ["city", "stores"])])
    one, two, three = results(answer)
    assert one["error"] and not two["error"]
    assert three["error"] == "skipped: step 1 failed"
    assert [e["error"] for e in answer.of("step_complete") if e["stepId"] == 3] \
        == ["skipped: step 1 failed"]


def checks(passed, target="sql_builder", severity="fail"):
    return players.python(f"""import json
print(json.dumps({{"checks": [{{"name": "grain", "passed": {passed},
 "severity": "{severity}", "message": "cities are missing"}}],
 "diagnosis": "cities are missing", "recommendedTarget": "{target}"}}))""")


@pytest.mark.parametrize("target", ["sql_builder", "navigator"])
def test_a_failed_check_sends_the_run_back(tell, aimock, target):
    answer = tell(
        players.says(players.VERIFIER, QUESTION, checks(False, target),
                     sequenceIndex=0))
    assert answer.metadata["revisionsUsed"] == 1
    assert answer.metadata["verificationReport"]["passed"]
    phases = [e["phase"] for e in answer.of("phase_start")]
    again = answers.PHASES[answers.PHASES.index(target):5]
    assert phases == [*answers.PHASES[:5], *again, "explainer"]
    marker = players.SQL_BUILDER if target == "sql_builder" else \
        players.NAVIGATOR
    assert "cities are missing" in aimock.prompts(marker)[-1][0]
    assert "phase_restart" not in answer.types()


def test_after_three_revisions_the_answer_carries_the_failure(tell):
    answer = tell(players.says(players.VERIFIER, QUESTION, checks(False)))
    report = answer.metadata["verificationReport"]
    assert answer.complete
    assert (report["status"], report["passed"]) == ("failed", False)
    assert answer.metadata["revisionsUsed"] == 3
    assert [e["phase"] for e in answer.of("phase_start")].count("verifier") == 4
    caveats = answer.metadata["explainerOutput"]["caveats"]
    assert any("cities are missing" in c for c in caveats)
    assert any("aximum" in c for c in caveats)


def test_a_warning_fails_nothing(tell):
    answer = tell(players.says(players.VERIFIER, QUESTION,
                               checks(False, severity="warn")))
    assert answer.metadata["verificationReport"]["passed"]
    assert answer.metadata["revisionsUsed"] == 0


@pytest.mark.parametrize("code", [
    "raise ValueError('no checks today')", "print('no report')",
    "print('{\"checks\": 7}')", "import socket; socket.create_connection(('a', 1))",
    "syntax error here"])
def test_checks_that_cannot_run_are_skipped_and_never_passed(tell, code):
    answer = tell(players.says(players.VERIFIER, QUESTION, players.python(code)))
    report = answer.metadata["verificationReport"]
    assert answer.complete and answer.metadata["revisionsUsed"] == 0
    assert (report["status"], report["passed"]) == ("skipped", False)
    assert any("Not verified" in c for c in
               answer.metadata["explainerOutput"]["caveats"])


PASSES_ALL = players.says(players.VERIFIER, QUESTION, players.python(
    "import json\nprint(json.dumps({'checks': [{'name': 'fine', 'passed': True,"
    " 'severity': 'fail', 'message': ''}], 'status': 'passed', 'passed': True}))"))
FAILS = "select 1 / (revenue - revenue) as x from (%s) q" % BY_CITY
EMPTY = "select city from public.stores where city = 'Atlantis'"


@pytest.mark.parametrize("sqls, verified", [
    ([FAILS], False), ([FAILS, FAILS], False), ([FAILS, BY_CITY], True),
    ([EMPTY], True)])
def test_a_report_passes_only_where_a_step_has_data(tell, sqls, verified):
    """An empty result is data; a failed query, and one skipped because of it, are
    not."""
    numbers = range(1, len(sqls) + 1)
    answer = tell(
        PASSES_ALL, players.says(players.EXECUTOR, None, f"```sql\n{FAILS}\n```"),
        steps=[*(players.step(n, SALES) for n in numbers),
               players.step(len(sqls) + 1, [], "python", depends_on=numbers)],
        specs=[(n, sql, []) for n, sql in zip(numbers, sqls)])
    report = answer.metadata["verificationReport"]
    assert answer.complete and report["checks"]
    assert (report["status"], report["passed"]) == (
        ("passed", True) if verified else ("skipped", False))
    assert verified or any("No step has data" in c for c in
                           answer.metadata["explainerOutput"]["caveats"])


# ---- answers without data -------------------------------------------------------


def test_a_conversational_question_needs_no_data(tell, aimock):
    answer = tell(complexity="conversational")
    assert answer.complete and answer.content == "Houston is behind."
    assert [e["phase"] for e in answer.of("phase_start")] == ["planner",
                                                              "explainer"]
    assert not answer.of("tool_start")
    assert "stores" in aimock.prompts(players.EXPLAINER)[0][1]


CLARIFY = dict(
    shouldClarify=True, clarificationQuestions=[
        {"key": "time_window", "question": "Which period is meant?",
         "assumption": "the last six months"}])


def test_a_clarification_is_asked_and_answered_once(tell, ann, retail, aimock):
    chat = ann.new_chat(retail, "openai")
    asked = tell(chat=chat, **CLARIFY)
    assert asked.last.type == "message_complete"
    assert asked.last.data["status"] == "clarification_needed"
    question = asked.of("clarification_requested")[0]["questions"][0]
    assert question["key"] == "time_window"
    assert "Which period is meant?" in asked.content
    assert asked.types()[-2] == "clarification_requested"
    stored = ann.message(chat, asked.message_id)
    assert stored["status"] == "clarification_needed"
    assert stored["metadata"]["clarificationQuestions"][0]["key"] == "time_window"
    reply = (f"{QUESTION}\n\nClarifications:\n- Which period is meant?: "
             "the second half of 2025")
    answer = tell(question=reply, chat=chat, **CLARIFY)  # it asks again: ignored
    assert answer.complete, answer.last.data
    system, user, _ = aimock.prompts(players.PLANNER)[0]
    assert "shouldClarify must be false" in system
    assert "Which period is meant?" in user


# ---- agent service -------------------------------------------------------------


def test_vector_search_uses_top_k_of_10(ann, chinook_ontology, play):
    questions = play("chinook")
    answer = ann.ask(ann.new_chat(chinook_ontology, "openai"),
                     questions["playlist_artists"].text)
    found = answer.of("discovery_complete")[0]
    assert 1 <= len(found["matchedDatasets"]) <= 10
    assert found["datasetsWithYaml"] == len(found["matchedDatasets"])
    scores = [d["score"] for d in found["matchedDatasets"]]
    assert scores == sorted(scores, reverse=True)


def test_falls_back_to_list_datasets_when_vector_search_returns_empty(tell):
    answer = tell(question="???")
    assert answer.complete
    matched = answer.of("discovery_complete")[0]["matchedDatasets"]
    assert {d["name"] for d in matched} >= set(SALES)


def test_fails_gracefully_when_ontology_has_no_datasets_at_all(service, ann,
                                                               retail):
    service.psql(
        "with m as (insert into semantic_models (owner_id, connection_id, name,"
        " source_text, model) select owner_id, connection_id, 'bare ' ||"
        " gen_random_uuid(), '', json_build_object('format', 1, 'name', 'bare',"
        " 'datasets', '[]'::json, 'relationships', '[]'::json, 'metrics',"
        " '[]'::json) from semantic_models limit 1 returning id, owner_id)"
        " insert into ontologies (owner_id, semantic_model_id, name, status,"
        " visibility) select owner_id, id, 'bare', 'ready', 'shared' from m")
    bare = service.psql("select id from ontologies where name = 'bare'")[0][0]
    answer = ann.ask(ann.new_chat(bare, "openai"), QUESTION)
    check_stream(answer.events)
    assert answer.last.type == "message_error"
    assert answer.last.data["code"] == "NO_DATASETS", answer.last.data
    service.psql("delete from ontologies where name = 'bare'")


def test_fetches_relationships_for_relevant_datasets(tell, aimock):
    tell()
    builder = aimock.prompts(players.SQL_BUILDER)[0][1]
    joins = builder[builder.index("## Join paths"):]
    assert "order_items (order_id) -> orders (order_id)" in joins
    assert "customers" not in joins[:joins.index("\n\n")]


def test_skips_relationships_when_no_join_is_needed(tell, aimock):
    tell(steps=[players.step(1, ["stores"])], specs=[(1, CITIES, ["city"])])
    assert "No join is needed." in aimock.prompts(players.SQL_BUILDER)[0][1]


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_matches_tool_results_by_tool_call_id_and_handles_parallel_calls(
        tell, aimock, provider):
    calls = [{"name": "get_dataset_details",
              "arguments": json.dumps({"datasetNames": [name]})}
             for name in ("stores", "products", "customers")]
    answer = tell(players.says(players.NAVIGATOR, QUESTION, {"toolCalls": calls},
                               hasToolResult=False), provider=provider)
    body = aimock.prompts(players.NAVIGATOR)[-1][2]
    asked = [c for m in body["messages"] if m.get("tool_calls")
             for c in m["tool_calls"]]
    told = {m["tool_call_id"]: m["content"] for m in body["messages"]
            if m["role"] == "tool"}
    assert [c["function"]["name"] for c in asked] == ["get_dataset_details"] * 3
    for call, name in zip(asked, ("stores", "products", "customers")):
        assert f"name: {name}" in str(told[call["id"]])
    assert len([c for c in answer.metadata["toolCalls"]
                if c["phase"] == "navigator"]) == 3


def test_persists_tool_call_results_in_metadata(tell):
    answer = tell()
    calls = answer.metadata["toolCalls"]
    kinds = {(c["phase"], c["name"]) for c in calls}
    assert {("navigator", "get_relationships"), ("sql_builder",
            "get_dataset_details"), ("sql_builder", "get_sample_data"),
            ("executor", "query_database"), ("verifier", "run_python")} <= kinds
    assert all(c["result"] for c in calls)
    queries = [c for c in calls if c["name"] == "query_database"]
    assert all(c["stepId"] == 1 for c in queries) and len(queries) == 2
    pilot, full = (q["result"] for q in queries)
    assert re.search(r"\(10\+ rows, \d+ms\)$", pilot), pilot
    assert re.search(r"\(12 rows, \d+ms\)$", full), full


def test_truncates_tool_results_to_2000_characters(tell):
    calls = tell().metadata["toolCalls"]
    assert max(len(c["result"]) for c in calls) == 2000
    assert all(len(c["result"]) <= 2000 for c in calls)


def test_ontology_and_connection_are_bound_by_the_server(tell, aimock):
    answer = tell()
    sent = json.dumps([body for _, _, body in aimock.prompts("You are the ")])
    for secret in ("ontologyId", "connectionId", "sk-story"):
        assert secret not in sent and secret not in json.dumps(
            answer.of("tool_start"))


def test_includes_conversation_history_with_tool_context(tell, ann, retail,
                                                         aimock):
    chat = ann.new_chat(retail, "openai")
    tell(chat=chat)
    tell(chat=chat, question="and by month?")
    user = aimock.prompts(players.PLANNER)[0][1]
    talk = user[user.index("## Conversation so far"):user.index("## Question")]
    assert f"User: {QUESTION}" in talk and "Houston is behind." in talk
    assert "SUM(i.line_total)" in talk and "query_database" in talk


def test_a_failed_answer_is_no_part_of_a_later_conversation_as_an_answer(
        ann, retail, tell, aimock):
    chat = ann.new_chat(retail, "openai")
    _, message = ann.new_message(chat, "never started")
    ann.cancel(message)
    answer = tell(chat=chat)
    assert answer.complete


def test_provides_default_response_when_agent_produces_no_content(tell):
    """A model whose last reply is empty."""
    answer = tell(players.says(players.EXPLAINER, QUESTION, " \n"))
    assert answer.last.type == "message_complete" or \
        answer.last.data["code"] == "MODEL_UNAVAILABLE"
    if answer.complete:
        assert answer.content.strip()


# ---- prompts -------------------------------------------------------------------


def test_includes_dataset_yaml_in_prompt(tell, aimock):
    tell()
    user = aimock.prompts(players.SQL_BUILDER)[0][1]
    for text in ("name: order_items", "line_total", "## Dataset schemas (YAML)"):
        assert text in user
    assert "name: stores" in aimock.prompts(players.PLANNER)[0][1]


def test_shows_no_conversation_history_when_there_is_none(tell, aimock):
    tell()
    assert "Conversation so far" not in aimock.prompts(players.PLANNER)[0][1]


def test_samples_and_results_stand_in_the_prompts(tell, aimock, source):
    tell()
    city, revenue = source.psql("retail", BY_CITY)[0]
    assert "## Sample rows" in aimock.prompts(players.SQL_BUILDER)[0][1]
    explainer = aimock.prompts(players.EXPLAINER)[0][1]
    assert city in explainer and revenue in explainer


# ---- list_datasets, light queries ----------------------------------------------


def test_list_datasets_returns_formatted_list_of_datasets(tell):
    answer = tell(players.says(
        players.NAVIGATOR, QUESTION,
        {"toolCalls": [{"name": "list_datasets", "arguments": "{}"}]},
        hasToolResult=False))
    told = [e["result"] for e in answer.of("tool_end")
            if e["name"] == "list_datasets"][0]
    for name in ("stores", "customers", "products", "orders", "order_items"):
        assert name in told
    assert "public.stores" in told


def test_get_datasets_by_names_handles_a_subset_of_names_matching(tell, aimock):
    answer = tell(players.says(
        players.NAVIGATOR, QUESTION,
        {"toolCalls": [{"name": "get_dataset_details", "arguments": json.dumps(
            {"datasetNames": ["stores", "shops"]})}]}, hasToolResult=False))
    assert answer.complete
    told = str([m["content"] for m in aimock.prompts(players.NAVIGATOR)[-1][2][
        "messages"] if m["role"] == "tool"])
    assert "name: stores" in told and 'There is no dataset "shops"' in told


# ---- the sandbox ---------------------------------------------------------------


def analyse(tell, code):
    answer = tell(players.says(players.PYTHON, QUESTION, players.python(code)),
                  steps=[players.step(1, SALES, "sql_then_python")])
    return answer, results(answer)[0]


def test_execute_python_code_successfully_and_return_stdout_and_stderr(tell):
    _, result = analyse(tell, "import sys\nprint('out', len(current_data))\n"
                              "print('aside', file=sys.stderr)")
    assert result["pythonResult"]["stdout"] == "out 12\n"
    assert result["pythonResult"]["stderr"] == "aside\n"
    assert not result["error"]


def test_return_base64_charts(tell, ann):
    answer, result = analyse(tell, players.CHART.split("```python\n")[1].split(
        "```")[0])
    chart = result["pythonResult"]["charts"][0]
    assert base64.b64decode(chart, validate=True).startswith(b"\x89PNG\r\n")
    assert answer.metadata["explainerOutput"]["charts"] == [chart]
    opened = ann.get(f"/api/data-agent/chats/{answer.chat_id}")
    assert chart not in opened.body.decode(), "a chat opens without the bytes"
    assert ann.message(answer.chat_id, answer.message_id)["metadata"][
        "explainerOutput"]["charts"] == [chart]


def test_large_fields_are_deferred_in_events_but_the_last(tell):
    answer, _ = analyse(
        tell, "import numpy as np, matplotlib.pyplot as plt\n"
              "plt.figure(figsize=(9, 9))\n"
              "plt.imshow(np.random.default_rng(1).random((400, 400)))")
    told = [e for e in answer.of("phase_artifact") if e["phase"] == "executor"]
    deferred = told[0]["artifact"][0]["pythonResult"]["charts"]
    assert deferred["deferred"] is True and deferred["bytes"] > 65536
    assert max(len(json.dumps(e.data)) for e in answer.events[:-1]) < 131072
    assert answers.charts(answer.metadata)[0].startswith("iVBOR")


def test_handle_code_errors(tell):
    answer, result = analyse(tell, "1 / 0")
    assert answer.complete
    assert "ZeroDivisionError" in json.dumps(result)
    assert result["sqlResult"]["rowCount"] == 12
    assert result["error"]


# ---- embeddings and data in prompts --------------------------------------------


def test_data_cannot_speak_to_the_model_as_an_instruction(tell, aimock):
    """Text from data is in the user message, never in the system prompt."""
    tell()
    for system, _, body in aimock.prompts("You are the "):
        assert "Houston" not in system.replace(QUESTION, "")
        assert [m["role"] for m in body["messages"]].count("system") == 1
