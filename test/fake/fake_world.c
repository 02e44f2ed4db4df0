#include "fake_world.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/mem.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { STOPPING_MS = 7 };

struct world world;

static const char *const words[TROUBLE_COUNT] = {"none",
                                                 "fails",
                                                 "outage",
                                                 "long outage",
                                                 "loses its answer",
                                                 "never answers",
                                                 "cancel",
                                                 "cancel inside",
                                                 "cancel, stopping late",
                                                 "succeeds after the cancel",
                                                 "fails, then cancel",
                                                 "taken over",
                                                 "taken over and cancelled",
                                                 "cancelled elsewhere",
                                                 "cancelled elsewhere and told",
                                                 "released",
                                                 "no memory"};

struct case_counts world_counts(void)
{
    return (struct case_counts){world.ops, world.deeds, arena_blocks_taken()};
}

const char *trouble_word(enum trouble t)
{
    return words[t];
}

bool trouble_counts_ops(enum trouble t)
{
    return t == TROUBLE_CANCEL || t == TROUBLE_CANCEL_LATE ||
           t == TROUBLE_SUCCEEDS_LATE || t == TROUBLE_RELEASE;
}

static void strike(void)
{
    if (!world.struck)
        world.struck_ms = clock_ms();
    world.struck = true;
}

/* The fault happened before: ops that began meanwhile do not count. */
static void cancel_now(void)
{
    world.struck_ms = clock_ms();
    world.behind = 0;
    world.cancel();
}

static void on_op(struct flow *f, struct op *op)
{
    (void)f;
    world.ops++;
    if (!trouble_counts_ops(world.trouble) || world.ops != world.at)
        return;
    strike();
    world.hit = op->name;
    if (world.trouble == TROUBLE_RELEASE)
        world.release();
    else
        world.cancel();
}

void world_begin(enum trouble trouble, unsigned at)
{
    void (*cancel)(void) = world.cancel;
    void (*taken)(void) = world.taken;
    void (*release)(void) = world.release;
    void (*ask_cancel)(void) = world.ask_cancel;
    void (*tell_cancel)(void) = world.tell_cancel;
    bool telling = world.telling;
    world =
        (struct world){.trouble = trouble,
                       .at = at,
                       .hit = "",
                       .outage_most = trouble == TROUBLE_LONG_OUTAGE ? 600 : 8,
                       .cancel = cancel,
                       .taken = taken,
                       .release = release,
                       .ask_cancel = ask_cancel,
                       .tell_cancel = tell_cancel,
                       .telling = telling};
    flow_on_begin = on_op;
    arena_fail_block(trouble == TROUBLE_MEMORY ? at : 0);
}

void world_end(void)
{
    flow_on_begin = NULL;
    arena_fail_block(0);
}

/* ---- deeds -------------------------------------------------------------- */

static bool same_kind_out(const struct deed *d)
{
    static enum deed_kind kind;
    bool out =
        world.trouble == TROUBLE_OUTAGE || world.trouble == TROUBLE_LONG_OUTAGE;
    if (!out || world.deeds < world.at)
        return false;
    if (world.deeds == world.at)
        kind = d->kind;
    if (d->kind != kind ||
        (kind == DEED_QUERY && world.outage_failed >= world.outage_most))
        return false;
    world.outage_failed++;
    return true;
}

static void decide(struct deed *d)
{
    bool it = ++world.deeds == world.at;
    enum trouble t = world.trouble;
    if (world.telling)
        printf("#   deed %u, op %u: %s\n", world.deeds, world.ops, d->name);
    d->fails = d->fails || same_kind_out(d) ||
               (it && (t == TROUBLE_FAILS || t == TROUBLE_FAILS_CANCEL));
    d->lost = it && t == TROUBLE_LOSES_ANSWER;
    bool told = t == TROUBLE_CANCEL_HEARD;
    d->never =
        it && (t == TROUBLE_NEVER || t == TROUBLE_CANCEL_ELSEWHERE || told);
    d->inside = it && t == TROUBLE_CANCEL_INSIDE;
    if (it)
        world.hit = d->name;
    bool taken = t == TROUBLE_TAKEN || t == TROUBLE_TAKEN_CANCELLED;
    if (it && taken)
        world.taken();
    if (it && (t == TROUBLE_TAKEN_CANCELLED || t == TROUBLE_CANCEL_ELSEWHERE))
        world.ask_cancel();
    if (it && told)
        world.tell_cancel();
    if (d->fails || d->lost || d->never || d->inside || (it && taken))
        strike();
}

void deed_over(struct deed *d, enum err how)
{
    bool then_cancel = d->fails && world.trouble == TROUBLE_FAILS_CANCEL;
    timer_stop(&d->timer);
    if (d->done)
        d->done(d);
    world.in_flight--;
    op_complete(d->op, how);
    mem_free(d);
    if (then_cancel)
        cancel_now();
}

static void on_time(struct timer *t)
{
    struct deed *d = (struct deed *)((char *)t - offsetof(struct deed, timer));
    if (d->inside) {
        d->inside = false;
        if (d->half)
            d->half(d);
        timer_start(&d->timer, d->ms, on_time);
        cancel_now();
        return;
    }
    if (d->fails) {
        deed_over(d, d->failure(d));
        return;
    }
    d->effect(d);
    deed_over(d, d->lost ? d->failure(d) : d->ends);
}

void deed_begin(struct deed *d)
{
    world.in_flight++;
    if (world.struck && d->kind != DEED_QUERY && clock_ms() > world.struck_ms)
        world.behind++;
    decide(d);
    if (!d->never)
        timer_start(&d->timer, d->ms, on_time);
}

static void on_stopped(struct timer *t)
{
    deed_over((struct deed *)((char *)t - offsetof(struct deed, timer)),
              ERR_CANCELLED);
}

void deed_cancel(struct deed *d)
{
    if (world.trouble == TROUBLE_SUCCEEDS_LATE && world.struck && !d->never)
        return; /* too late to stop it */
    if (world.trouble == TROUBLE_CANCEL_LATE && world.struck)
        timer_start(&d->timer, STOPPING_MS, on_stopped);
    else
        deed_over(d, ERR_CANCELLED);
}
