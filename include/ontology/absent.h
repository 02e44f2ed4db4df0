/* absent.h - tables and columns of a model that a database does not have.
 *
 * Tables are compared as SQL names them, columns regardless of ASCII case:
 * those of fields, keys and relationships, and those that expressions use.
 * The columns of a missing table are not listed. Of a source that is a query
 * only the tables are compared. */
#pragma once
#include "base/map.h"
#include "ontology/model.h"

/* `seen` has those of ontology_relations that exist in the database:
 * "schema.table" -> the table's columns (struct str_list *). Returns what is
 * missing, in `arena` and in the model's order: "table public.orders",
 * "column city of public.stores". */
struct str_list ontology_absent(struct arena *arena, const struct ontology *o,
                                const struct map *seen);
