/* exports.c - sends the whole result of a step, or of a query of the SQL console,
 * as a file.
 *
 *   exports_read -> step_known -> ontology_held -> source_opened -> read_over
 *   sql_export -> export_ontology_known -> export_noted -> ontology_held -> …
 *
 * The query passes the guard again and runs on its source. Rows go from
 * the connection to the client as they arrive: a client that reads slowly slows
 * down the database, and a client that disconnects stops the query. Nothing is
 * answered before the first row, so an earlier failure gets an ordinary error
 * response. */
#include "csv.h"
#include "db/read.h"
#include "tool/query_guard.h"
#include "../resources/sql_text.h"
#include "base/sql_scan.h"
#include "sheet.h"
#include "store/connections.h"
#include "store/ontologies.h"
#include "store/step_query.h"
#include "base/banned.h"

enum {
    AT_ONCE_MOST = 2, /* per worker; each holds a connection to its source */
    STEPS_MOST = 1000000,
    ROWS_MOST = 10000000,
    QUEUE_BYTES = 256 * 1024,
};
/* Limit of a whole file. */
#define FILE_BYTES ((size_t)1 << 30)

struct export;

/* A file format. It appends to `bytes`. */
struct form {
    const char *name, *media_type;
    int rows_most; /* 0: only the setting limits them */
    void (*begin)(struct export *e, const struct str *names, size_t n);
    bool (*row)(struct export *e, const struct str *cells,
                size_t n); /* false: the file is full */
    void (*end)(struct export *e);
};

struct export {
    struct request *request;
    struct http_exchange *x; /* outlives the request until it is ended */
    struct step_query step;  /* of the console: without a message */
    struct console_ontology console;
    struct sql_run_note note;
    struct ontology_acquire ontology;
    struct source_open source;
    struct read *read; /* NULL: not in progress */
    const struct form *form;
    struct buf bytes; /* made, not sent yet */
    struct sheet sheet;
    struct json_writer json;
    int rows_asked; /* `rows` of the request; 0: all */
    bool begun, full, gone;
    bool over; /* the exchange has ended or is about to */
};

static unsigned at_once;

static struct next step_known(struct flow *f),
    export_ontology_known(struct flow *f), export_noted(struct flow *f),
    export_ontology_held(struct flow *f), export_source_opened(struct flow *f),
    read_over(struct flow *f);

static struct export *export_of(struct flow *f)
{
    return REQUEST(f)->state;
}

/* ---- forms --------------------------------------------------------------- */

static bool row_of_csv(struct export *e, const struct str *cells, size_t n)
{
    csv_row(&e->bytes, cells, n);
    return true;
}

static void begin_csv(struct export *e, const struct str *names, size_t n)
{
    row_of_csv(e, names, n);
}

static void end_csv(struct export *e)
{
    (void)e;
}

static void begin_sheet(struct export *e, const struct str *names, size_t n)
{
    const struct str *types = read_types(e->read, &e->request->memory);
    sheet_begin(&e->sheet, &e->bytes, names, types, n);
}

static bool row_of_sheet(struct export *e, const struct str *cells, size_t n)
{
    (void)n;
    return sheet_row(&e->sheet, cells);
}

static void end_sheet(struct export *e)
{
    sheet_end(&e->sheet);
}

static void put_text_array(struct json_writer *w, const struct str *texts,
                           size_t n)
{
    json_put_array(w);
    for (size_t i = 0; i < n; i++)
        if (texts[i].ptr)
            json_put_str(w, texts[i]);
        else
            json_put_null(w);
    json_put_array_end(w);
}

static void begin_json(struct export *e, const struct str *names, size_t n)
{
    const struct str *types = read_types(e->read, &e->request->memory);
    struct json_writer *w = &e->json;
    json_writer_init(w, &e->bytes);
    json_put_object(w);
    json_put_key(w, "columns");
    put_text_array(w, names, n);
    json_put_key(w, "columnTypes");
    put_text_array(w, types, n);
    json_field_array(w, "rows");
}

static bool row_of_json(struct export *e, const struct str *cells, size_t n)
{
    put_text_array(&e->json, cells, n);
    return true;
}

static void end_json(struct export *e)
{
    json_put_array_end(&e->json);
    json_put_object_end(&e->json);
}

static const struct form export_formats[] = {
    {"csv", "text/csv; charset=utf-8; header=present", 0, begin_csv, row_of_csv,
     end_csv},
    {"xlsx",
     "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
     SHEET_ROWS_MOST, begin_sheet, row_of_sheet, end_sheet},
    {"json", "application/json", 0, begin_json, row_of_json, end_json},
};

static const struct form *format_of(struct str name)
{
    for (size_t i = 0; i < sizeof export_formats / sizeof *export_formats; i++)
        if (str_is(name, export_formats[i].name))
            return &export_formats[i];
    return NULL;
}

static int export_row_limit(const struct export *e)
{
    int most = agent_settings(e->request->api->options.agent)->export_max_rows;
    if (e->form->rows_most && e->form->rows_most < most)
        most = e->form->rows_most;
    return e->rows_asked && e->rows_asked < most ? e->rows_asked : most;
}

/* ---- the request --------------------------------------------------------- */

static void leave_export(void *who)
{
    (void)who;
    at_once--;
}

static void read_format(struct request *q, struct export *e)
{
    struct str name;
    e->form = http_get_query(q->x, "format", &name) ? format_of(name)
                                                    : &export_formats[0];
    if (!e->form)
        request_invalid(q, "format", "must be csv, xlsx or json");
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
    read_format(q, e);
    request_number(q, "rows", ROWS_MOST, 0, &e->rows_asked);
    if (request_refused(q))
        return back(f);
    return call(f, step_query_begin, &e->step, step_known);
}

/* ---- POST /api/sql/export ------------------------------------------------- */

struct next sql_export(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct export *e = keep(f, struct export);
    q->state = e;
    e->request = q;
    if (!request_body(q))
        return back(f);
    e->ontology.store = e->source.store = request_store(q);
    e->console = (struct console_ontology){.store = e->source.store,
                                           .user_id = q->user.id,
                                           .all = request_may(q, MAY_ADMIN)};
    request_uuid_given(q, "ontologyId", &e->console.ontology_id);
    sql_text_of(q, &e->step.sql);
    e->form = format_of(json_get_text(q->body, "format"));
    if (!e->form)
        request_invalid(q, "format", "must be csv, xlsx or json");
    e->rows_asked = (int)json_get_int(q->body, "rows", 0);
    if (json_object_get(q->body, "rows") &&
        (e->rows_asked < 1 || e->rows_asked > ROWS_MOST))
        request_invalid(q, "rows", "must be a number of rows");
    if (request_refused(q))
        return back(f);
    return call(f, console_ontology_begin, &e->console, export_ontology_known);
}

static struct next export_ontology_known(struct flow *f)
{
    enum { STATEMENT_BYTES = 2000 };
    struct request *q = REQUEST(f);
    struct export *e = q->state;
    const struct console_ontology *o = &e->console;
    if (!o->found)
        return reply_refusal(f, ERR_NOT_FOUND, "Ontology not found");
    if (!o->ready)
        return reply_refusal(f, ERR_CONFLICT, "The ontology is not ready.");
    e->step.ontology_id = o->ontology_id;
    e->step.ontology_version = o->version;
    e->step.connection_id = o->connection_id;
    e->step.connection_changed_at = o->connection_changed_at;
    e->step.database = o->database;
    e->note =
        (struct sql_run_note){.store = o->store,
                              .user_id = q->user.id,
                              .ontology_id = o->ontology_id,
                              .request_id = q->x->request_id,
                              .sql = e->step.sql,
                              .statement = sql_without_literals(
                                  &q->memory, e->step.sql, STATEMENT_BYTES),
                              .action = "sql.exported",
                              .outcome = "asked"};
    return call(f, sql_run_note_begin, &e->note, export_noted);
}

static struct next open_ontology(struct flow *f);

static struct next export_noted(struct flow *f)
{
    return open_ontology(f);
}

/* ---- the source ----------------------------------------------------------- */

static struct next step_known(struct flow *f)
{
    if (!export_of(f)->step.found)
        return reply_refusal(f, ERR_NOT_FOUND, "Result not found");
    return open_ontology(f);
}

static struct next open_ontology(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct export *e = q->state;
    if (at_once == AT_ONCE_MOST)
        return reply_refusal(f, ERR_RATE_LIMITED,
                             "Other exports are in progress. Try again later.");
    at_once++;
    defer_kept(f, leave_export, e);
    e->ontology.id = e->step.ontology_id;
    e->ontology.version = e->step.ontology_version;
    return call(f, ontology_acquire_begin, &e->ontology, export_ontology_held);
}

static struct next export_ontology_held(struct flow *f)
{
    struct export *e = export_of(f);
    e->source.connection_id = e->step.connection_id;
    e->source.database = e->step.database;
    e->source.changed_at = e->step.connection_changed_at;
    return call(f, source_open_begin, &e->source, export_source_opened);
}

/* ---- the file ------------------------------------------------------------ */

static void send_bytes(struct export *e)
{
    http_stream_write(e->x, buf_view(&e->bytes));
    buf_clear(&e->bytes);
}

static void begin_file(struct export *e, struct read *r, int columns)
{
    struct request *q = e->request;
    e->begun = q->answered = true;
    http_set_header(
        q->x, "Content-Disposition",
        e->console.found
            ? arena_printf(&q->memory, "attachment; filename=\"query.%s\"",
                           e->form->name)
            : arena_printf(
                  &q->memory, "attachment; filename=\"%.8s-step-%d.%s\"",
                  e->step.message_id.ptr, e->step.step_id, e->form->name));
    http_set_header(q->x, "Cache-Control", STR("private, no-store"));
    http_set_header(q->x, "X-Content-Type-Options", STR("nosniff"));
    http_set_header(q->x, "X-Max-Rows",
                    arena_printf(&q->memory, "%d", r->options.max_rows));
    http_stream_begin(q->x, 200, e->form->media_type);
    e->form->begin(e, read_names(r, &q->memory), (size_t)columns);
}

static void on_export_row(struct read *r, const struct str *cells, int n)
{
    struct export *e = r->options.who;
    if (e->gone || e->full)
        return;
    if (!e->begun)
        begin_file(e, r, n);
    e->full = !e->form->row(e, cells, (size_t)n);
    if (e->bytes.len)
        send_bytes(e);
    if (e->full)
        op_cancel(&r->op);
    else if (http_stream_queued(e->x) > QUEUE_BYTES)
        read_hold(r, true);
}

static void on_export_drained(struct http_exchange *x)
{
    struct export *e = x->owner;
    if (e->read)
        read_hold(e->read, false);
}

static void on_export_gone(struct http_exchange *x)
{
    struct export *e = x->owner;
    e->gone = true;
    if (e->read)
        op_cancel(&e->read->op);
}

/* Runs when the flow ends for any reason. A file that is not complete ends
 * without its last chunk, so that the client sees that it was cut off. */
static void close_file(void *what)
{
    struct export *e = what;
    struct http_exchange *x = e->x;
    buf_done(&e->bytes);
    sheet_done(&e->sheet);
    if (e->over)
        return;
    x->on_gone = x->on_drained = NULL;
    if (e->begun)
        http_abort(x);
}

static void detach_exchange(struct export *e)
{
    e->over = true;
    e->x->on_gone = e->x->on_drained = NULL;
}

static void watch_client(struct flow *f, struct export *e)
{
    struct http_exchange *x = e->x = e->request->x;
    buf_init(&e->bytes, NULL);
    x->owner = e;
    x->on_gone = on_export_gone;
    x->on_drained = on_export_drained;
    defer_kept(f, close_file, e);
}

static struct next export_source_opened(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct export *e = q->state;
    const struct agent_settings *s = agent_settings(q->api->options.agent);
    const struct cached_ontology *o = e->ontology.held;
    const struct guard_policy policy = query_policy(o, e->source.opened);
    struct guard_verdict verdict;
    query_guard(flow_here(f), &policy, query_dialect(o, e->source.opened),
                e->step.sql, &verdict);
    if (!verdict.ok ||
        !query_keeps_hidden(flow_here(f), o, verdict.text, &verdict.reason))
        return reply_refusal(f, ERR_CONFLICT,
                             "The ontology no longer allows this query.");
    watch_client(f, e);
    e->read = here(f, struct read);
    e->read->options = (struct read_options){.source = e->source.opened,
                                             .sql = verdict.text,
                                             .calls = verdict.calls,
                                             .max_rows = export_row_limit(e),
                                             .max_bytes = FILE_BYTES,
                                             .timeout_ms = s->export_timeout_ms,
                                             .on_row = on_export_row,
                                             .who = e,
                                             .user_id = q->user.id};
    read_begin(f, e->read);
    op_tolerate(&e->read->op);
    return await(f, read_over);
}

static void refuse_export(struct request *q, const struct read *r)
{
    enum err how = r->op.status;
    if (how == ERR_SQL_FAILED)
        reply_error(q, ERR_CONFLICT,
                    arena_printf(&q->memory, "The query no longer runs: %.*s.",
                                 STR_ARG(r->message))
                        .ptr);
    else
        reply_error(q, how == ERR_TIMEOUT ? ERR_REQUEST_TIMEOUT : how, NULL);
}

static struct next read_over(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct export *e = q->state;
    struct read *r = e->read;
    bool whole = r->op.status == OK || e->full;
    if (!whole || e->gone) {
        e->read = NULL;
        if (!e->begun) {
            detach_exchange(e);
            refuse_export(q, r);
        }
        return back(f);
    }
    if (!e->begun) /* no rows: the header line only */
        begin_file(e, r, r->n_columns);
    e->read = NULL;
    e->form->end(e);
    send_bytes(e);
    detach_exchange(e);
    http_stream_end(e->x);
    return back(f);
}
