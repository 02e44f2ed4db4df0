/* query_database.c - runs a query: the guard checks it, db/read runs it within
 * the envelope, and the rows become text for a model.
 *
 *   query_tool_begin -> query_read -> query_json_begin -> rows_encoded */
#include "base/utf8.h"
#include "db/read.h"
#include "tool/disclosure.h"
#include "tool/query_guard.h"
#include "tool/tool.h"
#include <string.h>
#include "base/banned.h"

static struct next query_read(struct flow *f), rows_encoded(struct flow *f);

static struct next query_refused(struct flow *f, enum err why, struct str text)
{
    struct query_tool *t = locals(f, struct query_tool);
    t->failed = true;
    t->why = why;
    t->error = arena_str(t->memory, text);
    return back(f);
}

/* Checks the SQL with the guard, unless it has passed before; if only
 * aggregates are shared, the verdict is needed each time. */
static bool guard_passes(struct flow *f, const struct query_tool *t,
                         struct guard_verdict *verdict)
{
    struct cached_ontology *o = t->context->ontology;
    const char *calls = ontology_passed_calls(o, t->sql);
    *verdict = (struct guard_verdict){
        .ok = true, .text = t->sql, .calls = str_of(calls)};
    if (t->context->share_rows != SHARE_AGGREGATES && calls)
        return true;
    const struct guard_policy policy = query_policy(o, t->context->source);
    bool passed =
        query_guard(flow_here(f), &policy, query_dialect(o, t->context->source),
                    t->sql, verdict);
    if (verdict->ok &&
        !query_keeps_hidden(flow_here(f), o, verdict->text, &verdict->reason)) {
        verdict->code = STR("hidden");
        verdict->ok = false;
        return false;
    }
    if (passed && !ontology_passed_calls(o, verdict->text))
        ontology_pass(o, verdict->text, verdict->calls);
    return verdict->ok;
}

/* Ends the span of the query, when it is answered or its flow was stopped. */
static void query_span_end(void *what)
{
    const struct query_tool *t = what;
    const struct read *r = t->read;
    static const char *const systems[] = {[DIALECT_POSTGRES] = "postgresql",
                                          [DIALECT_DUCKDB] = "duckdb",
                                          [DIALECT_TRINO] = "trino"};
    enum err how = r->op.status;
    struct json_writer *w = span_end(t->rows_span, SPAN_CLIENT, STR("SELECT"),
                                     how == OK ? NULL : err_code(how));
    if (!w)
        return;
    span_put_text(w, "db.system.name",
                  str_of(systems[source_dialect(t->context->source)]));
    span_put_text(w, "db.operation.name", STR("SELECT"));
    if (how == OK)
        span_put_int(w, "db.response.returned_rows", r->n_rows);
    span_put_text(w, "db.response.status_code", str_of(r->sqlstate));
    if (span_content())
        span_put_text(w, "db.query.text", t->verdict->text);
    span_close(w);
}

struct next query_tool_begin(struct flow *f)
{
    struct query_tool *t = locals(f, struct query_tool);
    struct guard_verdict *verdict = t->verdict = here(f, struct guard_verdict);
    t->rows_span = here(f, struct span);
    t->failed = false;
    t->about_text = true;
    if (!guard_passes(f, t, verdict)) {
        t->refusal = arena_str(t->memory, verdict->code);
        t->problem = arena_str(t->memory, verdict->reason);
        t->position = verdict->position;
        return query_refused(f, ERR_SQL_REFUSED, verdict->reason);
    }
    t->read = here(f, struct read);
    t->read->options = (struct read_options){
        .source = t->context->source,
        .sql = verdict->text,
        .calls = verdict->calls,
        .max_rows = t->max_rows ? t->max_rows : t->context->sql_max_rows,
        .max_bytes = t->context->sql_max_bytes,
        .timeout_ms = t->context->sql_timeout_ms,
        .patient = true,
        .explain = t->explain,
        .user_id = t->context->user_id};
    span_begin(t->rows_span, t->context->trace);
    defer(f, query_span_end, t);
    read_begin(f, t->read);
    op_tolerate(&t->read->op);
    return await(f, query_read);
}

static struct str why_failed(struct flow *f, const struct read *r)
{
    struct arena *a = flow_here(f);
    if (r->op.status == ERR_TIMEOUT)
        return arena_printf(a,
                            "The query took longer than %u ms and was "
                            "stopped. Aggregate more or filter earlier.",
                            r->options.timeout_ms);
    const char *unavailable = r->options.source->engine->unavailable;
    if (r->op.status == ERR_DATABASE_UNAVAILABLE && unavailable)
        return str_of(unavailable);
    if (r->op.status != ERR_SQL_FAILED && r->op.status != ERR_SQL_REFUSED)
        return str_of(err_sentence(r->op.status));
    struct str hint = r->hint.len
                          ? arena_printf(a, " Hint: %.*s", STR_ARG(r->hint))
                          : STR("");
    if (r->position)
        return arena_printf(a, "%.*s (at character %d).%.*s",
                            STR_ARG(r->message), r->position, STR_ARG(hint));
    return arena_printf(a, "%.*s.%.*s", STR_ARG(r->message), STR_ARG(hint));
}

/* Whether the error is about the SQL text: syntax, names and types (SQLSTATE
 * 42), features (0A), a lack of memory, or our own. Others may come from reading
 * rows. */
static bool is_about_text(const struct read *r)
{
    struct str state = str_of(r->sqlstate);
    return r->op.status != ERR_SQL_FAILED || str_starts(state, STR("42")) ||
           str_starts(state, STR("0A")) || str_is(state, "53200");
}

/* Whether values of the type can identify something, unlike figures and
 * times. */
static bool is_identifying(struct str type)
{
    static const char *const plain[] = {
        "bool",   "int2",      "int4",        "int8",     "float4",
        "float8", "numeric",   "money",       "date",     "time",
        "timetz", "timestamp", "timestamptz", "interval", NULL};
    return !str_is_one_of(type, plain);
}

/* Whether the result describes only groups. max() of a number is a figure, but
 * max() of a name is the name of one row. */
static bool describes_groups(const struct query_tool *t)
{
    const struct guard_verdict *v = t->verdict;
    for (int i = 0; i < t->n_columns; i++) {
        bool picks = v->picks_any || ((size_t)i < v->n_picks && v->picks[i]);
        if (picks && is_identifying(t->columns[i].type))
            return false;
    }
    return v->aggregated;
}

/* How many bytes of cells to copy for Markdown tables; with JSON, not all of a
 * large result. */
static size_t cell_bytes(const struct query_tool *t)
{
    size_t budget = t->context->text_budget;
    if (!t->json_memory)
        return SIZE_MAX;
    return budget > QUERY_FIRST_BYTES ? budget : QUERY_FIRST_BYTES;
}

/* What the database said, and where in the text as it was given: the guard has
 * taken the white space around the statement away. */
static void take_problem(struct query_tool *t, const struct read *r)
{
    if (r->op.status != ERR_SQL_FAILED && r->op.status != ERR_SQL_REFUSED)
        return;
    ptrdiff_t at = str_find(t->sql, t->verdict->text);
    t->problem = arena_str(t->memory, r->message);
    t->hint = arena_str(t->memory, r->hint);
    if (r->position && at >= 0)
        t->position =
            r->position + (int)utf8_count(str_cut(t->sql, 0, (size_t)at));
}

static struct next query_read(struct flow *f)
{
    struct query_tool *t = locals(f, struct query_tool);
    struct read *r = t->read;
    query_span_end(t);
    if (r->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    t->about_text = is_about_text(r);
    if (r->op.status != OK) {
        take_problem(t, r);
        return query_refused(f, r->op.status, why_failed(f, r));
    }
    t->n_shown = read_first_rows(r, t->memory, cell_bytes(t));
    t->columns = r->columns;
    t->n_columns = r->n_columns;
    t->cells = r->cells;
    t->n_rows = r->n_rows;
    t->more_rows = r->more_rows;
    t->cut_values = r->cut_values;
    t->elapsed_ms = r->elapsed_ms;
    t->aggregated = describes_groups(t);
    return t->json_memory ? call(f, query_json_begin, t, rows_encoded)
                          : back(f);
}

static struct next rows_encoded(struct flow *f)
{
    return back(f);
}

/* ---- as text ------------------------------------------------------------ */

static void markdown_cell(struct buf *out, struct str cell)
{
    for (size_t i = 0; i < cell.len; i++) {
        char c = cell.ptr[i];
        if (c == '|')
            buf_char(out, '\\');
        buf_char(out, c == '\n' || c == '\r' ? ' ' : c);
    }
}

static void markdown_row(struct buf *out, const struct query_tool *q, int row)
{
    buf_char(out, '|');
    for (int c = 0; c < q->n_columns; c++) {
        struct str cell =
            q->cells[(size_t)row * (size_t)q->n_columns + (size_t)c];
        buf_char(out, ' ');
        markdown_cell(out, cell.ptr ? cell : STR("NULL"));
        buf_text(out, " |");
    }
    buf_char(out, '\n');
}

struct str query_markdown(struct arena *arena, const struct query_tool *q,
                          size_t budget)
{
    struct buf out;
    int row = 0;
    buf_init(&out, arena);
    buf_char(&out, '|');
    for (int c = 0; c < q->n_columns; c++) {
        buf_char(&out, ' ');
        markdown_cell(&out, q->columns[c].name);
        buf_text(&out, " |");
    }
    buf_text(&out, "\n|");
    for (int c = 0; c < q->n_columns; c++)
        buf_text(&out, "---|");
    buf_char(&out, '\n');
    for (; row < q->n_shown && (!budget || out.len < budget); row++)
        markdown_row(&out, q, row);
    if (row < q->n_rows)
        buf_printf(&out, "… %d more rows\n", q->n_rows - row);
    buf_printf(&out, "\n(%d%s rows, %ums)", q->n_rows, q->more_rows ? "+" : "",
               q->elapsed_ms);
    return buf_finish(&out);
}

struct str query_outline(struct arena *arena, const struct query_tool *q)
{
    struct buf out;
    buf_init(&out, arena);
    buf_text(&out, "Columns:");
    for (int c = 0; c < q->n_columns; c++)
        buf_printf(&out, "%s %.*s %.*s", c ? "," : "",
                   STR_ARG(q->columns[c].name), STR_ARG(q->columns[c].type));
    buf_printf(&out, "\n%.*s\n\n(%d%s rows, %ums)", STR_ARG(not_disclosed),
               q->n_rows, q->more_rows ? "+" : "", q->elapsed_ms);
    return buf_view(&out);
}
