/* golden.h - golden queries: questions, queries or code over a dataset, and what
 * their result must have. The other sets of questions have a query each, whose
 * result is the right one (set.h); here the set itself says what is right.
 *
 *   name: sales
 *   dataset: Sales             # of an upload, or an ontology; its name or id
 *   agent: csv                 # or scientist; csv if there is none
 *   questions:
 *     - question: How many orders are there for each city?
 *       columns: [city, n]     # the result has these, perhaps others, too
 *     - sql: select sum(amount) as total from orders
 *       value: 1234.5          # of the only row
 *       tolerance: 0.01
 *     - plan: {table: orders, select: [{column: city}]}
 *       min_rows: 10
 *     - python_code: result_df = orders.head(1)
 *       rows: [[Rome, 3]]      # all of them; or [{city: Rome, n: 3}]
 *     - sql: drop table orders
 *       status: rejected */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include "rows.h"
#include <stdint.h>

enum {
    GOLDEN_COLUMNS_MOST = 200,
    GOLDEN_ROWS_MOST = 1000,
};

/* What the result of one of them must be. */
struct golden {
    struct str message; /* what is asked: the question, or "SQL: …" */
    struct str status;  /* succeeded unless it says another */
    struct str *columns;
    size_t n_columns;
    int64_t row_count, min_rows; /* -1: it does not say */
    bool has_value, has_rows;
    struct str value; /* ptr NULL: NULL */
    struct eval_rows rows;
    struct str *names; /* of the columns of `rows`; NULL: by position */
    double tolerance;  /* of numbers; below 0: as other sets compare */
};

/* The result of a run, from its capsule. */
struct golden_result {
    struct str status;     /* succeeded, rejected, failed */
    struct str error;      /* {type, message} as JSON; empty: none */
    const json_t *columns; /* of strings */
    const json_t *rows;    /* of arrays */
    int64_t row_count;
};

/* The cells of the result. Texts are slices of it, or in the arena. */
struct eval_rows golden_cells(struct arena *arena,
                              const struct golden_result *result);
/* What is wrong with it, a sentence in the arena; empty: it is as it must be. */
struct str golden_judge(struct arena *arena, const struct golden *g,
                        const struct golden_result *result, bool ordered);
