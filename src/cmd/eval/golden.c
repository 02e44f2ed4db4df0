/* golden.c - compares the result of a golden query with what it must be; see
 * golden.h. */
#include "golden.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

/* ---- cells -------------------------------------------------------------- */

static struct str golden_cell(struct arena *a, const json_t *v)
{
    return json_is_boolean(v) ? json_print(a, v) : json_cell_text(a, v);
}

struct eval_rows golden_cells(struct arena *arena,
                              const struct golden_result *result)
{
    struct eval_rows rows = {.n_columns = json_array_size(result->columns),
                             .n_rows = json_array_size(result->rows)};
    rows.cells =
        arena_new_array(arena, struct str, rows.n_rows * rows.n_columns + 1);
    for (size_t r = 0; r < rows.n_rows; r++)
        for (size_t c = 0; c < rows.n_columns; c++)
            rows.cells[r * rows.n_columns + c] = golden_cell(
                arena, json_array_get(json_array_get(result->rows, r), c));
    return rows;
}

static bool parse_decimal(struct str s, double *value)
{
    enum { MOST = 40 };
    char text[MOST + 1], *end;
    if (!s.len || s.len > MOST)
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = 0;
    *value = strtod(text, &end);
    return !*end && isfinite(*value);
}

static bool cells_fit(const struct golden *g, struct str wanted,
                      struct str found)
{
    double a, b;
    if (g->tolerance < 0 || !parse_decimal(wanted, &a) ||
        !parse_decimal(found, &b))
        return eval_cells_equal(wanted, found, false);
    return fabs(a - b) <= g->tolerance;
}

/* ---- one result --------------------------------------------------------- */

struct judging {
    struct arena *arena;
    const struct golden *g;
    const struct golden_result *result;
    struct eval_rows cells;
};

__attribute__((format(printf, 2, 3))) static struct str
wrong(const struct judging *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str why = arena_vprintf(j->arena, format, args);
    va_end(args);
    return why;
}

/* SIZE_MAX: there is none of that name. */
static size_t column_named(const struct judging *j, struct str name)
{
    for (size_t i = 0; i < json_array_size(j->result->columns); i++)
        if (str_eq(json_text(json_array_get(j->result->columns, i)), name))
            return i;
    return SIZE_MAX;
}

static struct str judge_status(const struct judging *j)
{
    const struct golden_result *r = j->result;
    if (str_eq(j->g->status, r->status))
        return STR("");
    return wrong(j, "the status is %.*s, not %.*s%s%.*s", STR_ARG(r->status),
                 STR_ARG(j->g->status), r->error.len ? ": " : "",
                 STR_ARG(utf8_first(r->error, 300)));
}

static struct str judge_counts(const struct judging *j)
{
    const struct golden *g = j->g;
    int64_t n = j->result->row_count;
    int64_t exactly = g->has_rows ? (int64_t)g->rows.n_rows : g->row_count;
    int64_t least = g->min_rows >= 0 ? g->min_rows : 1;
    if (exactly >= 0 && n != exactly)
        return wrong(j, "there are %lld rows, not %lld", (long long)n,
                     (long long)exactly);
    if (exactly < 0 && n < least)
        return wrong(j, "there are %lld rows; %lld are the fewest",
                     (long long)n, (long long)least);
    return STR("");
}

static struct str judge_columns(const struct judging *j)
{
    for (size_t i = 0; i < j->g->n_columns; i++)
        if (column_named(j, j->g->columns[i]) == SIZE_MAX)
            return wrong(j, "there is no column \"%.*s\"",
                         STR_ARG(utf8_first(j->g->columns[i], 80)));
    return STR("");
}

/* The only row has the value, in the column that is named, if one is. */
static struct str judge_value(const struct judging *j)
{
    const struct golden *g = j->g;
    const struct eval_rows *rows = &j->cells;
    bool named = g->n_columns == 1;
    size_t at = named ? column_named(j, g->columns[0]) : 0;
    if (!g->has_value)
        return STR("");
    if (rows->n_rows != 1)
        return wrong(j, "there are %zu rows, not one with the value",
                     rows->n_rows);
    for (size_t c = 0; c < rows->n_columns; c++)
        if ((!named || c == at) && cells_fit(g, g->value, rows->cells[c]))
            return STR("");
    struct str value = g->value.ptr ? utf8_first(g->value, 80) : STR("NULL");
    return wrong(j, "no cell is %.*s", STR_ARG(value));
}

/* ---- rows --------------------------------------------------------------- */

static bool row_fits(const struct judging *j, size_t wanted, size_t found,
                     const size_t *at)
{
    const struct eval_rows *rows = &j->g->rows;
    for (size_t c = 0; c < rows->n_columns; c++)
        if (!cells_fit(j->g, rows->cells[wanted * rows->n_columns + c],
                       j->cells.cells[found * j->cells.n_columns + at[c]]))
            return false;
    return true;
}

/* Where the columns of the rows are in the result. */
static struct str find_columns(const struct judging *j, size_t *at)
{
    const struct golden *g = j->g;
    for (size_t c = 0; c < g->rows.n_columns; c++) {
        at[c] = g->names ? column_named(j, g->names[c]) : c;
        if (at[c] >= j->cells.n_columns)
            return g->names ? wrong(j, "there is no column \"%.*s\"",
                                    STR_ARG(utf8_first(g->names[c], 80)))
                            : wrong(j, "there are %zu columns, not %zu",
                                    j->cells.n_columns, g->rows.n_columns);
    }
    return STR("");
}

static struct str judge_rows(const struct judging *j, bool ordered)
{
    const struct golden *g = j->g;
    size_t n = g->rows.n_rows;
    if (!g->has_rows)
        return STR("");
    if (j->cells.n_rows != n)
        return wrong(j, "only %zu of %zu rows were kept", j->cells.n_rows, n);
    size_t *at = arena_new_array(j->arena, size_t, g->rows.n_columns + 1);
    bool *used = arena_new_array(j->arena, bool, n + 1);
    struct str why = find_columns(j, at);
    for (size_t i = 0; !why.len && i < n; i++) {
        size_t k = ordered ? i : 0;
        while (k < n && (used[k] || !row_fits(j, i, k, at)))
            k = ordered ? n : k + 1;
        if (k == n)
            why = wrong(j, "row %zu of the set is not in the result%s", i + 1,
                        ordered ? " at its place" : "");
        else
            used[k] = true;
    }
    return why;
}

struct str golden_judge(struct arena *arena, const struct golden *g,
                        const struct golden_result *result, bool ordered)
{
    struct judging j = {.arena = arena, .g = g, .result = result};
    struct str why = judge_status(&j);
    if (why.len || !str_is(g->status, "succeeded"))
        return why;
    j.cells = golden_cells(arena, result);
    why = judge_counts(&j);
    if (!why.len)
        why = judge_columns(&j);
    if (!why.len)
        why = judge_value(&j);
    return why.len ? why : judge_rows(&j, ordered);
}
