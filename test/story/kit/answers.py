"""Asks a gold question and checks the answer, in the same way for every protocol."""
import json

from kit import gold
from kit.client import check_stream

PHASES = ["planner", "navigator", "sql_builder", "executor", "verifier",
          "explainer"]
ROWS_MOST, ROWS_KEPT = 1000, 100


def ask(client, ontology, provider, question, questions):
    """Asks a question, in a chat where its predecessor was asked first."""
    chat = client.new_chat(ontology, provider)
    if question.follow_up_of:
        first = client.ask(chat, questions[question.follow_up_of].text)
        assert first.complete, first.last
    return client.ask(chat, question.text)


def ask_and_judge(client, ontology, provider, questions, name):
    question = questions[name]
    answer = ask(client, ontology, provider, question, questions)
    if question.refusal:
        judge_refusal(answer)
        told = answer.metadata["cannotAnswer"]
        assert told["missingDatasets"] == ["no_such_dataset"]
        assert set(told["availableDatasets"]) >= {
            table for q in questions.values() for table in q.tables}
        assert not any(c.isdigit() for c in answer.content)
    else:
        judge(answer, question)
        if question.rows:
            assert question.rows[0][0] is None or \
                question.rows[0][0] in answer.content


def judge(answer, question, ordered=None):
    """Asserts everything that must hold for a question that the data can answer."""
    check_stream(answer.events)
    assert answer.complete, answer.last.data
    told = answer.metadata
    sql_result = first_sql(told)
    count = min(len(question.rows), ROWS_MOST)
    assert sql_result["rowCount"] == count
    assert sql_result["truncated"] == (len(question.rows) > ROWS_MOST)
    found = gold.rows_of(sql_result)
    most = ROWS_KEPT if count > ROWS_KEPT else None
    assert gold.same_rows(found, question.rows,
                          question.ordered if ordered is None else ordered, most), \
        f"{found[:3]} … is not {question.rows[:3]} …"
    judge_lineage(told, question)
    judge_report(told["verificationReport"], answer)
    assert [p["phase"] for p in answer.of("phase_complete")] == PHASES
    assert answer.content.strip()
    assert answer.of("text")[-1]["content"] == answer.content
    assert answer.content == "".join(
        e["chunk"] for e in answer.of("message_chunk")).strip()
    if question.chart:
        assert charts(told), "no chart was made"


def first_sql(told):
    results = [r["sqlResult"] for r in told["stepResults"] if r["sqlResult"]]
    assert results, json.dumps(told["stepResults"])[:2000]
    return results[0]


def judge_lineage(told, question):
    lineage = told["dataLineage"]
    assert set(lineage["datasets"]) >= set(question.tables), lineage
    assert lineage["rowCount"] == sum(
        r["sqlResult"]["rowCount"] for r in told["stepResults"] if r["sqlResult"])
    assert lineage["truncated"] == (len(question.rows) > ROWS_MOST)
    joined = {name for join in lineage["joins"] for name in (join["from"],
                                                             join["to"])}
    if len(set(question.tables)) > 1:
        assert joined >= set(question.tables)
        assert all("=" in join["on"] for join in lineage["joins"])


def judge_report(report, answer):
    caveats = answer.metadata["explainerOutput"]["caveats"]
    assert report["status"] == "passed" and report["passed"], report
    assert report["checks"] and all(
        check["passed"] or check["severity"] == "warn"
        for check in report["checks"])
    assert not any("erif" in caveat for caveat in caveats), caveats


def charts(told):
    return told["explainerOutput"]["charts"]


def judge_refusal(answer):
    """Asserts a complete answer that refuses, without any query."""
    check_stream(answer.events)
    assert answer.complete, answer.last.data
    assert answer.content.strip()
    assert answer.metadata.get("stepResults") in (None, [])
    assert not answer.of("tool_error")
    assert "query_database" not in {c["name"] for c in answer.of("tool_start")}
