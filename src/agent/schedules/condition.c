/* condition.c - reads and judges the conditions of schedules. */
#include "agent/schedule_condition.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

static const char *const take_words[] = {"first", "last", "sum", "min", "max"};
static const char *const test_words[] = {"above", "below", "rises", "falls"};

static int word_index(const char *const *words, int n, struct str word)
{
    for (int i = 0; i < n; i++)
        if (str_is(word, words[i]))
            return i;
    return -1;
}

/* ---- read and write ------------------------------------------------------- */

bool condition_read(const json_t *v, struct schedule_condition *out,
                    const char **why)
{
    struct str unit = json_get_text(v, "unit");
    const json_t *amount = json_object_get(v, "amount");
    int take = json_object_get(v, "take")
                   ? word_index(take_words, 5, json_get_text(v, "take"))
                   : TAKE_FIRST;
    int test = word_index(test_words, 4, json_get_text(v, "test"));
    *out = (struct schedule_condition){.column = json_get_text(v, "column"),
                                       .amount = json_number_value(amount),
                                       .percent = str_is(unit, "percent")};
    *why = NULL;
    if (!out->column.len || out->column.len > CONDITION_COLUMN_MOST)
        *why = "must name the column with the number";
    else if (take < 0)
        *why = "must take the first, last, sum, min or max";
    else if (test < 0)
        *why = "must test above, below, rises or falls";
    else if (!json_is_number(amount) || !isfinite(out->amount))
        *why = "must have an amount";
    else if (unit.len && !out->percent && !str_is(unit, "absolute"))
        *why = "must have the unit percent or absolute";
    else if (test >= TEST_RISES && out->amount < 0)
        *why = "must have an amount that is not negative";
    else if (test < TEST_RISES && out->percent)
        *why = "can be in per cent only for rises and falls";
    if (*why)
        return false;
    out->take = (enum condition_take)take;
    out->test = (enum condition_test)test;
    return true;
}

struct str condition_write(struct arena *arena,
                           const struct schedule_condition *c)
{
    struct json_writer w;
    struct buf out;
    buf_init(&out, arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_str(&w, "column", c->column);
    json_field_text(&w, "take", take_words[c->take]);
    json_field_text(&w, "test", test_words[c->test]);
    json_field_real(&w, "amount", c->amount);
    json_field_text(&w, "unit", c->percent ? "percent" : "absolute");
    json_put_object_end(&w);
    return buf_finish(&out);
}

/* ---- the number ----------------------------------------------------------- */

static bool has_column(const json_t *result, struct str column)
{
    const json_t *name;
    size_t i;
    json_array_foreach(json_object_get(result, "columns"), i, name)
    {
        if (str_eq(json_text(name), column))
            return true;
    }
    return false;
}

/* A cell is a number, or its decimal text. */
static bool cell_number(const json_t *cell, double *out)
{
    struct str text = json_text(cell);
    char copy[64], *end;
    if (json_is_number(cell)) {
        *out = json_number_value(cell);
        return true;
    }
    if (!text.len || text.len >= sizeof copy)
        return false;
    str_copy(copy, sizeof copy, text);
    if (strspn(copy, "0123456789.eE+-") != text.len)
        return false;
    *out = strtod(copy, &end);
    return *end == '\0' && isfinite(*out);
}

/* A number that is one cell keeps all its digits. */
static struct str cell_text(struct arena *arena, const json_t *cell)
{
    return json_is_string(cell) ? arena_str(arena, json_text(cell))
                                : json_print(arena, cell);
}

static struct str number_text(struct arena *arena, double n)
{
    return arena_printf(arena, "%.15g", n);
}

static struct str take_number(struct arena *arena,
                              const struct schedule_condition *c,
                              const json_t *rows, const char **why)
{
    const json_t *row, *best = NULL;
    double at = 0, sum = 0, n;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const json_t *cell =
            json_object_getn(row, c->column.ptr, c->column.len);
        if (!cell || json_is_null(cell))
            continue;
        if (!cell_number(cell, &n)) {
            *why = "The column of the condition is not a number.";
            return STR("");
        }
        bool better = !best || c->take == TAKE_LAST ||
                      (c->take == TAKE_MIN && n < at) ||
                      (c->take == TAKE_MAX && n > at);
        if (better) {
            best = cell;
            at = n;
        }
        sum += n;
    }
    if (!best) {
        *why = "The column of the condition has no value.";
        return STR("");
    }
    return c->take == TAKE_SUM ? number_text(arena, sum)
                               : cell_text(arena, best);
}

/* Whether the rows that are in the message are all of the result. */
static bool is_whole(const json_t *result, const json_t *rows)
{
    int64_t count = json_get_int(result, "rowCount", 0);
    return !json_get_bool(result, "truncated", false) &&
           count == (int64_t)json_array_size(rows);
}

const json_t *condition_result(const json_t *results, struct str column)
{
    const json_t *result;
    size_t i;
    json_array_foreach(results, i, result)
    {
        if (!column.len || has_column(result, column))
            return result;
    }
    return NULL;
}

struct str condition_value(struct arena *arena,
                           const struct schedule_condition *c,
                           const json_t *result, const json_t *rows,
                           const char **why)
{
    *why = NULL;
    if (!result)
        *why = "The answer has no such column as the condition names.";
    else if (c->take != TAKE_FIRST && !is_whole(result, rows))
        *why = "The result has more rows than a condition can read; aggregate "
               "more.";
    return *why ? STR("") : take_number(arena, c, rows, why);
}

/* ---- the judgement -------------------------------------------------------- */

static double number_of(struct str text)
{
    char copy[64];
    str_copy(copy, sizeof copy, text);
    return strtod(copy, NULL);
}

/* Decimal fractions are not exact in binary: 0.27 is 10 % less than 0.3. */
static bool at_least(double a, double b)
{
    return a >= b - 1e-9 * fmax(1, fabs(b));
}

bool condition_holds(const struct schedule_condition *c, struct str value,
                     struct str previous)
{
    double now = number_of(value), before = number_of(previous);
    if (c->test == TEST_ABOVE)
        return now > c->amount;
    if (c->test == TEST_BELOW)
        return now < c->amount;
    double change = c->test == TEST_RISES ? now - before : before - now;
    if (!previous.len || change <= 0)
        return false;
    if (!c->percent)
        return at_least(change, c->amount);
    return before != 0 && at_least(100 * change / fabs(before), c->amount);
}

struct str condition_rows(struct arena *arena, const json_t *rows)
{
    struct buf out;
    buf_init(&out, arena);
    buf_char(&out, '[');
    for (size_t i = 0; i < json_array_size(rows) && i < CONDITION_ROWS_MOST;
         i++) {
        struct str row = json_print(arena, json_array_get(rows, i));
        if (out.len + row.len > CONDITION_ROWS_BYTES)
            break;
        if (i)
            buf_char(&out, ',');
        buf_str(&out, row);
    }
    buf_char(&out, ']');
    return buf_finish(&out);
}
