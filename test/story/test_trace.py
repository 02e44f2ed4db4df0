"""One trace from a request to everything that it causes (W3C Trace Context), in headers
and log lines."""
import json
import re

import pytest

from kit.client import Stream
from sextant import wait_until

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
QUESTION = "revenue by city in 2025"


def log_lines(service):
    return [json.loads(line) for line in service.log_text().splitlines()
            if line.startswith("{")]


def of_trace(service, trace, message):
    return [line for line in log_lines(service)
            if line.get("traceId") == trace and line["msg"] == message]


def start(client, retail, provider, traceparent=None):
    chat = client.new_chat(retail, provider)
    _, message = client.new_message(chat, QUESTION)
    stream = client.stream(
        "POST", f"/api/data-agent/chats/{chat}/messages/{message}/stream",
        headers={"traceparent": traceparent, "X-Request-Id": message})
    assert isinstance(stream, Stream), stream.body
    assert stream.finish()[-1].type == "message_complete"
    return message


@pytest.fixture(scope="module")
def traced(service, aimock, play, retail):
    """(the run's id, what its models were asked)"""
    play("retail")
    aimock.forget()
    client = service.client("traced@example.org")
    return start(client, retail, "openai", PARENT), aimock.journal()


def test_model_calls_are_children_of_the_request(traced):
    _, asked = traced
    spans = set()
    for entry in asked:
        headers = {k.lower(): v for k, v in entry["headers"].items()}
        version, trace, span, flags = headers["traceparent"].split("-")
        assert (version, trace, flags) == ("00", TRACE, "01")
        assert re.fullmatch("[0-9a-f]{16}", span) and span not in PARENT
        assert "tracestate" not in headers
        spans.add(span)
    assert len(spans) == len(asked) > 3


def test_request_run_and_sandbox_say_so_in_the_log(service, traced):
    message, _ = traced
    def request():
        return [line for line in of_trace(service, TRACE, "request")
                if line["requestId"] == message]
    wait_until(request, what="the request's line")
    over = wait_until(lambda: of_trace(service, TRACE, "run over"),
                      what="the run's line")
    assert [line["run"] for line in over] == [message]
    executions = wait_until(lambda: of_trace(service, TRACE, "execution"),
                            what="the sandbox's line")
    spans = [line["spanId"] for line in [*request(), *over, *executions]]
    assert len(set(spans)) == len(spans) and "00f067aa0ba902b7" not in spans


@pytest.mark.parametrize("bad", ["nonsense", PARENT.upper(), PARENT + "-",
                                 f"00-{'0' * 32}-00f067aa0ba902b7-01"])
def test_a_malformed_header_begins_a_new_trace(service, bad):
    client = service.client("traced@example.org")
    name = re.sub("[^a-z0-9]", "", bad.lower())[-20:]
    client.request("GET", "/api/data-agent/chats",
                   headers={"traceparent": bad, "X-Request-Id": f"bad-{name}"})
    def found():
        return [line for line in log_lines(service)
                if line.get("requestId") == f"bad-{name}"]
    line = wait_until(found, what="the request's line")[0]
    assert re.fullmatch("[0-9a-f]{32}", line["traceId"])
    assert line["traceId"] not in (TRACE, "0" * 32)


def test_every_line_of_the_log_is_one_object(service, traced):
    """PostgreSQL's too; only the first password is a line of text, for people."""
    text = service.log_text().splitlines()
    plain = [line for line in text if not line.startswith("{")]
    assert [line.startswith("The first admin is ") for line in plain] == [True]
    lines = [json.loads(line) for line in text if line not in plain]
    assert any("ready to accept connections" in line["detail"]
               for line in lines if line["msg"] == "postgres")
    for line in lines:
        assert {"time", "level", "msg"} <= line.keys(), line
        assert line["time"].endswith(("Z", "+00:00"))
