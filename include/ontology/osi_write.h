/* osi_write.h - writes a model as OSI (YAML, version 0.2.0.dev0). Reading
 * the text gives the same model, unless it is longer than osi_read allows. */
#pragma once
#include "base/buf.h"
#include "ontology/model.h"

/* Sets the text of every dataset (`yaml`), in the arena, and appends the
 * text of the model to `out`. */
void osi_write(struct arena *arena, struct ontology *o, struct buf *out);

/* Appends a name as SQL needs it: in quotes if SQL would read it as another
 * name without them. */
void osi_write_name(struct buf *out, struct str name);
