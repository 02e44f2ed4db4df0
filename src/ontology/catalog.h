/* catalog.h - the model as a shape sees it: tables with their columns. */
#pragma once
#include "base/map.h"
#include "guard/shape.h"
#include "ontology/model.h"

struct catalog_table {
    struct shape_table shape; /* first: a shape's table is one of these */
    const size_t *datasets;   /* those that stand for it */
    size_t n_datasets;
};

struct catalog {
    struct arena *arena;
    const struct ontology *o;
    struct map tables;           /* "schema.table" -> struct catalog_table */
    struct str_list unknown;     /* relations that are not the model's */
    struct shape_catalog shape;  /* what shape_read takes */
};

void catalog_init(struct catalog *catalog, struct arena *arena,
                  const struct ontology *o);
static inline const struct catalog_table *
catalog_table_of(const struct shape_source *source)
{
    return (const struct catalog_table *)source->table;
}
/* The first of its datasets. */
const struct dataset *catalog_dataset(const struct catalog *catalog,
                                      const struct shape_source *source);
