/* journal.h - what a run leaves behind, durable before anybody sees it.
 *
 *   journal  one a process: gathers what all its runs have to write and commits
 *            it together, at most JOURNAL_LATE_MS late
 *   entry    the writing end of one run (its message): events, artifacts, traces
 *   reader   a stream that follows a run, whoever runs it
 *
 * Events get the run's next sequence number and are rendered once, as SSE
 * frames. A batch (a row of run_events) is handed to readers in this process
 * after its commit, and never before. Each write names the entry's epoch; when
 * the run's row has moved on, nothing is written and the entry is lost: its
 * on_lost is called once and its syncs fail with ERR_CONFLICTING_WRITE. While the
 * database is away, what was written waits (at most JOURNAL_MAX_PENDING a run;
 * beyond, the entry is lost too); who can wait asks for room first. Entries
 * are flushed in the order in which they got something. What the database will
 * not take though it is up costs nobody but the entry it is of: it is dropped,
 * syncs fail with ERR_INTERNAL, and on_lost is called with that; the run may
 * still write its end.
 *
 * Readers in other processes are told by a notice (notices.h), when they have
 * said within the last seconds that they are there. */
#pragma once
#include "artifact/vocabulary.h"
#include "base/histogram.h"
#include "base/json.h"
#include "base/random.h"
#include "db/pool.h"
#include "loop/flow.h"
#include "loop/wait.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    JOURNAL_LATE_MS = 20,
    JOURNAL_MAX_PENDING = 16 * 1024 * 1024,
    JOURNAL_ROOM_RUN = 512 * 1024, /* pending bytes of one run, and of all: */
    JOURNAL_ROOM = 1024 * 1024,    /* who can wait writes no more */
    EVENT_DEFER_BYTES = 64 * 1024, /* beyond, large fields are deferred */
    JOURNAL_KIND_SIZE = 40,        /* of an artifact's kind, with its NUL */
};

struct journal;
struct journal_entry;
struct notices;

/* Its writer is a flow of this loop. */
struct journal *journal_open(struct pool *system,
                             struct notices *notices_or_null);
/* Writes what is pending, then frees; *j is NULL after. No entry may be left. */
void journal_close(struct journal **j);
/* What was committed, flushes that failed, and entries there are, for metrics. */
struct journal_stats {
    uint64_t commits, events, failures, bytes;
    struct histogram flushes; /* from the query to its commit */
    unsigned entries;
} journal_stats(const struct journal *j);

/* ---- writing ------------------------------------------------------------ */

/* `next` is the number of the first event to come (1 for a new run); 0: it is not
 * known before journal_seek, and until then readers read the table. */
struct journal_entry *journal_attach(struct journal *j, const char *message_id,
                                     int epoch, int64_t next,
                                     void (*on_lost)(void *who, enum err why),
                                     void *who);
/* The next event gets this number; before the first one. */
void journal_seek(struct journal_entry *e, int64_t next);
/* Waits for nothing: what is pending is still written. *e is NULL after. */
void journal_detach(struct journal_entry **e);

/* One event: open, put its fields (the type stands already), close, all in one
 * step. */
struct json_writer *journal_event(struct journal_entry *e,
                                  enum event_type type);
void journal_event_end(struct journal_entry *e);
int64_t journal_last(const struct journal_entry *e); /* number of the latest */

/* A phase's artifact, text; a later one of the same kind replaces it. `kind` has
 * letters, digits and underscores alone. */
void journal_artifact(struct journal_entry *e, const char *kind,
                      struct str body);
/* Where the run stands; written with the next batch. */
void journal_phase(struct journal_entry *e, enum phase phase, int revision);
/* One row of llm_traces: `columns` is a JSON object with their names as keys, but
 * for prompt_messages. That is the large one: it comes by itself, so that
 * PostgreSQL need not take it out of the object. */
void journal_trace(struct journal_entry *e, struct str columns,
                   struct str prompt_messages);

/* Answers when everything given so far has been committed. */
struct journal_sync {
    struct op op; /* first */
    struct journal_entry *entry;
    uint64_t ticket;
    struct journal_sync *next;
};
void journal_sync_begin(struct flow *f, struct journal_sync *s,
                        struct journal_entry *e);

/* Answers when there is room for more: at once, or when others before it have
 * gone on and enough of what waits was committed. */
struct journal_room {
    struct op op; /* first */
    struct journal_entry *entry;
    struct journal_room *next;
};
void journal_room_begin(struct flow *f, struct journal_room *r,
                        struct journal_entry *e);

/* The run has ended and its message row is written: `frame` is the terminal
 * event, rendered; readers get it as their last, or read the table where its
 * number is not known. */
void journal_end(struct journal_entry *e, struct str frame);

/* ---- reading ------------------------------------------------------------ */

struct journal_reader {
    /* In */
    char message_id[UUID_SIZE];
    int64_t at; /* number of the last event it has; 0: none */
    /* Called from the loop with whole frames that follow `at` without a gap.
     * False: not taken, it will read the table. */
    bool (*on_frames)(struct journal_reader *r, struct str frames);
    /* The terminal event; the last call, unless it is not taken. */
    bool (*on_end)(struct journal_reader *r, struct str frame);
    void *who;
    /* Woken when the run may have more than came through on_frames. */
    struct wake wake;
    bool ended;
    bool
        full; /* set by its owner: hand me nothing now, I shall read the table */
    bool cut; /* its run was given up here: who waits ends without an end */
    /* private */
    struct journal_reader *prev, *next;
    struct journal *journal;
    uint64_t ask_again;
};

void journal_follow(struct journal *j, struct journal_reader *r);
void journal_unfollow(struct journal_reader *r);
/* It has every batch that this process has committed of its run. */
bool journal_reader_fed(const struct journal_reader *r);
/* True while this process writes that run and knows where its events go on. */
bool journal_writes(const struct journal *j, const char *message_id);
/* Frames of a batch that come after number `after`. */
struct str journal_frames_after(struct str frames, int64_t after);
/* Wakes readers of the run (a notification from another process). */
void journal_nudge(struct journal *j, struct str message_id);
/* Asks whoever writes the run elsewhere to tell when there is more. It is believed
 * for some seconds: say it with every look. */
void journal_reader_ask(struct journal_reader *r);
/* Cuts the readers of the run here. */
void journal_cut(struct journal *j, const char *message_id);
