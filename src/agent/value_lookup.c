/* value_lookup.c - looks up the values of a query that found nothing; see
 * value_lookup.h.
 *
 *   value_lookup_begin -> value_due <-> value_read */
#include "value_lookup.h"
#include "base/clock.h"
#include "ontology/stored_values.h"
#include "tool/disclosure.h"
#include <string.h>
#include "base/banned.h"

static struct next value_due(struct flow *f), value_read(struct flow *f);

/* ---- what is empty ------------------------------------------------------- */

static bool is_number_type(struct str type)
{
    static const char *const types[] = {"int2",   "int4",   "int8",
                                        "float4", "float8", "numeric"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_is(type, types[i]))
            return true;
    return false;
}

/* "0", "0.00" */
static bool is_zero(struct str cell)
{
    for (size_t i = 0; i < cell.len; i++)
        if (cell.ptr[i] != '0' && cell.ptr[i] != '.')
            return false;
    return cell.len > 0;
}

bool value_lookup_due(const struct query_tool *q)
{
    size_t columns = (size_t)q->n_columns;
    if (q->n_rows > q->n_shown)
        return false;
    for (size_t i = 0; i < (size_t)q->n_shown * columns; i++) {
        bool zero = q->n_rows == 1 &&
                    is_number_type(q->columns[i % columns].type) &&
                    q->cells[i].ptr && is_zero(q->cells[i]);
        if (q->cells[i].ptr && !zero)
            return false;
    }
    return true;
}

/* ---- the lookups --------------------------------------------------------- */

struct next value_lookup_begin(struct flow *f)
{
    struct value_lookup *l = locals(f, struct value_lookup);
    struct run *r = l->run;
    l->missing = STR("");
    l->at = 0;
    l->started_ms = clock_ms();
    l->context = r->tools;
    if (l->context.sql_timeout_ms > LOOKUP_MS)
        l->context.sql_timeout_ms = LOOKUP_MS;
    l->sought = arena_new_array(flow_here(f), struct sought_value, SOUGHT_MOST);
    l->n_sought =
        sought_values(flow_here(f), r->ontology->model, l->sql, l->sought);
    buf_init(&l->text, &r->arena);
    return go(f, value_due);
}

static struct next value_due(struct flow *f)
{
    struct value_lookup *l = locals(f, struct value_lookup);
    struct run *r = l->run;
    bool late = clock_ms() - l->started_ms >= LOOKUP_ALL_MS;
    if (l->at == l->n_sought || late) {
        l->missing = l->text.len ? buf_view(&l->text) : STR("");
        return back(f);
    }
    l->query = (struct query_tool){
        .context = &l->context,
        .sql = sought_sql(&r->scratch, r->ontology->model, &l->sought[l->at]),
        .max_rows = SOUGHT_ROWS,
        .memory = &r->scratch};
    l->call = run_tool_started(
        r, l->phase, l->step_id, STR(""), STR("query_database"),
        tool_arguments(flow_here(f), "sql", l->query.sql));
    return call(f, query_tool_begin, &l->query, value_read);
}

static void judge(struct value_lookup *l)
{
    struct run *r = l->run;
    struct arena *a = &r->scratch;
    size_t n = (size_t)l->query.n_shown;
    struct str *values = arena_new_array(a, struct str, n + 1);
    struct str *matches = arena_new_array(a, struct str, n + 1);
    struct sought_answer answer;
    for (size_t i = 0; i < n; i++) {
        values[i] = l->query.cells[2 * i];
        matches[i] = l->query.cells[2 * i + 1];
    }
    sought_judge(a, &l->sought[l->at], values, matches, n, &answer);
    if (answer.exists)
        return;
    buf_text(&l->text, l->text.len ? " " : "");
    sought_tell(r->ontology->model, &l->sought[l->at], &answer, &l->text);
}

static struct next value_read(struct flow *f)
{
    struct value_lookup *l = locals(f, struct value_lookup);
    struct str text = l->query.failed
                          ? l->query.error
                          : query_markdown(flow_here(f), &l->query, 500);
    run_tool_ended(l->run, l->call, text, l->query.failed);
    if (!l->query.failed && l->query.n_columns == 2)
        judge(l);
    l->at++;
    return go(f, value_due);
}

/* ---- the answer ---------------------------------------------------------- */

struct str value_lookup_answer(struct arena *arena,
                               const struct step_results *results)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; results && i < results->n_results; i++) {
        const struct step_result *s = &results->results[i];
        if (s->sql_result && !s->sql_result->no_rows.ptr)
            return STR("");
        if (s->sql_result && s->sql_result->no_rows.len)
            buf_printf(&out, "%s%.*s", out.len ? "\n\n" : "",
                       STR_ARG(s->sql_result->no_rows));
    }
    return buf_view(&out);
}

struct str value_lookup_markdown(struct arena *arena, struct str answer)
{
    struct buf out;
    buf_init(&out, arena);
    buf_text(&out, "There is no figure to tell: the data have no such rows. ");
    for (size_t i = 0; i < answer.len; i++) {
        if (answer.ptr[i] && strchr("\\`*_[]<>|#~", answer.ptr[i]))
            buf_char(&out, '\\');
        buf_char(&out, answer.ptr[i]);
    }
    return buf_view(&out);
}
