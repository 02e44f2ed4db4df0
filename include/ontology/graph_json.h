/* graph_json.h - a model as a graph that is drawn: datasets and fields are nodes,
 * relationships and the fields' belonging are edges. */
#pragma once
#include "base/buf.h"
#include "ontology/model.h"
#include <stdbool.h>

/* {"nodes":[{"id","label","name","properties"}], "edges":[{"id","source",
 * "target","type","properties"}]}. Labels are Dataset and Field, types RELATES_TO
 * and HAS_FIELD. Ids are d0, d0f3, r0 by place in the model: they hold for one
 * version of it. Pure; any thread. */
void ontology_graph_json(const struct ontology *o, bool with_fields,
                         struct buf *out);
