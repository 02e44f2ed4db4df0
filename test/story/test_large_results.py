"""One query with many large cells: the memory that a worker needs, and that all data
arrive. In the pipeline its rows are doubled, so that the checks send it back and it
runs several times."""
import pathlib
import re

import pytest

from kit import fixtures, players

# Above what the worker has when it has answered a small question.
MOST_MB = 64

MODEL = """\
version: "0.2.0.dev0"

semantic_model:
  - name: archive
    description: Documents of an archive.
    datasets:
{datasets}"""

DATASET = """\
      - name: {name}
        source: public.{name}
        primary_key: [id]
        description: Documents of the archive, one row per document.
        fields:
          - {{name: id, expression: id, datatype: Integer}}
{columns}
"""

# rows, columns, an expression of a cell: 16 MB or more each.
SHAPES = {
    "wide": (1000, 40, "repeat('data: ', 683)"),
    "long": (250, 1, "repeat('0123456789abcdef', 4096)"),
    "quoted": (1000, 10, r"repeat(E'a \"word\"\n', 400)"),
    "unicode": (1000, 8, "repeat('naïve 数据 📈', 200)"),
    "many": (1000, 200, "repeat('word ', 16)"),
}

# Before SQL_MAX_BYTES, 16 MB, stop them.
ROWS_THAT_FIT = {"wide": 102, "long": 250, "quoted": 466, "unicode": 582,
                 "many": 1000}


def columns_of(shape):
    return [f"text_{n}" for n in range(1, SHAPES[shape][1] + 1)]


@pytest.fixture(scope="module")
def archive(source):
    script = ""
    for name, (rows, _, cell) in SHAPES.items():
        columns = columns_of(name)
        script += f"""create table {name} (id int primary key,
{', '.join(f'{c} text' for c in columns)});
insert into {name} select n, {', '.join([cell] * len(columns))}
from generate_series(1, {rows}) n;
"""
    source.load("archive", script)
    return source


@pytest.fixture(scope="module")
def reader(archive, aimock, tmp_path_factory):
    """A server that is asked about the archive."""
    model = tmp_path_factory.mktemp("model") / "archive.osi.yaml"
    model.write_text(MODEL.format(datasets="".join(
        DATASET.format(name=name, columns="\n".join(
            f"          - {{name: {c}, expression: {c}, datatype: String}}"
            for c in columns_of(name))) for name in SHAPES)))
    server = fixtures.open_service(archive, **fixtures.model_settings(aimock.url))
    server.connect("archive", archive.url("archive"))
    server.ontologies["archive"] = server.import_model(model, "archive")
    yield server
    server.remove()


def pipeline_says(question, name):
    columns = columns_of(name)
    sql = f"select {', '.join(columns)} from public.{name} where id <= " \
          f"{SHAPES[name][0]} order by id"
    return players.answers(question, [name], sql, columns,
                           [["x"]] * ROWS_THAT_FIT[name])


def react_says(question, name):
    sql = f"select {', '.join(columns_of(name))} from public.{name} where id <= " \
          f"{SHAPES[name][0]} order by id"
    return [players.acts(question, ("query_database", {"sql": sql})),
            players.acts(question, ("run_python", {"code":
                "print(len(step_1_data), int(step_1_data.map(len).sum().sum()))"}),
                turn=1),
            players.reacts(question, "It is all there.")]


def status_mb(pid, field):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+) kB", text, re.M)[1]) / 1024


def ask(server, aimock, agent, name):
    question = f"What do the {name} documents say?"
    says = react_says if agent == "react" else pipeline_says
    aimock.play(says(question, name), (agent, name))
    client = server.client()
    more = {"agent": "react"} if agent == "react" else {}
    chat = client.new_chat(server.ontologies["archive"], "openai", **more)
    return client.ask(chat, question)


@pytest.mark.long
@pytest.mark.parametrize("agent", ["pipeline", "react"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_query_with_large_cells_costs_bounded_memory(reader, aimock, agent, name):
    client = reader.client()
    assert client.ask(client.new_chat(reader.ontologies["retail"], "builtin"),
                      "revenue by city in 2025").complete
    worker = reader.worker()
    pathlib.Path(f"/proc/{worker}/clear_refs").write_text("5")
    before = status_mb(worker, "VmRSS")
    answer = ask(reader, aimock, agent, name)
    assert answer.complete, answer.last.data
    if agent == "react":  # Python had all rows
        printed = answer.of("tool_result")[-1]["result"]
        assert f"\n{ROWS_THAT_FIT[name]} " in printed
    took = status_mb(worker, "VmHWM") - before
    assert took <= MOST_MB
