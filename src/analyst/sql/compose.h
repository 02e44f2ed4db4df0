/* compose.h - a bound query as SQL for PostgreSQL. What cannot be written sets
 * query->problem. */
#pragma once
#include "artifact/artifact.h"
#include "base/buf.h"
#include "bind/query.h"

enum query_form {
    FORM_ANSWER,
    FORM_PILOT,  /* at most ten rows of it */
    FORM_TOTAL,  /* the measures that add up, over the same rows, ungrouped */
    FORM_KEYS,   /* the joined rows, and how many different ones they are */
    FORM_TIES,   /* how many a top n leaves out that equal the last it shows */
    FORM_ABSENT, /* how many values of query_absent have no row to count */
    FORM_OVER    /* the average over all of query_over, and how many they are */
};

enum { PILOT_ROWS = 10 };

/* The query in that form. */
struct str query_sql(struct bound_query *query, enum query_form form);
/* The names of its columns. */
struct str_list query_columns(const struct bound_query *query,
                              enum query_form form);
/* The name of the column that shows a measure. */
struct str query_output(const struct bound_query *query, size_t measure);
/* A top n within each group of the dimensions that are not ranked. */
bool query_is_parted(const struct bound_query *query);
/* FORM_TOTAL has a measure to compute. */
bool query_has_total(const struct bound_query *query);

/* For each value whose field is not known: a row for each candidate that holds
 * it, "value", "field", "matches", in the order in which they are tried. Empty
 * when there is none. */
struct str query_lookup(struct bound_query *query);

/* period_sql.c: a query for the periods whose ends only the data know: those
 * counted from today, and open ones; and for the closed one of a single figure,
 * which may be before or after the data. A row for each, "place", "period" (its
 * words), "field", "first_day", "last_day", "data_begin", "data_end" (the latest
 * date; up to today, unless the period is closed), "moved" (it is the data's last
 * complete period). Empty: none. */
struct str query_periods(struct bound_query *query);
/* Its spec: that query, and its columns, as the query of step `id`. */
struct query_spec periods_spec(struct bound_query *query, int64_t id);
/* It is one range of days with a beginning and an end. */
bool window_is_closed(const struct window *window);
/* The days of a window that counts from today, by the calendar. */
struct period window_calendar(const struct bound_query *query,
                              const struct window *window);
/* Data that end before this day have no such period: their last complete one
 * takes its place. */
int64_t window_limit(const struct bound_query *query,
                     const struct window *window);

/* Marks the datasets that a part joins. */
void part_needs(struct bound_query *query, size_t part, bool *needed);

/* predicate.c: the WHERE condition of one part; empty: none. Marks the datasets
 * that it needs joined in `needed`, and in `matched` (or NULL) those of which it
 * holds for no missing row. */
struct str part_where(struct bound_query *query, size_t part, bool *needed,
                      bool *matched);
/* The condition that separates the value asked about from all others. */
struct str part_side(struct bound_query *query, size_t part, bool *needed);

/* FORM_KEYS can be computed: one part, whose rows have a key. */
bool query_has_keys(const struct bound_query *query);

/* groups.c: the grouped query of one part, and of several. */
struct str groups_keys(struct bound_query *query);
struct str groups_over(struct bound_query *query);
struct str groups_single(struct bound_query *query, enum query_form form);
struct str groups_several(struct bound_query *query, enum query_form form);
/* The name of a column as SQL writes it. */
struct str column_name(struct bound_query *query, struct str name);
/* How many key columns group a dimension besides its label, and the i-th. */
size_t dimension_keys(const struct bound_query *query,
                      const struct dimension *d);
struct str dimension_key(struct bound_query *query, const struct dimension *d,
                         size_t i);
/* The name of that column, where the query shows it to the layers around it. */
struct str dimension_key_name(struct bound_query *query, size_t dimension,
                              size_t key);
