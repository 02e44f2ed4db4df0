"""SQL that wants more than to read its tables."""

import threading
import time

import pytest
from attack_statements import BOMBS, STATEMENTS
from conftest import CANARY
from files import post, query, reference, rows, table

DATA = b"n,s\n1,secret\n2,b\n"


@pytest.fixture(scope="module")
def known(server):
    return table(server, DATA, "t.csv")


def test_the_list_is_long():
    assert len(set(STATEMENTS)) >= 120


@pytest.mark.parametrize("sql", STATEMENTS)
def test_is_refused(server, known, sql):
    answer = query(server, sql, known)
    error = answer["error"]
    assert error and error["kind"] in ("policy", "sql"), answer
    assert answer["rows"] == [] and answer["columns"] == []
    assert 0 < len(error["message"]) < 700
    for told in ("/data", "/tmp/sandbox", "root:", CANARY, "_0.", "duckdb_",
                 "secret\"", "\n"):
        assert told not in error["message"] or told in sql, error


@pytest.mark.parametrize("sql", [
    "select n from t -- x", "select n from t;", "select n from t ; -- x",
    "/* x */ select n from t /* y", "(select n from t)", "from t select n",
    "table t", "with t as (select 5 as n) select n from t",
    "select n from main.t", "SELECT N FROM T", "select * from t as x(n, m)",
    "select n from t where s <> ';'", "values (1), (2)",
    "select n from t union all select 3 order by 1",
    "select * from (select n from t) as q where n > 0",
    "pivot t on s using sum(n)"])
def test_is_allowed_or_refused_by_the_parser(server, known, sql):
    error = query(server, sql, known)["error"]
    if error:
        assert "/* y" in sql or sql.startswith("pivot"), error


def test_a_comment_cannot_end_the_limit(server, known):
    answer = query(server, "select r from range(5000) q(r) -- ", known,
                   maxRows=10)
    assert len(answer["rows"]) == 10 and answer["moreRows"]


@pytest.mark.parametrize("expression", [
    "timezone(s, now())", "now() at time zone s", "date_part(s, now())",
    "s::date", "'x' like 'x' escape s", "regexp_matches('x', '(' || s)",
    "format('{' || s || '}', 1)", "json_extract('{}', '$[' || s)",
    "from_base64(s)", "(s || 'x')::uuid"])
def test_what_reading_rows_raises_is_data(server, known, expression):
    """Such a message may quote values, so it is never one about the text."""
    error = query(server, f"select {expression} from t", known)["error"]
    assert error["kind"] == "data" and error["position"] is None, error


def test_nesting_is_bounded(server, known):
    for sql in ("select " + "(" * 20000 + "1" + ")" * 20000,
                "select " + "-" * 3 + "1",
                "select " + "+".join(["1"] * 40000),
                "select " + "not " * 20000 + "true",
                "select * from " + "(select * from " * 3000 + "t" + ")" * 3000,
                " union all ".join(["select 1"] * 5000),
                "select " + "[" * 5000 + "]" * 5000,
                "x" * 300_000):
        error = query(server, sql, known, timeout=30)["error"]
        assert error is None or error["kind"] in ("policy", "sql", "memory",
                                                  "timeout"), error
    assert rows(server, "select 1") == [["1"]]


class Neighbour:
    """Asks a small question again and again."""

    def __init__(self, server, known):
        self.over, self.failures, self.runs = threading.Event(), [], 0
        self.server, self.known = server, known
        self.thread = threading.Thread(target=self._live)
        self.thread.start()

    def _live(self):
        while not self.over.is_set():
            try:
                assert rows(self.server, "select sum(n) from t",
                            self.known, timeout=60) == [["3"]]
                self.runs += 1
            except Exception as error:
                self.failures.append(repr(error))
            self.over.wait(0.2)

    def end(self):
        self.over.set()
        self.thread.join()


@pytest.fixture(scope="module")
def neighbour(server, known):
    neighbour = Neighbour(server, known)
    yield neighbour
    neighbour.end()


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_and_hurts_nobody(server, known, neighbour, name):
    began = time.monotonic()
    answer = query(server, BOMBS[name], known, timeout=1.5)
    assert answer["error"], answer["rows"][:3]
    assert answer["error"]["kind"] in ("memory", "timeout", "data"), answer
    assert time.monotonic() - began < 60
    assert not neighbour.failures, neighbour.failures[:3]
    assert server.health()[0] == 200


def test_another_file_cannot_be_read_without_its_name(server, known):
    """A program sees its own tables and no other file of the cache."""
    other = table(server, b"a\nthe-secret-of-another\n", "other.csv")
    code = """
import os
for place in ('/data', '/data/..', '/tmp', '/cache', '/slots'):
    try:
        print(place, os.listdir(place))
    except OSError as error:
        print(place, type(error).__name__)
for name in (%r, '.', 'files', '../files'):
    try:
        print(open('/data/' + name, 'rb').read()[:100])
    except OSError as error:
        print(type(error).__name__)
""" % other["sha256"]
    status, answer = post(server, "/execute", code=code, tables=[
        reference(known)])
    assert status == 200 and "the-secret" not in answer["stdout"], answer
    first = answer["stdout"].splitlines()[0]
    assert first in ("/data PermissionError", "/data FileNotFoundError")
