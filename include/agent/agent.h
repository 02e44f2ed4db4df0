/* agent.h - the part of a process that answers questions: its runs and what
 * they need. A process has one.
 *
 *   run       the work that answers one message (agent/run.h)
 *   provider  a language model that chats can choose
 * / */
#pragma once
#include "agent/admission.h"
#include "base/address.h"
#include "base/histogram.h"
#include "base/prices.h"
#include "llm/llm.h"
#include "store/settings.h"
#include "store/store.h"
#include "tool/file_intake.h"
#include "tool/tool.h"

struct agent_settings {
    unsigned sql_timeout_ms, python_timeout_ms;
    int sql_max_rows;
    int export_max_rows;
    unsigned export_timeout_ms;
    size_t sql_max_bytes;
    struct file_limits file_limits; /* of uploads */
    int vector_top_k;
    int history_limit;
    unsigned llm_call_timeout_ms;
    unsigned run_deadline_ms;
    int run_max_attempts;
    int run_max_calls;      /* model calls of one run */
    int64_t run_max_tokens; /* prompt and completion together */
    int runs_per_user;      /* 0: no limit */
    int64_t tokens_per_day; /* of one user; 0: no limit */
    int64_t cost_per_day;   /* likewise; an amount (base/prices.h) */
    int64_t run_max_cost;   /* 0: no limit */
    struct prices prices;
    unsigned max_runs;         /* at a time in this process; 0: no limit */
    unsigned queue_max;        /* runs that wait beyond those */
    unsigned claim_timeout_ms; /* then a message that no client streams fails */
    /* How long records of runs are kept; 0: for ever. */
    int events_days, traces_days, charts_days, audit_days;
    size_t prompt_budget; /* bytes of one prompt section */
    bool schedules;       /* asks the questions of schedules */
    /* Private networks that webhooks may reach, and the first pause before a
     * delivery is tried again. */
    const struct network *webhook_networks;
    size_t n_webhook_networks;
    unsigned webhook_retry_ms;
    bool without_trusted; /* trusted answers are neither used nor shown */
    struct sandbox sandbox;
    /* Embeds questions and datasets; NULL: lexical vectors only. */
    const struct llm_model *embedding;
};

/* The providers of this server. One without a key is not enabled. */
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
/* Stops takeovers and releases all runs; *a is NULL afterwards. The memory is
 * freed when the last run has ended. */
void agent_close(struct agent **a);
/* Releases the leases of all runs, so that other processes take them over. */
void agent_release(struct agent *a);
struct store *agent_store(const struct agent *a);
const struct agent_settings *agent_settings(const struct agent *a);
const struct agent_models *agent_models(const struct agent *a);
/* The provider with that id, or the default one for an empty id. NULL: it is
 * not enabled. */
const struct agent_provider *agent_provider(const struct agent *a,
                                            struct str id);
/* p with the model, temperature and reasoning that an admin has set, in the
 * arena; p itself when nothing is set. */
const struct agent_provider *
agent_provider_configured(struct arena *arena, const struct agent_provider *p,
                          const struct settings_agent_config *config);
/* Counts what embeddings used, and adds it to *sum. Without a price of their
 * model they do not count: they cost little, and a sum would lose its price. */
void agent_count_embedding(struct agent *a, const struct llm_embedding *e,
                           uint64_t ms, bool failed, struct llm_usage *sum);
/* Sets cost and unpriced of what a call of that model used. */
void agent_price_call(const struct agent *a, const struct llm_model *model,
                      struct llm_usage *usage);
unsigned agent_runs(const struct agent *a);    /* that run or wait here */
unsigned agent_waiting(const struct agent *a); /* of those that wait */

/* How a run ended: the status of its row, or lost to another process. */
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
    uint64_t cached_tokens, reasoning_tokens; /* parts of these */
    uint64_t cost;                            /* an amount (base/prices.h) */
    struct histogram durations;
};
enum { AGENT_COUNTED_MODELS = 16 }; /* the last one counts all others */

/* Since the process started. */
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

/* A ticket for a run of that user, to be taken before the run is claimed. NULL:
 * too many wait. A caller that does not start the run calls ticket_leave. */
struct ticket *agent_ticket(struct agent *a, struct str user_id);
/* Starts the run of a message that was claimed. Takes over the ticket; NULL: the
 * run starts whatever the bound. Its span is a child of `trace`; NULL: the first
 * of a trace whose id is the message's. */
void agent_start_run(struct agent *a, struct str message_id, struct str chat_id,
                     struct ticket *ticket, const struct trace *trace);
/* Starts the build of a semantic model that model_run_start has claimed. It needs
 * no ticket: the database limits how many a process builds. */
void agent_start_build(struct agent *a, struct str id,
                       const struct trace *trace);
/* Cancels the run. False: it is not here. */
bool agent_cancel_run(struct agent *a, struct str message_id);
/* Cancels a run that run_cancel has marked, in whatever process it is. When
 * another process is `running` it, that process gets a grace period to end it;
 * then it is ended from here. */
void agent_cancel_anywhere(struct agent *a, struct str message_id,
                           bool running);
/* Registers the built-in analyst as a provider of models. Once a process. */
void agent_register_builtin(void);
