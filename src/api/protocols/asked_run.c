/* asked_run.c - asks a question and follows its run; see asked_run.h.
 *
 *   asked_run_begin -> conversation_known -> pair_known -> message_known
 *     -> turn_due <-> (pause) -> turn_known -> run_followed -> answer_known
 *   turn_known -> asked_in_vain, when the run is not started
 *   run_followed -> run_cancelled, when the client has gone */
#include "asked_run.h"
#include "../limits.h"
#include "agent/run.h"
#include "base/clock.h"
#include "base/banned.h"

enum {
    TURN_MS = 60000, /* until a run of the user ends */
    TURN_FIRST_MS = 25,
    TURN_MOST_MS = 400,
    AGAIN_S = 5,
    SPENT_AGAIN_S = 3600,
};

static struct next conversation_known(struct flow *f),
    pair_known(struct flow *f), message_known(struct flow *f),
    turn_due(struct flow *f), turn_known(struct flow *f),
    asked_in_vain(struct flow *f), run_followed(struct flow *f),
    run_cancelled(struct flow *f), answer_known(struct flow *f);

static struct next asked_refuse(struct flow *f, enum err e, const char *why)
{
    struct asked_run *r = locals(f, struct asked_run);
    r->refused = e;
    r->why = why;
    return back(f);
}

static void leave_turn(void *run)
{
    ticket_leave(&((struct asked_run *)run)->ticket);
}

struct next asked_run_begin(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    struct request *q = r->request;
    r->open.store = r->pair.store = r->claim.store = r->cancel.store =
        r->answer.store = request_store(q);
    r->open.user_id = r->pair.user_id = r->claim.user_id = r->cancel.user_id =
        r->answer.user_id = q->user.id;
    defer(f, leave_turn, r);
    if (r->message_id.len)
        return go(f, message_known);
    if (q->api->draining)
        return asked_refuse(f, ERR_UNAVAILABLE,
                            "This process is shutting down.");
    if (r->chat_id.len)
        return go(f, conversation_known);
    r->open.ontology_id = r->ontology_id;
    r->open.question = r->question;
    r->open.turns = r->turns;
    r->open.n_turns = r->n_turns;
    return call(f, conversation_open_begin, &r->open, conversation_known);
}

static struct next conversation_known(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    if (!r->chat_id.len) {
        r->chat_id = r->open.chat_id;
        r->pair.parent_id = r->open.parent_id;
    }
    r->pair.chat_id = r->chat_id;
    r->pair.content = r->question;
    r->pair.answer_id = r->answer_id;
    return call(f, message_pair_begin, &r->pair, pair_known);
}

static struct next pair_known(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    switch (r->pair.outcome) {
    case ASKED:
        break;
    case ASK_BUSY:
        return asked_refuse(f, ERR_CHAT_BUSY, NULL);
    case ASK_CHAT_MISSING:
        return asked_refuse(f, ERR_NOT_FOUND, "Chat not found");
    default:
        return asked_refuse(f, ERR_CONFLICT, "This question was asked before.");
    }
    r->message_id = r->pair.made_answer;
    return go(f, message_known);
}

/* ---- starting ------------------------------------------------------------ */

static struct next message_known(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    r->asked_ms = clock_ms();
    r->pause_ms = TURN_FIRST_MS;
    return go(f, turn_due);
}

static struct next turn_due(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    struct agent *agent = r->request->api->options.agent;
    r->ticket = agent_ticket(agent, r->request->user.id);
    r->claim.message_id = r->message_id;
    r->claim.chat_id = r->chat_id;
    r->claim.limit = agent_settings(agent)->runs_per_user;
    r->claim.tokens_per_day = agent_settings(agent)->tokens_per_day;
    r->claim.cost_per_day = agent_settings(agent)->cost_per_day;
    r->claim.full = !r->ticket;
    return call(f, run_claim_begin, &r->claim, turn_known);
}

static bool turn_may_come(const struct asked_run *r)
{
    bool later =
        r->claim.outcome == CLAIM_BUSY || r->claim.outcome == CLAIM_FULL;
    return later && !r->watch.gone && !r->request->api->draining &&
           clock_ms() - r->asked_ms < TURN_MS;
}

static struct next wait_for_turn(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    ticket_leave(&r->ticket);
    pause_begin(f, &r->pause, r->pause_ms);
    r->pause_ms =
        2 * r->pause_ms < TURN_MOST_MS ? 2 * r->pause_ms : TURN_MOST_MS;
    return await(f, turn_due);
}

static bool on_run_frames(struct run_watch *w, struct str frames)
{
    struct asked_run *r = container_of(w, struct asked_run, watch);
    return r->on_frames(r, frames);
}

/* The placeholder of an answer that will not start fails at once. */
static struct next give_up(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    r->cancel.message_id = r->message_id;
    return call(f, run_cancel_begin, &r->cancel, asked_in_vain);
}

static struct next turn_known(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    if (turn_may_come(r))
        return wait_for_turn(f);
    if (r->claim.outcome != CLAIMED)
        return give_up(f);
    r->watch.request = r->request;
    r->watch.message_id = r->message_id;
    if (r->on_start)
        r->on_start(r);
    r->watch.on_frames = r->on_frames ? on_run_frames : NULL;
    agent_start_run(r->request->api->options.agent, r->message_id, r->chat_id,
                    r->ticket, &r->request->x->trace);
    r->ticket = NULL;
    return call(f, run_watch_begin, &r->watch, run_followed);
}

static struct next asked_in_vain(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    r->again_s = AGAIN_S;
    switch (r->claim.outcome) {
    case CLAIM_BUSY:
        return asked_refuse(f, ERR_RATE_LIMITED,
                            "Other answers of yours are still being written.");
    case CLAIM_FULL:
        return asked_refuse(f, ERR_RATE_LIMITED,
                            "Too many questions are waiting. Try again later.");
    case CLAIM_SPENT:
    case CLAIM_COSTLY:
        r->again_s = SPENT_AGAIN_S;
        return asked_refuse(f, ERR_RATE_LIMITED,
                            r->claim.outcome == CLAIM_COSTLY ? limits_costly
                                                             : limits_spent);
    default:
        return asked_refuse(f, ERR_CANCELLED, NULL);
    }
}

/* ---- the end ------------------------------------------------------------- */

void asked_run_gone(struct asked_run *r)
{
    r->watch.gone = true;
    run_watch_wake(&r->watch);
}

void asked_run_pace(struct asked_run *r, bool full)
{
    bool was = r->watch.reader.full;
    r->watch.reader.full = full;
    if (was && !full)
        run_watch_wake(&r->watch);
}

static struct next run_followed(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    if (!r->watch.ended && r->watch.gone && r->ends_with_client) {
        r->cancel.message_id = r->message_id;
        return call(f, run_cancel_begin, &r->cancel, run_cancelled);
    }
    r->ended = r->watch.ended;
    if (!r->ended || !r->question.len)
        return back(f);
    r->answer.answer_id = r->message_id;
    return call(f, answer_read_begin, &r->answer, answer_known);
}

static struct next run_cancelled(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    if (r->cancel.found)
        agent_cancel_anywhere(r->request->api->options.agent, r->message_id,
                              r->cancel.running);
    return back(f);
}

static struct next answer_known(struct flow *f)
{
    struct asked_run *r = locals(f, struct asked_run);
    r->ended = r->answer.found;
    if (!r->ended)
        return asked_refuse(f, ERR_NOT_FOUND, "The chat was deleted.");
    return back(f);
}

enum err asked_run_error(const struct answer_read *a)
{
    static const struct {
        enum err error;
        const char *code;
    } codes[] = {
#define ERROR(name, status, code, sentence) {ERR_##name, code},
#include "base/errors.def"
#undef ERROR
    };
    if (!str_is(a->status, "failed") && !str_is(a->status, "cancelled"))
        return OK;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (a->error_code.len && str_is(a->error_code, codes[i].code))
            return codes[i].error;
    return str_is(a->status, "cancelled") ? ERR_CANCELLED : ERR_INTERNAL;
}
