/* takeover.c - takes over runs whose lease has expired or was released.
 *
 *   takeover_begin -> takeover_due -> (look_begin -> runs_taken) -> look_over
 *        ^__________________________________________________________|
 *
 * One look takes a batch of such runs, and learns when the next lease expires.
 * The flow sleeps until then, a third of a lease at most, so that an expired
 * lease is noticed at once. After a full batch it looks again immediately;
 * processes that look at the same time share the runs, a batch each in turn.
 *
 * It takes as many runs as MAX_RUNS leaves room for. When there are more, each
 * run that ends here makes it look again. In any case it takes one run every
 * third of a lease: otherwise new questions could keep the rest waiting for
 * ever.
 *
 * Few runs at a time read their records (restore_slot), so that a thousand
 * takeovers do not delay new questions for long. */
#include "agent_state.h"
#include "base/clock.h"
#include "base/log.h"
#include <stddef.h>
#include "base/banned.h"

enum {
    BATCH = 32,
    LOOK_MEMORY = 1024 * 1024,
    RESTORES_AT_ONCE = 8,
};

static struct next takeover_begin(struct flow *f), takeover_due(struct flow *f),
    look_begin(struct flow *f), runs_taken(struct flow *f),
    look_over(struct flow *f);

/* How many more runs may be under way, a batch at most. */
static unsigned room_for(const struct agent *a)
{
    const struct admission *m = &a->admission;
    unsigned room = m->running < m->most ? m->most - m->running : 0;
    return m->most && room < BATCH ? room : BATCH;
}

/* How many runs the next look may take. */
static unsigned batch_size(const struct agent *a)
{
    unsigned room = room_for(a);
    return room || clock_ms() < a->takeover.beyond_ms ? room : 1;
}

/* Until the next lease expires, a third of a lease at most. */
static uint64_t sleep_ms(const struct agent *a)
{
    uint64_t most = a->store->lease_ms / 3, now = clock_ms();
    uint64_t at = a->takeover.next_end_ms;
    if (at <= now)
        return most;
    return at - now < most ? at - now : most;
}

static struct next takeover_begin(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct takeover *t = &a->takeover;
    if (a->closing)
        return back(f);
    wait_begin(f, &t->wait, &t->wake, sleep_ms(a));
    return await(f, takeover_due);
}

static struct next takeover_due(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct takeover *t = &a->takeover;
    t->next_end_ms = 0;
    if (a->closing || a->releasing || !batch_size(a))
        return go(f, takeover_begin);
    child_begin(f, &t->look, look_begin, a, "takeover look", LOOK_MEMORY);
    op_tolerate(&t->look.op); /* the query has its own deadline */
    return await(f, look_over);
}

/* A look is a child flow, so that its memory is freed with it. */
static struct next look_begin(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct takeover *t = &a->takeover;
    struct run_takeover *q = t->taken = keep(f, struct run_takeover);
    unsigned most = batch_size(a);
    *q = (struct run_takeover){.store = a->store, .most = (int)most};
    t->more = false;
    t->asked_ms = clock_ms();
    return call(f, run_takeover_begin, q, runs_taken);
}

/* The leases began when the query was sent. Runs whose claim comes too late are
 * given up, like those that were not renewed in time. */
static bool too_late(const struct agent *a)
{
    return clock_ms() >= a->takeover.asked_ms + lease_fence_ms(a->store);
}

static struct next runs_taken(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct takeover *t = &a->takeover;
    const struct run_takeover *q = t->taken;
    for (size_t i = 0; i < q->n; i++) {
        const struct takeover_run *run = &q->rows[i];
        log_event(LOG_WARN, "run taken over",
                  (struct log_field[]){{"run", run->message_id}, {NULL, {0}}});
        if (too_late(a))
            agent_surrender(a, run->message_id, run->epoch, false);
        else
            agent_take_run(a, run, STR(""), NULL, NULL);
    }
    t->more = q->n == (size_t)q->most;
    if (q->next_end_ms >= 0)
        t->next_end_ms = clock_ms() + (uint64_t)q->next_end_ms + 1;
    if (q->n && !room_for(a))
        t->beyond_ms = clock_ms() + a->store->lease_ms / 3;
    return back(f);
}

static struct next look_over(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct takeover *t = &a->takeover;
    if (t->look.op.status != OK) {
        t->more = false;
        t->next_end_ms = clock_ms() + lease_retry_ms(a->store);
        log_line(LOG_ERROR, "runs not taken over", "%s",
                 err_name(t->look.op.status));
    }
    return t->more && batch_size(a) ? go(f, takeover_due)
                                    : go(f, takeover_begin);
}

void takeover_look(struct agent *a)
{
    wake_up(&a->takeover.wake);
}

void takeover_room(struct agent *a)
{
    if (a->takeover.more)
        takeover_look(a);
}

/* ---- the service -------------------------------------------------------- */

static void takeover_start(struct agent *a);

static void takeover_ended(struct flow *f, enum err how, void *who)
{
    struct agent *a = who;
    (void)f;
    a->takeover.flow = NULL;
    if (how != OK && !a->closing)
        takeover_start(a);
    else
        agent_free_if_over(a);
}

static void takeover_start(struct agent *a)
{
    a->takeover.flow =
        flow_start(takeover_begin, a,
                   &(struct flow_options){
                       .kind = "takeover", .on_end = takeover_ended, .who = a});
}

void takeover_open(struct agent *a)
{
    a->takeover.last = &a->takeover.first;
    takeover_look(a);
    takeover_start(a);
}

/* ---- reading records ---------------------------------------------------- */

static void slot_cancel(struct op *op)
{
    struct restore_slot *s = (struct restore_slot *)op; /* op is first */
    struct takeover *t = &s->agent->takeover;
    struct restore_slot **at = &t->first;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    if (!*at)
        t->last = at;
    op_complete(op, ERR_CANCELLED);
}

static void slot_give(struct restore_slot *s)
{
    s->held = true;
    s->agent->takeover.restoring++;
    op_complete(&s->op, OK);
}

void restore_slot_begin(struct flow *f, struct restore_slot *s)
{
    struct takeover *t = &s->agent->takeover;
    begin(f, &s->op, "restore slot", slot_cancel);
    if (t->restoring < RESTORES_AT_ONCE) {
        slot_give(s);
        return;
    }
    *t->last = s;
    t->last = &s->next;
}

void restore_slot_leave(void *slot)
{
    struct restore_slot *s = slot;
    struct takeover *t = &s->agent->takeover;
    if (!s->held) /* it never got the slot, or gave it back */
        return;
    s->held = false;
    t->restoring--;
    if (t->first) {
        struct restore_slot *next = t->first;
        t->first = next->next;
        if (!t->first)
            t->last = &t->first;
        slot_give(next);
    }
}
