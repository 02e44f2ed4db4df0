/* journal.h - events, artifacts and traces of runs: written to PostgreSQL
 * before any client sees them.
 *
 *   journal  one a process: gathers what its runs write, and commits it
 *            together, at most JOURNAL_LATE_MS late
 *   entry    the writing side of one run
 *   reader   a stream that follows a run, in whichever process the run is
 *
 * An event gets the run's next number and is rendered once, as an SSE frame. A
 * batch is one row of run_events; readers in this process get it after its
 * commit and never before. Readers in other processes are woken by a notice
 * (notices.h) when they have asked for one within the last seconds.
 *
 * Every write names the entry's epoch. When the run has another epoch, nothing
 * is written and the entry is lost: its on_lost is called once, and its syncs
 * fail with ERR_CONFLICTING_WRITE. While the database is away, writes wait, up
 * to JOURNAL_MAX_PENDING bytes a run; beyond that the entry is lost too. A
 * writer that can wait asks for room first (journal_room_begin).
 *
 * Entries are flushed in the order in which they got something to write. When
 * the database rejects the writes of one entry, others are not affected: the
 * journal drops those writes, fails the entry's syncs with ERR_INTERNAL and
 * calls on_lost with it; the run may still write its end. */
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
    JOURNAL_ROOM_RUN = 512 * 1024, /* pending bytes of one run, and */
    JOURNAL_ROOM = 1024 * 1024,    /* of all, above which writers wait */
    EVENT_DEFER_BYTES = 64 * 1024, /* above this, large fields are deferred */
    JOURNAL_KIND_SIZE = 40,        /* of an artifact's kind, with its NUL */
};

struct journal;
struct journal_entry;
struct notices;

/* Starts the writer, a flow of this loop. */
struct journal *journal_open(struct pool *system,
                             struct notices *notices_or_null);
/* Writes what is pending, then frees the journal; sets *j to NULL. All entries
 * must have been detached. */
void journal_close(struct journal **j);
/* Counters for metrics. */
struct journal_stats {
    uint64_t commits, events, failures, bytes;
    struct histogram flushes; /* from the query to its commit */
    unsigned entries;
} journal_stats(const struct journal *j);

/* ---- writing ------------------------------------------------------------ */

/* Starts writing a run. `next` is the number of its next event (1 for a new
 * run). 0: not known until journal_seek, and readers read the table until
 * then. */
struct journal_entry *journal_attach(struct journal *j, const char *message_id,
                                     int epoch, int64_t next,
                                     void (*on_lost)(void *who, enum err why),
                                     void *who);
/* The same for a run that is not stored: what is written goes nowhere, syncs and
 * rooms answer at once, and the entry is never lost. */
struct journal_entry *journal_attach_unstored(struct journal *j,
                                              const char *message_id);
/* Sets the number of the next event, before the first one is written. */
void journal_seek(struct journal_entry *e, int64_t next);
/* Ends writing, without waiting: what is pending is still written. Sets *e to
 * NULL. */
void journal_detach(struct journal_entry **e);

/* Writes one event: open it, put its fields (except the type), end it, all in
 * one step of a flow. */
struct json_writer *journal_event(struct journal_entry *e,
                                  enum event_type type);
void journal_event_end(struct journal_entry *e);
int64_t journal_last(const struct journal_entry *e); /* number of the latest */

/* Writes an artifact; a later one of the same kind replaces it. `kind` consists
 * of letters, digits and underscores. */
void journal_artifact(struct journal_entry *e, const char *kind,
                      struct str body);
/* The phase that begins; written with the next batch. */
void journal_phase(struct journal_entry *e, enum phase phase, int revision);
/* What the run has used, as text; written with the next phase. */
enum { JOURNAL_TOKENS_SIZE = 88 };
void journal_tokens(struct journal_entry *e, const char *tokens);
/* Writes one row of llm_traces. `columns` is a JSON object by column name,
 * without prompt_messages: it is large, and PostgreSQL need not parse it so. */
void journal_trace(struct journal_entry *e, struct str columns,
                   struct str prompt_messages);

/* Answers when everything written so far has been committed. */
struct journal_sync {
    struct op op; /* first */
    struct journal_entry *entry;
    uint64_t ticket;
    struct journal_sync *next;
};
void journal_sync_begin(struct flow *f, struct journal_sync *s,
                        struct journal_entry *e);

/* Answers when there is room to write more: at once, or after enough of what is
 * pending was committed, in the order of the waiting flows. */
struct journal_room {
    struct op op; /* first */
    struct journal_entry *entry;
    struct journal_room *next;
};
void journal_room_begin(struct flow *f, struct journal_room *r,
                        struct journal_entry *e);

/* The run has ended and its message row is written. `frame` is the rendered
 * terminal event: readers get it last. */
void journal_end(struct journal_entry *e, struct str frame);

/* ---- reading ------------------------------------------------------------ */

struct journal_reader {
    /* In */
    char message_id[UUID_SIZE];
    int64_t at; /* number of the last event that it has; 0: none */
    /* Called from the loop with whole frames that follow `at` without a gap.
     * False: it does not take them and will read the table. */
    bool (*on_frames)(struct journal_reader *r, struct str frames);
    /* The terminal event: the last call, unless it answers false. */
    bool (*on_end)(struct journal_reader *r, struct str frame);
    void *who;
    /* Woken when the table may have more than came through on_frames. */
    struct wake wake;
    bool ended;
    bool full; /* set by its owner: no frames now, it will read the table */
    bool cut;  /* the run was given up: end the stream */
    /* private */
    struct journal_reader *prev, *next;
    struct journal *journal;
    uint64_t ask_again;
};

/* Adds and removes a reader. */
void journal_follow(struct journal *j, struct journal_reader *r);
void journal_unfollow(struct journal_reader *r);
/* True when it has every batch of its run that this process has committed. */
bool journal_reader_is_current(const struct journal_reader *r);
/* True while this process writes that run and knows the number of its next
 * event. */
bool journal_writes(const struct journal *j, const char *message_id);
/* The frames of a batch after number `after`. */
struct str journal_frames_after(struct str frames, int64_t after);
/* Wakes the readers of a run: another process has written. */
void journal_wake_readers(struct journal *j, struct str message_id);
/* Asks the process that writes the run for notices about new events. The
 * request is valid for some seconds: repeat it with every read. */
void journal_reader_request_notices(struct journal_reader *r);
/* Ends the streams of a run that this process has given up. */
void journal_end_readers(struct journal *j, const char *message_id);
