/* from.h - SQL of datasets, joins and conditions on fields. A query reads each
 * dataset at most once, with the dataset's name as its alias. */
#pragma once
#include "base/buf.h"
#include "bind/query.h"

/* "public.orders AS orders" */
void put_relation(struct bound_query *query, size_t dataset, struct buf *out);
/* The root, and every dataset in `needed`: by JOIN those in `matched` (NULL:
 * none), of which a condition wants a row, the others by LEFT JOIN. Marks those
 * on the way to them, too. */
void put_from(struct bound_query *query, size_t root, bool *needed,
              bool *matched, struct buf *out);
/* EXISTS over the dataset below that reaches both the root and `dataset`. */
struct str over_bridge(struct bound_query *query, size_t root, size_t dataset,
                       struct str condition);
/* EXISTS (a row of the condition's dataset, in its period). */
struct str over_dataset(struct bound_query *query, size_t root,
                        const struct condition *condition);

/* value.c: a field as SQL. */
struct str field_ref_sql(struct bound_query *query, struct field_ref ref);
/* The first and the last name with a space between them. */
struct str full_name_sql(struct bound_query *query, struct field_ref ref);
/* LOWER(field) = 'value', or one of the other names of a place; a full name that has
 * no accents in the question may have them in the data. */
struct str value_is(struct bound_query *query, struct field_ref ref,
                    struct str value);
/* The field is one of the condition's values; contains one of them. */
struct str values_are(struct bound_query *query,
                      const struct condition *condition);
struct str values_are_like(struct bound_query *query,
                           const struct condition *condition);
/* period_sql.c: the field lies in the window. */
struct str period_is(struct bound_query *query, const struct window *window,
                     struct field_ref ref);
/* The day of the week, 1 for Monday. */
struct str weekday_sql(struct bound_query *query, struct str when);
/* The same period a year before, up to the day on which the data end. */
struct str period_before(struct bound_query *query, const struct window *window,
                         struct field_ref ref);
