/* keeper.c - what keeps the runs of this process its own.
 *
 * One service flow renews the leases of all runs every third of a lease, sooner
 * after a failure, and then fails messages that no client came to stream and
 * removes what is too old. Two thirds of a lease after the latest success a
 * timer of its own, the fence, gives up all runs here, before other processes
 * may begin them: also in a process that was stopped and goes on, before it
 * hears anything else. What was given up is never renewed; the next round ends
 * those leases, so that any process can take the runs over at once.
 *
 * What other processes say makes it look at once. */
#include "agent_state.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include <stddef.h>
#include <string.h>
#include "base/banned.h"

enum {
    ROUND_MEMORY = 4 * 1024 * 1024,
    TRIM_AGAIN_MS = 60000,
    CANCEL_PATIENCE_MS = 800, /* for an owner in another process to end it */
    CUTS_MOST = 1000,
};

/* ---- the fence ---------------------------------------------------------- */

void agent_surrender(struct agent *a, struct str message_id, int epoch,
                     bool lost)
{
    struct surrendered_run *s = mem_new(struct surrendered_run);
    memcpy(s->message_id, message_id.ptr, UUID_SIZE - 1);
    s->epoch = epoch;
    s->lost = lost;
    s->next = a->surrendered;
    a->surrendered = s;
    wake_up(&a->wake);
}

/* All of them, or those that the database was asked to end. */
static void forget_surrendered(struct agent *a, bool all)
{
    struct surrendered_run **at = &a->surrendered;
    while (*at) {
        struct surrendered_run *s = *at;
        if (!all && !s->asked) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        mem_free(s);
    }
}

static void ask_surrender(struct flow *f, struct agent *a)
{
    struct run_surrender *x = &a->now->surrender;
    struct buf ids, epochs, releases;
    buf_init(&ids, flow_here(f));
    buf_init(&epochs, flow_here(f));
    buf_init(&releases, flow_here(f));
    for (struct surrendered_run *s = a->surrendered; s; s = s->next) {
        buf_printf(&ids, "%c%s", ids.len ? ',' : '{', s->message_id);
        buf_printf(&epochs, "%c%d", epochs.len ? ',' : '{', s->epoch);
        buf_printf(&releases, "%c%d", releases.len ? ',' : '{', !s->lost);
        s->asked = true;
    }
    buf_char(&ids, '}');
    buf_char(&epochs, '}');
    buf_char(&releases, '}');
    x->ids = buf_view(&ids);
    x->epochs = buf_view(&epochs);
    x->releases = buf_view(&releases);
}

/* The fence goes off because the database was away, or because this process
 * stood still: then it is late, or no renewal was even tried, and what made it
 * stand still may be one of its runs. */
static bool stood_still(const struct agent *a)
{
    bool tried = a->tried_ms > a->renewed_ms;
    return !tried || clock_ms() > a->fence_ms + lease_retry_ms(a->store);
}

static void on_fence(struct timer *t)
{
    struct agent *a =
        (struct agent *)((char *)t - offsetof(struct agent, fence));
    bool lost = stood_still(a);
    unsigned n = 0;
    for (struct run *r = a->runs; r; r = r->next_live) {
        if (r->end.outcome == RUN_LOST)
            continue;
        agent_lose_run(r);
        journal_cut(a->store->journal, r->message_id);
        agent_surrender(a, str_of(r->message_id), r->epoch, lost);
        n++;
    }
    if (n)
        log_line(LOG_ERROR, "cut off from the database", "%u runs are given up",
                 n);
}

static void fence_set(struct agent *a)
{
    uint64_t at = a->renewed_ms + lease_fence_ms(a->store), now = clock_ms();
    a->fence_ms = at;
    timer_start(&a->fence, at > now ? at - now : 0, on_fence);
}

/* ---- the keeper --------------------------------------------------------- */

static struct next keeper_begin(struct flow *f), keeper_due(struct flow *f),
    round_over(struct flow *f), round_begin(struct flow *f),
    runs_surrendered(struct flow *f), renewal_due(struct flow *f),
    leases_renewed(struct flow *f), messages_expired(struct flow *f),
    chats_swept(struct flow *f), trim_due(struct flow *f),
    trimmed(struct flow *f), round_ends(struct flow *f);

static struct next keeper_begin(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    if (a->closing)
        return back(f);
    wait_begin(f, &a->wait, &a->wake,
               a->round_failed ? lease_retry_ms(a->store)
                               : a->store->lease_ms / 3);
    return await(f, keeper_due);
}

static struct next keeper_due(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    if (a->closing)
        return back(f);
    a->tried_ms = clock_ms();
    child_begin(f, &a->round, round_begin, a, "leases", ROUND_MEMORY);
    op_tolerate(&a->round.op);
    op_deadline(&a->round.op, a->store->lease_ms / 2);
    return await(f, round_over);
}

static struct next round_over(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    a->round_failed = a->round.op.status != OK;
    if (a->round_failed)
        log_line(LOG_ERROR, "leases not renewed", "%s",
                 err_name(a->round.op.status));
    return go(f, keeper_begin);
}

/* The runs here as a PostgreSQL array, without those that were given up. */
static struct str run_ids(struct flow *f, const struct agent *a)
{
    struct buf out;
    buf_init(&out, flow_here(f));
    buf_char(&out, '{');
    for (const struct run *r = a->runs; r; r = r->next_live)
        if (r->end.outcome != RUN_LOST)
            buf_printf(&out, "%s%s", out.len > 1 ? "," : "", r->message_id);
    buf_char(&out, '}');
    return buf_view(&out);
}

/* One round is a flow of its own, so that its memory goes with it. */
static struct next round_begin(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct round *x = a->now = keep(f, struct round);
    x->surrender.store = x->renewal.store = x->expiry.store = x->release.store =
        a->store;
    if (a->releasing)
        return call(f, run_release_begin, &x->release, round_ends);
    if (!a->surrendered)
        return go(f, renewal_due);
    ask_surrender(f, a);
    return call(f, run_surrender_begin, &x->surrender, runs_surrendered);
}

/* More may have been given up while the database was asked: they are next. */
static struct next runs_surrendered(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    forget_surrendered(a, false);
    takeover_look(a); /* the leases may have ended by themselves */
    return go(f, renewal_due);
}

static struct next renewal_due(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct round *x = a->now;
    x->renewal.ids = run_ids(f, a);
    x->asked_ms = clock_ms();
    return call(f, run_renewal_begin, &x->renewal, leases_renewed);
}

static struct next leases_renewed(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    const struct run_renewal *renewal = &a->now->renewal;
    a->renewed_ms = a->now->asked_ms; /* the lease runs from there */
    fence_set(a);
    for (size_t i = 0; i < renewal->n; i++)
        if (renewal->rows[i].cancel_requested)
            agent_cancel_run(a, renewal->rows[i].message_id);
    if (a->releasing)
        return back(f);
    a->now->expiry.after_ms = a->settings.claim_timeout_ms;
    return call(f, run_expiry_begin, &a->now->expiry, messages_expired);
}

static struct next messages_expired(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    a->now->sweep.store = a->store;
    return call(f, chat_sweep_begin, &a->now->sweep, chats_swept);
}

static struct next chats_swept(struct flow *f)
{
    const struct agent *a = locals(f, struct agent);
    return clock_ms() < a->trim_ms ? back(f) : go(f, trim_due);
}

/* One kind after the other; while there is more to do, with each round. */
static struct next trim_due(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct round *x = a->now;
    const struct agent_settings *s = &a->settings;
    const struct run_trim kinds[] = {{.kind = "events", .days = s->events_days},
                                     {.kind = "traces", .days = s->traces_days},
                                     {.kind = "charts", .days = s->charts_days},
                                     {.kind = "audit", .days = s->audit_days}};
    const int n = sizeof kinds / sizeof *kinds;
    while (x->trims < n && kinds[x->trims].days == 0)
        x->trims++;
    if (x->trims == n) {
        a->trim_ms = clock_ms() + (x->more_to_trim ? 0 : TRIM_AGAIN_MS);
        x->removed.store = a->store;
        return call(f, removed_sweep_begin, &x->removed, round_ends);
    }
    x->trim = kinds[x->trims++];
    x->trim.store = a->store;
    return call(f, run_trim_begin, &x->trim, trimmed);
}

static struct next trimmed(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    if (a->now->trim.done == RUN_TRIM_MOST)
        a->now->more_to_trim = true;
    return go(f, trim_due);
}

static struct next round_ends(struct flow *f)
{
    return back(f);
}

static void keeper_start(struct agent *a);

/* Without a keeper every lease would run out: one whose memory ran out is
 * followed by another. */
static void keeper_ended(struct flow *f, enum err how, void *who)
{
    (void)f;
    struct agent *a = who;
    a->keeper = NULL;
    if (how != OK && !a->closing)
        keeper_start(a);
    else
        agent_free_if_over(a);
}

static void keeper_start(struct agent *a)
{
    a->keeper =
        flow_start(keeper_begin, a,
                   &(struct flow_options){
                       .kind = "keeper", .on_end = keeper_ended, .who = a});
}

/* ---- cancelled elsewhere ------------------------------------------------ */

/* A run of another process that is to be cancelled: its owner has his time, then
 * it is ended without him. */
struct cut {
    struct agent *agent;
    char message_id[UUID_SIZE];
    struct pause pause;
    struct run_cut cut;
};

static struct next cut_begin(struct flow *f), patience_over(struct flow *f),
    cut_known(struct flow *f);

static struct next cut_begin(struct flow *f)
{
    struct cut *c = locals(f, struct cut);
    pause_begin(f, &c->pause, CANCEL_PATIENCE_MS);
    return await(f, patience_over);
}

static struct next patience_over(struct flow *f)
{
    struct cut *c = locals(f, struct cut);
    c->cut = (struct run_cut){.store = c->agent->store,
                              .message_id = str_of(c->message_id)};
    return call(f, run_cut_begin, &c->cut, cut_known);
}

static struct next cut_known(struct flow *f)
{
    struct cut *c = locals(f, struct cut);
    if (c->cut.ended) {
        log_event(
            LOG_WARN, "run ended without its owner",
            (struct log_field[]){{"run", str_of(c->message_id)}, {NULL, {0}}});
        journal_nudge(c->agent->store->journal, str_of(c->message_id));
    }
    return back(f);
}

static void cut_over(struct flow *f, enum err how, void *who)
{
    struct cut *c = who;
    struct agent *a = c->agent;
    (void)f;
    if (how != OK)
        log_event(LOG_ERROR, "run not cancelled",
                  (struct log_field[]){{"run", str_of(c->message_id)},
                                       {"cause", str_of(err_name(how))},
                                       {NULL, {0}}});
    mem_free(c);
    a->n_cuts--;
    agent_free_if_over(a);
}

void agent_cancel_anywhere(struct agent *a, struct str message_id, bool running)
{
    if (agent_cancel_run(a, message_id) || !running || a->n_cuts >= CUTS_MOST ||
        message_id.len != UUID_SIZE - 1)
        return;
    notice_say(a->store->notices, NOTICE_CANCEL, message_id);
    struct cut *c = mem_new(struct cut);
    c->agent = a;
    memcpy(c->message_id, message_id.ptr, UUID_SIZE - 1);
    a->n_cuts++;
    flow_start(
        cut_begin, c,
        &(struct flow_options){.kind = "cut", .on_end = cut_over, .who = c});
}

/* ---- what other processes say ------------------------------------------- */

static void hear(struct notice_hearer *h, enum notice what, struct str id)
{
    struct agent *a =
        (struct agent *)((char *)h - offsetof(struct agent, hearer));
    if (what == NOTICE_CANCEL && id.len)
        agent_cancel_run(a, id);
    else if (what == NOTICE_TELL && id.len)
        teller_ask(a, id);
    if (what != NOTICE_FREE && what != NOTICE_MISSED)
        return;
    takeover_look(a);
    wake_up(&a->wake);
}

void keeper_open(struct agent *a)
{
    a->renewed_ms = clock_ms();
    a->wake.pending = true; /* look for orphans at once */
    a->hearer.hear = hear;
    notices_hear(a->store->notices, &a->hearer);
    keeper_start(a);
}

void keeper_close(struct agent *a)
{
    notices_leave(a->store->notices, &a->hearer);
}

void keeper_free(struct agent *a)
{
    timer_stop(&a->fence);
    forget_surrendered(a, true);
}
