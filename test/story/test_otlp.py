"""Traces for an OpenTelemetry collector: what they say, what they never say, and what a
collector that misbehaves does to runs."""
import re
import secrets
import signal
import time

import pytest

from kit.client import Client
from kit.collector import Collector
from kit.fixtures import model_settings, open_service
from sextant import wait_until

QUESTION = "revenue by city in 2025"
PARENT = "00f067aa0ba902b7"
INTERNAL, SERVER, CLIENT = 1, 2, 3
HEADERS = "x-api-key=tell-no-one,authorization=Bearer%20s3cret"


@pytest.fixture(scope="module")
def collector():
    it = Collector()
    yield it
    it.close()


@pytest.fixture(scope="module")
def exporting(source, aimock, collector):
    it = open_service(source, **model_settings(
        aimock.url, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url + "/",
        OTEL_EXPORTER_OTLP_HEADERS=HEADERS, OTEL_SERVICE_NAME="shop-agent",
        OTEL_RESOURCE_ATTRIBUTES="deployment.environment.name=test,team=data%20people",
        OTEL_BSP_SCHEDULE_DELAY=50, RUNS_PER_USER=0))
    yield it
    it.remove()


def ask(service, provider="openai", flags="01", question=QUESTION, agent="pipeline"):
    """(trace, chat, message)"""
    client = service.client("otlp@example.org")
    trace = secrets.token_hex(16)
    chat = client.new_chat(service.ontologies["retail"], provider, agent=agent) \
        if agent != "pipeline" else client.new_chat(service.ontologies["retail"], provider)
    _, message = client.new_message(chat, question)
    stream = client.stream(
        "POST", f"/api/data-agent/chats/{chat}/messages/{message}/stream",
        headers={"traceparent": f"00-{trace}-{PARENT}-{flags}"})
    assert stream.finish()[-1].type == "message_complete"
    return trace, chat, message


@pytest.fixture(scope="module")
def told(exporting, collector, aimock, play):
    """(spans, chat, message, what the models were asked)"""
    play("retail")
    aimock.forget()
    trace, chat, message = ask(exporting)
    return collector.of(trace), chat, message, aimock.journal()


def named(spans, start):
    return [s for s in spans if s.name.startswith(start)]


def test_the_resource_says_who_it_is(told, collector):
    for resource in collector.resources:
        assert resource["service.name"] == "shop-agent"
        assert resource["deployment.environment.name"] == "test"
        assert resource["team"] == "data people"
        assert resource["service.version"]


def test_requests_go_to_the_path_of_traces_with_the_headers(told, collector):
    for path, headers in collector.requests:
        assert path == "/v1/traces"
        assert headers["Content-Type"] == "application/json"
        assert headers["x-api-key"] == "tell-no-one"
        assert headers["authorization"] == "Bearer s3cret"


def test_spans_are_one_tree_below_the_caller(told):
    spans, _, _, _ = told
    ids = {s.id: s for s in spans}
    assert len(ids) == len(spans)
    roots = [s for s in spans if s.parent not in ids]
    assert [(r.parent, r.kind) for r in roots] == [(PARENT, SERVER)]
    [run] = named(spans, "invoke_agent")
    assert ids[run.parent] is roots[0]
    for s in spans:
        if s.parent in ids and ids[s.parent] is not roots[0]:
            assert ids[s.parent].began <= s.began <= s.ended <= ids[s.parent].ended, s


def test_the_run_names_agent_chat_and_message(told):
    spans, chat, message, _ = told
    [run] = named(spans, "invoke_agent")
    a = run.attributes
    assert run.name == "invoke_agent pipeline" and run.kind == INTERNAL
    assert a["gen_ai.operation.name"] == "invoke_agent"
    assert a["gen_ai.conversation.id"] == chat
    assert a["sextant.run.id"] == message
    assert a["sextant.run.status"] == "complete" and run.status == 0
    phases = [s.name for s in sorted(spans, key=lambda s: s.began)
              if "sextant.phase" in s.attributes]
    assert phases == ["planner", "navigator", "sql_builder", "executor", "verifier",
                      "explainer"]


def test_model_calls_follow_the_genai_conventions(told):
    spans, _, _, asked = told
    chats = named(spans, "chat ")
    assert len(chats) == len(asked) > 3
    phases = {s.id: s.name for s in spans if "sextant.phase" in s.attributes}
    for s in chats:
        a = s.attributes
        assert s.name == "chat gpt-4o" and s.kind == CLIENT
        assert a["gen_ai.operation.name"] == "chat"
        assert a["gen_ai.provider.name"] == "openai"
        assert a["gen_ai.request.model"] == "gpt-4o"
        assert a["gen_ai.usage.input_tokens"] > 0
        assert a["gen_ai.response.finish_reasons"] in (["stop"], ["tool_calls"])
        assert s.parent in phases
    total = sum(s.attributes["gen_ai.usage.input_tokens"] for s in chats)
    [run] = named(spans, "invoke_agent")
    assert run.attributes["gen_ai.usage.input_tokens"] == total


def test_what_the_model_server_got_is_the_span_of_the_call(told):
    spans, _, _, asked = told
    sent = {{k.lower(): v for k, v in entry["headers"].items()}["traceparent"]
            for entry in asked}
    assert sent == {f"00-{s.trace}-{s.id}-01" for s in named(spans, "chat ")}


def test_queries_and_executions_are_there(told):
    spans, _, _, _ = told
    queries = named(spans, "SELECT")
    assert queries
    for s in queries:
        assert s.kind == CLIENT and s.attributes["db.system.name"] == "postgresql"
        assert s.attributes["db.response.returned_rows"] >= 0
    [python] = named(spans, "execute_tool")
    assert python.attributes["gen_ai.tool.name"] == "run_python"
    assert python.attributes["http.response.status_code"] == 200


def test_no_prompt_row_literal_or_secret_is_in_a_trace(told, collector):
    text = "\n".join(collector.raw)
    for word in ("Dallas", "Houston", QUESTION, "2025-01-01", "select ", "SELECT ",
                 "You are the Planner", "tell-no-one", "s3cret", "sk-story", "import "):
        assert word not in text, word


def test_the_built_in_analyst_is_traced_too(exporting, collector):
    trace, _, _ = ask(exporting, "builtin")
    chats = named(collector.of(trace), "chat ")
    assert chats and {s.name for s in chats} == {"chat builtin"}
    assert {s.kind for s in chats} == {INTERNAL}


def test_a_react_run_has_the_same_tree(exporting, collector):
    trace, _, _ = ask(exporting, "builtin", agent="react")
    spans = collector.of(trace)
    ids = {s.id for s in spans}
    assert [s.parent for s in spans if s.parent not in ids] == [PARENT]
    assert named(spans, "invoke_agent react")


def test_a_trace_that_its_caller_does_not_sample_is_not_exported(exporting, collector):
    unwanted, _, _ = ask(exporting, "builtin", flags="00")
    wanted, _, _ = ask(exporting, "builtin")
    collector.of(wanted)
    assert not [s for s in collector.spans if s.trace == unwanted]


def test_secrets_are_not_shown(exporting):
    shown = exporting.run("config").stdout + exporting.log_text()
    assert "tell-no-one" not in shown and "s3cret" not in shown
    bad = exporting.run("serve", check=False,
                        OTEL_EXPORTER_OTLP_HEADERS="x-api-key tell-no-one")
    assert bad.returncode != 0
    assert "OTEL_EXPORTER_OTLP_HEADERS: its value is not a list" in bad.stderr
    assert "tell-no-one" not in bad.stderr


def test_metrics_count_what_was_exported(exporting, collector, told):
    wait_until(lambda: exporting.metric("spans_total", outcome="exported") >=
               len(told[0]), what="the count")
    assert exporting.metric("spans_total", outcome="failed") == 0
    assert exporting.metric("spans_total", outcome="dropped") == 0


# ---- a collector that misbehaves -------------------------------------------------

def with_collector(source, collector, **settings):
    return open_service(source, **{"SANDBOX_URL": "off", "RUNS_PER_USER": 0,
                                   "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
                                   "OTEL_BSP_SCHEDULE_DELAY": 50, **settings})


@pytest.fixture
def unruly():
    it = Collector()
    yield it
    it.close()


def test_a_batch_is_sent_again_when_the_collector_says_so(source, unruly):
    unruly.answer = lambda n: (429, {"Retry-After": 0}, b"{}") if n == 1 else \
        (503, {"Retry-After": 1}, b"") if n == 2 else (200, {}, b"{}")
    service = with_collector(source, unruly)
    try:
        trace, _, _ = ask(service, "builtin")
        unruly.of(trace)
        assert len(unruly.requests) >= 3
        [failed] = service.log_entries("traces cannot be exported")
        assert "429" in failed["detail"]
        wait_until(lambda: service.log_entries("traces are exported again"),
                   what="the line")
        assert service.metric("spans_total", outcome="failed") == 0
    finally:
        service.remove()


def test_a_refused_batch_is_not_sent_again(source, unruly):
    unruly.answer = lambda n: (400, {}, b'{"message":"no"}')
    service = with_collector(source, unruly)
    try:
        ask(service, "builtin")
        wait_until(lambda: service.metric("spans_total", outcome="failed") > 3,
                   what="the count")
        assert service.metric("spans_waiting") == 0 or \
            service.metric("spans_total", outcome="exported") == 0
    finally:
        service.remove()


def test_spans_that_a_collector_rejects_are_counted(source, unruly):
    unruly.answer = lambda n: (
        200, {}, b'{"partialSuccess":{"rejectedSpans":"1","errorMessage":"why"}}')
    service = with_collector(source, unruly)
    try:
        ask(service, "builtin")
        wait_until(lambda: service.metric("spans_total", outcome="failed") >= 1,
                   what="the count")
        assert service.metric("spans_total", outcome="exported") > 0
    finally:
        service.remove()


def test_a_collector_that_hangs_slows_no_run_and_costs_bounded_memory(source, unruly):
    unruly.answer = lambda n: None
    service = with_collector(source, unruly, OTEL_BSP_MAX_QUEUE_SIZE=40,
                             OTEL_BSP_MAX_EXPORT_BATCH_SIZE=10)
    try:
        for _ in range(4):
            ask(service, "builtin")
        wait_until(lambda: service.metric("spans_total", outcome="dropped") > 0,
                   what="dropped spans")
        assert service.metric("spans_waiting") <= 40
        assert len(unruly.requests) == 1
        began = time.monotonic()
        assert service.stop(signal.SIGTERM) == 0
        assert time.monotonic() - began < 10
    finally:
        service.remove()


def test_what_waits_is_sent_before_the_server_ends(source, unruly):
    service = with_collector(source, unruly, OTEL_BSP_SCHEDULE_DELAY=600000)
    try:
        trace, _, _ = ask(service, "builtin")
        assert not [s for s in unruly.spans if s.trace == trace]
        assert service.stop(signal.SIGTERM) == 0
        assert named([s for s in unruly.spans if s.trace == trace], "invoke_agent")
    finally:
        service.remove()


def test_without_a_collector_runs_go_on(source):
    service = open_service(source, SANDBOX_URL="off", RUNS_PER_USER=0,
                           OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
                           OTEL_BSP_SCHEDULE_DELAY=50)
    try:
        ask(service, "builtin")
        [line] = wait_until(lambda: service.log_entries("traces cannot be exported"),
                            what="the line")
        assert re.search("status 0", line["detail"])
        assert service.stop(signal.SIGTERM) == 0
    finally:
        service.remove()


def test_content_is_exported_only_when_it_is_asked_for(source, aimock, unruly, play):
    play("retail")
    service = open_service(source, **model_settings(
        aimock.url, SANDBOX_URL="off", OTEL_BSP_SCHEDULE_DELAY=50,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=unruly.url + "/elsewhere",
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT="on"))
    try:
        trace, _, _ = ask(service)
        spans = unruly.of(trace)
        assert {path for path, _ in unruly.requests} == {"/elsewhere"}
        prompts = [s.attributes["gen_ai.input.messages"] for s in named(spans, "chat ")]
        assert all('"role":"system"' in p for p in prompts)
        assert any("select" in s.attributes["db.query.text"].lower()
                   for s in named(spans, "SELECT"))
    finally:
        service.remove()
