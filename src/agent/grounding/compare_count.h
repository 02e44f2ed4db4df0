/* compare_count.h - what a statement of how many rows do something says, once it
 * is read; for compare_count.c and compare_count_change.c. */
#pragma once
#include "compare_clause.h"

enum amount {
    AMOUNT_ALL,
    AMOUNT_NONE,
    AMOUNT_EXACT,
    AMOUNT_SOME,
    AMOUNT_SHARE
};

enum deed {
    DEED_NONE,
    DEED_BOUND,
    DEED_CHANGE,
    DEED_SIGN,
    DEED_ZERO,  /* "have no orders" */
    DEED_HAS,   /* "have orders" */
    DEED_FLAG,  /* "are enabled", of a column of true and false */
    DEED_TEXT,  /* "are in Berlin" */
    DEED_KNOWN, /* "have been rated": the cell is not NULL */
};

struct count_claim {
    struct compare_clause clause;
    enum amount amount;
    double count;      /* of AMOUNT_EXACT */
    size_t from, noun; /* words: the amount, and what is counted */
    enum deed deed;
    bool up;       /* more than the bound, a rise, a profit */
    bool with;     /* the bound itself counts, too */
    size_t word;   /* of the deed */
    size_t last;   /* DEED_ZERO, DEED_HAS: after the name of the column */
    size_t tail;   /* likewise, after a noun that follows it */
    size_t except; /* of the subjects: "except Rome"; SIZE_MAX: none */
    const struct figure *bound;
    const struct figure *of; /* "five of the ten": ten; NULL: not said */
};

/* Whether `n` of `of` rows, which do it, are as many as the claim says. */
bool count_amount_holds(const struct count_claim *q, size_t n, size_t of);
/* "Two products grew", of columns for two times, or of one of changes; "in every
 * month", of rows. True: some column shows it; *looked: there is one. */
bool count_changes_in(const struct count_claim *q, const struct fact_table *t,
                      const struct scope_rows *rows, bool *looked);
/* "Every month from April to July": two periods of one year, or of years that
 * both have, or the last. */
bool count_is_of_range(const struct count_claim *q);
/* The rows of such a range; none: it has no length. */
struct scope_rows count_range_rows(const struct count_claim *q, size_t table);
