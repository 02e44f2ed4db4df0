"""The gold questions, answered by a model with Anthropic's protocol."""
import pytest

from kit import answers, gold


@pytest.mark.parametrize("name", gold.ids("retail"))
def test_a_question_about_the_demo_is_answered_as_psql_does(
        name, play, ann, retail):
    answers.ask_and_judge(ann, retail, "anthropic", play("retail"), name)


@pytest.mark.parametrize("name", gold.ids("chinook"))
def test_a_question_about_chinook_is_answered_as_psql_does(
        name, chinook_ontology, play, ann):
    answers.ask_and_judge(ann, chinook_ontology, "anthropic", play("chinook"), name)
