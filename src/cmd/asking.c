/* asking.c - asks one question in this process and follows its run. */
#include "asking.h"
#include "agent/run.h"
#include "base/clock.h"
#include <string.h>
#include "base/banned.h"

enum {
    MOST_EVENT = 64 * 1024 * 1024,
    TICK_MS = 120,
    LOOK_AGAIN_MS = 2000,
};

static struct next messages_made(struct flow *f), run_claimed(struct flow *f),
    follow_run(struct flow *f), run_log_read(struct flow *f);

struct next asking_begin(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    a->pair = (struct message_pair){.store = a->engine->store,
                                    .user_id = a->user_id,
                                    .chat_id = a->chat_id,
                                    .content = a->question};
    return call(f, message_pair_begin, &a->pair, messages_made);
}

static struct next messages_made(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    if (a->pair.outcome == ASK_BUSY)
        return fail(f, ERR_CHAT_BUSY);
    if (a->pair.outcome != ASKED)
        return fail_because(f, ERR_NOT_FOUND, "there is no chat %.*s",
                            STR_ARG(a->chat_id));
    a->message_id = a->pair.made_answer;
    a->claim = (struct run_claim){.store = a->engine->store,
                                  .user_id = a->user_id,
                                  .chat_id = a->chat_id,
                                  .message_id = a->message_id};
    return call(f, run_claim_begin, &a->claim, run_claimed);
}

/* ---- following ----------------------------------------------------------- */

static bool on_run_event(void *who, const struct sse_event *event)
{
    struct asking *a = who;
    json_t *data = json_read(event->data, NULL);
    if (str_is(event->type, "message_complete") ||
        str_is(event->type, "message_error"))
        a->last = json_incref(data);
    else if (a->on_event)
        a->on_event(a->who, event->type, data);
    json_decref(data);
    return true;
}

static bool on_run_frames(struct journal_reader *r, struct str frames)
{
    struct asking *a = r->who;
    sse_decoder_feed(&a->decoder, frames);
    return true;
}

static bool on_run_end(struct journal_reader *r, struct str frame)
{
    struct asking *a = r->who;
    sse_decoder_feed(&a->decoder, frame);
    wake_up(&r->wake);
    return true;
}

static void stop_following(void *who)
{
    struct asking *a = who;
    if (a->reader.journal)
        journal_unfollow(&a->reader);
    sse_decoder_done(&a->decoder);
}

/* The caller's step after this subflow still needs the last event. */
static void drop_last_event(void *who)
{
    struct asking *a = who;
    json_decref((json_t *)a->last);
    a->last = NULL;
}

static struct next run_claimed(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    if (a->claim.outcome != CLAIMED)
        return fail_because(f, ERR_CONFLICT,
                            "another process has claimed the message");
    a->reader.on_frames = on_run_frames;
    a->reader.on_end = on_run_end;
    a->reader.who = a;
    memcpy(a->reader.message_id, a->message_id.ptr, UUID_SIZE - 1);
    sse_decoder_init(&a->decoder, MOST_EVENT, on_run_event, a);
    journal_follow(a->engine->store->journal, &a->reader);
    defer(f, stop_following, a);
    defer_kept(f, drop_last_event, a);
    a->looked = clock_ms();
    agent_start_run(a->engine->agent, a->message_id, a->chat_id, NULL, NULL);
    return go(f, follow_run);
}

static struct next follow_run(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    if (a->last)
        return back(f);
    if (a->on_tick)
        a->on_tick(a->who);
    if (agent_runs(a->engine->agent) ||
        clock_ms() - a->looked < LOOK_AGAIN_MS) {
        wait_begin(f, &a->wait, &a->reader.wake, TICK_MS);
        return await(f, follow_run);
    }
    /* Another process has taken the run over; its log has the rest. */
    a->looked = clock_ms();
    a->frames = (struct run_frames){.store = a->engine->store,
                                    .user_id = a->user_id,
                                    .message_id = a->message_id,
                                    .after = a->reader.at};
    return call(f, run_frames_begin, &a->frames, run_log_read);
}

static struct next run_log_read(struct flow *f)
{
    struct asking *a = locals(f, struct asking);
    const struct run_frames *r = &a->frames;
    struct buf frame;
    if (!r->found)
        return fail_because(f, ERR_NOT_FOUND, "the message was deleted");
    a->reader.at = r->last;
    sse_decoder_feed(&a->decoder, r->frames);
    if (r->ended && !r->more) {
        buf_init(&frame, flow_here(f));
        message_terminal_frame(&frame, a->message_id, r->status, r->content,
                               r->metadata, r->last + 1);
        sse_decoder_feed(&a->decoder, buf_view(&frame));
    }
    return go(f, follow_run);
}
