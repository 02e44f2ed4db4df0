/* journal_writer.c - the flow that commits what the entries have pending.
 *
 *   writer_begin -> writes_pending -> batch_due -> flush_begin -> flushed
 *                                          \ batch_failed -> retry_due
 *
 * When the database rejects a batch, the writer halves it down to the entry
 * that fails. That entry is refused, the others are written. */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "journal_state.h"
#include "base/banned.h"

static step_fn writer_begin, writes_pending, batch_due, batch_written,
    batch_failed, retry_due, flush_begin, flushed;

enum {
    BATCH_BYTES = 256 * 1024, /* a flush takes entries until it is this large */
    RETRY_MS = 250,
    RETRY_MAX_MS = 4000,
    REFUSALS_MOST = 3, /* rejections of one entry by the database */
};

static struct next writer_begin(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    rooms_grant(j);
    if (j->dirty_first || j->batch.n)
        return go(f, writes_pending);
    if (j->closing)
        return back(f);
    /* A flow that got room may write nothing: then others get room after this
     * time. */
    wait_begin(f, &j->wait, &j->wake, j->waiting ? JOURNAL_LATE_MS : 0);
    return await(f, writes_pending);
}

static struct next writes_pending(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    if (!j->dirty_first && !j->batch.n)
        return go(f, writer_begin);
    if (j->urgent || j->closing || j->batch.n)
        return go(f, batch_due);
    j->wake.pending = false; /* journal_gather writes for a while */
    wait_begin(f, &j->wait, &j->wake, JOURNAL_LATE_MS);
    return await(f, batch_due);
}

static struct next batch_due(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    return attempt(f, flush_begin, j, batch_written, batch_failed);
}

/* Takes as many entries as fit, the first of the queue first. */
static void journal_gather(struct journal *j)
{
    j->urgent = false;
    batch_clear(&j->batch);
    while (j->dirty_first && j->batch.blob.len <= BATCH_BYTES) {
        struct journal_entry *e = j->dirty_first;
        entry_dequeue(e);
        batch_add(&j->batch, e);
    }
    j->urgent = j->dirty_first != NULL; /* the rest is not delayed */
}

static struct next flush_begin(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    if (j->batch.n == 0)
        journal_gather(j);
    if (j->batch.n == 0)
        return back(f);
    struct query *q = query_new(f, j->system,
                                j->batch.again ? &journal_write_again_statement
                                               : &journal_write_statement);
    batch_params(&j->batch, f, q);
    j->flush_us = clock_us();
    query_begin(f, q);
    j->batch.query = q;
    return await(f, flushed);
}

/* ---- written ------------------------------------------------------------ */

/* Did the statement write this entry? A process may have two entries for one
 * run: it lost the run, then took it over. */
static bool entry_written(const struct query *q, const struct journal_entry *e)
{
    for (int i = 0; i < q->n_rows; i++) {
        struct written_row row = written_row_at(q, i);
        if (row.epoch == e->epoch && str_is(row.message_id, e->message_id))
            return true;
    }
    return false;
}

static void entry_release(struct journal_entry *e)
{
    if (e->detached && !entry_dirty(e))
        entry_free(e);
}

static void item_settle(const struct batch_item *item, bool written)
{
    struct journal_entry *e = item->entry;
    e->flying = false;
    if (written) {
        e->done_ticket = item->ticket;
        e->committed = item->last;
        if (item->frames.len) {
            readers_deliver(e, item->first, item->last, item->frames);
            readers_notify(e);
        }
        entry_answer_syncs(e);
    } else {
        entry_lose(e, ERR_CONFLICTING_WRITE);
    }
    entry_release(e);
}

static struct next flushed(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    struct journal_batch *b = &j->batch;
    const struct query *q = b->query;
    for (size_t i = b->from; i < b->to; i++) {
        j->stats.bytes += b->items[i].end - b->items[i].begin;
        item_settle(&b->items[i], entry_written(q, b->items[i].entry));
    }
    j->stats.commits++;
    histogram_add(&j->stats.flushes, clock_us() - j->flush_us);
    batch_advance(b);
    return back(f);
}

static struct next batch_written(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    j->retry_ms = j->refusals = 0;
    return go(f, writer_begin);
}

/* ---- not written -------------------------------------------------------- */

/* A retry will not help, and the events of other runs must not wait. */
static void writer_refuse_entry(struct journal *j)
{
    const struct batch_item *item = &j->batch.items[j->batch.from];
    struct journal_entry *e = item->entry;
    e->flying = false;
    entry_refuse(e, item->first);
    entry_release(e);
    j->refusals = j->retry_ms = 0;
    batch_advance(&j->batch);
}

/* The same window is written again. If the answer to a commit was lost, the
 * second attempt conflicts on (message_id, first), which the statement
 * ignores. */
static struct next batch_failed(struct flow *f)
{
    struct journal *j = locals(f, struct journal);
    j->stats.failures++;
    j->batch.again = true;
    if (failure(f) == ERR_INTERNAL && batch_halve(&j->batch))
        return go(f, batch_due);
    if (failure(f) == ERR_INTERNAL && ++j->refusals >= REFUSALS_MOST) {
        writer_refuse_entry(j);
        return go(f, writer_begin);
    }
    j->retry_ms = j->retry_ms ? j->retry_ms * 2 : RETRY_MS;
    if (j->retry_ms > RETRY_MAX_MS)
        j->retry_ms = RETRY_MAX_MS;
    log_line(LOG_ERROR, "journal not written", "%s, again in %u ms",
             err_name(failure(f)), j->retry_ms);
    if (j->closing)
        return back(f);
    pause_begin(f, &j->pause, j->retry_ms);
    return await(f, retry_due);
}

static struct next retry_due(struct flow *f)
{
    return go(f, batch_due);
}

/* ---- its life ----------------------------------------------------------- */

/* A writer that runs out of memory is replaced: the next one finds the same
 * batch. */
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
    buf_done(&j->event);
    while (j->entries)
        entry_free(j->entries);
    mem_free(j);
}

void writer_start(struct journal *j)
{
    flow_start(writer_begin, j,
               &(struct flow_options){
                   .kind = "journal", .on_end = writer_ended, .who = j});
}
