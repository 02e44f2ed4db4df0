"""The command line, as a user types it or a script calls it."""
import json
import subprocess

import pytest

from kit import wire
from kit.fixtures import MODELS
from sextant import PROGRAM, environment


@pytest.fixture(scope="module")
def elsewhere(service, source):
    """A connection whose database has little of the model "retail"."""
    source.load("elsewhere", """
        create table stores (store_id text, city text);
        create table orders (order_id text);""")
    service.connect("elsewhere", source.url("elsewhere"))
    return "elsewhere"


def imported(service, connection, name, model="retail"):
    """The warnings about the model; it is imported in any case."""
    done = service.run("import", MODELS[model], "--connection", connection,
                       "--name", name)
    assert f'"{name}" is imported' in done.stderr
    assert len(done.stdout.split()) == 1
    return done.stderr


class TestImport:
    def test_nothing_is_said_of_a_database_that_has_what_the_model_tells(self, service):
        assert "warning" not in imported(service, "retail", "all there")

    def test_what_the_database_does_not_have_is_told_up_to_ten(self, service,
                                                               elsewhere):
        said = imported(service, elsewhere, "little there")
        assert "queries that use it will" in said
        lines = [line for line in said.splitlines() if line.startswith("  ")]
        assert len(lines) == 11
        assert "  column region of public.stores" in lines
        assert "  table public.customers" in lines
        assert "  column city of public.stores" not in said
        assert lines[-1].startswith("  and ") and lines[-1].endswith(" more")

    def test_what_the_connection_may_not_read_is_told_too(self, service, source):
        source.psql("retail", "create role blind login password 'blind'")
        source.psql("retail", "grant connect on database retail to blind")
        source.psql("retail", "grant usage on schema public to blind")
        source.psql("retail", "grant select on stores, orders, order_items, "
                              "stockouts, products to blind")
        source.psql("retail", "grant select (customer_id) on customers to blind")
        service.connect("blind", f"postgresql://blind:blind@127.0.0.1:{source.port}"
                                 "/retail")
        said = imported(service, "blind", "half seen")
        assert "  column segment of public.customers" in said
        assert "stores" not in said and "table" not in said

    def test_a_database_that_is_gone_is_not_compared(self, service, source):
        source.load("gone", "create table stores (store_id text)")
        service.connect("gone", source.url("gone"))
        source.psql("postgres", "drop database gone with (force)")
        said = imported(service, "gone", "not compared")
        assert 'could not be compared with the database of "gone"' in said

    def test_what_is_wrong_with_the_whole_file_has_no_line(self, service, tmp_path):
        empty = tmp_path / "empty.yaml"
        empty.write_text("")
        done = service.run("import", empty, "--check", check=False)
        assert f"{empty}: error: the text is empty\n" in done.stderr

    def test_a_table_that_is_not_there_is_not_called_unreadable(self, service):
        done = service.run("import", "--from-database", "retail", "--table", "nope",
                           check=False)
        assert done.returncode == 1 and "no table of that name" in done.stderr

    @pytest.mark.parametrize("name", ["", "n" * 256])
    def test_a_name_has_1_to_255_characters(self, service, name):
        done = service.run("import", MODELS["retail"], "--connection", "retail",
                           "--name", name, check=False)
        assert done.returncode == 2 and "1 to 255 characters" in done.stderr

    def test_one_is_counted_as_one(self, service):
        done = service.run("import", "--from-database", "retail", "--table", "stores",
                           "--name", "one")
        assert ": 1 dataset, 0 relationships" in done.stderr


def test_a_connection_in_use_stays_and_its_models_are_named(service, elsewhere):
    imported(service, elsewhere, "in use")
    done = service.run("connection", "remove", elsewhere, check=False)
    assert done.returncode == 1
    assert '"in use"' in done.stderr and "[" not in done.stderr


def test_each_line_for_the_guard_is_a_json_string():
    done = subprocess.run([PROGRAM, "guard", "--jsonl"], text=True, timeout=60,
                          input='"select 1"\nselect 1\n{}\n', env=environment(),
                          capture_output=True, check=True)
    first, *others = map(json.loads, done.stdout.splitlines())
    assert first["ok"] and len(others) == 2
    for other in others:
        assert other["reason"].startswith("The line is not a JSON string")


class TestAsk:
    def status(self, service, question, ontology="retail"):
        done = service.run("ask", "--ontology", ontology, question, check=False,
                           LLM_DEFAULT_PROVIDER="builtin")
        return done.returncode, done.stdout

    def test_an_answer_is_0(self, service):
        status, said = self.status(service, "revenue by city in 2025")
        assert status == 0 and "Answer" in said

    @pytest.mark.parametrize("question", ["blorp by zork", "top 5 cities"])
    def test_a_refusal_and_a_question_back_are_3(self, service, question):
        assert self.status(service, question)[0] == 3

    def test_a_question_back_is_asked_once(self, service):
        _, said = self.status(service, "top 5 cities")
        assert said.count("By what are they ranked") == 1

    def test_queries_that_all_fail_are_3(self, service, elsewhere):
        imported(service, elsewhere, "nothing works")
        status, said = self.status(service, "revenue by city in 2025",
                                   "nothing works")
        assert status == 3 and "failed:" in said

    @pytest.mark.parametrize("provider", ["openai", "anthropic"])
    @pytest.mark.parametrize("refusal", [401, 403])
    def test_a_bad_key_is_one_plain_line(self, service, models, provider, refusal):
        models.script("You are the Planner", [wire.status(refusal)])
        done = service.run("ask", "--ontology", "retail", "revenue by city",
                           check=False, LLM_DEFAULT_PROVIDER=provider)
        models.forget()
        assert (done.returncode, done.stdout) == (1, "")
        line, = done.stderr.splitlines()
        assert line.startswith("sextant ask: ") and "credentials" in line

    def test_its_progress_is_told_when_it_has_got_somewhere(self, service):
        done = service.run("ask", "--ontology", "retail",
                           "revenue by city in 2025",
                           LLM_DEFAULT_PROVIDER="builtin")
        told = done.stderr.splitlines()
        assert told[0].startswith("planner: ")
        assert any(line.startswith("navigator: ") for line in told)

    def test_what_cannot_be_asked_is_1_or_2(self, service):
        assert self.status(service, "revenue by city", "not there")[0] == 1
        assert self.status(service, " ")[0] == 2
