/* model_tables.h - the model as a shape sees it: tables with their columns. */
#pragma once
#include "base/map.h"
#include "guard/shape.h"
#include "ontology/model.h"

struct model_table {
    struct shape_table shape; /* first: a shape's table is one of these */
    const size_t *datasets;   /* those that stand for it */
    size_t n_datasets;
};

struct model_tables {
    struct arena *arena;
    const struct ontology *o;
    struct map tables;          /* "schema.table" -> struct model_table */
    struct str_list unknown;    /* relations that are not the model's */
    struct shape_catalog shape; /* what shape_read takes */
};

void model_tables_init(struct model_tables *catalog, struct arena *arena,
                       const struct ontology *o);
static inline const struct model_table *
model_table_of(const struct shape_source *source)
{
    return (const struct model_table *)source->table;
}
/* The first of its datasets. */
const struct dataset *model_table_dataset(const struct model_tables *catalog,
                                          const struct shape_source *source);
