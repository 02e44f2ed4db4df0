"""`sextant eval` with golden queries over an uploaded dataset: questions, SQL, QueryPlans and
Python, judged by what the set says of their results."""
import json

import pytest

from test_csv import needs_duckdb

pytestmark = needs_duckdb

CSV = "city,amount\nRome,1.5\nOslo,2\nRome,3\n"
GOOD = [
    {"id": "words", "question": "how many rows per city", "columns": ["city"],
     "row_count": 2},
    {"id": "sql", "sql": "select city, count(*) as n from orders group by city",
     "columns": ["city", "n"], "rows": [["Rome", 2], ["Oslo", 1]]},
    {"id": "plan", "plan": {"table": "orders", "select": [
        {"function": "sum", "column": "amount", "alias": "total"}]},
     "columns": ["total"], "value": 6.49, "tolerance": 0.02},
    {"id": "python", "python_code": "result_df = orders.groupby('city').amount.max()"
     ".reset_index()", "rows": [{"city": "Oslo", "amount": 2}, {"city": "Rome",
                                                               "amount": 3}]},
    {"id": "message", "message": "SQL: select 1 as one", "value": 1},
    {"id": "refused", "sql": "drop table orders", "status": "rejected"},
]
BAD = [
    {"id": "column", "sql": "select city from orders", "columns": ["town"]},
    {"id": "rows", "sql": "select city from orders", "rows": [["Rome"]]},
    {"id": "none", "sql": "select city from orders where city = 'Bern'"},
    {"id": "value", "sql": "select sum(amount) as total from orders", "value": 7},
    {"id": "error", "sql": "select town from orders"},
]


@pytest.fixture(scope="module")
def golden(service, tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden")
    (folder / "orders.csv").write_text(CSV)
    service.run("import", "--file", folder / "orders.csv", "--name", "Golden sales")

    def golden(queries, *options, **members):
        path, report = folder / "set.yaml", folder / "report.json"
        path.write_text(json.dumps({"name": "golden", "dataset": "Golden sales",
                                    "questions": queries, **members}))
        done = service.run("eval", path, "--provider", "builtin", "--report", report,
                           *options, check=False)
        told = json.loads(report.read_text()) if report.exists() else None
        return done, told
    return golden


def test_golden_queries_that_hold(golden):
    done, told = golden(GOOD, "--threshold", "100")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {q["id"]: q["why"] for q in told["questions"] if not q["right"]} == {}
    assert told["totals"]["right"] == len(GOOD)
    assert "group by" in told["questions"][1]["sql"]


def test_golden_queries_that_do_not_hold_say_why(golden):
    done, told = golden(BAD, "--threshold", "1")
    assert done.returncode == 1
    why = {q["id"]: q["why"] for q in told["questions"]}
    assert not any(q["right"] for q in told["questions"])
    assert 'no column "town"' in why["column"]
    assert why["rows"] == "there are 3 rows, not 1"
    assert why["none"] == "there are 0 rows; 1 are the fewest"
    assert why["value"] == "no cell is 7"
    assert why["error"].startswith("the status is failed, not succeeded")


def test_a_set_that_is_wrong_is_refused(golden):
    done, _ = golden([{"question": "x", "colums": ["a"]}])
    assert done.returncode == 2 and "a golden query has no colums" in done.stderr
    done, _ = golden(GOOD, agent="react")
    assert done.returncode == 2 and "agent must be csv or scientist" in done.stderr
