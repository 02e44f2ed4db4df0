/* rows.c - compares results.
 *
 * Columns are assigned first: a gold column may match any column with the same
 * values. Of all possible assignments, the first is used under which the rows
 * match too. */
#include "rows.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/banned.h"

enum {
    /* assignments that are tried, for wide results with equal columns */
    MOST_ASSIGNMENTS = 200,
    MOST_PAIRED = 3000, /* rows that are compared each with each */
    MOST_DIGITS = 60,
};

/* ---- cells --------------------------------------------------------------- */

/* Parses a decimal number without leading zeros; *decimals is the number of
 * digits after the point (-1: it has an exponent). */
static bool parse_number(struct str s, double *value, int *decimals)
{
    char text[MOST_DIGITS + 1], *end;
    size_t at = s.len && *s.ptr == '-';
    if (s.len == at || s.len > MOST_DIGITS)
        return false;
    if (s.ptr[at] < '0' || s.ptr[at] > '9' ||
        (s.ptr[at] == '0' && s.len > at + 1 && s.ptr[at + 1] >= '0' &&
         s.ptr[at + 1] <= '9'))
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = 0;
    *value = strtod(text, &end);
    const char *point = strchr(text, '.');
    *decimals = strpbrk(text, "eE") ? -1
                : point             ? (int)(text + s.len - point - 1)
                                    : 0;
    return !*end && !strpbrk(text, "xXpP") && isfinite(*value);
}

/* Whether two numbers are equal up to rounding: the one with fewer decimals, at
 * least two, is the other one rounded; or they first differ after the sixth
 * digit. */
static bool numbers_near(double a, double b, int decimals_a, int decimals_b)
{
    double apart = fabs(a - b), larger = fmax(fabs(a), fabs(b));
    int fewer = decimals_a < decimals_b ? decimals_a : decimals_b;
    if (a == b)
        return true;
    if (decimals_a == 0 && decimals_b == 0)
        return false;
    return apart <= 1e-6 * larger ||
           (fewer >= 2 && apart <= 0.5 * pow(10, -fewer) * (1 + 1e-6));
}

/* The seconds by which "Z", "+05:30" or "-03" is ahead of UTC. */
static bool parse_zone(const char *zone, int *ahead)
{
    int hours = 0, minutes = 0, used = 0;
    *ahead = 0;
    if (!*zone || !strcmp(zone, "Z"))
        return true;
    if (!strchr("+-", *zone) || sscanf(zone + 1, "%2d%n", &hours, &used) != 1)
        return false;
    const char *rest = zone + 1 + used;
    if (*rest == ':' && sscanf(rest, ":%2d%n", &minutes, &used) == 1)
        rest += used;
    *ahead = (hours * 60 + minutes) * (*zone == '-' ? -60 : 60);
    return !*rest;
}

/* Parses "2025-01-31", "2025-01-31 00:00:00+00" or "2025-01-31T00:00:00Z" as
 * seconds. Without a zone it is UTC. */
static bool parse_moment(struct str s, double *seconds)
{
    char text[MOST_DIGITS + 1], zone[8] = "";
    struct tm day = {0};
    double second = 0;
    int used = 0, ahead;
    if (s.len < 10 || s.len > MOST_DIGITS || s.ptr[4] != '-')
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &day.tm_year, &day.tm_mon, &day.tm_mday,
               &used) != 3 ||
        used != 10)
        return false;
    const char *rest = text + used;
    if (*rest && (strchr("T ", *rest) == NULL ||
                  sscanf(rest + 1, "%2d:%2d:%lf%7s", &day.tm_hour, &day.tm_min,
                         &second, zone) < 3))
        return false;
    if (!parse_zone(zone, &ahead))
        return false;
    day.tm_year -= 1900;
    day.tm_mon -= 1;
    *seconds = (double)timegm(&day) + second - ahead;
    return true;
}

static bool times_equal(struct str a, struct str b)
{
    double x, y;
    return parse_moment(a, &x) && parse_moment(b, &y) && x == y;
}

static bool truths_equal(struct str a, struct str b)
{
    bool a_true = str_is(a, "t") || str_is(a, "true");
    bool b_true = str_is(b, "t") || str_is(b, "true");
    bool a_false = str_is(a, "f") || str_is(a, "false");
    bool b_false = str_is(b, "f") || str_is(b, "false");
    return (a_true && b_true) || (a_false && b_false);
}

/* NaN and infinity, which JSON sends as null. */
static bool is_not_a_number(struct str s)
{
    return s.ptr && (str_is(s, "NaN") || str_is(s, "Infinity") ||
                     str_is(s, "-Infinity"));
}

bool eval_cells_equal(struct str a, struct str b, bool exact)
{
    double x, y;
    int decimals_x, decimals_y;
    if (!a.ptr || !b.ptr)
        return a.ptr == b.ptr ||
               (exact && (is_not_a_number(a) || is_not_a_number(b)));
    if (str_eq(a, b))
        return true;
    if (parse_number(a, &x, &decimals_x) && parse_number(b, &y, &decimals_y))
        return exact ? x == y && (decimals_x < 0 || decimals_y < 0 ||
                                  (a.len <= 17 && b.len <= 17))
                     : numbers_near(x, y, decimals_x, decimals_y);
    return times_equal(a, b) || truths_equal(a, b);
}

int eval_cells_order(struct str a, struct str b)
{
    double x, y;
    int decimals;
    if (!a.ptr || !b.ptr)
        return (a.ptr == NULL) - (b.ptr == NULL);
    bool number_a = parse_number(a, &x, &decimals);
    bool number_b = parse_number(b, &y, &decimals);
    if (number_a != number_b)
        return number_b - number_a;
    if (number_a)
        return (x > y) - (x < y);
    return str_cmp(a, b);
}

/* ---- columns ------------------------------------------------------------- */

struct compared_column {
    struct str *cells; /* in row order, or sorted */
};

static int by_order(const void *a, const void *b)
{
    return eval_cells_order(*(const struct str *)a, *(const struct str *)b);
}

static struct compared_column *
read_columns(struct arena *arena, const struct eval_rows *rows, bool ordered)
{
    struct compared_column *out =
        arena_new_array(arena, struct compared_column, rows->n_columns + 1);
    for (size_t c = 0; c < rows->n_columns; c++) {
        out[c].cells = arena_new_array(arena, struct str, rows->n_rows + 1);
        for (size_t r = 0; r < rows->n_rows; r++)
            out[c].cells[r] = rows->cells[r * rows->n_columns + c];
        if (!ordered)
            qsort(out[c].cells, rows->n_rows, sizeof *out[c].cells, by_order);
    }
    return out;
}

static bool columns_alike(const struct compared_column *a,
                          const struct compared_column *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!eval_cells_equal(a->cells[i], b->cells[i], false))
            return false;
    return true;
}

/* ---- rows ---------------------------------------------------------------- */

struct rows_comparison {
    struct arena *arena;
    const struct eval_rows *gold, *result;
    const struct compared_column *gold_columns, *columns;
    bool ordered;
    size_t *assigned; /* the result's column for each gold column */
    bool *taken;
    int tries;
};

/* The cells of one row in gold's column order. */
struct picked {
    const struct str *cells;
    size_t n;
};

static int by_cells(const void *a, const void *b)
{
    const struct picked *x = a, *y = b;
    int order = 0;
    for (size_t i = 0; i < x->n && !order; i++)
        order = eval_cells_order(x->cells[i], y->cells[i]);
    return order;
}

static bool picked_alike(const struct picked *a, const struct picked *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (!eval_cells_equal(a->cells[i], b->cells[i], false))
            return false;
    return true;
}

/* Whether each row has its own match on the other side. */
static bool bags_pair(struct arena *arena, const struct picked *a,
                      const struct picked *b, size_t n)
{
    bool *used = arena_new_array(arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < n && (used[k] || !picked_alike(&a[i], &b[k])))
            k++;
        if (k == n)
            return false;
        used[k] = true;
    }
    return true;
}

static struct picked *picked_cells(struct rows_comparison *x,
                                   const struct eval_rows *rows,
                                   const size_t *assigned)
{
    size_t n = x->gold->n_columns;
    struct picked *out =
        arena_new_array(x->arena, struct picked, rows->n_rows + 1);
    for (size_t r = 0; r < rows->n_rows; r++) {
        struct str *cells = arena_new_array(x->arena, struct str, n + 1);
        for (size_t c = 0; c < n; c++)
            cells[c] =
                rows->cells[r * rows->n_columns + (assigned ? assigned[c] : c)];
        out[r] = (struct picked){cells, n};
    }
    return out;
}

static bool rows_agree(struct rows_comparison *x)
{
    size_t n = x->gold->n_rows;
    if (x->ordered)
        return true; /* the columns match position by position */
    struct arena_mark mark = arena_mark(x->arena);
    struct picked *a = picked_cells(x, x->gold, NULL);
    struct picked *b = picked_cells(x, x->result, x->assigned);
    qsort(a, n, sizeof *a, by_cells);
    qsort(b, n, sizeof *b, by_cells);
    size_t i = 0;
    while (i < n && picked_alike(&a[i], &b[i]))
        i++;
    bool agree = i == n || (n <= MOST_PAIRED && bags_pair(x->arena, a, b, n));
    arena_reset(x->arena, mark);
    return agree;
}

static bool assign_from(struct rows_comparison *x, size_t column)
{
    if (column == x->gold->n_columns)
        return x->tries++ < MOST_ASSIGNMENTS && rows_agree(x);
    for (size_t c = 0; c < x->result->n_columns; c++) {
        if (x->taken[c] || !columns_alike(&x->gold_columns[column],
                                          &x->columns[c], x->gold->n_rows))
            continue;
        x->taken[c] = true;
        x->assigned[column] = c;
        if (assign_from(x, column + 1))
            return true;
        x->taken[c] = false;
        if (x->tries >= MOST_ASSIGNMENTS)
            return false;
    }
    return false;
}

bool eval_rows_alike(struct arena *arena, const struct eval_rows *gold,
                     const struct eval_rows *result, bool ordered)
{
    struct rows_comparison x = {
        .arena = arena, .gold = gold, .result = result, .ordered = ordered};
    if (gold->n_rows != result->n_rows)
        return false;
    if (gold->n_columns > result->n_columns)
        return false;
    x.gold_columns = read_columns(arena, gold, ordered);
    x.columns = read_columns(arena, result, ordered);
    x.assigned = arena_new_array(arena, size_t, gold->n_columns + 1);
    x.taken = arena_new_array(arena, bool, result->n_columns + 1);
    return assign_from(&x, 0);
}

/* ---- comparing ----------------------------------------------------------- */

static bool picked_same(const struct picked *a, const struct picked *b)
{
    for (size_t i = 0; i < a->n; i++)
        if (!eval_cells_equal(a->cells[i], b->cells[i], true))
            return false;
    return true;
}

static struct picked *sorted_cells(struct arena *arena,
                                   const struct eval_rows *rows)
{
    struct picked *out =
        arena_new_array(arena, struct picked, rows->n_rows + 1);
    for (size_t r = 0; r < rows->n_rows; r++)
        out[r] =
            (struct picked){rows->cells + r * rows->n_columns, rows->n_columns};
    qsort(out, rows->n_rows, sizeof *out, by_cells);
    return out;
}

static bool same_bag(struct arena *arena, const struct eval_rows *a,
                     const struct eval_rows *b)
{
    const struct picked *x = sorted_cells(arena, a),
                        *y = sorted_cells(arena, b);
    for (size_t i = 0; i < a->n_rows; i++)
        if (!picked_same(&x[i], &y[i]))
            return false;
    return true;
}

static bool row_same(const struct eval_rows *a, size_t i,
                     const struct eval_rows *b, size_t k)
{
    for (size_t c = 0; c < a->n_columns; c++)
        if (!eval_cells_equal(a->cells[i * a->n_columns + c],
                              b->cells[k * b->n_columns + c], true))
            return false;
    return true;
}

bool eval_rows_same(struct arena *arena, const struct eval_rows *gold,
                    const struct eval_rows *part, bool ordered)
{
    bool *used = arena_new_array(arena, bool, gold->n_rows + 1);
    if (gold->n_columns != part->n_columns || part->n_rows > gold->n_rows)
        return false;
    if (!ordered && gold->n_rows == part->n_rows)
        return same_bag(arena, gold, part);
    for (size_t i = 0; i < part->n_rows; i++) {
        size_t k = i; /* usually it is at the same position */
        bool here = !used[k] && row_same(part, i, gold, k);
        if (!here && ordered)
            return false;
        for (k = here ? k : 0; !here && k < gold->n_rows; k++) {
            here = !used[k] && row_same(part, i, gold, k);
            if (here)
                break;
        }
        if (!here)
            return false;
        used[k] = true;
    }
    return true;
}
