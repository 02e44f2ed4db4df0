"""The requests about files: PUT /files, POST /tables, /query and /execute."""

import hashlib
import json
import os
import socket
import threading
import time

import pytest
from conftest import Server, UnixConnection, descendants
from files import (post, problem, put, query, reference, rows, table, tables,
                   types)

ORDERS = (b"id,city,amount,day\n1,Bonn,12.50,2024-01-05\n"
          b"2,Ulm,3.10,2024-02-05\n3,,0.40,2024-02-06\n")


def one_megabyte(seed):
    return b"n\n" + b"".join(b"%d\n" % (n * seed) for n in range(140_000))


def filler(seed):
    """A megabyte that is made at once."""
    return b"n\n" + b"%06d\n" % seed * 150_000


# ---- the contract -------------------------------------------------------------

def test_a_file_is_stored_once(server):
    data = b"a,b\n1,2\n" + os.urandom(4).hex().encode()
    path = "/files/" + hashlib.sha256(data).hexdigest()
    assert server.request("PUT", path, data)[0] == 201
    assert server.request("PUT", path, data)[0] == 200


def test_a_file_with_another_hash_is_refused(server):
    path = "/files/" + hashlib.sha256(b"a file that no test stores").hexdigest()
    status, answer, _ = server.request("PUT", path, b"y")
    assert status == 400 and answer["code"] == "VALIDATION_ERROR"
    assert post(server, "/tables", files=[
        {"sha256": path[7:], "filename": "x"}])[0] == 404


@pytest.mark.parametrize("path, length, status", [
    ("/files/xyz", 1, 404), ("/files/", 1, 404), ("/files/../x", 1, 404),
    ("/files/" + "A" * 64, 1, 404), ("/files/" + "a" * 64, 300 << 20, 413)])
def test_uploads_that_are_refused(server, path, length, status):
    assert server.request("PUT", path, None,
                          {"Content-Length": str(length)})[0] == status


def test_files_that_are_missing_are_named(server):
    key = hashlib.sha256(b"never sent").hexdigest()
    ref = {"name": "t", "sha256": key, "format": "csv", "sheet": None,
           "read": {}}
    for path, fields in (("/tables", {"files": [
            {"sha256": key, "filename": "x.csv"}]}),
            ("/query", {"tables": [ref], "sql": "select 1"}),
            ("/execute", {"tables": [ref], "code": "1"})):
        status, answer = post(server, path, **fields)
        assert status == 404 and answer["missing"] == [key], answer


def test_a_profile(server):
    found = table(server, ORDERS, "My Orders.csv")
    assert found["name"] == "my_orders" and found["rows"] == 3
    assert found["format"] == "csv" and found["sheet"] is None
    assert types(found) == [("id", "int8"), ("city", "text"),
                            ("amount", "numeric"), ("day", "date")]
    assert found["columns"][1] == {
        "name": "city", "type": "text", "nulls": 1, "distinct": 2,
        "min": "Bonn", "max": "Ulm", "samples": ["Bonn", "Ulm"]}
    assert found["columns"][2]["min"] == "0.40"
    assert found["sample"][2] == ["3", None, "0.40", "2024-02-06"]


def test_a_query(server):
    known = table(server, ORDERS, "orders.csv")
    answer = query(server, "select city, sum(amount) as total, count(*), "
                   "max(day) from orders group by city order by total desc",
                   known)
    assert answer["columns"] == [
        {"name": "city", "type": "text"}, {"name": "total", "type": "numeric"},
        {"name": "count", "type": "int8"}, {"name": "max", "type": "date"}]
    assert answer["rows"] == [["Bonn", "12.50", "1", "2024-01-05"],
                              ["Ulm", "3.10", "1", "2024-02-05"],
                              [None, "0.40", "1", "2024-02-06"]]
    # The server reads it as it comes.
    assert list(answer)[:2] == ["columns", "rows"]


def test_columns_have_names_of_their_own(server):
    answer = query(server, "select 1 as id, 2 as id, 3 as id, 4 as id_2")
    assert [c["name"] for c in answer["columns"]] == [
        "id", "id_3", "id_4", "id_2"]


def test_rows_and_bytes_have_limits(server):
    answer = query(server, "select r from range(11) t(r)", maxRows=10)
    assert len(answer["rows"]) == 10 and answer["moreRows"]
    answer = query(server, "select r from range(10) t(r)", maxRows=10)
    assert len(answer["rows"]) == 10 and not answer["moreRows"]
    answer = query(server, "select repeat('x', 1000) from range(100)",
                   maxBytes=10_000)
    assert len(answer["rows"]) == 9 and answer["moreRows"]
    answer = query(server, "select repeat('\u00e4', 70000), 1")
    assert answer["cutValues"] == 1 and len(answer["rows"][0][0]) == 65_536
    answer = query(server, "select repeat('x', 70000) from range(3)",
                   maxBytes=140_000)
    assert answer["cutValues"] == len(answer["rows"]) == 2 and answer["moreRows"]
    answer = query(server, "select r, 'ä' from range(3000) t(r)", maxRows=2500)
    assert [r[0] for r in answer["rows"]] == [str(r) for r in range(2500)]
    assert answer["moreRows"]


def test_errors_have_kinds_and_positions(server):
    known = table(server, ORDERS, "orders.csv")
    for sql, kind, position in (
            ("select nosuch from orders", "sql", 8),
            ("select * frm orders", "sql", None),
            ("select '\u00e4\u00e4', nosuch from orders", "sql", 14),
            ("select city::int from orders", "data", None),
            ("select sqrt(-1)", "data", None),
            ("select * from nosuch", "policy", None),
            ("delete from orders", "policy", None)):
        error = query(server, sql, known)["error"]
        assert error["kind"] == kind, error
        if position:
            assert error["position"] == position, error
        if kind == "sql":
            assert "Bonn" not in error["message"]


def test_a_query_runs_in_its_time_zone(server):
    sql = ("select t, cast(t as date) as d"
           " from (select timestamptz '2026-07-01 23:00:00+00' as t)")
    for zone, at, day in (
            ("UTC", "2026-07-01 23:00:00+00", "2026-07-01"),
            ("Europe/Berlin", "2026-07-02 01:00:00+02", "2026-07-02"),
            ("America/St_Johns", "2026-07-01 20:30:00-02:30", "2026-07-01"),
            ("Asia/Kathmandu", "2026-07-02 04:45:00+05:45", "2026-07-02")):
        assert rows(server, sql, timeZone=zone) == [[at, day]]
    assert rows(server, sql) == [["2026-07-01 23:00:00+00", "2026-07-01"]]
    error = query(server, "select 1", timeZone="Europe/Atlantis")["error"]
    assert "Atlantis" in error["message"]


def test_a_timeout(server):
    began = time.monotonic()
    # Long, and small: DuckDB keeps one side of the product in memory.
    answer = query(server, "select count(*) from range(2000000) a, "
                   "range(2000000) b where a.range * b.range = 7",
                   timeout=0.5)
    assert answer["error"]["kind"] == "timeout"
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("fields", [
    {}, {"sql": 1}, {"sql": "select 1", "tables": 1},
    {"sql": "select 1", "tables": [1]}, {"sql": "select 1", "maxRows": 0},
    {"sql": "select 1", "maxRows": True}, {"sql": "select 1", "timeout": "1"},
    {"sql": "select 1", "maxBytes": -1},
    {"sql": "select 1", "tables": [{"name": "a b", "sha256": "a" * 64,
                                    "format": "csv", "read": {}}]},
    {"sql": "select 1", "tables": [{"name": "pg_class", "sha256": "a" * 64,
                                    "format": "csv", "read": {}}]},
    {"sql": "select 1", "tables": [{"name": "t", "sha256": "../" * 20,
                                    "format": "csv", "read": {}}]},
    {"sql": "select 1", "tables": [{"name": "t", "sha256": "a" * 64,
                                    "format": "csv", "read": []}]}])
def test_a_malformed_query_is_400(server, fields):
    status, answer = post(server, "/query", **fields)
    assert status == 400 and answer["message"], answer


def test_two_files_are_two_tables(server):
    files = [{"sha256": put(server, ORDERS), "filename": "a/../x.csv"},
             {"sha256": put(server, b"k\n1\n"), "filename": "X.csv"},
             {"sha256": put(server, b""), "filename": "empty.csv"}]
    status, answer = post(server, "/tables", files=files)
    assert status == 200
    assert [t["name"] for t in answer["tables"]] == ["x", "x_2"]
    assert answer["problems"] == [{"filename": "empty.csv",
                                   "message": "The file is empty."}]
    assert rows(server, "select count(*) from x join x_2 on k = id",
                *answer["tables"]) == [["1"]]


# ---- Python --------------------------------------------------------------------

def test_tables_are_data_frames(server):
    known = table(server, ORDERS, "orders.csv")
    other = table(server, b"k,v\n1,\n2,9007199254740993\n", "other.csv")
    _, answer = post(server, "/execute", tables=[
        reference(known), reference(other)],
        code="print(list(datasets), len(orders), orders['amount'].sum(), "
        "orders['day'].dt.year[0], orders['city'].isna().sum(), "
        "other['v'][1], other['v'].dtype, 'df' in globals())")
    assert answer["stdout"] == ("['orders', 'other'] 3 16.0 2024 1 "
                                "9007199254740993 Int64 False\n"), answer
    _, answer = post(server, "/execute", tables=[reference(known)],
                     code="print(df is orders, datasets['orders'] is df)")
    assert answer["stdout"] == "True True\n"


def test_the_engine_is_usable_in_python(server):
    known = table(server, ORDERS, "orders.csv")
    _, answer = post(server, "/execute", tables=[reference(known)], code="""
import duckdb
print(duckdb.sql("select sum(id) from df").fetchone()[0])
own = duckdb.connect()
print(own.execute("select count(*) from orders").fetchone()[0])
""")
    assert answer["stdout"] == "6\n3\n", answer


def test_no_thread_and_no_file_of_the_engine_is_left(server):
    known = table(server, ORDERS, "orders.csv")
    _, answer = post(server, "/execute", tables=[reference(known)],
                     code="import threading, os\n"
                     "print(threading.active_count())\n"
                     "fds = 0\n"
                     "for fd in range(3, 100):\n"
                     "    try: os.fstat(fd); fds += 1\n"
                     "    except OSError: pass\nprint(fds)")
    assert answer["stdout"] == "1\n0\n", answer


def test_code_has_something_before_and_after(server):
    _, answer = post(server, "/execute", before="x = 20\n\n\n",
                     code="y = x + 1\nprint(y)\n1 / 0",
                     after="open('/tmp/y.json', 'w').write(str(y))",
                     take=["y.json"])
    assert answer["stdout"] == "21\n" and answer["returnCode"] == 1
    assert answer["taken"] == {"y.json": "21"}
    assert '"<analysis>", line 3' in answer["stderr"]
    assert answer["error"] == "ZeroDivisionError: division by zero"
    _, answer = post(server, "/execute", before="1 / 0", code="print('no')",
                     after="print('yes')")
    assert answer["stdout"] == "yes\n" and answer["returnCode"] == 1


HOSTILE = """
import os, sys
os.symlink('/etc/passwd', '/tmp/link')
os.symlink('/tmp/good', '/tmp/inner')
open('/tmp/good', 'w').write('good')
open('/tmp/twice', 'w').write('x'); os.link('/tmp/twice', '/tmp/twice2')
os.mkdir('/tmp/folder')
try: os.mkfifo('/tmp/fifo')
except OSError: pass
with open('/tmp/large', 'wb') as f: f.truncate(20 << 20)
with open('/tmp/bytes', 'wb') as f: f.write(b'\\xff\\0a')
"""


def test_only_plain_files_are_taken(server):
    names = ["link", "inner", "good", "twice", "folder", "fifo", "bytes",
             "absent", "large"]
    status, answer = post(server, "/execute", code=HOSTILE, take=names)
    assert status == 200, answer
    assert answer["taken"] == {"good": "good", "bytes": "\ufffd\ufffda"}
    assert "8 MiB in sum were left out: large" in answer["stderr"]


@pytest.mark.parametrize("take", [
    ["a/b"], ["../x"], [""], [".."], [1], "x", ["x"] * 17, ["x" * 300],
    ["a\0b"]])
def test_names_to_take_are_checked(server, take):
    assert post(server, "/execute", code="1", take=take)[0] == 400


def test_a_take_of_text_in_data_is_no_request(server):
    _, answer = post(server, "/execute", code="print(data['tables'])",
                     data={"tables": 1})
    assert answer["stdout"] == "1\n" and "taken" not in answer


# ---- the cache -------------------------------------------------------------------

@pytest.fixture(scope="module")
def small():
    """A server with a small cache, which loads no packages ahead."""
    server = Server(environment={"SANDBOX_CACHE_MB": "8", "SANDBOX_WARM": "0"})
    yield server.drain()
    assert server.stop() == 0


def test_what_was_used_least_recently_goes_first(small):
    first = table(small, one_megabyte(1), "first.csv")
    keys = [put(small, filler(n)) for n in range(2, 12)]
    status, answer = post(small, "/query", sql="select 1", tables=[
        {**reference(first), "read": {**first["read"], "loose": True}}])
    assert status == 404 and answer["missing"] == [first["sha256"]]
    assert post(small, "/tables", files=[
        {"sha256": keys[-1], "filename": "x"}])[0] == 200


def test_a_table_is_made_again_from_its_file(small):
    """Queries need only the table; it is made as it was read the first time."""
    known = table(small, ORDERS, "orders.csv")
    for n in range(12, 23):
        put(small, filler(n))
    status, answer = post(small, "/query", sql="select 1",
                          tables=[reference(known)])
    assert status == 404
    put(small, ORDERS)
    assert rows(small, "select sum(amount) from orders", known) == [["16.00"]]


def test_a_file_larger_than_the_cache_is_refused(small):
    data = filler(7) * 9
    path = "/files/" + hashlib.sha256(data).hexdigest()
    with UnixConnection(small.socket) as connection:
        connection.putrequest("PUT", path)
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders()
        assert connection.getresponse().status == 503


def half_upload(server, data):
    """Begins an upload; returns the open socket."""
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(server.socket)
    key = hashlib.sha256(data).hexdigest()
    sock.sendall(b"PUT /files/%s HTTP/1.1\r\nContent-Length: %d\r\n\r\n"
                 % (key.encode(), len(data)) + data[:len(data) // 2])
    return sock


def test_half_an_upload_leaves_nothing():
    server = Server(environment={"SANDBOX_WARM": "0"}).drain()
    try:
        for _ in range(3):
            half_upload(server, filler(3)).close()
        deadline = time.monotonic() + 20
        folder = next(os.path.join(server.folder, name, "cache")
                      for name in os.listdir(server.folder)
                      if name.startswith("sextant-sandbox-"))
        while time.monotonic() < deadline:
            left = [os.listdir(os.path.join(folder, name))
                    for name in ("new", "files", "open")]
            if left == [[], [], []]:
                break
            time.sleep(0.05)
        assert left == [[], [], []]
    finally:
        assert server.stop() == 0


def test_two_requests_make_the_same_tables_at_once(server):
    data = one_megabyte(11)
    known = table(server, data, "t.csv")
    known["read"]["columns"][0]["title"] = os.urandom(4).hex()  # another table
    found, threads = [], [threading.Thread(target=lambda: found.append(
        rows(server, "select count(*) from t", known))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[["140000"]]] * 4


def test_a_build_that_is_killed_leaves_nothing_and_is_tried_again():
    server = Server(environment={"SANDBOX_WARM": "0"}).drain()
    try:
        data = one_megabyte(5) * 3
        key = put(server, data)
        before = set(descendants(server.process.pid))
        answers = []
        asking = threading.Thread(target=lambda: answers.append(post(
            server, "/tables", files=[{"sha256": key, "filename": "x.csv"}])))
        asking.start()
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and asking.is_alive():
            new = {pid: count for pid, count in descendants(
                server.process.pid).items() if pid not in before}
            for pid in [p for p, count in new.items() if count > 1]:
                os.kill(pid, 9)
                deadline = 0
        asking.join()
        status, answer = answers[0]
        assert status == 200 and len(answer["problems"]) == 1, answer
        assert len(tables(server, data, "x.csv")["tables"]) == 1
    finally:
        assert server.stop() == 0


def test_tables_are_made_while_the_zygote_is_renewed():
    server = Server(environment={"SANDBOX_WARM": "0", "SANDBOX_RECYCLE": "1"}).drain()
    over = threading.Event()

    def execute():
        while not over.is_set():
            server.execute("print(1)")

    running = threading.Thread(target=execute)
    running.start()
    try:
        for n in range(12):
            table(server, b"a,b\n1,%d\n" % n)
    finally:
        over.set()
        running.join()
        assert server.stop() == 0


def test_an_upload_that_waits_for_a_word_is_answered_at_once(server):
    key = put(server, b"here already")
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(20)
        sock.connect(server.socket)
        sock.sendall(b"PUT /files/%s HTTP/1.1\r\nContent-Length: 12\r\n"
                     b"Expect: 100-continue\r\n\r\n" % key.encode())
        assert sock.recv(1000).startswith(b"HTTP/1.1 200")


def test_problems_are_sentences(server):
    assert problem(server, b"PK\3\4junk", "a.csv").endswith("Excel file.")
    assert problem(server, b"%PDF-1.4 x", "a.csv") == \
        "The file is a PDF document, not a table."


def test_tokens_guard_every_request():
    server = Server(environment={"SANDBOX_TOKEN": "x" * 32,
                                 "SANDBOX_WARM": "0"}, tcp=True).drain()
    try:
        import http.client
        port = server.ready["address"][1]
        for method, path in (("PUT", "/files/" + "a" * 64), ("POST", "/query"),
                             ("POST", "/tables"), ("POST", "/execute")):
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request(method, path, json.dumps({}))
            assert connection.getresponse().status == 401
            connection.close()
    finally:
        assert server.stop() == 0
