/* perhaps.h - columns over which two datasets can perhaps be joined although
 * the model does not relate them. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

struct perhaps_join {
    size_t from, to; /* datasets */
    struct str from_column, to_column;
};

/* The best pair of columns of two datasets, by their names and datatypes: a
 * column named after the other dataset and its key ("customer_id"), an equal
 * name that is a key of one side or that identifies something, a column that
 * refers without saying to what ("requester_id"), or an equal name that says the
 * same of both ("city", "day"). Names that many tables have without meaning the
 * same ("id", "name", "status", "created_at") are left out. False: there is
 * none. Takes time linear in the number of fields,
 * and for columns that refer also in that of the datasets. */
bool ontology_perhaps_join(struct arena *arena, const struct ontology *o,
                           size_t a, size_t b, struct perhaps_join *out);
