/* model_parts.h - a model as those who edit it see it, as JSON: the schema
 * ModelParts of the API. Pure. */
#pragma once
#include "base/buf.h"
#include "ontology/model.h"

/* Appends the object; `all` is what osi_read_all gives, with hidden parts. */
void model_parts_json(const struct ontology *all, struct buf *out);
