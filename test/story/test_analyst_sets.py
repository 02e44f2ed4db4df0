"""The built-in analyst may refuse a question, and must never answer it wrongly."""
import json

import pytest

from sextant import ROOT

FOLDER = ROOT / "test" / "eval"
SETS = {"analyst-demo": ("retail", 41), "analyst-chinook": ("chinook_ontology", 78),
        "analyst-northwind": ("northwind_ontology", 79),
        "analyst-clinic": ("clinic_ontology", 27),
        "demo": ("retail", 6), "chinook": ("chinook_ontology", 6),
        "northwind": ("northwind_ontology", 2)}


@pytest.mark.parametrize("name", SETS)
def test_no_answer_of_the_analyst_is_wrong(name, service, request, tmp_path):
    ontology, least = SETS[name]
    request.getfixturevalue(ontology)
    report = tmp_path / "report.json"
    service.run("eval", FOLDER / f"{name}.yaml", "--provider", "builtin",
                "--report", report, check=False)
    questions = json.loads(report.read_text("utf-8"))["questions"]
    answered = [q for q in questions if q["action"] == "answer"]
    assert [q["question"] for q in answered if not q["right"]] == []
    assert len(answered) >= least
