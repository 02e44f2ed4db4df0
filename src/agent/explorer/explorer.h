/* explorer.h - an exploration: one table, a question, and a model that explores
 * the table with the four tools (tools.h).
 *
 *   place    where queries of a call run; a kind of run gives it
 *   found    what the exploration leaves (found.h)
 *
 * The kind puts a struct explorer where run->tools.explorer points to. */
#pragma once
#include "agent/consult.h"
#include "base/random.h"
#include "found.h"
#include "tools.h"

struct explorer;

/* One call on its way through a place. */
struct explorer_visit {
    struct explorer *explorer;
    struct explorer_call *call;
    char id[UUID_SIZE]; /* of the call; it cannot be guessed */
    unsigned number;    /* among all calls, in the model's order */
    void *state;        /* for the place */
    /* Out: the model's own query, when it ran on this server; or NULL. */
    const struct query_tool *query;
};

struct explorer {
    struct run *run;
    struct explorer_table table;
    struct str question;
    /* For the prompt; each may be empty. */
    struct str description, sample, conversation;
    int max_steps;
    /* A subflow; its locals are a struct explorer_visit. Sets call->found, one
     * for each query, or call->failure. Fails only if the run must end. */
    step_fn *place;
    const char *place_name;
    struct explorer_found found;
    unsigned n_calls; /* begun so far */
    /* Called when a call was refused, and when one was concluded; may be
     * NULL. */
    void (*refused)(struct explorer *x, const struct explorer_visit *v);
    void (*concluded)(struct explorer *x, const struct explorer_visit *v);
};

/* A tool of explorer_tools, as tool_begin: plans the call, sends it to the
 * place, concludes it. Needs context->explorer. */
step_fn explorer_tool_begin;

/* The prompt, for a consult whose `who` is the explorer. */
struct llm_message *explorer_compose(struct consult *t, struct arena *a);

/* For the provider without a model: the next reply of the loop c->inputs->loop:
 * a profile, then a chart, then the summary. */
void explorer_builtin(struct llm_call *c, struct arena *a);
