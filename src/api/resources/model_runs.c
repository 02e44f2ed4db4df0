/* model_runs.c - builds of semantic models from live databases: start, list,
 * read, cancel.
 *
 * The request that starts a build is answered at once. The build is a run like
 * that of an answer; streams.c follows it. */
#include "base/utf8.h"
#include "../limits.h"
#include "../request.h"
#include "store/model_runs.h"
#include "store/notices.h"
#include "base/banned.h"

enum {
    NAME_MOST = 255,
    INSTRUCTIONS_MOST = 4000,
    IDENTIFIER_MOST = 63,
    SCHEMAS_MOST = 200,
    TABLES_MOST = 1000,
    TABLE_NAME_MOST = 127,
    AGAIN_S = 5,
};

struct run_work {
    struct model_run_start start;
    struct model_run_page page;
    struct model_run_cancel cancel;
    int status; /* of the response */
};

static struct next build_started(struct flow *f), build_found(struct flow *f),
    builds_found(struct flow *f), build_cancel_due(struct flow *f),
    build_cancelled(struct flow *f);

static struct run_work *build_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct run_work *x = keep(f, struct run_work);
    x->start.store = x->page.store = x->cancel.store = request_store(q);
    x->start.owner_id = x->page.user_id = q->user.id;
    x->start.all = x->page.all = request_may(q, MAY_ADMIN);
    x->page.page = x->page.page_size = 1;
    x->status = 200;
    q->state = x;
    return x;
}

/* ---- POST /api/semantic-models/runs -------------------------------------- */

static bool is_list_name(const json_t *v, size_t most)
{
    struct str s = json_text(v);
    return json_is_string(v) && s.len && utf8_count(s) <= most;
}

/* The text of a JSON array of names. */
static struct str read_name_list(struct request *q, const char *field,
                                 size_t names_most, size_t name_most)
{
    const json_t *v = json_object_get(q->body, field), *name;
    size_t i, n = json_array_size(v), good = 0;
    json_array_foreach(v, i, name) good += is_list_name(name, name_most);
    if ((v && !json_is_array(v)) || good < n || n > names_most)
        request_invalid(q, field,
                        arena_printf(&q->memory,
                                     "must be a list of at most %zu names",
                                     names_most)
                            .ptr);
    return v ? json_print(&q->memory, v) : STR("[]");
}

static void read_build_body(struct request *q, struct run_work *x)
{
    struct model_run_start *s = &x->start;
    s->connection_id = json_get_text(q->body, "connectionId");
    if (!uuid_valid(s->connection_id))
        request_invalid(q, "connectionId", "must be a UUID");
    request_text(q, "databaseName", 0, IDENTIFIER_MOST, &s->database);
    request_text(q, "name", 1, NAME_MOST, &s->name);
    request_text(q, "instructions", 0, INSTRUCTIONS_MOST, &s->instructions);
    request_visibility(q, &s->shared);
    s->describe = true;
    request_bool_given(q, "describe", &s->describe);
    s->schemas =
        read_name_list(q, "selectedSchemas", SCHEMAS_MOST, IDENTIFIER_MOST);
    s->tables =
        read_name_list(q, "selectedTables", TABLES_MOST, TABLE_NAME_MOST);
}

struct next model_runs_start(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct run_work *x = build_work_new(f);
    if (!request_body(q))
        return back(f);
    read_build_body(q, x);
    if (request_refused(q))
        return back(f);
    if (q->api->draining)
        return reply_refusal(f, ERR_UNAVAILABLE,
                             "This process is shutting down.");
    return call(f, model_run_start_begin, &x->start, build_started);
}

static void refuse_build_busy(struct request *q,
                              const struct model_run_start *s)
{
    struct str details = STR("");
    if (s->id.len)
        details =
            arena_printf(&q->memory, "{\"runId\":\"%.*s\"}", STR_ARG(s->id));
    reply_error_with(
        q, ERR_CONFLICT,
        "A model of these schemas, or with this name, is being built already.",
        details);
}

static struct next refuse_build(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct model_run_start *s = &((struct run_work *)q->state)->start;
    if (s->outcome == MODEL_RUN_MISSING)
        reply_error(q, ERR_NOT_FOUND, "Connection not found");
    else if (s->outcome == MODEL_RUN_BUSY)
        refuse_build_busy(q, s);
    else if (s->outcome == MODEL_RUN_TAKEN)
        reply_error(
            q, ERR_CONFLICT,
            "You already have a model with this name for another database.");
    else
        limits_refuse(q, "model-runs", MODEL_RUNS_OF_USER, 0, AGAIN_S,
                      "Other models are being built. Try again later.");
    return back(f);
}

static struct next build_started(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct run_work *x = q->state;
    const struct model_run_start *s = &x->start;
    if (s->outcome != MODEL_RUN_STARTED)
        return refuse_build(f);
    agent_start_build(q->api->options.agent, s->id, &q->x->trace);
    x->page.run_id = s->id;
    x->status = 201;
    return call(f, model_run_page_begin, &x->page, build_found);
}

/* ---- GET /api/semantic-models/runs, /runs/:id ---------------------------- */

static struct next build_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct run_work *x = q->state;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    return reply_row(f, x->page.query, model_run_write, x->status);
}

struct next model_runs_get(struct flow *f)
{
    struct run_work *x = build_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->page.run_id))
        return back(f);
    return call(f, model_run_page_begin, &x->page, build_found);
}

struct next model_runs_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_run_page *p = &build_work_new(f)->page;
    request_uuid_query(q, "connectionId", &p->connection_id);
    if (!request_paging(q, &p->page, &p->page_size, 20))
        return back(f);
    return call(f, model_run_page_begin, p, builds_found);
}

static struct next builds_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct model_run_page *p = &((struct run_work *)q->state)->page;
    reply_page(q, p->query, model_run_write, p->page, p->page_size, p->total);
    return back(f);
}

/* ---- POST /api/semantic-models/runs/:id/cancel --------------------------- */

struct next model_runs_cancel(struct flow *f)
{
    struct run_work *x = build_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->page.run_id))
        return back(f);
    return call(f, model_run_page_begin, &x->page, build_cancel_due);
}

static struct next build_cancel_due(struct flow *f)
{
    struct run_work *x = REQUEST(f)->state;
    if (!x->page.query->n_rows)
        return go(f, build_found);
    x->cancel.id = x->page.run_id;
    return call(f, model_run_cancel_begin, &x->cancel, build_cancelled);
}

/* Its owner stops at once when it hears of it, otherwise when it writes. */
static struct next build_cancelled(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct run_work *x = q->state;
    if (!agent_cancel_run(q->api->options.agent, x->cancel.id))
        notice_send(request_store(q)->notices, NOTICE_CANCEL, x->cancel.id);
    return call(f, model_run_page_begin, &x->page, build_found);
}
