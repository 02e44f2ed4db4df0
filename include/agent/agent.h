/* agent.h - what answers questions: one a process.
 *
 *   run    one assistant message being answered (agent/run.h)
 *   model  which language model a chat's provider means
 */
#pragma once
#include "agent/admission.h"
#include "base/histogram.h"
#include "llm/llm.h"
#include "store/settings.h"
#include "store/store.h"
#include "tool/tool.h"

struct agent_settings {
    unsigned sql_timeout_ms, python_timeout_ms;
    int sql_max_rows;
    int export_max_rows;
    unsigned export_timeout_ms;
    size_t sql_max_bytes;
    int vector_top_k;
    int history_limit;
    unsigned llm_call_timeout_ms;
    unsigned run_deadline_ms;
    int run_max_attempts;
    int run_max_calls;         /* model calls of one run */
    int64_t run_max_tokens;    /* prompt and completion together */
    int runs_per_user;         /* 0: no limit */
    int64_t tokens_per_day;    /* of one user; 0: no limit */
    unsigned max_runs;         /* at a time in this process; 0: no limit */
    unsigned queue_max;        /* that wait beyond those */
    unsigned claim_timeout_ms; /* a message nobody streams fails after it */
    /* Days that is kept what runs left; 0: for ever. */
    int events_days, traces_days, charts_days, audit_days;
    size_t prompt_budget; /* bytes of one prompt section */
    struct sandbox sandbox;
    /* Embeddings of questions; NULL provider: lexical alone. */
    const struct llm_model *embedding;
};

/* The providers of this server; those without a key are not enabled. */
enum { AGENT_MAX_MODELS = 8 };
struct agent_models {
    struct agent_provider {
        struct llm_model model;
        const char *id, *name; /* "openai", "OpenAI" */
        bool enabled;
    } items[AGENT_MAX_MODELS];
    size_t n;
    const char *preferred; /* LLM_DEFAULT_PROVIDER; NULL: first with a key */
};

struct agent;
struct agent *agent_open(struct store *store,
                         const struct agent_settings *settings,
                         const struct agent_models *models);
/* Stops taking over runs and cancels what runs; *a is NULL after. The memory
 * goes when the last run has ended. */
void agent_close(struct agent **a);
/* Gives up all runs: leases are released and whoever is up takes over. */
void agent_release(struct agent *a);
struct store *agent_store(const struct agent *a);
const struct agent_settings *agent_settings(const struct agent *a);
const struct agent_models *agent_models(const struct agent *a);
/* Of that provider id, or the default for an empty one. NULL: not enabled. */
const struct agent_provider *agent_provider(const struct agent *a,
                                            struct str id);
/* The same with the model, temperature and reasoning that an admin has set; p
 * itself when he has set nothing, else in the arena. */
const struct agent_provider *
agent_provider_as_set(struct arena *arena, const struct agent_provider *p,
                      const struct settings_agent_config *config);
unsigned agent_runs(const struct agent *a); /* in progress here, or in line */
unsigned agent_waiting(const struct agent *a); /* of those in line */

/* How a run ended: as its row says, or lost to another process. */
enum run_ending {
    RUN_ENDED_COMPLETE,
    RUN_ENDED_CLARIFICATION,
    RUN_ENDED_FAILED,
    RUN_ENDED_CANCELLED,
    RUN_ENDED_LOST,
    RUN_ENDINGS
};
extern const char *const run_ending_words[RUN_ENDINGS];

struct model_counters {
    char provider[16], model[64];
    uint64_t calls, failures, prompt_tokens, completion_tokens;
    struct histogram durations;
};
enum { AGENT_COUNTED_MODELS = 16 }; /* the last one stands for all further */

/* Since the start. */
struct agent_counters {
    uint64_t runs_started;
    uint64_t runs[RUN_ENDINGS]
                 [PHASE_COUNT + 1]; /* by the phase they ended in */
    uint64_t phases[PHASE_COUNT];   /* completed */
    struct histogram run_durations, phase_durations[PHASE_COUNT];
    struct model_counters models[AGENT_COUNTED_MODELS];
    size_t n_models;
};
struct agent_counters *agent_counters(struct agent *a);

/* A place for a run of that user, to be had before the run is claimed; NULL: too
 * many wait. Whoever does not start the run leaves it. */
struct ticket *agent_ticket(struct agent *a, struct str user_id);
/* Starts the run of a message that was claimed with this epoch, in that place,
 * which is the agent's from here on; NULL: whatever the bound. It is a child of
 * `trace`; NULL: the first span of the trace that has the message's digits. */
void agent_start_run(struct agent *a, struct str message_id, struct str chat_id,
                     int epoch, int attempt, struct ticket *place,
                     const struct trace *trace);
/* Cancels it when it runs here. */
bool agent_cancel_run(struct agent *a, struct str message_id);
/* For whoever has marked it cancelled (run_cancel): when another process is
 * `running` it, that has a moment to end it; then it is ended without it. */
void agent_cancel_anywhere(struct agent *a, struct str message_id,
                           bool running);
/* Registers the builtin provider with llm. Once a process. */
void agent_register_builtin(void);
