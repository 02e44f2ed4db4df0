"""Runs and their streams: follow, disconnect, reconnect, cancel."""
import http.client
import uuid

import pytest

from sextant import read_as_seed_000, read_as_seed_001, read_events
from kit import players
from kit.client import Stream, check_stream

QUESTION = "revenue by city in 2025"
ENDLESS = """select count(*) as n from order_items a, order_items b, order_items c
 where a.quantity + b.quantity + c.quantity > 100000"""


@pytest.fixture
def written(play, hold):
    """Holds the answer after its first words until it is released."""
    words = " ".join(f"word{n} {players.LETTERS}" for n in range(40))
    play("retail", [{**players.says(players.EXPLAINER, QUESTION, words),
                     "chunkSize": 30}])
    held = hold(players.EXPLAINER, b"word0")
    yield held
    held.released.set()


@pytest.fixture
def chat(ann, retail):
    return ann.new_chat(retail, "openai")


def frames(body):
    """The blocks of a stream that are events, as bytes."""
    return [block for block in body.split(b"\n\n")
            if block.strip() and not block.startswith(b":")]


# ---- readers ---------------------------------------------------------------


def test_three_readers_understand_the_same(ann, chat, play):
    play("retail")
    answer = ann.ask(chat, QUESTION)
    check_stream(answer.events)
    whatwg = read_events(answer.body)
    assert [(e.type, e.data, int(e.id)) for e in whatwg] == [
        (e.type, e.data, e.id) for e in answer.events]
    assert read_as_seed_000(answer.body) == [e.data for e in answer.events]
    assert read_as_seed_001(answer.body) == [(e.type, e.data)
                                             for e in answer.events]


def test_each_event_is_three_lines_in_the_agreed_order(ann, chat, play):
    play("retail")
    for block in frames(ann.ask(chat, QUESTION).body):
        names = [line.split(b": ", 1)[0] for line in block.split(b"\n")]
        assert names == [b"event", b"data", b"id"]
        assert b"\r" not in block


def test_events_of_a_whole_answer_come_in_their_order(ann, chat, play):
    play("retail")
    answer = ann.ask(chat, QUESTION)
    kinds = answer.types()
    assert kinds[:3] == ["message_start", "discovery_start",
                         "discovery_complete"]
    assert kinds[-2:] == ["text", "message_complete"]
    for phase in players_phases():
        at = [i for i, e in enumerate(answer.events)
              if e.data.get("phase") == phase]
        inside = [answer.events[i].type for i in at]
        assert inside[0] == "phase_start", inside
        assert inside[-1] == "phase_complete", inside
        assert "phase_artifact" in inside and "llm_call_end" in inside or \
            phase == "executor", inside
    steps = [e.data["stepId"] for e in answer.events if e.type == "step_start"]
    assert steps == [1] == [e["stepId"] for e in answer.of("step_complete")]
    tokens = answer.metadata["tokensUsed"]
    told = answer.of("token_update")[-1]["tokensUsed"]
    assert set(told) == {"prompt", "completion", "total"}
    assert tokens["total"] == tokens["prompt"] + tokens["completion"] == \
        sum(e["totalTokens"] for e in answer.of("llm_call_end"))


def players_phases():
    return ["planner", "navigator", "sql_builder", "executor", "verifier",
            "explainer"]


# ---- joining again ---------------------------------------------------------


def test_a_replay_has_the_bytes_of_the_original(ann, chat, play):
    play("retail")
    answer = ann.ask(chat, QUESTION)
    again = ann.follow(answer.message_id)
    again.finish()
    assert frames(again.body) == frames(answer.body)


@pytest.mark.parametrize("how", ["after", "last_event_id"])
def test_a_replay_goes_on_after_any_event(ann, chat, play, how):
    play("retail")
    answer = ann.ask(chat, QUESTION)
    whole = frames(answer.body)
    for after in (0, 1, 7, len(whole) - 1):
        again = ann.follow(answer.message_id, **{how: after})
        again.finish()
        assert frames(again.body) == whole[after:]


def test_of_two_positions_the_header_is_the_later(ann, chat, play):
    """A browser reconnects to the same address, with its header."""
    play("retail")
    answer = ann.ask(chat, QUESTION)
    again = ann.follow(answer.message_id, after=2, last_event_id=7)
    again.finish()
    assert frames(again.body) == frames(answer.body)[7:]


def test_after_the_last_event_there_is_nothing(ann, chat, play):
    play("retail")
    answer = ann.ask(chat, QUESTION)
    last = answer.last.id
    for position in ({"after": last}, {"last_event_id": last},
                     {"after": 2, "last_event_id": last}, {"after": last + 7}):
        again = ann.follow(answer.message_id, **position)
        assert (again.status, again.body) == (204, b""), position
    assert len(ann.follow(answer.message_id, after=last - 1).finish()) == 1


def test_a_failed_answer_has_an_end_to_come_back_to_as_well(ann, chat):
    _, message = ann.new_message(chat, QUESTION)
    ann.cancel(message)
    last = ann.follow(message).finish()[-1]
    assert last.type == "message_error"
    assert ann.follow(message, last_event_id=last.id).status == 204


def test_a_position_past_the_end_of_a_live_run_is_waited_at(ann, chat, written):
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for("message_chunk")
    ahead = ann.follow(message, after=100000)
    assert ahead.status == 200
    written.released.set()
    stream.finish()
    ahead.finish()


@pytest.mark.parametrize("bad", ["x", "-1", "1.5", "99999999999999999999", ""])
def test_a_position_that_is_none_is_400(ann, chat, play, bad):
    play("retail")
    answer = ann.ask(chat, QUESTION)
    reply = ann.follow(answer.message_id, after=bad)
    if bad == "":
        assert len(reply.finish()) == len(answer.events)
    else:
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
        assert reply.fields() == {"after"}
        reply = ann.follow(answer.message_id, last_event_id=bad)
        assert reply.fields() == {"Last-Event-ID"}


def test_anothers_events_are_404(ann, bob, chat, play):
    play("retail")
    answer = ann.ask(chat, QUESTION)
    assert bob.follow(answer.message_id).status == 404
    assert bob.cancel(answer.message_id).status == 404


def test_two_followers_are_in_step_with_the_first(ann, chat, written):
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for("phase_start")
    early = ann.follow(message)
    stream.wait_for("message_chunk")
    at = stream.events[-1].id
    late = ann.follow(message, after=at)
    written.released.set()
    whole = frames_of(stream)
    assert frames_of(early) == whole
    assert frames_of(late) == whole[at:]
    check_stream(stream.events)


def frames_of(stream):
    stream.finish()
    return frames(stream.body)


def test_a_follower_sees_events_while_they_are_made(ann, chat, written):
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for("message_chunk")
    follower = ann.follow(message)
    follower.wait_for("message_chunk")
    assert not stream.ended and not follower.ended
    written.released.set()
    assert follower.finish()[-1].type == "message_complete"


# ---- leaving ---------------------------------------------------------------


def test_a_client_leaves_and_the_run_completes(ann, chat, written):
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for("message_chunk")
    follower = ann.follow(message)
    stream.leave()
    written.released.set()
    events = follower.finish()
    assert events[-1].type == "message_complete"
    check_stream(events)
    assert ann.message(chat, message)["status"] == "complete"


def test_a_half_closed_connection_is_still_a_reader(ann, chat, written):
    _, message = ann.new_message(chat, QUESTION)
    connection = http.client.HTTPConnection(ann.host, ann.port, timeout=60)
    connection.request(
        "POST", f"/api/data-agent/chats/{chat}/messages/{message}/stream",
        headers={"Authorization": f"Bearer {ann.token}"})
    connection.sock.shutdown(1)
    stream = Stream(connection, connection.getresponse())
    stream.wait_for("message_chunk")
    written.released.set()
    check_stream(stream.finish())


# ---- one at a time ---------------------------------------------------------


def test_a_chat_that_still_generates_takes_no_second_question(ann, chat, written):
    stream, _ = ann.start(chat, QUESTION)
    stream.wait_for("message_start")
    reply = ann.post(f"/api/data-agent/chats/{chat}/messages",
                     {"content": "and now?"})
    assert (reply.status, reply.code) == (409, "CHAT_BUSY")
    written.released.set()
    stream.finish()
    assert ann.new_message(chat, "and now?")


def test_a_question_nobody_has_started_keeps_its_chat_busy(ann, chat, play):
    play("retail")
    _, waits = ann.new_message(chat, QUESTION)
    path = f"/api/data-agent/chats/{chat}/messages"
    other = str(uuid.uuid4())
    for reply in (ann.post(path, {"content": "and now?"}),
                  ann.post(path, {"content": "and now?", "parentId": None}),
                  ann.post(f"/api/data-agent/stream/{other}",
                           {"chatId": chat, "question": "and now?"})):
        assert (reply.status, reply.code) == (409, "CHAT_BUSY")
    stream = ann.stream("POST", f"{path}/{waits}/stream")
    assert stream.finish()[-1].type == "message_complete"
    again = f"/api/data-agent/messages/{waits}/regenerate"
    _, open_one = ann.new_message(chat, "and now?")
    reply = ann.post(again)
    assert (reply.status, reply.code) == (409, "CHAT_BUSY")
    ann.cancel(open_one)
    assert ann.post(again).status == 201


def test_runs_of_a_user_are_limited_and_followers_are_not(ann, bob, chat, retail,
                                                          written):
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for("message_start")
    other = ann.new_chat(retail, "openai")
    _, second = ann.new_message(other, QUESTION)
    path = f"/api/data-agent/chats/{other}/messages/{second}/stream"
    reply = ann.post(path)
    assert (reply.status, reply.code) == (429, "RATE_LIMITED")
    assert int(reply.headers["retry-after"]) >= 1
    followers = [ann.follow(message) for _ in range(3)]
    his, _ = bob.start(bob.new_chat(retail, "openai"), QUESTION)
    written.released.set()
    for each in (stream, his, *followers):
        assert each.finish()[-1].type == "message_complete"
    freed = ann.stream("POST", path)
    assert freed.finish()[-1].type == "message_complete"


def test_409_is_judged_before_the_limit(ann, chat, written):
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for("message_start")
    reply = ann.post(f"/api/data-agent/chats/{chat}/messages/{message}/stream")
    assert (reply.status, reply.code) == (409, "CONFLICT")
    assert reply.json["details"]["eventsUrl"] == \
        f"/api/data-agent/messages/{message}/events"
    written.released.set()
    stream.finish()


def test_one_request_starts_an_answer_or_joins_it(ann, chat, written, play):
    """A page that is opened again does not know whether its answer was started."""
    _, message = ann.new_message(chat, QUESTION)
    path = f"/api/data-agent/chats/{chat}/messages/{message}/stream?join=true"
    first = ann.stream("POST", path)
    first.wait_for("message_start")
    second = ann.stream("POST", path)
    second.wait_for("message_start")
    written.released.set()
    whole = [(e.id, e.type) for e in first.finish()]
    assert [(e.id, e.type) for e in second.finish()] == whole
    late = ann.stream("POST", path)
    assert [(e.id, e.type) for e in late.finish()] == whole
    assert ann.post(path.replace("true", "perhaps")).status == 400
    assert ann.post(path.replace("true", "false")).status == 409


# ---- cancelling ------------------------------------------------------------


def cancel(ann, chat, stream, message):
    """Cancels; the stream ends, and the row says the same."""
    assert ann.cancel(message).data["cancelled"]
    events = stream.finish()
    check_stream(events)
    assert events[-1].type == "message_error"
    assert events[-1].data["code"] == "CANCELLED"
    stored = ann.message(chat, message)
    assert stored["status"] == "failed"
    assert stored["metadata"]["error"]["code"] == "CANCELLED"
    shown = "".join(e.data["chunk"] for e in events if e.type == "message_chunk")
    assert stored["content"] == shown
    assert ann.cancel(message).status == 200, "twice is no error"
    return stored


def test_a_run_is_cancelled_while_the_model_writes(ann, chat, written):
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for("message_chunk")
    stored = cancel(ann, chat, stream, message)
    assert stored["content"].startswith("word0"), "the text so far is kept"
    traces = ann.get(f"/api/data-agent/chats/{chat}/messages/{message}/traces")
    assert {t["phase"] for t in traces.data} >= {"planner", "navigator"}


def test_a_run_is_cancelled_while_a_query_runs(ann, chat, play, source):
    play("retail", players.answers("count forever", ["order_items"], ENDLESS,
                                   ["n"], []))
    stream, message = ann.start(chat, "count forever")
    source.wait_busy("retail", "100000")
    cancel(ann, chat, stream, message)
    source.wait_idle("retail", "100000")
    play("retail")
    assert ann.ask(chat, QUESTION).complete


def test_a_run_is_cancelled_while_python_runs(ann, chat, play):
    play("retail", [players.says(players.VERIFIER, QUESTION, players.python(
        "print('begun')\nwhile True:\n    pass"))])
    stream, message = ann.start(chat, QUESTION)
    stream.wait_for(lambda e: e.type == "tool_start" and
                    e.data["name"] == "run_python")
    cancel(ann, chat, stream, message)
    play("retail")
    answer = ann.ask(chat, QUESTION)
    assert answer.metadata["verificationReport"]["passed"]


def test_a_message_that_nobody_streams_is_cancelled_at_once(ann, chat):
    _, message = ann.new_message(chat, QUESTION)
    for _ in range(2):
        assert ann.cancel(message).data == {"messageId": message,
                                            "cancelled": True,
                                            "status": "failed"}
    assert ann.message(chat, message)["status"] == "failed"
    reply = ann.post(f"/api/data-agent/chats/{chat}/messages/{message}/stream")
    assert reply.status == 409
    last = ann.follow(message).finish()[-1]
    assert (last.type, last.data["code"]) == ("message_error", "CANCELLED")


def test_a_finished_answer_is_not_changed_by_a_cancel(ann, chat, play):
    play("retail")
    answer = ann.ask(chat, QUESTION)
    for _ in range(2):
        assert ann.cancel(answer.message_id).data == {
            "messageId": answer.message_id, "cancelled": False,
            "status": "complete"}
    assert ann.message(chat, answer.message_id)["status"] == "complete"
