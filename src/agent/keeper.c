/* keeper.c - keeps the leases of this process's runs.
 *
 * One service flow renews all leases every third of a lease, and sooner after a
 * failure. Then it fails messages that no client came to stream, and removes
 * records that are too old.
 *
 * A timer, the fence, goes off two thirds of a lease after the latest success
 * and gives up all runs, before other processes may take them over. When the
 * process itself was stopped and continues, the fence goes off before anything
 * else is read. A run that was given up is never renewed; the next round ends
 * its lease, so that any process can take it over at once.
 *
 * Notices of other processes make it look at once. */
#include "agent_state.h"
#include "agent/bridge.h"
#include "base/compiler.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include <stddef.h>
#include <string.h>
#include "base/banned.h"

enum {
    ROUND_MEMORY = 4 * 1024 * 1024,
    TRIM_AGAIN_MS = 60000,
    CANCEL_GRACE_MS = 800, /* for the owner in another process to end the run */
    FORCED_CANCELS_MOST = 1000,
    TRIM_BATCHES = 100, /* in a round, */
    TRIM_SHARE = 10,    /* and for this part of a lease at most */
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

/* All of them, or only those whose leases the database was asked to end. */
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

/* The fence goes off because the database was away, or because this process was
 * blocked, perhaps by one of its runs. In the second case the fence is late, or
 * no renewal was even tried. */
static bool was_blocked(const struct agent *a)
{
    bool tried = a->tried_ms > a->renewed_ms;
    return !tried || clock_ms() > a->fence_ms + lease_retry_ms(a->store);
}

static void on_fence(struct timer *t)
{
    struct agent *a = container_of(t, struct agent, fence);
    bool lost = was_blocked(a);
    unsigned n = 0;
    for (struct run *r = a->runs; r; r = r->next_live) {
        if (r->end.outcome == RUN_LOST)
            continue;
        agent_lose_run(r);
        journal_end_readers(a->store->journal, r->message_id);
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
    trimmed(struct flow *f), models_swept(struct flow *f),
    file_sets_swept(struct flow *f), round_done(struct flow *f);

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

/* The ids of the runs as a PostgreSQL array, without those given up. */
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

/* A round is a child flow, so that its memory is freed with it. */
static struct next round_begin(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct keeper_round *x = a->now = keep(f, struct keeper_round);
    x->surrender.store = x->renewal.store = x->expiry.store = x->release.store =
        a->store;
    if (a->releasing)
        return call(f, run_release_begin, &x->release, round_done);
    if (!a->surrendered)
        return go(f, renewal_due);
    ask_surrender(f, a);
    return call(f, run_surrender_begin, &x->surrender, runs_surrendered);
}

/* Runs that were given up since the query are for the next round. */
static struct next runs_surrendered(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    forget_surrendered(a, false);
    takeover_look(a); /* for runs of this process, too */
    return go(f, renewal_due);
}

static struct next renewal_due(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct keeper_round *x = a->now;
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
    a->now->trims_ms = clock_ms();
    return clock_ms() < a->trim_ms ? back(f) : go(f, trim_due);
}

/* One kind after the other, and of each as much as there is: a server may end
 * hundreds of runs a second. What is left when the time is up, the next round
 * continues. */
static struct next trim_due(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct keeper_round *x = a->now;
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
        return call(f, removed_sweep_begin, &x->removed, models_swept);
    }
    x->trim = kinds[x->trims++];
    x->trim.store = a->store;
    return call(f, run_trim_begin, &x->trim, trimmed);
}

static struct next trimmed(struct flow *f)
{
    const struct agent *a = locals(f, struct agent);
    struct keeper_round *x = a->now;
    unsigned most_ms = (unsigned)a->store->lease_ms / TRIM_SHARE;
    if (x->trim.done < RUN_TRIM_MOST)
        return go(f, trim_due);
    if (++x->trim_batches < TRIM_BATCHES && clock_ms() - x->trims_ms < most_ms)
        x->trims--; /* the same kind again */
    else
        x->more_to_trim = true;
    return go(f, trim_due);
}

static struct next models_swept(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    a->now->files.store = a->store;
    return call(f, file_set_sweep_begin, &a->now->files, file_sets_swept);
}

static struct next file_sets_swept(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    if (a->now->files.more)
        a->trim_ms = clock_ms();
    return back(f);
}

static struct next round_done(struct flow *f)
{
    return back(f);
}

static void keeper_start(struct agent *a);

/* Without a keeper every lease would expire, so one that failed, which it does
 * only when memory runs out, is followed by another. */
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

/* ---- forced cancel ------------------------------------------------------ */

/* Cancels a run of another process: its owner gets a notice and a grace period;
 * then the run is ended without it. */
struct forced_cancel {
    struct agent *agent;
    char message_id[UUID_SIZE];
    struct pause pause;
    struct run_forced_end cut;
};

static struct next forced_cancel_begin(struct flow *f),
    grace_period_over(struct flow *f), forced_cancel_done(struct flow *f);

static struct next forced_cancel_begin(struct flow *f)
{
    struct forced_cancel *c = locals(f, struct forced_cancel);
    pause_begin(f, &c->pause, CANCEL_GRACE_MS);
    return await(f, grace_period_over);
}

static struct next grace_period_over(struct flow *f)
{
    struct forced_cancel *c = locals(f, struct forced_cancel);
    c->cut = (struct run_forced_end){.store = c->agent->store,
                                     .message_id = str_of(c->message_id)};
    return call(f, run_forced_end_begin, &c->cut, forced_cancel_done);
}

static struct next forced_cancel_done(struct flow *f)
{
    struct forced_cancel *c = locals(f, struct forced_cancel);
    if (c->cut.ended) {
        log_event(
            LOG_WARN, "run ended without its owner",
            (struct log_field[]){{"run", str_of(c->message_id)}, {NULL, {0}}});
        journal_wake_readers(c->agent->store->journal, str_of(c->message_id));
    }
    return back(f);
}

static void on_forced_cancel_end(struct flow *f, enum err how, void *who)
{
    struct forced_cancel *c = who;
    struct agent *a = c->agent;
    (void)f;
    if (how != OK)
        log_event(LOG_ERROR, "run not cancelled",
                  (struct log_field[]){{"run", str_of(c->message_id)},
                                       {"cause", str_of(err_name(how))},
                                       {NULL, {0}}});
    mem_free(c);
    a->n_forced_cancels--;
    agent_free_if_over(a);
}

void agent_cancel_anywhere(struct agent *a, struct str message_id, bool running)
{
    if (agent_cancel_run(a, message_id) || !running ||
        a->n_forced_cancels >= FORCED_CANCELS_MOST ||
        message_id.len != UUID_SIZE - 1)
        return;
    notice_send(a->store->notices, NOTICE_CANCEL, message_id);
    struct forced_cancel *c = mem_new(struct forced_cancel);
    c->agent = a;
    memcpy(c->message_id, message_id.ptr, UUID_SIZE - 1);
    a->n_forced_cancels++;
    flow_start(forced_cancel_begin, c,
               &(struct flow_options){.kind = "forced cancel",
                                      .on_end = on_forced_cancel_end,
                                      .who = c});
}

/* ---- notices ------------------------------------------------------------ */

static void on_notice(struct notice_listener *h, enum notice what,
                      struct str id)
{
    struct agent *a = container_of(h, struct agent, hearer);
    if (what == NOTICE_CANCEL && id.len) {
        agent_cancel_run(a, id);
        bridge_cancel_run(a, id);
    } else if (what == NOTICE_READ && id.len)
        bridge_mirror(a, id);
    else if (what == NOTICE_TELL && id.len)
        trail_writer_add(a, id);
    else if (what == NOTICE_ANSWERED && id.len)
        bridge_look(a, id);
    if (what != NOTICE_FREE && what != NOTICE_MISSED)
        return;
    takeover_look(a);
    wake_up(&a->wake);
}

void keeper_open(struct agent *a)
{
    a->renewed_ms = clock_ms();
    a->wake.pending = true; /* do the first round at once */
    a->hearer.hear = on_notice;
    notices_add_listener(a->store->notices, &a->hearer);
    keeper_start(a);
}

void keeper_close(struct agent *a)
{
    notices_remove_listener(a->store->notices, &a->hearer);
}

void keeper_free(struct agent *a)
{
    timer_stop(&a->fence);
    forget_surrendered(a, true);
}
