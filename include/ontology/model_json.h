/* model_json.h - converts a model to JSON and back.
 *
 * The server keeps a model in a jsonb column, so that no run ever parses YAML.
 * The JSON names datasets in relationships and metrics, leaves out what is
 * empty, and loses nothing: reading what was written gives the same model. */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include "ontology/model.h"

enum { ONTOLOGY_JSON_FORMAT = 1 }; /* its key "format" */

/* Appends the model as one JSON object. */
void ontology_to_json(const struct ontology *ontology, struct buf *out);

/* Returns the model, all of it in `arena`; `json` may be freed afterwards.
 * NULL if it is no model of ONTOLOGY_JSON_FORMAT; then *problem, unless
 * `problem` is NULL, says where and why. */
struct ontology *ontology_from_json(struct arena *arena, const json_t *json,
                                    struct str *problem);
