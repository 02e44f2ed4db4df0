/* absent.h - what a model tells of and a database does not show.
 *
 * Tables are compared as SQL names them, columns without regard to ASCII case:
 * those of fields, keys and relationships, and those that expressions read. Of a
 * table that is not there the columns are not told; of a source that is a query
 * the tables alone are compared. */
#pragma once
#include "base/map.h"
#include "ontology/model.h"

/* `seen` has those of ontology_relations that are there, "schema.table" -> the
 * table's columns (struct str_list *). The answer is in the model's order:
 * "table public.orders", "column city of public.stores". */
struct str_list ontology_absent(struct arena *arena, const struct ontology *o,
                                const struct map *seen);
