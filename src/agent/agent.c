/* agent.c - starts, cancels and releases the runs of this process, and frees
 * them when they have ended. */
#include "agent_state.h"
#include "schedules/scheduler.h"
#include "base/clock.h"
#include "agent/bridge.h"
#include "base/log.h"
#include "base/mem.h"
#include <string.h>
#include "base/banned.h"

enum {
    END_FLOWS_MOST = 8, /* that try to end one run */
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

const struct agent_provider *agent_provider(const struct agent *a,
                                            struct str id)
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

struct run *agent_find_run(const struct agent *a, struct str message_id)
{
    struct run *r = a->runs;
    while (r && !str_is(message_id, r->message_id))
        r = r->next_live;
    return r;
}

void agent_free_if_over(struct agent *a)
{
    if (!a->closing || a->runs || a->bridges || a->keeper || a->takeover.flow ||
        a->scheduler || a->n_forced_cancels || a->trail_writer.flow)
        return;
    keeper_free(a);
    mem_free(a);
}

static void on_run_end(struct flow *f, enum err how, void *who);

#define start_flow(r, first) start_flow_named(r, first, #first)
static void start_flow_named(struct run *r, step_fn *first, const char *name)
{
    flow_start_named(first, name, r,
                     &(struct flow_options){.kind = "run",
                                            .memory_limit = RUN_MEMORY,
                                            .on_end = on_run_end,
                                            .who = r});
}

/* Stops the work of the run, also when it has not begun. */
static void stop_work(struct run *r, enum err why)
{
    if (r->work.flow)
        flow_stop(r->work.flow, why);
    else if (r->end.stop == OK)
        r->end.stop = why;
    if (r->ticket)
        wake_up(ticket_wake(r->ticket)); /* if it waits */
}

static void on_run_end(struct flow *f, enum err how, void *who)
{
    (void)f;
    struct run *r = who;
    struct agent *a = r->agent;
    if (how != OK)
        log_event(LOG_ERROR, "run not ended",
                  (struct log_field[]){{"run", str_of(r->message_id)},
                                       {"cause", str_of(err_name(how))},
                                       {"traceId", str_of(r->trace.trace_id)},
                                       {NULL, {0}}});
    if (how != OK && run_is_open(r) && ++r->end.flows < END_FLOWS_MOST) {
        start_flow(r, run_end_begin);
        return;
    }
    struct run **at = &a->runs;
    while (*at != r)
        at = &(*at)->next_live;
    *at = r->next_live;
    a->n_runs--;
    ticket_leave(&r->ticket);
    takeover_room(a);
    journal_detach(&r->log);
    journal_wake_readers(a->store->journal, str_of(r->message_id));
    if (r->ontology)
        r->ontology->holders--;
    buf_done(&r->visible);
    arena_done(&r->rows);
    arena_done(&r->scratch);
    arena_done(&r->retired);
    arena_done(&r->calls.memory);
    arena_done(&r->arena);
    arena_done(&r->reserve);
    mem_free(r);
    agent_free_if_over(a);
}

void agent_lose_run(struct run *r)
{
    r->end.outcome = RUN_LOST;
    stop_work(r, ERR_CONFLICTING_WRITE);
}

/* The journal cannot write: another process has the run, or the run fails. */
static void on_journal_lost(void *who, enum err why)
{
    struct run *r = who;
    if (why == ERR_CONFLICTING_WRITE)
        agent_lose_run(r);
    else
        stop_work(r, why);
}

struct ticket *agent_ticket(struct agent *a, struct str user_id)
{
    return admission_enter(&a->admission, user_id);
}

void agent_start_run(struct agent *a, struct str message_id, struct str chat_id,
                     struct ticket *ticket, const struct trace *trace)
{
    agent_take_run(a,
                   &(struct takeover_run){
                       .message_id = message_id, .epoch = 1, .attempt = 1},
                   chat_id, ticket, trace);
}

void agent_start_build(struct agent *a, struct str id,
                       const struct trace *trace)
{
    agent_take_run(
        a,
        &(struct takeover_run){
            .message_id = id, .epoch = 1, .attempt = 1, .is_build = true},
        STR(""), NULL, trace);
}

void agent_take_run(struct agent *a, const struct takeover_run *taken,
                    struct str chat_id, struct ticket *ticket,
                    const struct trace *trace)
{
    struct str message_id = taken->message_id;
    if (a->releasing) { /* too late to begin: another process shall take it */
        ticket_leave(&ticket);
        wake_up(&a->wake);
        return;
    }
    struct run *r = mem_new(struct run);
    r->agent = a;
    if (!taken->is_build)
        r->ticket = ticket ? ticket : admission_resume(&a->admission);
    r->epoch = taken->epoch;
    r->attempt = taken->attempt;
    r->releases = taken->releases;
    if (trace)
        trace_child(&r->trace, trace);
    else
        trace_from_uuid(&r->trace, message_id);
    run_span_begin(r);
    r->started_at = clock_wall_ms() - taken->age_ms;
    r->started_ms = clock_ms() - (uint64_t)taken->age_ms;
    r->calls.end = &r->calls.first;
    memcpy(r->message_id, message_id.ptr, UUID_SIZE - 1);
    if (chat_id.len == UUID_SIZE - 1)
        memcpy(r->chat_id, chat_id.ptr, UUID_SIZE - 1);
    flow_arena_init(&r->arena, RUN_MEMORY);
    flow_arena_init(&r->rows, RUN_MEMORY);
    flow_arena_init(&r->scratch, RUN_MEMORY);
    flow_arena_init(&r->calls.memory, RUN_MEMORY);
    arena_init(&r->reserve, 0);
    buf_init(&r->visible, NULL);
    if (taken->is_build)
        r->kind = &model_build_kind; /* its state is made by a step */
    r->log = journal_attach(a->store->journal, r->message_id, r->epoch,
                            r->attempt == 1, on_journal_lost, r);
    r->next_live = a->runs;
    a->runs = r;
    a->n_runs++;
    a->counters.runs_started += !taken->is_build;
    start_flow(r, run_begin);
}

bool agent_cancel_run(struct agent *a, struct str message_id)
{
    struct run *r = agent_find_run(a, message_id);
    if (r)
        stop_work(r, ERR_CANCELLED);
    return r != NULL;
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
    keeper_open(a);
    takeover_open(a);
    if (settings->schedules)
        scheduler_open(a);
    return a;
}

void agent_release(struct agent *a)
{
    a->releasing = true;
    for (struct run *r = a->runs; r; r = r->next_live) {
        r->end.released = true;
        stop_work(r, ERR_CONFLICTING_WRITE);
    }
    bridges_stop(a);
    wake_up(&a->wake);
    scheduler_close(a);
}

void agent_close(struct agent **at)
{
    struct agent *a = *at;
    *at = NULL;
    if (!a)
        return;
    a->closing = true;
    keeper_close(a);
    takeover_look(a); /* which ends the service */
    agent_release(a);
}
