"""A model server that fails for some time: questions wait for it, and only as many calls
reach it as are needed to notice that it has recovered."""
import json
import threading
import time
import uuid

import pytest

from kit import fixtures, players, wire as w
from kit.client import check_stream
from sextant import wait_until

QUESTION = "revenue by city in 2025"


@pytest.fixture(scope="module")
def service(source, wire):
    it = fixtures.open_service(
        source, DATABASE_URL=source.make_database("outages"), SANDBOX_URL="off",
        **fixtures.model_settings(wire.url))
    yield it
    it.remove()


class Crowd:
    """Several users who ask the same question."""

    def __init__(self, service, provider):
        self.service, self.provider = service, provider
        self.answers, self.threads = [], []

    def gather(self, n):
        """Threads that ask when they are started."""
        for _ in range(n):
            client = self.service.client(f"{uuid.uuid4().hex[:12]}@example.org")
            chat = client.new_chat(self.service.ontologies["retail"],
                                   self.provider)
            self.threads.append(threading.Thread(target=self.ask,
                                                 args=(client, chat)))
        return self.threads

    def ask(self, client, chat):
        self.answers.append(client.ask(chat, QUESTION))

    def completed(self):
        for thread in self.threads:
            thread.join()
        for answer in self.answers:
            check_stream(answer.events)
        return sum(answer.complete for answer in self.answers)

    def waits(self):
        return [e for answer in self.answers for e in answer.of("run_status")
                if e["reason"] == "model_unavailable"]


@pytest.fixture(params=["openai", pytest.param("anthropic",
                                               marks=pytest.mark.long)])
def crowd(request, service, wire, play):
    play("retail")
    wire.forget()
    yield Crowd(service, request.param)
    wire.forget()


def figure(service, name, provider, **labels):
    """The sum of a metric of that provider's server."""
    wanted = {"provider": provider, **labels}
    text = service.client().get("/metrics").body.decode()
    return sum(
        float(line.rpartition(" ")[2]) for line in text.splitlines()
        if line.startswith(f"sextant_{name}{{") and
        all(f'{k}="{v}"' in line for k, v in wanted.items()))


def test_questions_wait_for_a_server_that_fails(service, wire, crowd):
    """Enough of them to open the breaker; then one at a time looks."""
    opens = figure(service, "model_breaker_opens_total", crowd.provider)
    wire.fail(w.status(503))
    for thread in crowd.gather(6):
        thread.start()
    wait_until(lambda: figure(service, "model_calls_waiting",
                              crowd.provider) == 6, what="all to wait")
    assert figure(service, "model_breaker_workers", crowd.provider,
                  state="closed") == 0
    probed = wire.refused
    wait_until(lambda: wire.refused > probed, what="a probe")
    assert wire.refused == probed + 1
    wire.heal()
    assert crowd.completed() == 6
    assert all(e["retryInMs"] > 0 for e in crowd.waits())
    assert len(crowd.waits()) >= 6
    assert figure(service, "model_breaker_opens_total",
                  crowd.provider) == opens + 1
    assert figure(service, "model_calls_waiting", crowd.provider) == 0
    assert figure(service, "model_breaker_workers", crowd.provider,
                  state="closed") == 1


@pytest.mark.long
@pytest.mark.parametrize("number,asked,over,outage", [
    (503, 26, 0, 2), (500, 15, 11, 2)])
def test_no_question_fails_of_a_blip(service, wire, crowd, number, asked,
                                     over, outage):
    """`asked` of them within `over` seconds, and an outage of some seconds."""
    def some_seconds():
        wait_until(lambda: wire.refused, what="the outage to be met")
        time.sleep(outage)
        wire.heal()

    first = over and asked // 4
    for n, thread in enumerate(crowd.gather(asked)):
        if n == first:
            wire.fail(w.status(number))
            threading.Thread(target=some_seconds).start()
        thread.start()
        time.sleep(over / asked)
    done = crowd.completed()
    for answer in crowd.answers:
        print([e["reason"] for e in answer.of("run_status")],
              answer.last.data.get("message"))
    print(f"{done} of {asked} completed, {wire.refused} requests refused")
    assert done == asked


@pytest.mark.parametrize("number,body,says", [
    (400, {"error": {"message": "Invalid schema for 'generate_plan':\n\x07no",
                     "code": "invalid_schema"}}, "Invalid schema"),
    (404, {"type": "error", "error": {"type": "not_found_error",
                                      "message": "model: no-such-model"}},
     "model: no-such-model"),
    (413, {"error": "prompt is too long: 210000 tokens"}, "210000 tokens"),
    (422, {"detail": "messages: field required"}, "field required")])
def test_a_refusal_is_shown_in_the_servers_words(service, wire, crowd, number,
                                                 body, says):
    """In the error, the trace and the log, and without secrets."""
    text = json.dumps(body).replace(says, says + " sk-abcdef123456")
    wire.script(players.PLANNER, [w.replies(number, text)])
    client = service.client()
    chat = client.new_chat(service.ontologies["retail"], crowd.provider)
    answer = client.ask(chat, QUESTION)
    message = answer.last.data["message"]
    assert answer.last.type == "message_error"
    assert says in message and "sk-" not in message and "[hidden]" in message
    assert message.isprintable()
    assert says in answer.of("llm_call_end")[0]["error"]
    trace = client.get(f"/api/data-agent/chats/{chat}/messages/"
                       f"{answer.message_id}/traces").data[0]
    assert says in trace["error"] and "sk-" not in trace["error"]
    assert says in service.log_text()
    assert "sk-abcdef123456" not in service.log_text()


@pytest.mark.parametrize("number", [401, 403])
def test_a_refused_key_is_no_matter_of_users(service, wire, crowd, number):
    wire.script(players.PLANNER, [w.replies(number, json.dumps(
        {"error": {"message": "Incorrect key for org-internal"}}))])
    client = service.client()
    chat = client.new_chat(service.ontologies["retail"], crowd.provider)
    answer = client.ask(chat, QUESTION)
    assert "credentials" in answer.last.data["message"]
    assert "org-internal" not in str(answer.last.data)


def endless(x):
    """A stream that never ends, on either wire."""
    openai = b"/chat/completions" in x.raw
    event = {"choices": [{"delta": {"content": "on and on " * 20}}]} if openai \
        else {"type": "content_block_delta",
              "delta": {"type": "text_delta", "text": "on and on " * 20}}
    x.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
    if not openai:
        x.send(b'data: {"type":"content_block_start","content_block":'
               b'{"type":"text","text":""}}\n\n')
    block = b"data: " + json.dumps(event).encode() + b"\n\n"
    while True:
        x.send(block)


def test_an_endless_reply_is_cut_and_not_asked_for_again(service, wire, crowd):
    """Its tokens count, although the server did not report them."""
    wire.script(players.PLANNER, [endless] * 3)
    client = service.client()
    chat = client.new_chat(service.ontologies["retail"], crowd.provider)
    answer = client.ask(chat, QUESTION)
    assert wire.count(players.PLANNER) == 1
    sent = json.loads(wire.bodies(players.PLANNER)[0])
    most = sent.get("max_tokens") or sent["max_completion_tokens"]
    [end] = answer.of("llm_call_end")
    assert end["tokensEstimated"] is True
    assert most <= end["completionTokens"] <= 3 * most
    stored = client.message(chat, answer.message_id)["metadata"]
    assert stored["tokensUsed"]["estimated"] is True
