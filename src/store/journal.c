/* journal.c - see journal.h.
 *
 * What a run writes goes into its entry's `pending` bytes; a flush moves the
 * pending bytes of all dirty entries into one text, which travels as a single
 * parameter beside arrays of offsets, so that nothing is escaped or copied a
 * second time. Only one flush is in flight; what comes meanwhile is the next. */
#include "store/journal.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "db/query.h"
#include "journal_batch.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    BATCH_BYTES = 1024 * 1024, /* a flush takes entries until it is this large */
    RETRY_MS = 250,
    RETRY_MAX_MS = 4000,
    REFUSALS_MOST = 3, /* of one batch, by the database itself */
};

struct journal {
    struct pool *system;
    struct flow *writer;
    struct journal_entry *entries; /* all */
    struct journal_reader *readers;
    struct wake wake;
    struct wait wait; /* the writer's: it never leaves its frame */
    struct pause pause;
    bool closing, urgent, dirty;
    struct journal_batch batch; /* in flight */
    struct journal_stats stats;
    uint64_t flush_us; /* when the batch under way was sent */
    unsigned retry_ms, refusals;
};

/* ---- entries ------------------------------------------------------------ */

struct journal_entry *journal_attach(struct journal *j, const char *message_id,
                                     int epoch, int64_t next,
                                     void (*on_lost)(void *who), void *who)
{
    struct journal_entry *e = mem_new(struct journal_entry);
    memcpy(e->message_id, message_id, UUID_SIZE);
    e->journal = j;
    e->epoch = epoch;
    e->first = e->next = next;
    e->committed = next - 1;
    e->on_lost = on_lost;
    e->who = who;
    e->phase = PHASE_COUNT + 1;
    e->next_entry = j->entries;
    if (j->entries)
        j->entries->prev_entry = e;
    j->entries = e;
    j->stats.entries++;
    return e;
}

void journal_seek(struct journal_entry *e, int64_t next)
{
    assert(!e->frames.len && e->first == e->next && "events were written");
    e->first = e->next = next;
    e->committed = next - 1;
}

static void entry_free(struct journal_entry *e)
{
    *(e->prev_entry ? &e->prev_entry->next_entry : &e->journal->entries) =
        e->next_entry;
    if (e->next_entry)
        e->next_entry->prev_entry = e->prev_entry;
    e->journal->stats.entries--;
    buf_done(&e->frames);
    buf_done(&e->event);
    pieces_done(&e->artifacts);
    pieces_done(&e->traces);
    mem_free(e);
}

static bool entry_dirty(const struct journal_entry *e)
{
    return !e->lost && (e->frames.len || e->artifacts.n || e->traces.n ||
                        e->phase_dirty);
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

static void mark_dirty(struct journal_entry *e)
{
    struct journal *j = e->journal;
    e->ticket++;
    if (!j->dirty) {
        j->dirty = true;
        wake_up(&j->wake);
    }
}

static void lose(struct journal_entry *e)
{
    if (e->lost)
        return;
    e->lost = true;
    log_event(LOG_WARN, "run moved on", (struct log_field[]){
        {"run", str_of(e->message_id)}, {NULL, {0}}});
    while (e->syncs) {
        struct journal_sync *s = e->syncs;
        e->syncs = s->next;
        op_answer(&s->op, ERR_CONFLICTING_WRITE);
    }
    if (e->on_lost)
        e->on_lost(e->who);
}

int64_t journal_last(const struct journal_entry *e)
{
    return e->next - 1;
}

struct json_writer *journal_event(struct journal_entry *e, enum event_type type)
{
    buf_clear(&e->event);
    json_write_to(&e->writer, &e->event);
    e->type = type;
    json_put_object(&e->writer);
    json_field_text(&e->writer, "type", event_word(type));
    return &e->writer;
}

void journal_event_end(struct journal_entry *e)
{
    json_put_object_end(&e->writer);
    for (size_t i = 0; i < e->event.len; i++)
        if ((unsigned char)e->event.ptr[i] < 0x20)
            e->event.ptr[i] = ' '; /* data is one line, whatever was put raw */
    if (e->event.len > EVENT_DEFER_BYTES)
        event_defer_large(&e->event);
    if (e->frames.len + e->event.len > JOURNAL_MAX_PENDING) {
        lose(e);
        return;
    }
    buf_printf(&e->frames, "event: %s\ndata: ", event_word(e->type));
    buf_str(&e->frames, buf_view(&e->event));
    buf_printf(&e->frames, "\nid: %lld\n\n", (long long)e->next++);
    if (e->event.cap > 2 * 1024)
        buf_done(&e->event);
    e->journal->stats.events++;
    mark_dirty(e);
}

void journal_artifact(struct journal_entry *e, const char *kind, struct str body)
{
    pieces_put(&e->artifacts, kind, body);
    mark_dirty(e);
}

void journal_trace(struct journal_entry *e, struct str row)
{
    pieces_add(&e->traces, NULL, row);
    mark_dirty(e);
}

void journal_phase(struct journal_entry *e, enum phase phase, int revision)
{
    e->phase = phase;
    e->revision = revision;
    e->phase_after = e->next - 1;
    e->phase_dirty = true;
    mark_dirty(e);
}

/* ---- syncs -------------------------------------------------------------- */

static void sync_cancel(struct op *op)
{
    struct journal_sync *s = (struct journal_sync *)op;
    struct journal_sync **at = &s->entry->syncs;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    op_answer(op, ERR_CANCELLED);
}

void journal_sync_begin(struct flow *f, struct journal_sync *s,
                        struct journal_entry *e)
{
    *s = (struct journal_sync){.entry = e, .ticket = e->ticket};
    begin(f, &s->op, "journal", sync_cancel);
    if (e->lost) {
        op_answer(&s->op, ERR_CONFLICTING_WRITE);
        return;
    }
    if (!entry_dirty(e) && !e->flying) {
        op_answer(&s->op, OK);
        return;
    }
    s->next = e->syncs;
    e->syncs = s;
    e->journal->urgent = true;
    wake_up(&e->journal->wake);
}

static void answer_syncs(struct journal_entry *e)
{
    struct journal_sync **at = &e->syncs;
    while (*at) {
        struct journal_sync *s = *at;
        if (s->ticket > e->done_ticket) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        op_answer(&s->op, OK);
    }
}

/* ---- readers ------------------------------------------------------------ */

void journal_follow(struct journal *j, struct journal_reader *r)
{
    r->journal = j;
    r->prev = NULL;
    r->next = j->readers;
    if (j->readers)
        j->readers->prev = r;
    j->readers = r;
}

void journal_unfollow(struct journal_reader *r)
{
    if (!r->journal)
        return;
    *(r->prev ? &r->prev->next : &r->journal->readers) = r->next;
    if (r->next)
        r->next->prev = r->prev;
    r->journal = NULL;
}

bool journal_writes(const struct journal *j, const char *message_id)
{
    for (const struct journal_entry *e = j->entries; e; e = e->next_entry)
        if (!e->detached && !e->lost && !strcmp(e->message_id, message_id))
            return true;
    return false;
}

bool journal_reader_fed(const struct journal_reader *r)
{
    for (const struct journal_entry *e = r->journal->entries; e;
         e = e->next_entry)
        if (!strcmp(e->message_id, r->message_id))
            return r->at >= e->committed;
    return false;
}

/* The frame behind the one that ends with "\nid: <n>\n\n" and n <= after. */
struct str journal_frames_after(struct str frames, int64_t after)
{
    struct str rest = frames;
    for (ptrdiff_t at; (at = str_find(rest, STR("\nid: "))) >= 0;) {
        struct str number = str_from(rest, (size_t)at + 5);
        ptrdiff_t end = str_find_char(number, '\n');
        int64_t id = 0;
        if (end < 0 || !str_to_int64(str_cut(number, 0, (size_t)end), &id) ||
            id > after)
            break;
        rest = str_from(number, (size_t)end + 2);
    }
    return rest;
}

void journal_nudge(struct journal *j, struct str message_id)
{
    for (struct journal_reader *r = j->readers; r; r = r->next)
        if (str_is(message_id, r->message_id))
            wake_up(&r->wake);
}

/* Frames first..last of a run are committed. */
static void tell_readers(struct journal *j, const struct journal_entry *e,
                         int64_t first, int64_t last, struct str frames)
{
    struct journal_reader *next;
    for (struct journal_reader *r = j->readers; r; r = next) {
        next = r->next;
        if (strcmp(r->message_id, e->message_id) || r->ended || r->at >= last)
            continue;
        if (r->at + 1 != first) {
            wake_up(&r->wake); /* it has a gap: the table knows */
            continue;
        }
        r->at = last;
        r->on_frames(r, frames);
    }
}

void journal_end(struct journal_entry *e, struct str frame)
{
    struct journal_reader *next;
    for (struct journal_reader *r = e->journal->readers; r; r = next) {
        next = r->next;
        if (strcmp(r->message_id, e->message_id) || r->ended)
            continue;
        if (r->at == e->next - 1) {
            r->ended = true;
            r->on_end(r, frame);
        }
        wake_up(&r->wake);
    }
}

/* ---- the writer --------------------------------------------------------- */

static struct next writer_begin(struct flow *f), something_dirty(struct flow *f),
    batch_due(struct flow *f), batch_written(struct flow *f),
    batch_failed(struct flow *f), retry_due(struct flow *f),
    flush_begin(struct flow *f), flushed(struct flow *f);

static struct next writer_begin(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    if (j->dirty || j->batch.n)
        return go(f, something_dirty);
    if (j->closing)
        return back(f);
    wait_begin(f, &j->wait, &j->wake, 0);
    return await(f, something_dirty);
}

static struct next something_dirty(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    if (!j->dirty && !j->batch.n)
        return go(f, writer_begin);
    if (j->urgent || j->closing || j->batch.n)
        return go(f, batch_due);
    j->wake.pending = false; /* what it told is known: gather for a while */
    wait_begin(f, &j->wait, &j->wake, JOURNAL_LATE_MS);
    return await(f, batch_due);
}

static struct next batch_due(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    return attempt(f, flush_begin, j, batch_written, batch_failed);
}

/* Takes what is pending of as many entries as fit. */
static void gather(struct journal *j)
{
    j->dirty = j->urgent = false;
    batch_clear(&j->batch);
    for (struct journal_entry *e = j->entries; e; e = e->next_entry) {
        if (!entry_dirty(e))
            continue;
        if (j->batch.blob.len > BATCH_BYTES) {
            j->dirty = true;
            break;
        }
        batch_add(&j->batch, e);
    }
}

static struct next flush_begin(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    if (j->batch.n == 0)
        gather(j);
    if (j->batch.n == 0)
        return back(f);
    struct query *q = query_new(f, j->system, &journal_write_statement);
    batch_params(&j->batch, q);
    j->flush_us = clock_us();
    query_begin(f, q);
    batch_query(&j->batch, q);
    return await(f, flushed);
}

/* Two entries may be of one run: one lost it, the other took it over. */
static bool kept(const struct query *q, const struct journal_entry *e)
{
    for (int i = 0; i < q->n_rows; i++)
        if (str_is(query_cell(q, i, 0), e->message_id) &&
            query_cell_int(q, i, 1) == e->epoch)
            return true;
    return false;
}

static void settle(struct journal *j, struct journal_entry *e, bool written,
                   const struct batch_item *item)
{
    e->flying = false;
    if (written) {
        e->done_ticket = item->ticket;
        e->committed = item->last;
        if (item->frames.len)
            tell_readers(j, e, item->first, item->last, item->frames);
        answer_syncs(e);
    } else {
        lose(e);
    }
    if (e->detached && !entry_dirty(e))
        entry_free(e);
}

static struct next flushed(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    const struct query *q = j->batch.query;
    for (size_t i = 0; i < j->batch.n; i++) {
        struct batch_item *item = &j->batch.items[i];
        settle(j, item->entry, kept(q, item->entry), item);
    }
    j->stats.commits++;
    histogram_add(&j->stats.flushes, clock_us() - j->flush_us);
    j->stats.bytes += j->batch.blob.len;
    batch_clear(&j->batch);
    return back(f);
}

static struct next batch_written(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    j->retry_ms = j->refusals = 0;
    return go(f, writer_begin);
}

/* The database is up and does not take it: waiting will not help, and nobody
 * else's events may wait behind it. */
static void give_batch_up(struct journal *j)
{
    for (size_t i = 0; i < j->batch.n; i++) {
        struct journal_entry *e = j->batch.items[i].entry;
        e->flying = false;
        lose(e);
        if (e->detached && !entry_dirty(e))
            entry_free(e);
    }
    j->refusals = 0;
    batch_clear(&j->batch);
}

/* The batch stays as it is and is written again: a commit whose answer was lost
 * makes the second attempt a conflict on (message_id, first), which is ignored
 * by the statement. */
static struct next batch_failed(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    j->stats.failures++;
    j->retry_ms = j->retry_ms ? j->retry_ms * 2 : RETRY_MS;
    if (j->retry_ms > RETRY_MAX_MS)
        j->retry_ms = RETRY_MAX_MS;
    log_line(LOG_ERROR, "journal not written", "%s, again in %u ms",
             err_name(failure(f)), j->retry_ms);
    if (failure(f) == ERR_INTERNAL && ++j->refusals >= REFUSALS_MOST)
        give_batch_up(j);
    if (j->closing)
        return back(f);
    pause_begin(f, &j->pause, j->retry_ms);
    return await(f, retry_due);
}

static struct next retry_due(struct flow *f)
{
    return go(f, batch_due);
}

static void writer_start(struct journal *j);

/* Without a writer nothing would be stored any more: one whose memory ran out
 * is followed by another, which finds the batch as it was. */
static void writer_ended(struct flow *f, enum err how, void *who)
{
    (void)f;
    struct journal *j = who;
    if (how != OK) {
        log_line(LOG_ERROR, "journal's writer ended", "%s", err_name(how));
        writer_start(j);
        return;
    }
    batch_done(&j->batch);
    while (j->entries)
        entry_free(j->entries);
    mem_free(j);
}

static void writer_start(struct journal *j)
{
    j->writer = flow_start(writer_begin, j,
                           &(struct flow_options){.kind = "journal",
                                                  .on_end = writer_ended,
                                                  .who = j});
}

struct journal *journal_open(struct pool *system)
{
    struct journal *j = mem_new(struct journal);
    j->system = system;
    writer_start(j);
    return j;
}

void journal_close(struct journal **at)
{
    struct journal *j = *at;
    *at = NULL;
    if (!j)
        return;
    while (j->readers)
        journal_unfollow(j->readers);
    j->closing = true;
    wake_up(&j->wake);
}

struct journal_stats journal_stats(const struct journal *j)
{
    return j->stats;
}
