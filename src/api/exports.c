/* exports.c - the whole result of a step, as a file.
 *
 *   exports_read -> step_known -> ontology_held -> source_opened -> read_over
 *
 * The step's query passes the guard again and runs on its source; rows go from
 * the connection to the client as they come. A client that reads slowly holds the
 * database, one that goes away stops the query. Nothing is answered before the
 * first row, so that what fails until then is an error like any other. */
#include "csv.h"
#include "db/read.h"
#include "guard/guard.h"
#include "request.h"
#include "store/connections.h"
#include "store/ontologies.h"
#include "store/step_query.h"
#include "base/banned.h"

enum {
    AT_ONCE_MOST = 2, /* of a worker: each keeps a connection to its source */
    STEPS_MOST = 1000000,
    QUEUE_BYTES = 256 * 1024,
};
/* Of a whole file. */
#define FILE_BYTES ((size_t)1 << 30)

struct export {
    struct request *request;
    struct http_exchange *x; /* outlives the request, until it is ended */
    struct step_query step;
    struct ontology_hold ontology;
    struct source_open source;
    struct read *read; /* NULL: not in flight */
    struct buf line;
    bool begun, gone, over; /* over: the exchange is ended, or about to be */
};

static unsigned at_once;

static struct next step_known(struct flow *f), ontology_held(struct flow *f),
    source_opened(struct flow *f), read_over(struct flow *f);

static struct export *export_of(struct flow *f)
{
    return REQUEST(f)->state;
}

/* ---- what is asked for -------------------------------------------------- */

static void leave(void *who)
{
    (void)who;
    at_once--;
}

static void take_format(struct request *q)
{
    struct str format;
    if (http_get_query(q->x, "format", &format) && !str_is(format, "csv"))
        request_invalid(q, "format", "must be csv");
}

struct next exports_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct export *e = keep(f, struct export);
    q->state = e;
    e->request = q;
    e->step.store = e->ontology.store = e->source.store = request_store(q);
    e->step.user_id = q->user.id;
    if (!request_uuid(q, "messageId", &e->step.message_id) ||
        !request_index(q, "stepId", STEPS_MOST, &e->step.step_id))
        return back(f);
    take_format(q);
    if (request_refused(q))
        return back(f);
    return call(f, step_query_begin, &e->step, step_known);
}

static struct next step_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct export *e = q->state;
    if (!e->step.found) {
        reply_error(q, ERR_NOT_FOUND, "Result not found");
        return back(f);
    }
    if (at_once == AT_ONCE_MOST) {
        reply_error(q, ERR_RATE_LIMITED, "Other exports are under way. Try later.");
        return back(f);
    }
    at_once++;
    defer_kept(f, leave, e);
    e->ontology.id = e->step.ontology_id;
    e->ontology.version = e->step.ontology_version;
    return call(f, ontology_hold_begin, &e->ontology, ontology_held);
}

static struct next ontology_held(struct flow *f)
{
    struct export *e = export_of(f);
    e->source.connection_id = e->step.connection_id;
    e->source.changed_at = e->step.connection_changed_at;
    return call(f, source_open_begin, &e->source, source_opened);
}

/* ---- the file ----------------------------------------------------------- */

static void begin_file(struct export *e)
{
    struct request *q = e->request;
    e->begun = q->answered = true;
    http_set_header(q->x, "Content-Disposition",
                    arena_printf(&q->memory,
                                 "attachment; filename=\"%.8s-step-%d.csv\"",
                                 e->step.message_id.ptr, e->step.step_id));
    http_set_header(q->x, "Cache-Control", STR("private, no-store"));
    http_set_header(q->x, "X-Content-Type-Options", STR("nosniff"));
    http_set_header(q->x, "X-Max-Rows",
                    arena_printf(&q->memory, "%d", e->read->options.max_rows));
    http_stream_begin(q->x, 200, "text/csv; charset=utf-8; header=present");
}

static void send_line(struct export *e, const struct str *cells, size_t n)
{
    buf_clear(&e->line);
    csv_row(&e->line, cells, n);
    http_stream_write(e->x, buf_view(&e->line));
}

static void on_row(struct read *r, const struct str *cells, int n)
{
    struct export *e = r->options.who;
    if (e->gone)
        return;
    if (!e->begun) {
        begin_file(e);
        send_line(e, read_names(r, &e->request->memory), (size_t)n);
    }
    send_line(e, cells, (size_t)n);
    if (http_stream_queued(e->x) > QUEUE_BYTES)
        read_hold(r, true);
}

static void on_drained(struct http_exchange *x)
{
    struct export *e = x->owner;
    if (e->read)
        read_hold(e->read, false);
}

static void on_gone(struct http_exchange *x)
{
    struct export *e = x->owner;
    e->gone = true;
    if (e->read)
        op_cancel(&e->read->op);
}

/* Whatever ended it: what was not ended well is cut, so that nobody takes half a
 * file for a whole one. */
static void close_file(void *what)
{
    struct export *e = what;
    struct http_exchange *x = e->x;
    buf_done(&e->line);
    if (e->over)
        return;
    x->on_gone = x->on_drained = NULL;
    if (e->begun)
        http_abort(x);
}

static void let_go(struct export *e)
{
    e->over = true;
    e->x->on_gone = e->x->on_drained = NULL;
}

static void watch_client(struct flow *f, struct export *e)
{
    struct http_exchange *x = e->x = e->request->x;
    buf_init(&e->line, NULL);
    x->owner = e;
    x->on_gone = on_gone;
    x->on_drained = on_drained;
    defer_kept(f, close_file, e);
}

static struct next source_opened(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct export *e = q->state;
    const struct agent_settings *s = agent_settings(q->api->options.agent);
    const struct held_ontology *o = e->ontology.held;
    struct guard_policy policy = {.relations = o->relations.items,
                                  .n_relations = o->relations.n};
    struct guard_verdict verdict;
    guard_check(flow_here(f), e->step.sql, &policy, &verdict);
    if (!verdict.ok) {
        reply_error(q, ERR_CONFLICT, "This query may not be run any more.");
        return back(f);
    }
    watch_client(f, e);
    e->read = here(f, struct read);
    e->read->options = (struct read_options){
        .source = e->source.pool, .sql = verdict.text,
        .max_rows = s->export_max_rows, .max_bytes = FILE_BYTES,
        .timeout_ms = s->export_timeout_ms, .on_row = on_row, .who = e};
    read_begin(f, e->read);
    op_tolerate(&e->read->op);
    return await(f, read_over);
}

static void refuse(struct request *q, const struct read *r)
{
    enum err how = r->op.status;
    if (how == ERR_SQL_FAILED)
        reply_error(q, ERR_CONFLICT,
                    arena_printf(&q->memory, "The query does not run any more: "
                                             "%.*s.", STR_ARG(r->message)).ptr);
    else
        reply_error(q, how == ERR_TIMEOUT ? ERR_REQUEST_TIMEOUT : how, NULL);
}

static struct next read_over(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct export *e = q->state;
    struct read *r = e->read;
    e->read = NULL;
    if (r->op.status != OK || e->gone) {
        if (!e->begun) {
            let_go(e);
            refuse(q, r);
        }
        return back(f);
    }
    if (!e->begun) { /* no rows: the names alone */
        e->read = r;
        begin_file(e);
        send_line(e, read_names(r, &q->memory), (size_t)r->n_columns);
        e->read = NULL;
    }
    let_go(e);
    http_stream_end(e->x);
    return back(f);
}
