/* schedule_condition.h - the condition of a schedule: a number of the result,
 * compared with a number or with that of the run before. Pure.
 *
 *   {"column":"revenue","take":"first","test":"falls","amount":10,
 *    "unit":"percent"}
 *
 *   take   which number of the column: first, last, sum, min, max of the rows
 *   test   above, below: than `amount`; rises, falls: by at least `amount` since
 *          the run before, absolute or in per cent */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

enum condition_take { TAKE_FIRST, TAKE_LAST, TAKE_SUM, TAKE_MIN, TAKE_MAX };
enum condition_test { TEST_ABOVE, TEST_BELOW, TEST_RISES, TEST_FALLS };

enum { CONDITION_COLUMN_MOST = 255 };

struct schedule_condition {
    struct str column; /* lives as long as the JSON value */
    enum condition_take take;
    enum condition_test test;
    double amount;
    bool percent;
};

/* Reads a condition. False: *why says what is wrong with it ("must …"). */
MUST_CHECK bool condition_read(const json_t *v, struct schedule_condition *out,
                               const char **why);
/* The condition as JSON text, in the arena. */
struct str condition_write(struct arena *arena,
                           const struct schedule_condition *c);

/* The result of the first step that has the column; with an empty name, that of
 * the first step. `results`: sqlResult of each step, as in metadata. NULL: there
 * is none. */
const json_t *condition_result(const json_t *results, struct str column);

/* Takes the number from a result and its rows (its `data`, parsed). Answers its
 * text in the arena, or an empty one; *why then says why there is no number, as a
 * sentence. */
struct str condition_value(struct arena *arena,
                           const struct schedule_condition *c,
                           const json_t *result, const json_t *rows,
                           const char **why);

/* Whether it holds for these decimal numbers. `previous` is empty when there was
 * no run before: what compares with it does not hold then. */
bool condition_holds(const struct schedule_condition *c, struct str value,
                     struct str previous);

/* The first rows as JSON text in the arena: for webhooks. */
enum { CONDITION_ROWS_MOST = 20, CONDITION_ROWS_BYTES = 64 * 1024 };
struct str condition_rows(struct arena *arena, const json_t *rows);
