"""Frequent queries use an index, however much data other users have: no growing table is
scanned."""

import pytest

from kit.fixtures import model_settings, open_service
from sextant import wait_until

CHATS = "/api/data-agent/chats"
MESSAGES = "/api/data-agent/messages"
QUESTION = "revenue by city in 2025"
GROWING = ["data_chats", "data_chat_messages", "runs", "run_events",
           "run_artifacts", "llm_traces"]

# 100 users with 20 chats of 10 messages each; every answer has run.
OTHERS = """
insert into users (email) select 'other' || n from generate_series(1, 100) n;
insert into data_chats (name, ontology_id, owner_id, message_count)
select 'chat of ' || email, (select id from ontologies limit 1), users.id, 10
  from users, generate_series(1, 20) where email like 'other%';
insert into data_chat_messages (chat_id, role, content, parent_id)
select c.id, case n % 2 when 0 then 'assistant' else 'user' end,
       'words of message ' || n || ' revenue', null
  from data_chats c, generate_series(1, 10) n where c.name like 'chat of %';
insert into runs (message_id, chat_id, user_id, phase, started_at, ended_at)
select m.id, c.id, c.owner_id, 'done', now(), now()
  from data_chat_messages m join data_chats c on c.id = m.chat_id
 where m.role = 'assistant' and c.name like 'chat of %';
insert into run_events (message_id, first, last, frames)
select message_id, 1, 2, 'x' from runs where phase = 'done' and owner is null;
insert into run_artifacts select (jsonb_populate_record(a.row, jsonb_build_object(
       'message_id', r.message_id))).*
  from (select a as row from run_artifacts a limit 1) a, runs r
 where r.owner is null and r.message_id <> (a.row).message_id;
insert into llm_traces select (jsonb_populate_record(t.row, jsonb_build_object(
       'id', gen_random_uuid(), 'message_id', r.message_id))).*
  from (select t as row from llm_traces t limit 1) t, runs r
 where r.owner is null and r.message_id <> (t.row).message_id;
analyze;
"""


pytestmark = pytest.mark.long


@pytest.fixture
def service(source, aimock):
    it = open_service(source, **model_settings(aimock.url))
    yield it
    it.remove()


def end_connections(service):
    """A session reports its statistics when it ends."""
    ours = ("from pg_stat_activity where pid <> pg_backend_pid()"
            " and datname = 'sextant' and backend_type = 'client backend'")
    pids = {pid for [pid] in service.psql(f"select pid {ours}")}
    service.psql(f"select pg_terminate_backend(pid) {ours}")
    wait_until(lambda: not pids & {pid for [pid] in service.psql(
        f"select pid {ours}")}, what="the end of the sessions")


def figures(service):
    """Rows read without an index, and scans of one, by table."""
    return {table: (int(rows), int(scans)) for table, rows, scans in service.psql(
        "select relname, seq_tup_read, idx_scan from pg_stat_user_tables"
        " where idx_scan is not null")}


def test_what_grows_is_read_by_index(service):
    ann = service.client()
    chat = ann.new_chat(service.ontologies["retail"], "builtin")
    answer = ann.ask(chat, QUESTION).message_id
    service.psql(OTHERS)
    end_connections(service)
    before = figures(service)
    service.wait_healthy("/readyz")

    assert ann.get(CHATS).data["total"] == 1
    for search in ("revenue", "houston words", '"by city"', "nothing at all"):
        ann.get(CHATS, search=search).data
    assert len(ann.get(f"{CHATS}/{chat}").data["messages"]) == 2
    assert ann.get(f"{CHATS}/{chat}/messages", order="desc").data["total"] == 2
    ann.get(f"{MESSAGES}/{answer}").data
    assert ann.get(f"{CHATS}/{chat}/messages/{answer}/traces").data
    assert ann.follow(answer, after=30).finish()[-1].type == "message_complete"
    again = ann.post(f"{MESSAGES}/{answer}/regenerate").data["assistantMessage"]["id"]
    stream = ann.stream("POST", f"{CHATS}/{chat}/messages/{again}/stream")
    assert stream.finish()[-1].type == "message_complete"
    assert ann.ask(chat, "and by month?").message_id
    assert ann.post(f"{CHATS}/{chat}/share").status == 201
    service.client("boss@example.org", "admin").get("/api/admin/runs").data
    assert ann.request("DELETE", f"{CHATS}/{chat}").status == 204

    end_connections(service)
    after = figures(service)
    read = {table: after[table][0] - before[table][0] for table in GROWING}
    assert max(read.values()) < 500, f"rows read from end to end: {read}"
    assert all(after[table][1] > before[table][1] for table in GROWING)


def usage_scans(service, token_limit):
    """How often three claims of one user read what the user has used today."""
    *_, [scans] = service.psql(f"""
        begin;
        select claim_runs(array_agg(gen_random_uuid()), array_agg(gen_random_uuid()),
                          array_agg(u.id), array_agg(false), 'worker', 0, 1000,
                          {token_limit}, 0)
          from (select id from users limit 1) u, generate_series(1, 3);
        select seq_scan + idx_scan from pg_stat_xact_user_tables
         where relname = 'token_usage';
        rollback""")
    return int(scans)


def test_claims_add_up_the_usage_once_if_it_is_limited(service):
    service.client()
    assert usage_scans(service, 0) == 0
    assert usage_scans(service, 1) == 1
