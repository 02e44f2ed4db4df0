/* sql_console.c - runs the SQL that a person wrote, or explains it.
 *
 *   sql_run, sql_explain -> console_ontology_known -> console_model_held
 *     -> console_source_opened -> (tool/query_database.c) -> statement_over
 *     -> statement_noted -> rows_put -> back
 *
 * It is the path of an agent's query: the same guard, envelope, question about
 * code of users, and limits. No model sees the result, so `shareRows` does not
 * matter. Findings of the guardrails are warnings: the query runs. A client that
 * disconnects stops its query. */
#include "base/sql_scan.h"
#include "base/utf8.h"
#include "ontology/guardrail.h"
#include "sql_text.h"
#include "store/connections.h"
#include "store/ontologies.h"
#include "tool/query_guard.h"
#include "tool/sql_plan.h"
#include "tool/tool.h"
#include "base/banned.h"

enum {
    AT_ONCE_MOST = 8, /* per process */
    OF_USER_MOST = 2,
    RESULT_BYTES = 4 * 1024 * 1024, /* the export has more */
    MEMORY = 64 * 1024 * 1024,
    STATEMENT_BYTES = 2000, /* in the audit */
    PROBLEM_CHARACTERS = 1000,
    ROWS_BYTES = 512 * 1024, /* written in one turn of the loop */
};

struct sql_console {
    struct request *request;
    struct console_ontology ontology;
    struct ontology_acquire hold;
    struct source_open source;
    struct tool_context context;
    struct query_tool tool;
    struct query_findings findings;
    struct sql_run_note note;
    struct str sql;
    int max_rows;
    bool explains, asks, gone, detached;
    struct sql_console *next; /* in progress in this process */
    struct arena memory;
    struct api_reply reply;
    int row;
};

static struct sql_console *in_progress;

static struct next console_ontology_known(struct flow *f),
    console_model_held(struct flow *f), console_source_opened(struct flow *f),
    statement_over(struct flow *f), statement_stopped(struct flow *f),
    statement_noted(struct flow *f), rows_put(struct flow *f);

static struct sql_console *console_of(struct flow *f)
{
    return REQUEST(f)->state;
}

/* ---- how many ------------------------------------------------------------- */

static bool console_enter(struct sql_console *c)
{
    unsigned all = 0, own = 0;
    for (const struct sql_console *o = in_progress; o; o = o->next) {
        all++;
        own += str_eq(o->request->user.id, c->request->user.id);
    }
    if (all >= AT_ONCE_MOST || own >= OF_USER_MOST)
        return false;
    c->next = in_progress;
    in_progress = c;
    return true;
}

static void console_leave(void *what)
{
    struct sql_console *c = what, **at = &in_progress;
    while (*at && *at != c)
        at = &(*at)->next;
    if (*at)
        *at = c->next;
}

/* ---- the request ---------------------------------------------------------- */

static void console_memory_done(void *what)
{
    struct sql_console *c = what;
    arena_done(&c->memory);
}

static void read_console_rows(struct request *q, struct sql_console *c)
{
    const json_t *v = json_object_get(q->body, "maxRows");
    int most = agent_settings(q->api->options.agent)->sql_max_rows;
    json_int_t n = json_integer_value(v);
    c->max_rows = most;
    if (!v || json_is_null(v))
        return;
    if (n < 1 || n > 1000000)
        request_invalid(q, "maxRows", "must be a number of rows");
    else if (n < most)
        c->max_rows = (int)n;
}

static struct next console_begin(struct flow *f, bool explains)
{
    struct request *q = REQUEST(f);
    struct sql_console *c = keep(f, struct sql_console);
    struct str id = STR("");
    q->state = c;
    c->request = q;
    c->explains = explains;
    if (!request_body(q))
        return back(f);
    request_uuid_given(q, "ontologyId", &id);
    sql_text_of(q, &c->sql);
    read_console_rows(q, c);
    if (request_refused(q))
        return back(f);
    flow_arena_init(&c->memory, MEMORY);
    defer_kept(f, console_memory_done, c);
    c->ontology = (struct console_ontology){.store = request_store(q),
                                            .user_id = q->user.id,
                                            .ontology_id = id,
                                            .all = request_may(q, MAY_ADMIN)};
    return call(f, console_ontology_begin, &c->ontology,
                console_ontology_known);
}

struct next sql_run(struct flow *f)
{
    return console_begin(f, false);
}

struct next sql_explain(struct flow *f)
{
    return console_begin(f, true);
}

static struct next console_ontology_known(struct flow *f)
{
    struct sql_console *c = console_of(f);
    if (!c->ontology.found)
        return reply_refusal(f, ERR_NOT_FOUND, "Ontology not found");
    if (!c->ontology.ready)
        return reply_refusal(f, ERR_CONFLICT, "The ontology is not ready.");
    if (c->explains && c->ontology.of_trino) /* it would be run */
        return reply_refusal(f, ERR_CONFLICT,
                             "Plans of Trino cannot be shown yet.");
    if (!console_enter(c))
        return reply_refusal(f, ERR_RATE_LIMITED,
                             "Other queries are in progress. Try again when "
                             "they have ended.");
    defer_kept(f, console_leave, c);
    c->hold = (struct ontology_acquire){.store = c->ontology.store,
                                        .id = c->ontology.ontology_id,
                                        .version = c->ontology.version};
    return call(f, ontology_acquire_begin, &c->hold, console_model_held);
}

static struct next console_model_held(struct flow *f)
{
    struct sql_console *c = console_of(f);
    const struct console_ontology *o = &c->ontology;
    c->source = (struct source_open){.store = o->store,
                                     .connection_id = o->connection_id,
                                     .database = o->database,
                                     .changed_at = o->connection_changed_at};
    return call(f, source_open_begin, &c->source, console_source_opened);
}

/* ---- the query ------------------------------------------------------------ */

static void on_console_gone(struct http_exchange *x)
{
    struct sql_console *c = x->owner;
    c->gone = true;
    if (c->asks && c->tool.read)
        op_cancel(&c->tool.read->op);
}

static void console_detach(void *what)
{
    struct sql_console *c = what;
    if (!c->detached) {
        c->request->x->on_gone = NULL;
        c->request->x->gone_at_eof = false;
    }
    c->detached = true;
}

/* What the guardrails say about a query that PostgreSQL's grammar can read. */
static void judge_statement(struct sql_console *c)
{
    struct cached_ontology *held = c->hold.held;
    struct query_outline outline;
    analysis_cache_get(&held->judged, &c->memory, held->model, c->sql,
                       &c->findings, &outline);
    findings_for_question(&c->memory, &c->findings, STR(""));
}

static size_t result_bytes(const struct agent_settings *s)
{
    return s->sql_max_bytes < RESULT_BYTES ? s->sql_max_bytes : RESULT_BYTES;
}

static struct next console_source_opened(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_console *c = q->state;
    const struct agent_settings *s = agent_settings(q->api->options.agent);
    /* Its engine has no plans: it would execute the query. */
    if (c->explains && source_dialect(c->source.opened) == DIALECT_TRINO)
        return reply_refusal(f, ERR_CONFLICT,
                             "Plans of a Trino cluster cannot be shown.");
    c->context = (struct tool_context){.ontology = c->hold.held,
                                       .source = c->source.opened,
                                       .store = c->ontology.store,
                                       .sql_timeout_ms = s->sql_timeout_ms,
                                       .sql_max_rows = c->max_rows,
                                       .sql_max_bytes = result_bytes(s),
                                       .trace = &q->x->trace,
                                       .user_id = q->user.id};
    c->tool = (struct query_tool){.context = &c->context,
                                  .sql = c->sql,
                                  .memory = &c->memory,
                                  .explain = c->explains};
    q->x->owner = c;
    q->x->on_gone = on_console_gone;
    q->x->gone_at_eof = true;
    defer(f, console_detach, c); /* while there is a request */
    c->asks = true;
    return attempt(f, query_tool_begin, &c->tool, statement_over,
                   statement_stopped);
}

/* ---- what is kept --------------------------------------------------------- */

static struct next note_statement(struct flow *f, const char *outcome)
{
    struct request *q = REQUEST(f);
    struct sql_console *c = q->state;
    const struct query_tool *t = &c->tool;
    c->note = (struct sql_run_note){
        .store = c->ontology.store,
        .user_id = q->user.id,
        .ontology_id = c->ontology.ontology_id,
        .request_id = q->x->request_id,
        .sql = c->sql,
        .statement = sql_without_literals(&c->memory, c->sql, STATEMENT_BYTES),
        .action = c->explains ? "sql.explained" : "sql.run",
        .outcome = outcome,
        .rows = c->explains ? 0 : t->n_rows,
        .elapsed_ms = t->elapsed_ms,
        .problem = utf8_first(t->error, PROBLEM_CHARACTERS),
        .history = !c->explains};
    return call(f, sql_run_note_begin, &c->note, statement_noted);
}

static struct next statement_over(struct flow *f)
{
    struct sql_console *c = console_of(f);
    c->asks = false;
    if (!c->tool.failed)
        judge_statement(c);
    return note_statement(f, !c->tool.failed                  ? "complete"
                             : c->tool.why == ERR_SQL_REFUSED ? "refused"
                                                              : "failed");
}

/* Its client has gone, and with it the query. */
static struct next statement_stopped(struct flow *f)
{
    struct sql_console *c = console_of(f);
    c->asks = false;
    if (!c->gone || failure(f) != ERR_CANCELLED)
        return fail_with(f, failure(f), failure_text(f));
    return note_statement(f, "cancelled");
}

/* ---- the answer ----------------------------------------------------------- */

static void put_finding(struct json_writer *w, const struct query_finding *i)
{
    static const char *const kinds[] = {
        [FINDING_UNKNOWN_TABLE] = "unknown_table",
        [FINDING_UNKNOWN_COLUMN] = "unknown_column",
        [FINDING_UNRELATED_JOIN] = "unrelated_join",
        [FINDING_FAN_OUT] = "fan_out",
        [FINDING_NOT_JUDGED] = "not_judged",
        [FINDING_RULE] = "rule"};
    json_put_object(w);
    json_field_text(w, "kind", kinds[i->kind]);
    json_field_text(w, "rule", i->rule ? i->rule->id : NULL);
    json_field_text(w, "sentence", i->rule ? i->rule->sentence : NULL);
    json_field_str(w, "message", i->message);
    json_field_bool(w, "grave", i->grave);
    json_put_object_end(w);
}

static void put_findings(struct json_writer *w, const struct sql_console *c)
{
    json_field_array(w, "warnings");
    for (size_t i = 0; i < c->findings.n; i++)
        put_finding(w, &c->findings.items[i]);
    json_put_array_end(w);
    json_field_bool(w, "judged", c->findings.read);
}

/* Where in the text, from 1; *line 0: not known. */
static void place_of(struct str sql, int position, int *line, int *column)
{
    *line = *column = 0;
    if (position < 1)
        return;
    struct str before = utf8_first(sql, (size_t)position - 1);
    *line = *column = 1;
    for (size_t i = 0; i < before.len; i++) {
        bool ends = before.ptr[i] == '\n';
        *line += ends;
        if (ends)
            *column = 1;
        else if (((unsigned char)before.ptr[i] & 0xc0) != 0x80)
            ++*column;
    }
}

/* A query that took too long is 400, not 408: browsers repeat a request that was
 * answered with 408. */
static struct next refuse_statement(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct sql_console *c = q->state;
    const struct query_tool *t = &c->tool;
    struct json_writer w;
    struct buf details;
    int line, column;
    place_of(c->sql, t->position, &line, &column);
    buf_init(&details, &q->memory);
    json_writer_init(&w, &details);
    json_put_object(&w);
    json_field_str(&w, "guard", t->refusal);
    json_field_str(&w, "hint", t->hint);
    json_field_int(&w, "position", t->position);
    json_field_int(&w, "line", line);
    json_field_int(&w, "column", column);
    json_field_int(&w, "elapsedMs", t->elapsed_ms);
    json_put_object_end(&w);
    reply_error_with(
        q, t->why == ERR_TIMEOUT ? ERR_SQL_FAILED : t->why,
        arena_cstr(&q->memory, t->problem.len ? t->problem : t->error),
        buf_view(&details));
    return back(f);
}

static struct next answer_plan(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_console *c = q->state;
    const struct guard_policy policy =
        query_policy(c->hold.held, c->source.opened);
    const struct ontology *model = c->hold.held->model;
    const struct query_tool *t = &c->tool;
    json_t *plan = t->n_rows ? json_read(t->cells[0], NULL) : NULL;
    struct api_reply r;
    defer(f, json_drop, plan);
    reply_open_object(q, &r);
    json_field_text(&r.w, "engine", c->source.opened->engine->name);
    json_field_int(&r.w, "elapsedMs", t->elapsed_ms);
    put_findings(&r.w, c);
    json_put_key(&r.w, "plan");
    if (!t->n_rows || t->cut_values ||
        !sql_plan_write(&r.w, source_dialect(c->source.opened), plan, &policy,
                        model && model->hides))
        return reply_refusal(f, ERR_CONFLICT,
                             "The plan is too large to be shown.");
    reply_send_object(q, &r, 200);
    return back(f);
}

static void open_result(struct request *q, struct sql_console *c)
{
    struct json_writer *w = &c->reply.w;
    const struct query_tool *t = &c->tool;
    reply_open_object(q, &c->reply);
    json_field_array(w, "columns");
    for (int i = 0; i < t->n_columns; i++)
        json_put_str(w, t->columns[i].name);
    json_put_array_end(w);
    json_field_array(w, "columnTypes");
    for (int i = 0; i < t->n_columns; i++)
        json_put_str(w, t->columns[i].type);
    json_put_array_end(w);
    json_field_int(w, "rowCount", t->n_rows);
    json_field_bool(w, "truncated", t->more_rows);
    json_field_bool(w, "valuesCut", t->cut_values);
    json_field_int(w, "elapsedMs", t->elapsed_ms);
    put_findings(w, c);
    json_field_array(w, "rows");
}

static struct next statement_noted(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_console *c = q->state;
    console_detach(c);
    if (c->gone)
        return reply_refusal(f, ERR_CANCELLED, NULL);
    if (c->tool.failed)
        return refuse_statement(f);
    if (c->explains)
        return answer_plan(f);
    open_result(q, c);
    return go(f, rows_put);
}

static void put_row(struct json_writer *w, const struct query_tool *t, int row)
{
    const struct str *cells = t->cells + (size_t)row * (size_t)t->n_columns;
    json_put_array(w);
    for (int i = 0; i < t->n_columns; i++)
        if (cells[i].ptr)
            json_put_str(w, cells[i]);
        else
            json_put_null(w);
    json_put_array_end(w);
}

/* Cells are the database's own text: exact. */
static struct next rows_put(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct sql_console *c = q->state;
    size_t most = c->reply.out.len + ROWS_BYTES;
    while (c->row < c->tool.n_rows && c->reply.out.len < most)
        put_row(&c->reply.w, &c->tool, c->row++);
    if (c->row < c->tool.n_rows)
        return await(f, rows_put); /* in the next turn */
    json_put_array_end(&c->reply.w);
    reply_send_object(q, &c->reply, 200);
    return back(f);
}
