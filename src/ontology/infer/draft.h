/* draft.h - shared by draft.c and draft_metrics.c. */
#pragma once
#include "base/map.h"
#include "ontology/draft.h"
#include "../words.h"

/* Names of one kind without duplicates, regardless of case. */
struct draft_names {
    struct arena *arena;
    struct map seen;
};
/* Starts an empty set of names in `arena`. */
void draft_names_init(struct draft_names *names, struct arena *arena);
/* Adds and returns `name`, on one line and trimmed; with a number appended
 * if the name is taken. */
struct str draft_name(struct draft_names *names, struct str name);

/* Adds metrics for the columns that look like measures to `o`. */
void draft_metrics(struct arena *arena, const struct catalog *c,
                   struct ontology *o);
/* A name as words, in `arena`: ORDER_DETAILS gives "order details". */
struct str draft_words(struct arena *arena, struct str name);
