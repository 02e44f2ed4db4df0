"""Admission: runs that start, runs that wait in the queue, and requests that get 429;
the limits of one user."""
import uuid

import pytest

from kit import fixtures, players
from kit.client import Client, check_stream
from sextant import wait_until

QUESTION = "revenue by city in 2025"
PER_MINUTE = 60


@pytest.fixture(scope="module")
def narrow(source, wire):
    """One run at a time, four in the queue, two of them of one user."""
    it = fixtures.open_service(
        source, MAX_RUNS=1, QUEUE_MAX=4, RUNS_PER_USER=0, TOKENS_PER_DAY=1,
        REQUESTS_PER_MINUTE=PER_MINUTE, SANDBOX_URL="off",
        HEARTBEAT_MS=1000,
        **fixtures.model_settings(wire.url))
    yield it
    it.remove()


@pytest.fixture
def people(narrow, wire, play):
    """Users of this story only."""
    wire.forget()
    play("retail")
    wait_until(lambda: narrow.metric("runs_in_progress") == 0, what="quiet")
    yield [narrow.client(f"{uuid.uuid4().hex[:12]}@example.org")
           for _ in range(3)]
    wire.forget()


def begin(narrow, client, question=QUESTION):
    """Asks in a new chat: (Stream or Reply, id of the answer)."""
    chat = client.new_chat(narrow.ontologies["retail"], "openai")
    _, message = client.new_message(chat, question)
    return client.stream("POST", f"/api/data-agent/chats/{chat}/messages/"
                                 f"{message}/stream"), message


def hold_first(narrow, wire, client):
    """A run of another user that has the only slot until `released` is set."""
    held = wire.hold(players.PLANNER)
    stream, message = begin(narrow, client)
    held.wait()
    return held, stream, message


def is_queued(event):
    return event.type == "run_status" and event.data["reason"] == "queued"


def in_line(narrow, client):
    stream, message = begin(narrow, client)
    stream.wait_for(is_queued)
    return stream, message


def check_refused(reply, policy):
    assert reply.status == 429 and reply.code == "RATE_LIMITED"
    assert int(reply.headers["retry-after"]) >= 1
    assert f'"{policy}";q=' in reply.headers["ratelimit-policy"]
    assert f'"{policy}";r=0;t=' in reply.headers["ratelimit"]


def test_users_take_turns_in_the_line(narrow, wire, people):
    ann, bob, cat = people
    held, first, first_id = hold_first(narrow, wire, cat)
    waiting = [in_line(narrow, ann), in_line(narrow, ann), in_line(narrow, bob)]
    assert narrow.metric("runs_waiting") == 3
    held.released.set()
    for stream, _ in [(first, first_id), *waiting]:
        events = stream.finish()
        check_stream(events)
        assert events[-1].type == "message_complete"
    ids = [first_id, *(message for _, message in waiting)]
    def over():
        return [entry["run"] for entry in narrow.log_entries("run over")
                if entry["run"] in ids]
    wait_until(lambda: len(over()) == len(ids), what="the lines of the log")
    assert over() == [ids[0], ids[1], ids[3], ids[2]], "ann, bob, ann"


def test_the_line_has_a_bound_and_one_user_half_of_it(narrow, wire, people):
    ann, bob, cat = people
    held, first, _ = hold_first(narrow, wire, cat)
    waiting = [in_line(narrow, ann)[0], in_line(narrow, ann)[0]]
    reply, refused = begin(narrow, ann)
    check_refused(reply, "queue")
    waiting += [in_line(narrow, bob)[0], in_line(narrow, bob)[0]]
    check_refused(begin(narrow, cat)[0], "queue")
    # A claimed message is reported as such, however full the queue is; refused
    # messages were not claimed.
    again = bob.stream("POST", f"/api/data-agent/stream/{uuid.uuid4()}",
                       {"chatId": str(uuid.uuid4()), "question": "?"})
    assert again.status == 404
    held.released.set()
    for stream in [first, *waiting]:
        assert stream.finish()[-1].type == "message_complete"
    rows = narrow.psql(f"select count(*) from runs where message_id = '{refused}'")
    assert rows == [["0"]]


def test_a_claimed_message_is_409_also_when_the_line_is_full(narrow, wire, people):
    ann, bob, cat = people
    held, first, first_id = hold_first(narrow, wire, cat)
    waiting = [in_line(narrow, who) for who in (ann, ann, bob, bob)]
    chat = first.wait_for("message_start").data["chatId"]
    reply = cat.stream("POST", f"/api/data-agent/chats/{chat}/messages/"
                               f"{first_id}/stream")
    assert reply.status == 409
    assert reply.json["details"]["eventsUrl"].endswith(f"{first_id}/events")
    # Health, following and cancelling do not wait in it.
    assert Client(narrow.url).get("/healthz").status == 200
    follower = cat.follow(first_id)
    follower.wait_for("message_start")
    for _, message in waiting:
        who = ann if message in [m for _, m in waiting[:2]] else bob
        assert who.cancel(message).status == 200
    for stream, _ in waiting:
        events = stream.finish()
        check_stream(events)
        assert events[-1].data["code"] == "CANCELLED"
        assert [e.type for e in events] == ["message_start", "run_status",
                                            "message_error"]
    assert narrow.metric("runs_waiting") == 0
    held.released.set()
    assert first.finish()[-1].type == "message_complete"


def test_a_client_that_leaves_the_line_keeps_its_place(narrow, wire, people):
    ann, _, cat = people
    held, first, _ = hold_first(narrow, wire, cat)
    stream, message = in_line(narrow, ann)
    stream.leave()
    held.released.set()
    events = ann.follow(message).finish()
    check_stream(events)
    assert events[-1].type == "message_complete"
    first.finish()


def test_tokens_of_the_day_are_a_limit(narrow, people):
    ann, bob, _ = people
    stream, _ = begin(narrow, ann)
    assert stream.finish()[-1].type == "message_complete"
    narrow.psql("update token_usage set at = now()")  # should it be midnight
    reply, message = begin(narrow, ann)
    check_refused(reply, "tokens")
    assert int(reply.headers["retry-after"]) <= 24 * 60 * 60
    assert ";w=86400" in reply.headers["ratelimit-policy"]
    stream, _ = begin(narrow, bob)
    assert stream.finish()[-1].type == "message_complete"
    used = narrow.psql("select count(*), min(tokens) from token_usage u join users "
                       "on users.id = u.user_id where tokens < 150")
    assert used == [["0", ""]]
    # Yesterday's do not count.
    narrow.psql("update token_usage set at = at - interval '1 day'")
    again = narrow.psql(f"select chat_id from data_chat_messages "
                        f"where id = '{message}'")[0][0]
    stream = ann.stream("POST", f"/api/data-agent/chats/{again}/messages/"
                                f"{message}/stream")
    assert stream.finish()[-1].type == "message_complete"


def test_requests_of_a_minute_are_a_limit(narrow, people):
    ann, bob, _ = people
    chat = ann.new_chat(narrow.ontologies["retail"], "openai")
    _, message = ann.new_message(chat, QUESTION)
    first = ann.get("/api/ontologies")
    assert first.headers["ratelimit-policy"] == f'"requests";q={PER_MINUTE};w=60'
    assert '"requests";r=' in first.headers["ratelimit"]
    refused = next(r for r in (ann.get("/api/ontologies")
                               for _ in range(20 * PER_MINUTE))
                   if r.status != 200)
    check_refused(refused, "requests")
    assert bob.get("/api/ontologies").status == 200
    assert Client(narrow.url).get("/healthz").status == 200
    # Cancelling one's own runs does not count.
    for _ in range(3):
        assert ann.cancel(message).status == 200
        assert ann.follow(message).status == 200


def test_a_user_with_as_many_runs_as_he_may_have_is_told_which_limit(
        source, wire, play):
    """RUNS_PER_USER, 1 if not set."""
    wire.forget()
    play("retail")
    it = fixtures.open_service(source, SANDBOX_URL="off",
                               **fixtures.model_settings(wire.url))
    try:
        ann = it.client()
        held, first, _ = hold_first(it, wire, ann)
        reply, _ = begin(it, ann)
        check_refused(reply, "runs")
        held.released.set()
        assert first.finish()[-1].type == "message_complete"
    finally:
        it.remove()
