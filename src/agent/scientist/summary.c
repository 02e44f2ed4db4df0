/* summary.c - see summary.h.
 *
 *   summary_begin -> table_due -> sample_read -> ranges_read
 *                        \____________________________/  | all tables
 *                                                        v
 *                                                       back */
#include "summary.h"
#include "../context.h"
#include "base/json.h"
#include "base/one_line.h"
#include "ontology/columns.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum { SUMMARY_READ_BYTES = 1024 * 1024, NAME_BYTES = 200 };

static struct next table_due(struct flow *f), sample_read(struct flow *f),
    ranges_read(struct flow *f);

static const struct dataset *dataset_of(const struct data_summary *s)
{
    return &s->run->ontology->model->datasets[s->tables[s->at].dataset];
}

/* ---- the queries -------------------------------------------------------- */

void summary_put_fields(struct buf *out, const struct dataset *d)
{
    for (size_t i = 0; i < d->n_fields && i < SUMMARY_COLUMNS; i++) {
        buf_printf(out, "%s%.*s as ", i ? ", " : "",
                   STR_ARG(d->fields[i].expression));
        buf_quoted(out, d->fields[i].name, '\"');
    }
}

static struct str sample_sql(struct arena *a, const struct dataset *d)
{
    struct buf out;
    buf_init(&out, a);
    buf_text(&out, "select ");
    summary_put_fields(&out, d);
    buf_printf(&out, " from %.*s as t limit %d",
               STR_ARG(dataset_relation(a, d)), SUMMARY_SAMPLES);
    return buf_finish(&out);
}

static bool has_range(struct str type)
{
    static const char *const types[] = {
        "int2",    "int4",    "int8", "float4",    "float8",
        "numeric", "date",    "time", "timestamp", "timestamptz",
        "text",    "varchar", "name", "bpchar",    NULL};
    return str_is_one_of(type, types);
}

static struct str ranges_sql(struct arena *a, struct data_summary *s)
{
    const struct summary_table *t = &s->tables[s->at];
    struct buf out;
    buf_init(&out, a);
    s->n_ranged = 0;
    buf_text(&out, "select count(*) as n");
    for (size_t i = 0; i < t->n_columns; i++)
        buf_printf(&out, ", count(f.c%zu) as n%zu", i, i);
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!has_range(t->columns[i].type))
            continue;
        s->ranged[s->n_ranged++] = i;
        buf_printf(&out,
                   ", left(cast(min(f.c%zu) as text), 200) as a%zu, "
                   "left(cast(max(f.c%zu) as text), 200) as z%zu",
                   i, i, i, i);
    }
    buf_text(&out, " from (select ");
    const struct dataset *d = dataset_of(s);
    for (size_t i = 0; i < t->n_columns; i++)
        buf_printf(&out, "%s%.*s as c%zu", i ? ", " : "",
                   STR_ARG(d->fields[i].expression), i);
    buf_printf(&out, " from %.*s as t) as f", STR_ARG(dataset_relation(a, d)));
    return buf_finish(&out);
}

#define look(f, sql, rows, then) look_then(f, sql, rows, then, #then)
static struct next look_then(struct flow *f, struct str sql, int rows,
                             step_fn *then, const char *then_name)
{
    struct data_summary *s = locals(f, struct data_summary);
    s->query = (struct query_tool){.context = &s->context,
                                   .sql = sql,
                                   .max_rows = rows,
                                   .memory = &s->run->scratch};
    return flow_call(f, query_tool_begin, "query_tool_begin", &s->query, then,
                     then_name, NULL, NULL);
}

/* ---- table by table ----------------------------------------------------- */

struct next summary_begin(struct flow *f)
{
    struct data_summary *s = locals(f, struct data_summary);
    struct run *r = s->run;
    size_t *found, n = context_found(&r->scratch, r, &found);
    s->context = r->tools;
    if (s->context.sql_timeout_ms > SUMMARY_QUERY_MS)
        s->context.sql_timeout_ms = SUMMARY_QUERY_MS;
    if (s->context.sql_max_bytes > SUMMARY_READ_BYTES)
        s->context.sql_max_bytes = SUMMARY_READ_BYTES;
    s->n = n < SCIENTIST_TABLES ? n : SCIENTIST_TABLES;
    s->n_others = r->ontology->model->n_datasets - s->n;
    for (size_t i = 0; i < s->n; i++)
        s->tables[i] = (struct summary_table){
            .dataset = found[i],
            .name = r->ontology->model->datasets[found[i]].name,
            .rows = -1};
    s->at = 0;
    return go(f, table_due);
}

static struct next table_due(struct flow *f)
{
    struct data_summary *s = locals(f, struct data_summary);
    while (s->at < s->n && !dataset_of(s)->n_fields)
        s->tables[s->at++].problem = STR("It has no fields.");
    if (s->at == s->n)
        return back(f);
    return look(f, sample_sql(&s->run->scratch, dataset_of(s)), SUMMARY_SAMPLES,
                sample_read);
}

static struct str short_text(struct arena *a, struct str cell)
{
    struct buf out;
    if (!cell.ptr)
        return (struct str){NULL, 0};
    buf_init(&out, a);
    one_line_put(&out, cell, SUMMARY_CELL);
    buf_cstr(&out);
    return buf_view(&out);
}

static void take_sample(struct data_summary *s)
{
    struct arena *a = &s->run->arena;
    struct summary_table *t = &s->tables[s->at];
    const struct query_tool *q = &s->query;
    const struct dataset *d = dataset_of(s);
    size_t n = (size_t)q->n_columns;
    t->n_columns = n < d->n_fields ? n : d->n_fields;
    t->n_left_out = d->n_fields - t->n_columns;
    t->columns = arena_new_array(a, struct summary_column, t->n_columns + 1);
    for (size_t i = 0; i < t->n_columns; i++) {
        t->columns[i] =
            (struct summary_column){.name = d->fields[i].name,
                                    .type = arena_str(a, q->columns[i].type),
                                    .values = -1};
        for (int row = 0; row < q->n_shown && row < SUMMARY_SAMPLES; row++)
            t->columns[i].samples[row] =
                short_text(a, q->cells[(size_t)row * n + i]);
    }
}

static struct next next_table(struct flow *f, struct data_summary *s)
{
    s->at++;
    return go(f, table_due);
}

static struct next sample_read(struct flow *f)
{
    struct data_summary *s = locals(f, struct data_summary);
    if (s->query.failed) {
        s->tables[s->at].problem =
            arena_str(&s->run->arena,
                      disclose_error(s->run->tools.share_rows, s->query.error,
                                     s->query.about_text));
        return next_table(f, s);
    }
    take_sample(s);
    return look(f, ranges_sql(&s->run->scratch, s), 1, ranges_read);
}

/* A table that takes too long to count has no ranges. */
static struct next ranges_read(struct flow *f)
{
    struct data_summary *s = locals(f, struct data_summary);
    struct arena *a = &s->run->arena;
    struct summary_table *t = &s->tables[s->at];
    const struct query_tool *q = &s->query;
    size_t most = 1 + t->n_columns + 2 * s->n_ranged;
    if (q->failed || q->n_shown < 1 || (size_t)q->n_columns != most)
        return next_table(f, s);
    str_to_int64(q->cells[0], &t->rows);
    for (size_t i = 0; i < t->n_columns; i++)
        str_to_int64(q->cells[1 + i], &t->columns[i].values);
    for (size_t i = 0; i < s->n_ranged; i++) {
        struct summary_column *c = &t->columns[s->ranged[i]];
        c->min = short_text(a, q->cells[1 + t->n_columns + 2 * i]);
        c->max = short_text(a, q->cells[2 + t->n_columns + 2 * i]);
    }
    return next_table(f, s);
}

/* ---- as text ------------------------------------------------------------ */

static bool is_text(struct str type)
{
    return str_is(type, "text") || str_is(type, "varchar") ||
           str_is(type, "name") || str_is(type, "bpchar");
}

/* The ends of a range of text are values of single rows. */
static bool shows_range(const struct summary_column *c, enum share_rows share)
{
    return c->min.len && (share == SHARE_ALL ||
                          (share == SHARE_AGGREGATES && !is_text(c->type)));
}

/* In quotes, or a name that gives an order would begin an item of the prompt. */
static void put_name(struct buf *out, struct str name)
{
    struct buf line;
    buf_init(&line, out->arena);
    one_line_put(&line, name, NAME_BYTES);
    json_quote(out, buf_view(&line));
    buf_done(&line);
}

static void put_column(struct buf *out, const struct summary_table *t,
                       const struct summary_column *c, enum share_rows share)
{
    buf_text(out, "- ");
    put_name(out, c->name);
    buf_text(out, " (");
    one_line_put(out, c->type, NAME_BYTES);
    buf_char(out, ')');
    if (share != SHARE_NONE && t->rows >= 0 && c->values >= 0 &&
        c->values < t->rows)
        buf_printf(out, ", %lld missing", (long long)(t->rows - c->values));
    if (shows_range(c, share))
        buf_printf(out, ", from %.*s to %.*s", STR_ARG(c->min),
                   STR_ARG(c->max));
    for (int i = 0; share == SHARE_ALL && i < SUMMARY_SAMPLES; i++)
        if (c->samples[i].ptr)
            buf_printf(out, "%s%.*s", i ? " | " : ", like ",
                       STR_ARG(c->samples[i]));
    buf_char(out, '\n');
}

static void put_table(struct buf *out, const struct summary_table *t,
                      enum share_rows share)
{
    buf_text(out, "### datasets['");
    one_line_put(out, t->name, NAME_BYTES);
    buf_text(out, "']");
    if (t->rows >= 0)
        buf_printf(out, ": %lld rows", (long long)t->rows);
    buf_char(out, '\n');
    if (t->problem.len)
        buf_printf(out, "It could not be read:\n%.*s\n",
                   STR_ARG(context_lines(out->arena, t->problem)));
    for (size_t i = 0; i < t->n_columns; i++)
        put_column(out, t, &t->columns[i], share);
    if (t->n_left_out)
        buf_printf(out, "- %zu more columns\n", t->n_left_out);
    buf_char(out, '\n');
}

struct str summary_text(struct arena *a, const struct data_summary *s,
                        enum share_rows share)
{
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; i < s->n; i++)
        put_table(&out, &s->tables[i], share);
    if (s->n_others)
        buf_printf(&out,
                   "There are %zu more tables that the question does "
                   "not seem to be about.\n",
                   s->n_others);
    return buf_view(&out);
}

/* ---- for the user ------------------------------------------------------- */

static void put_cell(struct buf *out, struct str text)
{
    buf_text(out, " ");
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '|' || text.ptr[i] == '`')
            buf_char(out, '\\');
        buf_char(out, text.ptr[i]);
    }
    buf_text(out, " |");
}

static void put_row(struct buf *out, const struct summary_table *t,
                    const struct summary_column *c)
{
    buf_char(out, '|');
    put_cell(out, c->name);
    put_cell(out, c->type);
    if (t->rows >= 0 && c->values >= 0)
        buf_printf(out, " %lld |", (long long)(t->rows - c->values));
    else
        buf_text(out, " |");
    put_cell(out, c->min);
    put_cell(out, c->max);
    buf_char(out, '\n');
}

struct str summary_markdown(struct arena *a, const struct data_summary *s)
{
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; i < s->n; i++) {
        const struct summary_table *t = &s->tables[i];
        buf_printf(&out, "%s**%.*s**: ", i ? "\n" : "", STR_ARG(t->name));
        if (t->problem.len)
            buf_printf(&out, "it could not be read. %.*s\n",
                       STR_ARG(t->problem));
        else if (t->rows >= 0)
            buf_printf(&out, "%lld rows, %zu columns\n", (long long)t->rows,
                       t->n_columns + t->n_left_out);
        else
            buf_printf(&out, "%zu columns; counting its rows takes too long\n",
                       t->n_columns + t->n_left_out);
        if (t->n_columns)
            buf_text(&out, "\n| column | type | missing | least | greatest |\n"
                           "|---|---|---|---|---|\n");
        for (size_t c = 0; c < t->n_columns; c++)
            put_row(&out, t, &t->columns[c]);
    }
    return buf_view(&out);
}
