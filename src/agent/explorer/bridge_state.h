/* bridge_state.h - the inside of a bridge: its run (bridge.c), its calls
 * (bridge_calls.c), and what it says to its readers (bridge_stream.c). */
#pragma once
#include "agent/bridge.h"
#include "agent/run.h"
#include "agent/tool_loop.h"
#include "chunks.h"
#include "explorer.h"
#include "store/explorer_runs.h"
#include "store/model_runs.h"

/* A tool call that waits for the browser; it lives in a frame of its flow. */
struct bridge_call {
    char id[UUID_SIZE];
    struct bridge *bridge;
    const struct explorer_visit *visit;
    struct bridge_call *next;
    struct wake wake;
    struct wait wait;
    uint64_t due_ms;
    unsigned number; /* of its visit */
    bool opened;     /* it may be announced */
    bool announced;
    bool answered;   /* in this process: `body` is the answer */
    bool look;       /* another process may have left one */
    bool over;       /* the last look */
    struct buf body; /* on the heap */
    struct explorer_call_open *open;
    struct explorer_call_take *take;
};

struct bridge {
    struct agent *agent;
    struct bridge *next;
    struct arena memory; /* of what was ordered */
    struct str chat_id;
    char user_id[UUID_SIZE];
    struct run run; /* what the tool loop needs of one; never of the agent's
                       list */
    struct explorer explorer;
    struct tool_loop loop;
    struct phase_inputs inputs;
    struct settings_agent_config config;
    struct model_run_tokens tokens;
    struct explorer_listing listing;
    struct explorer_unlisting unlisting;
    struct bridge_mirror *mirror; /* NULL: no reader at another process */
    struct pause pause;
    int tries; /* to count the tokens */
    struct flow *flow;
    struct bridge_call *calls;
    struct bridge_reader *readers;
    struct timer alone;
    bool read; /* a reader has the last frame */
    struct wake end_wake;
    struct wait end_wait; /* for that */
    struct chunks chunks;
    bool step_open; /* start-step was sent, finish-step was not */
    int texts;      /* sent */
};

/* Wakes those who wait for a part of the run's stream. */
void bridge_wake_watchers(struct agent *a, struct str run_id);

/* The place of a bridge's calls: the browser. A subflow; see explorer.h. */
step_fn bridge_place_begin;

/* ---- the stream --------------------------------------------------------- */

/* Begins the stream. */
void bridge_say_start(struct bridge *b);
/* A reply of the model is complete: begins a step, with its text. */
void bridge_say_reply(struct bridge *b, struct str text);
/* The calls of the step are over. */
void bridge_say_step_over(struct bridge *b);
/* A call goes to the browser. */
void bridge_say_call(struct bridge *b, const struct explorer_visit *v);
/* A call was refused; a call was concluded. */
void bridge_say_refused(struct explorer *x, const struct explorer_visit *v);
void bridge_say_result(struct explorer *x, const struct explorer_visit *v);
/* Ends the stream with the result; OK, or the error that ended the run. */
void bridge_say_end(struct bridge *b, enum err error, struct str error_text);

/* ---- calls -------------------------------------------------------------- */

/* Reads the body of a callback, which is hostile: sets call->found or
 * call->failure. In a step of f. */
void bridge_read_answer(struct flow *f, struct explorer_call *call,
                        struct str body);
