"""Two servers on one database, whose processes and connections are killed: each run is
answered once, by any process, and every server shows the same."""
import os
import re
import signal
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from sextant import alive, descendants, wait_until
from kit import fixtures, players
from kit.client import Client, Stream, check_stream
from kit.relay import Relay
from kit.server import Server, hand_on
from kit.wire import Held, hangs, passes, stalls_at

QUESTION = "revenue by city in 2025"
# A process that hangs for two thirds of it loses its runs. A busy machine must not
# hang that long; stories need not wait for a dead process (hand_on).
LEASE_MS = 6000
MARKERS = {"planner": players.PLANNER, "navigator": players.NAVIGATOR,
           "sql_builder": players.SQL_BUILDER, "verifier": players.VERIFIER,
           "explainer": players.EXPLAINER}
WORDS = " ".join(f"word{n}" for n in range(60))


@pytest.fixture(scope="module")
def line(source):
    """The relay from the first server to its database."""
    it = Relay(source.url("retail"))
    yield it
    it.close()


@pytest.fixture(scope="module")
def pipe(source):
    """The relay from both servers to the source."""
    it = Relay(source.url("retail"))
    yield it
    it.close()


@pytest.fixture(scope="module")
def cluster(source, wire, line, pipe):
    """Two servers; the second has two workers."""
    settings = dict(
        LEASE_MS=LEASE_MS, RUNS_PER_USER=0, DRAIN_MS=300, AUDIT_DAYS=365,
        PYTHON_TIMEOUT_MS=120000, JWT_SECRET="a secret of both of them " * 2,
        CREDENTIALS_KEY="c1" * 32, **fixtures.model_settings(wire.url))
    database = source.make_database("cluster")
    one = fixtures.open_service(source, DATABASE_URL=line.through(database),
                                **settings)
    two = Server(WORKERS=2, DATABASE_URL=database, **settings)
    try:
        one.connect("retail", pipe.through(source.url("retail")))
        yield one, two.start()
    finally:
        for server in (one, two):
            server.remove()


@pytest.fixture(scope="module")
def look_in(source):
    return lambda sql: source.psql("cluster", sql)


@pytest.fixture
def pair(cluster, wire, play):
    """One user's clients at both servers, and a chat of that user."""
    wire.forget()
    play("retail")
    for server in cluster:
        server.wait_healthy("/readyz")
    token = cluster[0].token_of(f"{uuid.uuid4().hex[:12]}@example.org")
    here, there = (Client(server.url, token) for server in cluster)
    yield here, there, here.new_chat(cluster[0].ontologies["retail"], "openai")
    wire.forget()


def plain(value):
    """The metadata without what differs between any two runs."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()
                if not k.endswith("Ms") and k not in ("startedAt", "timestamp",
                                                      "llmCallCount")}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, str):
        return re.sub(r"\d+(\.\d+)? ?ms\b", "? ms", value)
    return value


def same_events(seen, whole):
    assert [(e.id, e.data) for e in seen] == \
        [(e.id, e.data) for e in whole if e.id <= seen[-1].id and
         e.id >= seen[0].id]


def shown(events):
    """The text that a client shows, without what a restart voided."""
    text = []
    for event in events:
        if event.type == "phase_restart":
            text = [(n, t) for n, t in text if n <= event.data["afterId"]]
        elif event.type == "message_chunk":
            text.append((event.id, event.data["chunk"]))
    return "".join(t for _, t in text)


# ---- a process that dies, stops, or continues too late -----------------------

PLACES = (*MARKERS, "executor", "explainer, half way")
QUICK = {("kill", "explainer, half way"), ("stop", "sql_builder")}
GRID = [pytest.param(deed, at, marks=[] if (deed, at) in QUICK else
                     pytest.mark.long, id=f"{deed}-{at}")
        for deed in ("kill", "stop") for at in PLACES]


def words():
    return {**players.says(players.EXPLAINER, QUESTION, WORDS), "chunkSize": 10}


@pytest.fixture
def reach(wire, pipe, pair):
    """Asks, and holds the run at that place: (its stream, its id, a function that
    releases it)."""
    here, _, _ = pair

    def at_a_model(chat, marker):
        held = wire.hold(marker)
        stream, message = here.start(chat, QUESTION)
        held.wait()
        return stream, message, held.released.set

    def at_a_query(chat):
        stream, message, go_on = at_a_model(chat, players.SQL_BUILDER)
        pipe.shut()
        go_on()
        stream.wait_for("step_start")
        return stream, message, pipe.reopen

    def half_way(chat):
        wire.script(players.EXPLAINER, [stalls_at(b"word30")])
        stream, message = here.start(chat, QUESTION)
        stream.wait_for("message_chunk")
        return stream, message, lambda: None

    def reach(chat, at):
        if at == "executor":
            return at_a_query(chat)
        if at not in MARKERS:
            return half_way(chat)
        stream, message, go_on = at_a_model(chat, MARKERS[at])
        stream.wait_for(lambda e: e.type == "llm_call_start" and
                        e.data["phase"] == at)
        return stream, message, go_on
    yield reach
    pipe.reopen()


def disturb(cluster, reach, look_in, chat, deed, at):
    """Asks; stops or kills the worker at that place. Returns the state at that time."""
    worker = cluster[0].worker()
    stream, message, go_on = reach(chat, at)
    os.kill(worker, signal.SIGKILL if deed == "kill" else signal.SIGSTOP)
    go_on()
    if deed == "kill":
        wait_until(lambda: not alive(worker), what="its end")
        hand_on(look_in, message)
    return stream, message, worker


def told_undisturbed(client, chat, wire, play):
    """The undisturbed answer, and the number of model calls by phase."""
    play("retail", [words()])
    answer = client.ask(chat, QUESTION)
    assert answer.complete, answer.last.data
    calls = {name: wire.count(marker) for name, marker in MARKERS.items()}
    wire.forget()
    return answer, calls


@pytest.mark.parametrize("deed, at", GRID)
def test_a_run_survives_its_process(cluster, wire, pair, play, source, reach,
                                    look_in, deed, at):
    here, there, chat = pair
    undisturbed, calls = told_undisturbed(here, chat, wire, play)
    second = here.new_chat(cluster[0].ontologies["retail"], "openai")
    stream, message, worker = disturb(cluster, reach, look_in, second, deed,
                                      at)
    try:
        stored = there.settled(second, message)
        events = there.follow(message).finish()
    finally:
        if deed == "stop":
            os.kill(worker, signal.SIGCONT)
    check_stream(events)
    first = stream.finish() # the resumed process closes it
    same_events(first, events)
    assert first[-1].type not in ("message_complete", "message_error")
    cluster[0].wait_healthy()
    assert stored == there.message(second, message), "it was written again"
    again = here.follow(message).finish()
    assert [(e.id, e.data) for e in again] == [(e.id, e.data) for e in events]
    assert stored["status"] == "complete", stored["metadata"].get("error")
    assert stored["content"] == shown(events)
    assert stored["content"].startswith(WORDS)
    assert plain(events[-1].data["metadata"]) == plain(undisturbed.metadata)
    restarts = [e.data for e in events if e.type == "phase_restart"]
    where = at.split(",")[0]
    assert [(r["phase"], r["attempt"]) for r in restarts] == [(where, 2)]
    for name, marker in MARKERS.items():
        most = calls[name] * (2 if name == where else 1)
        assert calls[name] <= wire.count(marker) <= most, name
    source.wait_idle("retail", "order_items")


# ---- a run with everything that metadata can hold -----------------------------

RICH = "everything at once, please"
FAILS = players.python("""\
import json
print(json.dumps({"checks": [{"name": "never", "passed": False,
                              "severity": "fail", "message": "as expected"}],
                  "diagnosis": "it never passes",
                  "recommendedTarget": "sql_builder"}))""")
DIVIDES = "select 1 / (count(*) - count(*)) as impossible from orders"
REVENUE = ("select s.city, sum(i.line_total) as revenue from order_items i "
           "join orders o on o.order_id = i.order_id "
           "join stores s on s.store_id = o.store_id group by s.city")
# (the phase whose model is called when the process dies, its earlier calls)
RICH_PLACES = [(players.PLANNER, 0), (players.NAVIGATOR, 0),
               (players.NAVIGATOR, 1), (players.SQL_BUILDER, 0),
               (players.EXECUTOR, 0), (players.PYTHON, 0),
               (players.VERIFIER, 0), (players.SQL_BUILDER, 1),
               (players.PYTHON, 1), (players.VERIFIER, 3),
               (players.EXPLAINER, 0)]


def rich():
    """Steps in sequence, so that tool calls have a fixed order: cut rows, a failed step, a
    chart, tool calls, and checks that fail until no revision is
    left."""
    steps = [players.step(1, ["order_items"]),
             players.step(2, ["order_items", "orders", "stores"],
                          "sql_then_python", depends_on=[1]),
             players.step(3, ["orders"], depends_on=[2])]
    return [
        *players.structured(players.PLANNER, RICH, "generate_plan", players.plan(
            RICH, steps, filters=["only what there is"], timeWindow="2025")),
        *players.explores(RICH, ["orders", "stores"]),
        *players.structured(
            players.SQL_BUILDER, RICH, "generate_queries", players.queries(
                (1, "select order_item_id from order_items", ["order_item_id"]),
                (2, REVENUE, ["city", "revenue"]),
                (3, DIVIDES, ["impossible"]))),
        players.says(players.EXECUTOR, None, f"```sql\n{DIVIDES}\n```"),
        players.says(players.PYTHON, RICH, players.CHART),
        players.says(players.VERIFIER, RICH, FAILS),
        players.says(players.EXPLAINER, RICH, "Here is **everything**.")]


def killed_at(cluster, client, chat, wire, look_in, marker, before):
    """Asks; kills the worker when it calls that phase's model after `before` earlier
    calls. Returns the answer that another process completes."""
    held = Held()
    wire.script(marker, [passes] * before + [held])
    stream, message = client.start(chat, RICH)
    held.wait()
    worker = cluster[0].worker()
    os.kill(worker, signal.SIGKILL)
    held.released.set()
    wait_until(lambda: not alive(worker), what="its end")
    hand_on(look_in, message)
    stream.finish()
    return message


def rich_place(place):
    marker, before = place
    name = marker.removeprefix("You are the ").split(" of a")[0]
    marks = [] if place == (players.VERIFIER, 0) else pytest.mark.long
    return pytest.param(marker, before, id=f"{name}-{before}", marks=marks)


@pytest.mark.parametrize("marker, before",
                         [rich_place(place) for place in RICH_PLACES])
def test_a_run_taken_over_has_the_metadata_of_an_undisturbed_one(
        cluster, wire, pair, play, look_in, marker, before):
    here, there, chat = pair
    play("retail", rich())
    undisturbed = here.ask(chat, RICH)
    assert undisturbed.complete, undisturbed.last.data
    caveats = " ".join(undisturbed.metadata["explainerOutput"]["caveats"])
    for wanted in ("only the first 1000 rows", "Step 3:", "Maximum revision"):
        assert wanted in caveats
    second = here.new_chat(cluster[0].ontologies["retail"], "openai")
    message = killed_at(cluster, here, second, wire, look_in, marker, before)
    stored = there.settled(second, message)
    assert stored["status"] == "complete", stored["metadata"].get("error")
    events = there.follow(message).finish()
    check_stream(events)
    assert [e.data["attempt"] for e in events if e.type == "phase_restart"] == [2]
    assert plain(stored["metadata"]) == plain(
        here.message(chat, undisturbed.message_id)["metadata"])
    assert plain(events[-1].data["metadata"]) == plain(undisturbed.metadata)
    cluster[0].wait_healthy("/readyz")


# ---- leases ------------------------------------------------------------------


def patience(look_in, messages):
    """The latest time for the takeover of these runs: half a lease after their leases end,
    for a busy machine. By the database's clock."""
    return look_in("select max(lease_until) + interval '3 s' from runs where "
                   f"message_id = any('{{{','.join(messages)}}}')")[0][0]


def taken_by(look_in, messages, latest):
    """Waits for the takeover of all of them; returns whether it was in time."""
    def look():
        return look_in("select now() <= timestamptz '" + latest + "' from runs "
                       f"where message_id = any('{{{','.join(messages)}}}') "
                       "having min(attempt) > 1")
    return wait_until(look, what="their takeover") == [["t"]]


@pytest.mark.long
def test_a_crowd_of_runs_is_taken_over_when_their_lease_ends(cluster, wire, pair,
                                                             look_in):
    """More than a fixed number every third of a lease."""
    here, there, _ = pair
    crowd = 100
    wire.script(players.PLANNER, [hangs] * 2 * crowd)

    def begin(_):
        chat = here.new_chat(cluster[0].ontologies["retail"], "openai")
        return here.start(chat, QUESTION)[1]
    with ThreadPoolExecutor(10) as threads:
        messages = list(threads.map(begin, range(crowd)))
    wait_until(lambda: wire.count(players.PLANNER) >= crowd, what="all of them")
    wire.forget()
    os.kill(cluster[0].worker(), signal.SIGKILL)
    assert taken_by(look_in, messages, patience(look_in, messages))
    for message in messages[:10]:
        assert there.follow(message).finish()[-1].type == "message_complete"
    for message in messages[10:]:
        there.cancel(message)
    cluster[0].wait_healthy("/readyz")


def test_a_process_stopped_for_part_of_its_lease_gives_its_runs_back(
        cluster, wire, pair, look_in):
    """It gives them up when it continues; no process has to wait for the end of the lease,
    nor of a new one."""
    here, there, chat = pair
    wire.script(players.SQL_BUILDER, [hangs])
    stream, message = here.start(chat, QUESTION)
    stream.wait_for(lambda e: e.type == "llm_call_start" and
                    e.data["phase"] == "sql_builder")
    worker = cluster[0].worker()
    os.kill(worker, signal.SIGSTOP)
    try:
        latest = patience(look_in, [message])
        wait_until(lambda: look_in(
            "select lease_until < now() + interval '1.7 s' from runs where "
            f"message_id = '{message}'") == [["t"]], what="most of the lease")
    finally:
        os.kill(worker, signal.SIGCONT)
    assert taken_by(look_in, [message], latest)
    assert stream.finish()[-1].type not in ("message_complete", "message_error")
    assert there.follow(message).finish()[-1].type == "message_complete"


def test_the_deadline_of_a_run_counts_from_its_first_start(cluster, wire, pair,
                                                           look_in):
    here, there, chat = pair
    held = wire.hold(players.SQL_BUILDER)
    stream, message = here.start(chat, QUESTION)
    held.wait()
    worker = cluster[0].worker()
    look_in("update runs set started_at = now() - interval '601 s' where "
            f"message_id = '{message}'")
    os.kill(worker, signal.SIGKILL)
    held.released.set()
    wait_until(lambda: not alive(worker), what="its end")
    hand_on(look_in, message)
    stored = there.settled(chat, message)
    assert stored["metadata"]["error"]["code"] == "TIMEOUT"
    assert stored["metadata"]["joinPlan"], "what was done so far is kept"
    events = there.follow(message).finish()
    check_stream(events)
    assert events[-1].data["code"] == "TIMEOUT"
    stream.finish()
    cluster[0].wait_healthy("/readyz")


# ---- an agent that loops ---------------------------------------------------


def rounds(n):
    """Rounds with one query each, all different."""
    return [players.acts(QUESTION, ("query_database", {
        "sql": f"select count(*) + {k} as n from public.stores"}), turn=k)
        for k in range(n)]


def test_a_loop_resumes_at_the_next_round_and_repeats_no_query(
        cluster, wire, play, pair, look_in):
    """Killed in round 3 of 6, while its model thinks."""
    here, there, _ = pair
    play("retail", [*rounds(6), players.reacts(QUESTION, WORDS)])
    chat = here.new_chat(cluster[0].ontologies["retail"], "openai", agent="react")
    held = Held()
    wire.script(players.REACT, [passes, passes, held])
    worker = cluster[0].worker()
    stream, message = here.start(chat, QUESTION)
    held.wait()
    os.kill(worker, signal.SIGKILL)
    held.released.set()
    wait_until(lambda: not alive(worker), what="its end")
    hand_on(look_in, message)
    stored = there.settled(chat, message)
    assert stored["status"] == "complete", stored["metadata"].get("error")
    assert stored["content"] == WORDS
    events = there.follow(message).finish()
    check_stream(events)
    asked = [e.data["args"]["sql"] for e in events if e.type == "tool_call"]
    assert len(asked) == 6 == len(set(asked))
    assert [c["args"]["sql"] for c in stored["metadata"]["toolCalls"]] == asked
    assert [s["stepId"] for s in stored["metadata"]["stepResults"]] == [1, 2, 3, 4,
                                                                        5, 6]
    assert [e.data["attempt"] for e in events if e.type == "phase_restart"] == [2]
    assert wire.count(players.REACT) == 8 # seven rounds, the third one twice
    same_events(stream.finish(), events)


# ---- a process that is cut off, and what it leaves behind --------------------


@pytest.mark.long
def test_a_run_survives_that_its_process_is_cut_off(cluster, wire, pair, play,
                                                    line, reach):
    """The process gives it up by itself, and later messages about it change nothing."""
    here, there, chat = pair
    undisturbed, _ = told_undisturbed(here, chat, wire, play)
    second = here.new_chat(cluster[0].ontologies["retail"], "openai")
    stream, message, go_on = reach(second, "sql_builder")
    try:
        line.shut()
        first = stream.finish()
        stored = there.settled(second, message)
        go_on()
    finally:
        line.reopen()
    assert first[-1].type not in ("message_complete", "message_error")
    cluster[0].wait_healthy("/readyz")
    wait_until(lambda: here.get(f"/api/data-agent/messages/{message}").status
               == 200, what="its connections")
    assert cluster[0].log_entries("cut off from the database")
    events = there.follow(message).finish()
    check_stream(events)
    same_events(first, events)
    assert stored["status"] == "complete"
    assert plain(events[-1].data["metadata"]) == plain(undisturbed.metadata)
    assert here.message(second, message) == stored
    assert here.ask(here.new_chat(cluster[0].ontologies["retail"], "openai"),
                    QUESTION).complete


MARKED = """import signal
signal.signal(signal.SIGUSR2, signal.SIG_IGN)
while True:
    pass"""


def marked(pid):
    """Its descendants that run MARKED: a zygote that is loading works as hard."""
    def ignored(child):
        try:
            with open(f"/proc/{child}/status") as file:
                word = next(line for line in file if line.startswith("SigIgn:"))
                return int(word.split()[1], 16)
        except (OSError, StopIteration):
            return 0
    return [child for child in descendants(pid)
            if ignored(child) >> (signal.SIGUSR2 - 1) & 1]


@pytest.mark.long
def test_python_does_not_outlive_the_worker_that_asked(cluster, pair, play):
    here, there, chat = pair
    play("retail", [players.says(players.VERIFIER, QUESTION,
                                 players.python(MARKED))])
    sandbox, worker = cluster[0].sandbox(), cluster[0].worker()
    stream, message = here.start(chat, QUESTION)
    stream.wait_for(lambda e: e.type == "tool_start" and
                    e.data["name"] == "run_python")
    busy = wait_until(lambda: marked(sandbox), what="Python")
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: not any(alive(pid) for pid in busy), what="its end")
    assert there.cancel(message).status == 200
    assert there.settled(chat, message)["status"] == "failed"
    stream.finish()
    cluster[0].wait_healthy("/readyz")


# ---- followed and cancelled from the other server --------------------------


def test_a_run_is_followed_from_the_other_server(cluster, wire, pair):
    here, there, chat = pair
    held = wire.hold(players.SQL_BUILDER)
    stream, message = here.start(chat, QUESTION)
    held.wait()
    far = there.follow(message)
    far.wait_for(lambda e: e.type == "llm_call_start" and
                 e.data["phase"] == "sql_builder")
    held.released.set()
    events, same = stream.finish(), far.finish()
    check_stream(events)
    assert [(e.id, e.data) for e in same] == [(e.id, e.data) for e in events]


def test_an_admin_at_the_other_server_sees_what_a_run_does(cluster, wire, pair):
    here, _, chat = pair
    held = wire.hold(players.SQL_BUILDER)
    stream, message = here.start(chat, QUESTION)
    held.wait()
    admin = cluster[1].client("root@example.org", "admin")

    def trail():
        return next(r["trail"] for r in admin.get("/api/admin/runs").data["items"]
                    if r["messageId"] == message)
    lines = wait_until(trail, what="what the run does")
    assert any("sql_builder_begin" in line and "awaits http" in line
               for line in lines), lines
    held.released.set()
    stream.finish()


def cancelled(client, chat, message, events):
    assert events[-1].type == "message_error"
    assert events[-1].data["code"] == "CANCELLED"
    stored = client.settled(chat, message)
    assert stored["status"] == "failed"
    assert stored["metadata"]["error"]["code"] == "CANCELLED"
    assert stored["content"] == shown(events)
    return stored


def test_a_run_is_cancelled_from_the_other_server(cluster, wire, pair):
    here, there, chat = pair
    held = wire.hold(players.SQL_BUILDER)
    stream, message = here.start(chat, QUESTION)
    held.wait()
    assert there.cancel(message).status == 200
    events = stream.finish()
    check_stream(events)
    stored = cancelled(there, chat, message, events)
    assert stored["metadata"]["plan"], "its owner has ended it"
    held.released.set()


def test_a_run_whose_process_stands_still_is_cancelled_without_it(
        cluster, pair, play, reach, look_in):
    here, there, chat = pair
    play("retail", [words()])
    stream, message, worker = disturb(cluster, reach, look_in, chat, "stop",
                                      "explainer, half way")
    try:
        assert there.cancel(message).status == 200
        events = there.follow(message).finish()
        check_stream(events)
        stored = cancelled(there, chat, message, events)
        assert WORDS.startswith(stored["content"].strip())
        assert stored["content"], "the text so far is kept"
    finally:
        os.kill(worker, signal.SIGCONT)
    stream.finish()
    cluster[0].wait_healthy()
    assert there.message(chat, message) == stored


# ---- one claim -------------------------------------------------------------


def answered(reply):
    """(status, code) of a stream or a refusal."""
    if isinstance(reply, Stream):
        return 200, None
    return reply.status, reply.code


def at_once(deeds):
    """Calls all of them at the same time, as far as threads can."""
    ready = threading.Barrier(len(deeds))

    def do(deed):
        ready.wait(30)
        return deed()
    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(do, deeds))


def test_a_message_claimed_a_hundred_times_at_two_servers_runs_once(pair, source):
    here, there, chat = pair
    _, message = here.new_message(chat, QUESTION)
    path = f"/api/data-agent/chats/{chat}/messages/{message}/stream"
    replies = at_once([lambda c=c: c.stream("POST", path)
                       for c in (here, there) * 50])
    said = sorted(answered(reply) for reply in replies)
    assert said[0] == (200, None) and said[1:] == [(409, "CONFLICT")] * 99
    events = next(r for r in replies if isinstance(r, Stream)).finish()
    check_stream(events)
    assert source.psql("cluster", "select count(*) from runs where message_id = "
                       f"'{message}'") == [["1"]]


# ---- released leases, trimmed logs -------------------------------------------


def test_a_server_that_ends_hands_its_run_to_the_other(cluster, wire, pair,
                                                       source):
    """No attempt is lost; streams close without a terminal event."""
    here, there, chat = pair
    held = wire.hold(players.SQL_BUILDER)
    stream, message = here.start(chat, QUESTION)
    held.wait()
    far = there.follow(message)
    assert cluster[0].stop() == 0
    held.released.set()
    try:
        events = far.finish()
        check_stream(events)
        assert events[-1].type == "message_complete", events[-1].data
        same_events(stream.finish(), events)
        assert source.psql("cluster", "select attempt, releases from runs where "
                           f"message_id = '{message}'") == [["2", "1"]]
    finally:
        cluster[0].start()


def test_a_reader_behind_a_trimmed_log_is_told_so(cluster, pair, source):
    here, there, chat = pair
    answer = here.ask(chat, QUESTION)
    last = answer.last.id
    source.psql("cluster", "update runs set ended_at = now() - interval '30 days'"
                f" where message_id = '{answer.message_id}'")
    source.psql("cluster", "insert into audit_events (at, action) values "
                "(now() - interval '366 days', 'story.old'), "
                "(now() - interval '364 days', 'story.young')")
    assert cluster[1].stop() == 0
    cluster[1].start()
    wait_until(lambda: source.psql(
        "cluster", "select action from audit_events where action like 'story.%'")
        == [["story.young"]], what="the trimmed audit")
    wait_until(lambda: source.psql(
        "cluster", "select count(*) from run_events where message_id = "
        f"'{answer.message_id}'") == [["0"]], what="the trimmed log")
    events = here.follow(answer.message_id, after=3).finish()
    assert [(e.id, e.type) for e in events] == [
        (last - 1, "reset"), (last, "message_complete")]
    assert events[0].data == {"type": "reset", "fromId": last}
    assert events[1].data["content"] == answer.content
    assert here.follow(answer.message_id, after=last).status == 204
