/* journal_batch.h - one flush of the journal as parameters of a statement.
 *
 *   item    what one entry had pending
 *   window  the items that the next statement writes: all, or after an error
 *           one half after the other, down to the item that fails */
#pragma once
#include "../rows.h"
#include "store/journal.h"

/* A pending text. `kind` is empty for a trace, whose columns are followed by
 * its prompt. */
struct journal_piece {
    char kind[JOURNAL_KIND_SIZE];
    size_t at, len, prompt; /* in bytes */
};

struct journal_pieces {
    struct journal_piece *items;
    size_t n, cap;
    struct buf bytes;
};

/* pieces_put replaces an earlier text of that kind. */
void pieces_add(struct journal_pieces *p, const char *kind, struct str body);
void pieces_add_trace(struct journal_pieces *p, struct str columns,
                      struct str prompt);
void pieces_put(struct journal_pieces *p, const char *kind, struct str body);
void pieces_done(struct journal_pieces *p);

struct journal_entry {
    struct journal *journal;
    struct journal_entry *prev_entry, *next_entry; /* all */
    struct journal_entry *prev_dirty,
        *next_dirty; /* in the order of their first write */
    char message_id[UUID_SIZE];
    int epoch;
    int64_t first;     /* number of the first pending event */
    int64_t next;      /* number of the next event */
    int64_t committed; /* number of the last one written */
    uint64_t ticket, done_ticket;
    struct buf frames; /* rendered, pending */
    struct journal_pieces artifacts, traces;
    enum phase phase;
    int revision;
    int64_t phase_after; /* number of the last event before the phase */
    char tokens[JOURNAL_TOKENS_SIZE]; /* "": not known, or not changed */
    bool phase_dirty, queued, flying, lost, detached, refused;
    bool unplaced;          /* the number of its next event is not known yet */
    bool unstored;          /* drops all that is written */
    uint64_t watched_until; /* until then another process reads it; 0: none */
    struct journal_sync *syncs;
    void (*on_lost)(void *who, enum err why);
    void *who;
};

size_t entry_pending(const struct journal_entry *e); /* bytes */

struct batch_item {
    struct journal_entry *entry;
    int64_t first, last; /* of its events; last < first: none */
    uint64_t ticket;
    size_t begin, end; /* of all its texts in the blob */
    size_t at, len;    /* of its frames in the blob */
    struct str frames; /* after batch_params */
    size_t piece, n_pieces;
    const char *phase; /* "": not changed */
    int revision;
    int64_t phase_after;
};

struct journal_batch {
    struct batch_item *items;
    size_t n, cap;
    struct journal_piece *pieces; /* in the blob */
    size_t n_pieces, cap_pieces;
    struct buf blob;
    size_t from, to; /* the window */
    bool again;      /* some of it may have been written already */
    struct query *query;
};

/* Answers the items that it wrote; those whose run has another epoch are
 * missing. */
#define WRITTEN_ROW(FIRST, X) \
    FIRST(uuid, message_id, "id") \
    X(int32, epoch, "epoch")
#define WRITTEN_COLUMNS ROW_SQL(WRITTEN_ROW)
ROW_STRUCT(written_row, WRITTEN_ROW);
extern const struct statement journal_write_statement,
    journal_write_again_statement;

/* Empties a batch; batch_done also frees its memory. */
void batch_clear(struct journal_batch *b);
void batch_done(struct journal_batch *b);
/* Moves what e has pending into the batch; the window becomes all items. */
void batch_add(struct journal_batch *b, struct journal_entry *e);
/* Adds the parameters of the window's items; allocates in f's frame. */
void batch_params(struct journal_batch *b, struct flow *f, struct query *q);
/* After an error: halves the window. False: it has one item. */
bool batch_halve(struct journal_batch *b);
/* Moves the window to the remaining items. False: the batch is done. */
bool batch_advance(struct journal_batch *b);

/* In a rendered event over EVENT_DEFER_BYTES, `charts`, `data` and `yaml`
 * become {"deferred":true,"bytes":n}. */
void event_defer_large(struct buf *event);
