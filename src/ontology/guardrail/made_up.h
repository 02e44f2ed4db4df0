/* made_up.h - evaluates formulas over rows of made-up values, the same ones for
 * all formulas: those that are equal give equal results however they are
 * written.
 *
 * The values depend on names and constants only, so that a verdict is the same
 * each time. A column that is compared with constants takes these, and values
 * on both sides of them; one that may be NULL is so in some rows. */
#pragma once
#include "rule.h"

enum { MADE_UP_SETS = 2, MADE_UP_COLUMNS = 24 };

struct made_column;

struct made_up {
    struct guardrail_check *check;
    struct made_column *columns; /* that the formulas take */
    size_t n_columns;
    const struct shape_value *filters[MADE_UP_COLUMNS]; /* of rows */
    size_t n_filters;
    bool no_nulls;
    bool unsure; /* a filter on a column that is taken cannot be evaluated */
};

/* A formula and what was met in it. */
struct made_formula {
    const struct shape_value *value;
    bool defined;     /* of the model; columns of conditions that no definition
                         takes are filters elsewhere, and hold */
    bool conditional; /* it has a CASE, a FILTER or a condition as a value */
    bool restricted;  /* such a filter was met */
    bool failed;      /* it cannot be evaluated */
};

void made_up_init(struct made_up *m, struct guardrail_check *j);
/* Takes the columns and constants of a formula. All formulas are taken before
 * the first filter and the first result. */
void made_up_take(struct made_up *m, struct made_formula *f);
/* The rows of this SELECT: keys of its grain do not repeat, its conditions hold. */
void made_up_rows(struct made_up *m, struct shape_select *s);
/* The result over one of MADE_UP_SETS sets of rows; NAN: NULL. */
double made_up_result(struct made_up *m, struct made_formula *f, size_t set);
