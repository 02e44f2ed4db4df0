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


def test_a_top_tells_how_many_equal_its_last(ann, retail, source):
    # The shortest list whose last one is not the only one of its number.
    [[length, ties]] = source.psql("retail", """
        with n as (select count(*) as orders from orders group by customer_id),
             r as (select orders, row_number() over (order by orders desc) as place,
                          lead(orders) over (order by orders desc) as next from n)
        select place, (select count(*) from n where n.orders >= r.orders) - place
        from r where orders = next and place > 1 order by place limit 1""")
    best = ann.ask(ann.new_chat(retail, "builtin"),
                   f"top {length} customers by number of orders")
    assert f"Not shown: {int(ties):,} more with" in best.content
    assert best.metadata["stepResults"][0]["sqlResult"]["rowCount"] == int(length)
    most = ann.ask(ann.new_chat(retail, "builtin"), "top 3 products by units sold")
    assert most.complete and "Not shown" not in most.content


@pytest.mark.parametrize("agent", ["pipeline", "react"])
def test_what_is_said_of_all_rows_is_of_all_rows(ann, retail, source, agent):
    # More rows than an answer keeps.
    [[first, last, n]] = source.psql("retail", """
        select min(order_date), max(order_date), count(distinct order_date)
        from orders where order_date < '2025-07-01' and order_date >= '2025-01-01'""")
    days = ann.ask(ann.new_chat(retail, "builtin", agent=agent),
                   "number of orders by day in the first half of 2025")
    assert int(n) > 100 and f"in {first} to " in days.content, days.content
    assert f"in {last} (" in days.content


def test_those_with_none_have_the_fewest(ann, retail, source):
    [[none]] = source.psql("retail", """
        select count(*) from customers c
        where not exists (select 1 from orders o where o.customer_id = c.customer_id)""")
    fewest = ann.ask(ann.new_chat(retail, "builtin"),
                     "which 3 customers have the fewest orders")
    assert int(none) > 0 and f"others without any: {none}." in fewest.content
    assert "|" not in fewest.content
    all_have = ann.ask(ann.new_chat(retail, "builtin"), "which store has the fewest orders")
    assert all_have.complete and "others without any" not in all_have.content
    assert "Does every store count? No," in all_have.content


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
