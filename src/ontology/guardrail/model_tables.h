/* model_tables.h - the tables and columns of a model, as shape_read looks them
 * up. */
#pragma once
#include "base/map.h"
#include "guard/shape.h"
#include "ontology/model.h"

struct model_table {
    struct shape_table shape; /* first: a shape's table is one of these */
    const size_t *datasets;   /* those over this table */
    size_t n_datasets;
};

struct model_tables {
    struct arena *arena;
    const struct ontology *o;
    struct map tables;          /* "schema.table" -> struct model_table */
    struct str_list unknown;    /* relations that the model does not have */
    struct shape_catalog shape; /* what shape_read takes */
};

/* Prepares the lookup; tables are made as they are asked for, in `arena`. */
void model_tables_init(struct model_tables *catalog, struct arena *arena,
                       const struct ontology *o);
/* The table of a source that is one. */
static inline const struct model_table *
model_table_of(const struct shape_source *source)
{
    return (const struct model_table *)source->table;
}
/* The first dataset over the table of a source. */
const struct dataset *model_table_dataset(const struct model_tables *catalog,
                                          const struct shape_source *source);
