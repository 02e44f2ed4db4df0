/* health.c - liveness (is the process up?) and readiness (can it answer?). */
#include "request.h"
#include "store/rows.h"
#include "base/banned.h"

struct next health_live(struct flow *f)
{
    struct request *q = REQUEST(f);
    q->answered = true;
    http_reply(q->x, 200, "application/json", STR("{\"status\":\"ok\"}"));
    return back(f);
}

/* Changes no row, but fails on a standby or a read-only server. */
static const struct statement ping_statement = {
    .name = "health.ping",
    .again = true,
    .sql = "with written as (update schema_migrations set name = name"
           "    where false)"
           " select max(version) from schema_migrations",
};

static const char *why_unready(const struct query *ping)
{
    if (query_failed_with(ping, SQLSTATE_READ_ONLY))
        return "The database is read-only at the moment.";
    if (ping->op.status == ERR_TIMEOUT)
        return "The database does not answer.";
    return "The database is not available.";
}

static struct next pinged(struct flow *f);

struct next health_ready(struct flow *f)
{
    struct request *q = REQUEST(f);
    if (q->api->draining)
        return reply_refusal(f, ERR_UNAVAILABLE,
                             "This process is shutting down.");
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
    struct api_reply r;
    if (up) {
        buf_init(&r.out, &q->memory);
        json_writer_init(&r.w, &r.out);
        json_put_object(&r.w);
        json_field_text(&r.w, "status", "ready");
        json_field_text(&r.w, "database", "up");
        json_field_int(&r.w, "schema", ROW_VALUE(int64, row_slices(query, 0)));
        json_field_text(&r.w, "sandbox", s->off ? "off" : "configured");
        reply_send(q, &r, 200);
        return back(f);
    }
    return reply_refusal(f, ERR_UNAVAILABLE, why_unready(query));
}
