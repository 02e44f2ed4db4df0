/* model_probe.h - a semantic model that a user wrote, read in a process of its own.
 *
 * The text is handed to `sextant probe-yaml` (no environment, few system calls,
 * limits of memory, time and output), and what that made of it is read as JSON: no
 * YAML library sees the text in this process. Whatever becomes of the other one is
 * an error of the text. */
#pragma once
#include "base/json.h"
#include "loop/process.h"
#include "loop/wait.h"
#include "ontology/model.h"

enum { PROBES_MOST = 4, PROBE_MS = 15000 };

struct model_probe {
    const char *program;  /* sextant */
    struct str text;      /* kept */
    bool as_yaml;         /* wants the text as block YAML: it came as JSON */
    struct arena *memory; /* of the model; without limit, outlives the flow */
    /* Out; until the flow ends, but for the model */
    bool busy;      /* PROBES_MOST read already; nothing was done */
    json_t *answer; /* what probe-yaml prints; without "model" for an error */
    struct ontology *model; /* NULL: there was an error */
    struct str yaml;
    /* private */
    struct process process;
    struct work work;
    int in, out;
    struct str problem;
};
struct next model_probe_begin(struct flow *f);

/* Findings of that severity as a JSON array; `field` names where the text came
 * from, for details of a refusal; NULL: no such member. */
void model_probe_findings(struct json_writer *w, const struct model_probe *p,
                          const char *severity, const char *field);
