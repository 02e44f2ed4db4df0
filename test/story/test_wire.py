"""Faults of model servers, with both protocols: rows 7 to 13 of docs/reliability.md. A
proxy between the server and the scripted models causes them."""
import json
import struct
import time
import zlib

import pytest

from kit import fixtures, players, wire as w
from kit.client import check_stream
from kit.server import Server
from sextant import PATIENCE, wait_until

QUESTION = "revenue by city in 2025"
long = pytest.mark.long
# What does not depend on the protocol is tested with one of them.
on_one = pytest.mark.parametrize(
    "asker", ["openai", pytest.param("anthropic", marks=long)], indirect=True)


def open_wired(name, source, wire, **settings):
    """A server whose models are reached through the proxy; without Python, for speed."""
    return fixtures.open_service(
        source, DATABASE_URL=source.make_database(name), SANDBOX_URL="off",
        **{**fixtures.model_settings(wire.url), **settings})


@pytest.fixture(scope="module")
def wired(source, wire):
    it = open_wired("wired", source, wire)
    yield it
    it.remove()


@pytest.fixture(scope="module")
def hasty(source, wire):
    """One whose models have little time."""
    it = open_wired("hasty", source, wire, LLM_CALL_TIMEOUT_MS=4000)
    yield it
    it.remove()


@pytest.fixture(params=["openai", "anthropic"])
def asker(request, wired, wire, play):
    yield from asks(wired, wire, play, request.param)


@pytest.fixture(params=["openai", pytest.param("anthropic", marks=long)])
def hasty_asker(request, hasty, wire, play):
    yield from asks(hasty, wire, play, request.param)


def asks(wired, wire, play, provider):
    """Asks with one of the protocols. After a failure, a good answer shows that the server
    has recovered, and closes the circuit breaker."""
    play("retail")
    wire.forget()
    client = wired.client()

    last = []

    def ask(question=QUESTION):
        chat = client.new_chat(wired.ontologies["retail"], provider)
        answer = client.ask(chat, question)
        last[:] = [answer]
        check_stream(answer.events)
        stored = client.message(chat, answer.message_id)
        assert stored["content"] == answer.last.data.get("content",
                                                         stored["content"])
        assert stored["status"] == ("complete" if answer.complete else "failed")
        return answer
    ask.provider, ask.client = provider, client
    ask.ontology = wired.ontologies["retail"]
    yield ask
    wire.forget()
    wait_until(lambda: last and last[0].complete or ask().complete,
               what="a server that has recovered")


def good(answer):
    assert answer.complete, answer.last.data
    assert players.LETTERS in answer.content
    assert answer.metadata["stepResults"][0]["sqlResult"]["rowCount"] == 12
    return answer


def failed(answer, code):
    assert answer.last.type == "message_error", answer.types()
    assert answer.last.data["code"] == code, answer.last.data
    assert "sk-" not in str(answer.last.data)
    return answer


def waits(answer):
    return [e["reason"] for e in answer.of("run_status")]


# ---- bytes in pieces -------------------------------------------------------


@pytest.mark.parametrize("size", [
    1, pytest.param(2, marks=long), pytest.param(3, marks=long), 7])
def test_a_stream_in_small_pieces_is_the_same_answer(asker, wire, size):
    plain = good(asker())
    wire.script("You are the ", [w.in_pieces(size)] * 6)
    chopped = good(asker())
    assert chopped.content == plain.content
    assert chopped.metadata["tokensUsed"] == plain.metadata["tokensUsed"]
    assert wire.count("You are the ") == 12


@on_one
def test_what_has_come_is_shown_before_the_rest_comes(asker, wire, play):
    play("retail", [{**players.says(players.EXPLAINER, QUESTION, "red blue gold"),
                     "chunkSize": 4}])
    held = wire.hold(players.EXPLAINER, b"red")
    chat = asker.client.new_chat(asker.ontology, asker.provider)
    stream, _ = asker.client.start(chat, QUESTION)
    shown = stream.wait_for("message_chunk").data["chunk"]
    assert "red" in shown and "gold" not in shown
    held.released.set()
    events = stream.finish()
    check_stream(events)
    assert events[-1].data["content"] .startswith("red blue gold")


# ---- statuses --------------------------------------------------------------


def test_429_is_waited_out_as_long_as_it_says(asker, wire):
    wire.script(players.PLANNER, [w.status(429, Retry_After=1)])
    begun = time.monotonic()
    answer = good(asker())
    assert time.monotonic() - begun >= 1
    assert waits(answer) == ["model_rate_limited"]
    assert answer.of("run_status")[0]["retryInMs"] >= 1000
    assert wire.count(players.PLANNER) == 2


@pytest.mark.parametrize("value", ["86400", "Fri, 31 Dec 2099 23:59:59 GMT"])
@on_one
def test_429_for_a_day_fails_now(asker, wire, value):
    wire.script(players.PLANNER, [w.status(429, Retry_After=value)])
    answer = failed(asker(), "MODEL_UNAVAILABLE")
    assert waits(answer) == []
    assert wire.count(players.PLANNER) == 1


@long
def test_429_with_a_mad_header_is_tried_again(asker, wire):
    wire.script(players.PLANNER, [w.status(429, Retry_After="soon")])
    good(asker())


@on_one
@pytest.mark.parametrize("number", [
    500, 529, *(pytest.param(n, marks=long) for n in (408, 502, 503, 504))])
def test_an_outage_is_tried_again(asker, wire, number):
    wire.script(players.SQL_BUILDER, [w.status(number)])
    answer = good(asker())
    assert waits(answer) == ["model_unavailable"]
    assert wire.count(players.SQL_BUILDER) == 2


@on_one
def test_an_outage_that_goes_on_is_an_error_after_three_tries(asker, wire):
    wire.script(players.PLANNER, [w.status(500)] * 5)
    answer = failed(asker(), "MODEL_UNAVAILABLE")
    assert wire.count(players.PLANNER) == 3
    assert len(waits(answer)) == 2


@on_one
@pytest.mark.parametrize("number", [
    400, 401, *(pytest.param(n, marks=long) for n in (403, 404, 422))])
def test_a_refusal_is_not_tried_again(asker, wire, number):
    wire.script(players.PLANNER, [w.status(number)] * 3)
    answer = failed(asker(), "MODEL_UNAVAILABLE")
    assert wire.count(players.PLANNER) == 1
    told = "as the story wants it" in answer.last.data["message"]
    assert told == (number not in (401, 403))


def test_a_parameter_that_the_model_does_not_know_is_left_out(asker, wire):
    name = "response_format" if asker.provider == "openai" else "tool_choice"
    wire.script(players.PLANNER, [w.replies(400, json.dumps(
        {"type": "error", "error": {
            "type": "invalid_request_error",
            "message": f"Unsupported parameter: '{name}'", "param": name}}))])
    good(asker())
    first, second = wire.bodies(players.PLANNER)[:2]
    word = b"json_schema" if name == "response_format" else name.encode()
    assert word in first and word not in second


@on_one
def test_a_redirect_is_not_followed(asker, wire):
    wire.script(players.PLANNER, [w.replies(
        307, "", Location=f"{wire.url}/elsewhere")] * 3)
    failed(asker(), "MODEL_UNAVAILABLE")
    assert not any(b"/elsewhere" in raw for raw, _ in wire.seen)


# ---- connections -----------------------------------------------------------


@on_one
def test_a_connection_that_breaks_is_tried_again(asker, wire):
    wire.script(players.PLANNER, [w.drops, w.drops])
    good(asker())
    assert wire.count(players.PLANNER) == 3


@pytest.mark.parametrize("reset", [False, True])
def test_a_stream_cut_before_anything_was_seen_is_tried_again(asker, wire, reset):
    wire.script(players.PLANNER, [w.cut_at(b"generate_plan" if asker.provider ==
                                           "anthropic" else b"intent",
                                           reset=reset)])
    answer = good(asker())
    assert waits(answer) == ["model_reply_incomplete"]


def test_a_stream_cut_in_the_answer_begins_it_again(asker, wire):
    """Clients drop what came after `afterId`."""
    wire.script(players.EXPLAINER, [w.cut_at(b"|---|")])
    answer = good(asker())
    restart = answer.of("phase_restart")
    assert [r["phase"] for r in restart] == ["explainer"]
    at = [e.type for e in answer.events].index("phase_restart")
    valid = [e for e in answer.events[:at] if e.id <= restart[0]["afterId"]]
    void = answer.events[len(valid):at]
    assert "message_chunk" in [e.type for e in void]
    assert "".join(e.data["chunk"] for e in valid + answer.events[at:]
                   if e.type == "message_chunk").strip() == answer.content


def test_a_hang_before_the_headers_ends_with_the_calls_time(hasty_asker, wire):
    wire.script(players.PLANNER, [w.hangs] * 3)
    failed(hasty_asker(), "TIMEOUT")
    assert wire.hung_up.wait(PATIENCE)


@pytest.mark.parametrize("behave", [
    w.stalls_at(b"data:"), pytest.param(w.pings_only, marks=long)])
def test_a_stream_that_says_nothing_more_ends_with_the_calls_time(hasty_asker,
                                                                  wire, behave):
    wire.script(players.PLANNER, [behave] * 3)
    failed(hasty_asker(), "TIMEOUT")
    assert wire.hung_up.wait(PATIENCE)


# ---- garbage ---------------------------------------------------------------


GARBAGE = {
    "no json": b"data: {oops\n\n", "wrong types": b'data: {"choices":7}\n\n',
    "null choices": b'data: {"choices":null}\n\n', "html": b"<html>502</html>",
    "nothing": b"", "done alone": b"data: [DONE]\n\n",
    "deep": b'data: ' + b'{"a":' * 3000 + b"1" + b"}" * 3000 + b"\n\n",
    "not utf-8": b'data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n'}


@on_one
@pytest.mark.parametrize("name", [
    "no json", "not utf-8", *(pytest.param(name, marks=long) for name in GARBAGE
                              if name not in ("no json", "not utf-8"))])
def test_garbage_in_place_of_a_stream_is_an_error_in_the_end(asker, wire, name):
    wire.script(players.PLANNER, [w.replies(
        200, GARBAGE[name], content_type="text/event-stream")] * 3)
    failed(asker(), "MODEL_UNAVAILABLE")
    assert wire.count(players.PLANNER) <= 3


def test_garbage_once_is_tried_again(asker, wire):
    wire.script(players.PLANNER, [w.replies(200, b"data: {oops\n\n",
                                            "text/event-stream")])
    good(asker())


# ---- invalid replies -----------------------------------------------------------


def misfit(question, marker, name, value):
    """Fixtures that answer wrongly, and correctly after the error was reported."""
    text = json.dumps(value)
    told = "Your reply cannot be used"
    first = [
        {"match": {"systemMessage": marker, "toolName": name,
                   "userMessage": f"## Question\n{question}"},
         "response": {"toolCalls": [{"name": name, "arguments": text}]}},
        {"match": {"systemMessage": marker,
                   "userMessage": f"## Question\n{question}"},
         "response": {"content": text}}]
    return told, first


NO_STEPS = {"complexity": "simple", "intent": "x", "steps": "none"}


def test_a_plan_that_does_not_fit_is_mended_once(asker, wire, play):
    told, wrong = misfit(QUESTION, players.PLANNER, "generate_plan", NO_STEPS)
    right = players.structured(
        players.PLANNER, None, "generate_plan",
        players.plan(QUESTION, [players.step(1, ["order_items", "orders",
                                                 "stores"])]),
        userMessage=told)
    play("retail", [*right, *wrong])
    answer = good(asker())
    calls = [e for e in answer.of("llm_call_end") if e["phase"] == "planner"]
    assert len(calls) == 2 and "steps" in calls[0]["error"]
    assert "error" not in calls[1]
    assert b"steps" in wire.bodies(told)[0]
    play("retail")


@on_one
def test_a_plan_that_never_fits_is_an_error(asker, play):
    told, wrong = misfit(QUESTION, players.PLANNER, "generate_plan", NO_STEPS)
    again = players.structured(players.PLANNER, None, "generate_plan", NO_STEPS,
                               userMessage=told)
    play("retail", [*again, *wrong])
    answer = failed(asker(), "MODEL_UNAVAILABLE")
    assert len(answer.of("llm_call_end")) == 2
    traces = asker.client.get(f"/api/data-agent/chats/{answer.chat_id}/messages/"
                              f"{answer.message_id}/traces").data
    assert [bool(t["error"]) for t in traces] == [True, True]
    play("retail")


@on_one
@pytest.mark.parametrize("steps,wrong", [
    ([players.step(1, ["orders"]), players.step(1, ["stores"])], "id"),
    ([players.step(1, ["orders"], depends_on=[2]),
      players.step(2, ["stores"], depends_on=[1])], "dependsOn"),
    ([players.step(1, ["orders"], depends_on=[9])], "dependsOn"),
    ([players.step(n, ["orders"]) for n in range(1, 14)], "steps")])
def test_a_plan_is_judged_with_its_schema(asker, play, steps, wrong):
    told, first = misfit(QUESTION, players.PLANNER, "generate_plan",
                         players.plan(QUESTION, steps))
    right = players.structured(
        players.PLANNER, None, "generate_plan",
        players.plan(QUESTION, [players.step(1, ["order_items", "orders",
                                                 "stores"])]),
        userMessage=told)
    play("retail", [*right, *first])
    answer = good(asker())
    assert wrong in answer.of("llm_call_end")[0]["error"]
    play("retail")


def test_a_content_filter_is_an_error_and_no_answer(asker, wire):
    wire.script(players.PLANNER, [filtered(asker.provider)] * 3)
    answer = failed(asker(), "MODEL_UNAVAILABLE")
    assert wire.count(players.PLANNER) == 1
    assert "declined" in answer.last.data["message"]


# ---- results without an explanation by the model -------------------------------


def shown(answer):
    """The text of a client that drops what a restart voids."""
    kept = []
    for e in answer.events:
        if e.type == "phase_restart":
            kept = [k for k in kept if k.id <= e.data["afterId"]]
        if e.type == "message_chunk":
            kept.append(e)
    return "".join(e.data["chunk"] for e in kept)


def explained_by_code(answer, because):
    """Only the model's text is missing from the answer."""
    assert answer.complete, answer.last.data
    told = answer.metadata
    assert [c for c in told["explainerOutput"]["caveats"]
            if "without the language model" in c and because in c]
    rows = json.loads(told["stepResults"][0]["sqlResult"]["data"])
    assert len(rows) == 12 and all(r["city"] in answer.content for r in rows)
    assert all(v in answer.content for r in rows for v in r.values())
    assert told["verificationReport"] and told["dataLineage"]["rowCount"] == 12
    assert shown(answer).strip() == answer.content
    assert told["explainerOutput"]["narrative"] == answer.content
    return answer


@on_one
@pytest.mark.parametrize("fault, because, calls", [
    ("filtered", "declined", 1), ("refused", "refused", 1),
    ("empty", "could not be read", 3), ("blank", "had no text", 1),
    ("cut", "cut off", 3)])
def test_a_failed_explainer_leaves_the_answer(asker, wire, fault, because, calls):
    behave = {"filtered": filtered(asker.provider), "refused": w.status(422),
              "empty": spoken(asker.provider, ""),
              "blank": spoken(asker.provider, " \\n"),
              "cut": w.cut_at(b"|---|")}[fault]
    wire.script(players.EXPLAINER, [behave] * 5)
    explained_by_code(asker(), because)
    assert wire.count(players.EXPLAINER) == calls


def test_an_explainer_over_its_time_leaves_the_answer(hasty_asker, wire):
    wire.script(players.EXPLAINER, [w.stalls_at(b"|---|")] * 3)
    explained_by_code(hasty_asker(), "did not answer in time")


def test_text_that_is_cut_at_its_length_is_kept(asker, wire):
    wire.script(players.EXPLAINER,
                [spoken(asker.provider, "Dallas leads, then Houston fol", cut=True)])
    answer = asker()
    assert answer.complete and answer.content.startswith("Dallas leads, then Houston fol")
    assert shown(answer) == answer.content
    assert any("cut off" in c for c in
               answer.metadata["explainerOutput"]["caveats"])
    assert wire.count(players.EXPLAINER) == 1


@on_one
def test_talk_without_text_is_no_answer(asker, wire, play):
    play("retail", players.structured(
        players.PLANNER, QUESTION, "generate_plan",
        players.plan(QUESTION, [], complexity="conversational")))
    wire.script(players.EXPLAINER, [spoken(asker.provider, " ")])
    answer = failed(asker(), "MODEL_UNAVAILABLE")
    assert "no text" in answer.last.data["message"]
    play("retail")


def spoken(provider, text, cut=False):
    """A whole reply with this text, which is JSON inside its quotes."""
    if provider == "openai":
        return w.events(
            'data: {"choices":[{"index":0,"delta":{"role":"assistant",'
            '"content":"%s"}}]}' % text,
            'data: {"choices":[{"index":0,"delta":{},"finish_reason":"%s"}]}' %
            ("length" if cut else "stop"), "data: [DONE]")
    return w.events(
        'event: message_start\ndata: {"type":"message_start","message":{'
        '"content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
        'event: content_block_start\ndata: {"type":"content_block_start",'
        '"index":0,"content_block":{"type":"text","text":""}}',
        'event: content_block_delta\ndata: {"type":"content_block_delta",'
        '"index":0,"delta":{"type":"text_delta","text":"%s"}}' % text,
        'event: content_block_stop\ndata: {"type":"content_block_stop",'
        '"index":0}',
        'event: message_delta\ndata: {"type":"message_delta","delta":{'
        '"stop_reason":"%s"},"usage":{"output_tokens":1}}' %
        ("max_tokens" if cut else "end_turn"),
        'event: message_stop\ndata: {"type":"message_stop"}')


def filtered(provider):
    if provider == "openai":
        return w.events(
            'data: {"choices":[{"index":0,"delta":{"role":"assistant",'
            '"content":"I"}}]}',
            'data: {"choices":[{"index":0,"delta":{},'
            '"finish_reason":"content_filter"}]}', "data: [DONE]")
    blocks = [
        {"type": "message_start", "message": {
            "id": "m", "role": "assistant", "content": [],
            "usage": {"input_tokens": 1, "output_tokens": 1}}},
        {"type": "message_delta", "delta": {"stop_reason": "refusal"},
         "usage": {"output_tokens": 1}},
        {"type": "message_stop"}]
    return w.events(*(f"event: {b['type']}\ndata: {json.dumps(b)}"
                      for b in blocks))


def test_a_tool_that_there_is_not_is_an_error_to_the_model(asker, play):
    strange = [
        {"name": "drop_tables", "arguments": "{}"},
        {"name": "query_database", "arguments": '{"sql":"delete from orders"}'},
        {"name": "get_dataset_details", "arguments": '{"datasetNames":["ordrs"]}'},
        {"name": "get_dataset_details", "arguments": "{}"},
        {"name": "get_dataset_details", "arguments": '{"datasetNames":7}'}]
    play("retail", [players.says(players.NAVIGATOR, QUESTION,
                                 {"toolCalls": strange}, hasToolResult=False)])
    answer = good(asker())
    errors = [e for e in answer.of("tool_error") if e["phase"] == "navigator"]
    assert len(errors) == 5
    assert "no such tool" in errors[0]["error"]
    assert "no such tool" in errors[1]["error"]
    assert "orders" in errors[2]["error"]
    play("retail")


@on_one
def test_a_model_that_never_stops_calling_tools_is_stopped(asker, play, aimock):
    again = {"toolCalls": [{"name": "list_datasets", "arguments": "{}"}]}
    play("retail", [players.says(players.NAVIGATOR, QUESTION, again)])
    answer = good(asker())
    calls = [e for e in answer.of("llm_call_start") if e["phase"] == "navigator"]
    assert len(calls) == 9 # eight rounds, and one in which it may call no tool
    if asker.provider == "openai":  # the player keeps it of these requests alone
        assert aimock.prompts(players.NAVIGATOR)[-1][2]["tool_choice"] == "none"
    assert len(answer.of("tool_end")) >= 8
    play("retail")


# ---- leaving ---------------------------------------------------------------


def test_a_stream_of_the_model_is_left_when_the_run_is_cancelled(asker, wire):
    wire.script(players.PLANNER, [w.hangs] * 3)
    chat = asker.client.new_chat(asker.ontology, asker.provider)
    stream, message = asker.client.start(chat, QUESTION)
    assert wire.waiting.wait(PATIENCE)
    asker.client.cancel(message)
    assert stream.finish()[-1].data["code"] == "CANCELLED"
    assert wire.hung_up.wait(PATIENCE)


# ---- embeddings ----------------------------------------------------------------


def vector_of(text):
    """1536 numbers that depend on the text."""
    return [((zlib.crc32(f"{text}{n}".encode()) % 2001) - 1000) / 1000
            for n in range(1536)]


def embeds(x):
    inputs = json.loads(x.body)["input"]
    inputs = [inputs] if isinstance(inputs, str) else inputs
    w.replies(200, json.dumps({
        "object": "list", "model": "text-embedding-3-small", "data": [
            {"object": "embedding", "index": n, "embedding": vector_of(text)}
            for n, text in enumerate(inputs)],
        "usage": {"prompt_tokens": 8, "total_tokens": 8}}))(x)


def embedding(wire, answers):
    wire.forget()
    wire.script("text-embedding-3-small", answers)


@pytest.fixture(scope="module")
def embedder(source, wire):
    """A server with OpenAI's embeddings, as it has by default with a key."""
    settings = fixtures.model_settings(wire.url)
    del settings["EMBEDDING_DEFAULT_PROVIDER"]
    it = Server(DATABASE_URL=source.make_database("embedder"),
                SANDBOX_URL="off", **settings)
    it.start()
    it.connect("retail", source.url("retail"))
    yield it
    it.remove()


def test_generate_batch_embeddings_and_returns_correct_dimensions_1536(
        embedder, wire, source):
    embedding(wire, [embeds] * 3)
    ontology = embedder.import_model(fixtures.MODELS["retail"], "retail")
    sent = [json.loads(b) for b in wire.bodies("text-embedding-3-small")]
    texts = [text for body in sent for text in body["input"]]
    assert len(sent) == 1 and sent[0]["encoding_format"] == "float"
    rows = source.psql(
        "embedder", "select embedding_model, embedding_size, dataset_count, "
        "(select count(*) from ontology_embeddings e where e.ontology_id = o.id),"
        "(select min(length(vector)) from ontology_embeddings) "
        f"from ontologies o where id = '{ontology}'")
    n = str(len(texts))
    assert rows == [["text-embedding-3-small:2", "1536", n, n, str(1536 * 4)]]
    kept = source.psql("embedder", "select encode(vector, 'hex') from "
                       "ontology_embeddings order by dataset")
    assert [list(struct.unpack("<1536f", bytes.fromhex(k[0]))) for k in kept] == [
        pytest.approx(vector_of(text), abs=1e-6) for text in texts]


def test_generate_single_embedding_for_the_question(embedder, wire, play):
    play("retail")
    embedding(wire, [embeds] * 9)
    ontology = embedder.import_model(fixtures.MODELS["retail"], "retail")
    client = embedder.client()
    wire.forget()
    embedding(wire, [embeds])
    answer = client.ask(client.new_chat(ontology, "openai"), QUESTION)
    assert answer.complete, answer.last.data
    assert json.loads(wire.bodies("text-embedding-3-small")[0])["input"] in (
        QUESTION, [QUESTION])
    found = answer.of("discovery_complete")[0]
    assert found["matchedDatasets"] and found["embeddingDurationMs"] >= 0


def test_embeddings_cost_what_the_prices_say(source, wire, play):
    """8 tokens a request: 0.008 at 1000 for a million."""
    play("retail")
    settings = fixtures.model_settings(wire.url, SANDBOX_URL="off",
                                       MODEL_PRICES="text-embedding-3-small=1000/0")
    del settings["EMBEDDING_DEFAULT_PROVIDER"]
    it = Server(DATABASE_URL=source.make_database("embedding_costs"), **settings)
    try:
        it.start()
        it.connect("retail", source.url("retail"))
        embedding(wire, [embeds] * 9)
        ontology = it.import_model(fixtures.MODELS["retail"], "retail")
        client = it.client("embeds@example.org")
        chat = client.new_chat(ontology, "builtin")
        answer = client.ask(chat, QUESTION)
        tokens = answer.metadata["tokensUsed"]
        assert (tokens["total"], tokens["cost"]) == (8, pytest.approx(0.008))
        assert client.get("/api/usage").data["used"]["days"][0]["cost"] == \
            pytest.approx(0.008)
        assert client.get(f"/api/data-agent/chats/{chat}/usage").data["cost"] == \
            pytest.approx(0.008)
        # A model without a price stays one: its cost would be unknown, not small.
        answer = client.ask(client.new_chat(ontology, "openai"), QUESTION)
        assert answer.metadata["tokensUsed"]["total"] > 8
        assert "cost" not in answer.metadata["tokensUsed"]

        admin = it.client("boss@example.org", "admin")
        assert admin.post(f"/api/admin/ontologies/{ontology}/backfill-embeddings").status == 200
        assert admin.get("/api/usage").data["used"]["days"][0]["cost"] == \
            pytest.approx(0.008)
        assert it.metric("model_cost_total", model="text-embedding-3-small") == \
            pytest.approx(0.024)
    finally:
        it.remove()


@pytest.mark.parametrize("wrong", [
    w.status(401), w.replies(200, '{"data":[]}'), w.replies(200, "{oops"),
    w.replies(200, '{"data":[{"index":0,"embedding":[1,2]}]}')],
    ids=["refused", "empty", "garbage", "dimensions"])
def test_handles_api_errors_and_finds_datasets_by_words(embedder, wire, play,
                                                        wrong):
    play("retail")
    embedding(wire, [embeds] * 2)
    ontology = embedder.import_model(fixtures.MODELS["retail"], "retail")
    client = embedder.client()
    embedding(wire, [wrong] * 4)
    answer = client.ask(client.new_chat(ontology, "openai"), QUESTION)
    assert answer.complete, answer.last.data
    assert "stores" in [d["name"] for d in answer.of(
        "discovery_complete")[0]["matchedDatasets"]]


def test_an_import_without_embeddings_goes_by_words_and_says_so(embedder, wire,
                                                                source):
    embedding(wire, [w.status(401)] * 4)
    done = embedder.run("import", fixtures.MODELS["retail"], "--connection",
                        "retail", "--name", "worded")
    assert "warning" in done.stderr and "words" in done.stderr
    assert source.psql("embedder", "select embedding_model from ontologies "
                       "where name = 'worded'")[0][0].startswith("lexical:")
