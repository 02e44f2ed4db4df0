/* compose.h - a bound question as SQL for PostgreSQL. */
#pragma once
#include "base/buf.h"
#include "query.h"

enum query_form {
    FORM_ANSWER,
    FORM_PILOT, /* at most ten rows of it */
    FORM_TOTAL  /* the measures that add up, over the same rows, ungrouped */
};

enum { PILOT_ROWS = 10 };

struct str query_sql(struct query *query, enum query_form form);
/* The names of its columns. */
struct str_list query_columns(const struct query *query, enum query_form form);
/* The name of the column that shows a measure. */
struct str query_output(const struct query *query, size_t measure);
/* There is something that FORM_TOTAL can check. */
bool query_has_total(const struct query *query);

/* For each value whose field is not known: a row for each candidate that holds
 * it, "value", "field", "matches", in the order in which they are tried. Empty
 * when there is none. */
struct str query_lookup(struct query *query);

/* Marks the datasets that a part joins. */
void part_needs(struct query *query, size_t part, bool *needed);

/* predicate.c: everything behind WHERE for one part; empty when nothing. The
 * datasets it needs joined are marked in `needed`. */
struct str part_where(struct query *query, size_t part, bool *needed);
/* "a" AS a LEFT JOIN …: the root and all that is needed. */
void put_from(struct query *query, size_t root, bool *needed, struct buf *out);
struct str spot_sql(struct query *query, struct spot spot);
/* LOWER(field) = 'value', other names of places included. */
struct str value_is(struct query *query, struct spot spot, struct str value);
