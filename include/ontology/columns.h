/* columns.h - which columns and tables the model vouches for.
 *
 * A dataset's columns are its fields (by name and by the column they stand
 * for), its keys, and its columns in relationships. Names are compared without
 * regard to ASCII case. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

bool ontology_has_column(const struct ontology *o, size_t dataset,
                         struct str name);

/* All of them, each once, in the model's order. */
struct str_list ontology_columns(struct arena *arena, const struct ontology *o,
                                 size_t dataset);

/* Up to `most` columns of the dataset that `name` may have been meant as, the
 * nearest first; empty when none is near. */
struct str_list ontology_nearest_columns(struct arena *arena,
                                         const struct ontology *o,
                                         size_t dataset, struct str name,
                                         size_t most);

/* What guard_policy.relations takes: "schema.table" of every dataset, and what
 * sources that are queries read; each once. */
struct str_list ontology_relations(struct arena *arena,
                                   const struct ontology *o);

/* How SQL names the dataset's table, quoted: "public"."orders"; for a source
 * that is a query: (query). To stand behind FROM with an alias. */
struct str dataset_relation(struct arena *arena, const struct dataset *dataset);
