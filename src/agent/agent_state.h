/* agent_state.h - the private state of the agent: its runs (agent.c), their
 * leases (keeper.c), and the takeover of other processes' runs (takeover.c). */
#pragma once
#include "agent/admission.h"
#include "agent/agent.h"
#include "agent/run.h"
#include "agent/trails.h"
#include "loop/timer.h"
#include "store/chats.h"
#include "store/file_sets.h"
#include "store/notices.h"
#include "store/semantic_models.h"

/* The queries of one round of the keeper. */
struct keeper_round {
    uint64_t asked_ms;
    struct run_release release;
    struct run_surrender surrender;
    struct run_renewal renewal;
    struct run_expiry expiry;
    struct chat_sweep sweep;
    struct run_trim trim;
    struct removed_sweep removed;
    struct file_set_sweep files;
    int trims;         /* kinds of records trimmed so far */
    int trim_batches;  /* of these, of any kind */
    uint64_t trims_ms; /* when the first of them was due */
    bool more_to_trim;
};

/* A run that was given up here, and whose lease is still to be ended. */
struct surrendered_run {
    char message_id[UUID_SIZE];
    int epoch;
    bool lost;  /* the attempt counts as lost, see agent_surrender */
    bool asked; /* the database was asked to end its lease */
    struct surrendered_run *next;
};

/* The takeover service (takeover.c). */
struct takeover {
    struct flow *flow;
    struct wake wake;
    struct wait wait;
    struct child look;
    struct run_takeover *taken; /* of the current look */
    uint64_t asked_ms;
    uint64_t next_end_ms; /* when the next lease ends; 0: unknown */
    uint64_t beyond_ms;   /* when one run more than MAX_RUNS may be taken */
    bool more;            /* the latest look took a full batch */
    unsigned restoring;   /* slots in use */
    struct restore_slot *first, **last; /* that wait, in order */
};

struct bridge;
struct scheduler;

struct agent {
    struct store *store;
    struct agent_settings settings;
    struct agent_models models;
    struct run *runs;
    struct bridge *bridges; /* explorations in browsers (agent/bridge.h) */
    struct bridge_watcher *bridge_watchers;
    unsigned n_runs;
    struct admission admission;
    struct agent_counters counters;
    struct takeover takeover;
    struct scheduler *scheduler; /* schedules/scheduler.h; NULL: ended */
    struct flow *keeper;
    struct wake wake;
    struct wait wait;
    struct child round;
    struct keeper_round *now;
    bool round_failed;   /* the latest: the next one comes sooner */
    uint64_t renewed_ms; /* the latest success */
    uint64_t tried_ms;   /* the latest round, successful or not */
    struct surrendered_run *surrendered;
    struct timer fence;
    uint64_t fence_ms; /* when it is due */
    uint64_t trim_ms;  /* when to trim again */
    struct notice_listener hearer;
    struct trail_writer trail_writer;
    unsigned n_forced_cancels; /* under way */
    bool closing, releasing;
};

/* The run of that message here; NULL: it is not here. */
struct run *agent_find_run(const struct agent *a, struct str message_id);
/* Frees a closed agent when nothing of it is left. */
void agent_free_if_over(struct agent *a);
/* agent_start_run for a run that another process may have begun. */
void agent_take_run(struct agent *a, const struct takeover_run *taken,
                    struct str chat_id, struct ticket *ticket,
                    const struct trace *trace);
/* Gives up the run: it writes nothing any more. */
void agent_lose_run(struct run *r);
/* Makes the next round of the keeper end the lease of a run that was given up,
 * so that other processes need not wait for it. `lost`: this process was
 * blocked, perhaps by the run; otherwise the attempt counts as released. */
void agent_surrender(struct agent *a, struct str message_id, int epoch,
                     bool lost);
/* Starts to keep leases. */
void keeper_open(struct agent *a);
/* Stops to listen to other processes; the flow ends when the agent closes. */
void keeper_close(struct agent *a);
/* Frees its memory, when the agent is freed. */
void keeper_free(struct agent *a);

/* How long after the latest renewal the runs are given up: before their leases
 * end and other processes may take them over. */
static inline uint64_t lease_fence_ms(const struct store *s)
{
    return s->lease_ms * 2 / 3;
}

/* How long to wait after a failure. */
static inline uint64_t lease_retry_ms(const struct store *s)
{
    return s->lease_ms / 10;
}

/* Starts to look for runs to take over. */
void takeover_open(struct agent *a);
/* Looks now. */
void takeover_look(struct agent *a);
/* A run has ended: looks now if MAX_RUNS left no room for more. */
void takeover_room(struct agent *a);

/* An op that waits until few enough runs are reading their records. */
struct restore_slot {
    struct op op; /* first */
    struct agent *agent;
    struct restore_slot *next; /* waiting; private */
    bool held;                 /* private */
};
/* `s` has its agent, the rest is zero. Defer restore_slot_leave before. */
void restore_slot_begin(struct flow *f, struct restore_slot *s);
/* Gives the slot back if the op got it; `slot` is a struct restore_slot. */
void restore_slot_leave(void *slot);
