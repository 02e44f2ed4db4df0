"""A real OpenTelemetry collector takes what Sextant exports, and its outages cost runs
nothing. test_otlp.py says what the spans contain."""
import secrets
import signal
import time

import pytest

from kit import otelcol
from kit.fixtures import model_settings, open_service
from sextant import wait_until
from test_otlp import PARENT, named

pytestmark = [pytest.mark.long,
              pytest.mark.skipif(bool(otelcol.missing()), reason=otelcol.missing())]


@pytest.fixture(scope="module")
def collector():
    it = otelcol.RealCollector().start()
    yield it
    it.remove()


@pytest.fixture(scope="module")
def exporting(source, aimock, collector):
    it = open_service(source, **model_settings(
        aimock.url, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_SERVICE_NAME="shop-agent",
        OTEL_RESOURCE_ATTRIBUTES="deployment.environment.name=test",
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT="on",
        OTEL_BSP_SCHEDULE_DELAY=50, OTEL_EXPORTER_OTLP_TIMEOUT=1000, RUNS_PER_USER=0))
    yield it
    it.remove()


def ask(service, provider="builtin"):
    """(trace, seconds)"""
    client = service.client("otlp@example.org")
    trace = secrets.token_hex(16)
    chat = client.new_chat(service.ontologies["retail"], provider)
    _, message = client.new_message(chat, "revenue by city in 2025")
    began = time.monotonic()
    stream = client.stream("POST", f"/api/data-agent/chats/{chat}/messages/{message}/stream",
                           headers={"traceparent": f"00-{trace}-{PARENT}-01"})
    assert stream.finish()[-1].type == "message_complete"
    return trace, time.monotonic() - began


def count(service, outcome):
    return service.metric("spans_total", outcome=outcome)


def test_this_collector_refuses_what_is_not_otlp(collector):
    def with_span(span):
        return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
    good = {"traceId": "5b" * 16, "spanId": "ee" * 8, "name": "x"}
    assert collector.refuses(with_span(good)) == 200
    assert collector.refuses(with_span({**good, "traceId": "5b"})) == 400
    assert collector.refuses(with_span({**good, "kind": ["server"]})) == 400


def test_it_takes_all_spans_of_a_run_with_models(exporting, collector, play):
    play("retail")
    trace, _ = ask(exporting, "openai")
    spans = collector.of(trace)
    ids = {s.id for s in spans}
    assert [s.parent for s in spans if s.parent not in ids] == [PARENT]
    for start in ("invoke_agent pipeline", "planner", "chat gpt-4o", "SELECT", "execute_tool"):
        assert named(spans, start), start
    assert any("gen_ai.input.messages" in s.attributes for s in named(spans, "chat gpt-4o"))
    assert {"service.name": "shop-agent", "deployment.environment.name": "test"}.items() <= \
        collector.resources()[-1].items()


def test_it_took_as_many_as_were_counted(exporting, collector):
    ask(exporting)
    wait_until(lambda: exporting.metric("spans_waiting") == 0, what="an empty queue")
    ours = [s for s in collector.spans() if s.trace != "5b" * 16]
    assert len(ours) == count(exporting, "exported")
    assert len({(s.trace, s.id) for s in ours}) == len(ours)
    assert count(exporting, "failed") == 0 and count(exporting, "dropped") == 0


def test_one_that_hangs_slows_no_run_and_gets_its_spans_later(exporting, collector):
    alone = min(ask(exporting)[1] for _ in range(3))
    collector.pause(True)
    try:
        asked = [ask(exporting) for _ in range(3)]
        wait_until(lambda: exporting.log_entries("traces cannot be exported"), what="the line")
    finally:
        collector.pause(False)
    # A request that waits for the collector would take its time limit, 1 s, longer.
    assert min(seconds for _, seconds in asked) < alone + 0.5
    for trace, _ in asked:
        collector.of(trace)


def test_one_that_is_started_again_gets_what_waited(exporting, collector):
    collector.stop()
    trace, _ = ask(exporting)
    collector.start()
    collector.of(trace)
    assert count(exporting, "dropped") == 0


def test_what_waits_is_sent_before_the_server_ends(exporting, collector):
    trace, _ = ask(exporting)
    assert exporting.stop(signal.SIGTERM) == 0
    assert named(collector.of(trace), "invoke_agent")
