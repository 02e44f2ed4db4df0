/* osi.h - reads a semantic model from untrusted text.
 *
 * Takes OSI as YAML or JSON in all its forms: without a `version`, 0.1.1 and
 * 0.2.0.dev0 (https://github.com/apache/ossie), with `semantic_model` as a list
 * or as one mapping, with an `expression` that is a text, a list of dialects or
 * a mapping with `dialects`; and the flat form (`table:` in place of `source:`,
 * `type:` in place of `datatype:`, `primary_key: true` in a field), alone, as a
 * list, or under `datasets:`.
 *
 * A dataset or a field with `hidden: true` is left out of the model, together
 * with the relationships and metrics that name it.
 *
 * The text may be hostile. It is at most OSI_MAX_BYTES of UTF-8, and libyaml
 * must accept it as one document without anchors, aliases, tags and merge keys,
 * at most OSI_MAX_DEPTH deep and OSI_MAX_NODES large. libfyaml parses only what
 * libyaml understood, written again in a plain form.
 *
 * All findings are reported at once; only after an error of YAML itself
 * nothing else can be checked. Unknown keys give a warning and stay in the
 * dataset's text. Pure: no I/O. Reading takes some milliseconds for an
 * ordinary model, and a fraction of a second for the worst text allowed. The
 * arena also keeps intermediate data of several times the text, so a model
 * with a long life should be made by ontology_from_json. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "ontology/model.h"
#include <stdbool.h>
#include <stddef.h>

enum {
    OSI_MAX_BYTES = 256 * 1024,
    OSI_MAX_DEPTH = 32,
    OSI_MAX_KEY = 250, /* bytes; YAML readers fail on a key of 1024 */
    OSI_MAX_NODES = 60000,
    OSI_MAX_FINDINGS = 200, /* of each severity; others are only counted */
};

enum osi_severity { OSI_WARNING, OSI_ERROR };

struct osi_finding {
    enum osi_severity severity;
    int line, column; /* 1-based, in code points; 0: the text as a whole */
    struct str path;  /* "/semantic_model/0/datasets/2/name"; empty: the root */
    struct str message; /* one sentence for people, without line and path */
};

struct osi_report {
    struct osi_finding *findings; /* by line and column */
    size_t n_findings;
    size_t n_errors, n_warnings; /* also those beyond OSI_MAX_FINDINGS */
};

/* Reads `text` into *out and puts the findings into *report. False, with
 * *out NULL, if there is an error; warnings alone are fine. Both live in
 * `arena` and do not refer to `text`. No memory outside `arena` is held
 * while it allocates, so its on_exhausted may jump away. */
bool osi_read(struct arena *arena, struct str text, struct ontology **out,
              struct osi_report *report);

/* The same; *all also has what the text hides. The two are the same model when
 * it hides nothing. */
bool osi_read_all(struct arena *arena, struct str text, struct ontology **all,
                  struct ontology **out, struct osi_report *report);

/* Appends a text that osi_read accepts as block YAML, with all keys in their
 * order; comments are lost. False if it is not YAML. */
struct buf;
bool osi_to_yaml(struct arena *arena, struct str text, struct buf *out);

/* Appends one line for each finding: "error: 12:9 /semantic_model/0/name:
 * …". */
void osi_report_print(const struct osi_report *report, struct buf *out);
