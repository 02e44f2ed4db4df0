/* bridge.h - explorations whose data stays in a browser.
 *
 *   bridge   a run that is not stored: its chunks go to readers only. The
 *            model's queries go out as tool calls, and come back as answers
 *   reader   a stream that follows a bridge, in the process that runs it
 *   call     a tool call that waits for the browser
 *
 * A bridge lives in the memory of its process, and ends with it. It also ends
 * when no reader has followed it for BRIDGE_ALONE_MS. Other processes know of it
 * by a row (store/explorer_runs.h): they cancel it with a notice, and follow it
 * through parts of its stream that it writes for them, sealed. */
#pragma once
#include "agent/agent.h"
#include "base/random.h"
#include "loop/wait.h"

enum {
    BRIDGE_STEPS = 15,
    BRIDGE_MS = 5 * 60 * 1000,
    BRIDGE_ALONE_MS = 30 * 1000,
    BRIDGE_CALL_MS = 30 * 1000,
    BRIDGES_OF_USER = 2, /* of one process */
    BRIDGES_MOST = 100,  /* of one process, unless MAX_RUNS says less */
    BRIDGE_CHAT_BYTES = 1024,
};

struct bridge;

/* What is explored. All texts are copied. */
struct bridge_order {
    struct str user_id, chat_id;
    char run_id[UUID_SIZE];
    struct str question, description, conversation;
    struct str sample; /* JSON text; empty: none */
    struct str *names, *types;
    size_t n_columns;
    int64_t n_rows; /* -1: unknown */
    int max_steps;
    int share;          /* enum explorer_share */
    int64_t cost_today; /* that the user's earlier runs have cost */
    const struct agent_provider *provider;
};

/* Whether the user may start another one: other than that of the chat, which
 * the new one replaces. */
bool bridge_has_room(const struct agent *a, struct str user_id,
                     struct str chat_id);
bool bridge_is_full(const struct agent *a); /* for all users */
/* Starts it; cancels an earlier one of the same chat. Never fails. */
struct bridge *bridge_start(struct agent *a, const struct bridge_order *order,
                            const struct trace *trace);
/* The user's bridge of that chat or run; NULL: none is under way here, and
 * none has an end that no reader has. */
struct bridge *bridge_find(const struct agent *a, struct str user_id,
                           struct str id);
void bridge_cancel(struct bridge *b);
/* Cancels all; for agent_release and agent_close. */
void bridges_stop(struct agent *a);

struct bridge_reader {
    struct wake wake; /* woken when there are more frames */
    size_t at;        /* how many frames it has */
    /* private */
    struct bridge *bridge;
    struct bridge_reader *next;
};
/* Adds a reader, which has the first `at` frames; and removes it. The bridge
 * lives at least as long as its readers. */
void bridge_follow(struct bridge *b, struct bridge_reader *r);
void bridge_unfollow(struct bridge_reader *r);
/* The next frames, about `most` bytes; valid until the next step. Empty: there
 * are none yet, or the reader has all. */
struct str bridge_frames(struct bridge_reader *r, size_t most);
/* The reader has the last frame. */
bool bridge_is_read(const struct bridge_reader *r);

/* Whether the call with that id waits in this process, and is the user's. */
bool bridge_awaits(const struct agent *a, struct str user_id, struct str id);
/* Gives it the answer, which is copied: the body of a tool callback. False: it
 * does not wait any more. */
bool bridge_answer(struct agent *a, struct str user_id, struct str id,
                   struct str body);
/* Another process has left an answer to the call with that id, or a part of the
 * stream of the run with that id; for agent's hearer of notices. */
void bridge_look(struct agent *a, struct str id);

/* ---- at other processes than the run's ---------------------------------- */

/* Waits for parts of the stream of a run (store/explorer_runs.h). */
struct bridge_watcher {
    char run_id[UUID_SIZE];
    struct wake wake;            /* woken when there may be a part */
    struct bridge_watcher *next; /* private */
};
void bridge_watch(struct agent *a, struct bridge_watcher *w);
void bridge_unwatch(struct agent *a, struct bridge_watcher *w);

/* A reader at another process wants the stream of the run: if it runs here, its
 * parts are written until no reader has asked for BRIDGE_ALONE_MS. */
void bridge_mirror(struct agent *a, struct str run_id);
/* Cancels the run, if it runs here. */
void bridge_cancel_run(struct agent *a, struct str run_id);
