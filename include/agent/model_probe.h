/* model_probe.h - reads a semantic model that a user wrote, in its own process.
 *
 * `sextant probe-yaml` gets the text. It has no environment, few system calls,
 * and limits of memory, time and output. Its answer is JSON, so no YAML library
 * reads the text in this process. If the other process crashes, that is an
 * error of the text. */
#pragma once
#include "base/json.h"
#include "loop/process.h"
#include "loop/wait.h"
#include "ontology/model.h"

enum { PROBES_MOST = 4, PROBE_MS = 15000 };

struct model_probe {
    const char *program; /* path of sextant */
    struct str text;     /* not copied */
    bool as_yaml;        /* returns the text as YAML: it came as JSON */
    bool questions;      /* it is a set of questions, and not a model */
    bool edit; /* it is a request to change a text, as JSON: {"text", "edits"?,
                  "yaml"?}; src/cmd/probe_edit.h */
    struct arena *memory; /* of the model; without limit, outlives the flow */
    /* Out; valid until the flow ends, except for the model */
    bool busy;      /* PROBES_MOST are running; nothing was done */
    json_t *answer; /* of probe-yaml; without "model" when there is an error */
    struct ontology *model; /* NULL: there was an error */
    struct str yaml;
    /* private */
    struct process process;
    struct work work;
    int in, out;
    struct str problem;
};
/* A subflow; locals are the probe. */
struct next model_probe_begin(struct flow *f);

/* Writes the findings of that severity as a JSON array. `field` names the field
 * of the request that has the text; NULL: findings have no such member. */
void model_probe_findings(struct json_writer *w, const struct model_probe *p,
                          const char *severity, const char *field);
