"""Three servers on three machines behind nginx, as docs/scale.md describes it: the machines
are network namespaces, and PostgreSQL, the source and nginx are on a fourth."""
import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import fixtures
from kit.client import Client, check_stream
from kit.network import IP, Network
from kit.nginx import NGINX, Nginx
from kit.relay import Relay
from kit.server import Server
from postgres import Postgres
from sextant import descendants, wait_until

QUESTION = "revenue by city in 2025"
LEASE_MS = 6000
METRICS_TOKEN = "a token of those who look at metrics"
pytestmark = [pytest.mark.long,
              pytest.mark.skipif(not (NGINX and IP), reason="no nginx or no ip here")]


@pytest.fixture(scope="module")
def network():
    try:
        it = Network(3)
    except PermissionError as error:
        pytest.skip(f"this process may not make network namespaces: {error}")
    with it.middle.inside():
        yield it
    it.remove()


@pytest.fixture(scope="module")
def database(network):
    postgres = Postgres().start()
    postgres.load("retail", (fixtures.DEMO / "schema.sql").read_text() +
                  (fixtures.DEMO / "data.sql").read_text())
    postgres.make_database("sextant")
    yield postgres
    postgres.remove()


@pytest.fixture(scope="module")
def system(network, database):
    """The way to the system database from all machines."""
    it = Relay(database.url("retail"), listen=network.address)
    yield it.through(database.url("sextant", "sextant"))
    it.close()


@pytest.fixture(scope="module")
def to_source(network, database):
    it = Relay(database.url("retail"), listen=network.address)
    yield it
    it.close()


@pytest.fixture(scope="module")
def servers(network, system, to_source, database):
    started = []
    for machine in network.machines:
        server = Server(HOST=machine.address, DATABASE_URL=system, LEASE_MS=LEASE_MS,
                        SANDBOX_URL="off", RUNS_PER_USER=0, METRICS_TOKEN=METRICS_TOKEN,
                        EMBEDDING_DEFAULT_PROVIDER="lexical",
                        JWT_SECRET="a secret of all of them " * 2, CREDENTIALS_KEY="c1" * 32)
        started.append(server)
        with machine.inside():
            server.start()
    with network.machines[0].inside():
        started[0].connect("retail", to_source.through(database.url("retail")))
        started[0].ontologies["retail"] = started[0].import_model(
            fixtures.MODELS["retail"], "retail")
    yield started
    for server in started:
        server.remove()


@pytest.fixture(scope="module")
def ann(network, servers, tmp_path_factory):
    """At nginx. A token is made where the database can be reached."""
    nginx = Nginx(tmp_path_factory.mktemp("nginx"), *(server.url for server in servers))
    with network.machines[0].inside():
        token = servers[0].token_of("ann@example.org")
    yield Client(nginx.url, token)
    nginx.close()


@pytest.fixture
def chat(ann, servers):
    return lambda: ann.new_chat(servers[0].ontologies["retail"], "builtin")


def runs_begun(servers):
    """At each, as a Prometheus server elsewhere sees it."""
    def begun(server):
        text = Client(server.url, METRICS_TOKEN).get("/metrics").body.decode()
        return int(re.search(r"^sextant_runs_started_total (\d+)", text, re.M)[1])
    return [begun(server) for server in servers]


def ask_many(ann, chat, n):
    chats = [chat() for _ in range(n)]
    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(lambda one: ann.ask(one, QUESTION), chats))


def begin_held(ann, chat, servers, to_source):
    """A run that waits for the source: its stream, its message, its server's number."""
    to_source.shut()
    before = runs_begun(servers)
    stream, message = ann.start(chat(), QUESTION)
    stream.wait_for("tool_start")
    [number] = [n for n, (new, old) in enumerate(zip(runs_begun(servers), before, strict=True))
                if new > old]
    return stream, message, number


def rest_of(ann, message, seen):
    """The events after those, from any server, each once; together with them."""
    stream = ann.stream("GET", f"/api/data-agent/messages/{message}/events",
                        headers={"Last-Event-ID": str(seen[-1].id)})
    events = [*seen, *stream.finish()]
    check_stream(events)
    return events


def is_complete(events):
    return events[-1].type == "message_complete" and events[-1].data["status"] == "complete"


def ended_once(database, messages):
    names = ", ".join(f"'{message}'" for message in messages)
    return database.psql(
        "sextant", "select count(*) from runs where ended_at is not null and message_id in"
                   f" ({names})") == [[str(len(messages))]]


def test_three_machines_share_the_questions(ann, chat, servers):
    before = runs_begun(servers)
    answers = ask_many(ann, chat, 18)
    assert all(answer.complete for answer in answers)
    begun = [new - old for new, old in zip(runs_begun(servers), before, strict=True)]
    assert sum(begun) == 18 and min(begun) >= 2, begun


def test_a_run_is_followed_at_every_machine(ann, chat, servers):
    answer = ann.ask(chat(), QUESTION)
    for server in servers:
        stream = Client(server.url, ann.token).stream(
            "GET", f"/api/data-agent/messages/{answer.message_id}/events")
        assert [(e.id, e.data) for e in stream.finish()] == \
            [(e.id, e.data) for e in answer.events]


def test_a_machine_whose_cable_is_unplugged_loses_no_run(network, ann, chat, servers, to_source,
                                                         database):
    stream, message, number = begin_held(ann, chat, servers, to_source)
    seen, lost = list(stream.events), servers[number]
    network.unplug(number)
    try:
        to_source.reopen()
        stream.leave()
        assert is_complete(rest_of(ann, message, seen))
        # It knows that it cannot work, and the others work on.
        with network.machines[number].inside():
            wait_until(lambda: Client(lost.url).get("/readyz").status == 503,
                       what="its own verdict")
            assert lost.healthy()
        assert all(answer.complete for answer in ask_many(ann, chat, 6))
    finally:
        network.plug(number)
    lost.wait_healthy("/readyz")
    [before] = runs_begun([lost])
    # nginx avoids it for its fail_timeout. One question is three requests in turn, and
    # would meet the same server each time.
    wait_until(lambda: all(answer.complete for answer in ask_many(ann, chat, 4)) and
               runs_begun([lost]) > [before], what="a run at it")
    assert ended_once(database, [message])


def test_a_machine_without_power_loses_no_run(network, ann, chat, servers, to_source, database):
    """Its connections end without a word to their other ends."""
    held = [begin_held(ann, chat, servers, to_source) for _ in range(6)]
    number = held[0][2]
    lost = servers[number]
    network.unplug(number)
    for pid in (lost.process.pid, *descendants(lost.process.pid)):
        os.kill(pid, signal.SIGKILL)
    lost.process.wait(30)
    to_source.reopen()
    try:
        for stream, message, at in held:
            if at == number:
                seen = list(stream.events)
                stream.leave()
                assert is_complete(rest_of(ann, message, seen))
            else:
                assert is_complete(stream.finish())
        assert ended_once(database, [message for _, message, _ in held])
    finally:
        network.plug(number)
        lost.stop()
        with network.machines[number].inside():
            lost.start()
