/* agent.c - the runs of this process: started, kept alive, taken over, counted.
 *
 * One service flow renews the leases of all runs every third of a lease; when it
 * could not for two thirds, runs are stopped here, before somebody else may
 * begin them. In between it looks for runs whose owner is gone, and for messages
 * that nobody came to stream. */
#include "agent/agent.h"
#include "agent/run.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "loop/wait.h"
#include "store/chats.h"
#include <string.h>
#include "base/banned.h"

enum {
    RUN_MEMORY = 64 * 1024 * 1024,
    ROUND_MEMORY = 4 * 1024 * 1024,
    TAKEOVERS_A_ROUND = 16,
    ENDINGS_MOST = 8, /* flows that try to end one run */
};

/* What one look at the table asks. */
struct round {
    uint64_t asked_ms;
    struct run_release release;
    struct run_renewal renewal;
    struct run_takeover takeover;
    struct run_expiry expiry;
    struct chat_sweep sweep;
};

struct agent {
    struct store *store;
    struct agent_settings settings;
    struct agent_models models;
    struct run *runs;
    unsigned n_runs;
    struct admission admission;
    struct agent_counters counters;
    struct flow *keeper;
    struct wake wake;
    struct wait wait;
    struct child round;
    struct round *now;
    uint64_t renewed_ms; /* the latest success */
    bool closing, releasing;
};

struct store *agent_store(const struct agent *a)
{
    return a->store;
}

const struct agent_settings *agent_settings(const struct agent *a)
{
    return &a->settings;
}

const struct agent_models *agent_models(const struct agent *a)
{
    return &a->models;
}

unsigned agent_runs(const struct agent *a)
{
    return a->n_runs;
}

unsigned agent_waiting(const struct agent *a)
{
    return a->admission.waiting;
}

struct agent_counters *agent_counters(struct agent *a)
{
    return &a->counters;
}

static const struct agent_provider *find_provider(const struct agent *a,
                                                  struct str id)
{
    for (size_t i = 0; i < a->models.n; i++)
        if (str_is(id, a->models.items[i].id) && a->models.items[i].enabled)
            return &a->models.items[i];
    return NULL;
}

const struct agent_provider *agent_provider(const struct agent *a, struct str id)
{
    if (id.len)
        return find_provider(a, id);
    if (a->models.preferred)
        return find_provider(a, str_of(a->models.preferred));
    for (size_t i = 0; i < a->models.n; i++)
        if (a->models.items[i].enabled)
            return &a->models.items[i];
    return NULL;
}

/* ---- runs --------------------------------------------------------------- */

static struct run *find_run(const struct agent *a, struct str message_id)
{
    struct run *r = a->runs;
    while (r && !str_is(message_id, r->message_id))
        r = r->next_live;
    return r;
}

static void agent_free_if_over(struct agent *a)
{
    if (a->closing && !a->runs && !a->keeper)
        mem_free(a);
}

static void run_ended(struct flow *f, enum err how, void *who);

#define start_flow(r, first) start_flow_named(r, first, #first)
static void start_flow_named(struct run *r, step_fn *first, const char *name)
{
    flow_start_named(first, name, r, &(struct flow_options){
        .kind = "run", .memory_limit = RUN_MEMORY, .on_end = run_ended,
        .who = r});
}

/* Its work, also when that has not begun. */
static void stop_work(struct run *r, enum err why)
{
    if (r->work.flow)
        flow_stop(r->work.flow, why);
    else if (r->stop == OK)
        r->stop = why;
    wake_up(place_wake(r->place)); /* if it is in line */
}

static void run_ended(struct flow *f, enum err how, void *who)
{
    (void)f;
    struct run *r = who;
    struct agent *a = r->agent;
    if (how != OK)
        log_event(LOG_ERROR, "run not ended", (struct log_field[]){
            {"run", str_of(r->message_id)}, {"cause", str_of(err_name(how))},
            {NULL, {0}}});
    if (how != OK && run_is_open(r) && ++r->endings < ENDINGS_MOST) {
        start_flow(r, run_end_begin);
        return;
    }
    struct run **at = &a->runs;
    while (*at != r)
        at = &(*at)->next_live;
    *at = r->next_live;
    a->n_runs--;
    place_leave(&r->place);
    journal_detach(&r->log);
    if (r->ontology)
        r->ontology->holders--;
    buf_done(&r->visible);
    arena_done(&r->scratch);
    arena_done(&r->arena);
    arena_done(&r->reserve);
    mem_free(r);
    agent_free_if_over(a);
}

static void on_lost(void *who)
{
    struct run *r = who;
    r->outcome = RUN_LOST;
    stop_work(r, ERR_CONFLICTING_WRITE);
}

struct place *agent_place(struct agent *a, struct str user_id)
{
    return admission_enter(&a->admission, user_id);
}

void agent_start_run(struct agent *a, struct str message_id, struct str chat_id,
                     int epoch, int attempt, struct place *place)
{
    if (a->releasing) { /* too late to begin: whoever is up shall have it */
        place_leave(&place);
        wake_up(&a->wake);
        return;
    }
    struct run *r = mem_new(struct run);
    r->agent = a;
    r->place = place ? place : admission_resume(&a->admission);
    r->epoch = epoch;
    r->attempt = attempt;
    r->started_at = clock_wall_ms();
    r->started_ms = clock_ms();
    r->calls_end = &r->calls;
    memcpy(r->message_id, message_id.ptr, UUID_SIZE - 1);
    if (chat_id.len == UUID_SIZE - 1)
        memcpy(r->chat_id, chat_id.ptr, UUID_SIZE - 1);
    flow_arena_init(&r->arena, RUN_MEMORY);
    flow_arena_init(&r->scratch, RUN_MEMORY);
    arena_init(&r->reserve, 0);
    buf_init(&r->visible, NULL);
    r->log = journal_attach(a->store->journal, r->message_id, epoch, 1, on_lost,
                            r);
    r->next_live = a->runs;
    a->runs = r;
    a->n_runs++;
    a->counters.runs_started++;
    start_flow(r, run_begin);
}

bool agent_cancel_run(struct agent *a, struct str message_id)
{
    struct run *r = find_run(a, message_id);
    if (r)
        stop_work(r, ERR_CANCELLED);
    return r != NULL;
}

/* ---- the keeper --------------------------------------------------------- */

static struct next keeper_begin(struct flow *f), keeper_due(struct flow *f),
    round_over(struct flow *f), round_begin(struct flow *f),
    leases_renewed(struct flow *f), runs_taken(struct flow *f),
    messages_expired(struct flow *f), round_ends(struct flow *f);

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
    return await(f, round_over);
}

static struct next round_over(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    uint64_t now = clock_ms();
    if (a->round.op.status != OK)
        log_line(LOG_ERROR, "leases not renewed", "%s",
                 err_name(a->round.op.status));
    if (a->n_runs && now - a->renewed_ms > a->store->lease_ms * 2 / 3)
        for (struct run *r = a->runs; r; r = r->next_live)
            on_lost(r);
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
        agent_start_run(a, t->rows[i].message_id, STR(""), t->rows[i].epoch,
                        t->rows[i].attempt, NULL);
    }
    a->now->expiry.after_ms = a->settings.claim_timeout_ms;
    return call(f, run_expiry_begin, &a->now->expiry, messages_expired);
}

static struct next messages_expired(struct flow *f)
{
    struct agent *a = locals(f, struct agent);
    a->now->sweep.store = a->store;
    return call(f, chat_sweep_begin, &a->now->sweep, round_ends);
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

/* ---- open and close ----------------------------------------------------- */

struct agent *agent_open(struct store *store,
                         const struct agent_settings *settings,
                         const struct agent_models *models)
{
    struct agent *a = mem_new(struct agent);
    a->store = store;
    a->settings = *settings;
    a->models = *models;
    admission_init(&a->admission, settings->max_runs, settings->queue_max);
    a->renewed_ms = clock_ms();
    a->wake.pending = true; /* look for orphans at once */
    keeper_start(a);
    return a;
}

void agent_release(struct agent *a)
{
    a->releasing = true;
    for (struct run *r = a->runs; r; r = r->next_live) {
        r->released = true;
        stop_work(r, ERR_CONFLICTING_WRITE);
    }
    wake_up(&a->wake);
}

void agent_close(struct agent **at)
{
    struct agent *a = *at;
    *at = NULL;
    if (!a)
        return;
    a->closing = true;
    agent_release(a); /* nobody cancelled what is still running */
}
