/* tool_loop.h - a model with tools, called until it answers without a call.
 *
 *   round     one reply of the model and the tool calls it asks for
 *   call      one tool call: a child flow. The calls of a round run
 *             concurrently, for tools only read; their answers go back in the
 *             order of the calls
 *   checkpoint what a round leaves, so that another process can resume with the
 *             next one and repeats no query (artifact loop_round)
 *
 * A model may call tools that do not exist, send broken arguments, or never
 * stop: the first two are error results that it reads, the last ends at
 * `max_rounds`. */
#pragma once
#include "agent/consult.h"

enum {
    TOOL_LOOP_ROUNDS = 15, /* seed 001: 30 visits of two nodes */
    TOOL_LOOP_CALLS = 16,  /* of one round that are carried out */
};

struct tool_loop;

struct tool_loop_call {
    struct tool_loop *loop;
    struct llm_tool_call asked;
    struct tool_run tool;
    struct tracked_call *record;
    struct child child;
};

struct tool_loop {
    struct run *run;
    /* The caller sets run, phase, compose, who, inputs and visible. */
    struct consult consult;
    const char *purpose;      /* each round's call is "<purpose>_<n>" */
    const char *const *tools; /* names from tools.def; NULL ends the list */
    struct arena *memory; /* of what rounds leave; lives until the loop ends,
                                 and until the run does where they are stored */
    int max_rounds;
    /* After max_rounds: false: fail with ERR_BUDGET. True: one more call, which
     * may use no tool, so that the model can sum up. */
    bool sums_up;
    /* DataFrames for run_python, called in a step when a round begins. NULL: it
     * gets none. */
    struct python_data *(*frames)(struct tool_loop *x, struct arena *memory,
                                  size_t *n);
    /* A subflow between a round and the next, its locals the loop: the round is
     * rounds[n_rounds - 1]. NULL: none. */
    step_fn *round_over;
    const char *round_over_name;

    /* The rounds so far. A caller that resumes sets them. */
    struct loop_round rounds[TOOL_LOOP_ROUNDS];
    int n_rounds;
    /* Of the last round, until the next begins; each has its tool_run. */
    struct tool_loop_call *calls;
    size_t n_calls;

    struct llm_tool offered[8]; /* private, as is all below */
    size_t n_offered;
    bool last_words;
};

/* A subflow; locals are the loop. Ends OK when the model has answered: its words
 * are consult.llm.content. Fails as consult_begin does, and with ERR_BUDGET. */
step_fn tool_loop_begin;
