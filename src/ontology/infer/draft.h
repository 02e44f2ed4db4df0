/* draft.h - the parts of draft.c. */
#pragma once
#include "base/map.h"
#include "ontology/draft.h"
#include "../words.h"

/* Names of one kind, each told once, whatever its case. */
struct draft_names {
    struct arena *arena;
    struct map seen;
};
void draft_names_init(struct draft_names *names, struct arena *arena);
/* `name`, or with a number behind it. On one line and without blanks around. */
struct str draft_name(struct draft_names *names, struct str name);

void draft_metrics(struct arena *arena, const struct catalog *c,
                   struct ontology *o);
/* "order details" of ORDER_DETAILS */
struct str draft_words(struct arena *arena, struct str name);
