"""An empty result is no answer yet: its values are looked up, corrected once, and otherwise
the answer names those that there are. A cut result makes no total."""
import json

import pytest

from kit import players
from kit.client import check_stream

QUESTION = "How much does the town sell?"
SALES = ["order_items", "orders", "stores"]
CHECKS = players.python("""import json
print(json.dumps({"checks": [{"name": "rows", "passed": True,
 "severity": "fail", "message": "fine"}], "diagnosis": "",
 "recommendedTarget": None}))""")


def sells(condition, what="SUM(i.line_total) AS revenue"):
    return f"""SELECT {what} FROM order_items i
JOIN orders o ON o.order_id = i.order_id JOIN stores s ON s.store_id = o.store_id
WHERE {condition}"""


def repairs(sql):
    return players.says(players.EXECUTOR, None, f"```sql\n{sql}\n```")


@pytest.fixture
def tell(play, ann, retail):
    """The pipeline's usual fixtures around one query, or those given first."""
    def tell(sql, *own, steps=None, columns=("revenue",), ontology=None):
        play("retail", [
            *own,
            *players.structured(players.PLANNER, QUESTION, "generate_plan",
                                players.plan(QUESTION, steps or [players.step(1, SALES)])),
            *players.explores(QUESTION, SALES),
            *players.structured(players.SQL_BUILDER, QUESTION, "generate_queries",
                                players.queries((1, sql, columns))),
            players.says(players.VERIFIER, QUESTION, CHECKS),
            players.says(players.EXPLAINER, QUESTION, "The model's own words.")])
        answer = ann.ask(ann.new_chat(ontology or retail, "openai"), QUESTION)
        check_stream(answer.events)
        return answer
    return tell


def checks(answer):
    return {c["name"]: c for c in answer.metadata["verificationReport"]["checks"]}


def purposes(answer):
    return [c["purpose"] for c in answer.of("llm_call_end")]


def caveats(answer):
    return answer.metadata["explainerOutput"]["caveats"]


# ---- values -------------------------------------------------------------------


def test_a_value_in_the_wrong_case_is_corrected(tell, aimock):
    answer = tell(sells("s.city = 'hOUSTON'"), repairs(sells("s.city = 'Houston'")))
    result = answer.metadata["stepResults"][0]["sqlResult"]
    assert "'Houston'" in result["sql"] and result["noRows"] is None
    assert float(json.loads(result["data"])[0]["revenue"]) > 0
    assert "The model's own words" in answer.content
    assert purposes(answer).count("sql_repair_step_1") == 1
    prompt = aimock.prompts(players.EXECUTOR)[0][1]
    assert "No value of stores.city is “hOUSTON”; the nearest is “Houston”" in prompt
    assert any("found nothing" in c and "“Houston”" in c and "corrected" in c
               for c in caveats(answer))


def test_a_value_that_there_is_not_gives_no_rows_and_the_nearest(tell):
    same = sells("s.city = 'Housten'")
    answer = tell(same, repairs(same))
    assert "There is no figure to tell" in answer.content
    assert "“Houston”" in answer.content and "own words" not in answer.content
    assert "The model's own words" not in "".join(
        e.get("content", "") for e in answer.of("message_chunk"))
    result = answer.metadata["stepResults"][0]["sqlResult"]
    assert "“Housten”" in result["noRows"]
    assert not checks(answer)["values_exist"]["passed"]
    assert any("“Housten”" in c for c in caveats(answer))


@pytest.mark.parametrize("what", ["COUNT(*) AS n", "SUM(i.line_total) AS revenue, "
                                  "COUNT(DISTINCT o.order_id) AS n"])
def test_nothing_counted_is_looked_up_too(tell, what):
    answer = tell(sells("lower(s.city) = 'housten'", what),
                  repairs(sells("lower(s.city) = 'houston'", what)))
    assert "'houston'" in answer.metadata["stepResults"][0]["sqlResult"]["sql"]


def test_a_repair_that_cannot_run_leaves_the_empty_result(tell):
    answer = tell(sells("s.city = 'Housten'"), repairs("SELECT no_such FROM stores"))
    result = answer.metadata["stepResults"][0]
    assert not result["error"] and "“Housten”" in result["sqlResult"]["noRows"]
    assert "There is no figure to tell" in answer.content


def test_values_that_there_are_need_no_repair(tell):
    answer = tell(sells("s.city = 'Houston' AND o.order_date < '1900-01-01'"))
    assert answer.metadata["stepResults"][0]["sqlResult"]["noRows"] == ""
    assert "sql_repair_step_1" not in purposes(answer)
    assert "The model's own words" in answer.content
    assert checks(answer)["values_exist"]["passed"]


def test_a_result_with_rows_looks_nothing_up(tell):
    answer = tell(sells("s.city = 'Houston' OR s.city = 'nowhere'"))
    result = answer.metadata["stepResults"][0]["sqlResult"]
    assert result["noRows"] is None and "values_exist" not in checks(answer)


# ---- ReAct --------------------------------------------------------------------


@pytest.fixture
def react(play, ann, retail):
    def react(*sqls, answer="The model's own words."):
        play("retail", [players.acts(QUESTION, ("query_database", {"sql": sql}), turn=turn)
                        for turn, sql in enumerate(sqls)] +
             [players.reacts(QUESTION, answer)])
        it = ann.ask(ann.new_chat(retail, "openai", agent="react"), QUESTION)
        check_stream(it.events)
        return it
    return react


def public(sql):
    return sql.replace("order_items i", "public.order_items i").replace(
        "JOIN orders", "JOIN public.orders").replace("JOIN stores", "JOIN public.stores")


def test_react_reads_which_values_there_are(react, aimock):
    answer = react(public(sells("s.city = 'hOUSTON'")), public(sells("s.city = 'Houston'")))
    assert "own words" in answer.content
    said = json.dumps(aimock.prompts(players.REACT)[1][2], ensure_ascii=False)
    assert "The query found nothing. No value of stores.city is “hOUSTON”; the nearest is " \
           "“Houston”." in said


def test_react_that_gives_up_says_which_values_there_are(react):
    answer = react(public(sells("s.city = 'Housten'")))
    assert "There is no figure to tell" in answer.content
    assert "“Houston”" in answer.content and "own words" not in answer.content


# ---- cut results ----------------------------------------------------------------

ITEMS = "SELECT order_item_id, line_total FROM order_items ORDER BY order_item_id"
SUMS = players.says(players.PYTHON, None, players.python(
    "import pandas as pd\nprint(pd.to_numeric(current_data['line_total']).sum())"))


def test_a_total_of_cut_rows_fails_the_check(tell):
    answer = tell(ITEMS, SUMS, columns=("order_item_id", "line_total"),
                  steps=[players.step(1, ["order_items"], "sql_then_python")])
    assert answer.metadata["stepResults"][0]["sqlResult"]["truncated"]
    check = checks(answer)["cut_rows_not_summed"]
    assert not check["passed"] and check["severity"] == "fail"
    assert "computed in SQL" in check["message"]
    assert answer.metadata["verificationReport"]["status"] == "failed"
    assert any("cut_rows_not_summed" in c or "computed in SQL" in c for c in caveats(answer))


def test_a_total_in_sql_is_fine(tell):
    answer = tell("SELECT SUM(line_total) AS revenue FROM order_items",
                  players.says(players.PYTHON, None, players.python(
                      "print(current_data['revenue'][0])")),
                  steps=[players.step(1, ["order_items"], "sql_then_python")])
    assert "cut_rows_not_summed" not in checks(answer)
    assert answer.metadata["verificationReport"]["status"] == "passed"


# ---- only NULL ------------------------------------------------------------------


def test_a_total_that_is_null_is_not_verified(tell):
    """The values of the query exist, but no row has all of them."""
    answer = tell(sells("s.city = 'Houston' AND o.order_date < '1900-01-01'"))
    report = answer.metadata["verificationReport"]
    assert (report["status"], report["passed"]) == ("skipped", False)
    assert "nothing but NULL" in report["diagnosis"]


def test_an_analyst_that_finds_null_does_not_say_verified(ann, retail):
    for agent in ("pipeline", "react"):
        answer = ann.ask(ann.new_chat(retail, "builtin", agent=agent),
                         "revenue in Houston in 1901")
        result = answer.metadata["stepResults"][0]["sqlResult"]
        assert set(json.loads(result["data"])[0].values()) == {None}, result["data"]
        assert answer.metadata["verificationReport"]["status"] != "passed", [
            s["sqlResult"] for s in answer.metadata["stepResults"]]
        assert "Verified" not in answer.content


# ---- totals of cut results -------------------------------------------------------


def item_totals(source):
    [[rows, total]] = source.psql("retail", "select count(*), sum(line_total) from order_items")
    return [{"name": "*", "sum": rows}, {"name": "line_total", "sum": total}]


def test_totals_of_a_cut_result_are_computed_in_sql(tell, source, aimock):
    answer = tell(ITEMS + ";", columns=("order_item_id", "line_total"))
    result = answer.metadata["stepResults"][0]["sqlResult"]
    assert result["truncated"] and result["totals"] == item_totals(source)
    total = result["totals"][1]["sum"]
    assert f"line_total adds up to {total}" in aimock.prompts(players.EXPLAINER)[0][1]


def test_an_answer_may_state_the_totals_of_a_cut_result(play, ann, retail, source):
    total = item_totals(source)[1]["sum"]
    play("retail", [players.acts(QUESTION, ("query_database", {
        "sql": ITEMS.replace("order_items", "public.order_items")})),
        players.reacts(QUESTION, f"All items together sold for {total}.", turn=1)])
    answer = ann.ask(ann.new_chat(retail, "openai", agent="react"), QUESTION)
    assert answer.metadata["stepResults"][0]["sqlResult"]["totals"] == item_totals(source)
    assert total in answer.content, answer.content


def test_python_may_print_the_totals_of_a_cut_result(tell, source):
    total = item_totals(source)[1]["sum"]
    answer = tell(ITEMS, players.says(players.PYTHON, None, players.python(
        f"print('total', {total!r}, len(current_data) > 0)")),
        columns=("order_item_id", "line_total"),
        steps=[players.step(1, ["order_items"], "sql_then_python")])
    check = checks(answer)["cut_rows_not_summed"]
    assert check["passed"] or check["severity"] == "warn", check
