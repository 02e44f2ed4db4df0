"""Clients of the sandbox for tests about files."""

import hashlib
import json


def put(server, data):
    """Stores bytes; returns their hash."""
    key = hashlib.sha256(data).hexdigest()
    status, answer, _ = server.request("PUT", "/files/" + key, data)
    assert status in (200, 201), answer
    return key


def post(server, path, **fields):
    status, answer, _ = server.request("POST", path, json.dumps(fields))
    return status, answer


def tables(server, data, filename, **fields):
    """Profiles one file: the whole answer."""
    status, answer = post(server, "/tables", files=[
        {"sha256": put(server, data), "filename": filename}], **fields)
    assert status == 200, answer
    return answer


def table(server, data, filename="t.csv"):
    """Profiles a file that has one table."""
    answer = tables(server, data, filename)
    assert not answer["problems"], answer["problems"]
    assert len(answer["tables"]) == 1
    return answer["tables"][0]


def problem(server, data, filename="t.csv"):
    """The sentence about a file that has no table."""
    answer = tables(server, data, filename)
    assert not answer["tables"] and len(answer["problems"]) == 1, answer
    assert answer["problems"][0]["filename"] == filename
    return answer["problems"][0]["message"]


def reference(table):
    return {k: table[k] for k in ("name", "sha256", "format", "sheet", "read")}


def query(server, sql, *known, **fields):
    fields.setdefault("maxRows", 1000)
    status, answer = post(server, "/query", sql=sql,
                          tables=[reference(t) for t in known], **fields)
    assert status == 200, answer
    assert set(answer) == {"columns", "rows", "moreRows", "cutValues",
                           "executionTimeMs", "error"}
    return answer


def rows(server, sql, *known, **fields):
    answer = query(server, sql, *known, **fields)
    assert answer["error"] is None, answer["error"]
    return answer["rows"]


def types(table):
    return [(c["name"], c["type"]) for c in table["columns"]]
