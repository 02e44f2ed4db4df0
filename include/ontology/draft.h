/* draft.h - makes a first model of a database from its catalog.
 *
 * Each table becomes a dataset, each column a field, and each link a
 * relationship unless it is only suggested. Columns that look like measures
 * get metrics: sums of amounts, means of prices and rates, price times
 * quantity, numbers of rows. Names are those of the database; where two are
 * equal, the schema comes first. */
#pragma once
#include "base/buf.h"
#include "ontology/catalog.h"

/* Returns the model, all of it in `arena`; datasets are in the order of the
 * tables. */
struct ontology *draft_ontology(struct arena *arena, const struct catalog *c,
                                struct str name);
