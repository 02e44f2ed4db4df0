/* cut_totals.c - computes totals of cut results in SQL; see cut_totals.h.
 *
 *   cut_totals_begin -> total_due <-> total_read */
#include "cut_totals.h"
#include "ontology/analysis_cache.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum { SUMS_MOST = 24 };

static struct next total_due(struct flow *f), total_read(struct flow *f);

static bool is_summed_type(struct str type)
{
    static const char *const types[] = {"int2",   "int4",    "int8", "float4",
                                        "float8", "numeric", "money"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_is(type, types[i]))
            return true;
    return false;
}

/* A sum of keys means nothing. */
static bool names_key(struct str name)
{
    return str_eq_nocase(name, STR("id")) || str_ends(name, STR("_id")) ||
           str_ends(name, STR("_key"));
}

static void choose_columns(struct cut_totals *x, struct arena *a,
                           const struct sql_result *s)
{
    struct query_findings found;
    struct query_outline outline;
    analysis_cache_get(&x->run->ontology->judged, a, x->run->ontology->model,
                       s->sql, &found, &outline);
    x->columns = arena_new_array(a, size_t, SUMS_MOST);
    x->n_columns = 0;
    for (size_t i = 0; i < s->n_columns && x->n_columns < SUMS_MOST; i++) {
        bool key = names_key(s->columns[i]) ||
                   (i < outline.n_outputs && outline.outputs[i].key);
        if (i < s->n_column_types && is_summed_type(s->column_types[i]) && !key)
            x->columns[x->n_columns++] = i;
    }
}

/* The text without what may follow a statement. */
static struct str one_query(struct str sql)
{
    sql = str_trim(sql);
    while (str_ends(sql, STR(";")))
        sql = str_trim(str_cut(sql, 0, sql.len - 1));
    return sql;
}

static struct str totals_sql(struct cut_totals *x, struct arena *a,
                             const struct sql_result *s)
{
    struct buf out;
    buf_init(&out, a);
    buf_text(&out, "SELECT COUNT(*) AS all_rows");
    for (size_t i = 0; i < x->n_columns; i++)
        buf_printf(&out, ", SUM(q.c%zu) AS sum_%zu", x->columns[i] + 1, i + 1);
    buf_text(&out, "\nFROM (\n");
    buf_str(&out, one_query(s->sql));
    buf_text(&out, "\n) AS q(");
    for (size_t i = 0; i < s->n_columns; i++)
        buf_printf(&out, "%sc%zu", i ? ", " : "", i + 1);
    buf_text(&out, ")");
    return buf_finish(&out);
}

struct next cut_totals_begin(struct flow *f)
{
    struct cut_totals *x = locals(f, struct cut_totals);
    x->at = 0;
    x->context = x->run->tools;
    if (x->context.sql_timeout_ms > TOTALS_MS)
        x->context.sql_timeout_ms = TOTALS_MS;
    return go(f, total_due);
}

static struct next total_due(struct flow *f)
{
    struct cut_totals *x = locals(f, struct cut_totals);
    struct run *r = x->run;
    const struct sql_result *s = NULL;
    for (; x->at < x->n && !s; x->at++)
        if (x->items[x->at].sql_result &&
            x->items[x->at].sql_result->truncated &&
            !x->items[x->at].sql_result->n_totals)
            s = x->items[x->at].sql_result;
    if (!s)
        return back(f);
    choose_columns(x, &r->scratch, s);
    x->query = (struct query_tool){.context = &x->context,
                                   .sql = totals_sql(x, &r->scratch, s),
                                   .max_rows = 1,
                                   .memory = &r->scratch};
    x->call = run_tool_started(
        r, x->phase, x->step_id, STR(""), STR("query_database"),
        tool_arguments(flow_here(f), "sql", x->query.sql));
    return call(f, query_tool_begin, &x->query, total_read);
}

static void put_totals(struct cut_totals *x, struct sql_result *s)
{
    struct arena *a = &x->run->arena;
    struct column_total *all =
        arena_new_array(a, struct column_total, x->n_columns + 1);
    size_t n = 0;
    for (size_t i = 0; i <= x->n_columns; i++)
        if (x->query.cells[i].ptr) {
            all[n].name = i ? s->columns[x->columns[i - 1]] : STR("*");
            all[n++].sum = arena_str(a, x->query.cells[i]);
        }
    s->totals = all;
    s->n_totals = n;
}

static struct next total_read(struct flow *f)
{
    struct cut_totals *x = locals(f, struct cut_totals);
    const struct query_tool *q = &x->query;
    struct str text =
        q->failed ? q->error : query_markdown(flow_here(f), q, 500);
    run_tool_ended(x->run, x->call, text, q->failed);
    if (!q->failed && q->n_shown == 1 &&
        (size_t)q->n_columns == x->n_columns + 1)
        put_totals(x, x->items[x->at - 1].sql_result);
    return go(f, total_due);
}

struct str cut_totals_text(struct arena *arena, const struct sql_result *s)
{
    struct buf out;
    if (!s->n_totals)
        return STR("");
    buf_init(&out, arena);
    buf_printf(&out, "All %.*s rows, computed in SQL",
               STR_ARG(s->totals[0].sum));
    for (size_t i = 1; i < s->n_totals; i++)
        buf_printf(&out, "%s %.*s adds up to %.*s", i > 1 ? ";" : ":",
                   STR_ARG(s->totals[i].name), STR_ARG(s->totals[i].sum));
    buf_char(&out, '.');
    return buf_finish(&out);
}
