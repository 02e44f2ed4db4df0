/* validation.c - the SQL of validateAnalysis; see validation.h. What came of it
 * is judged in verdict.c. */
#include "validation.h"
#include "base/buf.h"
#include "columns.h"
#include "base/banned.h"

/* ---- the request -------------------------------------------------------- */

/* The text mentions the name: then it is no other column. */
static bool mentions(struct str text, struct str name)
{
    return name.len && str_find_nocase(text, name) >= 0;
}

static void add_strata(struct validation_request *v, enum column_class class,
                       bool whole_numbers)
{
    for (size_t i = 0; i < v->table->n_columns; i++) {
        const struct explorer_column *c = &v->table->columns[i];
        bool fits =
            column_class(c->type) == class &&
            (!whole_numbers || str_find_nocase(c->type, STR("int")) >= 0);
        if (!fits || mentions(v->parts.group, c->name) ||
            mentions(v->parts.measure, c->name) ||
            mentions(v->parts.other, c->name))
            continue;
        if (v->n_strata < VALIDATION_STRATA)
            v->strata[v->n_strata++] = i;
    }
}

void validation_read(struct arena *arena, struct validation_request *v)
{
    struct query_tokens tokens;
    v->n_strata = 0;
    v->apart = query_tokens_read(arena, v->query, &tokens) &&
               query_parts_read(arena, &tokens, STR(EXPLORER_TABLE), &v->parts);
    bool compares =
        v->apart && (v->parts.kind == MEASURE_CORRELATION ||
                     (v->parts.kind == MEASURE_VALUE && v->parts.group.len));
    if (!compares || !v->parts.one_table)
        return;
    add_strata(v, COLUMN_TEXT, false);
    add_strata(v, COLUMN_TRUTH, false);
    add_strata(v, COLUMN_NUMBER, true);
}

/* ---- SQL ---------------------------------------------------------------- */

/* "with … explorer_base as (select …)": columns g (the group), x, y, s, of
 * which those that are not wanted are NULL. `stratum` is a column's name. */
static void put_base(struct buf *out, const struct query_parts *p,
                     struct str stratum)
{
    bool numbers = p->kind == MEASURE_VALUE || p->kind == MEASURE_CORRELATION;
    if (p->with.len)
        buf_printf(out, "%.*s, ", STR_ARG(p->with));
    else
        buf_text(out, "with ");
    buf_text(out, "explorer_rows as (select ");
    buf_printf(out, "%.*s as g, ",
               STR_ARG(p->group.len ? p->group : STR("''")));
    buf_printf(out, "%.*s as a, ", STR_ARG(numbers ? p->measure : STR("1")));
    buf_printf(out, "%.*s as b, ",
               STR_ARG(p->kind == MEASURE_CORRELATION ? p->other : STR("1")));
    if (stratum.len)
        column_put(out, stratum);
    else
        buf_text(out, "''");
    buf_printf(out,
               "\nas s %.*s\n), explorer_values as (select cast(g as varchar) "
               "as g, cast(s as varchar) as s, try_cast(a as double) as x0, "
               "try_cast(b as double) as y0 from explorer_rows), explorer_base "
               "as (select g, s, case when isfinite(x0) then x0 end as x, case "
               "when isfinite(y0) then y0 end as y from explorer_values) ",
               STR_ARG(p->rows));
}

static void put_sample(struct buf *out, const struct query_parts *p)
{
    put_base(out, p, STR(""));
    buf_text(out,
             "select coalesce(sum(n), 0) as n_rows, coalesce(sum(n_x), 0) as "
             "n_values, count(*) filter (where g is not null) as n_groups, "
             "coalesce(sum(n) filter (where g is null), 0) as no_group, "
             "min(n_x) filter (where g is not null) as smallest, max(n) filter "
             "(where g is not null) as largest, count(*) filter (where g is "
             "not null and n_x < 5) as tiny from (select g, count(*) as n, "
             "count(x) as n_x from explorer_base group by g) d");
}

static void put_outliers(struct buf *out, const struct query_parts *p)
{
    put_base(out, p, STR(""));
    buf_text(out,
             "select count(x) as n_values, count(*) filter (where x < low or "
             "x > high) as outliers, case when count(x) >= 5 and "
             "stddev_samp(x) > 0 then abs(avg(x) - avg(x) filter (where x >= "
             "low and x <= high)) / stddev_samp(x) end as shift from "
             "explorer_base cross join (select q1 - 1.5 * (q3 - q1) as low, q3 "
             "+ 1.5 * (q3 - q1) as high from (select quantile_cont(x, 0.25) as "
             "q1, quantile_cont(x, 0.75) as q3 from explorer_base) q) f where "
             "high > low");
}

static void put_variance(struct buf *out, const struct query_parts *p)
{
    put_base(out, p, STR(""));
    buf_text(out,
             "select count(*) as n_groups, sum(n) as n_values, sum(n * (m - "
             "whole) * (m - whole)) as between_groups, sum(d) as within_groups "
             "from (select count(x) as n, avg(x) as m, count(x) * var_pop(x) "
             "as d from explorer_base where g is not null and x is not null "
             "group by g) e cross join (select avg(x) as whole from "
             "explorer_base where g is not null) f");
}

static void put_counts(struct buf *out, const struct query_parts *p)
{
    put_base(out, p, STR(""));
    buf_text(out,
             "select count(*) as n_groups, sum(n) as n_values, sum((n - m) * "
             "(n - m) / m) as chi_square from (select n, avg(n) over () as m "
             "from (select count(*) as n from explorer_base where g is not "
             "null group by g) d) e");
}

static void put_correlation(struct buf *out, const struct query_parts *p)
{
    put_base(out, p, STR(""));
    buf_text(out, "select count(*) as n_values, case when stddev_pop(x) > 0 "
                  "and stddev_pop(y) > 0 then corr(x, y) end as r from "
                  "explorer_base where x is not null and y is not null");
}

/* The groups with the highest and the lowest mean, compared within each value
 * of s: how often the difference turns round, and the difference when each
 * value of s counts by its rows, with the variance of that. */
static void put_strata(struct buf *out, const struct query_parts *p,
                       struct str column)
{
    put_base(out, p, column);
    buf_text(
        out,
        ", explorer_pair as (select arg_max(g, m) as hi, arg_min(g, m) as lo, "
        "max(m) - min(m) as whole from (select g, avg(x) as m, count(x) as n "
        "from explorer_base where g is not null group by g) d where n >= 5), "
        "explorer_cells as (select s, g = hi as high, count(x) as n, avg(x) as "
        "m, var_samp(x) as v from explorer_base cross join explorer_pair where "
        "(g = hi or g = lo) and s is not null and x is not null group by s, g "
        "= hi) select count(*) as strata, count(*) filter (where d < 0) as "
        "reversed, coalesce(sum(n) filter (where d < 0), 0) as reversed_rows, "
        "coalesce(sum(n), 0) as compared_rows, (select whole from "
        "explorer_pair) as whole, sum(n * d) / sum(n) as adjusted, sum(n * n * "
        "v) / (sum(n) * sum(n)) as variance from (select h.n + l.n as n, h.m - "
        "l.m as d, coalesce(h.v, 0) / h.n + coalesce(l.v, 0) / l.n as v from "
        "explorer_cells h join explorer_cells l on h.s = l.s where h.high and "
        "not l.high) e");
}

static void put_correlation_strata(struct buf *out, const struct query_parts *p,
                                   struct str column)
{
    put_base(out, p, column);
    buf_text(
        out,
        "select count(*) as strata, count(*) filter (where c * whole < 0) as "
        "reversed, coalesce(sum(n) filter (where c * whole < 0), 0) as "
        "reversed_rows, coalesce(sum(n), 0) as compared_rows, max(whole) as "
        "whole, case when sum(n * vx) > 0 and sum(n * vy) > 0 then sum(n * c) "
        "/ sqrt(sum(n * vx) * sum(n * vy)) end as adjusted from (select "
        "count(*) as n, covar_pop(x, y) as c, var_pop(x) as vx, var_pop(y) as "
        "vy from explorer_base where x is not null and y is not null and s is "
        "not null group by s) d cross join (select case when stddev_pop(x) > 0 "
        "and stddev_pop(y) > 0 then corr(x, y) end as whole from explorer_base "
        "where x is not null and y is not null) e where n >= 3");
}

/* ---- queries ------------------------------------------------------------ */

typedef void put_check(struct buf *out, const struct query_parts *p);

static struct explorer_query query_of(struct arena *a, const char *id,
                                      put_check *put,
                                      const struct query_parts *p)
{
    struct buf out;
    buf_init(&out, a);
    put(&out, p);
    return (struct explorer_query){
        .id = id, .sql = buf_finish(&out), .aggregate = true};
}

static struct explorer_query
strata_query(struct arena *a, const struct validation_request *v, size_t i)
{
    struct buf out;
    struct str column = v->table->columns[v->strata[i]].name;
    buf_init(&out, a);
    if (v->parts.kind == MEASURE_CORRELATION)
        put_correlation_strata(&out, &v->parts, column);
    else
        put_strata(&out, &v->parts, column);
    return (struct explorer_query){.id = arena_printf(a, "strata_%zu", i).ptr,
                                   .sql = buf_finish(&out),
                                   .aggregate = true};
}

size_t validation_queries(struct arena *a, const struct validation_request *v,
                          struct explorer_query **queries)
{
    const struct query_parts *p = &v->parts;
    size_t n = 0;
    *queries = arena_new_array(a, struct explorer_query, v->n_strata + 5);
    (*queries)[n++] = (struct explorer_query){
        .id = "result",
        .sql = arena_printf(a, "select count(*) as n_rows from (%.*s\n) d",
                            STR_ARG(v->query)),
        .aggregate = true};
    if (!v->apart)
        return n;
    (*queries)[n++] = query_of(a, "sample", put_sample, p);
    if (p->kind == MEASURE_VALUE || p->kind == MEASURE_CORRELATION)
        (*queries)[n++] = query_of(a, "outliers", put_outliers, p);
    if (p->kind == MEASURE_CORRELATION)
        (*queries)[n++] = query_of(a, "difference", put_correlation, p);
    else if (p->group.len)
        (*queries)[n++] =
            query_of(a, "difference",
                     p->kind == MEASURE_VALUE ? put_variance : put_counts, p);
    for (size_t i = 0; i < v->n_strata; i++)
        (*queries)[n++] = strata_query(a, v, i);
    return n;
}
