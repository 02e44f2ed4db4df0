/* difference.c - finds the first difference between two results.
 *
 *   number of columns -> pair columns that share the most values -> sort (unless
 *   ordered) -> the first rows that are not alike */
#include "difference.h"
#include "base/buf.h"
#include "base/utf8.h"
#include <stdlib.h>
#include "base/banned.h"

enum {
    MOST_SAMPLE_ROWS = 10,
    MOST_SAMPLE_COLUMNS = 10,
    MOST_SAMPLE_CHARACTERS = 60,
    MOST_ROWS_COMPARED = 5000,
    MOST_COLUMNS_COMPARED = 20,
    MOST_ROWS_SCORED = 500, /* when columns are paired */
};

/* ---- samples ------------------------------------------------------------- */

static struct str sample_text(struct arena *arena, struct str s)
{
    struct str cut = utf8_first(s, MOST_SAMPLE_CHARACTERS);
    if (!s.ptr || cut.len == s.len)
        return s.ptr ? arena_str(arena, s) : s;
    return arena_printf(arena, "%.*s…", STR_ARG(cut));
}

struct eval_sample eval_sample_take(struct arena *arena,
                                    const struct eval_rows *rows,
                                    const struct str *names, size_t all_rows)
{
    size_t n_rows =
        rows->n_rows < MOST_SAMPLE_ROWS ? rows->n_rows : MOST_SAMPLE_ROWS;
    size_t n = rows->n_columns < MOST_SAMPLE_COLUMNS ? rows->n_columns
                                                     : MOST_SAMPLE_COLUMNS;
    struct eval_sample sample = {.names =
                                     arena_new_array(arena, struct str, n + 1),
                                 .rows = {.n_columns = n, .n_rows = n_rows},
                                 .all_rows = all_rows,
                                 .all_columns = rows->n_columns};
    sample.rows.cells = arena_new_array(arena, struct str, n_rows * n + 1);
    for (size_t c = 0; c < n; c++) {
        sample.names[c] = sample_text(arena, names[c]);
        for (size_t r = 0; r < n_rows; r++)
            sample.rows.cells[r * n + c] =
                sample_text(arena, rows->cells[r * rows->n_columns + c]);
    }
    return sample;
}

/* ---- pairs of columns ---------------------------------------------------- */

static int by_cell_order(const void *a, const void *b)
{
    return eval_cells_order(*(const struct str *)a, *(const struct str *)b);
}

/* The values of one column, sorted unless `ordered`. */
static struct str *column_values(struct arena *arena,
                                 const struct eval_rows *rows, size_t column,
                                 bool ordered)
{
    struct str *out = arena_new_array(arena, struct str, rows->n_rows + 1);
    for (size_t r = 0; r < rows->n_rows; r++)
        out[r] = rows->cells[r * rows->n_columns + column];
    if (!ordered)
        qsort(out, rows->n_rows, sizeof *out, by_cell_order);
    return out;
}

/* How many values two columns share. */
static size_t shared_values(const struct str *a, size_t n_a,
                            const struct str *b, size_t n_b, bool ordered)
{
    size_t shared = 0;
    n_a = n_a < MOST_ROWS_SCORED ? n_a : MOST_ROWS_SCORED;
    n_b = n_b < MOST_ROWS_SCORED ? n_b : MOST_ROWS_SCORED;
    for (size_t i = 0, k = 0; i < n_a && k < n_b;) {
        bool equal = eval_cells_equal(a[i], b[k], false);
        int order = equal || ordered ? 0 : eval_cells_order(a[i], b[k]);
        shared += equal;
        i += order <= 0;
        k += order >= 0;
    }
    return shared;
}

/* Gives each of gold's columns one of the result's: the free one that shares
 * the most values with it, and of several the one in the same position or the
 * first. */
static void pair_columns(struct arena *arena, const struct eval_rows *gold,
                         const struct eval_rows *found, bool ordered, size_t n,
                         size_t n_found, size_t *pair)
{
    bool taken[MOST_COLUMNS_COMPARED] = {false};
    struct str *values[MOST_COLUMNS_COMPARED];
    for (size_t c = 0; c < n_found; c++)
        values[c] = column_values(arena, found, c, ordered);
    for (size_t g = 0; g < n; g++) {
        struct str *wanted = column_values(arena, gold, g, ordered);
        size_t best = n_found, most = 0;
        for (size_t c = 0; c < n_found; c++) {
            if (taken[c])
                continue;
            size_t shared = shared_values(wanted, gold->n_rows, values[c],
                                          found->n_rows, ordered);
            if (best == n_found || shared > most ||
                (shared == most && c == g)) {
                best = c;
                most = shared;
            }
        }
        pair[g] = best;
        taken[best] = true;
    }
}

/* ---- rows ---------------------------------------------------------------- */

struct paired_row {
    const struct str *cells;
    size_t n;
};

static int by_paired_cells(const void *a, const void *b)
{
    const struct paired_row *x = a, *y = b;
    int order = 0;
    for (size_t i = 0; i < x->n && !order; i++)
        order = eval_cells_order(x->cells[i], y->cells[i]);
    return order;
}

static struct paired_row *paired_rows(struct arena *arena,
                                      const struct eval_rows *rows, size_t n,
                                      const size_t *pair, bool ordered)
{
    struct paired_row *out =
        arena_new_array(arena, struct paired_row, rows->n_rows + 1);
    for (size_t r = 0; r < rows->n_rows; r++) {
        struct str *cells = arena_new_array(arena, struct str, n + 1);
        for (size_t c = 0; c < n; c++)
            cells[c] = rows->cells[r * rows->n_columns + (pair ? pair[c] : c)];
        out[r] = (struct paired_row){cells, n};
    }
    if (!ordered)
        qsort(out, rows->n_rows, sizeof *out, by_paired_cells);
    return out;
}

static bool paired_rows_alike(const struct paired_row *a,
                              const struct paired_row *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (!eval_cells_equal(a->cells[i], b->cells[i], false))
            return false;
    return true;
}

static void put_row(struct buf *out, const struct paired_row *row)
{
    buf_char(out, '(');
    for (size_t i = 0; i < row->n && i < MOST_SAMPLE_COLUMNS; i++) {
        struct str cell = row->cells[i];
        struct str cut = utf8_first(cell, MOST_SAMPLE_CHARACTERS);
        buf_text(out, i ? ", " : "");
        buf_str(out, cell.ptr ? cut : STR("NULL"));
        buf_text(out, cut.len < cell.len ? "…" : "");
    }
    buf_text(out, row->n > MOST_SAMPLE_COLUMNS ? ", …)" : ")");
}

static void put_first_rows(struct buf *out, const struct paired_row *gold,
                           const struct paired_row *found)
{
    buf_text(out, out->len ? "; " : "");
    if (gold && found) {
        put_row(out, found);
        buf_text(out, " where ");
        put_row(out, gold);
        buf_text(out, " is expected");
    } else if (gold) {
        put_row(out, gold);
        buf_text(out, " is missing");
    } else if (found) {
        put_row(out, found);
        buf_text(out, " is not expected");
    }
}

/* ---- the difference ------------------------------------------------------ */

static void compare_rows(struct arena *arena, const struct eval_rows *gold,
                         const struct eval_rows *found, bool ordered,
                         struct buf *out)
{
    size_t pair[MOST_COLUMNS_COMPARED];
    size_t n = gold->n_columns < MOST_COLUMNS_COMPARED ? gold->n_columns
                                                       : MOST_COLUMNS_COMPARED;
    size_t n_found = found->n_columns < MOST_COLUMNS_COMPARED
                         ? found->n_columns
                         : MOST_COLUMNS_COMPARED;
    pair_columns(arena, gold, found, ordered, n, n_found, pair);
    struct paired_row *a = paired_rows(arena, gold, n, NULL, ordered);
    struct paired_row *b = paired_rows(arena, found, n, pair, ordered);
    size_t i = 0;
    while (i < gold->n_rows && i < found->n_rows &&
           paired_rows_alike(&a[i], &b[i]))
        i++;
    if (i < gold->n_rows || i < found->n_rows)
        put_first_rows(out, i < gold->n_rows ? &a[i] : NULL,
                       i < found->n_rows ? &b[i] : NULL);
}

static void put_count(struct buf *out, const char *noun, size_t found,
                      size_t wanted)
{
    buf_printf(out, "%s%zu %s%s where %zu %s expected", out->len ? "; " : "",
               found, noun, found == 1 ? "" : "s", wanted,
               wanted == 1 ? "is" : "are");
}

struct str eval_difference(struct arena *arena, const struct eval_rows *gold,
                           const struct eval_rows *found, bool ordered)
{
    struct buf out;
    buf_init(&out, arena);
    if (gold->n_rows != found->n_rows)
        put_count(&out, "row", found->n_rows, gold->n_rows);
    if (found->n_columns < gold->n_columns)
        put_count(&out, "column", found->n_columns, gold->n_columns);
    else if (gold->n_rows <= MOST_ROWS_COMPARED &&
             found->n_rows <= MOST_ROWS_COMPARED)
        compare_rows(arena, gold, found, ordered, &out);
    return buf_finish(&out);
}
