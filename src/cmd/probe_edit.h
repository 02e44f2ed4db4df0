/* probe_edit.h - the part of `sextant probe-yaml` that changes a text:
 * `probe-yaml --edit`. */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include "ontology/osi.h"

/* The most bytes of a request: two texts, each with all its bytes escaped. */
enum { PROBE_REQUEST_MOST = 4 * 1024 * 1024 };

/* Writes the members "errors", "warnings" and "findings". */
void probe_put_findings(struct json_writer *w, const struct osi_report *report);

/* Reads a request, {"text", "edits"?, "yaml"?}: the stored text, and edits of it
 * (ontology/osi_edit.h) or the text that replaces it. Appends the answer:
 * findings of the new text; unless it has errors also "model", "parts" (as the
 * API shows it), "yaml" (the new text), "rewritten" and "changes" (in words);
 * "problem" and "field" when an edit cannot be made. False if the request is not
 * JSON. */
bool probe_edit(struct arena *arena, struct str request, struct buf *out);
