/* pipeline.h - the six-phase agent: its state, its phases, and what they
 * share. */
#pragma once
#include "agent/agent.h"
#include "agent/run.h"

enum { REVISIONS_MOST = 3 };

struct consult;
struct gather;
struct preference_capture;
struct survey_read;
struct trusted_search;
struct trusted_comparison;

/* What was looked up for a prompt, in the run's scratch memory. It is less than
 * what looking it up takes, which is freed before the model is called. */
struct pipeline_known {
    const size_t *datasets; /* of `samples` */
    size_t n_datasets;
    struct str samples, dates, values, trusted;
};

/* run->state of a run of this kind. */
struct pipeline {
#define OWN(field, phase, type, key) struct type *field;
#define SHARED(field, phase, type, key)
#include "artifacts.def"
    /* The guardrails found nothing wrong with the queries, in this process. */
    bool queries_judged;
    struct str diagnosis; /* why the run is being revised; empty: it is not */
    bool untrusted;       /* a trusted answer failed: the question is planned */
    /* of the current phase */
    struct pipeline_known known;
    struct gather *gather;
    struct survey_read *survey;
    struct python_tool *python;
    struct tracked_call *python_call;
    struct preference_capture *capture;
    struct trusted_search *search;
    struct trusted_comparison *comparison;
};

static inline struct pipeline *pipeline_of(const struct run *r)
{
    return r->state;
}

/* ---- phases: locals are the run ----------------------------------------- */

step_fn planner_begin, navigator_begin, sql_builder_begin, executor_begin,
    verifier_begin, explainer_begin;
/* After the last phase: stores what the user answered to clarifying questions,
 * or offers to. */
step_fn capture_begin;

/* ---- routing: pure functions of the artifacts --------------------------- */

enum phase
route_after_planner(const struct plan *plan); /* DONE: it asks back */
enum phase route_after_navigator(const struct cannot_answer *cannot);
enum phase route_after_verifier(const struct verification_report *report,
                                int revisions);
/* The phase after run->phase. A way back counts as a revision. */
enum phase pipeline_route(struct run *r);

/* ---- datasets, as indexes into the ontology ----------------------------- */

/* Each writes an array in the run's arena to *out and returns its length. */

/* Of a step of the plan; when it names none, those of the join plan. */
size_t pipeline_step_datasets(struct run *r, const struct plan_step *step,
                              size_t **out);
/* Of all steps; when the plan names none, the best of the discovery. */
size_t pipeline_plan_datasets(struct run *r, size_t **out);
/* Of the join plan. */
size_t pipeline_joined_datasets(struct run *r, size_t **out);

/* ---- texts for prompts, in the given arena ------------------------------ */

/* The prompts of the phases that need the model of the data, with what is known
 * of it. For the SQL Builder, t->who is a text of earlier queries. */
struct llm_message *planner_prompt(struct consult *t, struct arena *a);
struct llm_message *sql_builder_prompt(struct consult *t, struct arena *a);

/* Why the run is being revised; empty: it is not. */
struct str context_diagnosis(struct arena *a, struct run *r);
struct str context_plan(struct arena *a, struct run *r);
struct str context_step(struct arena *a, const struct plan_step *step);
struct str context_joins(struct arena *a, struct run *r);
struct str context_queries(struct arena *a, struct run *r);

/* ---- for struct agent_kind: record.c, lineage.c ------------------------- */

bool pipeline_restore(struct flow *f, struct run *r,
                      const struct run_artifacts *stored,
                      const struct run_artifact *record);
bool pipeline_resume(struct flow *f, struct run *r,
                     const struct run_artifacts *stored);
/* Records all fetched rows of the results, or where their slices are. */
void pipeline_record_rows(struct run *r);
struct str pipeline_digest(struct run *r);
size_t pipeline_datasets(struct run *r, struct str **names);
struct data_lineage *pipeline_lineage(struct run *r);
void pipeline_add_caveats(struct run *r);
