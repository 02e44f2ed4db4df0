/* compose.h - a bound question as SQL for PostgreSQL. */
#pragma once
#include "base/buf.h"
#include "bind/query.h"

enum query_form {
    FORM_ANSWER,
    FORM_PILOT, /* at most ten rows of it */
    FORM_TOTAL, /* the measures that add up, over the same rows, ungrouped */
    FORM_TIES   /* how many a top n leaves out that equal the last it shows */
};

enum { PILOT_ROWS = 10 };

struct str query_sql(struct bound_query *query, enum query_form form);
/* The names of its columns. */
struct str_list query_columns(const struct bound_query *query,
                              enum query_form form);
/* The name of the column that shows a measure. */
struct str query_output(const struct bound_query *query, size_t measure);
/* Some dimensions are ranked and others are not: a top n for each of these. */
bool query_is_parted(const struct bound_query *query);
/* There is something that FORM_TOTAL can check. */
bool query_has_total(const struct bound_query *query);

/* For each value whose field is not known: a row for each candidate that holds
 * it, "value", "field", "matches", in the order in which they are tried. Empty
 * when there is none. */
struct str query_lookup(struct bound_query *query);

/* Marks the datasets that a part joins. */
void part_needs(struct bound_query *query, size_t part, bool *needed);

/* predicate.c: everything behind WHERE for one part; empty when nothing. The
 * datasets it needs joined are marked in `needed`. */
struct str part_where(struct bound_query *query, size_t part, bool *needed);
/* The condition that parts the value asked about from all others. */
struct str part_side(struct bound_query *query, size_t part, bool *needed);

/* groups.c */
struct str groups_single(struct bound_query *query, enum query_form form);
struct str groups_several(struct bound_query *query, enum query_form form);
/* The name of a column as SQL writes it. */
struct str column_name(struct bound_query *query, struct str name);
/* The key columns by which a dimension tells its things apart. */
size_t dimension_keys(const struct bound_query *query,
                      const struct dimension *d);
struct str dimension_key(struct bound_query *query, const struct dimension *d,
                         size_t i);
