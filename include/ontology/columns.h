/* columns.h - the columns and tables that a model knows.
 *
 * The columns of a dataset are its fields (by name and by column), its keys,
 * and its columns in relationships. Names are compared regardless of ASCII
 * case. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

/* The dataset has a column of that name. */
bool ontology_has_column(const struct ontology *o, size_t dataset,
                         struct str name);

/* All columns of a dataset without duplicates, in the model's order; the
 * list is in `arena`. */
struct str_list ontology_columns(struct arena *arena, const struct ontology *o,
                                 size_t dataset);

/* The columns of a dataset that its visible fields, keys and relationships need:
 * what queries may read where the model hides the others. In `arena`. */
struct str_list ontology_shown_columns(struct arena *arena,
                                       const struct ontology *o,
                                       size_t dataset);

/* The columns of the dataset that an expression names, in `arena`. False, and
 * no columns, if the guard refuses the expression. */
bool expression_columns(struct arena *arena, const struct dataset *d,
                        struct str expression, struct str_list *out);

/* Up to `most` columns of the dataset with a name like `name`, the most similar
 * first; empty if none is similar. */
struct str_list ontology_nearest_columns(struct arena *arena,
                                         const struct ontology *o,
                                         size_t dataset, struct str name,
                                         size_t most);

/* The tables that a query may read, for guard_policy.relations:
 * "schema.table" of every dataset and those that sources that are queries
 * read, without duplicates. In `arena`. */
struct str_list ontology_relations(struct arena *arena,
                                   const struct ontology *o);

/* The schema of tables that a query names without one: "main" when all tables
 * of the model are there, as those of files are (DuckDB), else "public". */
struct str ontology_search_schema(const struct ontology *o);

/* The dataset as FROM needs it, before an alias: "public"."orders", quoted, or
 * (query) if its source is a query or the model hides columns of it. In
 * `arena`. */
struct str dataset_relation(struct arena *arena, const struct dataset *dataset);
