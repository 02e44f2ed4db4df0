/* agent_state.h - the agent inside: its runs (agent.c), and what keeps them its
 * own (keeper.c). */
#pragma once
#include "agent/admission.h"
#include "agent/agent.h"
#include "agent/run.h"
#include "agent/trails.h"
#include "loop/timer.h"
#include "store/chats.h"
#include "store/notices.h"
#include "store/semantic_models.h"

/* What one look at the table asks. */
struct round {
    uint64_t asked_ms;
    struct run_release release;
    struct run_renewal renewal;
    struct run_takeover takeover;
    struct run_expiry expiry;
    struct chat_sweep sweep;
    struct run_trim trim;
    struct removed_sweep removed;
    int trims; /* kinds looked at */
    bool more_to_trim;
};

struct agent {
    struct store *store;
    struct agent_settings settings;
    struct agent_models models;
    struct run *runs;
    unsigned n_runs;
    struct admission admission;
    struct agent_counters counters;
    struct flow *keeper;
    struct wake wake;
    struct wait wait;
    struct child round;
    struct round *now;
    uint64_t renewed_ms; /* the latest success */
    struct timer fence;
    uint64_t trim_ms; /* when to look again for what is to be trimmed */
    struct notice_hearer hearer;
    struct teller teller;
    struct model_run *model_runs; /* model_run.c */
    unsigned n_cuts; /* cancelled runs of others that are watched */
    bool closing, releasing;
};

void agent_free_if_over(struct agent *a);
/* agent_start_run for a run of which `releases` attempts do not count against
 * the most. */
void agent_take_run(struct agent *a, struct str message_id, struct str chat_id,
                    int epoch, int attempt, int releases, struct place *place,
                    const struct trace *trace);
/* The run is given up here: it writes nothing more. */
void agent_lose_run(struct run *r);
/* All of them are told that the process stops. */
void model_runs_release(struct agent *a);
void keeper_open(struct agent *a);
void keeper_close(struct agent *a);
