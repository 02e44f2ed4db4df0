/* scientist.h - the scientist: a model that writes Python over the tables of a
 * source, and explains what came out.
 *
 *   attempt    code that was written and is stored; then it runs. There are at
 *              most SCIENTIST_ATTEMPTS in a run, whichever processes do it
 *   execution  what the attempt that ran left: a result, figures, text
 *   summary    what describes the data: columns, types, rows, ranges
 *
 * Prompts and limits are in docs/scientist.md. */
#pragma once
#include "agent/consult.h"
#include "agent/run.h"

enum {
    SCIENTIST_ATTEMPTS = 3,
    SCIENTIST_TABLES = 6, /* described, and read from a database */
    SCIENTIST_FIGURES = 6,
    SCIENTIST_CODE_BYTES = 64 * 1024,
};

struct data_summary;
struct data_frames;

/* run->state of a run of this kind. */
struct scientist {
    struct scientist_plan *plan;
    struct code_attempt attempts[SCIENTIST_ATTEMPTS];
    int n_attempts; /* the last one failed, unless there is an execution */
    struct code_execution *execution; /* NULL: none succeeded yet */
    struct code_evaluation *evaluation;
    struct data_summary *summary; /* each process makes its own */
    struct data_frames *frames;   /* likewise, when code needs them */
    struct str count_code;        /* without a language model (count.h) */
    int64_t exec_ms; /* of the attempt that ran; 0 after a takeover */
};

static inline struct scientist *scientist_of(const struct run *r)
{
    return r->state;
}

/* ---- which phase comes next (route.c); pure ----------------------------- */

/* After the plan: code or explain. */
enum phase should_execute_code(const struct scientist_plan *plan);
/* After an attempt: evaluate, code again, or error. */
enum phase should_retry_code(bool success, int attempts);
/* After an attempt that ran: evaluate or explain. */
enum phase should_evaluate(const struct scientist_plan *plan);
/* The phase after `phase`, whose work is done. */
enum phase scientist_route(const struct scientist *s, enum phase phase);
/* Where a run with these artifacts goes on. */
enum phase scientist_first_possible(const struct run *r);

/* ---- the phases; subflows, locals are the run --------------------------- */

step_fn scientist_plan_begin;
step_fn scientist_code_begin;
step_fn scientist_evaluate_begin;
step_fn scientist_explain_begin;
step_fn scientist_error_begin;

/* Enforces what a plan may be: no evaluation without code, and an explanation
 * where no code runs. */
void scientist_settle_plan(struct scientist_plan *plan);

/* ---- what the model may see of the output (code.c)  ------------------- */

/* The output of the code in the form that a model may see. */
struct str scientist_output(struct arena *a, struct run *r);
/* The error of an attempt, likewise. */
struct str scientist_error(struct arena *a, struct run *r, struct str error);

/* ---- records, metadata (record.c) --------------------------------------- */

/* Writes the latest attempt to the run's record; `emit`: streams get it. */
void scientist_record_attempt(struct run *r, bool emit);
/* Says what of the answer was checked. */
void scientist_report(struct run *r);
/* Makes r->full_data for r->results, which were restored or just made. */
void scientist_keep_rows(struct run *r);

bool scientist_restore(struct flow *f, struct run *r,
                       const struct run_artifacts *stored,
                       const struct run_artifact *record);
bool scientist_resume(struct flow *f, struct run *r,
                      const struct run_artifacts *stored);
struct str scientist_digest(struct run *r);
size_t scientist_datasets(struct run *r, struct str **names);
struct data_lineage *scientist_lineage(struct run *r);
void scientist_add_caveats(struct run *r);
void scientist_put_metadata(struct json_writer *w, struct run *r);

/* The capsule of the run, see agent_kind.capsule (capsule.c). */
struct str scientist_capsule(struct run *r);
