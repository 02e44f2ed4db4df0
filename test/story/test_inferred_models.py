"""Models made from databases without foreign keys: how many references and keys are found,
how many found ones are wrong, and what is never added up."""
import re

import pytest
import yaml

from kit import schemas

# The least share of the references that is found, in percent. Empty tables leave
# only names.
BARS = {"bare": 95, "declared": 95, "empty": 75}


def quoted(text, name):
    return f'"{name}"' if '"' in text else name


def declare_keys(text):
    """The script, with the true keys declared."""
    for table, columns in re.findall(r"^--! key (\S+) \((.+)\)$", text, re.M):
        of = ", ".join(quoted(text, c.strip()) for c in columns.split(","))
        text += f"alter table {quoted(text, table)} add primary key ({of});\n"
    return text


def script(path, state):
    text = path.read_text()
    if state == "declared":
        return declare_keys(text)
    return re.sub(r"(?ms)^insert into .*?;$", "", text) \
        if state == "empty" else text


@pytest.fixture(scope="module")
def models_of(service, source):
    """The models of all schemas in a state, made once, with the truth."""
    known = {}

    def make(path, state):
        database = f"{path.stem}_{state}"
        source.load(database, script(path, state))
        service.connect(database, source.url(database))
        done = service.run("import", "--from-database", database, "--print")
        model = yaml.safe_load(done.stdout)["semantic_model"][0]
        return model, schemas.truth_of(path.read_text()), done.stderr

    def models_of(state):
        if state not in known:
            known[state] = {path.stem: make(path, state)
                            for path in sorted(schemas.FOLDER.glob("*.sql"))}
        return known[state]
    return models_of


def named(found):
    """(schema, …) of {schema: {…}}"""
    return {(name, *it) for name, all in found.items() for it in all}


@pytest.mark.parametrize("state", BARS)
def test_references_are_found_and_hardly_any_is_wrong(models_of, state):
    made = models_of(state)
    found = named({n: schemas.links_of(m) for n, (m, _, _) in made.items()})
    true = named({n: t.links for n, (_, t, _) in made.items()})
    recall = 100 * len(found & true) / len(true)
    precision = 100 * len(found & true) / len(found)
    print(f"{state}: recall {len(found & true)} of {len(true)} "
          f"({recall:.1f} %), precision {precision:.1f} %")
    assert len(true) > 100
    assert recall >= BARS[state], sorted(true - found)
    assert precision > 95, sorted(found - true)


def test_keys_are_found_and_those_from_few_rows_are_guesses(models_of):
    made = models_of("bare")
    found = named({n: schemas.keys_of(m) for n, (m, _, _) in made.items()})
    true = named({n: t.keys for n, (_, t, _) in made.items()})
    assert len(found & true) >= 0.95 * len(true), sorted(true - found)
    notes = {d["name"]: (d.get("ai_context") or {}).get("instructions", "")
             for d in made["star"][0]["datasets"]}
    assert "is a guess" in notes["dim_store"]
    assert "is a guess" not in notes["fact_sales"]
    declared = models_of("declared")["star"][0]["datasets"]
    assert not any("is a guess" in str(d) for d in declared
                   if d["name"].startswith("dim_"))


@pytest.mark.parametrize("state", ["bare", "declared"])
def test_what_is_no_amount_is_never_added_up(models_of, state):
    made = models_of(state)
    sums = named({n: schemas.metrics_of(m, "sum")
                  for n, (m, _, _) in made.items()})
    never = named({n: t.never for n, (_, t, _) in made.items()})
    amounts = named({n: t.sums for n, (_, t, _) in made.items()})
    assert not sums & never
    assert not amounts - sums


def test_a_column_for_several_tables_is_marked_and_no_link(models_of):
    made = models_of("bare")
    marked = named({n: schemas.marked_of(m) for n, (m, _, _) in made.items()})
    assert marked == named({n: t.many for n, (_, t, _) in made.items()})
    said = made["polymorphic"][2]
    assert "several: payments (sender_id)" in said
    assert not re.search(r"payments \(sender_id\) ->", said)
