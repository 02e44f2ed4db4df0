/* agent_state.h - the agent inside: its runs (agent.c), what keeps them its own
 * (keeper.c), and how it claims those of processes that are gone (takeover.c).
 */
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
    struct run_surrender surrender;
    struct run_renewal renewal;
    struct run_expiry expiry;
    struct chat_sweep sweep;
    struct run_trim trim;
    struct removed_sweep removed;
    int trims; /* kinds looked at */
    bool more_to_trim;
};

/* A run that was given up here. */
struct surrendered_run {
    char message_id[UUID_SIZE];
    int epoch;
    bool lost;  /* the attempt counts as lost, see agent_surrender */
    bool asked; /* the database was asked to end its lease */
    struct surrendered_run *next;
};

/* takeover.c */
struct takeover {
    struct flow *flow;
    struct wake wake;
    struct wait wait;
    struct child look;
    struct run_takeover *taken; /* of the look under way */
    uint64_t asked_ms;
    uint64_t next_end_ms; /* when the next lease ends; 0: unknown */
    uint64_t beyond_ms;   /* when one run more than MAX_RUNS may be taken */
    bool more;            /* the latest look took as many as it might */
    unsigned restoring;   /* slots in use */
    struct restore_slot *first, **last; /* waiting, in order */
};

struct agent {
    struct store *store;
    struct agent_settings settings;
    struct agent_models models;
    struct run *runs;
    unsigned n_runs;
    struct admission admission;
    struct agent_counters counters;
    struct takeover takeover;
    struct flow *keeper;
    struct wake wake;
    struct wait wait;
    struct child round;
    struct round *now;
    bool round_failed;   /* the latest: the next one is tried before long */
    uint64_t renewed_ms; /* the latest success */
    uint64_t tried_ms;   /* the latest round, whatever became of it */
    struct surrendered_run *surrendered; /* with leases still to be ended */
    struct timer fence;
    uint64_t fence_ms; /* when it is due */
    uint64_t trim_ms;  /* when to look again for what is to be trimmed */
    struct notice_hearer hearer;
    struct teller teller;
    struct model_run *model_runs; /* model_run.c */
    unsigned n_cuts; /* cancelled runs of others that are watched */
    bool closing, releasing;
};

void agent_free_if_over(struct agent *a);
/* agent_start_run for a run that may have begun elsewhere. */
void agent_take_run(struct agent *a, const struct taken_run *taken,
                    struct str chat_id, struct ticket *place,
                    const struct trace *trace);
/* The run is given up here: it writes nothing more. */
void agent_lose_run(struct run *r);
/* Nobody here works on that run any more: the next round of the keeper ends its
 * lease, so that others need not wait for that. `lost`: this process stood still
 * itself, perhaps because of the run; else the attempt counts as released. */
void agent_surrender(struct agent *a, struct str message_id, int epoch,
                     bool lost);
/* All of them are told that the process stops. */
void model_runs_release(struct agent *a);
void keeper_open(struct agent *a);
void keeper_close(struct agent *a);
/* With the agent. */
void keeper_free(struct agent *a);

/* How long after the latest renewal runs are given up: before their leases end
 * and other processes may begin them. */
static inline uint64_t lease_fence_ms(const struct store *s)
{
    return s->lease_ms * 2 / 3;
}

/* How long to wait before what failed is tried again. */
static inline uint64_t lease_retry_ms(const struct store *s)
{
    return s->lease_ms / 10;
}

void takeover_open(struct agent *a);
/* Looks now for runs to take over. */
void takeover_look(struct agent *a);
/* The same if there were more than MAX_RUNS left room for: a run has ended. */
void takeover_room(struct agent *a);

/* The right to read a run's record; answers when few enough others have it. */
struct restore_slot {
    struct op op; /* first */
    struct agent *agent;
    struct restore_slot *next; /* in line; private */
    bool held;                 /* private */
};
/* `s` has its agent, the rest is zero; defer restore_slot_leave first. */
void restore_slot_begin(struct flow *f, struct restore_slot *s);
/* Gives it back, if it was had; `slot` is a struct restore_slot. */
void restore_slot_leave(void *slot);
