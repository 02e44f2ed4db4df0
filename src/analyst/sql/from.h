/* from.h - pieces of SQL that stand on fields and datasets; each query uses a
 * dataset at most once, under its own name. */
#pragma once
#include "base/buf.h"
#include "bind/query.h"

/* "public.orders AS orders" */
void put_relation(struct bound_query *query, size_t dataset, struct buf *out);
/* The root and, by LEFT JOIN, all that is needed; what lies between is marked
 * in `needed` too. */
void put_from(struct bound_query *query, size_t root, bool *needed,
              struct buf *out);
/* EXISTS over the dataset below the root that reaches `dataset`. */
struct str over_bridge(struct bound_query *query, size_t root, size_t dataset,
                       struct str condition);
/* EXISTS (a row of the condition's dataset, in its period). */
struct str over_dataset(struct bound_query *query, size_t root,
                        const struct condition *condition);

/* value.c */
struct str spot_sql(struct bound_query *query, struct spot spot);
/* LOWER(field) = 'value', with other names of a place. */
struct str value_is(struct bound_query *query, struct spot spot,
                    struct str value);
/* One of the values of a condition; text that holds one of them. */
struct str values_are(struct bound_query *query,
                      const struct condition *condition);
struct str values_are_like(struct bound_query *query,
                           const struct condition *condition);
struct str period_is(struct bound_query *query, const struct window *window,
                     struct spot spot);
/* The same period a year before, as far as the data goes in this one. */
struct str period_before(struct bound_query *query, const struct window *window,
                         struct spot spot);
