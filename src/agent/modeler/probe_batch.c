/* probe_batch.c - many small reads, a few at a time: child flows take the next
 * number until none is left or the time is over. */
#include "modeling.h"
#include "base/clock.h"
#include "base/banned.h"

enum { LANES = 4, LANE_MEMORY = 64 * 1024 * 1024, CELLS = 1024 * 1024 };

struct probe_lane {
    struct probe_batch *batch;
    size_t at;
    struct read *read;
};

static struct next lanes_done(struct flow *f), lane_begin(struct flow *f),
    probe_begin(struct flow *f), probe_answered(struct flow *f),
    probe_over(struct flow *f);

struct next probe_batch_begin(struct flow *f)
{
    struct probe_batch *e = locals(f, struct probe_batch);
    bool cluster = source_dialect(e->modeler->source) == DIALECT_TRINO;
    e->until = clock_ms() + (cluster ? 4 : 1) * MODELER_SAMPLES_MS;
    for (int i = 0; i < LANES && (size_t)i < e->n; i++) {
        struct child *child = here(f, struct child);
        struct probe_lane *lane = here(f, struct probe_lane);
        lane->batch = e;
        child_begin(f, child, lane_begin, lane, "modeler", LANE_MEMORY);
    }
    return await(f, lanes_done);
}

static struct next lanes_done(struct flow *f)
{
    struct probe_batch *e = locals(f, struct probe_batch);
    if (e->next < e->n)
        e->modeler->n_unread += e->n - e->next;
    return back(f);
}

static struct next lane_begin(struct flow *f)
{
    struct probe_lane *lane = locals(f, struct probe_lane);
    struct probe_batch *e = lane->batch;
    if (e->next >= e->n || clock_ms() > e->until)
        return back(f);
    lane->at = e->next++;
    return call(f, probe_begin, lane, probe_over);
}

static struct next probe_begin(struct flow *f)
{
    struct probe_lane *lane = locals(f, struct probe_lane);
    struct probe_batch *e = lane->batch;
    struct buf sql;
    buf_init(&sql, flow_here(f));
    e->ask(e->modeler, lane->at, &sql);
    if (!sql.len)
        return back(f);
    lane->read = here(f, struct read);
    lane->read->options =
        (struct read_options){.source = e->modeler->source,
                              .sql = buf_finish(&sql),
                              .own = true,
                              .search_path = STR("pg_catalog"),
                              .user_id = e->modeler->user_id,
                              .max_rows = 2000,
                              .max_bytes = CELLS,
                              .timeout_ms = e->timeout_ms};
    read_begin(f, lane->read);
    op_tolerate(&lane->read->op);
    return await(f, probe_answered);
}

static struct next probe_answered(struct flow *f)
{
    struct probe_lane *lane = locals(f, struct probe_lane);
    struct probe_batch *e = lane->batch;
    struct read *r = lane->read;
    if (r->op.status == OK) {
        read_rows(r, flow_here(f));
        e->hear(e->modeler, lane->at, r);
    } else if (r->op.status == ERR_DATABASE_UNAVAILABLE ||
               r->op.status == ERR_CANCELLED) {
        return fail_with(f, r->op.status, r->message);
    } else {
        e->modeler->n_unread++;
    }
    return back(f);
}

static struct next probe_over(struct flow *f)
{
    struct probe_lane *lane = locals(f, struct probe_lane);
    struct modeler *m = lane->batch->modeler;
    lane->batch->done++;
    if (m->on_progress)
        m->on_progress(m->who, lane->batch->what, lane->batch->done,
                       lane->batch->n);
    return go(f, lane_begin);
}
