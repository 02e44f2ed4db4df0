/* tool_loop.h - calls a model with tools until it answers without a tool call.
 *
 *   round       one reply of the model and the tool calls it asks for
 *   call        one tool call: a child flow. Tools only read, so the calls of
 *               a round run concurrently; their results go back in the order
 *               of the calls
 *   checkpoint  what a round leaves, so that another process can resume with
 *               the next one and repeats no query (artifact loop_round)
 *
 * A model may call tools that do not exist or send broken arguments: it gets an
 * error as the result. A model that never stops ends at `max_rounds`. */
#pragma once
#include "agent/consult.h"

enum {
    TOOL_LOOP_ROUNDS = 15,
    TOOL_LOOP_CALLS = 16, /* of one round that are carried out */
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
    const char *purpose;        /* each round's model call is "<purpose>_<n>" */
    bool one_purpose;           /* it is "<purpose>" */
    const char *const *tools;   /* names from tools.def; NULL ends the list */
    const struct tool_set *set; /* all of its tools instead; NULL: `tools` */
    struct arena
        *memory; /* of the rounds; lives until the loop ends, or until the
                             run does when rounds are stored */
    int max_rounds;
    size_t
        max_calls; /* of one round that are carried out; 0: TOOL_LOOP_CALLS */
    /* After max_rounds the model is called once more and may use no tool, so
     * that it can sum up. False: the loop fails with ERR_BUDGET. */
    bool sums_up;
    /* Makes the DataFrames for run_python, in a step, for the calls of a round.
     * NULL: it gets none. */
    struct python_data *(*frames)(struct tool_loop *x, struct arena *memory,
                                  size_t *n);
    /* Called when a reply is complete, before its calls begin; NULL: it is not. */
    void (*on_reply)(struct tool_loop *x);
    /* A subflow between two rounds; its locals are the loop, and the latest
     * round is rounds[n_rounds - 1]. NULL: none. */
    step_fn *round_over;
    const char *round_over_name;

    /* Calls that code makes in the first round, instead of the model; with a
     * tool that is offered. */
    const struct llm_tool_call *given;
    size_t n_given;

    /* The rounds so far; the caller sets them when it resumes a loop, with room
     * for TOOL_LOOP_ROUNDS. */
    struct loop_round *rounds;
    int n_rounds;
    /* The calls of the present round, until its round_over ends. */
    struct tool_loop_call *calls;
    size_t n_calls;

    struct llm_tool_call asked; /* for tool_loop_direct_begin */
    /* For tool_loop_again_begin: what is wrong with the answer, and the purpose
     * of the call. */
    struct str again;
    const char *again_purpose;

    /* private */
    struct llm_tool offered[8];
    size_t n_offered;
    bool sums_up_now, answered;
    bool direct; /* tool_loop_direct_begin */
};

/* A subflow; locals are the loop. Ends OK when the model has answered: the text
 * is consult.llm.content. Fails as consult_begin does, and with ERR_BUDGET. */
step_fn tool_loop_begin;
/* Offers other tools from the next round on; between two rounds. */
void tool_loop_offer(struct tool_loop *x, const char *const *tools);
/* After tool_loop_begin: lets the model write its answer again, once and without
 * tools, after it has read `again`. A subflow, as tool_loop_begin; the new text
 * is consult.llm.content. */
step_fn tool_loop_again_begin;
/* Instead of tool_loop_begin: carries out one call that the user wrote, as a
 * round of its own, and calls no model. A subflow; its locals are the loop,
 * whose `asked` is the call. */
step_fn tool_loop_direct_begin;
