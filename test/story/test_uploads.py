"""Uploads: files as they come, their limits, removal with undo, halves that are swept, and
what they cost the worker."""
import hashlib
import json
import os
import signal
import socket
import threading
import time
import urllib.parse
import uuid

import pytest

from kit.file_sandbox import FileSandbox
from kit.server import Server
from sextant import wait_until

ORDERS = b"city,amount\nOslo,1\nRome,2\nOslo,3\n"
CITIES = b"city,country\nOslo,NO\nRome,IT\n"
MIB = 1 << 20


@pytest.fixture(scope="module")
def sandbox():
    it = FileSandbox()
    yield it
    it.close()


def serve(sandbox, **settings):
    return Server(SANDBOX_URL=sandbox.url, **settings).start()


@pytest.fixture(scope="module")
def server(sandbox):
    it = serve(sandbox)
    yield it
    it.remove()


@pytest.fixture(scope="module")
def small(sandbox):
    """A server with low limits."""
    it = serve(sandbox, FILE_MAX_BYTES=2 * MIB, FILES_USER_BYTES=3 * MIB)
    yield it
    it.remove()


def form(*files, **fields):
    """(headers, body) of a form with files as (name, bytes)."""
    edge = uuid.uuid4().hex
    parts = [f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
             f"{value}\r\n".encode() for name, value in fields.items()]
    for name, data in files:
        parts.append(
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; '
            f'filename="{name}"\r\nContent-Type: text/csv\r\n\r\n'.encode() +
            data + b"\r\n")
    parts.append(f"--{edge}--\r\n".encode())
    return {"Content-Type": f"multipart/form-data; boundary={edge}"}, b"".join(parts)


class User:
    def __init__(self, server, email=None, role="contributor"):
        self.server = server
        self.token = server.token_of(email or f"{uuid.uuid4().hex[:8]}@example.org", role)

    def call(self, method, path, body=None, headers=None):
        status, headers, raw = self.server.request(method, path, self.token, body, headers)
        return status, headers, json.loads(raw) if raw else None

    def upload(self, *files, **fields):
        headers, body = form(*files, **fields)
        return self.call("POST", "/datasets", body, headers)

    def raw(self, name, data):
        return self.call("POST", "/datasets?name=" + urllib.parse.quote(name), data,
                         {"Content-Type": "text/csv"})

    def dataset(self, name="orders.csv", data=ORDERS):
        status, _, body = self.raw(name, data)
        assert status == 201, body
        return body

    def names(self):
        status, _, body = self.call("GET", "/datasets")
        assert status == 200
        return [item["name"] for item in body["datasets"]]


@pytest.fixture
def ann(server):
    return User(server)


def refused(answer, status, words):
    got, _, body = answer
    assert got == status, body
    assert body["statusCode"] == status and body["detail"] == body["message"]
    assert words in body["message"], body["message"]


def left_behind(server):
    """Rows of files that no shown dataset has; those of failed uploads go at once."""
    return server.psql(
        "select (select count(*) from file_sets where status = 'uploading'),"
        " (select count(*) from file_chunks k where not exists (select from files f"
        "   join file_sets s on s.id = f.file_set_id where f.id = k.file_id"
        "   and s.status <> 'uploading'))")


# ---- uploads ------------------------------------------------------------------------


def test_a_raw_body_is_a_dataset(server, ann):
    made = ann.dataset()
    assert made["name"] == "orders" and made["rows"] == 3 and made["bytes"] == len(ORDERS)
    assert made["file_count"] == 1 and made["problems"] == []
    assert made["status"] in ("preparing", "ready", "failed")
    assert made["prompts"] == ["How many orders per city?", "How many orders per amount?"]
    status, _, listed = ann.call("GET", "/datasets")
    assert status == 200 and listed["total"] == 1
    shown = listed["datasets"][0]
    assert {"id", "name", "description", "prompts", "version_hash"} <= shown.keys()
    assert shown["id"] == made["id"] and shown["description"] is None
    status, _, one = ann.call("GET", f"/datasets/{made['id']}")
    assert status == 200 and one["version_hash"] == hashlib.sha256(
        hashlib.sha256(ORDERS).hexdigest().encode()).hexdigest()


def test_a_form_with_several_files_is_one_dataset(server, ann):
    status, _, made = ann.upload(("orders.csv", ORDERS), ("cities.csv", CITIES),
                                 name="Sales", description="of 2025")
    assert status == 201, made
    assert made["name"] == "Sales" and made["description"] == "of 2025"
    assert made["file_count"] == 2 and made["rows"] == 5
    status, _, schema = ann.call("GET", f"/datasets/{made['id']}/schema")
    assert status == 200 and schema["dataset_id"] == made["id"]
    orders, cities = schema["files"]
    assert orders["name"] == "orders.csv" and orders["table_name"] == "orders"
    assert orders["schema"] == {"city": "text", "amount": "text"}
    assert orders["sample_rows"][0] == {"city": "Oslo", "amount": "1"}
    assert orders["rows"] == 3 and cities["columns"][1]["name"] == "country"


def test_large_files_arrive_unchanged(server, sandbox, ann):
    data = b"a,b\n" + b"".join(b"%d,%d\r\n" % (i, i * i) for i in range(250_000))
    assert len(data) > 3 * MIB
    for size in (len(data), 2 * MIB, 2 * MIB + 1, MIB - 1):
        piece = data[:size]
        sandbox.files.clear()
        made = ann.upload(("big.csv", piece))[2]
        assert made["bytes"] == size
        assert list(sandbox.files.values()) == [piece]
    sizes = server.psql("select distinct octet_length(bytes) from file_chunks"
                        f" where octet_length(bytes) > {MIB}")
    assert sizes == []


def test_names_have_no_folders(server, ann):
    for name in ("../x.csv", "/etc/x.csv", "a/../../x.csv", "C:\\\\data\\\\x.csv"):
        status, _, made = ann.upload((name, ORDERS))
        assert status == 201 and made["name"] == "x", made
        file = ann.call("GET", f"/datasets/{made['id']}/schema")[2]["files"][0]
        assert file["name"] == "x.csv"
    for name in ("..", "a/", "x\ty.csv", "é" * 200 + ".csv"):
        refused(ann.upload((name, ORDERS)), 400, "name")
    refused(ann.upload(("a.csv", ORDERS), ("../a.csv", CITIES)), 400, "Two of the files")


def test_a_file_that_cannot_be_read_is_left_out(server, ann):
    status, _, made = ann.upload(("orders.csv", ORDERS), ("x.csv", b"PK\3\4zip"))
    assert status == 201 and made["file_count"] == 1
    assert made["problems"] == [{"filename": "x.csv", "message": "The file is a ZIP archive."}]


def test_without_any_table_nothing_is_stored(server, ann):
    refused(ann.raw("x.csv", b"PK\3\4"), 422, "x.csv: The file is a ZIP archive.")
    refused(ann.raw("x.csv", b"a,b\n"), 422, "no rows")
    refused(ann.raw("x.csv", b""), 400, "no file")
    refused(ann.upload(("x.csv", b"")), 422, "x.csv is empty")
    refused(ann.upload(name="x"), 400, "no file")
    assert ann.names() == []
    assert left_behind(server) == [["0", "0"]]


def test_bodies_that_are_no_upload(server, ann):
    refused(ann.call("POST", "/datasets", b"x", {"Content-Type": "text/csv"}), 415, "?name=")
    refused(ann.call("POST", "/datasets", {"a": 1}), 415, "multipart/form-data")
    refused(ann.call("POST", "/datasets", b"x", {"Content-Type": "multipart/form-data"}),
            400, "boundary")
    refused(ann.call("POST", "/datasets?name=a.csv", b"x",
                     {"Content-Encoding": "gzip", "Content-Type": "text/csv"}), 415,
            "compressed")
    headers, body = form(("a.csv", ORDERS))
    refused(ann.call("POST", "/datasets", body[:-30], headers), 400, "ended")
    refused(ann.call("POST", "/datasets", body.replace(b"form-data;", b"form-data; name=b;"),
                     headers), 400, "two names")
    refused(ann.upload(("a.csv", ORDERS), name="n" * 256), 400, "255")
    assert left_behind(server) == [["0", "0"]]


# ---- limits -------------------------------------------------------------------------


def test_a_file_that_is_too_large(small):
    ann = User(small)
    refused(ann.raw("a.csv", b"x" * (2 * MIB + 1)), 413, "bytes")  # by its length
    refused(ann.upload(("a.csv", b"x" * (2 * MIB + 1))), 413,
            "a.csv is larger than 2 MiB")
    assert left_behind(small) == [["0", "0"]]


def test_the_files_of_a_user_together(small):
    ann, bob = User(small), User(small)
    data = ORDERS + b"x,1\n" * (MIB // 2 - 100)
    first = ann.dataset(data=data[:2 * MIB])
    refused(ann.raw("b.csv", data[:2 * MIB]), 413, "more than 3 MiB together")
    bob.dataset(data=data[:2 * MIB])
    assert ann.call("DELETE", f"/datasets/{first['id']}")[0] == 204
    ann.dataset(data=data[:2 * MIB])


def test_33_files(server, ann):
    files = [(f"f{i}.csv", ORDERS) for i in range(33)]
    refused(ann.upload(*files), 400, "at most 32 files")
    status, _, made = ann.upload(*files[:32])
    assert status == 201 and made["file_count"] == 32


# ---- who may ------------------------------------------------------------------------


def test_refusals_come_before_the_body(server):
    viewer = User(server, role="viewer")
    at = urllib.parse.urlsplit(server.url)
    for token, status in (("x", 401), (viewer.token, 403)):
        with socket.create_connection((at.hostname, at.port), 30) as s:
            s.sendall(f"POST /datasets?name=a.csv HTTP/1.1\r\nHost: a\r\n"
                      f"Authorization: Bearer {token}\r\nExpect: 100-continue\r\n"
                      f"Content-Length: {200 * MIB}\r\n\r\n".encode())
            assert s.recv(65536).startswith(f"HTTP/1.1 {status} ".encode())


def test_a_client_that_sends_all_before_it_reads_sees_the_refusal(server):
    status, headers, _ = User(server, role="viewer").raw("a.csv", b"x" * (64 * MIB))
    assert status == 403 and headers["connection"] == "close"


def test_others_do_not_see_it(server, ann):
    made, bob, admin = ann.dataset(), User(server), User(server, role="admin")
    for path in ("", "/schema"):
        assert bob.call("GET", f"/datasets/{made['id']}{path}")[0] == 404
        assert admin.call("GET", f"/datasets/{made['id']}{path}")[0] == 200
    assert bob.call("DELETE", f"/datasets/{made['id']}")[0] == 404
    assert bob.names() == []
    assert User(server, role="viewer").names() == []


def test_ids(ann):
    refused(ann.call("GET", "/datasets/x"), 400, "")
    refused(ann.call("GET", f"/datasets/{uuid.uuid4()}"), 404, "Dataset not found")


# ---- the sandbox --------------------------------------------------------------------


def test_without_a_sandbox_it_is_503():
    server = Server(SANDBOX_URL="off").start()
    try:
        ann = User(server)
        status, headers, body = ann.raw("a.csv", ORDERS)
        assert status == 503 and int(headers["retry-after"]) >= 1
        assert "sandbox" in body["detail"]
        assert ann.names() == []
    finally:
        server.remove()


@pytest.mark.parametrize("reply", [(500, {}), (200, []), (200, {"tables": [{}]}),
                                   (404, {"missing": ["0" * 64]}), (404, {})])
def test_a_sandbox_that_fails_leaves_nothing_behind(server, sandbox, ann, reply):
    if reply[1] == {"tables": [{}]}:
        reply = (200, {"tables": [{"name": "DROP TABLE", "filename": "orders.csv"}]})
    sandbox.reply = reply
    try:
        status, headers, body = ann.raw("orders.csv", ORDERS)
        assert status == 503 and "retry-after" in headers, body
    finally:
        sandbox.reply = None
    assert left_behind(server) == [["0", "0"]]


def test_a_sandbox_that_restarts_is_asked_again(server, sandbox, ann):
    sandbox.busy = 2
    ann.upload(("orders.csv", ORDERS))
    assert sandbox.busy == 0


def test_a_sandbox_that_loses_files_gets_them_again(server, sandbox, ann):
    sandbox.forgets = 1
    sandbox.files.clear()
    before = len(sandbox.requests)
    ann.upload(("orders.csv", ORDERS), ("cities.csv", CITIES))
    kinds = [kind for kind, _ in sandbox.requests[before:]]
    assert kinds.count("PUT") == 2 and kinds[-1] == "POST"


# ---- removal ------------------------------------------------------------------------


def test_delete_and_undo(server, ann):
    made = ann.dataset()
    path = f"/datasets/{made['id']}"
    assert ann.call("DELETE", path)[0] == 204
    assert ann.call("GET", path)[0] == 404 and ann.names() == []
    assert ann.call("DELETE", path)[0] == 404
    assert User(server).call("POST", path + "/restore")[0] == 404
    status, _, back = ann.call("POST", path + "/restore")
    assert status == 200 and back["id"] == made["id"]
    assert ann.names() == ["orders"]
    assert ann.call("POST", path + "/restore")[0] == 404
    actions = server.psql("select action from audit_events where target = "
                          f"'{made['id']}' order by id")
    assert [a for a, in actions] == ["file_set.uploaded", "file_set.deleted",
                                     "file_set.restored"]


def test_what_was_deleted_is_swept(server, ann):
    made = ann.dataset()
    ann.call("DELETE", f"/datasets/{made['id']}")
    server.psql("update file_sets set deleted_at = now() - interval '61 s'"
                f" where id = '{made['id']}'")
    assert ann.call("POST", f"/datasets/{made['id']}/restore")[0] == 404
    wait_until(lambda: server.psql("select count(*) from file_sets where id = "
                                   f"'{made['id']}'") == [["0"]], 150, "the sweep")
    assert left_behind(server) == [["0", "0"]]


# ---- half uploads -------------------------------------------------------------------


def half_upload(server, token, sent=3 * MIB):
    """An open connection that has sent a part of its file."""
    at = urllib.parse.urlsplit(server.url)
    s = socket.create_connection((at.hostname, at.port), 60)
    s.sendall(f"POST /datasets?name=half.csv HTTP/1.1\r\nHost: a\r\n"
              f"Authorization: Bearer {token}\r\n"
              f"Content-Length: {10 * MIB}\r\n\r\n".encode() + b"x" * sent)
    wait_until(lambda: server.psql("select count(*) from file_chunks k join files f"
                                   " on f.id = k.file_id where f.name = 'half.csv'")
               != [["0"]], what="a chunk")
    return s


def test_an_upload_that_is_cut_leaves_nothing_behind(server, ann):
    half_upload(server, ann.token).close()
    wait_until(lambda: left_behind(server) == [["0", "0"]], what="its removal")
    assert ann.names() == []


def test_an_upload_whose_process_dies_is_swept(sandbox):
    server = serve(sandbox)
    try:
        ann = User(server)
        s = half_upload(server, ann.token)
        os.kill(server.worker(), signal.SIGKILL)
        s.close()
        wait_until(server.healthy, what="another worker")
        assert server.psql("select count(*) from file_sets") == [["1"]]
        assert ann.names() == []
        server.psql("update file_sets set updated_at = now() - interval '11 min'")
        wait_until(lambda: server.psql("select count(*) from file_sets") == [["0"]],
                   150, "the sweep")
        assert server.psql("select count(*) from file_chunks") == [["0"]]
        ann.dataset()
    finally:
        server.remove()


def test_what_one_server_took_another_shows(sandbox, source):
    source.make_role("uploader")
    source.psql("postgres", "create database uploads owner uploader")
    url = source.url("uploads", "uploader")
    first = serve(sandbox, DATABASE_URL=url, JWT_SECRET="s" * 40)
    second = serve(sandbox, DATABASE_URL=url, JWT_SECRET="s" * 40)
    try:
        ann = User(first)
        made = ann.dataset()
        ann.server = second
        assert ann.call("GET", f"/datasets/{made['id']}")[2]["rows"] == 3
        assert ann.call("DELETE", f"/datasets/{made['id']}")[0] == 204
        ann.server = first
        assert ann.names() == []
    finally:
        first.remove()
        second.remove()


# ---- backup -------------------------------------------------------------------------


def test_backup_and_restore_carry_files(sandbox, tmp_path):
    first, second = serve(sandbox), Server(SANDBOX_URL=sandbox.url)
    try:
        ann = User(first, "ann@example.org")
        data = ORDERS + b"x,1\n" * MIB
        made = ann.dataset(data=data)
        first.run("backup", tmp_path / "backup")
        second.run("restore", tmp_path / "backup")
        second.start()
        ann.server = second
        assert ann.call("GET", f"/datasets/{made['id']}")[2]["bytes"] == len(data)
        chunks = "select n, md5(bytes) from file_chunks order by n"
        assert second.psql(chunks) == first.psql(chunks) and len(first.psql(chunks)) == 5
    finally:
        first.remove()
        second.remove()


# ---- what it costs ------------------------------------------------------------------


def resident(pid, field="VmRSS"):
    with open(f"/proc/{pid}/status") as file:
        for line in file:
            if line.startswith(field):
                return int(line.split()[1]) * 1024


def test_a_250_mb_upload_costs_little_memory(server, sandbox, ann):
    """Printed; asserted loosely, because a machine may be busy."""
    ann.dataset()  # so that what is allocated once is there
    size, piece = 250_000_000, b"0123456789,abcdefgh\n" * 5000
    worker, times, stop = server.worker(), [], threading.Event()
    before, most = resident(worker), 0

    def watch():
        nonlocal most
        while not stop.wait(0.05):
            begin = time.monotonic()
            connection = server.connection()
            connection.request("GET", "/healthz")
            assert connection.getresponse().read()
            connection.close()
            times.append((time.monotonic() - begin) * 1000)
            most = max(most, resident(worker))

    def pieces():
        left = size
        while left:
            n = min(left, len(piece))
            left -= n
            yield piece[:n]

    watcher = threading.Thread(target=watch)
    watcher.start()
    sandbox.keeps_bytes = False
    real, sandbox.table = sandbox.table, lambda file: {
        "name": "big", "sha256": file["sha256"], "filename": file["filename"],
        "sheet": None, "format": "csv", "read": {}, "rows": 1, "columns":
        [{"name": "a", "type": "text"}], "sample": [], "notes": []}
    began = time.monotonic()
    try:
        connection = server.connection(timeout=300)
        connection.request("POST", "/datasets?name=big.csv", pieces(),
                           {"Authorization": f"Bearer {ann.token}",
                            "Content-Length": str(size)}, encode_chunked=False)
        response = connection.getresponse()
        body = response.read()
        assert response.status == 201, body
    finally:
        sandbox.table, sandbox.keeps_bytes = real, True
        stop.set()
        watcher.join()
    took = time.monotonic() - began
    times.sort()
    print(f"\n250 MB in {took:.1f} s; the worker grew by {(most - before) / 1e6:.1f} MB; "
          f"/healthz: median {times[len(times) // 2]:.1f} ms, worst {times[-1]:.1f} ms")
    assert most - before < 16_000_000
    assert times[len(times) // 2] < 50
    assert json.loads(body)["bytes"] == size


# ---- the command line ---------------------------------------------------------------


def test_import_makes_a_dataset(server, tmp_path):
    for name, data in (("orders.csv", ORDERS), ("cities.csv", CITIES), ("x.csv", b"PK\3\4"),
                       ("empty.csv", b"")):
        (tmp_path / name).write_bytes(data)
    done = server.run("import", "--file", tmp_path / "orders.csv",
                      f"--file={tmp_path / 'cities.csv'}", "--file", tmp_path / "x.csv",
                      "--name", "From the shell")
    assert "orders, from orders.csv: 3 rows, 2 columns (city text, amount text)" in done.stderr
    assert "x.csv was left out: The file is a ZIP archive." in done.stderr
    ontology = done.stdout.strip()
    made = [d for d in User(server, role="viewer").call("GET", "/datasets")[2]["datasets"]
            if d["name"] == "From the shell"]  # it is shared
    assert [d["ontology_id"] for d in made] == [ontology] and made[0]["status"] == "ready"
    User(server, role="admin").call("DELETE", f"/datasets/{made[0]['id']}")


@pytest.mark.parametrize("arguments,words", [
    (["empty.csv"], "empty.csv is empty"), (["."], "is not a file"),
    (["none.csv"], "No such file"), (["x.csv"], "ZIP"),
    (["orders.csv", "orders.csv"], "Two of the files"),
    (["orders.csv", "--check"], "--file takes only")])
def test_import_says_what_is_wrong(server, tmp_path, arguments, words):
    for name, data in (("orders.csv", ORDERS), ("x.csv", b"PK\3\4"), ("empty.csv", b"")):
        (tmp_path / name).write_bytes(data)
    flags = [part for a in arguments for part in
             ([a] if a.startswith("--") else ["--file", tmp_path / a])]
    done = server.run("import", *flags, check=False)
    assert done.returncode != 0 and words in done.stderr, done.stderr
    assert left_behind(server) == [["0", "0"]]
