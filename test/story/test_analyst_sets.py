"""The built-in analyst may refuse a question, and must never answer it wrongly."""
import json

import pytest

from sextant import ROOT

FOLDER = ROOT / "test" / "eval"
SETS = {"analyst-demo": ("retail", 45), "analyst-chinook": ("chinook_ontology", 89),
        "analyst-northwind": ("northwind_ontology", 95),
        "analyst-clinic": ("clinic_ontology", 29),
        "demo": ("retail", 7), "chinook": ("chinook_ontology", 8),
        "northwind": ("northwind_ontology", 4)}


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
