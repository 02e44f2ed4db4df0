/* graph_json.h - a model as JSON for drawing a graph: datasets and fields are
 * nodes; relationships, and the dataset of each field, are edges. */
#pragma once
#include "base/buf.h"
#include "ontology/model.h"
#include <stdbool.h>

/* Appends the graph, without fields unless `with_fields`:
 * {"nodes":[{"id","label","name","properties"}], "edges":[{"id","source",
 * "target","type","properties"}], "metrics":[{"name","description",
 * "synonyms"}]}. Labels are Dataset and Field, types RELATES_TO and HAS_FIELD.
 * Ids are d0, d0f3, r0 by index in the model: they are valid for one version
 * of it. May be called on any thread. */
void ontology_graph_json(const struct ontology *o, bool with_fields,
                         struct buf *out);
