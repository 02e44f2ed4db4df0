/* draft.h - a first model of a database, made of its catalog alone.
 *
 * A dataset for each table, a field for each column, a relationship for each link
 * that is not only offered, and metrics for columns that look like measures: sums
 * of amounts, means of prices and rates, price times quantity, numbers of rows.
 * Names are the database's own; where two are alike, the schema goes before. */
#pragma once
#include "base/buf.h"
#include "ontology/catalog.h"

/* All in `arena`; datasets stand in the order of the tables. */
struct ontology *draft_ontology(struct arena *arena, const struct catalog *c,
                                struct str name);
