/* kind.h - the seam between the machinery of runs and the agents.
 *
 * Every agent is a kind of run: a claimed run with its lease, journal, budget
 * and one end (agent/run.h). A kind says what the run does in between. To add
 * one:
 *
 *   1. its lines in include/artifact/agents.def: its name and its phases
 *   2. a folder src/agent/<name> with a file that defines <name>_kind
 *   3. that file in src/agent/meson.build
 *
 * test/echo adds one in this way. */
#pragma once
#include "artifact/artifact.h"
#include "loop/flow.h"

struct run;
struct run_artifact;
struct run_artifacts;
struct react_variant;

/* An artifact of a kind: a pointer in struct run or in the kind's state. */
struct kind_artifact {
    const char *name; /* of its record; NULL ends the list */
    enum phase phase; /* that records it; PHASE_DONE: none does */
    const struct artifact_type *type;
    const char *key; /* in the metadata; NULL: it is not there */
    bool of_run;     /* else of the state */
    size_t at;       /* offset of the pointer */
};
/* The entries of a list. `of` is the struct that has the pointer `field`. */
#define RUN_ARTIFACT(field, phase, type, key) \
    {#field, phase, &type##_type, key, true, offsetof(struct run, field)}
#define STATE_ARTIFACT(of, field, phase, type, key) \
    {#field, phase, &type##_type, key, false, offsetof(struct of, field)}

struct agent_kind {
    /* A subflow that does the work, from run->phase on; PHASE_DONE when a
     * process takes over a run that has only to be ended. Leaves run->output or
     * run->questions. Its locals are the run. */
    step_fn *begin;
    const char *begin_name; /* for traces */
    /* Of a kind that lets a model call tools until it answers, and whose state
     * begins with a react_state (src/agent/react/react.h). */
    const struct react_variant *variant;
    size_t state_size; /* of run->state; 0: it has none */
    /* Recorded by kind_record, restored by a takeover, and in the metadata. */
    const struct kind_artifact *artifacts;
    /* Events and tool calls name their phase, as those of the pipeline do. */
    bool names_phases;
    enum phase data_phase; /* whose tool results a digest quotes, if they do */
    int max_revisions;     /* 0: it never goes back */

    /* ---- a kind whose runs answer no message (run_has_message) ---- */
    /* A subflow that reads what the run needs; NULL: what the chat says is
     * read. Its locals are the run. Fails as queries do. Such a kind leaves no
     * output; its `begin` stores what it makes and sets run->end.finished. */
    step_fn *load;
    const char *load_name;
    size_t work_memory; /* of the flow that works */

    /* ---- takeover ---- */
    /* Restores a record that is none of `artifacts`, or ignores it. False: it
     * is damaged. NULL: there are none. */
    bool (*restore)(struct flow *f, struct run *r,
                    const struct run_artifacts *stored,
                    const struct run_artifact *record);
    /* Sets run->phase from what was restored. False: the record is damaged.
     * NULL: the work begins again unless there is an output. */
    bool (*resume)(struct flow *f, struct run *r,
                   const struct run_artifacts *stored);

    /* ---- what an answer says of itself; each may be NULL ---- */
    /* What later questions of the chat may know, see DIGEST_BORDER. */
    struct str (*digest)(struct run *r);
    /* Names of the datasets used, in the run's arena; returns how many. */
    size_t (*datasets)(struct run *r, struct str **names);
    /* What the answer rests on, in the run's arena. The run has results. */
    struct data_lineage *(*lineage)(struct run *r);
    /* Texts whose figures and words the answer may repeat, besides its
     * results, in the arena; returns how many: one for the data, and one for
     * each tool that answered. */
    size_t (*quotable)(struct run *r, struct arena *a, struct str **texts);
    /* Adds caveats with run_add_caveat, CAVEATS_OF_KIND at most. */
    void (*add_caveats)(struct run *r);
    /* Writes members of the metadata besides the artifacts. */
    void (*put_metadata)(struct json_writer *w, struct run *r);

    /* What is kept of the run as a capsule (store/capsules.h): JSON in the
     * run's arena, which the transaction that ends the run writes. Called once,
     * however the run ended. */
    struct str (*capsule)(struct run *r);
};

/* <name>_kind of each line of agents.def. */
#define AGENT(name, word, first) extern const struct agent_kind word##_kind;
#define KIND(word) extern const struct agent_kind word##_kind;
#include "artifact/agents.def"

const struct agent_kind *agent_kind_of(enum agent_kind_id id);

/* Records the artifact that the phase made, the first of those of the list that
 * there are. `emit`: streams get it, too. */
void kind_record(struct run *r, enum phase phase, bool emit);
/* Restores a record of an earlier attempt. False: it is damaged. */
bool kind_restore(struct flow *f, struct run *r,
                  const struct run_artifacts *stored,
                  const struct run_artifact *record);
/* Writes the artifacts that there are as members of the metadata. */
void kind_put_metadata(struct json_writer *w, struct run *r, bool charts);
