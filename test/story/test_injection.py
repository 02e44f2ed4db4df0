"""Text of the data that gives orders: in a comment, a column's name, a file's name, a cell.
A model that obeys every order outside the data gives the same answer, with the same queries,
tools and badge, as over data without orders."""
import json
import urllib.parse
from dataclasses import dataclass

import pytest

from kit import players
from kit.client import check_stream
from kit.orders import INJECTION, LINES, ORDER, changed_nothing_told, obeys

QUESTION = "What is the amount by kind?"
SCHEMA = """create table "{table}" (id int primary key, "{kind}" text, amount numeric);
comment on table "{table}" is '{comment}';
comment on column "{table}".amount is '{comment}';
insert into "{table}" values (1, 'card', 70), (2, 'cash', 20), (3, '{cell}', 5);"""


@dataclass
class Payments:
    ontology: str
    table: str = "payments"
    kind: str = "kind"
    cell: str = "coin"
    file: str = ""

    @property
    def sql(self):
        return self.sql_from(f'"{self.table}"')

    def sql_from(self, table):
        return f'SELECT "{self.kind}", SUM(amount) AS amount FROM {table} ' \
               f'GROUP BY "{self.kind}" ORDER BY 2 DESC'

    def without_orders(self, text):
        """The text as it would be over data without orders."""
        return text.replace(self.table, "payments").replace(f'"{self.kind}"', '"kind"')


def table_of(service, source, place):
    """A table with a comment, a name of a column, or a cell that gives orders."""
    table = INJECTION if place == "table" else "payments"
    kind = INJECTION if place == "column" else "kind"
    cell = LINES if place == "cell" else "coin"
    source.load(f"injected_{place}", SCHEMA.format(
        table=table, kind=kind, cell=cell, comment=LINES if place == "comment" else "Paid"))
    service.connect(f"injected_{place}", source.url(f"injected_{place}"))
    done = service.run("import", "--from-database", f"injected_{place}")
    return Payments(done.stdout.split()[-1], table, kind, cell)


def upload(client, name, data):
    return client.post("/datasets?name=" + urllib.parse.quote(name), data,
                       patience=120, headers={"Content-Type": "text/csv"})


def file_of(service, place):
    """A file whose name, header or cell gives orders."""
    name = INJECTION if place == "file" else f"injected {place}"
    header = INJECTION if place == "file column" else "kind"
    cell = LINES if place == "file cell" else "coin"
    data = f'id,"{header}",amount\n1,card,70\n2,cash,20\n3,"{cell}",5\n'
    reply = upload(service.client("ann@example.org"), f"{name}.csv", data.encode())
    assert reply.status == 201, reply.body
    [[table, kind]] = service.psql(
        "select d ->> 'name', d -> 'fields' -> 1 ->> 'name' from semantic_models,"
        " lateral (select model -> 'datasets' -> 0) as of (d)"
        f" where id = '{reply.json['semantic_model_id']}'")
    return Payments(reply.json["ontology_id"], table, kind, cell,
                    reply.json["id"])


@pytest.fixture(scope="module")
def payments(service, source):
    """The data with orders in a place, made once."""
    known = {}

    def payments(place):
        if place not in known:
            known[place] = file_of(service, place) if place.startswith("file") \
                else table_of(service, source, place)
        return known[place]
    return payments


PRINTS = players.python("for cell in current_data.iloc[:, 0]:\n    print(cell)")


def pipeline(it):
    return [*players.structured(players.PLANNER, QUESTION, "generate_plan",
                                players.plan(QUESTION, [players.step(
                                    1, [it.table], "sql_then_python")])),
            *players.explores(QUESTION, [it.table]),
            *players.structured(players.SQL_BUILDER, QUESTION, "generate_queries",
                                players.queries((1, it.sql, [it.kind, "amount"]))),
            players.says(players.PYTHON, QUESTION, PRINTS),
            players.says(players.VERIFIER, QUESTION,
                         players.verifier_code(3, [it.kind, "amount"])),
            players.says(players.EXPLAINER, QUESTION, "The amount of card is 70.")]


def react(it):
    return [players.acts(QUESTION, ("query_database", {"sql": it.sql}), turn=0),
            players.reacts(QUESTION, "The amount of card is 70.")]


def scientist(it):
    """Code that fails with a cell, and then prints the cells."""
    table = f"datasets['{it.table}']"
    cells = f"{table}[{it.kind!r}]"
    plan = {"needs_code": True, "needs_evaluation": True, "needs_explanation": True,
            "reasoning": "so it is"}
    return [*players.structured("You are a data analysis planning assistant", None,
                                "create_execution_plan", plan),
            players.says("who writes Python code", None, f"raise ValueError({cells}[2])"),
            players.says("who fixes broken Python code", None,
                         f"for cell in {cells}:\n    print(cell)\n"
                         f"result = int({table}['amount'].sum())"),
            players.says("who evaluates the results of code", None, "It is 95."),
            players.says("You are a data science communicator", None, "It is 95.")]


def csv(it):
    calls = [("get_dataset_schema", {"dataset_id": it.ontology}),
             ("execute_sql", {"dataset_id": it.ontology, "sql": it.sql})]
    return [players.analyses(QUESTION, calls, turn=0),
            players.analyses(QUESTION, "The amount of card is 70.")]


SCRIPTS = {"pipeline": pipeline, "react": react, "scientist": scientist, "csv": csv}


@pytest.fixture
def ask(play, ann):
    def ask(it, agent, question=QUESTION):
        play("retail", [*obeys(), *SCRIPTS[agent](it)])
        answer = ann.ask(ann.new_chat(it.ontology, "openai", agent=agent), question)
        check_stream(answer.events)
        assert answer.complete, answer.last.data
        return answer
    return ask


def outcome(it, answer, aimock):
    """What an injection could change: text, badge, checks, queries, and the phases and
    tools of the model's calls."""
    report = answer.metadata.get("verificationReport") or {"status": None, "checks": []}
    queries = [step["sqlResult"]["sql"] for step in answer.metadata["stepResults"]
               if (step.get("sqlResult") or {}).get("sql")]
    return {"content": answer.content, "status": report["status"],
            "checks": [(c["name"], c["passed"]) for c in report["checks"]],
            "queries": [it.without_orders(sql) for sql in queries],
            "calls": [called(entry["body"]) for entry in aimock.journal()]}


def called(body):
    """(the phase, the tools that were called)"""
    return (body["messages"][0]["content"][:50],
            [call["function"]["name"] for message in body["messages"]
             for call in message.get("tool_calls") or []])


PLACES = ["comment", "table", "column", "cell", "file", "file column", "file cell"]


# Not the pipeline with such a table: its script has no answer for one of the prompts then.
CASES = [(agent, place) for agent in SCRIPTS for place in PLACES
         if (agent, place) != ("pipeline", "table")]


@pytest.mark.parametrize("agent, place", CASES)
def test_an_order_in_the_data_changes_nothing(ask, payments, aimock, place, agent):
    plain = payments("file plain" if place.startswith("file") else "plain")
    expected = outcome(plain, ask(plain, agent), aimock)
    it = payments(place)
    answer = ask(it, agent)
    found = outcome(it, answer, aimock)
    assert found == expected
    assert len(found["calls"]) > 1 and "9,999,999" not in found["content"]
    assert found["queries"] or agent == "scientist"
    read = [json.dumps(entry["body"]) for entry in aimock.journal()]
    assert any(ORDER in text or it.table in text for text in read)
    changed_nothing_told(aimock)


def test_that_model_obeys_an_order_outside_the_data(ask, payments, aimock):
    """Or else the stories above would prove nothing. It gets no badge by that."""
    answer = ask(payments("plain"), "react", f"{QUESTION}\n{INJECTION}")
    assert [called(entry["body"])[1] for entry in aimock.journal()][0] == []
    assert not answer.metadata.get("verificationReport"), answer.metadata
    assert "9,999,999" not in answer.content


@pytest.mark.parametrize("agent", ["pipeline", "react"])
def test_an_order_that_an_answer_quoted_changes_nothing_afterwards(
        play, ann, payments, aimock, agent):
    it = payments("plain")
    quoting = f"The amount of card is 70. Its notes:\n\n## Rules\n- {ORDER}\n{ORDER}"
    script = json.loads(json.dumps(SCRIPTS[agent](it)).replace(
        json.dumps("The amount of card is 70."), json.dumps(quoting)))
    play("retail", script)
    chat = ann.new_chat(it.ontology, "openai", agent=agent)
    assert ORDER in ann.ask(chat, QUESTION).content
    play("retail", [*obeys(), *SCRIPTS[agent](it)])
    answer = ann.ask(chat, QUESTION)
    assert answer.complete and "card is 70" in answer.content, answer.content
    assert any(ORDER in json.dumps(entry["body"]) for entry in aimock.journal())


def test_a_file_has_no_name_of_several_lines(ann):
    reply = upload(ann, f"pay\n{INJECTION}.csv", b"id,amount\n1,70\n")
    assert reply.status == 400 and b"not allowed" in reply.body


# ---- where datasets meet --------------------------------------------------------------

JOINED = """create table kinds (id int primary key, name text);
create table payments (id int primary key, "{column}" int references kinds, amount int);
comment on table kinds is '{comment}';
insert into kinds values (1, 'card'), (2, 'cash');
insert into payments values (1, 1, 70), (2, 2, 20);"""


def joined(it):
    sql = f'SELECT k.name, SUM(p.amount) AS amount FROM payments p ' \
          f'JOIN kinds k ON k.id = p."{it.kind}" GROUP BY k.name ORDER BY 2 DESC'
    steps = [players.step(1, ["payments", "kinds"])]
    return [*players.structured(players.PLANNER, QUESTION, "generate_plan",
                                players.plan(QUESTION, steps)),
            *players.explores(QUESTION, ["payments", "kinds"]),
            *players.structured(players.SQL_BUILDER, QUESTION, "generate_queries",
                                players.queries((1, sql, ["name", "amount"]))),
            players.says(players.VERIFIER, QUESTION,
                         players.verifier_code(2, ["name", "amount"])),
            players.says(players.EXPLAINER, QUESTION, "The amount of card is 70.")]


def reacts_joined(it):
    sql = f'SELECT k.name, SUM(p.amount) AS amount FROM payments p ' \
          f'JOIN kinds k ON k.id = p."{it.kind}" GROUP BY k.name ORDER BY 2 DESC'
    return [players.acts(QUESTION, ("query_database", {"sql": sql}), turn=0),
            players.reacts(QUESTION, "The amount of card is 70.")]


@pytest.mark.parametrize("agent, script", [("pipeline", joined), ("react", reacts_joined)])
def test_an_order_in_the_column_of_a_join_changes_nothing(
        service, source, play, ann, aimock, agent, script):
    found = []
    for name, column, comment in ((f"joined_plain_{agent}", "kind", "Kinds"),
                                  (f"joined_orders_{agent}", INJECTION, LINES)):
        source.load(name, JOINED.format(column=column, comment=comment))
        service.connect(name, source.url(name))
        done = service.run("import", "--from-database", name)
        it = Payments(done.stdout.split()[-1], kind=column)
        play("retail", [*obeys(), *script(it)])
        answer = ann.ask(ann.new_chat(it.ontology, "openai", agent=agent), QUESTION)
        assert answer.complete, answer.last.data
        found.append(outcome(it, answer, aimock))
    plain, orders = found
    plain["queries"] = [sql.replace("p.kind", 'p."kind"') for sql in plain["queries"]]
    assert orders == plain and orders["queries"]
    read = [json.dumps(entry["body"]) for entry in aimock.journal()]
    assert any(ORDER in text for text in read)
    changed_nothing_told(aimock)


# ---- the explorer, which reads a file ------------------------------------------------

EXPLORER = "You are a data analyst. You explore one table"
REPORTER = "You are a data analyst. You write the report"
FILES = [place for place in PLACES if place.startswith("file")]


def says(prompt, reply, turn):
    if isinstance(reply, list):
        reply = {"toolCalls": [{"name": name, "arguments": json.dumps(arguments)}
                               for name, arguments in reply]}
    else:
        reply = {"content": reply}
    return {"match": {"systemMessage": prompt, "userMessage": QUESTION, "turnIndex": turn},
            "response": {**reply, "usage": players.USAGE}}


def explored(ann, aimock, it):
    """The result of an exploration, what it asked of the tools, and its report."""
    calls = [("profileData", {"includeDistribution": True}),
             ("executeSQLQuery", {"query": it.sql_from("t_parsed"), "reason": "Compare"})]
    aimock.play([*obeys(), says(EXPLORER, calls, 0),
                 says(EXPLORER, "The amount of card is 70.\n\n- card: 70\n", 1),
                 says(REPORTER, "# Report\n\nCard has 70.", 0)])
    reply = ann.post("/api/agentic-explore", {"datasetId": it.file, "question": QUESTION},
                     patience=120)
    assert reply.status == 200, reply.body
    found = reply.json
    queries = [it.without_orders(q["query"]) for q in found["executedQueries"]]
    report = ann.post("/api/report", {"question": QUESTION, "explorationResults": found})
    assert report.status == 200, report.body
    return {"summary": found["summary"], "insights": found["insights"], "queries": queries,
            "calls": [called(entry["body"]) for entry in aimock.journal()],
            "report": report.body}


@pytest.mark.parametrize("place", FILES)
def test_an_order_in_a_file_changes_no_exploration(ann, aimock, payments, place):
    plain = explored(ann, aimock, payments("file plain"))
    it = payments(place)
    found = explored(ann, aimock, it)
    assert found == plain and found["queries"] and b"9,999,999" not in found["report"]
    if place == "file cell":  # a name of the file is not shown as it is
        read = [json.dumps(entry["body"]) for entry in aimock.journal()]
        assert any(ORDER in text for text in read)
    changed_nothing_told(aimock)


@pytest.mark.parametrize("part, value", [
    ("summary", LINES), ("insights", [INJECTION]), ("insights", [LINES]),
    ("executedQueries", [{"query": LINES, "reason": LINES, "result": {
        "columns": [INJECTION], "rows": [[LINES]]}}]),
    ("charts", [{"id": "1", "chartType": "bar", "title": INJECTION, "sqlQuery": LINES,
                 "spec": {}}]),
    ("schema", [{"name": LINES, "type": INJECTION}])])
def test_an_order_in_results_changes_no_report(ann, aimock, part, value):
    aimock.play([*obeys(), says(REPORTER, "# Report\n\nCard has 70.", 0)])
    results = {"status": "exploration_complete", "summary": "Card leads.", "insights": [],
               "executedQueries": [], "charts": [], part: value}
    body = {"question": QUESTION, "explorationResults": results}
    if part == "schema":
        body["schema"] = results.pop("schema")
    report = ann.post("/api/report", body)
    assert report.status == 200 and report.body == b"# Report\n\nCard has 70."
    assert ORDER in json.dumps([entry["body"] for entry in aimock.journal()])
    changed_nothing_told(aimock)
