/* scheduler.c - asks the questions of schedules when they are due.
 *
 *   scheduler_begin -> scheduler_due -> (round) -> scheduler_round_over
 *          ^___________________________________________|
 *   round_begin -> due_known -> next_due -> fired
 *                                 ^_________/
 *     -> open_runs_due -> open_runs_known -> next_open -> open_run_done
 *                                             ^_________/
 *     -> webhooks_due -> webhooks_known -> webhooks_sent -> sleep_known
 *
 * All workers look. What is due is fired by one SQL function, which moves the
 * schedule to its next time and makes the question and the answer's message in
 * one transaction: only one process finds it due. The message is an ordinary one,
 * so its run is claimed, and taken over, like any other; when a process dies in
 * between, another one finds a message that no process has begun. An ended run is
 * judged by the first process that sees it, and the database takes only the first
 * judgement. A schedule that was due several times while no server ran is asked
 * once. */
#include "scheduler.h"
#include "agent/schedule_condition.h"
#include "store/claims.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "store/schedules.h"
#include "base/banned.h"

enum {
    LOOK_MS = 5000, /* a schedule of another process is noticed by then */
    OPEN_LOOK_MS = 1000,
    SHORTEST_SLEEP_MS = 20, /* so that what stays due does not fill the loop */
    ROUND_MEMORY = 32 * 1024 * 1024,
    ROUND_MS = 60000,
    WEBHOOKS_MOST = 4,
};

struct scheduler_round {
    struct agent *agent;
    struct schedules_due due;
    struct schedule_fire fire;
    struct schedule_open_runs open;
    struct schedule_settle settle;
    struct run_claim claim;
    struct run_cancel cancel;
    struct ticket *ticket;
    struct webhooks_take take;
    struct webhook_send sends[WEBHOOKS_MOST];
    struct child senders[WEBHOOKS_MOST];
    struct schedule_sleep sleep;
    size_t at;
};

struct scheduler {
    struct agent *agent;
    struct wake wake;
    struct wait wait;
    struct child round;
    struct scheduler_round now;
    uint64_t sleep_ms;
};

static struct next scheduler_begin(struct flow *f),
    scheduler_due(struct flow *f), scheduler_round_over(struct flow *f),
    round_begin(struct flow *f), due_known(struct flow *f),
    next_due(struct flow *f), fired(struct flow *f),
    open_runs_due(struct flow *f), open_runs_known(struct flow *f),
    next_open(struct flow *f), claim_known(struct flow *f),
    spent_settled(struct flow *f), open_run_done(struct flow *f),
    webhooks_due(struct flow *f), webhooks_known(struct flow *f),
    webhooks_sent(struct flow *f), sleep_known(struct flow *f);

/* ---- the service ---------------------------------------------------------- */

static struct next scheduler_begin(struct flow *f)
{
    struct scheduler *s = locals(f, struct scheduler);
    if (s->agent->closing || s->agent->releasing)
        return back(f);
    wait_begin(f, &s->wait, &s->wake, s->sleep_ms);
    return await(f, scheduler_due);
}

static struct next scheduler_due(struct flow *f)
{
    struct scheduler *s = locals(f, struct scheduler);
    if (s->agent->closing || s->agent->releasing)
        return back(f);
    s->now = (struct scheduler_round){.agent = s->agent};
    child_begin(f, &s->round, round_begin, &s->now, "schedules", ROUND_MEMORY);
    op_tolerate(&s->round.op);
    op_deadline(&s->round.op, ROUND_MS);
    return await(f, scheduler_round_over);
}

static struct next scheduler_round_over(struct flow *f)
{
    struct scheduler *s = locals(f, struct scheduler);
    const struct schedule_sleep *sleep = &s->now.sleep;
    enum err how = s->round.op.status;
    s->sleep_ms = sleep->open ? OPEN_LOOK_MS : LOOK_MS;
    if (how == OK && sleep->ms >= 0 && (uint64_t)sleep->ms < s->sleep_ms)
        s->sleep_ms = (uint64_t)sleep->ms + SHORTEST_SLEEP_MS;
    if (how != OK && how != ERR_DATABASE_UNAVAILABLE)
        log_line(LOG_ERROR, "schedules not looked after", "%s", err_name(how));
    return go(f, scheduler_begin);
}

static void scheduler_start(struct scheduler *s);

static void scheduler_ended(struct flow *f, enum err how, void *who)
{
    struct scheduler *s = who;
    struct agent *a = s->agent;
    (void)f;
    if (how != OK && !a->closing && !a->releasing) {
        scheduler_start(s);
        return;
    }
    a->scheduler = NULL;
    mem_free(s);
    agent_free_if_over(a);
}

static void scheduler_start(struct scheduler *s)
{
    flow_start(scheduler_begin, s,
               &(struct flow_options){
                   .kind = "scheduler", .on_end = scheduler_ended, .who = s});
}

void scheduler_open(struct agent *a)
{
    struct scheduler *s = a->scheduler = mem_new(struct scheduler);
    s->agent = a;
    s->sleep_ms = OPEN_LOOK_MS;
    scheduler_start(s);
}

void scheduler_close(struct agent *a)
{
    if (a->scheduler)
        wake_up(&a->scheduler->wake);
}

/* ---- what is due ---------------------------------------------------------- */

static void leave_round(void *round)
{
    ticket_leave(&((struct scheduler_round *)round)->ticket);
}

static struct next round_begin(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    defer(f, leave_round, r);
    r->due.store = r->open.store = r->take.store = r->sleep.store =
        r->agent->store;
    return call(f, schedules_due_begin, &r->due, due_known);
}

static struct next due_known(struct flow *f)
{
    locals(f, struct scheduler_round)->at = 0;
    return go(f, next_due);
}

static struct next next_due(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    struct cron_offset *zone;
    struct cron cron;
    const char *why;
    if (r->at == r->due.n)
        return go(f, open_runs_due);
    const struct schedule_due *d = &r->due.items[r->at++];
    size_t n = zone_offsets_read(flow_keep(f), d->offsets, &zone);
    int64_t next = n && cron_parse(d->cron, &cron, &why)
                       ? cron_next(&cron, zone, n, r->due.now_s)
                       : -1;
    r->fire = (struct schedule_fire){.store = r->agent->store,
                                     .id = d->id,
                                     .due_ms = d->due_ms,
                                     .next_ms = next < 0 ? -1 : next * 1000};
    return call(f, schedule_fire_begin, &r->fire, fired);
}

static struct next fired(struct flow *f)
{
    const struct scheduler_round *r = locals(f, struct scheduler_round);
    if (r->fire.fired)
        log_event(LOG_INFO, "schedule fired",
                  (struct log_field[]){{"schedule", r->fire.id}, {NULL, {0}}});
    return go(f, next_due);
}

/* ---- runs that are open --------------------------------------------------- */

static struct next open_runs_due(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    return call(f, schedule_open_runs_begin, &r->open, open_runs_known);
}

static struct next open_runs_known(struct flow *f)
{
    locals(f, struct scheduler_round)->at = 0;
    return go(f, next_open);
}

#define settle_run(f, state, reason, then) \
    settle_run_named(f, state, reason, then, #then)
static struct next settle_run_named(struct flow *f, const char *state,
                                    struct str reason, step_fn *then,
                                    const char *name)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    r->settle.state = state;
    r->settle.reason = reason;
    return flow_call(f, schedule_settle_begin, "schedule_settle_begin",
                     &r->settle, then, name, NULL, NULL);
}

/* No process has begun it: this process tries. */
static struct next start_open(struct flow *f,
                              const struct schedule_open_run *run)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    const struct agent_settings *s = &r->agent->settings;
    r->ticket = agent_ticket(r->agent, run->user_id);
    r->claim = (struct run_claim){.store = r->agent->store,
                                  .message_id = run->message_id,
                                  .chat_id = run->chat_id,
                                  .user_id = run->user_id,
                                  .limit = s->runs_per_user,
                                  .tokens_per_day = s->tokens_per_day,
                                  .cost_per_day = s->cost_per_day,
                                  .full = !r->ticket};
    return call(f, run_claim_begin, &r->claim, claim_known);
}

/* A user whose other runs go on, or a full process: it is tried again in the
 * next round, until the message expires. */
static struct next claim_known(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    const struct schedule_open_run *run = &r->open.items[r->at - 1];
    if (r->claim.outcome == CLAIMED) {
        agent_start_run(r->agent, run->message_id, run->chat_id, r->ticket,
                        NULL);
        r->ticket = NULL;
        return go(f, next_open);
    }
    ticket_leave(&r->ticket);
    bool costly = r->claim.outcome == CLAIM_COSTLY;
    if (r->claim.outcome != CLAIM_SPENT && !costly)
        return go(f, next_open);
    return settle_run(
        f, "failed",
        costly ? STR("The owner's limit of cost for the day (UTC) was reached.")
               : STR("The owner's tokens of the day (UTC) were used up."),
        spent_settled);
}

/* The answer's message ends, too. */
static struct next spent_settled(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    const struct schedule_open_run *run = &r->open.items[r->at - 1];
    r->cancel = (struct run_cancel){.store = r->agent->store,
                                    .user_id = run->user_id,
                                    .message_id = run->message_id};
    return call(f, run_cancel_begin, &r->cancel, open_run_done);
}

/* JSON that is dropped with the round. */
static json_t *round_json(struct flow *f, struct str text)
{
    json_t *v = text.len ? json_read(text, NULL) : NULL;
    defer(f, json_drop, v);
    return v;
}

/* Judges the answer, if the schedule has a condition. */
static struct next judge_answer(struct flow *f,
                                const struct schedule_open_run *run)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    struct arena *a = flow_keep(f);
    struct schedule_condition c = {0};
    const char *why = NULL;
    const json_t *said = round_json(f, run->condition);
    if (said && !condition_read(said, &c, &why))
        return settle_run(f, "failed", STR("Its condition cannot be read."),
                          open_run_done);
    const json_t *results = round_json(f, run->results);
    const json_t *result = condition_result(results, c.column);
    const json_t *rows = round_json(f, json_get_text(result, "data"));
    r->settle.rows = condition_rows(a, rows);
    if (!said)
        return settle_run(f, "done", STR(""), open_run_done);
    r->settle.value = condition_value(a, &c, result, rows, &why);
    if (!r->settle.value.len)
        return settle_run(f, "failed", str_of(why), open_run_done);
    r->settle.previous = run->previous;
    r->settle.judged = true;
    r->settle.held = condition_holds(&c, r->settle.value, run->previous);
    return settle_run(f, "done", STR(""), open_run_done);
}

static struct next next_open(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    if (r->at == r->open.n)
        return go(f, webhooks_due);
    const struct schedule_open_run *run = &r->open.items[r->at++];
    r->settle =
        (struct schedule_settle){.store = r->agent->store, .run_id = run->id};
    if (!run->status.len)
        return settle_run(f, "failed", STR("The answer was deleted."),
                          open_run_done);
    if (str_is(run->status, "generating"))
        return start_open(f, run);
    if (str_is(run->status, "clarification_needed"))
        return settle_run(f, "failed",
                          STR("The question needs a clarification. Ask it in "
                              "full."),
                          open_run_done);
    if (!str_is(run->status, "complete"))
        return settle_run(f, "failed",
                          run->error.len ? run->error
                                         : STR("The question failed."),
                          open_run_done);
    return judge_answer(f, run);
}

static struct next open_run_done(struct flow *f)
{
    return go(f, next_open);
}

/* ---- webhooks ------------------------------------------------------------- */

static struct next webhooks_due(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    return call(f, webhooks_take_begin, &r->take, webhooks_known);
}

/* A sender that fails leaves its delivery to a later round. */
static struct next webhooks_known(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    for (size_t i = 0; i < r->take.n && i < WEBHOOKS_MOST; i++) {
        r->sends[i].agent = r->agent;
        r->sends[i].due = &r->take.items[i];
        child_begin(f, &r->senders[i], webhook_send_begin, &r->sends[i],
                    "webhook", ROUND_MEMORY);
        op_tolerate(&r->senders[i].op);
    }
    return r->take.n ? await(f, webhooks_sent) : go(f, webhooks_sent);
}

static struct next webhooks_sent(struct flow *f)
{
    struct scheduler_round *r = locals(f, struct scheduler_round);
    return call(f, schedule_sleep_begin, &r->sleep, sleep_known);
}

static struct next sleep_known(struct flow *f)
{
    return back(f);
}
