/* golden_yaml.h - reads the golden queries of a set (golden.h) from its YAML. */
#pragma once
#include "set_reading.h"
#include <yaml.h>

/* The text of a scalar; empty for any other node. */
struct str yaml_node_text(const yaml_node_t *node);
/* Whether a member of the set says that it has golden queries. */
bool golden_set_has(struct str member);
/* Reads a question: its members that other sets have, too, and its own into
 * q->golden; without an id it gets that of its `number`. `document` has no
 * aliases. What is wrong is appended to `problems`. */
void golden_read(struct arena *arena, yaml_document_t *document,
                 const yaml_node_t *node, struct eval_question *q,
                 size_t number, struct buf *problems);
