/* journal_state.h - the journal inside: entries and the queue of those that have
 * something to write (journal.c), the writer (journal_writer.c), who waits for
 * room (journal_room.c), readers and what other processes read
 * (journal_readers.c). */
#pragma once
#include "journal_batch.h"
#include "store/notices.h"

enum { BUCKETS = 256, FOLLOWED_MOST = 256 };

struct journal {
    struct pool *system;
    struct notices *notices; /* NULL: none to tell */
    struct notice_hearer hearer;
    struct flow *writer;
    struct journal_entry *entries; /* all */
    struct journal_entry *dirty_first, *dirty_last;
    struct journal_reader *readers[BUCKETS]; /* by message id */
    struct followed { /* runs that others read, but nobody writes here yet */
        char message_id[UUID_SIZE];
        uint64_t until;
    } followed[FOLLOWED_MOST];
    unsigned next_followed;
    /* The event that is being put together, of one entry at a time. */
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
    uint64_t flush_us; /* when the batch under way was sent */
    unsigned retry_ms, refusals;
};

struct journal_entry *entry_find(const struct journal *j,
                                 const char *message_id);
bool entry_dirty(const struct journal_entry *e);
void entry_free(struct journal_entry *e);
/* Out of the queue, because it goes into a batch. */
void entry_take(struct journal_entry *e);
void entry_answer_syncs(struct journal_entry *e);
/* Its run has moved on: it writes no more. */
void entry_lose(struct journal_entry *e, enum err why);
/* The database does not take what it wrote from number `first` on: that is
 * dropped, once; a second time it is lost. */
void entry_refuse(struct journal_entry *e, int64_t first);

/* To those that wait for it, as far as there is. */
void rooms_give(struct journal *j);

void writer_start(struct journal *j);

/* Frames first..last of the entry are committed. */
void readers_tell(const struct journal_entry *e, int64_t first, int64_t last,
                  struct str frames);
/* Other processes read it: they are told that there is more. */
void readers_elsewhere(const struct journal_entry *e);
/* Whether somebody elsewhere said so before it was attached. */
void entry_recall_followers(struct journal_entry *e);
void journal_on_notice(struct notice_hearer *h, enum notice what,
                       struct str id);
