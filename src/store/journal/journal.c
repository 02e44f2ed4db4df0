/* journal.c - the journal's entries, their queue, and their syncs.
 *
 * A write is appended to the pending bytes of its entry, and the entry to a
 * queue. A flush takes entries from the head of the queue into one text. That
 * is a single parameter of the statement; arrays of offsets say what is where,
 * so nothing is escaped or copied again. There is one flush at a time; later
 * writes wait for the next. */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "journal_state.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* ---- entries ------------------------------------------------------------ */

struct journal_entry *journal_attach(struct journal *j, const char *message_id,
                                     int epoch, int64_t next,
                                     void (*on_lost)(void *who, enum err why),
                                     void *who)
{
    struct journal_entry *e = mem_new(struct journal_entry);
    memcpy(e->message_id, message_id, UUID_SIZE);
    e->journal = j;
    e->epoch = epoch;
    e->unplaced = !next;
    e->first = e->next = next ? next : 1;
    e->committed = e->next - 1;
    e->on_lost = on_lost;
    e->who = who;
    e->phase = PHASE_COUNT + 1;
    e->next_entry = j->entries;
    if (j->entries)
        j->entries->prev_entry = e;
    j->entries = e;
    j->stats.entries++;
    entry_find_followers(e);
    return e;
}

struct journal_entry *journal_attach_unstored(struct journal *j,
                                              const char *message_id)
{
    struct journal_entry *e = journal_attach(j, message_id, 0, 1, NULL, NULL);
    e->unstored = true;
    return e;
}

void journal_seek(struct journal_entry *e, int64_t next)
{
    assert(!e->frames.len && e->first == e->next && "events were written");
    e->first = e->next = next;
    e->committed = next - 1;
    e->unplaced = false;
}

/* ---- the queue ---------------------------------------------------------- */

bool entry_dirty(const struct journal_entry *e)
{
    return e->queued;
}

void entry_dequeue(struct journal_entry *e)
{
    struct journal *j = e->journal;
    *(e->prev_dirty ? &e->prev_dirty->next_dirty : &j->dirty_first) =
        e->next_dirty;
    *(e->next_dirty ? &e->next_dirty->prev_dirty : &j->dirty_last) =
        e->prev_dirty;
    e->prev_dirty = e->next_dirty = NULL;
    e->queued = false;
    j->pending -= entry_pending(e);
}

/* Queues the entry after a write of `bytes`; it keeps its place in the
 * queue. */
static void entry_enqueue(struct journal_entry *e, size_t bytes)
{
    struct journal *j = e->journal;
    e->ticket++;
    if (!e->queued) {
        e->queued = true;
        e->prev_dirty = j->dirty_last;
        *(j->dirty_last ? &j->dirty_last->next_dirty : &j->dirty_first) = e;
        j->dirty_last = e;
        if (j->dirty_first == e)
            wake_up(&j->wake);
    }
    j->pending += bytes;
}

/* ---- the end of an entry ------------------------------------------------ */

static void entry_drop_pending(struct journal_entry *e)
{
    if (e->queued)
        entry_dequeue(e);
    e->phase_dirty = false;
    buf_done(&e->frames);
    pieces_done(&e->artifacts);
    pieces_done(&e->traces);
}

void entry_free(struct journal_entry *e)
{
    entry_drop_pending(e);
    *(e->prev_entry ? &e->prev_entry->next_entry : &e->journal->entries) =
        e->next_entry;
    if (e->next_entry)
        e->next_entry->prev_entry = e->prev_entry;
    e->journal->stats.entries--;
    mem_free(e);
}

void journal_detach(struct journal_entry **at)
{
    struct journal_entry *e = *at;
    *at = NULL;
    if (!e)
        return;
    assert(!e->syncs && "a sync outlives its entry");
    e->detached = true;
    e->on_lost = NULL;
    if (!entry_dirty(e) && !e->flying)
        entry_free(e);
}

static void entry_fail_syncs(struct journal_entry *e, enum err why)
{
    while (e->syncs) {
        struct journal_sync *s = e->syncs;
        e->syncs = s->next;
        op_complete(&s->op, why);
    }
}

void entry_lose(struct journal_entry *e, enum err why)
{
    if (e->lost)
        return;
    e->lost = true;
    entry_drop_pending(e);
    log_event(
        LOG_WARN, "run moved on",
        (struct log_field[]){{"run", str_of(e->message_id)}, {NULL, {0}}});
    entry_fail_syncs(e, why);
    if (e->on_lost)
        e->on_lost(e->who, ERR_CONFLICTING_WRITE);
}

void entry_refuse(struct journal_entry *e, int64_t first)
{
    log_event(
        LOG_ERROR, "run's record refused",
        (struct log_field[]){{"run", str_of(e->message_id)}, {NULL, {0}}});
    if (e->refused || e->lost) {
        entry_lose(e, ERR_CONFLICTING_WRITE);
        return;
    }
    e->refused = true;
    entry_drop_pending(e);
    e->first = e->next = first; /* no reader has them */
    entry_fail_syncs(e, ERR_INTERNAL);
    if (e->on_lost)
        e->on_lost(e->who, ERR_INTERNAL);
}

/* ---- writing ------------------------------------------------------------ */

int64_t journal_last(const struct journal_entry *e)
{
    return e->next - 1;
}

struct json_writer *journal_event(struct journal_entry *e, enum event_type type)
{
    struct journal *j = e->journal;
    struct json_writer *w = &j->event_writer;
    buf_clear(&j->event);
    json_writer_init(w, &j->event);
    j->event_type = type;
    json_put_object(w);
    json_field_text(w, "type", event_word(type));
    return w;
}

/* Replaces control characters, which raw JSON may contain: data of an SSE frame
 * is one line. It tests eight bytes at once: subtracting 0x20 from each sets a
 * top bit if one of them is below 0x20. */
static void event_put_on_one_line(struct buf *event)
{
    uint64_t eight;
    for (size_t at = 0; at < event->len; at += sizeof eight) {
        size_t n =
            event->len - at < sizeof eight ? event->len - at : sizeof eight;
        if (n == sizeof eight) {
            memcpy(&eight, event->ptr + at, sizeof eight);
            if (!((eight - 0x2020202020202020u) & ~eight & 0x8080808080808080u))
                continue;
        }
        for (size_t i = at; i < at + n; i++)
            if ((unsigned char)event->ptr[i] < 0x20)
                event->ptr[i] = ' ';
    }
}

/* Renders the event as an SSE frame. */
static void entry_put_frame(struct journal_entry *e)
{
    const struct journal *j = e->journal;
    struct buf *out = &e->frames;
    buf_reserve(out, j->event.len + 64);
    buf_text(out, "event: ");
    buf_text(out, event_word(j->event_type));
    buf_text(out, "\ndata: ");
    buf_str(out, buf_view(&j->event));
    buf_text(out, "\nid: ");
    buf_int(out, e->next++);
    buf_text(out, "\n\n");
}

void journal_event_end(struct journal_entry *e)
{
    struct journal *j = e->journal;
    json_put_object_end(&j->event_writer);
    if (e->unstored) {
        buf_done(&j->event);
        return;
    }
    event_put_on_one_line(&j->event);
    if (j->event.len > EVENT_DEFER_BYTES)
        event_defer_large(&j->event);
    if (e->frames.len + j->event.len > JOURNAL_MAX_PENDING)
        entry_lose(e, ERR_CONFLICTING_WRITE);
    if (e->lost)
        return;
    size_t before = e->frames.len;
    entry_put_frame(e);
    if (j->event.cap > EVENT_DEFER_BYTES)
        buf_done(&j->event);
    j->stats.events++;
    entry_enqueue(e, e->frames.len - before);
}

void journal_artifact(struct journal_entry *e, const char *kind,
                      struct str body)
{
    if (e->lost || e->unstored)
        return;
    pieces_put(&e->artifacts, kind, body);
    entry_enqueue(e, body.len);
}

void journal_trace(struct journal_entry *e, struct str columns,
                   struct str prompt_messages)
{
    if (e->lost || e->unstored)
        return;
    pieces_add_trace(&e->traces, columns, prompt_messages);
    entry_enqueue(e, columns.len + prompt_messages.len);
}

void journal_phase(struct journal_entry *e, enum phase phase, int revision)
{
    bool stands = e->phase == phase && e->revision == revision &&
                  e->phase_after == e->next - 1;
    if (stands)
        return; /* written already, when the phase before it ended */
    e->phase = phase;
    e->revision = revision;
    e->phase_after = e->next - 1;
    e->phase_dirty = true;
    if (!e->lost && !e->unstored)
        entry_enqueue(e, 0);
}

void journal_tokens(struct journal_entry *e, const char *tokens)
{
    snprintf(e->tokens, sizeof e->tokens, "%s", tokens);
}

/* ---- syncs -------------------------------------------------------------- */

static void sync_cancel(struct op *op)
{
    struct journal_sync *s = (struct journal_sync *)op;
    struct journal_sync **at = &s->entry->syncs;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    op_complete(op, ERR_CANCELLED);
}

void journal_sync_begin(struct flow *f, struct journal_sync *s,
                        struct journal_entry *e)
{
    *s = (struct journal_sync){.entry = e, .ticket = e->ticket};
    begin(f, &s->op, "journal", sync_cancel);
    if (e->lost) {
        op_complete(&s->op, ERR_CONFLICTING_WRITE);
        return;
    }
    if (!entry_dirty(e) && !e->flying) {
        op_complete(&s->op, OK);
        return;
    }
    s->next = e->syncs;
    e->syncs = s;
    e->journal->urgent = true;
    wake_up(&e->journal->wake);
}

void entry_answer_syncs(struct journal_entry *e)
{
    struct journal_sync **at = &e->syncs;
    while (*at) {
        struct journal_sync *s = *at;
        if (s->ticket > e->done_ticket) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        op_complete(&s->op, OK);
    }
}

/* ---- open and close ----------------------------------------------------- */

struct journal *journal_open(struct pool *system, struct notices *notices)
{
    struct journal *j = mem_new(struct journal);
    j->system = system;
    j->waiting_last = &j->waiting;
    j->notices = notices;
    j->hearer.hear = journal_on_notice;
    if (notices)
        notices_add_listener(notices, &j->hearer);
    writer_start(j);
    return j;
}

void journal_close(struct journal **at)
{
    struct journal *j = *at;
    *at = NULL;
    if (!j)
        return;
    for (int i = 0; i < BUCKETS; i++)
        while (j->readers[i])
            journal_unfollow(j->readers[i]);
    if (j->notices)
        notices_remove_listener(j->notices, &j->hearer);
    j->notices = NULL;
    j->closing = true;
    wake_up(&j->wake);
}

struct journal_stats journal_stats(const struct journal *j)
{
    return j->stats;
}
