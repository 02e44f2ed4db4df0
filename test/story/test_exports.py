"""The whole result of a step as a file: the query runs again, is streamed, and is safe."""
import csv
import datetime
import io
import json
import os
import socket
import subprocess
import uuid

import pytest

from kit.client import Client
from kit.fixtures import model_settings, open_service
from sextant import ROOT, wait_until

MESSAGES = "/api/data-agent/messages"
QUESTION = "revenue by city in 2025"


def path(answer, step=1):
    return f"{MESSAGES}/{answer.message_id}/steps/{step}/export"


def rows_of(reply):
    assert reply.status == 200, reply.body
    return list(csv.reader(io.StringIO(reply.body.decode(), newline="")))


@pytest.fixture(scope="module")
def service(source, aimock):
    """A private server, because its database is changed directly."""
    it = open_service(source, **model_settings(aimock.url, EXPORT_MAX_ROWS=20000))
    yield it
    it.remove()


@pytest.fixture(scope="module")
def answered(service, aimock, questions):
    from kit import players
    aimock.play(players.of_questions(questions["retail"].values()))
    ann = service.client("ann@example.org")
    return ann.ask(ann.new_chat(service.ontologies["retail"], "openai"), QUESTION)


@pytest.fixture
def ran(service, answered):
    """Changes the stored query of the step."""
    def ran(sql):
        text = json.dumps([{"stepId": 1, "sqlResult": {"sql": sql}}])
        service.psql("update data_chat_messages set metadata = json_build_object("
                     f"'stepResults', $q${text}$q$::json) where id = "
                     f"'{answered.message_id}'")
        return answered
    before = service.psql("select metadata from data_chat_messages where id = "
                          f"'{answered.message_id}'")[0][0]
    yield ran
    service.psql(f"update data_chat_messages set metadata = $q${before}$q$::json "
                 f"where id = '{answered.message_id}'")


def test_the_file_holds_what_the_step_found(ann, answered):
    reply = ann.get(path(answered), format="csv")
    found = answered.metadata["stepResults"][0]["sqlResult"]
    head, *rows = rows_of(reply)
    assert head == found["columns"]
    assert [dict(zip(head, row)) for row in rows] == [
        {k: "" if v is None else str(v) for k, v in row.items()}
        for row in json.loads(found["data"])]
    assert reply.headers["content-type"] == \
        "text/csv; charset=utf-8; header=present"
    assert reply.headers["content-disposition"] == \
        f'attachment; filename="{answered.message_id[:8]}-step-1.csv"'
    assert reply.headers["x-max-rows"] == "20000"
    assert reply.body.count(b"\r\n") == len(rows) + 1


def test_formulas_quotes_and_line_ends_do_no_harm(ann, ran):
    answer = ran("select '=1+1' as a, 'x,\"y\"' as b, E'two\\nlines' as c, -5 as d,"
                 " null as e, '' as f from orders limit 1")
    assert ann.get(path(answer)).body == \
        b'a,b,c,d,e,f\r\n"\'=1+1","x,""y""","two\nlines",-5,,""\r\n'


def test_no_rows_are_a_line_of_names(ann, ran):
    answer = ran("select 1 as one, 2 as two from orders where false")
    assert ann.get(path(answer)).body == b"one,two\r\n"


def test_it_ends_at_so_many_rows(ann, ran):
    answer = ran("select n, repeat('x', 50) as x from orders, "
                 "generate_series(1, 100) n")
    assert len(rows_of(ann.get(path(answer)))) == 20001


def test_json_has_the_texts_of_the_database(ann, ran):
    answer = ran("select '=1+1' as a, 12345678901234567890.10 as b, true as c,"
                 " null as d, E'\"\\xc3\\xa4\\n' as e from orders limit 2")
    reply = ann.get(path(answer), format="json")
    assert reply.headers["content-type"] == "application/json"
    assert reply.json == {
        "columns": ["a", "b", "c", "d", "e"],
        "columnTypes": ["text", "numeric", "bool", "text", "text"],
        "rows": [["=1+1", "12345678901234567890.10", "t", None, '"ä\n']] * 2}


def test_no_rows_are_json_too(ann, ran):
    answer = ran("select 1 as one from orders where false")
    assert ann.get(path(answer), format="json").json == {
        "columns": ["one"], "columnTypes": ["int4"], "rows": []}


def test_no_more_rows_come_than_are_asked_for(ann, ran):
    answer = ran("select n from orders, generate_series(1, 100) n")
    reply = ann.get(path(answer), format="json", rows=250)
    assert reply.headers["x-max-rows"] == "250"
    assert len(reply.json["rows"]) == 250
    assert ann.get(path(answer), rows=0).status == 400


# ---- as a workbook ---------------------------------------------------------

# The sandbox's Python has openpyxl, which validates the file.
PYTHON = os.environ.get("SANDBOX_PYTHON", ROOT / "build" / "venv" / "bin" / "python")
READ = """
import io, json, sys, openpyxl
sheet = openpyxl.load_workbook(io.BytesIO(sys.stdin.buffer.read())).active
json.dump({"frozen": sheet.freeze_panes, "rows": [
    [[cell.data_type, str(cell.value) if cell.is_date else cell.value]
     for cell in row] for row in sheet.iter_rows()]}, sys.stdout)
"""


def workbook(reply):
    assert reply.status == 200, reply.body
    assert reply.headers["content-type"] == \
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert reply.headers["content-disposition"].endswith('-step-1.xlsx"')
    done = subprocess.run([PYTHON, "-c", READ], input=reply.body, check=True,
                          capture_output=True)
    return json.loads(done.stdout)


def test_a_workbook_has_the_same_rows(ann, answered):
    found = answered.metadata["stepResults"][0]["sqlResult"]
    book = workbook(ann.get(path(answered), format="xlsx"))
    head, *rows = book["rows"]
    assert book["frozen"] == "A2"
    assert [value for _, value in head] == found["columns"]
    data = json.loads(found["data"])
    assert len(rows) == len(data) > 0
    for row, wanted in zip(rows, data):
        for (_, value), name in zip(row, found["columns"]):
            if isinstance(wanted[name], str) and not isinstance(value, str):
                assert float(wanted[name]) == value
            else:
                assert wanted[name] == value


def test_cells_of_a_workbook_are_what_they_are(ann, ran):
    answer = ran("select '=1+1' as a, 12345678901234567890 as b, -1.50 as c, true as d,"
                 " date '2025-02-03' as e, timestamptz '2025-02-03 04:05:06+00' as f,"
                 " null as g, E'<&>\\n' as h, 1e300::float8 as i"
                 " from orders limit 1")
    _, cells = workbook(ann.get(path(answer), format="xlsx"))["rows"]
    assert cells == [["s", "=1+1"], ["s", "12345678901234567890"], ["n", -1.5],
                     ["b", True], ["d", str(datetime.datetime(2025, 2, 3))],
                     ["d", "2025-02-03 04:05:06"], ["n", None],
                     ["s", "<&>\n"], ["n", 1e300]]


def test_a_workbook_without_rows_has_the_names(ann, ran):
    answer = ran("select 1 as one, 2 as two from orders where false")
    assert workbook(ann.get(path(answer), format="xlsx"))["rows"] == [
        [["s", "one"], ["s", "two"]]]


# ---- what is refused, and what ends early ----------------------------------


@pytest.mark.parametrize("sql", [
    "select * from pg_catalog.pg_authid", "delete from orders",
    "select 1; select 2", "select pg_sleep(100)"])
def test_the_guard_judges_it_again(ann, ran, sql):
    reply = ann.get(path(ran(sql)))
    assert (reply.status, reply.code) == (409, "CONFLICT")
    assert "attachment" not in str(reply.headers)


def test_a_query_that_does_not_run_any_more_is_409(ann, ran):
    reply = ann.get(path(ran("select no_such_column from orders")))
    assert reply.status == 409 and "no_such_column" in reply.json["message"]


def test_what_fails_on_its_way_is_cut(ann, ran):
    """A client must be able to notice a truncated file."""
    answer = ran("select 1 / (15000 - n) as x from generate_series(1, 20000) n "
                 "where exists (select from orders)")
    with pytest.raises(Exception) as cut:
        ann.get(path(answer))
    assert cut.typename in ("IncompleteRead", "ConnectionResetError")


def test_a_client_that_goes_away_stops_the_query(service, source, ann, ran):
    answer = ran("select n, repeat('x', 10000) as x from orders, "
                 "generate_series(1, 100000) n")
    request = (f"GET {path(answer)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
               f"{ann.token}\r\n\r\n").encode()
    with socket.create_connection((ann.host, ann.port)) as s:
        s.sendall(request)
        assert s.recv(100).startswith(b"HTTP/1.1 200")
        assert source.busy("retail", "''x'', 10000")
    source.wait_idle("retail", "''x'', 10000")
    assert len(rows_of(ann.get(path(ran("select 1 as x from orders limit 3"))))) \
        == 4


def test_three_at_once_are_one_too_many(ann, ran):
    answer = ran("select n, repeat('x', 10000) as x from orders, "
                 "generate_series(1, 100000) n")
    request = (f"GET {path(answer)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
               f"{ann.token}\r\n\r\n").encode()
    held = []
    try:
        for _ in range(2):
            s = socket.create_connection((ann.host, ann.port))
            held.append(s)
            s.sendall(request)
            assert s.recv(100).startswith(b"HTTP/1.1 200")
        reply = ann.get(path(answer))
        assert (reply.status, reply.code) == (429, "RATE_LIMITED")
        assert reply.headers["retry-after"]
    finally:
        for s in held:
            s.close()
    wait_until(lambda: ann.get(path(answer, 2)).status == 404)


def test_only_ones_own_answers_and_steps_with_sql(service, ann, answered):
    bob, anyone = service.client("bob@example.org"), Client(service.url)
    assert bob.get(path(answered)).status == 404
    assert anyone.get(path(answered)).status == 401
    for at in (path(answered, 2), path(answered, "x"), path(answered, -1),
               f"{MESSAGES}/{uuid.uuid4()}/steps/1/export"):
        assert ann.get(at).status == 404
    assert ann.get(path(answered), format="xls").fields() == {"format"}
