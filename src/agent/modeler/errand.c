/* errand.c - many reads, some at a time: children take the next number until none
 * is left or the time is over. */
#include "modeling.h"
#include "base/clock.h"
#include "base/banned.h"

enum { LANES = 4, LANE_MEMORY = 64 * 1024 * 1024, CELLS = 1024 * 1024 };

struct lane_work {
    struct errand *errand;
    size_t at;
    struct read *read;
};

static struct next lanes_over(struct flow *f), lane_begin(struct flow *f),
    one_begin(struct flow *f), one_heard(struct flow *f),
    one_over(struct flow *f);

struct next errand_begin(struct flow *f)
{
    struct errand *e = locals(f, struct errand);
    e->until = clock_ms() + MODELER_SAMPLES_MS;
    for (int i = 0; i < LANES && (size_t)i < e->n; i++) {
        struct child *child = here(f, struct child);
        struct lane_work *lane = here(f, struct lane_work);
        lane->errand = e;
        child_begin(f, child, lane_begin, lane, "modeler", LANE_MEMORY);
    }
    return await(f, lanes_over);
}

static struct next lanes_over(struct flow *f)
{
    struct errand *e = locals(f, struct errand);
    if (e->next < e->n)
        e->modeler->n_unread += e->n - e->next;
    return back(f);
}

static struct next lane_begin(struct flow *f)
{
    struct lane_work *lane = locals(f, struct lane_work);
    struct errand *e = lane->errand;
    if (e->next >= e->n || clock_ms() > e->until)
        return back(f);
    lane->at = e->next++;
    return call(f, one_begin, lane, one_over);
}

static struct next one_begin(struct flow *f)
{
    struct lane_work *lane = locals(f, struct lane_work);
    struct errand *e = lane->errand;
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
                              .max_rows = 2000,
                              .max_bytes = CELLS,
                              .timeout_ms = e->timeout_ms};
    read_begin(f, lane->read);
    op_tolerate(&lane->read->op);
    return await(f, one_heard);
}

static struct next one_heard(struct flow *f)
{
    struct lane_work *lane = locals(f, struct lane_work);
    struct errand *e = lane->errand;
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

static struct next one_over(struct flow *f)
{
    struct lane_work *lane = locals(f, struct lane_work);
    struct modeler *m = lane->errand->modeler;
    lane->errand->done++;
    if (m->on_progress)
        m->on_progress(m->who, lane->errand->what, lane->errand->done,
                       lane->errand->n);
    return go(f, lane_begin);
}
