"""How cost grows: the same measures on a new system database and on one that has been
used for long (bench/grown.sql). And an hour of load, in which retention and vacuum have
to keep up."""
import statistics
import time
import urllib.request

HERE_CHAT = "00000000-0000-4000-8000-000000000001"
MOST = 1.5

# A process that is gone left a hundred runs, which are taken over, and nothing is kept.
TAKEOVER = """
begin;
update runs set ended_at = null, owner = 'gone', lease_until = now() - interval '1 s'
 where message_id in (select message_id from runs where owner <> 'grown' limit 100);
explain (analyze, buffers, format json)
select count(*) from take_over_any_runs('bench', 15000, 100);
rollback;"""

STATEMENTS = """
select case when query like '%claim_runs(%' then 'claim' else 'list' end,
       sum(total_exec_time + total_plan_time) / sum(calls),
       sum(shared_blks_hit + shared_blks_read) / sum(calls)
  from pg_stat_statements
 where toplevel and (query like 'select%claim_runs($%' or query like '%chat_counts%')
 group by 1"""


def answer_ms(bench, path, n=300):
    """The median of `n` requests, one after another, over one connection each."""
    times = []
    for _ in range(n):
        request = urllib.request.Request(
            f"http://127.0.0.1:{bench.port}{path}",
            headers={"Authorization": f"Bearer {bench.token}"})
        began = time.perf_counter()
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def takeover(bench):
    """Milliseconds and blocks: the middle of five."""
    found = []
    for _ in range(5):
        plan = bench.postgres.json("sextant", TAKEOVER)[0]
        found.append((plan["Execution Time"],
                      plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]))
    return sorted(found)[2]


def measured(bench):
    """Milliseconds and blocks of PostgreSQL (None: not counted) by measure."""
    bench.load(16, 200)
    bench.postgres.psql("sextant", "vacuum analyze")
    bench.postgres.rows("sextant", "select pg_stat_statements_reset()")
    bench.load(16, 200)
    list_ms = answer_ms(bench, "/api/data-agent/chats")
    answer = bench.postgres.rows(
        "sextant", f"select message_id from runs where chat_id = '{HERE_CHAT}'"
        " and owner <> 'grown' and ended_at is not null order by ended_at desc limit 1")[0][0]
    stream_ms = answer_ms(bench, f"/api/data-agent/messages/{answer}/events")
    inside = {name: (float(ms), float(blocks)) for name, ms, blocks in
              bench.postgres.rows("sextant", STATEMENTS)}
    return {"chat list": (list_ms, inside["list"][1]),
            "claim": inside["claim"],
            "replay of a run's stream": (stream_ms, None),
            "takeover of 100 runs": takeover(bench)}


def how_cost_grows(bench, messages):
    before = measured(bench)
    began = time.monotonic()
    bench.postgres.psql("sextant", file=bench.here / "grown.sql", chats=messages // 10)
    bench.postgres.psql("sextant", "vacuum analyze")
    print(f"  ({messages} messages were added in {time.monotonic() - began:.0f} s)", flush=True)
    after = measured(bench)
    for name, (ms, blocks) in before.items():
        then_ms, then_blocks = after[name]
        told = f"{ms:.2f} and {then_ms:.2f} ms"
        if blocks is not None:
            told += f"; {blocks:.0f} and {then_blocks:.0f} blocks"
        bench.row(f"{name}, with {messages:,} messages", f"{then_ms / ms:.2f} of an empty one",
                  f"<= {MOST}", told)


SIZES = """
select (select count(*) from runs where ended_at < now() - interval '7 days'
           and message_id in (select message_id from run_events)),
       (select sum(n_dead_tup) from pg_stat_user_tables),
       (select sum(autovacuum_count) from pg_stat_user_tables),
       (select sum(pg_total_relation_size(relid)) / 1048576 from pg_stat_user_tables)"""


def hour(bench, seconds):
    """Load without a pause, after ten thousand runs that are a month old: their events
    have to be removed, and dead rows must not gather."""
    bench.load(16, 200)
    bench.postgres.psql("sextant", file=bench.here / "grown.sql", chats=2000)
    bench.postgres.psql("sextant", "vacuum analyze")
    bench.postgres.psql("sextant", "update runs set ended_at = ended_at - interval '30 days'"
                        " where owner = 'grown'")
    began, runs, seen = time.monotonic(), 0, []
    while time.monotonic() - began < seconds:
        bench.load(16, 1000, limit=600)
        runs += 1000
        due, dead, vacuums, size = map(float, bench.postgres.rows("sextant", SIZES)[0])
        seen.append((due, dead, vacuums, size))
        print(f"  {time.monotonic() - began:.0f} s, {runs} runs: {due:.0f} runs to trim, "
              f"{dead:.0f} dead rows, {vacuums:.0f} vacuums, {size:.0f} MB", flush=True)
    bench.row("old runs whose events are not removed yet", f"{seen[-1][0]:.0f}", "0",
              f"{seen[0][0]:.0f} after the first 1000 runs; {runs} runs in {seconds} s")
    bench.row("dead rows", f"{seen[-1][1]:.0f}", "", f"at most {max(s[1] for s in seen):.0f}; "
              f"{seen[-1][2]:.0f} vacuums")
