/* journal_batch.h - one flush of the journal as the parameters of a statement.
 */
#pragma once
#include "db/query.h"
#include "store/journal.h"

/* Texts waiting to be written; `kind` NULL for traces. */
struct piece {
    const char *kind;
    size_t at, len; /* in bytes */
};

struct pieces {
    struct piece *items;
    size_t n, cap;
    struct buf bytes;
};

void pieces_add(struct pieces *p, const char *kind, struct str body);
void pieces_put(struct pieces *p, const char *kind, struct str body);
void pieces_done(struct pieces *p);

struct journal_entry {
    struct journal *journal;
    struct journal_entry *prev_entry, *next_entry;
    char message_id[UUID_SIZE];
    int epoch;
    int64_t first;     /* of the frames pending */
    int64_t next;      /* number of the next event */
    int64_t committed; /* number of the last one written */
    uint64_t ticket, done_ticket;
    struct buf frames; /* rendered, pending */
    struct buf event;  /* being put together */
    struct json_writer writer;
    enum event_type type;
    struct pieces artifacts, traces;
    enum phase phase;
    int revision;
    int64_t phase_after; /* number of the last event before the phase */
    bool phase_dirty, flying, lost, detached;
    struct journal_sync *syncs;
    void (*on_lost)(void *who);
    void *who;
};

struct batch_item {
    struct journal_entry *entry;
    int64_t first, last; /* of its events; last < first: none */
    uint64_t ticket;
    size_t at, len; /* of its frames in the blob */
    struct str frames;
};

struct journal_batch {
    struct batch_item *items;
    size_t n, cap;
    struct buf blob;
    /* PostgreSQL array literals, one element an item, artifact or trace */
    struct buf ids, epochs, firsts, lasts, ats, lens, phases, revisions, afters;
    struct buf artifact_items, artifact_kinds, artifact_ats, artifact_lens;
    struct buf trace_items, trace_ats, trace_lens;
    struct query *query;
};

extern const struct statement journal_write_statement;

void batch_clear(struct journal_batch *b);
void batch_done(struct journal_batch *b);
/* Moves what is pending of e into the batch. */
void batch_add(struct journal_batch *b, struct journal_entry *e);
void batch_params(struct journal_batch *b, struct query *q);
static inline void batch_query(struct journal_batch *b, struct query *q)
{
    b->query = q;
}

/* In a rendered event over EVENT_DEFER_BYTES, `charts`, `data` and `yaml` become
 * {"deferred":true,"bytes":n}. */
void event_defer_large(struct buf *event);
