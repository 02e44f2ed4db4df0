/* dataset_place.c - runs the queries of an exploration on its dataset's source;
 * see dataset.h. The model's SQL names one table, t_parsed: a common table
 * expression around the query gives it the dataset's rows.
 *
 *   dataset_place_begin -> query_due <-> query_over */
#include "base/clock.h"
#include "dataset.h"
#include "ontology/columns.h"
#include "tool/csv_tools.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum { RESULT_BYTES = 1024 * 1024, ERROR_BYTES = 1000 };

/* The queries of one call. */
struct dataset_visit {
    struct explorer_visit *visit;
    struct tool_context context;
    struct explorer_rows *found;
    struct query_tool *query;
    size_t at;
    uint64_t due_ms;
};

static struct next query_due(struct flow *f), query_over(struct flow *f);

struct next dataset_place_begin(struct flow *f)
{
    struct explorer_visit *v = locals(f, struct explorer_visit);
    struct explorer_call *c = v->call;
    struct dataset_visit *d = here(f, struct dataset_visit);
    *d = (struct dataset_visit){
        .visit = v,
        .context = v->explorer->run->tools,
        .found =
            arena_new_array(c->memory, struct explorer_rows, c->n_queries + 1),
        .due_ms = clock_ms() + EXPLORER_QUERY_MS};
    v->state = d;
    c->found = d->found;
    return go(f, query_due);
}

static struct str visit_sql(struct arena *a, const struct dataset_visit *d)
{
    const struct dataset *dataset =
        dataset_explorer_of(d->visit->explorer->run)->dataset;
    struct str relation = dataset_relation(a, dataset);
    return arena_printf(a,
                        "with " EXPLORER_TABLE
                        " as (select * from %.*s) select * from (%.*s\n) "
                        "explorer_result",
                        STR_ARG(relation),
                        STR_ARG(d->visit->call->queries[d->at].sql));
}

/* The model wrote it, and code did not. Its rows are a result of the run. */
static bool is_own_query(const struct dataset_visit *d)
{
    const struct explorer_call *c = d->visit->call;
    return react_runs_query(d->visit->explorer->run, c->name) &&
           str_is(str_of(c->queries[d->at].id), "result");
}

static struct next query_due(struct flow *f)
{
    const struct explorer_visit *v = locals(f, struct explorer_visit);
    struct dataset_visit *d = v->state;
    struct explorer_call *c = v->call;
    uint64_t now = clock_ms();
    if (d->at == c->n_queries)
        return back(f);
    d->found[d->at].id = c->queries[d->at].id;
    if (now >= d->due_ms) {
        d->found[d->at].failed = true;
        d->found[d->at++].error = STR("Tool execution timeout after 30000ms");
        return go(f, query_due);
    }
    unsigned left = (unsigned)(d->due_ms - now);
    if (d->context.sql_timeout_ms > left)
        d->context.sql_timeout_ms = left;
    if (d->context.sql_max_bytes > RESULT_BYTES)
        d->context.sql_max_bytes = RESULT_BYTES;
    d->query = arena_new(c->memory, struct query_tool);
    *d->query = (struct query_tool){
        .context = &d->context,
        .sql = visit_sql(c->memory, d),
        .max_rows = EXPLORER_ROWS,
        .memory = c->memory,
        .json_memory = is_own_query(d) ? &v->explorer->run->rows : c->memory};
    return call(f, query_tool_begin, d->query, query_over);
}

/* ---- what came of it ---------------------------------------------------- */

static bool is_shared(const struct dataset_visit *d)
{
    const struct query_tool *q = d->query;
    bool groups = q->aggregated || d->visit->call->queries[d->at].aggregate;
    return disclose_rows(d->context.share_rows,
                         &(struct sql_result){.aggregated = groups});
}

static void take_columns(struct explorer_rows *rows, struct arena *a,
                         const struct query_tool *q)
{
    rows->n_columns = (size_t)q->n_columns;
    rows->columns = arena_new_array(a, struct str, rows->n_columns + 1);
    rows->types = arena_new_array(a, struct str, rows->n_columns + 1);
    for (size_t i = 0; i < rows->n_columns; i++) {
        rows->columns[i] = arena_str(a, q->columns[i].name);
        rows->types[i] = arena_str(a, q->columns[i].type);
    }
}

/* Rows beyond RESULT_BYTES are left out. */
static void take_rows(struct explorer_rows *rows, struct arena *a,
                      const struct query_tool *q)
{
    struct row_arrays arrays;
    struct buf out;
    row_arrays_init(&arrays, a, q->json, rows->types, rows->n_columns);
    buf_init(&out, a);
    buf_char(&out, '[');
    for (;;) {
        size_t before = out.len;
        if (before > 1)
            buf_char(&out, ',');
        bool more = row_arrays_next(&arrays, &out);
        rows->truncated |= more && out.len > RESULT_BYTES;
        if (more && out.len <= RESULT_BYTES)
            continue;
        out.len = before;
        break;
    }
    buf_char(&out, ']');
    rows->rows = buf_finish(&out);
}

static struct next query_over(struct flow *f)
{
    struct explorer_visit *v = locals(f, struct explorer_visit);
    struct dataset_visit *d = v->state;
    const struct query_tool *q = d->query;
    struct explorer_rows *rows = &d->found[d->at];
    struct arena *a = v->call->memory;
    if (q->failed) {
        rows->failed = true;
        rows->error =
            arena_str(a, str_cut(disclose_error(d->context.share_rows, q->error,
                                                q->about_text),
                                 0, ERROR_BYTES));
        d->at++;
        return go(f, query_due);
    }
    if (is_own_query(d))
        v->query = q;
    take_columns(rows, a, q);
    rows->n_rows = q->n_rows;
    rows->truncated = q->more_rows;
    rows->withheld = !is_shared(d);
    if (!rows->withheld)
        take_rows(rows, a, q);
    d->at++;
    return go(f, query_due);
}
