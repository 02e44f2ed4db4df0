"""The explorer over an uploaded dataset, and the report: what its four tools say of planted
data, with the SQL that code builds run by the sandbox's DuckDB."""
import json
import os
import signal
import subprocess
import uuid

import pytest

from kit import fixtures
from kit.server import Server
from kit.wire import Wire, hangs, passes
from sextant import ROOT, environment, wait_until

EXPLORER = "You are a data analyst. You explore one table"
REPORTER = "You are a data analyst. You write the report"
USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
SUMMARY = "The table was explored."
# What the rows of RATE show.
SHOWN = "B has the highest rate, 0.826.\n\n- A: 0.78\n- B: 0.826"
PATH = "/api/agentic-explore"


def python_has_duckdb():
    python = environment().get("SANDBOX_PYTHON") or str(ROOT / "build/venv/bin/python3")
    return subprocess.run([python, "-c", "import duckdb"],
                          stderr=subprocess.DEVNULL).returncode == 0


pytestmark = pytest.mark.skipif(not python_has_duckdb(),
                                reason="this sandbox has no DuckDB")


def patients():
    """Kidney stones (Charig and others, 1986): a reversal. Among the doses are 40 that are
    missing and 3 outliers."""
    groups = [("A", "small", 87, 81), ("A", "large", 263, 192),
              ("B", "small", 270, 234), ("B", "large", 80, 55)]
    rows = [(t, size, int(i < cured)) for t, size, n, cured in groups for i in range(n)]
    lines = ["treatment,size,cured,dose"]
    for i, row in enumerate(rows):
        dose = "" if i < 40 else 9000 + i if i > 696 else 20 + i % 11
        lines.append(",".join(str(v) for v in (*row, dose)))
    return "\n".join(lines) + "\n"


def upload(client, name, text):
    edge = uuid.uuid4().hex
    body = (f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            f"Content-Type: text/csv\r\n\r\n{text}\r\n--{edge}--\r\n").encode()
    reply = client.post("/datasets", body, patience=120, headers={
        "Content-Type": f"multipart/form-data; boundary={edge}"})
    assert reply.status == 201, reply.body
    return json.loads(reply.body)


@pytest.fixture(scope="module")
def dataset(service):
    return upload(service.client("ann@example.org"), "patients.csv", patients())


@pytest.fixture(scope="module")
def tiny(service):
    return upload(service.client("ann@example.org"), "tiny.csv",
                  "region,sales\nn,10\ns,20\nn,12\ns,22\n")


def says(prompt, question, reply, turn=None):
    if isinstance(reply, list):
        reply = {"toolCalls": [{"name": name, "arguments": json.dumps(arguments)}
                               for name, arguments in reply]}
    elif isinstance(reply, str):
        reply = {"content": reply}
    match = {"systemMessage": prompt, "userMessage": question}
    if turn is not None:
        match["turnIndex"] = turn
    return {"match": match, "response": {**reply, "usage": USAGE}}


@pytest.fixture
def explore(ann, aimock):
    """Plays rounds of tool calls and the summary, and explores. Returns the result, and
    what the model read of its calls."""
    def explore(dataset, *rounds, summary=SUMMARY):
        question = f"Which treatment is better? {uuid.uuid4().hex[:8]}"
        aimock.play([says(EXPLORER, question, reply, n)
                     for n, reply in enumerate([*rounds, summary])])
        reply = ann.post(PATH, {"datasetId": dataset["id"], "question": question},
                         patience=120)
        assert reply.status == 200, reply.body
        told = [json.loads(m["content"]) for m in
                aimock.prompts(EXPLORER)[-1][2]["messages"] if m["role"] == "tool"]
        return reply.json, told
    return explore


def checks(result):
    return {c["name"]: c for c in result["data"]["checks"]}


RATE = "select treatment, avg(cured) as rate from t_parsed group by treatment"


# ---- the tools over planted data --------------------------------------------------


def test_individual_tool_execution(explore, dataset):
    result, (rows,) = explore(dataset, [("executeSQLQuery", {
        "query": RATE + " order by 1", "reason": "Compare"})], summary=SHOWN)
    assert rows["data"]["columns"] == ["treatment", "rate"]
    assert [r[0] for r in rows["data"]["rows"]] == ["A", "B"]
    assert result["status"] == "exploration_complete"
    assert result["summary"] == SHOWN
    assert result["insights"] == ["A: 0.78", "B: 0.826"]
    [query] = result["executedQueries"]
    assert query["query"] == RATE + " order by 1" and query["reason"] == "Compare"
    assert query["result"]["rows"][0][1] == pytest.approx(0.78)
    assert result["metadata"]["stepCount"] == 1
    assert result["metadata"]["tokensUsed"] == 300


def test_a_profile_finds_missing_values_and_outliers(explore, dataset):
    _, (profile,) = explore(dataset, [("profileData", {"includeDistribution": True})])
    columns = {c["name"]: c for c in profile["data"]["columns"]}
    dose = columns["dose"]
    assert (dose["count"], dose["nulls"], dose["outliers"]) == (660, 40, 3)
    assert float(dose["min"]) == 20 and float(dose["max"]) == 9699
    assert dose["median"] == 25 and sum(b["count"] for b in dose["distribution"]) == 660
    assert columns["treatment"]["distinct"] == 2
    assert columns["cured"]["avg"] == pytest.approx(562 / 700)
    assert profile["data"]["rowCount"] == 700
    issues = " ".join(profile["data"]["issues"])
    assert "dose has 40 missing values (5.7 %)" in issues and "dose has 3 outliers" in issues


def test_validation_finds_a_reversal(explore, dataset):
    result, (told,) = explore(dataset, [("validateAnalysis", {
        "finding": "B cures more because of its method", "relatedQuery": RATE})])
    found = checks(told)
    assert not told["data"]["passed"] and told["data"]["confidence"] == "low"
    assert not found["simpsons_paradox"]["passed"]
    assert "size" in found["simpsons_paradox"]["message"]
    assert "2 of 2" in found["simpsons_paradox"]["message"]
    assert not found["significance"]["passed"]
    assert told["data"]["statistics"]["pValue"] == pytest.approx(0.1289, abs=1e-3)
    assert not found["causation"]["passed"] and found["sample_size"]["passed"]
    assert "B cures more because of its method" not in result["insights"]


def test_validation_within_a_group_and_of_missing_values(explore, dataset):
    _, (sizes, doses) = explore(dataset, [
        ("validateAnalysis", {"finding": "Small stones are cured more often",
                              "relatedQuery": "select size, avg(cured) from t_parsed "
                                              "group by size"}),
        ("validateAnalysis", {"finding": "The doses differ", "relatedQuery":
                              "select treatment, avg(dose) from t_parsed group by 1"})])
    assert sizes["data"]["passed"] and sizes["data"]["confidence"] == "high"
    assert checks(sizes)["simpsons_paradox"]["passed"]
    found = checks(doses)
    assert "40 of 700 rows (5.7 %)" in found["missing_values"]["message"]
    assert "3 outliers move" in found["outliers"]["message"]


def test_four_rows_carry_no_finding(explore, tiny):
    result, (told,) = explore(tiny, [("validateAnalysis", {
        "finding": "s sells more",
        "relatedQuery": "select region, avg(sales) from t_parsed group by region"})])
    assert not told["data"]["passed"]
    assert checks(told)["sample_size"]["message"] == \
        "Only 4 rows: too few for any conclusion."
    assert "s sells more" not in result["insights"]


def test_a_chart_has_its_rows(explore, dataset):
    result, (told,) = explore(dataset, [("createVisualization", {
        "chartType": "bar", "sqlQuery": RATE, "title": "Cured", "reason": "Compare",
        "vegaLiteSpec": {"mark": "bar", "encoding": {
            "x": {"field": "treatment", "type": "nominal"},
            "y": {"field": "rate", "type": "quantitative"}}}})])
    assert told["success"] and told["data"]["rowCount"] == 2
    [chart] = result["charts"]
    assert chart["chartType"] == "bar" and chart["sqlQuery"] == RATE
    assert {v["treatment"] for v in chart["spec"]["data"]["values"]} == {"A", "B"}
    uuid.UUID(chart["id"])


def test_vega_lites_own_schema_accepts_the_chart(explore, dataset):
    import jsonschema
    path = ROOT / "web/node_modules/vega-lite/build/vega-lite-schema.json"
    if not path.exists():
        pytest.skip("Vega-Lite is not installed")
    judge = jsonschema.Draft7Validator(json.loads(path.read_text()))
    encoding = {"x": {"field": "treatment", "sort": "-y", "axis": {"labelAngle": 0}},
                "y": {"field": "rate", "aggregate": "mean", "scale": {"zero": True}},
                "color": {"field": "treatment", "legend": None},
                "tooltip": [{"field": "rate", "format": ".2f"}]}
    call = {"chartType": "bar", "sqlQuery": RATE, "title": "Cured", "reason": "r"}
    specs = [{"mark": mark, "encoding": encoding, "width": "wide", "x": 1}
             for mark in ("bar", {"type": "line", "point": True}, "point", "area")]
    specs.append({"layer": [{"mark": "bar", "encoding": encoding},
                            {"mark": "rule", "encoding": {"y": {"field": "rate"}}}]})
    specs.append({"mark": {"type": "arc", "innerRadius": 20}, "encoding": {
        "theta": {"field": "rate"}, "color": {"field": "treatment"}}})
    result, _ = explore(dataset, [("createVisualization", {**call, "vegaLiteSpec": s})
                                  for s in specs])
    assert len(result["charts"]) == len(specs)
    for chart in result["charts"]:
        judge.validate(chart["spec"])


def test_query_validation(explore, dataset):
    """A call that is refused tells the model why, and it can go on."""
    result, told = explore(dataset, [
        ("executeSQLQuery", {"query": q, "reason": "r"}) for q in (
            "drop table t_parsed", "select 1; select 2", "select * from 'x.csv'",
            "select * from read_text('/etc/passwd')", "select nope from t_parsed")])
    assert not any(t["success"] for t in told)
    assert all(t["error"] and t["hint"] for t in told)
    assert "treatment, size, cured, dose" in told[-1]["hint"]
    assert result["status"] == "exploration_complete" and not result["executedQueries"]


def test_edge_cases_empty_results(explore, dataset):
    result, (told,) = explore(dataset, [("executeSQLQuery", {
        "query": "select * from t_parsed where treatment = 'Z'", "reason": "r"})])
    assert told["success"] and told["data"]["rows"] == [] and "No row matched" in told["hint"]
    assert result["executedQueries"][0]["result"]["rows"] == []


# ---- the summary is held against the rows ----------------------------------------


def metadata_of(ann, run_id):
    chat = next(c for c in ann.get("/api/data-agent/chats", pageSize=100).data["items"]
                if c["agent"] == "explorer")
    return ann.message(chat["id"], run_id)["metadata"]


def grounded(metadata):
    [check] = [c for c in metadata["verificationReport"]["checks"]
               if c["name"] == "narrative_grounded"]
    return check["passed"]


def test_a_summary_of_the_rows_is_verified(explore, ann, dataset):
    result, _ = explore(dataset, [("executeSQLQuery", {"query": RATE, "reason": "r"})],
                        summary=SHOWN)
    told = metadata_of(ann, result["runId"])
    assert grounded(told) and told["verificationReport"]["status"] == "passed"
    [step] = told["stepResults"]
    assert step["sqlResult"]["columns"] == ["treatment", "rate"]
    assert step["sqlResult"]["rowCount"] == 2
    assert told["dataLineage"]["datasets"] == ["patients"]


def test_a_summary_may_repeat_statistics_and_verdicts(explore, ann, dataset):
    summary = "Of 700 rows, 40 have no dose. The median dose is 25."
    result, _ = explore(dataset, [
        ("profileData", {"columns": ["dose"]}),
        ("executeSQLQuery", {"query": "select count(*) from t_parsed", "reason": "r"})],
        summary=summary)
    assert result["summary"] == summary
    assert grounded(metadata_of(ann, result["runId"]))


def test_what_the_rows_do_not_show_is_removed_from_the_summary(explore, ann, aimock,
                                                                dataset):
    lie = "In 1,234 other hospitals it is the same."
    result, _ = explore(dataset, [("executeSQLQuery", {"query": RATE, "reason": "r"})],
                        summary=f"B has the highest rate, 0.826. {lie}")
    assert result["summary"] == "B has the highest rate, 0.826."
    told = metadata_of(ann, result["runId"])
    assert not grounded(told)
    assert "removed" in " ".join(told["explainerOutput"]["caveats"])
    assert len(aimock.prompts(EXPLORER)) == 3  # it was asked to correct it


# ---- without a model, and requests ---------------------------------------------------


@pytest.fixture(scope="module")
def keyless():
    it = Server()
    it.start()
    yield it
    it.remove()


def test_without_a_key_it_profiles_and_draws(keyless):
    ann = keyless.client("ann@example.org")
    dataset = upload(ann, "patients.csv", patients())
    reply = ann.post(PATH, {"datasetId": dataset["id"], "question": "average cured by size"},
                     patience=120)
    assert reply.status == 200, reply.body
    result = reply.json
    assert result["status"] == "exploration_complete", result
    [chart] = result["charts"]
    assert {v["category"] for v in chart["spec"]["data"]["values"]} == {"small", "large"}
    assert result["executedQueries"] and "small" in result["summary"]
    report = ann.post("/api/report", {"runId": result["runId"]})
    assert report.status == 200
    assert report.headers["content-type"].startswith("text/markdown")
    text = report.body.decode()
    assert text.startswith("# Report: average cured by size\n\n## Executive summary")
    assert "| category | value |" in text and chart["title"] in text
    run = ann.get(f"/runs/{result['runId']}").json
    assert run["status"] == "succeeded"
    assert run["result_json"]["summary"] == result["summary"]


def test_agentic_and_non_agentic_results_agree(keyless):
    """The explorer and the pipeline, asked the same about the same table."""
    ann = keyless.client("ann@example.org")
    dataset = upload(ann, "stones.csv", patients())
    question = "average cured by size"
    explored = ann.post(PATH, {"datasetId": dataset["id"], "question": question},
                        patience=120).json["executedQueries"][0]["result"]["rows"]
    answer = ann.ask(ann.new_chat(dataset["ontology_id"]), question)
    [step] = answer.last.data["metadata"]["stepResults"]
    rows = [tuple(row.values()) for row in json.loads(step["sqlResult"]["data"])]
    assert {size: round(float(rate), 6) for size, rate in rows} == \
        {size: round(float(rate), 6) for size, rate in explored}


def test_max_steps_ends_with_a_summary_without_tools(ann, aimock, dataset):
    question = f"Which treatment is better? {uuid.uuid4().hex[:8]}"
    call = [("executeSQLQuery", {"query": RATE, "reason": "Compare"})]
    aimock.play([says(EXPLORER, question, call, n) for n in range(2)]
                + [says(EXPLORER, question, SUMMARY, 2)])
    result = ann.post(PATH, {"datasetId": dataset["id"], "question": question,
                             "maxSteps": 2}, patience=120).json
    assert result["status"] == "exploration_complete" and result["summary"] == SUMMARY
    assert result["metadata"]["stepCount"] == 2 and len(result["executedQueries"]) == 2
    last = aimock.prompts(EXPLORER)[-1][2]
    assert last["tool_choice"] == "none"
    assert "You have 2 steps" in json.dumps(last["messages"])


def test_refusals(ann, bob, dataset, retail):
    ask = {"datasetId": dataset["id"], "question": "x"}
    assert ann.post(PATH, {"question": "x"}).status == 400
    assert ann.post(PATH, {**ask, "question": " "}).status == 400
    for steps in (0, 16, 99, "3"):
        reply = ann.post(PATH, {**ask, "maxSteps": steps})
        assert reply.status == 400
        assert [d["field"] for d in reply.json["details"]] == ["maxSteps"]
    assert ann.post(PATH, {**ask, "datasetId": "x"}).status == 404
    assert bob.post(PATH, ask).status == 404
    over_a_database = ann.post(PATH, {**ask, "datasetId": retail}).json
    assert over_a_database["status"] == "error"
    assert "uploaded files" in over_a_database["error"]["message"]
    assert ann.post("/api/report", {}).status == 400
    assert ann.post("/api/report", {"question": "x", "charts": 3}).status == 400
    assert ann.post("/api/report", {"runId": str(uuid.uuid4())}).status == 404


# ---- the report ------------------------------------------------------------------------


RESULTS = {"summary": "North leads.", "insights": ["North sold 42"],
           "executedQueries": [{"query": "select 1", "reason": "Units", "result": {
               "columns": ["region", "units"], "rows": [["North", 42]]}}],
           "charts": [{"id": "1", "chartType": "bar", "title": "Units by region",
                       "sqlQuery": "select 1", "spec": {}}]}


def test_a_report_is_written_from_posted_results(ann, aimock):
    question = f"Who leads? {uuid.uuid4().hex[:8]}"
    aimock.play([says(REPORTER, question, "# Report\n\nNorth sold 42.")])
    body = {"question": question, "explorationResults": RESULTS}
    streamed = ann.post("/api/report", body)
    assert streamed.status == 200 and streamed.body.decode() == "# Report\n\nNorth sold 42."
    whole = ann.post("/api/report", body, headers={"Accept": "application/json"})
    assert whole.json == {"report": "# Report\n\nNorth sold 42."}
    prompt = json.dumps(aimock.prompts(REPORTER)[-1][2]["messages"])
    for part in ("North leads.", "North sold 42", "Units by region", "select 1"):
        assert part in prompt
    assert not aimock.prompts(REPORTER)[-1][2].get("tools")


# ---- a worker that is killed --------------------------------------------------------------


@pytest.fixture(scope="module")
def wire(aimock):
    it = Wire(aimock.url)
    yield it
    it.close()


@pytest.fixture(scope="module")
def fragile(source, wire):
    it = fixtures.open_service(source, **fixtures.model_settings(wire.url))
    yield it
    it.remove()


def test_a_killed_worker_loses_no_finding(fragile, wire, aimock):
    client = fragile.client(f"{uuid.uuid4().hex[:12]}@example.org")
    dataset = upload(client, "patients.csv", patients())
    question = f"Which treatment is better? {uuid.uuid4().hex[:8]}"
    aimock.play([says(EXPLORER, question, [("executeSQLQuery", {
        "query": RATE, "reason": "Compare"})], 0), says(EXPLORER, question, SHOWN, 1)])
    wire.script(EXPLORER, [passes, hangs])
    chat = client.new_chat(dataset["ontology_id"], "openai", agent="explorer")
    stream, message = client.start(chat, question)
    assert wire.waiting.wait(60)
    os.kill(fragile.worker(), signal.SIGKILL)
    stream.leave()
    fragile.wait_healthy()

    def settled():
        found = client.message(chat, message)
        return found if found["status"] != "generating" else None
    told = wait_until(settled, what="the end of the run")
    assert told["status"] == "complete", told
    found = told["metadata"]["exploration"]
    assert found["summary"] == SHOWN and found["metadata"]["stepCount"] == 1
    assert grounded(told["metadata"]) and len(told["metadata"]["stepResults"]) == 1
    [query] = found["executedQueries"]
    assert query["query"] == RATE and len(query["result"]["rows"]) == 2
    wire.forget()
