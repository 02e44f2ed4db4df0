"""`shareRows` of a connection: the data that a model may see. Values carry a marker, and
the story searches for it in everything that models received."""
import json
import re

import pytest

from kit import players
from kit.client import check_stream

MARK = "Zanzibarski"  # in each text of the data
PAY, TOTAL = "918273", "1836546"  # of one row; of both
QUESTION = "Who earns most?"
VAULT = """version: "0.2.0.dev0"
semantic_model:
  - name: vault
    description: Secrets of a firm.
    datasets:
      - name: people
        source: public.people
        primary_key: [id]
        description: People and what they earn, one row each.
        fields:
          - {name: id, expression: id, datatype: Integer}
          - {name: name, expression: name, datatype: String}
          - {name: team, expression: team, datatype: String}
          - {name: pay, expression: pay, datatype: Integer}
"""
ROWS = "SELECT name, pay FROM people ORDER BY pay"
GROUPS = "SELECT count(*) AS people, sum(pay) AS total FROM people"
GREATEST = "SELECT max(name) AS greatest FROM people"
BROKEN = "SELECT name::integer AS number FROM people"
STEPS = [players.step(1, ["people"]), players.step(2, ["people"], "sql_then_python"),
         players.step(3, ["people"]), players.step(4, ["people"])]
SPECS = [(1, ROWS, ["name", "pay"]), (2, GROUPS, ["people", "total"]),
         (3, BROKEN, ["number"]), (4, GREATEST, ["greatest"])]
TALKS = players.python("""
print(current_data.to_string())
print(step_1_data.to_string() if "step_1_data" in globals() else "")""")
# Fails once, with rows in every field of its message.
CHECKS = players.python("""import json
seen = " ".join(str(v) for v in globals().values() if hasattr(v, "to_string")
                for v in [v.to_string()])
print(json.dumps({"checks": [{"name": seen[:250], "passed": %s,
 "severity": "fail", "message": seen[:1900]}], "diagnosis": seen[:3900],
 "recommendedTarget": "navigator"}))""")


@pytest.fixture(scope="module")
def vaults(service, source, tmp_path_factory):
    """Its ontology by mode."""
    source.load("vault", f"""create table people (id int primary key, name text,
        team text, pay int);
        insert into people values (1, '{MARK} Ann', '{MARK} A', {PAY}),
        (2, '{MARK} Bob', '{MARK} A', {PAY});""")
    model = tmp_path_factory.mktemp("vault") / "vault.yaml"
    model.write_text(VAULT)
    found = {}
    for mode in ("all", "aggregates", "none"):
        service.connect(f"vault {mode}", source.url("vault"), "--share-rows", mode)
        found[mode] = service.import_model(model, f"vault {mode}", "--name",
                                           f"vault {mode}")
    return found


@pytest.fixture
def sent(vaults, play, aimock, ann):
    """Asks twice in one chat over a vault: (the answer, everything that models received for
    it, everything for the second question)."""
    def ask(chat, question, steps, specs):
        checks = [players.says(players.VERIFIER, question, CHECKS % "False",
                               sequenceIndex=0),
                  players.says(players.VERIFIER, question, CHECKS % "True")]
        play("retail", [
            *players.structured(players.PLANNER, question, "generate_plan",
                                players.plan(question, steps)),
            *players.explores(question, ["people"]),
            *players.structured(players.SQL_BUILDER, question,
                                "generate_queries", players.queries(*specs)),
            players.says(players.EXECUTOR, None, f"```sql\n{BROKEN}\n```"),
            players.says(players.PYTHON, None, TALKS), *checks,
            players.says(players.EXPLAINER, question, f"{MARK} Bob earns it.")])
        aimock.forget()
        answer = ann.ask(chat, question)
        check_stream(answer.events)
        assert answer.complete, answer.last
        return answer, json.dumps([e["body"] for e in aimock.journal()],
                                  ensure_ascii=False)

    def sent(mode, steps=STEPS, specs=SPECS):
        chat = ann.new_chat(vaults[mode], "openai")
        answer, first = ask(chat, QUESTION, steps, specs)
        _, second = ask(chat, "And who else?", steps[:1], specs[:1])
        return answer, first, second
    return sent


def results(answer):
    return json.dumps(answer.metadata["stepResults"])


def test_all_shows_rows(sent):
    """Proves that the search of this story finds markers."""
    answer, first, second = sent("all")
    for text in (MARK, PAY, TOTAL, "Sample rows", "invalid input syntax"):
        assert text in first, text
    assert MARK in second and answer.metadata["revisionsUsed"] == 1


def test_none_shows_no_value(sent, ann):
    answer, first, second = sent("none")
    for value in (MARK, PAY, TOTAL):
        assert value not in first + second, value
    for text in ("Rows: 2", "name text, pay int4", "are not shown to you",
                 "The query failed. The message"):
        assert text in first, text
    assert re.search(r"\d+ of \d+ checks failed", first)
    assert answer.metadata["revisionsUsed"] == 1
    assert MARK in results(answer) and TOTAL in results(answer)  # for the user
    traces = ann.get(f"/api/data-agent/chats/{answer.chat_id}/messages/"
                     f"{answer.message_id}/traces").data
    prompts = json.dumps([t["promptMessages"] for t in traces])
    assert "are not shown to you" in prompts and MARK not in prompts
    assert not [e for e in answer.of("tool_start")
                if e["name"] == "get_sample_data"]


@pytest.mark.parametrize("mode", ["none", "aggregates"])
def test_values_that_were_looked_up_are_for_the_user_alone(sent, mode):
    wrong = f"SELECT sum(pay) AS total FROM people WHERE name = '{MARK.lower()} ann'"
    answer, first, second = sent(mode, STEPS[:1], [(1, wrong, ["total"])])
    assert f"“{MARK} Ann”" in answer.content and f"{MARK} Ann" in results(answer)
    assert MARK not in first + second
    assert "sql_repair" not in first


def test_values_next_to_an_empty_group_are_not_shown_either(sent):
    wrong = f"SELECT sum(pay) AS total FROM people WHERE name = '{MARK.lower()} ann'"
    steps = [players.step(1, ["people"]), players.step(2, ["people"])]
    answer, first, _ = sent("aggregates", steps, [(1, GROUPS, ["people", "total"]),
                                                  (2, wrong, ["total"])])
    assert f"{MARK} Ann" in results(answer)
    assert f"“{MARK}" not in first


def test_aggregates_shows_results_of_groups_alone(sent):
    answer, first, second = sent("aggregates")
    assert TOTAL in first and MARK not in first + second
    assert f'\\\\"pay\\\\":{PAY}' not in first and PAY not in second
    shown = [r["sqlResult"]["aggregated"] for r in answer.metadata["stepResults"]
             if r["sqlResult"]]
    assert shown == [False, True, False]


def test_aggregates_shows_what_was_made_of_groups_alone(sent):
    """Python and its checks saw nothing else, so their output is sent in full."""
    _, first, second = sent("aggregates", STEPS[1:2], SPECS[1:2])
    assert "Python printed" in first and TOTAL in first
    assert "checks failed" not in first
    assert MARK not in first


def test_a_message_about_the_text_of_a_query_helps_to_mend_it(sent):
    broken = [(1, "SELECT name + 1 AS more FROM people", ["more"])]
    _, first, _ = sent("none", STEPS[:1], broken)
    assert "operator does not exist: text + integer" in first


def test_a_message_about_names_of_the_model_helps_to_mend_it(sent):
    invented = [(1, "SELECT salary FROM people", ["salary"])]
    _, first, _ = sent("none", STEPS[:1], invented)
    assert "There is no column salary in people" in first


def test_a_mode_that_is_none_is_refused(service, source):
    done = service.run("connection", "add", "x", source.url("retail"),
                       "--share-rows", "some", check=False)
    assert done.returncode == 2 and "all, aggregates or none" in done.stderr


def test_the_list_of_connections_tells_the_mode(service, vaults):
    lines = service.run("connection", "list").stdout.splitlines()
    for mode in vaults:
        line = next(line for line in lines if line.startswith(f"vault {mode} "))
        assert line.split()[-2] == mode
