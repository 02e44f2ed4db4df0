/* consult.h - one call of a model for a phase.
 *
 * It emits llm_call_start and llm_call_end, counts tokens and calls against the
 * run's budget, and writes a trace for every try. With an artifact type it
 * decodes the reply; a reply that does not fit goes back to the model once,
 * with the path of what is wrong. */
#pragma once
#include "agent/prompt.h"
#include "agent/run.h"

struct consult {
    struct run *run;
    enum phase phase;
    int64_t step_id;    /* 0: none */
    struct str purpose; /* "plan_generation" */
    /* Makes the prompt with prompt_fill, in `memory`. It is called for
     * llm_call_start, for each request and for the trace; unless few calls wait,
     * the text is freed in between. So what it reads must not change during the
     * consult. */
    struct llm_message *(*compose)(struct consult *t, struct arena *memory);
    void *who;                /* for compose */
    struct llm_message *said; /* the conversation after the prompt */
    size_t n_said;
    const struct llm_tool *tools;
    size_t n_tools;
    bool no_tool_calls; /* the tools are described, but may not be called */
    const struct artifact_type *type; /* NULL: text */
    const char *schema_name;          /* "generate_plan" */
    bool (*check)(const void *artifact, struct artifact_problem *problem);
    bool visible;   /* its text is the answer: emits message_chunk */
    bool keeps_cut; /* accepts text that ended at the size limit */
    const struct phase_inputs *inputs;
    /* Out */
    void *artifact; /* decoded; the caller gives zeroed memory of the type */
    struct llm_call llm;
    /* private */
    bool answered; /* a provider in this process filled `artifact` itself */
    struct arena prompt;                   /* of the messages */
    size_t kept;                           /* bytes of it, while it waits */
    const struct prompt_section *sections; /* while there are messages */
    size_t n_sections;
    struct llm_message *said_before; /* `said`, during a repair */
    size_t n_said_before;
    int index, tries;
    int64_t started_at;
    uint64_t started_ms;
    int64_t first_event; /* number of the last event before this try */
};
/* A subflow. Fails with the model's error, ERR_BUDGET, or ERR_BAD_REPLY. */
struct next consult_begin(struct flow *f);

/* For a provider in this process, while it answers: gives a copy of `artifact`,
 * which is of t->type, as the reply. Its JSON is what traces and events show; it
 * is not read again. */
void consult_answer(struct consult *t, const void *artifact);

/* The reply ended at the model's size limit. */
bool consult_was_cut(const struct consult *t);

/* The code inside the first fence of a reply, or the whole reply; copied. */
struct str consult_code(struct arena *arena, struct str reply);
