/* osi_write.h - a model as OSI text (YAML, version 0.2.0.dev0), as osi_read takes
 * it: reading what was written gives the same model, if the text is no longer
 * than osi_read allows. */
#pragma once
#include "base/buf.h"
#include "ontology/model.h"

/* Gives every dataset its own text (`yaml`), in the arena, and appends the whole
 * to `out`. */
void osi_write(struct arena *arena, struct ontology *o, struct buf *out);

/* Without texts of its own: a name as SQL needs it, in quotes if it would be read
 * as another one without. Appended. */
void osi_write_name(struct buf *out, struct str name);
