/* query_parts.h - takes a plain SELECT apart, so that what it says can be
 * checked over the rows that it summarizes.
 *
 *   rows     its WITH, FROM and WHERE as text: a select over them sees the rows
 *            before they were grouped
 *   group    the expression of the first group; empty: none
 *   measure  what is averaged or summed; empty: rows are only counted
 *
 * A query that is more than that (a set operation, a window, a FILTER) has
 * parts that are not known; then only its result can be checked. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "query_tokens.h"
#include <stdbool.h>
#include <stddef.h>

enum query_measure {
    MEASURE_NONE,
    MEASURE_ROWS,        /* count */
    MEASURE_VALUE,       /* avg, sum, median … of `measure` */
    MEASURE_CORRELATION, /* of `measure` and `other` */
};

struct query_parts {
    struct str with; /* "with a as (…)", or empty */
    struct str rows; /* "from … where …" */
    struct str group, measure, other;
    enum query_measure kind;
    bool one_table; /* FROM is nothing but the table of that name */
};

/* Takes the tokens of one SELECT apart. False: it is no plain SELECT. `table`
 * is the table that counts for one_table. */
bool query_parts_read(struct arena *arena, const struct query_tokens *tokens,
                      struct str table, struct query_parts *parts);
