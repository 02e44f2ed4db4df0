"""The scientist: the cases of seed 002 by their names, and what its runs promise
beyond them: hostile figures, values that are not shared, a worker that is killed."""
import json
import os
import signal
import uuid

import pytest

from kit import csv, fixtures, players
from kit.client import check_stream
from sextant import wait_until

QUESTION = "What is the average line total of the order items?"
PLAN = "You are a data analysis planning assistant"
CODE = "who writes Python code to answer questions"
FIX = "who fixes broken Python code"
EVALUATE = "who evaluates the results of code"
EXPLAIN = "You are a data science communicator"

MEAN = "result = float(datasets['order_items']['line_total'].mean())"
BAD = ["result = dff.mean(", "result = datasets['order_items']['nope'].mean()",
       "result = int('a third one')"]
CHART = ("fig = px.histogram(datasets['order_items'], x='quantity', "
         "title='Quantities')")
ANSWER = "The items are of the orders of the shop."


def says(marker, words, **match):
    return {"match": {"systemMessage": marker, **match},
            "response": {"content": words, "usage": players.USAGE}}


def decides(code=True, evaluation=False, explanation=True):
    value = {"needs_code": code, "needs_evaluation": evaluation,
             "needs_explanation": explanation, "reasoning": "so it is"}
    return players.structured(PLAN, None, "create_execution_plan", value)


def script(plan, codes=(), evaluation="It is what it is.", answer=ANSWER):
    """Fixtures: a plan, the code of each attempt, the words."""
    found = list(plan)
    for n, code in enumerate(codes):
        match = {"userMessage": f"attempt {n} of 3"} if n else {}
        found.append(says(FIX if n else CODE, code, **match))
    return found + [says(EVALUATE, evaluation), says(EXPLAIN, answer)]


@pytest.fixture
def science(play, ann, retail):
    def science(*plan_and_codes, question=QUESTION, ontology=None, chat=None,
                **words):
        play("retail", script(*plan_and_codes, **words))
        chat = chat or ann.new_chat(ontology or retail, "openai",
                                    agent="scientist")
        it = ann.ask(chat, question)
        check_stream(it.events)
        return it
    return science


def phases(answer):
    return [e["phase"] for e in answer.of("phase_start")]


def final(answer):
    assert answer.complete, answer.last.data
    return answer.metadata["finalOutput"]


# ---- the seed's examples -----------------------------------------------------


def test_simple_analysis_success_on_first_try(science, aimock):
    answer = science(decides(evaluation=True), [MEAN])
    told = final(answer)
    assert phases(answer) == ["plan", "code", "evaluate", "explain"]
    assert told["output_type"] == "analysis" and told["code"] == MEAN
    assert told["evaluation"] == "It is what it is."
    assert told["explanation"] == answer.content
    assert told["failed_attempts"] == [] and told["figures"] == []
    assert told["plan"] == {"needs_code": True, "needs_evaluation": True,
                            "needs_explanation": True, "reasoning": "so it is"}
    step, = answer.metadata["stepResults"]
    mean = json.loads(step["sqlResult"]["data"])[0]["result"]
    assert float(told["result_str"]) == mean > 0
    seen = aimock.prompts(EVALUATE)[0][1]
    assert told["result_str"] in seen and MEAN in seen


def test_visualization_no_evaluation_needed(science):
    answer = science(decides(), [CHART])
    told = final(answer)
    assert phases(answer) == ["plan", "code", "explain"]
    assert told["output_type"] == "visualization" and told["evaluation"] is None
    figure, = told["figures"]
    assert figure["plotly"]["data"][0]["type"] == "histogram"
    assert figure["plotly"]["layout"]["title"]["text"] == "Quantities"


def test_code_retry_fails_twice_succeeds_on_third(science, aimock):
    answer = science(decides(evaluation=True), [BAD[0], BAD[1], MEAN])
    told = final(answer)
    assert phases(answer) == ["plan", "code", "code", "code", "evaluate",
                              "explain"]
    assert [a["attempt"] for a in told["failed_attempts"]] == [1, 2]
    assert [a["code"] for a in told["failed_attempts"]] == BAD[:2]
    assert "SyntaxError" in told["failed_attempts"][0]["error"]
    assert "KeyError" in told["failed_attempts"][1]["error"]
    assert told["code"] == MEAN and told["output_type"] == "analysis"
    asked = [prompt[1] for prompt in aimock.prompts(FIX)]
    assert BAD[0] in asked[0] and "SyntaxError" in asked[0]
    assert BAD[1] in asked[1] and "KeyError" in asked[1]
    kinds = [e["artifact"].get("attempt") for e in answer.of("phase_artifact")
             if e["phase"] == "code"]
    assert kinds == [1, 2, 3]


def test_max_retries_exceeded(science, aimock):
    answer = science(decides(), BAD)
    told = final(answer)
    assert phases(answer) == ["plan", "code", "code", "code", "error"]
    assert told["output_type"] == "error" and len(told["failed_attempts"]) == 3
    assert answer.content.startswith(
        "Code execution failed after 3 attempts. Final error: ValueError")
    assert told["error"].startswith("ValueError")
    assert told["code"] is None and not aimock.prompts(EXPLAIN)
    assert len(answer.of("tool_error")) == 3


def test_conceptual_question_no_code(science, aimock):
    words = "A p-value says how rare a result is by chance: below 0.05 is usual."
    answer = science(decides(code=False, evaluation=True), answer=words,
                     question="What is a p-value?")
    told = final(answer)
    assert phases(answer) == ["plan", "explain"]
    assert answer.content == words and told["output_type"] is None
    assert told["plan"]["needs_evaluation"] is False
    report = answer.metadata["verificationReport"]
    assert report["status"] == "skipped" and report["passed"] is False
    caveats = answer.metadata["explainerOutput"]["caveats"]
    assert any("nothing was checked" in c for c in caveats)


# ---- what its prompts say ------------------------------------------------------


def test_the_prompts_have_the_rules_of_the_seed(science, aimock):
    science(decides(evaluation=True), [BAD[1], MEAN])
    wanted = {
        PLAN: ["EVALUATION can only run if CODE runs", "needs_code",
               "What is correlation?", "Never guess"],
        CODE: ["datasets['name']", "`df`", "NOT needed", "make_subplots", "smf",
               "`fig`", "`result`", "COPY", "BEFORE you split", "plotly_white",
               "Python code ONLY"],
        FIX: ["KeyError", "NameError", "AttributeError", "ValueError",
              "root cause", "CORRECTED Python code ONLY"],
        EVALUATE: ["ONLY what you see", "NEVER make up", "outliers"],
        EXPLAIN: ["plain language", "evaluation", "concise but thorough"]}
    for marker, texts in wanted.items():
        system = aimock.prompts(marker)[0][0]
        for text in texts:
            assert text in system, (marker, text)


def test_the_summary_has_types_rows_ranges_and_samples(science, aimock):
    science(decides(), [MEAN])
    user = aimock.prompts(PLAN)[0][1]
    assert "### datasets['order_items']: " in user and '"line_total" (numeric)' in user
    line = next(l for l in user.splitlines() if l.startswith('- "quantity" ('))
    assert "from " in line and " to " in line and "like " in line


# ---- results -------------------------------------------------------------------


@pytest.mark.parametrize("code, kind, rows", [
    ("result = datasets['order_items'].groupby('quantity').size()", "frame", None),
    ("result = {'mean': 1.5, 'n': 3}", "dictionary", [
        {"name": "mean", "value": 1.5}, {"name": "n", "value": 3}]),
    ("result = {'mean': 1.5, 'good': True}", "dictionary",
     [{"mean": 1.5, "good": True}]),
    ("result = [1, 2, float('nan')]", "frame",
     [{"result": 1}, {"result": 2}, {"result": None}]),
])
def test_a_result_is_a_table(science, code, kind, rows):
    answer = science(decides(), [code])
    assert final(answer)["output_type"] == "analysis"
    found = json.loads(answer.metadata["stepResults"][0]["sqlResult"]["data"])
    assert found == rows if rows else len(found) > 1


def test_a_result_in_words_and_no_result(science):
    told = final(science(decides(), ["result = 'The mean is 5'"]))
    assert told["result_str"] == "The mean is 5"
    told = final(science(decides(), ["x = 1"]))
    assert told["output_type"] is None and told["result_str"] is None
    told = final(science(decides(), ["print('printed')"]))
    assert told["result_str"].strip() == "printed"


def test_a_drawing_is_a_chart(science):
    answer = science(decides(), ["plt.plot([1, 2])\nplt.title('t')"])
    told = final(answer)
    assert told["figures"] == [{"chart": 0}]
    assert told["output_type"] == "visualization"
    assert len(answer.metadata["explainerOutput"]["charts"]) == 1


def test_every_promised_name_is_there(science):
    code = ("result = [n for n in 'pd np plt px go make_subplots sm smf sns "
            "sklearn scipy statsmodels plotly datasets'.split() "
            "if n not in globals()] or 'all'")
    assert final(science(decides(), [code]))["result_str"] == "all"


def test_statistics_run(science):
    code = ("import scipy.stats\nfrom sklearn.linear_model import LinearRegression\n"
            "d = datasets['order_items']\n"
            "m = smf.ols('line_total ~ quantity', data=d.astype("
            "{'line_total': float, 'quantity': float})).fit()\n"
            "result = {'r2': m.rsquared}")
    assert "r2" in final(science(decides(), [code]))["result_str"]


def test_a_table_that_was_cut_is_named(science):
    answer = science(decides(), ["result = len(datasets['order_items'])"])
    told = final(answer)
    assert told["result_str"] == "1000"
    caveats = answer.metadata["explainerOutput"]["caveats"]
    assert any("order_items was cut" in c for c in caveats), caveats


def test_an_explanation_keeps_to_the_result(science):
    answer = science(decides(), [MEAN], answer="The mean is 123,456.78.")
    assert "123,456.78" not in answer.content
    checks = answer.metadata["verificationReport"]["checks"]
    assert {c["name"]: c["passed"] for c in checks} == {
        "code_ran": True, "narrative_grounded": False}


def test_nothing_is_called_verified(science):
    report = science(decides(), [MEAN]).metadata["verificationReport"]
    assert report["status"] == "skipped" and report["passed"] is False
    assert "not checked" in report["diagnosis"]


# ---- hostile figures and results -----------------------------------------------


HOSTILE = {
    "script": "fig = go.Figure(go.Bar(y=[1]), layout={'title': {'text': "
              "'<script>alert(1)</script>'}, 'xaxis': {'title': {'text': "
              "'<a href=\"javascript:x\">y</a>'}}, 'yaxis': {'title': {'text': "
              "'<a href=\"https:x\">y</a>'}}})",
    "images": "fig = go.Figure(go.Bar(y=[1]))\nfig.add_layout_image("
              "source='https://example.org/x.png')",
    "many traces": "fig = go.Figure([go.Scatter(y=[1])] * 10000)",
    "large": "fig = go.Figure(go.Scatter(y=np.random.rand(2000000)))",
    "map": "fig = go.Figure(go.Scattergeo(lon=[1], lat=[2]))",
    "not a figure": "fig = {'a': [object()] * 100}",
    "own files": "open('/tmp/figure_0.json', 'w').write('[' * 100000)\n"
                 "open('/tmp/figure_1.json', 'w').write('{\"data\":[NaN]}')",
    "raises when it is read": "class F:\n def to_plotly_json(self): raise OSError\n"
                              "fig = F()",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_figure_does_no_harm(science, name):
    answer = science(decides(), [HOSTILE[name]])
    told = final(answer)
    text = json.dumps(told["figures"])
    for word in ("<script", "javascript:", "<a ", "https://", "scattergeo"):
        assert word not in text, word
    assert len(text) < 2 << 20
    if name == "script":
        assert "&lt;script>" in text
    elif name != "images":
        assert told["figures"] == []


def test_a_result_of_a_gigabyte_does_no_harm(science):
    answer = science(decides(), [
        "result = pd.DataFrame(np.zeros((100000, 300)))"])
    step, = answer.metadata["stepResults"]
    assert step["sqlResult"]["truncated"]
    assert len(step["sqlResult"]["data"]) < 1 << 20
    answer = science(decides(), ["result = 'x' * (1 << 28)"])
    assert len(final(answer)["result_str"]) <= 20000


def test_a_result_that_the_code_forges_is_not_read(science):
    forged = json.dumps({"kind": "value", "text": "7", "table": {
        "columns": [{"name": "a", "type": "int8"}] * 2, "rows": [[1, {"b": 2}]]}})
    told = final(science(decides(), [
        "import atexit\natexit.register(lambda: open('/tmp/result.json', 'w')"
        f".write({forged!r}))"]))
    assert told["figures"] == []


# ---- values that are not shared --------------------------------------------------


@pytest.fixture(scope="module")
def vaults(service, source, tmp_path_factory):
    from test_share_rows import MARK, PAY, VAULT
    source.load("cellar", f"""create table people (id int primary key, name text,
        team text, pay int);
        insert into people values (1, '{MARK} Ann', '{MARK} A', {PAY}),
        (2, '{MARK} Bob', '{MARK} A', {PAY});""")
    model = tmp_path_factory.mktemp("cellar") / "cellar.yaml"
    model.write_text(VAULT)
    found = {}
    for mode in ("aggregates", "none"):
        service.connect(f"cellar {mode}", source.url("cellar"), "--share-rows",
                        mode)
        found[mode] = service.import_model(model, f"cellar {mode}", "--name",
                                           f"cellar {mode}")
    return found


@pytest.mark.parametrize("mode", ["aggregates", "none"])
def test_no_value_of_a_row_reaches_a_model(science, vaults, aimock, mode):
    from test_share_rows import MARK, PAY
    show = ("d = datasets['people']\nprint(d.to_string())\n"
            "result = d.to_string()\n")
    answer = science(decides(evaluation=True),
                     [show + "raise ValueError(d.to_string())",
                      show + "class Zanzibarski(Exception): pass\n"
                             "raise Zanzibarski(d.name[0])", show],
                     question="Who earns most of the people?",
                     ontology=vaults[mode])
    told = final(answer)
    assert MARK in told["result_str"], "the user sees it"
    sent = json.dumps([entry for entry in aimock.journal()], ensure_ascii=False)
    own = sent.replace("class Zanzibarski", "").replace("raise Zanzibarski", "")
    assert MARK not in own, mode
    if mode == "none":
        assert PAY not in own
    assert len(told["failed_attempts"]) == 2


# ---- uploaded files --------------------------------------------------------------


SALES = "city,amount\n" + "".join(
    f"{'Austin' if n % 3 else 'Waco'},{n}.25\n" for n in range(3000))


@pytest.fixture(scope="module")
def files(service):
    """The ontology of two files; there are more rows than a query may read."""
    edge = uuid.uuid4().hex
    body = b""
    for name, text in (("sales.csv", SALES), ("cities.csv", "city,state\nWaco,TX\n"
                                                           "Austin,TX\n")):
        body += (f'--{edge}\r\nContent-Disposition: form-data; name="file"; '
                 f'filename="{name}"\r\nContent-Type: text/csv\r\n\r\n'
                 f"{text}\r\n").encode()
    body += f"--{edge}--\r\n".encode()
    client = service.client("ann@example.org")
    reply = client.post("/datasets", body, headers={
        "Content-Type": f"multipart/form-data; boundary={edge}"})
    if reply.status == 404:
        pytest.skip("this server takes no files")
    assert reply.status == 201, reply.body
    made = json.loads(reply.body)

    def ready():
        found = service.psql("select status, failure, ontology_id from file_sets"
                             f" where id = '{made['id']}'")[0]
        assert found[0] != "failed", found
        return found[2] if found[0] == "ready" else None
    return wait_until(ready, what="a model of the files", seconds=120)


def test_uploaded_files_are_read_whole(science, files):
    answer = science(decides(), [
        "s = datasets['sales'].merge(datasets['cities'], on='city')\n"
        "result = s.groupby('city').amount.agg(['size', 'sum'])"],
        question="Sales by city?", ontology=files)
    told = final(answer)
    rows = json.loads(answer.metadata["stepResults"][0]["sqlResult"]["data"])
    assert [(r["city"], r["size"]) for r in rows] == [("Austin", 2000),
                                                      ("Waco", 1000)]
    assert told["output_type"] == "analysis"
    caveats = answer.metadata["explainerOutput"]["caveats"]
    assert not any("was cut" in c for c in caveats), caveats


def test_files_are_described_without_a_key(ann, files):
    answer = ann.ask(ann.new_chat(files, "builtin", agent="scientist"),
                     "Describe the sales")
    assert "**sales**: 3000 rows, 2 columns" in answer.content, answer.content
    assert "| amount |" in answer.content


# ---- at POST /chat ---------------------------------------------------------------


def test_chat_answers_with_the_final_output(play, ann, retail):
    play("retail", script(decides(evaluation=True), [BAD[1], MEAN]))
    reply = csv.chat(ann, retail, QUESTION, agent="scientist")
    assert reply.status == 200, reply.body
    it = reply.json
    told = it["final_output"]
    assert it["status"] == "succeeded" and it["result"]["error"] is None
    assert it["assistant_message"].startswith(told["explanation"])
    assert it["details"]["query_mode"] == "python"
    assert it["details"]["python_code"] == told["code"] == MEAN
    assert it["details"]["dataset_id"] == retail
    assert [a["code"] for a in told["failed_attempts"]] == [BAD[1]]
    capsule = ann.get(f"/runs/{it['run_id']}").json
    assert capsule["question"] == QUESTION and capsule["python_code"] == MEAN
    assert capsule["status"] == "succeeded" and capsule["query_mode"] == "python"
    other = csv.chat(ann, retail, QUESTION, agent="csv", thread_id=it["thread_id"])
    assert other.status == 409, other.body  # its agent stays
    unknown = csv.chat(ann, retail, QUESTION, agent="pipeline")
    assert unknown.status == 400 and unknown.fields() == {"agent"}


def test_chat_streams_the_scientist(play, ann, files):
    play("retail", script(decides(), [BAD[0], "result = len(datasets['sales'])"]))
    reply = ann.post("/chat/stream", {"dataset_id": files, "message": "How many?",
                                      "agent": "scientist"})
    events = csv.parse(reply.body)
    kinds = [kind for kind, _ in events]
    assert kinds[-2:] == ["result", "done"], kinds
    assert kinds.count("tool_call") == kinds.count("tool_result") == 2, kinds
    result = events[-2][1]
    assert result["final_output"]["result_str"] == "3000", result
    words = "".join(data["text"] for kind, data in events if kind == "token")
    assert words and result["assistant_message"].startswith(words)
    assert events[-1][1] == {"run_id": result["run_id"]}


# ---- without a model -------------------------------------------------------------


def test_without_a_key_it_describes_the_data(ann, retail):
    chat = ann.new_chat(retail, "builtin", agent="scientist")
    answer = ann.ask(chat, "Describe the order items")
    assert answer.complete and "**order_items**" in answer.content
    assert "| quantity |" in answer.content
    assert phases(answer) == ["explain"]
    refused = ann.ask(chat, "Is the line total of order items normal?")
    assert refused.content.startswith("Without a language model I write no code")


# ---- a worker that is killed -------------------------------------------------------


@pytest.fixture(scope="module")
def fragile(source, wire):
    it = fixtures.open_service(source, **fixtures.model_settings(wire.url))
    yield it
    it.remove()


def test_a_worker_killed_in_attempt_2_goes_on_with_attempt_3(fragile, play, aimock):
    """Attempt 2 is on record: it counts, and its code does not run again."""
    client = fragile.client(f"{uuid.uuid4().hex[:12]}@example.org")
    waits = "import time\ntime.sleep(20)"
    play("retail", script(decides(), [BAD[0], waits, MEAN]))
    chat = client.new_chat(fragile.ontologies["retail"], "openai",
                           agent="scientist")
    stream, message = client.start(chat, QUESTION)
    stream.wait_for(lambda e: e.type == "tool_start" and
                    e.data["args"]["code"] == waits)
    os.kill(fragile.worker(), signal.SIGKILL)
    stream.leave()
    fragile.wait_healthy()

    told = client.settled(chat, message)
    assert told["status"] == "complete", told
    final_output = told["metadata"]["finalOutput"]
    assert final_output["code"] == MEAN
    assert [a["code"] for a in final_output["failed_attempts"]] == [BAD[0], waits]
    assert "interrupted" in final_output["failed_attempts"][1]["error"]
    assert len(aimock.prompts(CODE)) == 1 and len(aimock.prompts(FIX)) == 2
