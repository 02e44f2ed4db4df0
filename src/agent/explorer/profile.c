/* profile.c - see profile.h. Each column is a row of its own, so that one
 * statement describes several, and its index in the table is its name. */
#include "profile.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cells.h"
#include "columns.h"
#include <math.h>
#include <string.h>
#include "base/banned.h"

enum { LABEL_BYTES = 200, CLASSES = 10, NAME_CHARACTERS = 80 };

/* ---- SQL ---------------------------------------------------------------- */

/* "select "c" as v, … as x from t_parsed": x is v as a number. */
static void put_source(struct buf *out, struct str name)
{
    buf_text(out, "(select v, case when isfinite(y) then y end as x from "
                  "(select ");
    column_put(out, name);
    buf_text(out, " as v, try_cast(");
    column_put(out, name);
    buf_text(out, " as double) as y from " EXPLORER_TABLE ") r)");
}

static bool has_numbers(enum column_class c)
{
    return c == COLUMN_NUMBER || c == COLUMN_TEXT;
}

/* Types that do not become numbers. */
static void put_plain_source(struct buf *out, struct str name)
{
    buf_text(out, "(select ");
    column_put(out, name);
    buf_text(out, " as v, cast(null as double) as x from " EXPLORER_TABLE ")");
}

static void put_either_source(struct buf *out, const struct explorer_column *c)
{
    if (has_numbers(column_class(c->type)))
        put_source(out, c->name);
    else
        put_plain_source(out, c->name);
}

static void put_counts(struct buf *out, size_t at,
                       const struct explorer_column *c)
{
    bool number = column_class(c->type) == COLUMN_NUMBER;
    bool text = column_class(c->type) == COLUMN_TEXT;
    buf_printf(out,
               "select %zu as item, count(*) as n_rows, count(v) as n_values, "
               "count(distinct v) as n_distinct, count(x) as n_numbers, ",
               at);
    if (number)
        buf_text(out,
                 "case when count(x) >= 5 then avg(x) end as mean, "
                 "case when count(x) >= 5 then stddev_samp(x) end as "
                 "deviation, count(*) filter (where high > low and (x < low "
                 "or x > high)) as outliers, ");
    else
        buf_text(out, "cast(null as double) as mean, cast(null as double) as "
                      "deviation, 0 as outliers, ");
    buf_printf(out, "%s as blanks from ",
               text ? "count(*) filter (where trim(v) = '')" : "0");
    put_either_source(out, c);
    buf_text(out, " d");
    if (!number)
        return;
    buf_text(out, " cross join (select q1 - 1.5 * (q3 - q1) as low, q3 + 1.5 "
                  "* (q3 - q1) as high from (select quantile_cont(x, 0.25) as "
                  "q1, quantile_cont(x, 0.75) as q3 from ");
    put_source(out, c->name);
    buf_text(out, " e) q) f");
}

static void put_values(struct buf *out, size_t at,
                       const struct explorer_column *c)
{
    enum column_class class = column_class(c->type);
    buf_printf(out, "select %zu as item, ", at);
    if (class == COLUMN_OTHER)
        buf_text(out, "cast(null as varchar) as smallest, cast(null as "
                      "varchar) as largest, ");
    else
        buf_text(out, "left(cast(min(v) as varchar), 200) as smallest, "
                      "left(cast(max(v) as varchar), 200) as largest, ");
    if (class == COLUMN_NUMBER)
        buf_text(out, "quantile_cont(x, 0.25) as q1, quantile_cont(x, 0.5) as "
                      "q2, quantile_cont(x, 0.75) as q3, ");
    else
        buf_text(out, "cast(null as double) as q1, cast(null as double) as "
                      "q2, cast(null as double) as q3, ");
    if (class == COLUMN_OTHER)
        buf_text(out, "cast(null as varchar) as frequent from ");
    else
        buf_text(out, "left(cast(mode(v) as varchar), 200) as frequent from ");
    put_either_source(out, c);
    buf_text(out, " d");
}

static void put_number_classes(struct buf *out, size_t at,
                               const struct explorer_column *c)
{
    buf_printf(out,
               "select %zu as item, k as place, cast(any_value(low + k * width)"
               " as varchar) as label, cast(any_value(low + (k + 1) * width) "
               "as varchar) as upper, count(*) as n from (select low, width, "
               "case when width > 0 then cast(least(floor((x - low) / width), "
               "9) as integer) else 0 end as k from ",
               at);
    put_source(out, c->name);
    buf_text(out, " d cross join (select min(x) as low, (max(x) - min(x)) / "
                  "10.0 as width from ");
    put_source(out, c->name);
    buf_text(out, " e) f where x is not null) g group by k");
}

static void put_frequent(struct buf *out, size_t at,
                         const struct explorer_column *c)
{
    buf_printf(out,
               "select %zu as item, place, label, cast(null as varchar) as "
               "upper, n from (select left(v, 200) as label, n, "
               "row_number() over (order by n desc, v) as place from (select "
               "cast(",
               at);
    column_put(out, c->name);
    buf_text(out, " as varchar) as v, count(*) as n from " EXPLORER_TABLE
                  " group by 1) d where v is not null) e where place <= 10");
}

static void put_distribution(struct buf *out, size_t at,
                             const struct explorer_column *c)
{
    if (column_class(c->type) == COLUMN_NUMBER)
        put_number_classes(out, at, c);
    else
        put_frequent(out, at, c);
}

/* ---- queries ------------------------------------------------------------ */

typedef void put_column(struct buf *out, size_t at,
                        const struct explorer_column *c);

/* `order`: what follows the last select; may be empty. */
static struct explorer_query batch_of(struct arena *a,
                                      const struct profile_request *p,
                                      size_t batch, const char *id,
                                      put_column *put, const char *order)
{
    struct buf out;
    size_t first = batch * PROFILE_BATCH;
    buf_init(&out, a);
    for (size_t i = first; i < first + PROFILE_BATCH && i < p->n_columns; i++) {
        buf_text(&out, i > first ? " union all " : "");
        put(&out, p->columns[i], &p->table->columns[p->columns[i]]);
    }
    buf_text(&out, order);
    return (struct explorer_query){.id =
                                       arena_printf(a, "%s_%zu", id, batch).ptr,
                                   .sql = buf_finish(&out)};
}

size_t profile_queries(struct arena *a, const struct profile_request *p,
                       struct explorer_query **queries)
{
    size_t batches = (p->n_columns + PROFILE_BATCH - 1) / PROFILE_BATCH, n = 0;
    struct explorer_query *all =
        arena_new_array(a, struct explorer_query, 3 * batches + 2);
    for (size_t i = 0; i < batches; i++) {
        all[n] = batch_of(a, p, i, "counts", put_counts, "");
        all[n++].aggregate = true;
        all[n++] = batch_of(a, p, i, "values", put_values, "");
        if (p->distribution)
            all[n++] = batch_of(a, p, i, "distribution", put_distribution,
                                " order by item, place");
    }
    if (p->all)
        all[n++] = (struct explorer_query){
            .id = "rows",
            .sql = STR("select count(*) as n_rows, (select count(*) from "
                       "(select distinct * from " EXPLORER_TABLE ") d) as "
                       "n_distinct from " EXPLORER_TABLE),
            .aggregate = true};
    *queries = all;
    return n;
}

/* ---- what came of them -------------------------------------------------- */

struct profile_result {
    const struct profile_request *request;
    const struct explorer_call *call;
    struct json_writer w;
    struct buf issues; /* JSON texts, with commas */
    int64_t n_rows;
};

static void add_issue(struct profile_result *r, const struct explorer_column *c,
                      struct str text)
{
    struct buf out;
    buf_init(&out, r->call->memory);
    if (c) {
        utf8_put_plain(&out, utf8_first(c->name, NAME_CHARACTERS));
        buf_char(&out, ' ');
    }
    buf_str(&out, text);
    if (r->issues.len)
        buf_char(&r->issues, ',');
    json_quote(&r->issues, buf_view(&out));
}

/* Moves to the row of column `at` in the query of its batch. False: there is
 * none. */
static bool find_item(const struct profile_result *r, const char *id,
                      size_t batch, size_t at, struct cells *c)
{
    struct arena *a = r->call->memory;
    cells_init(
        c, cells_of_query(r->call, arena_printf(a, "%s_%zu", id, batch).ptr));
    while (cells_next(c))
        if (cells_real(c, "item") == (double)at)
            return true;
    return false;
}

static void put_real(struct json_writer *w, const char *key, double d)
{
    if (!isfinite(d))
        return;
    json_field_real(w, key, d);
}

static double share_of(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void judge_counts(struct profile_result *r,
                         const struct explorer_column *c,
                         const struct cells *cells, int64_t rows,
                         int64_t values)
{
    struct arena *a = r->call->memory;
    int64_t distinct = cells_count(cells, "n_distinct");
    int64_t outliers = cells_count(cells, "outliers");
    int64_t blanks = cells_count(cells, "blanks");
    int64_t numbers = cells_count(cells, "n_numbers");
    bool text = column_class(c->type) == COLUMN_TEXT;
    if (values < rows && r->request->nulls)
        add_issue(r, c,
                  arena_printf(a, "has %lld missing value%s (%.1f %%).",
                               (long long)(rows - values),
                               rows - values == 1 ? "" : "s",
                               100 * share_of(rows - values, rows)));
    if (outliers)
        add_issue(r, c,
                  arena_printf(a,
                               "has %lld outlier%s (more than 1.5 "
                               "interquartile ranges outside the quartiles).",
                               (long long)outliers, outliers == 1 ? "" : "s"));
    if (blanks)
        add_issue(r, c,
                  arena_printf(a, "has %lld blank texts.", (long long)blanks));
    if (text && values > 0 && numbers == values)
        add_issue(r, c, STR("is text, but all its values are numbers."));
    if (distinct == 1 && rows > 1)
        add_issue(r, c, STR("has the same value in every row that has one."));
}

static void put_counts_of(struct profile_result *r,
                          const struct explorer_column *c,
                          const struct cells *cells)
{
    struct json_writer *w = &r->w;
    int64_t rows = cells_count(cells, "n_rows");
    int64_t values = cells_count(cells, "n_values");
    r->n_rows = rows;
    json_field_int(w, "count", values);
    if (r->request->nulls) {
        json_field_int(w, "nulls", rows - values);
        put_real(w, "nullShare", share_of(rows - values, rows));
    }
    json_field_int(w, "distinct", cells_count(cells, "n_distinct"));
    put_real(w, "avg", cells_real(cells, "mean"));
    put_real(w, "standardDeviation", cells_real(cells, "deviation"));
    if (column_class(c->type) == COLUMN_NUMBER)
        json_field_int(w, "outliers", cells_count(cells, "outliers"));
    judge_counts(r, c, cells, rows, values);
}

static void put_cell(struct profile_result *r, const struct cells *cells,
                     const char *key, const char *column)
{
    struct str text = cells_text(cells, r->call->memory, column, LABEL_BYTES);
    if (cells_get(cells, column).len)
        json_field_str(&r->w, key, text);
}

static void put_values_of(struct profile_result *r, const struct cells *cells)
{
    put_cell(r, cells, "min", "smallest");
    put_cell(r, cells, "max", "largest");
    put_real(&r->w, "q1", cells_real(cells, "q1"));
    put_real(&r->w, "median", cells_real(cells, "q2"));
    put_real(&r->w, "q3", cells_real(cells, "q3"));
    put_cell(r, cells, "mode", "frequent");
}

static void put_distribution_of(struct profile_result *r, size_t batch,
                                size_t at)
{
    struct cells c;
    bool any = find_item(r, "distribution", batch, at, &c);
    if (!any)
        return;
    json_field_array(&r->w, "distribution");
    int n = 0;
    do {
        if (cells_real(&c, "item") != (double)at || n++ >= CLASSES)
            continue;
        json_put_object(&r->w);
        put_cell(r, &c, cells_get(&c, "upper").len ? "from" : "value", "label");
        put_cell(r, &c, "to", "upper");
        json_field_int(&r->w, "count", cells_count(&c, "n"));
        json_put_object_end(&r->w);
    } while (cells_next(&c));
    json_put_array_end(&r->w);
}

static void put_profile_column(struct profile_result *r, size_t i)
{
    struct cells cells;
    size_t at = r->request->columns[i], batch = i / PROFILE_BATCH;
    const struct explorer_column *c = &r->request->table->columns[at];
    json_put_object(&r->w);
    json_field_str(&r->w, "name", c->name);
    json_field_str(&r->w, "type", c->type);
    if (find_item(r, "counts", batch, at, &cells))
        put_counts_of(r, c, &cells);
    if (find_item(r, "values", batch, at, &cells))
        put_values_of(r, &cells);
    if (r->request->distribution)
        put_distribution_of(r, batch, at);
    json_put_object_end(&r->w);
}

static void judge_rows(struct profile_result *r)
{
    struct cells c;
    cells_init(&c, cells_of_query(r->call, "rows"));
    if (!cells_next(&c))
        return;
    int64_t rows = cells_count(&c, "n_rows");
    int64_t twice = rows - cells_count(&c, "n_distinct");
    r->n_rows = rows;
    json_field_int(&r->w, "duplicateRows", twice);
    if (twice > 0)
        add_issue(r, NULL,
                  arena_printf(r->call->memory, "%lld %s another row.",
                               (long long)twice,
                               twice == 1 ? "row repeats" : "rows repeat"));
    if (rows < 30)
        add_issue(r, NULL,
                  arena_printf(r->call->memory,
                               "There are only %lld rows: few conclusions "
                               "are safe.",
                               (long long)rows));
}

static bool values_are_withheld(const struct explorer_call *call)
{
    for (size_t i = 0; call->found && i < call->n_queries; i++)
        if (call->found[i].withheld)
            return true;
    return false;
}

void profile_put(struct buf *out, const struct profile_request *p,
                 const struct explorer_call *call)
{
    struct profile_result r = {.request = p, .call = call, .n_rows = -1};
    json_writer_init(&r.w, out);
    buf_init(&r.issues, call->memory);
    json_put_object(&r.w);
    json_field_array(&r.w, "columns");
    for (size_t i = 0; i < p->n_columns; i++)
        put_profile_column(&r, i);
    json_put_array_end(&r.w);
    judge_rows(&r);
    if (r.n_rows >= 0)
        json_field_int(&r.w, "rowCount", r.n_rows);
    json_field_array(&r.w, "issues");
    json_put_raw(&r.w, buf_view(&r.issues));
    json_put_array_end(&r.w);
    if (p->all && p->n_columns < p->table->n_columns)
        json_field_str(&r.w, "note",
                       arena_printf(call->memory,
                                    "Only the first %zu of %zu columns: name "
                                    "others in `columns`.",
                                    p->n_columns, p->table->n_columns));
    if (values_are_withheld(call))
        json_field_text(&r.w, "notShared",
                        "The person does not share all of these statistics.");
    json_put_object_end(&r.w);
}
