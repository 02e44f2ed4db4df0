"""Schedules: questions that are asked at their times, once, by any of several servers;
conditions; webhooks to a real receiver, with faults."""
import os
import signal
import time
import uuid

import pytest

from kit import fixtures
from kit.receiver import Receiver, verified
from kit.server import Server
from sextant import descendants, wait_until

PATH = "/api/data-agent/schedules"
QUESTION = "How many stores are there?"
SETTINGS = {"JWT_SECRET": "a secret of both of them " * 2, "CREDENTIALS_KEY": "c1" * 32,
            "WEBHOOK_NETWORKS": "127.0.0.1", "WEBHOOK_RETRY_MS": 50,
            "RUNS_PER_USER": 0, "SANDBOX_URL": "off", "LEASE_MS": 6000}


@pytest.fixture(scope="module")
def servers(source):
    """Two servers on one database."""
    database = source.make_database("schedules")
    one = fixtures.open_service(source, DATABASE_URL=database, **SETTINGS)
    two = Server(DATABASE_URL=database, **SETTINGS)
    try:
        yield one, two.start()
    finally:
        for server in (one, two):
            server.remove()


class Asked:
    """The first server, and the system database of both."""
    def __init__(self, server, source):
        self.server, self.source = server, source

    def psql(self, text):
        """The first cell."""
        rows = self.source.psql("schedules", text)
        return rows[0][0] if rows else None

    def client(self, *who):
        return self.server.client(*who)


@pytest.fixture
def one(servers, source):
    return Asked(servers[0], source)


@pytest.fixture
def ann(one):
    return one.client("ann@example.org")


@pytest.fixture(scope="module")
def ontology(servers):
    one = servers[0]
    one.token_of("ann@example.org")
    return one.import_model(one.retail_model, "retail", "--name", "schedules",
                            "--owner", "ann@example.org")


@pytest.fixture
def receiver():
    it = Receiver()
    yield it
    it.close()


@pytest.fixture
def add(one, ann, ontology):
    made = []

    def add_one(**more):
        reply = ann.post(PATH, {"question": QUESTION, "ontologyId": ontology,
                                "cron": "0 8 * * 1", "timeZone": "Europe/Berlin",
                                "llmProvider": "builtin", **more})
        assert reply.status == 201, reply
        made.append(reply.data["id"])
        return reply.data
    yield add_one
    for one_id in made:
        ann.request("DELETE", f"{PATH}/{one_id}")


def make_due(one, schedule, ago="1 second"):
    one.psql("update schedules set next_at = date_trunc('milliseconds', now() - "
             f"interval '{ago}') where id = '{schedule['id']}'")


def runs(client, schedule):
    return client.get(f"{PATH}/{schedule['id']}/runs").data["items"]


def ended(client, schedule, count=1):
    def look():
        found = runs(client, schedule)
        return len(found) >= count and all(r["state"] != "open" for r in found) \
            and found
    return wait_until(look, 60)


def deliveries(client, schedule):
    return client.get(f"{PATH}/{schedule['id']}/deliveries").data["items"]


def delivered(client, schedule, state):
    return wait_until(lambda: [d for d in deliveries(client, schedule)
                               if d["state"] == state], 60)


# ---- times -----------------------------------------------------------------------


def test_the_next_times_are_shown(ann):
    reply = ann.post(f"{PATH}/times", {"cron": "0 8 * * 1",
                                       "timeZone": "europe/berlin"}).data
    assert reply["timeZone"] == "Europe/Berlin" and len(reply["times"]) == 5
    assert {t[11:16] for t in reply["times"]} <= {"06:00", "07:00"}
    assert reply["times"] == sorted(reply["times"])


def test_what_is_malformed_is_refused(ann, ontology):
    good = {"question": QUESTION, "ontologyId": ontology, "cron": "0 8 * * 1"}
    for bad in ({"cron": "0 8 * *"}, {"cron": "* * * * *"}, {"cron": "0 0 30 2 *"},
                {"timeZone": "Mars/Base"}, {"timeZone": "UTC'; select 1"},
                {"question": ""}, {"ontologyId": "x"},
                {"condition": {"column": "n", "test": "over", "amount": 1}},
                {"webhook": {"url": "ftp://example.org/"}},
                {"webhook": {"url": "http://user@example.org/"}},
                {"webhook": {"url": "http://"}},
                {"webhook": {"url": "https://example.org/", "on": "never"}}):
        reply = ann.post(PATH, {**good, **bad})
        assert reply.status == 400, bad
    assert ann.post(PATH, {**good, "ontologyId": str(uuid.uuid4())}).status == 404


def test_a_question_is_asked_when_it_is_due(one, ann, add):
    schedule = add(name="Stores")
    assert schedule["state"] == "active" and schedule["nextAt"]
    make_due(one, schedule, "3 weeks")
    run, = ended(ann, schedule)  # missed times are one run
    assert run["state"] == "done", run
    now = ann.get(f"{PATH}/{schedule['id']}").data
    assert now["nextAt"] == schedule["nextAt"] and now["chatId"] == run["chatId"]
    chat = ann.get(f"/api/data-agent/chats/{run['chatId']}").data
    assert chat["name"] == "Stores"
    assert [m["content"] for m in chat["messages"]][0] == QUESTION
    make_due(one, schedule)
    both = ended(ann, schedule, 2)
    assert {r["chatId"] for r in both} == {run["chatId"]}


def test_a_paused_one_is_not_asked(one, ann, add):
    schedule = add()
    path = f"{PATH}/{schedule['id']}"
    paused = ann.request("PATCH", path, {"state": "paused"}).data
    assert paused["state"] == "paused" and paused["nextAt"] is None
    changed = ann.request("PATCH", path, {"state": "active", "cron": "30 6 * * *",
                                          "timeZone": "UTC"}).data
    assert changed["nextAt"].endswith("06:30:00.000Z")
    assert changed["question"] == QUESTION


def test_it_stops_when_its_owner_loses_access(one, ann, add, ontology):
    schedule = add()
    one.psql("update users set roles = '{viewer}' where email = 'ann@example.org'")
    try:
        make_due(one, schedule)
        wait_until(lambda: one.psql("select state from schedules where id = "
                                    f"'{schedule['id']}'") == "stopped", 60)
    finally:
        one.psql("update users set roles = '{contributor}' "
                 "where email = 'ann@example.org'")
    stopped = ann.get(f"{PATH}/{schedule['id']}").data
    assert stopped["reason"] == "The owner may no longer ask questions."
    run, = runs(ann, schedule)
    assert (run["state"], run["reason"]) == ("failed", stopped["reason"])


def test_a_zone_that_is_gone_stops_one_schedule_alone(one, ann, add):
    lost, other = add(), add()
    one.psql("update schedules set time_zone = 'Europe/Atlantis' "
             f"where id = '{lost['id']}'")
    make_due(one, lost, "2 seconds")
    make_due(one, other)
    run, = ended(ann, other)
    assert run["state"] == "done", run
    failed, = ended(ann, lost)
    stopped = ann.get(f"{PATH}/{lost['id']}").data
    assert stopped["state"] == "stopped" and stopped["nextAt"] is None
    assert stopped["reason"] == ("The database no longer knows the time zone "
                                 "Europe/Atlantis. Choose another one.")
    assert (failed["state"], failed["reason"]) == ("failed", stopped["reason"])


def test_others_do_not_see_it(one, ann, add):
    schedule = add()
    bob = one.client("bob@example.org")
    for path in ("", "/runs", "/deliveries"):
        assert bob.get(f"{PATH}/{schedule['id']}{path}").status == 404
    assert bob.request("PATCH", f"{PATH}/{schedule['id']}", {"state": "paused"}
                       ).status == 404
    assert bob.request("DELETE", f"{PATH}/{schedule['id']}").status == 404


# ---- several servers ----------------------------------------------------------------


def test_two_servers_ask_once_each_time(one, ann, add):
    schedules = [add(name=str(n)) for n in range(5)]
    for turn in range(1, 4):
        for schedule in schedules:
            make_due(one, schedule)
        for schedule in schedules:
            found = ended(ann, schedule, turn)
            assert len(found) == turn
            assert all(r["state"] == "done" for r in found), found
    asked = one.psql("select count(*) from data_chat_messages m join schedules s "
                     "on s.chat_id = m.chat_id where m.role = 'user'")
    assert int(asked) >= 15
    for schedule in schedules:
        assert len(runs(ann, schedule)) == 3


@pytest.mark.long
def test_a_server_that_is_killed_loses_no_time(servers, one, ann, add):
    """Whichever server fires, one of them is killed in the middle; each due time is
    answered once."""
    schedules = [add(name=str(n)) for n in range(6)]
    other = servers[1]
    for schedule in schedules:
        make_due(one, schedule)
    wait_until(lambda: one.psql("select count(*) from schedule_runs r join schedules s"
                                " on s.id = r.schedule_id where s.next_at > now()"
                                ) != "0", 60)
    for pid in descendants(other.process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    for schedule in schedules:
        found = ended(ann, schedule)
        assert len(found) == 1 and found[0]["state"] == "done", found


# ---- conditions and webhooks ---------------------------------------------------------


def test_a_condition_that_holds_sends_a_signed_webhook(one, ann, add, receiver):
    schedule = add(condition={"column": "store_count", "test": "above", "amount": 0},
                   webhook={"url": receiver.url, "sends": "value"})
    secret = schedule["webhookSecret"]
    assert secret.startswith("whsec_")
    assert "webhookSecret" not in ann.get(f"{PATH}/{schedule['id']}").data
    make_due(one, schedule)
    run, = ended(ann, schedule)
    if run["state"] == "failed":  # the analyst names the column otherwise
        pytest.fail(run["reason"])
    assert run["conditionHeld"] is True and int(run["value"]) > 0
    path, headers, body = receiver.wait(1)
    told = verified(secret, headers, body)
    assert path == "/hook" and headers["Content-Type"] == "application/json"
    assert told["event"] == headers["X-Sextant-Event"] == "schedule.condition_met"
    assert told["value"] == run["value"] and told["question"] == QUESTION
    assert "rows" not in told
    one_delivery, = delivered(ann, schedule, "delivered")
    assert one_delivery["id"] == headers["X-Sextant-Delivery"]
    assert (one_delivery["status"], one_delivery["attempts"]) == (204, 1)
    assert secret not in one.psql("select webhook_secret::text from schedules")


def test_a_condition_compares_with_the_run_before(one, ann, add, receiver):
    schedule = add(condition={"column": "store_count", "test": "falls", "amount": 10,
                              "unit": "percent"},
                   webhook={"url": receiver.url, "sends": "state"})
    make_due(one, schedule)
    first, = ended(ann, schedule)
    assert first["conditionHeld"] is False and first["previous"] is None
    one.psql("update schedule_runs set value = (value::numeric * 2)::text "
             f"where schedule_id = '{schedule['id']}'")
    make_due(one, schedule)
    second = ended(ann, schedule, 2)[0]
    assert second["conditionHeld"] is True
    assert int(second["previous"]) == 2 * int(second["value"])
    told = verified(schedule["webhookSecret"], *receiver.wait(1)[1:])
    assert "value" not in told and "question" not in told
    assert len(receiver.got) == 1


def test_a_receiver_that_fails_gets_it_again(one, ann, add, receiver):
    receiver.script(500, None, 429)
    schedule = add(webhook={"url": receiver.url, "on": "always", "sends": "rows"})
    make_due(one, schedule)
    _, headers, body = receiver.wait(4)
    told = verified(schedule["webhookSecret"], headers, body)
    assert told["event"] == "schedule.done" and len(told["rows"]) == 1
    assert len({h["X-Sextant-Delivery"] for _, h, _ in receiver.got}) == 1
    one_delivery, = delivered(ann, schedule, "delivered")
    assert one_delivery["attempts"] == 4


def test_nothing_is_sent_for_an_owner_who_is_disabled(one, ann, add, receiver):
    schedule = add(webhook={"url": receiver.url, "on": "always"})
    one.psql("update users set is_active = false where email = 'ann@example.org'")
    try:
        one.psql("insert into webhook_deliveries (schedule_id, event, body) values "
                 f"('{schedule['id']}', 'schedule.done', '{{}}')")
        wait_until(lambda: one.psql(
            "select state from webhook_deliveries where schedule_id = "
            f"'{schedule['id']}'") != "waiting", 60)
    finally:
        one.psql("update users set is_active = true where email = 'ann@example.org'")
    failed, = delivered(ann, schedule, "failed")
    assert failed["error"] == "The account of the owner is disabled."
    assert failed["attempts"] == 0 and not receiver.got


def test_a_redirect_is_not_followed(one, ann, add, receiver):
    target = Receiver()
    receiver.script((302, {"Location": target.url}))
    schedule = add(webhook={"url": receiver.url, "on": "always"})
    make_due(one, schedule)
    failed, = delivered(ann, schedule, "failed")
    assert failed["status"] == 302 and failed["attempts"] == 1
    assert not target.got
    target.close()


@pytest.mark.parametrize("host", ["127.0.0.2", "localhost.", "[::1]", "0x7f000002",
                                  "2130706434", "169.254.169.254", "10.0.0.1",
                                  "[::ffff:127.0.0.2]", "0.0.0.0"])
def test_private_addresses_are_not_connected_to(one, ann, add, host):
    trap = Receiver("127.0.0.2")
    schedule = add(webhook={"url": f"http://{host}:{trap.port}/", "on": "always"})
    make_due(one, schedule)
    try:
        wait_until(lambda: [d for d in deliveries(ann, schedule)
                            if d["attempts"] and d["error"]], 60)
        error = deliveries(ann, schedule)[0]["error"]
        if host != "localhost.":  # 127.0.0.1 is allowed here
            assert "not a public one" in error, error
        assert not trap.got
    finally:
        trap.close()


def test_a_run_that_fails_says_so(one, ann, add, receiver):
    schedule = add(question="How many zebras are there?",
                   condition={"column": "nothing", "test": "above", "amount": 0},
                   webhook={"url": receiver.url, "on": "failure"})
    make_due(one, schedule)
    run, = ended(ann, schedule)
    assert run["state"] == "failed" and run["reason"]
    told = verified(schedule["webhookSecret"], *receiver.wait(1)[1:])
    assert told["event"] == "schedule.failed" and told["reason"] == run["reason"]


def transactions(server):
    [[n]] = server.psql("select xact_commit + xact_rollback from pg_stat_database"
                        " where datname = 'sextant'")
    return int(n)


def test_a_server_without_schedules_rarely_asks_for_them(server):
    before, seconds = transactions(server), 5
    time.sleep(seconds)
    assert transactions(server) - before < 20 * seconds
