/* osi.h - reading a semantic model from text that anybody may have written.
 *
 * Takes OSI as YAML or JSON in all its forms: without a `version`, 0.1.1 and
 * 0.2.0.dev0 (https://github.com/apache/ossie), with `semantic_model` as a list
 * or as one mapping, with an `expression` that is a text, a list of dialects or
 * a mapping with `dialects`; and the flat form (`table:` in place of `source:`,
 * `type:` in place of `datatype:`, `primary_key: true` in a field), alone, as a
 * list, or under `datasets:`.
 *
 * The text is hostile until shown otherwise. It is at most OSI_MAX_BYTES of
 * UTF-8; libyaml must accept it as one document without anchors, aliases, tags
 * and merge keys, at most OSI_MAX_DEPTH deep and OSI_MAX_NODES large. libfyaml gets
 * only what libyaml understood, written out anew.
 *
 * Everything that is wrong is told at once, except that after an error of YAML
 * itself nothing more can be known. Unknown keys are warned about and kept in
 * the dataset's text. Pure: no I/O. It takes some milliseconds for a model of
 * ordinary size and a fraction of a second for the worst text allowed; the
 * arena also keeps what was needed on the way, some times the text. Models that
 * live long come from ontology_from_json. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "ontology/model.h"
#include <stdbool.h>
#include <stddef.h>

enum {
    OSI_MAX_BYTES = 256 * 1024,
    OSI_MAX_DEPTH = 32,
    OSI_MAX_KEY = 250, /* bytes; YAML readers give up on a key of 1024 */
    OSI_MAX_NODES = 60000,
    OSI_MAX_FINDINGS = 200, /* of each severity; more are only counted */
};

enum osi_severity { OSI_WARNING, OSI_ERROR };

struct osi_finding {
    enum osi_severity severity;
    int line, column; /* 1-based, in code points; 0: the text as a whole */
    struct str path;  /* "/semantic_model/0/datasets/2/name"; empty: the root */
    struct str message; /* one sentence for a person, without the place */
};

struct osi_report {
    struct osi_finding *findings; /* by line and column */
    size_t n_findings;
    size_t n_errors, n_warnings; /* also those beyond OSI_MAX_FINDINGS */
};

/* Reads `text` into *out and says in *report what was found. False, with *out
 * NULL, when there was an error; warnings alone do not hinder. Both live in
 * `arena` and keep nothing of `text`. No memory outside `arena` is held while
 * `arena` allocates, so its on_exhausted may leave for good. */
bool osi_read(struct arena *arena, struct str text, struct ontology **out,
              struct osi_report *report);

/* A text that osi_read takes, as block YAML: keys in their order, all of them.
 * What is YAML already loses its comments. False when it is no YAML. */
struct buf;
bool osi_to_yaml(struct arena *arena, struct str text, struct buf *out);

/* "error: 12:9 /semantic_model/0/name: …", a line for each finding. */
void osi_report_print(const struct osi_report *report, struct buf *out);
