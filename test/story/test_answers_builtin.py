"""The gold questions that need no model, answered by the built-in analyst."""
import pathlib
import re

import pytest

from kit import answers, gold


def by_itself(entry):
    return entry.get("builtin", False)


def beyond_it(entry):
    return "refusal" in entry


@pytest.mark.parametrize("name", gold.ids("retail", by_itself))
def test_a_question_about_the_demo_needs_no_model(name, questions, ann, retail):
    judge(ann, retail, questions["retail"], name)


@pytest.mark.parametrize("name", gold.ids("chinook", by_itself))
def test_a_question_about_chinook_needs_no_model(name, chinook_ontology,
                                                 questions, ann):
    judge(ann, chinook_ontology, questions["chinook"], name)


@pytest.mark.parametrize("agent", ["pipeline", "react"])
def test_what_the_page_offers_without_suggestions_is_answered(ann, retail, agent):
    page = pathlib.Path(__file__).parents[2] / "web/src/components/chat/WelcomeScreen.tsx"
    offered = re.findall(r"prompt: '([^']+)'", page.read_text())
    assert offered
    for question in offered:
        answer = ann.ask(ann.new_chat(retail, "builtin", agent=agent), question)
        assert answer.complete and "cannot answer" not in answer.content, answer.content


def test_a_top_tells_how_many_equal_its_last_and_who_does_not_count(ann, retail,
                                                                    source):
    [[ties]] = source.psql("retail", """
        with n as (select customer_id, count(*) from orders group by 1)
        select count(*) - 3 from n where count = (select min(count) from n)""")
    fewest = ann.ask(ann.new_chat(retail, "builtin"),
                     "which 3 customers have the fewest orders")
    assert int(ties) > 0 and f"Not shown: {int(ties):,} more with" in fewest.content
    assert "Does every customer count? No," in fewest.content
    assert fewest.metadata["stepResults"][0]["sqlResult"]["rowCount"] == 3
    most = ann.ask(ann.new_chat(retail, "builtin"), "top 3 products by units sold")
    assert most.complete and "Not shown" not in most.content


@pytest.mark.parametrize("name", gold.ids("retail", beyond_it))
def test_what_it_cannot_answer_it_says_without_a_number(name, questions, ann,
                                                        retail):
    question = questions["retail"][name]
    answer = answers.ask(ann, retail, "builtin", question, questions["retail"])
    answers.judge_refusal(answer)
    # The example questions are a list.
    said = "".join(line for line in answer.content.splitlines()
                   if not line.startswith("- "))
    asked = set(re.findall(r"\d[\d.,]*", question.text))
    assert set(re.findall(r"\d[\d.,]*", said)) <= asked, answer.content


def judge(client, ontology, questions, name):
    question = questions[name]
    answer = answers.ask(client, ontology, "builtin", question, questions)
    answers.judge(answer, question)
    assert answer.metadata["tokensUsed"]["total"] == 0
    if question.rows and len(question.rows) <= 12:
        quotes_the_rows(answer.content, question.rows)


def quotes_the_rows(content, rows):
    """Every group is named, as in the data."""
    for row in rows:
        if row[0] is not None and not re.match(r"\d{4}-", row[0]):
            assert row[0] in content, (row[0], content)
