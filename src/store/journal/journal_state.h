/* journal_state.h - the inside of the journal: entries and their queue
 * (journal.c), the writer (journal_writer.c), flows that wait for room
 * (journal_room.c), readers here and in other processes (journal_readers.c). */
#pragma once
#include "journal_batch.h"
#include "store/notices.h"

enum { BUCKETS = 256, FOLLOWED_MOST = 256 };

struct journal {
    struct pool *system;
    struct notices *notices; /* may be NULL */
    struct notice_listener hearer;
    struct journal_entry *entries; /* all */
    struct journal_entry *dirty_first, *dirty_last;
    struct journal_reader *readers[BUCKETS]; /* by message id */
    struct
        followed_run { /* other processes read it; this one may write it soon */
        char message_id[UUID_SIZE];
        uint64_t until;
    } followed[FOLLOWED_MOST];
    unsigned next_followed;
    /* The event that is being written, of one entry at a time. */
    struct buf event;
    struct json_writer event_writer;
    enum event_type event_type;
    size_t pending;                               /* bytes, of all entries */
    struct journal_room *waiting, **waiting_last; /* for room */
    struct wake wake;
    struct wait wait; /* the writer's: it never leaves its frame */
    struct pause pause;
    bool closing, urgent;
    struct journal_batch batch; /* in flight */
    struct journal_stats stats;
    uint64_t flush_us; /* when the batch in flight was sent */
    unsigned retry_ms, refusals;
};

struct journal_entry *entry_find(const struct journal *j,
                                 const char *message_id);
bool entry_dirty(const struct journal_entry *e);
void entry_free(struct journal_entry *e);
/* Removes it from the queue, for a batch. */
void entry_dequeue(struct journal_entry *e);
void entry_answer_syncs(struct journal_entry *e);
/* The run has another epoch: drops all writes, now and later. */
void entry_lose(struct journal_entry *e, enum err why);
/* The database rejects its writes from event number `first`: drops them. The
 * second time the entry is lost. */
void entry_refuse(struct journal_entry *e, int64_t first);

/* Answers flows that wait, as far as there is room. */
void rooms_grant(struct journal *j);

void writer_start(struct journal *j);

/* Hands committed frames first..last to readers in this process. */
void readers_deliver(const struct journal_entry *e, int64_t first, int64_t last,
                     struct str frames);
/* Sends a notice, if other processes read it. */
void readers_notify(const struct journal_entry *e);
/* Finds requests of other processes from before it was attached. */
void entry_find_followers(struct journal_entry *e);
void journal_on_notice(struct notice_listener *h, enum notice what,
                       struct str id);
