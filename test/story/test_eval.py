"""`sextant eval` with sets of questions over the demo data."""
import json

import pytest

CITIES = """
    select s.city, sum(i.line_total) from order_items i
    join orders o using (order_id) join stores s using (store_id)
    where o.order_date >= '2025-01-01' and o.order_date < '2026-01-01'
    group by s.city"""
RIGHT = [
    {"id": "cities", "question": "revenue by city in 2025",
     "category": "group", "sql": CITIES},
    {"id": "top", "question": "top 3 cities by revenue in 2025",
     "category": "top", "ordered": True,
     "sql": CITIES + " order by 2 desc limit 3"},
    {"id": "weather", "question": "what is the weather in Houston",
     "category": "other", "expect": "refuse"},
    {"id": "hello", "question": "hello", "category": "other",
     "expect": "conversational"},
]
EXACT = [
    {"id": "long", "question": "every store's every day", "sql":
     "select order_date, store_id, count(*), min(coupon_code) from orders "
     "group by 1, 2"},
    {"id": "types", "question": "all kinds of values", "sql":
     "select 12345678901234567890.123::numeric, 9007199254740993::int8, "
     "0.1::float8, null::text, true, date '2024-02-29', "
     "timestamptz '2024-02-29 12:00+00', 'it''s \"so\"', interval '1 day', "
     "'NaN'::float8"},
    {"id": "none", "question": "nothing at all", "sql":
     "select city from stores where city = 'Atlantis'"},
    {"id": "ordered", "question": "the first products", "ordered": True,
     "sql": "select product_name, unit_price from products "
            "order by unit_price desc, product_name"},
    {"id": "clarify", "question": "which ones", "expect": "clarify"},
    {"id": "refuse", "question": "margins of the moon", "expect": "refuse"},
]


@pytest.fixture(scope="module")
def judge(service, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")

    def judge(questions, *options, text=None, name="set.yaml"):
        path, report = folder / name, folder / "report.json"
        path.write_text(text or json.dumps(
            {"name": "story", "ontology": "retail", "questions": questions}))
        report.unlink(missing_ok=True)
        done = service.run("eval", path, "--report", report, *options,
                           check=False)
        told = json.loads(report.read_text()) if report.exists() else None
        return done, told
    return judge


def verdicts(told):
    return {q["id"]: q["right"] for q in told["questions"]}


def test_answers_that_are_right_are_found_right(judge):
    done, told = judge(RIGHT, "--provider", "builtin", "--threshold", "100")
    assert done.returncode == 0, done.stderr
    assert all(verdicts(told).values())
    assert told["totals"]["answeredRight"] == 2
    assert told["totals"]["refusalsRight"] == 1
    assert [c["category"] for c in told["categories"]] == ["group", "top",
                                                           "other"]
    assert "100.0 %" in done.stdout


def test_answers_that_are_wrong_are_found_wrong(judge):
    wrong = [
        {**RIGHT[0], "sql": CITIES.replace("2026", "2027").replace(
            "2025", "2024")},
        {**RIGHT[1], "sql": CITIES + " order by 2 limit 3"},
        {**RIGHT[2], "expect": "clarify"},
        {"id": "two", "question": "revenue by store in 2025", "sql": CITIES,
         "also": ["select 1"]},
    ]
    done, told = judge(wrong, "--provider", "builtin", "--threshold", "1")
    assert done.returncode == 1
    assert not any(verdicts(told).values())
    assert told["totals"]["answeredWrong"] == 3
    assert "different result" in told["questions"][0]["why"]


def test_any_of_several_results_is_right(judge):
    both = [{**RIGHT[0], "sql": "select 1", "also": [CITIES]}]
    done, told = judge(both, "--provider", "builtin", "--threshold", "100")
    assert done.returncode == 0, done.stderr
    assert told["questions"][0]["why"].endswith("gold query 2")


def test_gold_goes_through_the_machine_unchanged(judge):
    done, told = judge(RIGHT + EXACT, "--gold")
    assert done.returncode == 0, told
    assert told["totals"]["right"] == len(RIGHT + EXACT)


def test_gold_that_the_guard_refuses_is_no_success(judge):
    done, told = judge([
        {"id": "sleep", "question": "sleep", "sql": "select pg_sleep(1)"},
        {"id": "none", "question": "none", "sql": "select nothing from stores"},
    ], "--gold")
    assert done.returncode == 1
    assert not any(verdicts(told).values())


def test_one_question_alone_can_be_asked(judge):
    done, told = judge(RIGHT, "--gold", "--only", "top")
    assert done.returncode == 0 and list(verdicts(told)) == ["top"]
    done, told = judge(RIGHT, "--gold", "--only", "other")
    assert list(verdicts(told)) == ["weather", "hello"]
    assert judge(RIGHT, "--gold", "--only", "x")[0].returncode == 2


def test_a_page_shows_both_queries_and_no_markup_of_theirs(judge, tmp_path):
    page = tmp_path / "page.html"
    odd = [{"id": "odd", "question": "what <b>is</b> it", "sql":
            "select '<script>alert(1)</script>' as it"}]
    judge(odd, "--gold", "--report", page)
    text = page.read_text()
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 2
    assert "<script" not in text and "<b>" not in text
    assert "what &lt;b&gt;is&lt;/b&gt; it" in text


def test_a_page_shows_both_results_of_a_wrong_answer(judge, tmp_path):
    page, report = tmp_path / "page.html", tmp_path / "page.json"
    wrong = [{**RIGHT[0], "sql": CITIES.replace(
        "sum(i.line_total)", "sum(i.line_total) + 1 as one_more")}, RIGHT[1]]
    judge(wrong, "--provider", "builtin", "--report", page)
    text = page.read_text()
    assert text.count("First difference: (") == 1
    assert text.count('<div class="rows">') == 2
    assert "<th>city<th>one_more" in text
    judge(wrong, "--provider", "builtin", "--report", report)
    wrong, right = json.loads(report.read_text())["questions"]
    assert " is expected" in wrong["difference"] and "difference" not in right


def test_a_run_is_compared_with_an_earlier_one(judge, tmp_path):
    before, worse = tmp_path / "before.json", tmp_path / "worse.json"
    none = {**RIGHT[0], "sql": "select 'Atlantis', 1"}
    provider = "--provider", "builtin"
    judge(RIGHT, *provider, "--report", before)
    judge([none, *RIGHT[1:]], *provider, "--report", worse)

    done, told = judge(RIGHT, *provider, "--baseline", before)
    assert done.returncode == 0, done.stderr
    assert not told["baseline"]["worse"] and told["baseline"]["compared"] == 4
    assert "Not worse than the baseline (4 questions compared)" in done.stdout

    done, told = judge([none, *RIGHT[1:]], *provider, "--baseline", before)
    assert done.returncode == 1
    assert told["baseline"]["nowWrong"] == ["cities"]
    assert told["baseline"]["fewerRight"] == [
        {"category": "group", "before": 1, "now": 0}]
    assert "Worse than the baseline" in done.stdout

    done, told = judge(RIGHT, *provider, "--baseline", worse)
    assert done.returncode == 0, done.stdout
    assert told["baseline"]["nowRight"] == ["cities"]

    done, told = judge(RIGHT, *provider, "--only", "top", "--baseline", before)
    assert done.returncode == 0, done.stdout
    assert told["baseline"]["notAsked"] == 3


def test_what_is_no_baseline_is_said_before_anything_is_asked(judge, tmp_path):
    path = tmp_path / "baseline.json"
    for text, why in [
            (None, "No such file"), ("<html>", "not JSON"),
            ("[" * 100000, "nested too deeply"),
            ('{"set": "other", "questions": []}',
             'a report of the set "other", not of "story"'),
            ('{"set": "\\u001b]0;x\\u0007", "questions": []}',
             "a report of the set"),
            ('{"set": "story", "questions": [{"id": "cities"}]}',
             "question 1 has no text"),
            ('{"set": "story", "questions": [{"id": "x", "question": "x", '
             '"action": "answer", "right": true, "verified": true}]}',
             "no question of this run")]:
        if text:
            path.write_text(text)
        done, told = judge(RIGHT, "--gold", "--baseline", path)
        assert done.returncode == 2 and not told
        assert why in done.stderr and "\x1b" not in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_run_has_a_cost_only_if_the_prices_are_known(judge):
    done, told = judge(RIGHT, "--gold", "--only", "top")
    assert "cost" not in told["totals"] and "cost " not in done.stdout
    tokens = told["totals"]["promptTokens"], told["totals"]["completionTokens"]
    assert f"tokens     {tokens[0]} prompt, {tokens[1]} completion" in done.stdout
    done, told = judge(RIGHT, "--gold", "--only", "top", "--prices", "2.50,10")
    assert told["totals"]["cost"] == pytest.approx(
        (tokens[0] * 2.5 + tokens[1] * 10) / 1e6)
    assert told["questions"][0]["cost"] == pytest.approx(told["totals"]["cost"])
    assert "cost  " in done.stdout
    done, told = judge(RIGHT, "--gold", "--prices", "free")
    assert done.returncode == 2 and not told and "--prices" in done.stderr


def test_a_set_may_be_csv(judge):
    done, told = judge(None, "--gold", "--ontology", "retail", name="set.csv",
                       text="id,question,sql,expect\n"
                            'n,How many?,"select count(*), 1 from orders",\n'
                            "hi,Hello,,conversational\n")
    assert done.returncode == 0, done.stderr
    assert verdicts(told) == {"n": True, "hi": True}


def test_what_is_wrong_with_a_set_is_told_with_its_line(judge):
    done, _ = judge(None, text="questions:\n- id: a\n  question: x\n")
    assert done.returncode == 2
    assert "set.yaml:2: sql or expect is required" in done.stderr
    done, _ = judge(RIGHT, "--provider", "nobody")
    assert done.returncode == 1 and 'the provider "nobody" does not exist' in done.stderr
    done, _ = judge(RIGHT, "--gold", "--ontology", "nowhere")
    assert done.returncode == 1
    assert 'no ontology "nowhere"; there are: ' in done.stderr
