/* keeper.c - what keeps the runs of this process its own.
 *
 * One service flow renews the leases of all runs every third of a lease, and
 * between looks for runs whose owner is gone and for messages that nobody came
 * to stream. Two thirds of a lease after the latest success stands a fence: runs
 * are given up here before somebody else may begin them. It is a timer of its
 * own: a process that was stopped and goes on gives them up before it hears
 * anything else.
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
    TAKEOVERS_A_ROUND = 16,
    TRIM_AGAIN_MS = 60000,
    CANCEL_PATIENCE_MS = 800, /* for an owner in another process to end it */
    CUTS_MOST = 1000,
};

/* ---- the fence ---------------------------------------------------------- */

static void on_fence(struct timer *t)
{
    struct agent *a = (struct agent *)((char *)t - offsetof(struct agent, fence));
    if (a->runs)
        log_line(LOG_ERROR, "cut off from the database",
                 "%u runs are given up", a->n_runs);
    for (struct run *r = a->runs; r; r = r->next_live) {
        agent_lose_run(r);
        journal_cut(a->store->journal, r->message_id);
    }
}

static void fence_set(struct agent *a)
{
    uint64_t at = a->renewed_ms + a->store->lease_ms * 2 / 3, now = clock_ms();
    timer_start(&a->fence, at > now ? at - now : 0, on_fence);
}

/* ---- the keeper --------------------------------------------------------- */

static struct next keeper_begin(struct flow *f), keeper_due(struct flow *f),
    round_over(struct flow *f), round_begin(struct flow *f),
    leases_renewed(struct flow *f), runs_taken(struct flow *f),
    messages_expired(struct flow *f), chats_swept(struct flow *f),
    trim_due(struct flow *f), trimmed(struct flow *f),
    round_ends(struct flow *f);

static struct next keeper_begin(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    if (a->closing)
        return back(f);
    wait_begin(f, &a->wait, &a->wake, a->store->lease_ms / 3);
    return await(f, keeper_due);
}

static struct next keeper_due(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    if (a->closing)
        return back(f);
    child_begin(f, &a->round, round_begin, a, "leases", ROUND_MEMORY);
    op_tolerate(&a->round.op);
    op_deadline(&a->round.op, a->store->lease_ms / 2);
    return await(f, round_over);
}

static struct next round_over(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    if (a->round.op.status != OK)
        log_line(LOG_ERROR, "leases not renewed", "%s",
                 err_name(a->round.op.status));
    return go(f, keeper_begin);
}

/* The runs here as a PostgreSQL array. */
static struct str run_ids(struct flow *f, const struct agent *a)
{
    struct buf out;
    buf_init(&out, flow_here(f));
    buf_char(&out, '{');
    for (const struct run *r = a->runs; r; r = r->next_live)
        buf_printf(&out, "%s%s", r == a->runs ? "" : ",", r->message_id);
    buf_char(&out, '}');
    return buf_view(&out);
}

/* One round is a flow of its own, so that its memory goes with it. */
static struct next round_begin(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    struct round *x = a->now = keep(f, struct round);
    x->renewal.store = x->takeover.store = x->expiry.store =
        x->release.store = a->store;
    if (a->releasing)
        return call(f, run_release_begin, &x->release, round_ends);
    x->renewal.ids = run_ids(f, a);
    x->asked_ms = clock_ms();
    return call(f, run_renewal_begin, &x->renewal, leases_renewed);
}

/* As many as there is room for; one in any case, for else questions that come
 * anew could keep an orphan waiting for ever. */
static int takeovers(const struct agent *a)
{
    const struct admission *m = &a->admission;
    unsigned room = m->running < m->most ? m->most - m->running : 1;
    return m->most && room < TAKEOVERS_A_ROUND ? (int)room : TAKEOVERS_A_ROUND;
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
    a->now->takeover.most = takeovers(a);
    return call(f, run_takeover_begin, &a->now->takeover, runs_taken);
}

static struct next runs_taken(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    const struct run_takeover *t = &a->now->takeover;
    for (size_t i = 0; i < t->n; i++) {
        log_event(LOG_WARN, "run taken over", (struct log_field[]){
            {"run", t->rows[i].message_id}, {NULL, {0}}});
        agent_take_run(a, t->rows[i].message_id, STR(""), t->rows[i].epoch,
                       t->rows[i].attempt, t->rows[i].releases, NULL, NULL);
    }
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
    a->keeper = flow_start(keeper_begin, a,
                           &(struct flow_options){.kind = "keeper",
                                                  .on_end = keeper_ended,
                                                  .who = a});
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
        log_event(LOG_WARN, "run ended without its owner", (struct log_field[]){
            {"run", str_of(c->message_id)}, {NULL, {0}}});
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
        log_event(LOG_ERROR, "run not cancelled", (struct log_field[]){
            {"run", str_of(c->message_id)}, {"cause", str_of(err_name(how))},
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
    flow_start(cut_begin, c, &(struct flow_options){
        .kind = "cut", .on_end = cut_over, .who = c});
}

/* ---- what other processes say ------------------------------------------- */

static void hear(struct notice_hearer *h, enum notice what, struct str id)
{
    struct agent *a = (struct agent *)((char *)h -
                                       offsetof(struct agent, hearer));
    if (what == NOTICE_CANCEL && id.len)
        agent_cancel_run(a, id);
    else if (what == NOTICE_TELL && id.len)
        teller_ask(a, id);
    else if (what == NOTICE_FREE || what == NOTICE_MISSED)
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
