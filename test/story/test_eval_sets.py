"""The sets of questions in test/eval: complete, with valid SQL, and correct with
--gold."""
import json
import re
import subprocess
from collections import Counter
from functools import cache

import pytest
import yaml

from sextant import PROGRAM, ROOT

from kit.fixtures import MODELS

FOLDER = ROOT / "test" / "eval"
SETS = ("demo", "chinook", "northwind")
ACTIONS = {"unanswerable": "refuse", "ambiguous": "clarify"}


@cache
def read(name):
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))


def queries(name):
    """Id of the question and query, the other accepted ones too."""
    return [(q["id"], sql) for q in read(name)["questions"] if "sql" in q
            for sql in (q["sql"], *q.get("also", []))]


def defined(name):
    """The categories as the head of the file defines them."""
    head = (FOLDER / f"{name}.yaml").read_text("utf-8").partition("\nname:")[0]
    return re.findall(r"^#   ([a-z-]+) {2,}\S", head, re.M)


@pytest.fixture
def database(request):
    """The source that has the set's database, and the database's name."""
    name = read(request.param)["ontology"]
    sample = {"retail": "source"}.get(name, f"{name}_source")
    return request.getfixturevalue(sample), name


def test_there_are_as_many_questions_of_each_kind_as_promised():
    asked = [q for name in SETS for q in read(name)["questions"]]
    assert [len(read(name)["questions"]) for name in SETS] == [60, 60, 60]
    kinds = Counter(q["category"] for q in asked if "sql" not in q)
    assert kinds == {"unanswerable": 30, "ambiguous": 20}
    ids = Counter(q["id"] for q in asked)
    texts = Counter(q["question"] for q in asked)
    assert set(ids.values()) == {1} and set(texts.values()) == {1}


@pytest.mark.parametrize("name", SETS)
def test_a_question_has_what_its_kind_needs(name):
    known = set(read(name)["questions"][0]) | {"ordered", "also", "expect", "why"}
    assert {q["category"] for q in read(name)["questions"]} == set(defined(name))
    for q in read(name)["questions"]:
        assert set(q) <= known and q["id"].startswith(f"{name}-"), q["id"]
        wanted = ACTIONS.get(q["category"])
        assert q.get("expect") == wanted, q["id"]
        assert bool(q.get("why")) == ("sql" not in q) == bool(wanted), q["id"]
        if q.get("ordered"):
            assert all(re.search(r"\border by [^)]*$", sql)
                       for sql in (q["sql"], *q.get("also", []))), q["id"]


@pytest.mark.parametrize("name", SETS)
def test_the_guard_allows_every_gold_query(name):
    model = yaml.safe_load(MODELS[read(name)["ontology"]].read_text("utf-8"))
    tables = [d["source"].rpartition(".")[2]
              for d in model["semantic_model"][0]["datasets"]]
    lines = "".join(json.dumps(sql) + "\n" for _, sql in queries(name))
    done = subprocess.run(
        [PROGRAM, "guard", "--jsonl", "--relations", ",".join(tables)],
        input=lines, capture_output=True, text=True, check=False, timeout=60)
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(verdicts) == len(queries(name))
    assert [(id, verdict) for (id, _), verdict in zip(queries(name), verdicts)
            if not verdict["ok"]] == []


@pytest.mark.parametrize("database, name", [(s, s) for s in SETS],
                         indirect=["database"])
def test_gold_queries_are_good_sql_of_the_size_they_say(database, name):
    source, its_name = database
    source.psql(its_name, "".join(f"explain {sql};" for _, sql in queries(name)))
    for q in read(name)["questions"]:
        if q["category"] in ("empty", "large"):
            [[rows]] = source.psql(
                its_name, f"select count(*) from ({q['sql']}) as q")
            few, many = (0, 0) if q["category"] == "empty" else (1001, 100000)
            assert few <= int(rows) <= many, q["id"]


@pytest.mark.long
@pytest.mark.parametrize("name, ontology", [
    ("demo", "retail"), ("chinook", "chinook_ontology"),
    ("northwind", "northwind_ontology")])
def test_gold_goes_through_the_machine(name, ontology, service, request):
    request.getfixturevalue(ontology)
    done = service.run("eval", FOLDER / f"{name}.yaml", "--gold", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
