/* journal_room.c - back-pressure: writers that can wait do, while too many
 * bytes are pending. */
#include "journal_state.h"
#include "base/banned.h"

/* What a writer writes next, on average: a reply, its trace and its events. */
enum { ENTRY_BYTES = 16 * 1024 };

static bool has_room(const struct journal_entry *e)
{
    const struct journal *j = e->journal;
    return entry_pending(e) <= JOURNAL_ROOM_RUN &&
           j->pending + j->batch.blob.len <= JOURNAL_ROOM;
}

static void room_cancel(struct op *op)
{
    struct journal_room *r = (struct journal_room *)op;
    struct journal *j = r->entry->journal;
    struct journal_room **at = &j->waiting;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    if (!r->next)
        j->waiting_last = at;
    op_complete(op, ERR_CANCELLED);
}

void journal_room_begin(struct flow *f, struct journal_room *r,
                        struct journal_entry *e)
{
    struct journal *j = e->journal;
    *r = (struct journal_room){.entry = e};
    begin(f, &r->op, "journal room", room_cancel);
    if (e->lost || e->unstored || (!j->waiting && has_room(e))) {
        op_complete(&r->op, e->lost ? ERR_CONFLICTING_WRITE : OK);
        return;
    }
    *j->waiting_last = r;
    j->waiting_last = &r->next;
    j->urgent = true;
    wake_up(&j->wake);
}

/* Not all at once: each of them will write. */
void rooms_grant(struct journal *j)
{
    size_t taken = j->pending + j->batch.blob.len;
    while (j->waiting && taken <= JOURNAL_ROOM &&
           (j->waiting->entry->lost || has_room(j->waiting->entry))) {
        struct journal_room *r = j->waiting;
        j->waiting = r->next;
        if (!j->waiting)
            j->waiting_last = &j->waiting;
        taken += ENTRY_BYTES;
        op_complete(&r->op, r->entry->lost ? ERR_CONFLICTING_WRITE : OK);
    }
}
