/* expression.c - qualifies the columns of the ontology's expressions.
 *
 * The guard says which names are columns; the text is then split into
 * tokens, and each column is written with its dataset, each field or metric
 * as its own expression. */
#include "expression.h"
#include "guard/guard.h"
#include "ontology/columns.h"
#include "ontology/graph.h"
#include "sql_text.h"
#include "read/words.h"
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include "base/banned.h"

enum { EXPRESSION_MOST_BYTES = 8000, METRIC_DEPTH = 5 };

struct qualify {
    struct arena *arena;
    const struct ontology *o;
    size_t home;   /* the dataset of bare columns, or SIZE_MAX */
    bool of_field; /* names are columns, never fields or metrics */
    int depth;     /* metrics within metrics */
    struct guard_verdict columns;
    struct sql_tokens tokens;
    struct buf out;
    struct str *problem;
};

struct str dataset_alias(struct arena *arena, const struct ontology *o,
                         size_t dataset)
{
    return sql_name(arena, o->datasets[dataset].name);
}

size_t field_of_column(const struct dataset *dataset, struct str name)
{
    for (size_t i = 0; i < dataset->n_fields; i++)
        if (str_eq(dataset->fields[i].column, name))
            return i;
    for (size_t i = 0; i < dataset->n_fields; i++)
        if (str_eq_nocase(dataset->fields[i].name, name) ||
            str_eq_nocase(dataset->fields[i].column, name))
            return i;
    return SIZE_MAX;
}

bool field_refers(const struct ontology *o, size_t dataset, size_t field)
{
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from == dataset && r->from_columns.n == 1 &&
            field_of_column(&o->datasets[dataset], r->from_columns.items[0]) ==
                field)
            return true;
    }
    return false;
}

static bool has_capitals(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] >= 'A' && s.ptr[i] <= 'Z')
            return true;
    return false;
}

struct str column_sql(struct arena *arena, const struct ontology *o,
                      size_t dataset, struct str name)
{
    const struct dataset *d = &o->datasets[dataset];
    struct str problem = {NULL, 0};
    size_t field = field_of_column(d, name);
    if (field != SIZE_MAX)
        return field_sql(arena, o, dataset, field, &problem);
    /* SQL folds a bare name to lower case, but not in a table with
     * capitals. */
    bool capitals = false;
    for (size_t i = 0; i < d->n_fields; i++)
        capitals = capitals || has_capitals(d->fields[i].column);
    if (!capitals)
        name = lower_case(arena, name);
    return arena_printf(arena, "%.*s.%.*s",
                        STR_ARG(dataset_alias(arena, o, dataset)),
                        STR_ARG(sql_name(arena, name)));
}

/* ---- columns ------------------------------------------------------------ */

static bool is_column(const struct qualify *q, struct str relation,
                      struct str name)
{
    for (size_t i = 0; i < q->columns.n_columns; i++)
        if (str_eq(q->columns.columns[i].name, name) &&
            str_eq(q->columns.columns[i].relation, relation))
            return true;
    return false;
}

static const struct sql_token *token_of(const struct qualify *q, size_t i)
{
    static const struct sql_token none = {.kind = SQL_OTHER};
    return i < q->tokens.n ? &q->tokens.items[i] : &none;
}

static struct str token_text(const struct qualify *q, size_t i)
{
    const struct sql_token *t = token_of(q, i);
    return str_cut(q->tokens.text, t->from, t->to - t->from);
}

/* The name is a function, a type, or a keyword before a literal. */
static bool is_not_column(const struct qualify *q, size_t first, size_t after)
{
    struct str next = token_text(q, after);
    if (token_of(q, after)->kind == SQL_OPEN)
        return true;
    if (next.len && *next.ptr == '\'' && token_of(q, first)->kind == SQL_WORD)
        return true;
    if (!first)
        return false;
    const struct sql_token *before = token_of(q, first - 1);
    if (str_is(token_text(q, first - 1), "::") || str_is(before->name, "as"))
        return true;
    return first >= 2 && before->kind == SQL_OPEN &&
           str_is(token_of(q, first - 2)->name, "extract");
}

/* The first problem is kept. */
static void __attribute__((format(printf, 2, 3)))
qualify_fail(struct qualify *q, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (!q->problem->len)
        *q->problem = arena_vprintf(q->arena, format, values);
    va_end(values);
}

static void put_column(struct qualify *q, size_t dataset, struct str name)
{
    const struct dataset *d = &q->o->datasets[dataset];
    size_t field = q->of_field ? SIZE_MAX : field_of_column(d, name);
    if (field != SIZE_MAX) {
        buf_str(&q->out, field_sql(q->arena, q->o, dataset, field, q->problem));
        return;
    }
    buf_str(&q->out, dataset_alias(q->arena, q->o, dataset));
    buf_char(&q->out, '.');
    buf_str(&q->out, sql_name(q->arena, name));
}

static size_t dataset_with(const struct qualify *q, struct str name, size_t *n)
{
    size_t found = SIZE_MAX;
    *n = 0;
    for (size_t i = 0; i < q->o->n_datasets; i++)
        if (ontology_has_column(q->o, i, name)) {
            found = i;
            ++*n;
        }
    return found;
}

struct str expression_sql(struct arena *arena, const struct ontology *o,
                          struct str expression, size_t home, bool of_field,
                          int depth, struct str *problem);

static bool put_metric(struct qualify *q, struct str name)
{
    for (size_t i = 0; i < q->o->n_metrics && !q->of_field; i++) {
        const struct metric *metric = &q->o->metrics[i];
        if (!str_eq_nocase(metric->name, name))
            continue;
        if (q->depth == METRIC_DEPTH) {
            qualify_fail(q, "metrics refer to each other without an end");
            return true;
        }
        struct str inner =
            expression_sql(q->arena, q->o, metric->expression, q->home, false,
                           q->depth + 1, q->problem);
        buf_printf(&q->out, "(%.*s)", STR_ARG(inner));
        return true;
    }
    return false;
}

static void put_bare(struct qualify *q, struct str name)
{
    size_t n, with = dataset_with(q, name, &n);
    bool at_home =
        q->home != SIZE_MAX &&
        (q->of_field || n == 0 || ontology_has_column(q->o, q->home, name));
    if (at_home)
        put_column(q, q->home, name);
    else if (n == 1)
        put_column(q, with, name);
    else if (!put_metric(q, name))
        qualify_fail(q,
                     n ? "its column %.*s is in several datasets"
                       : "its column %.*s is in no dataset",
                     STR_ARG(name));
}

static void put_qualified(struct qualify *q, struct str relation,
                          struct str name)
{
    const struct dataset *d = ontology_dataset(q->o, relation);
    if (d)
        put_column(q, dataset_index(q->o, d), name);
    else if (q->of_field && q->home != SIZE_MAX)
        put_column(q, q->home, name);
    else
        qualify_fail(q, "it refers to %.*s, which is no dataset",
                     STR_ARG(relation));
}

/* Writes the qualified name that begins at token i. Returns the token after
 * it. */
static size_t put_chain(struct qualify *q, size_t i)
{
    size_t last = i;
    while (token_of(q, last + 1)->kind == SQL_DOT &&
           sql_is_name(token_of(q, last + 2)))
        last += 2;
    struct str name = token_of(q, last)->name;
    struct str relation = last > i ? token_of(q, last - 2)->name : STR("");
    bool star = token_of(q, last + 1)->kind == SQL_DOT &&
                str_is(token_text(q, last + 2), "*");
    const struct dataset *d = star ? ontology_dataset(q->o, name) : NULL;
    if (d) {
        buf_printf(
            &q->out, "%.*s.*",
            STR_ARG(dataset_alias(q->arena, q->o, dataset_index(q->o, d))));
        return last + 3;
    }
    if (is_not_column(q, i, last + 1) || !is_column(q, relation, name)) {
        size_t from = token_of(q, i)->from;
        buf_str(&q->out,
                str_cut(q->tokens.text, from, token_of(q, last)->to - from));
    } else if (relation.len) {
        put_qualified(q, relation, name);
    } else {
        put_bare(q, name);
    }
    return last + 1;
}

static void put_tokens(struct qualify *q)
{
    for (size_t i = 0; i < q->tokens.n;) {
        if (i && token_of(q, i)->from > token_of(q, i - 1)->to)
            buf_char(&q->out, ' ');
        if (sql_is_name(token_of(q, i))) {
            i = put_chain(q, i);
        } else {
            buf_str(&q->out, token_text(q, i));
            i++;
        }
    }
}

struct str expression_sql(struct arena *arena, const struct ontology *o,
                          struct str expression, size_t home, bool of_field,
                          int depth, struct str *problem)
{
    struct qualify q = {.arena = arena,
                        .o = o,
                        .home = home,
                        .of_field = of_field,
                        .depth = depth,
                        .problem = problem};
    if (expression.len > EXPRESSION_MOST_BYTES) {
        qualify_fail(&q, "its expression is too long");
        return STR("");
    }
    struct guard_policy any = {.any_relation = true};
    guard_check(arena,
                arena_printf(arena, "select (\n%.*s\n)", STR_ARG(expression)),
                &any, &q.columns);
    if (!q.columns.ok) {
        qualify_fail(&q, "its expression cannot be used: %.*s",
                     STR_ARG(q.columns.reason));
        return STR("");
    }
    buf_init(&q.out, arena);
    q.tokens = sql_read(arena, expression);
    put_tokens(&q);
    return buf_view(&q.out);
}

static bool is_simple(struct arena *arena, struct str sql)
{
    struct sql_tokens tokens = sql_read(arena, sql);
    return tokens.n <= 3;
}

struct str field_sql(struct arena *arena, const struct ontology *o,
                     size_t dataset, size_t field, struct str *problem)
{
    const struct field *f = &o->datasets[dataset].fields[field];
    if (f->column.len)
        return arena_printf(arena, "%.*s.%.*s",
                            STR_ARG(dataset_alias(arena, o, dataset)),
                            STR_ARG(sql_name(arena, f->column)));
    struct str sql =
        expression_sql(arena, o, f->expression, dataset, true, 0, problem);
    return is_simple(arena, sql) ? sql
                                 : arena_printf(arena, "(%.*s)", STR_ARG(sql));
}
