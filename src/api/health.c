/* health.c - is it up, can it work, and what has it done. */
#include "loop/loop.h"
#include "request.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

struct next health_live(struct flow *f)
{
    struct request *q = REQUEST(f);
    q->answered = true;
    q->api->by_class[2]++;
    http_reply(q->x, 200, "application/json", STR("{\"status\":\"ok\"}"));
    return back(f);
}

static const struct statement ping_statement = {
    .name = "health.ping", .again = true,
    .sql = "select max(version) from schema_migrations",
};

static struct next pinged(struct flow *f);

struct next health_ready(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct query *query =
        query_new(f, request_store(q)->system, &ping_statement);
    query->deadline_ms = 2000;
    q->state = query;
    query_begin(f, query);
    op_tolerate(&query->op);
    return await(f, pinged);
}

static struct next pinged(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct query *query = q->state;
    bool up = query->op.status == OK;
    const struct sandbox *s = &agent_settings(q->api->options.agent)->sandbox;
    struct reply r;
    if (up && !q->api->draining) {
        buf_init(&r.out, &q->memory);
        json_write_to(&r.w, &r.out);
        json_put_object(&r.w);
        json_field_text(&r.w, "status", "ready");
        json_field_text(&r.w, "database", "up");
        json_field_int(&r.w, "schema", query_cell_int(query, 0, 0));
        json_field_text(&r.w, "sandbox", s->off ? "off" : "configured");
        reply_send(q, &r, 200);
        return back(f);
    }
    reply_error(q, ERR_UNAVAILABLE,
                up ? "This process is about to stop."
                   : "The database is not available just now.");
    return back(f);
}

/* ---- metrics ------------------------------------------------------------ */

static void metric(struct buf *out, const char *name, const char *type,
                   const char *help)
{
    buf_printf(out, "# HELP sextant_%s %s\n# TYPE sextant_%s %s\n", name, help,
               name, type);
}

static void one(struct buf *out, const char *name, const char *type,
                const char *help, uint64_t value)
{
    metric(out, name, type, help);
    buf_printf(out, "sextant_%s %llu\n", name, (unsigned long long)value);
}

static void put_lag(struct buf *out)
{
    const struct loop_lag *lag = loop_lag();
    uint64_t sum = 0;
    metric(out, "loop_lag_seconds", "histogram",
           "How long one turn of the event loop took.");
    for (int i = 0; i < LOOP_LAG_BUCKETS - 1; i++) {
        sum += lag->counts[i];
        buf_printf(out, "sextant_loop_lag_seconds_bucket{le=\"%g\"} %llu\n",
                   loop_lag_bounds_ms[i] / 1000.0, (unsigned long long)sum);
    }
    buf_printf(out, "sextant_loop_lag_seconds_bucket{le=\"+Inf\"} %llu\n",
               (unsigned long long)lag->turns);
    buf_printf(out, "sextant_loop_lag_seconds_sum %g\n", lag->sum_us / 1e6);
    buf_printf(out, "sextant_loop_lag_seconds_count %llu\n",
               (unsigned long long)lag->turns);
    metric(out, "loop_lag_max_seconds", "gauge",
           "The longest turn of the event loop so far.");
    buf_printf(out, "sextant_loop_lag_max_seconds %g\n", lag->worst_us / 1e6);
}

static void put_requests(struct buf *out, const struct api *a)
{
    metric(out, "http_requests_total", "counter", "Requests by status class.");
    for (int i = 1; i < 6; i++)
        buf_printf(out, "sextant_http_requests_total{class=\"%dxx\"} %llu\n", i,
                   (unsigned long long)a->by_class[i]);
    one(out, "http_connections", "gauge", "Open client connections.",
        http_server_connections(a->server));
}

static void put_runs(struct buf *out, const struct agent *a)
{
    const struct agent_counters *c = agent_counters(a);
    metric(out, "runs_total", "counter", "Runs that ended here, by outcome.");
    buf_printf(out, "sextant_runs_total{outcome=\"complete\"} %llu\n",
               (unsigned long long)c->runs_complete);
    buf_printf(out, "sextant_runs_total{outcome=\"failed\"} %llu\n",
               (unsigned long long)c->runs_failed);
    buf_printf(out, "sextant_runs_total{outcome=\"clarification\"} %llu\n",
               (unsigned long long)c->runs_clarified);
    one(out, "runs_in_progress", "gauge", "Runs of this process.",
        agent_runs(a));
    one(out, "runs_waiting", "gauge", "Of those, runs that wait for a place.",
        agent_waiting(a));
    metric(out, "phases_total", "counter", "Phases that were completed.");
    for (int i = 0; i < PHASE_COUNT; i++)
        buf_printf(out, "sextant_phases_total{phase=\"%s\"} %llu\n",
                   phase_word((enum phase)i), (unsigned long long)c->phases[i]);
    one(out, "model_calls_total", "counter", "Calls of language models.",
        c->model_calls);
    one(out, "model_failures_total", "counter",
        "Calls of language models that failed.", c->model_failures);
    metric(out, "model_tokens_total", "counter", "Tokens by kind.");
    buf_printf(out, "sextant_model_tokens_total{kind=\"prompt\"} %llu\n",
               (unsigned long long)c->prompt_tokens);
    buf_printf(out, "sextant_model_tokens_total{kind=\"completion\"} %llu\n",
               (unsigned long long)c->completion_tokens);
}

static void put_store(struct buf *out, const struct store *s)
{
    struct pool_stats p = pool_stats(s->system);
    struct journal_stats j = journal_stats(s->journal);
    one(out, "database_connections", "gauge",
        "Open connections to the system database.", (uint64_t)p.open);
    one(out, "database_queries_waiting", "gauge",
        "Queries that wait for a connection.", (uint64_t)p.waiting);
    one(out, "database_queries_total", "counter",
        "Queries to the system database.", p.queries);
    one(out, "database_failures_total", "counter",
        "Queries to the system database that failed.", p.failures);
    one(out, "journal_commits_total", "counter", "Batches committed.",
        j.commits);
    one(out, "journal_events_total", "counter", "Events recorded.", j.events);
    one(out, "journal_bytes_total", "counter", "Bytes recorded.", j.bytes);
}

static uint64_t resident_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool may_see_metrics(const struct request *q)
{
    struct str token = q->api->options.metrics_token;
    struct str value = http_get_header(q->x, "Authorization");
    bool loopback = str_starts(q->x->peer, STR("127.")) ||
                    str_is(q->x->peer, "::1") ||
                    str_starts(q->x->peer, STR("::ffff:127."));
    bool forwarded = http_get_header(q->x, "X-Forwarded-For").len ||
                     http_get_header(q->x, "Forwarded").len;
    if (!token.len)
        return loopback && !forwarded;
    return str_starts(value, STR("Bearer ")) && value.len == token.len + 7 &&
           crypto_equal(value.ptr + 7, token.ptr, token.len);
}

struct next metrics_show(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct buf out;
    if (!may_see_metrics(q)) {
        reply_error(q, ERR_UNAUTHORIZED, NULL);
        return back(f);
    }
    buf_init(&out, &q->memory);
    put_requests(&out, q->api);
    put_runs(&out, q->api->options.agent);
    put_store(&out, request_store(q));
    put_lag(&out);
    one(&out, "resident_memory_bytes", "gauge", "Resident memory.",
        resident_bytes());
    q->answered = true;
    q->api->by_class[2]++;
    http_reply(q->x, 200, "text/plain; version=0.0.4; charset=utf-8",
               buf_view(&out));
    return back(f);
}
