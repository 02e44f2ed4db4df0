/* react.h - the ReAct agent: its state, and its part of struct agent_kind
 * (record.c, lineage.c). */
#pragma once
#include "../ground.h"
#include "../survey_read.h"
#include "../trusted_search.h"
#include "../value_lookup.h"
#include "agent/run.h"
#include "agent/tool_loop.h"

struct loop_round;

/* What agents that let a model call tools until it answers differ in. ReAct is
 * one of them; the others use its steps with a variant of their own, which
 * their struct agent_kind names. */
struct react_variant {
    enum phase phase;
    const char *purpose;        /* of its model calls: "react_round" */
    const char *const *tools;   /* as in tool_loop.h */
    const struct tool_set *set; /* likewise */
    const char *const *queries; /* of those, the tools that run a query */
    const char *python;         /* and the one that runs Python */
    enum builtin_task task;
    struct llm_message *(*compose)(struct consult *t, struct arena *a);
    bool discovers; /* its prompt has the datasets that are like the question */
    bool sums_up;   /* see tool_loop.h */
    /* A round is over, or was restored; `first` is that of its results. NULL:
     * nothing is to be done. */
    void (*round_kept)(struct run *r, const struct loop_round *round,
                       size_t first);
};

/* The loop of one attempt. */
struct react_loop {
    struct tool_loop loop;
    struct answer_ground ground;
    struct phase_inputs inputs;
    struct survey_read survey;
    struct trusted_search search;
    struct trusted_comparison comparison;
    struct llm_tool_call trusted_call;
};

/* run->state of a run of this kind. */
struct react_state {
    /* Rounds of earlier attempts, restored by a takeover; the loop goes on in
     * them. */
    struct loop_round rounds[TOOL_LOOP_ROUNDS];
    int n_rounds;
    int max_rounds; /* 0: TOOL_LOOP_ROUNDS */
    /* Where the results of the latest round with a query begin in
     * r->results. */
    size_t latest_results;
    struct react_loop *loop; /* while it runs */
    /* The trusted answer whose query is the first round; NULL: none. */
    struct trusted_mark *trusted;
};

static inline struct react_state *react_of(const struct run *r)
{
    return r->state;
}

static inline const struct react_variant *react_variant(const struct run *r)
{
    return r->kind->variant;
}

/* The steps from the first round to the saved answer. A subflow; its locals are
 * the run, whose state begins with a react_state. Fails as tool_loop_begin
 * does. */
step_fn react_loop_begin;
/* Prepares the loop of the run for tool_loop_begin or tool_loop_direct_begin. */
void react_loop_init(struct run *r, struct react_loop *x);
/* The tool of that name runs a query. */
bool react_runs_query(const struct run *r, struct str name);
/* Adds to what a tool answered; keeps a JSON object one. In the run's arena. */
struct str react_result_with(struct run *r, struct str result, const char *key,
                             struct str text);

/* Looks for a trusted answer, and for similar ones, before the loop; the locals
 * are the run (trusted.c). */
step_fn react_trusted_begin;
/* Whether the first round ran the query of a trusted answer and has its rows.
 * The model then writes and draws, and asks nothing else. */
bool react_is_trusted(const struct run *r);
/* The tools that the next round may call. */
const char *const *react_tools(const struct run *r);
/* After the first round: forgets a trusted answer whose query failed, and its
 * round. True: it did. */
bool react_drop_trusted(struct tool_loop *x);

/* The system prompt; t->who is the react_loop, whose survey is shown. */
struct llm_message *react_prompt(struct consult *t, struct arena *a);

/* The results that the answer rests on: those of the latest round with a
 * query. */
struct step_results react_latest_results(const struct run *r);
/* Their rows; ROW_COUNT_NULL: there was no query. */
int64_t react_row_count(const struct step_results *results);

/* Adds what a round's tools returned to the results of the run, in the order of
 * its calls, and to the round. */
void react_take_results(struct tool_loop *x, struct loop_round *round);
/* Adds the totals of results that were cut to what the model reads. */
void react_tell_totals(struct tool_loop *x, struct loop_round *round);
/* Makes the run's report: checks by code of the latest results. */
void react_check(struct run *r);
/* Records a round, counted from 0. */
void react_record_round(struct run *r, int n, const struct loop_round *round);

bool react_resume(struct flow *f, struct run *r,
                  const struct run_artifacts *stored);
struct str react_digest(struct run *r);
size_t react_datasets(struct run *r, struct str **names);
struct data_lineage *react_lineage(struct run *r);

/* Looks up the values of a round's queries that found nothing, and adds what is
 * missing to the results and to what the model reads (lookup.c). */
struct round_lookup {
    struct tool_loop *loop;
    struct loop_round *round;
    size_t result; /* of the round's first result in the run's */
    /* private */
    size_t call;
    struct value_lookup lookup;
};
step_fn round_lookup_begin;
