"""Faults while a question is answered: of the worker, the sandbox, the source, the
system database."""
import functools
import os
import signal
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from postgres import Postgres
from sextant import alive, wait_until
from kit.relay import Relay
from kit import fixtures, players
from kit.client import Client, check_stream
from kit.server import hand_on, look_now
from kit.wire import Held

QUESTION = "revenue by city in 2025"
ENDLESS = """select count(*) as n from order_items a, order_items b, order_items c
 where a.quantity + b.quantity + c.quantity > 200000"""


@pytest.fixture(scope="module")
def keeper():
    """The PostgreSQL of the system database; it may be stopped."""
    it = Postgres().start()
    it.make_database("sextant")
    yield it
    it.remove()


@pytest.fixture(scope="module")
def fragile(source, keeper, wire):
    it = fixtures.open_service(
        source, DATABASE_URL=keeper.url("sextant", "sextant"),
        SQL_QUERY_TIMEOUT_MS=4000, DRAIN_MS=300,
        PYTHON_TIMEOUT_MS=10000,
        **fixtures.model_settings(wire.url))
    yield it
    it.remove()


@pytest.fixture(scope="module")
def look_in(keeper):
    return lambda sql: keeper.psql("sextant", sql)


@pytest.fixture
def cat(fragile, wire, play):
    """A user of this story only."""
    wire.forget()
    play("retail")
    fragile.wait_healthy("/readyz")
    yield fragile.client(f"{uuid.uuid4().hex[:12]}@example.org")
    wire.forget()


@pytest.fixture
def chat(cat, fragile):
    return cat.new_chat(fragile.ontologies["retail"], "openai")


def ask(client, chat, question=QUESTION):
    answer = client.ask(chat, question)
    check_stream(answer.events)
    return answer


def kill_worker(fragile):
    """Until another one serves."""
    dead = fragile.worker()
    os.kill(dead, signal.SIGKILL)
    wait_until(lambda: not alive(dead) and fragile.workers(),
               what="another worker")
    fragile.wait_healthy()


# ---- the sandbox -----------------------------------------------------------


def test_a_sandbox_that_is_killed_leaves_the_answer_unverified(
        fragile, cat, chat, play):
    """Never passed; and the next answer is verified again."""
    play("retail", [players.says(players.VERIFIER, QUESTION, players.python(
        "import time\ntime.sleep(60)"))])
    stream, message = cat.start(chat, QUESTION)
    stream.wait_for(lambda e: e.type == "tool_start" and
                    e.data["name"] == "run_python")
    os.kill(fragile.sandbox(), signal.SIGKILL)
    events = stream.finish()
    check_stream(events)
    told = events[-1].data["metadata"]
    assert events[-1].data["status"] == "complete"
    assert told["verificationReport"]["status"] == "skipped"
    assert told["verificationReport"]["passed"] is False
    assert told["revisionsUsed"] == 0
    assert any("Not verified" in c for c in told["explainerOutput"]["caveats"])
    play("retail")
    wait_until(lambda: ask(cat, chat).metadata["verificationReport"]["passed"],
               what="a sandbox that works again")


def test_python_over_its_time_leaves_the_answer_unverified(cat, chat, play):
    play("retail", [players.says(players.VERIFIER, QUESTION, players.python(
        "import os\nos._exit(7)"))])
    answer = ask(cat, chat)
    report = answer.metadata["verificationReport"]
    assert answer.complete
    assert (report["status"], report["passed"]) == ("skipped", False)


# ---- the source --------------------------------------------------------------


def test_a_source_that_is_down_is_a_steps_error(cat, chat, source, fragile):
    assert ask(cat, chat).complete
    source.stop()
    try:
        answer = ask(cat, chat)
        step = answer.metadata["stepResults"][0]
        assert step["error"] and step["sqlResult"] is None
        assert answer.of("step_complete")[0]["error"] == step["error"]
        assert fragile.healthy("/readyz")
    finally:
        source.start()
    again = ask(cat, chat)
    assert again.metadata["stepResults"][0]["sqlResult"]["rowCount"] == 12


def test_a_session_that_is_killed_in_a_query_is_one_steps_matter(
        cat, chat, play, source):
    play("retail", players.answers("count forever", ["order_items"], ENDLESS,
                                   ["n"], []))
    stream, _ = cat.start(chat, "count forever")
    source.wait_busy("retail", "200000")
    for pid in source.busy("retail", "200000"):
        source.psql("postgres", f"select pg_terminate_backend({pid})")
    check_stream(stream.finish())
    play("retail")
    assert ask(cat, chat).metadata["stepResults"][0]["sqlResult"]["rowCount"] == 12


def test_a_query_that_an_administrator_ends_is_not_run_again(
        cat, chat, play, source):
    """No layer runs it again: that would exceed the time limit."""
    play("retail", players.answers("count forever", ["order_items"], ENDLESS,
                                   ["n"], []))
    stream, _ = cat.start(chat, "count forever")
    old = ("select pid from pg_stat_activity where state = 'active' and "
           "datname = 'retail' and query like '%200000%' and "
           "clock_timestamp() - query_start > '1.1 s' and "
           "leader_pid is null and pid <> pg_backend_pid()")
    [[pid]] = wait_until(lambda: source.psql("postgres", old),
                         what="a query that runs for a second")
    source.psql("postgres", f"select pg_terminate_backend({pid})")
    events = stream.finish()
    check_stream(events)
    metadata = events[-1].data["metadata"]
    [error] = [e.data["error"] for e in events if e.type == "tool_error" and
               e.data["name"] == "query_database"]
    assert "took longer" not in error
    assert metadata["stepResults"][0]["error"] == error
    assert metadata["revisionsUsed"] == 0
    assert [e.data["name"] for e in events if e.type == "tool_start"].count(
        "query_database") == 1
    play("retail")


def test_a_source_that_restarts_is_waited_for(cat, chat, source):
    assert ask(cat, chat).complete  # with sessions that the crash ends
    source.stop()
    try:
        stream, _ = cat.start(chat, QUESTION)
        stream.wait_for(lambda e: e.type == "tool_start" and e.data["name"] in
                        ("get_sample_data", "query_database"))
    finally:
        source.start()
    events = stream.finish()
    check_stream(events)
    assert not [e.data for e in events if e.type == "tool_error" and
                e.data["name"] != "run_python"]  # a busy machine
    step = events[-1].data["metadata"]["stepResults"][0]
    assert step["sqlResult"] and step["sqlResult"]["rowCount"] == 12, step


def test_a_query_over_its_time_is_mended_once_and_then_a_steps_error(
        cat, chat, play, source, aimock):
    fixed = "```sql\n" + ENDLESS.replace("200000", "200001") + "\n```"
    play("retail", [players.says(players.EXECUTOR, None, fixed),
                    *players.answers("count forever", ["order_items"], ENDLESS,
                                     ["n"], [])])
    answer = ask(cat, chat, "count forever")
    assert answer.complete
    assert len(aimock.prompts(players.EXECUTOR)) == 1
    step = answer.metadata["stepResults"][0]
    assert step["error"] and "took longer" in step["error"]
    assert any("Step 1" in c for c in
               answer.metadata["explainerOutput"]["caveats"])
    source.wait_idle("retail", "20000")


# ---- the system database -----------------------------------------------------


def test_without_its_database_the_server_says_503_and_heals(fragile, cat, chat,
                                                            keeper, wire):
    """A run in progress pauses and continues."""
    held = wire.hold(players.SQL_BUILDER)
    stream, message = cat.start(chat, QUESTION)
    held.wait()
    keeper.stop()
    try:
        for path in ("/api/data-agent/chats", "/api/ontologies"):
            reply = wait_until(lambda: refused(cat, path), what="a 503")
            assert reply.code == "UNAVAILABLE"
            assert int(reply.headers["retry-after"]) >= 1
        reply = cat.post(f"/api/data-agent/chats/{chat}/messages",
                         {"content": "lost?"})
        assert reply.status == 503
        assert fragile.healthy("/healthz")
        wait_until(lambda: not fragile.healthy("/readyz"), what="unreadiness")
        held.released.set()
    finally:
        keeper.start()
    fragile.wait_healthy("/readyz")
    stored = cat.settled(chat, message)
    assert stored["status"] == "complete", stored["metadata"].get("error")
    assert "lost?" not in [m["content"] for m in cat.get(
        f"/api/data-agent/chats/{chat}/messages").data["items"]]
    events = cat.follow(message).finish()
    check_stream(events)
    assert events[-1].type == "message_complete"
    seen = stream.finish()
    assert [e.data for e in seen] == [e.data for e in events[:len(seen)]]


MOST_WAIT = 3  # seconds, as docs/reliability.md promises


def timed(request):
    begun = time.monotonic()
    return request(), time.monotonic() - begun


def test_a_database_that_stands_still_is_told_within_three_seconds(
        fragile, cat, chat, keeper, wire):
    """Waiting requests get it within the limit, later ones at once; the run pauses."""
    held = wire.hold(players.SQL_BUILDER)
    stream, message = cat.start(chat, QUESTION)
    held.wait()
    messages = f"/api/data-agent/chats/{chat}/messages"
    requests = [lambda: cat.get("/api/data-agent/chats"),
                lambda: cat.get("/api/ontologies"),
                lambda: cat.post(messages, {"content": "lost?"}),
                lambda: Client(fragile.url).get("/readyz")]
    with ThreadPoolExecutor(len(requests)) as pool:
        with keeper.frozen():
            for reply, seconds in pool.map(timed, requests):
                assert reply.status == 503, reply.body
                assert int(reply.headers["retry-after"]) >= 1
                assert seconds < MOST_WAIT
            again = [timed(request)[1] for request in requests * 3]
            assert sum(again) < MOST_WAIT, again
            assert fragile.healthy("/healthz")
            held.released.set()
            seen = len(stream.events)
        fragile.wait_healthy("/readyz")
    stored = cat.settled(chat, message)
    assert stored["status"] == "complete", stored["metadata"].get("error")
    events = cat.follow(message).finish()
    check_stream(events)
    told = stream.finish()
    assert len(told) >= seen
    assert [e.data for e in told] == [e.data for e in events[:len(told)]]


def test_connections_that_lead_nowhere_are_replaced(source, keeper):
    """Half-open ones: no end, no error, only silence."""
    keeper.psql("postgres", "create database half_open owner sextant")
    relay = Relay(keeper.url("half_open", "sextant"))
    server = fixtures.open_service(
        source, SANDBOX_URL="off",
        DATABASE_URL=relay.through(keeper.url("half_open", "sextant")))
    try:
        client = server.client("cat@example.org")
        chat = client.new_chat(server.ontologies["retail"], "builtin")
        relay.strand()
        reply, seconds = timed(lambda: client.get("/api/data-agent/chats"))
        assert seconds < MOST_WAIT
        assert reply.status in (200, 503), reply.body
        wait_until(lambda: client.get("/api/data-agent/chats").status == 200,
                   what="new connections")
        assert client.ask(chat, "How many orders in 2025?").complete
    finally:
        server.remove()
        relay.close()


def test_a_read_only_database_is_why_it_is_not_ready(fragile, cat, chat, keeper):
    """It recovers by itself when the database is writable again."""
    def make(what):
        keeper.psql("postgres", "alter system set "
                    f"default_transaction_read_only = {what}")
        keeper.psql("postgres", "select pg_reload_conf()")

    make("on")
    try:
        wait_read_only(fragile)
        assert fragile.healthy("/healthz")
        assert cat.get("/api/ontologies").status == 200
        reply = cat.post(f"/api/data-agent/chats/{chat}/messages",
                         {"content": "lost?"})
        assert reply.status == 503 and int(reply.headers["retry-after"]) >= 1
    finally:
        keeper.psql("postgres", "set default_transaction_read_only = off;"
                    "alter system reset default_transaction_read_only")
        keeper.psql("postgres", "select pg_reload_conf()")
    fragile.wait_healthy("/readyz")
    assert ask(cat, chat).complete


def wait_read_only(server):
    wait_until(lambda: b"read-only" in Client(server.url).get("/readyz").body,
               what="the reason of its unreadiness")


def test_after_a_failover_connections_to_the_old_primary_are_replaced(
        fragile, cat, chat, keeper):
    """New sessions may write; older ones may not, and are replaced."""
    def make(what):
        keeper.psql("postgres", "set default_transaction_read_only = off;"
                    f"alter database sextant {what}")

    fragile.wait_healthy("/readyz")
    make("set default_transaction_read_only = on")
    keeper.psql("postgres", "select pg_terminate_backend(pid) from "
                "pg_stat_activity where datname = 'sextant'")
    wait_read_only(fragile)
    make("reset default_transaction_read_only")
    fragile.wait_healthy("/readyz")
    assert ask(cat, chat).complete


@pytest.fixture
def hurried(source, keeper, wire):
    """A lease is over long before the database goes on. No other server shares
    the database, which would take runs over."""
    keeper.psql("postgres", "create database hurried owner sextant")
    it = fixtures.open_service(
        source, DATABASE_URL=keeper.url("hurried", "sextant"), LEASE_MS=6000,
        DRAIN_MS=300, **fixtures.model_settings(wire.url))
    yield it
    it.remove()


def stand_still(server, keeper, request):
    """Longer than a lease, and than any wait for an answer."""
    with keeper.frozen():
        reply = request()
        assert reply.status == 503, reply.body
        time.sleep(9)  # of the database's clock: a lease and a half
    server.wait_healthy("/readyz")


@pytest.mark.long
def test_a_database_that_stands_still_costs_a_run_no_attempt(
        hurried, keeper, wire, play):
    """It does not execute refused requests later, either."""
    wire.forget()
    play("retail")
    client = hurried.client(f"{uuid.uuid4().hex[:12]}@example.org")
    chat = client.new_chat(hurried.ontologies["retail"], "openai")
    other = client.new_chat(hurried.ontologies["retail"], "builtin")
    _, late = client.new_message(other, QUESTION)
    start = f"/api/data-agent/chats/{other}/messages/{late}/stream"
    helds = [Held() for _ in range(3)]
    wire.script(players.SQL_BUILDER, helds)
    _, message = client.start(chat, QUESTION)
    for held in helds[:2]:
        held.wait()
        stand_still(hurried, keeper, lambda: client.post(start))
    helds[2].wait()
    look_in = functools.partial(keeper.psql, "hurried")
    assert look_in(f"select 1 from runs where message_id = '{late}'") == []
    for held in helds:
        held.released.set()
    stored = client.settled(chat, message)
    assert stored["status"] == "complete", stored["metadata"].get("error")
    [[attempts, releases]] = look_in("select attempt, releases from runs where "
                                     f"message_id = '{message}'")
    assert int(attempts) - int(releases) <= 1, (attempts, releases)
    check_stream(client.follow(message).finish())
    check_stream(client.stream("POST", start).finish())


def refused(client, path):
    reply = client.get(path)
    return reply if reply.status == 503 else None


@pytest.fixture
def hasty_keeper(keeper):
    """Its own settings would lose what was committed in the last seconds."""
    hasty = {"synchronous_commit": "off", "wal_writer_delay": "10s",
             "commit_delay": "0"}
    for name, value in hasty.items():
        keeper.psql("postgres", f"alter system set {name} = '{value}'")
    keeper.psql("postgres", "select pg_reload_conf()")
    yield keeper
    keeper.psql("postgres", "alter system reset all")
    keeper.psql("postgres", "select pg_reload_conf()")


def begin_again(client, chat, stream, message):
    """A start without a first event may be lost, as docs/operations.md says: the story
    starts it again, which is refused if it was not lost."""
    if not stream.events:
        client.stream("POST", f"/api/data-agent/chats/{chat}/messages/{message}"
                              "/stream")


@pytest.mark.parametrize("crashes", [3, pytest.param(30, marks=pytest.mark.long)])
def test_what_a_client_has_seen_survives_every_crash(fragile, hasty_keeper,
                                                     crashes):
    """Events, questions and answers are durable before a client sees them."""
    clients = [fragile.client(f"{uuid.uuid4().hex[:12]}@example.org")
               for _ in range(6)]
    for n in range(crashes):
        fragile.wait_healthy("/readyz")
        burst = []
        for client in clients:
            chat = client.new_chat(fragile.ontologies["retail"], "builtin")
            burst.append((client, chat, *client.start(chat, QUESTION)))
        burst[n % len(burst)][2].wait_for(lambda e, n=n: e.id >= 1 + 3 * n % 20)
        hasty_keeper.crash()
        hasty_keeper.start()
        fragile.wait_healthy("/readyz")
        for client, chat, stream, message in burst:
            begin_again(client, chat, stream, message)
            stored = client.settled(chat, message)
            events = client.follow(message).finish()
            check_stream(events)
            kept = {e.id: e.data for e in events}
            seen = stream.finish()
            assert [e.data for e in seen] == [kept.get(e.id) for e in seen]
            assert stored["status"] == "complete", stored["metadata"].get("error")


# ---- the worker ------------------------------------------------------------


@pytest.mark.parametrize("marker", [
    players.SQL_BUILDER, pytest.param(players.PLANNER, marks=pytest.mark.long),
    pytest.param(players.VERIFIER, marks=pytest.mark.long),
    pytest.param(players.EXPLAINER, marks=pytest.mark.long)])
def test_a_worker_that_is_killed_is_followed_by_another(fragile, cat, chat, wire,
                                                        look_in, marker):
    """The run continues at its last checkpoint, with the same event numbers."""
    held = wire.hold(marker)
    stream, message = cat.start(chat, QUESTION)
    held.wait()
    stream.wait_for(lambda e: e.type == "llm_call_start" and
                    e.data["phase"] == phase_of(marker))
    kill_worker(fragile)
    held.released.set()
    first = stream.finish()
    assert "message_complete" not in [e.type for e in first]
    hand_on(look_in, message)
    rest = cat.follow(message, after=first[-1].id).finish()
    events = [*first, *rest]
    check_stream(events)
    assert events[-1].type == "message_complete", events[-1].data
    restart = [e for e in events if e.type == "phase_restart"]
    assert len(restart) == 1 and restart[0].data["attempt"] == 2
    assert restart[0].data["phase"] == phase_of(marker)
    begun = [e.id for e in events if e.type == "phase_start" and
             e.data["phase"] == phase_of(marker)][0]
    assert 1 <= restart[0].data["afterId"] < begun
    whole = cat.follow(message).finish()
    assert [(e.id, e.data) for e in whole] == [(e.id, e.data) for e in events]
    assert events[-1].data["metadata"]["stepResults"][0]["sqlResult"][
        "rowCount"] == 12
    rows = look_in("select attempt, epoch, ended_at is not null "
                   f"from runs where message_id = '{message}'")
    assert rows == [["2", "2", "t"]]
    assert wire.count(players.PLANNER) == (2 if marker == players.PLANNER else 1)


def test_a_worker_that_is_killed_while_the_answer_is_written(
        fragile, cat, chat, play, wire, look_in):
    """The text that was shown is void; clients have the answer once."""
    words = " ".join(f"word{n}" for n in range(60))
    play("retail", [{**players.says(players.EXPLAINER, QUESTION, words),
                     "chunkSize": 10}])
    held = wire.hold(players.EXPLAINER, b"word0")
    stream, message = cat.start(chat, QUESTION)
    stream.wait_for("message_chunk")
    kill_worker(fragile)
    held.released.set()
    first = stream.finish()
    assert "message_chunk" in [e.type for e in first]
    hand_on(look_in, message)
    events = cat.follow(message).finish()
    check_stream(events)
    assert shown(events) == events[-1].data["content"]
    assert shown(events).startswith(words)


def shown(events):
    """The text that a client shows, without what a restart voided."""
    text = []
    for event in events:
        if event.type == "phase_restart":
            text = [(n, t) for n, t in text if n <= event.data["afterId"]]
        elif event.type == "message_chunk":
            text.append((event.id, event.data["chunk"]))
    return "".join(t for _, t in text)


@pytest.mark.long
def test_a_worker_that_is_killed_before_its_first_event(fragile, cat, chat, wire,
                                                       look_in):
    held = wire.hold(players.PLANNER)
    stream, message = cat.start(chat, QUESTION)
    kill_worker(fragile)
    held.released.set()
    stream.finish()
    hand_on(look_in, message)
    cat.settled(chat, message)
    check_stream(cat.follow(message).finish())


def phase_of(marker):
    return {players.PLANNER: "planner", players.SQL_BUILDER: "sql_builder",
            players.VERIFIER: "verifier", players.EXPLAINER: "explainer"}[marker]


def test_a_killed_workers_query_ends(fragile, cat, chat, play, source):
    play("retail", players.answers("count forever", ["order_items"], ENDLESS,
                                   ["n"], []))
    _, message = cat.start(chat, "count forever")
    source.wait_busy("retail", "200000")
    kill_worker(fragile)
    assert cat.cancel(message).status == 200
    cat.settled(chat, message)
    source.wait_idle("retail", "200000")


def test_an_orphan_is_cancelled_too(fragile, cat, chat, wire):
    held = wire.hold(players.PLANNER)
    stream, message = cat.start(chat, QUESTION)
    held.wait()
    kill_worker(fragile)
    stream.finish()
    assert cat.cancel(message).status == 200
    held.released.set()
    stored = cat.settled(chat, message)
    assert stored["status"] == "failed"
    assert stored["metadata"]["error"]["code"] == "CANCELLED"


def test_sigterm_hands_the_run_to_the_next_server(fragile, cat, chat, wire):
    """Streams close without a terminal event; another process continues."""
    held = wire.hold(players.SQL_BUILDER)
    stream, message = cat.start(chat, QUESTION)
    held.wait()
    assert fragile.stop() == 0
    seen = stream.finish()
    assert seen[-1].type not in ("message_complete", "message_error")
    held.released.set()
    fragile.start()
    client = Client(fragile.url, cat.token)
    stored = client.settled(chat, message)
    assert stored["status"] == "complete", stored["metadata"].get("error")
    check_stream(client.follow(message).finish())


@pytest.mark.long
def test_a_run_that_kills_its_workers_fails_in_the_end(fragile, cat, chat, wire,
                                                      look_in):
    """Bounded attempts: ATTEMPTS_EXCEEDED, and no restart loop."""
    helds = [Held() for _ in range(4)]
    wire.script(players.PLANNER, helds)
    stream, message = cat.start(chat, QUESTION)
    stream.wait_for("message_start")  # recorded before a worker dies
    for held in helds[:3]:
        held.wait()
        kill_worker(fragile)
        hand_on(look_in, message)
    stored = cat.settled(chat, message)
    assert stored["metadata"]["error"]["code"] == "ATTEMPTS_EXCEEDED"
    assert not helds[3].reached.is_set()
    for held in helds:
        held.released.set()
    check_stream(cat.follow(message).finish())


# ---- no process --------------------------------------------------------------


def test_an_answer_that_nobody_starts_fails_in_the_end(cat, chat, look_in):
    _, message = cat.new_message(chat, QUESTION)
    look_in("update data_chat_messages set created_at = created_at - "
            f"interval '1 day' where id = '{message}'")
    look_now(look_in)
    stored = cat.settled(chat, message)
    assert stored["status"] == "failed"
    assert stored["metadata"]["error"]["code"] == "NOT_STARTED"
    last = cat.follow(message).finish()[-1]
    assert (last.type, last.data["code"]) == ("message_error", "NOT_STARTED")
