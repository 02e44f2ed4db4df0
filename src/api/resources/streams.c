/* streams.c - streams the events of an answer: starts a run, or follows one; and
 * follows the builds of semantic models.
 *
 *   stream_of_… -> claim (-> create the messages -> claim) -> follow
 *   events_follow, model_runs_follow ----------------------> follow
 *
 * All follow the event log with the same reader: look, wait, look … until the
 * terminal event. While this process owns the run, committed batches are pushed
 * to the reader without a query. Otherwise, and for earlier events, the reader
 * queries the table, at least every POLL_MS. */
#include "agent/run.h"
#include "base/clock.h"
#include "../figures.h"
#include "../limits.h"
#include "net/sse.h"
#include "question.h"
#include "store/claims.h"
#include "store/runs.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { POLL_MS = 5000, STALL_MS = 15000, LOOK_MEMORY = 64 * 1024 * 1024 };
enum { RUN_AGAIN_S = 1, QUEUE_AGAIN_S = 5 };
enum { QUEUE_BYTES = 1024 * 1024, FULL_BYTES = 32 * 1024 };
enum { SEVERAL_PAGES_MS = 1, NO_ROOM_MS = 200 };

struct stream {
    struct request *request;
    struct message_pair pair;
    struct ticket *ticket; /* of the run that is to be claimed */
    struct run_claim claim;
    struct journal_reader reader;
    struct sse *sse; /* NULL: disconnected, or everything was sent */
    struct wait wait;
    struct child look;
    struct run_frames frames;
    struct str message_id, chat_id;
    uint64_t asked_ms; /* when the request came; 0: an event was sent */
    bool paired;       /* question and answer exist */
    bool join;         /* follow a run that was started already */
    bool again;        /* the table has more events */
    bool no_room;      /* the queues of all streams are full */
    size_t needs;      /* bytes of an end that did not fit; 0: none */
};

static struct next message_ready(struct flow *f), claim_begin(struct flow *f),
    claim_known(struct flow *f), follow_begin(struct flow *f),
    log_look_due(struct flow *f), log_looked(struct flow *f),
    stream_over(struct flow *f), log_look_begin(struct flow *f),
    log_read(struct flow *f), look_at_head(struct flow *f, int64_t after);

static struct stream *stream_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = keep(f, struct stream);
    s->request = q;
    s->pair.store = s->claim.store = s->frames.store = request_store(q);
    s->pair.user_id = s->claim.user_id = s->frames.user_id = q->user.id;
    q->state = s;
    return s;
}

/* ---- starting ------------------------------------------------------------ */

static bool read_join(struct request *q, bool *out)
{
    struct str text;
    if (!http_get_query(q->x, "join", &text))
        return true;
    if (!str_is(text, "true") && !str_is(text, "false"))
        request_invalid(q, "join", "must be true or false");
    *out = str_is(text, "true");
    return !request_refused(q);
}

struct next stream_of_chat(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = stream_new(f);
    if (!request_uuid(q, "chatId", &s->chat_id) ||
        !request_uuid(q, "messageId", &s->message_id) ||
        !read_join(q, &s->join))
        return back(f);
    return go(f, claim_begin);
}

struct next stream_of_message(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = stream_new(f);
    if (!request_uuid(q, "messageId", &s->message_id) || !request_body(q))
        return back(f);
    request_uuid_given(q, "chatId", &s->chat_id);
    question_of(q, "question", &s->pair.content);
    question_parent(q, &s->pair.parent_id);
    if (request_refused(q))
        return back(f);
    s->pair.chat_id = s->chat_id;
    s->pair.answer_id = s->message_id;
    return go(f, claim_begin);
}

/* The claim found no such message: create it, then claim again. */
static struct next message_ready(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = q->state;
    s->paired = true;
    if (s->pair.outcome != ASK_EXISTS && question_refused(q, s->pair.outcome))
        return back(f);
    return go(f, claim_begin);
}

static void leave_queue(void *stream)
{
    ticket_leave(&((struct stream *)stream)->ticket);
}

static struct next claim_begin(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = q->state;
    struct agent *agent = q->api->options.agent;
    if (q->api->draining)
        return reply_refusal(f, ERR_UNAVAILABLE,
                             "This process is shutting down.");
    if (!s->paired) {
        s->ticket = agent_ticket(agent, q->user.id);
        defer_kept(f, leave_queue, s);
    }
    s->claim.message_id = s->message_id;
    s->claim.chat_id = s->chat_id;
    s->claim.limit = agent_settings(agent)->runs_per_user;
    s->claim.tokens_per_day = agent_settings(agent)->tokens_per_day;
    s->claim.cost_per_day = agent_settings(agent)->cost_per_day;
    s->claim.full = !s->ticket;
    return call(f, run_claim_begin, &s->claim, claim_known);
}

static void refuse_taken(struct request *q, const struct stream *s)
{
    struct str details = arena_printf(
        &q->memory, "{\"eventsUrl\":\"/api/data-agent/messages/%.*s/events\"}",
        STR_ARG(s->message_id));
    reply_error_with(q, ERR_CONFLICT,
                     "This message is being answered or finished already.",
                     details);
}

static struct next refuse_claim(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct stream *s = q->state;
    const struct run_claim *c = &s->claim;
    switch (c->outcome) {
    case CLAIM_MISSING:
        reply_error(q, ERR_NOT_FOUND, "Message not found");
        break;
    case CLAIM_BUSY:
        limits_refuse(q, "runs", c->limit, 0, RUN_AGAIN_S,
                      "Another answer of yours is still being written.");
        break;
    case CLAIM_SPENT:
    case CLAIM_COSTLY:
        limits_refuse_day(q, c->outcome == CLAIM_COSTLY);
        break;
    case CLAIM_FULL:
        limits_refuse(q, "queue", 0, 0, QUEUE_AGAIN_S,
                      "Too many questions are waiting. Try again later.");
        break;
    default:
        refuse_taken(q, s);
    }
    return back(f);
}

/* ---- the event stream ---------------------------------------------------- */

static void count_first_event(struct stream *s)
{
    if (!s->asked_ms)
        return;
    figures_first_event(s->request->api->figures,
                        (clock_ms() - s->asked_ms) * 1000);
    s->asked_ms = 0;
}

static bool stream_has_room(struct stream *s, size_t bytes)
{
    s->no_room = !sse_has_room(s->sse, bytes);
    return !s->no_room;
}

/* A reader whose queue exceeds FULL_BYTES gets nothing pushed; it queries the
 * table once the queue is empty. */
static void put_frames(struct stream *s, struct str frames)
{
    sse_send(s->sse, frames);
    s->reader.full = sse_queued(s->sse) > FULL_BYTES;
}

static bool on_stream_frames(struct journal_reader *r, struct str frames)
{
    struct stream *s = r->who;
    if (!s->sse)
        return true;
    if (!stream_has_room(s, frames.len))
        return false;
    count_first_event(s);
    put_frames(s, frames);
    return true;
}

/* The queue is empty: the reader may have more. */
static void on_stream_drained(struct sse *sse, void *who)
{
    (void)sse;
    struct stream *s = who;
    s->reader.full = false;
    wake_up(&s->reader.wake);
}

static bool on_stream_end(struct journal_reader *r, struct str frame)
{
    struct stream *s = r->who;
    if (s->sse && !stream_has_room(s, frame.len))
        return false;
    if (s->sse) {
        sse_send_last(s->sse, frame);
        sse_close(&s->sse);
    }
    wake_up(&r->wake);
    return true;
}

static void on_client_gone(struct sse *sse, void *who)
{
    (void)sse;
    struct stream *s = who;
    s->sse = NULL;
    wake_up(&s->reader.wake);
}

static void unfollow_journal(void *reader)
{
    journal_unfollow(reader);
}

static void close_event_stream(void *stream)
{
    struct stream *s = stream;
    sse_close(&s->sse);
}

static void open_stream(struct flow *f, int64_t after)
{
    struct request *q = REQUEST(f);
    struct stream *s = q->state;
    q->answered = true;
    memcpy(s->reader.message_id, s->message_id.ptr, UUID_SIZE - 1);
    s->reader.at = after;
    s->reader.on_frames = on_stream_frames;
    s->reader.on_end = on_stream_end;
    s->reader.who = s;
    s->asked_ms = s->frames.is_build ? 0 : q->x->started_ms;
    s->sse = sse_open(q->x, &(struct sse_options){
                                .heartbeat_ms = q->api->options.heartbeat_ms,
                                .queue_bytes = QUEUE_BYTES,
                                .stall_ms = STALL_MS,
                                .on_closed = on_client_gone,
                                .on_drained = on_stream_drained,
                                .who = s});
    defer_kept(f, close_event_stream, s);
    journal_follow(request_store(q)->journal, &s->reader);
    defer_kept(f, unfollow_journal, &s->reader);
}

static struct next claim_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = q->state;
    if (s->claim.outcome == CLAIM_MISSING && s->pair.content.len && !s->paired)
        return call(f, message_pair_begin, &s->pair, message_ready);
    if (s->claim.outcome == CLAIM_TAKEN && s->join) {
        ticket_leave(&s->ticket);
        return look_at_head(f, 0);
    }
    if (s->claim.outcome != CLAIMED)
        return refuse_claim(f);
    open_stream(f, 0);
    agent_start_run(q->api->options.agent, s->message_id, s->chat_id, s->ticket,
                    &q->x->trace);
    s->ticket = NULL;
    return call(f, follow_begin, s, stream_over);
}

/* ---- following ----------------------------------------------------------- */

static struct next events_known(struct flow *f);

static struct next look_at_head(struct flow *f, int64_t after)
{
    struct stream *s = REQUEST(f)->state;
    s->frames.message_id = s->message_id;
    s->frames.after = after;
    /* this flow keeps what it reads; one look does not */
    s->frames.head = true;
    return call(f, run_frames_begin, &s->frames, events_known);
}

struct next events_follow(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = stream_new(f);
    int64_t after;
    if (!request_uuid(q, "messageId", &s->message_id) ||
        !request_position(q, &after))
        return back(f);
    return look_at_head(f, after);
}

struct next model_runs_follow(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = stream_new(f);
    int64_t after;
    s->frames.is_build = true;
    s->frames.all = request_may(q, MAY_ADMIN);
    if (!request_uuid(q, "id", &s->message_id) || !request_position(q, &after))
        return back(f);
    return look_at_head(f, after);
}

/* An event of a build voids those before it: a new reader gets the latest. */
static int64_t build_position(const struct run_frames *r)
{
    int64_t latest = r->newest - !r->ended;
    return r->after > latest ? r->after : latest;
}

/* Nothing is sent before it is known that the user owns the message. */
static struct next events_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct stream *s = q->state;
    if (!s->frames.found)
        return reply_refusal(f, ERR_NOT_FOUND,
                             s->frames.is_build ? "Run not found"
                                                : "Message not found");
    if (s->frames.is_build)
        s->frames.after = build_position(&s->frames);
    else if (s->frames.ended && s->frames.after > s->frames.newest) {
        /* after 200 an EventSource would reconnect forever */
        reply_empty(q, 204);
        return back(f);
    }
    open_stream(f, s->frames.after);
    s->reader.wake.pending = true; /* look again: the log may have grown */
    return call(f, follow_begin, s, stream_over);
}

static struct next follow_begin(struct flow *f)
{
    struct stream *s = locals(f, struct stream);
    int64_t left = s->request->until_ms - clock_wall_ms();
    if (!s->sse || left <= 0 || s->reader.cut)
        return back(f);
    uint64_t ms = left < POLL_MS ? (uint64_t)left : POLL_MS;
    if (s->no_room)
        ms = NO_ROOM_MS;
    else if (s->again && !s->reader.full)
        ms = SEVERAL_PAGES_MS;
    wait_begin(f, &s->wait, &s->reader.wake, ms);
    return await(f, log_look_due);
}

/* No query is needed while this process writes the run and the reader has no
 * gap. */
static struct next log_look_due(struct flow *f)
{
    struct stream *s = locals(f, struct stream);
    struct journal *j = request_store(s->request)->journal;
    if (!s->sse)
        return back(f);
    s->no_room = false;
    /* a slow reader: the log holds its events, not memory */
    if (s->reader.full)
        return go(f, follow_begin);
    if (journal_writes(j, s->reader.message_id) &&
        journal_reader_is_current(&s->reader))
        return go(f, follow_begin);
    /* An end that did not fit is read again only when there is room for it. */
    if (!stream_has_room(s, s->needs > RUN_FRAMES_BYTES ? s->needs
                                                        : RUN_FRAMES_BYTES))
        return go(f, follow_begin);
    journal_reader_request_notices(&s->reader);
    child_begin(f, &s->look, log_look_begin, s, "look", LOOK_MEMORY);
    op_tolerate(&s->look.op);
    return await(f, log_looked);
}

static struct next log_looked(struct flow *f)
{
    return go(f, follow_begin);
}

static struct next stream_over(struct flow *f)
{
    return back(f);
}

/* ---- one look at the table, in a flow of its own ------------------------- */

static struct next log_look_begin(struct flow *f)
{
    struct stream *s = locals(f, struct stream);
    s->frames.message_id = s->message_id;
    s->frames.after = s->reader.at;
    s->frames.opened = true;
    s->frames.head = false;
    return call(f, run_frames_begin, &s->frames, log_read);
}

/* The requested events were deleted; continue at the first one left. */
static void send_reset(struct stream *s, int64_t trimmed)
{
    char data[64];
    struct buf out;
    snprintf(data, sizeof data, "{\"type\":\"reset\",\"fromId\":%lld}",
             (long long)trimmed + 1);
    buf_init(&out, NULL);
    sse_frame(&out, STR("reset"), str_of(data), trimmed);
    sse_send(s->sse, buf_view(&out));
    buf_done(&out);
    s->reader.at = trimmed;
}

/* What the row of a build says of its end is the event. */
static void build_terminal_frame(struct buf *out, const struct run_frames *r)
{
    sse_frame(out,
              str_is(r->status, "complete") ? STR("run_complete")
                                            : STR("run_error"),
              r->metadata, r->newest + 1);
}

/* The connection was deleted, and the build with it. */
static void send_gone(struct flow *f, struct stream *s)
{
    const char *why = err_sentence(ERR_CANCELLED);
    struct buf frame;
    buf_init(&frame, flow_here(f));
    sse_frame(&frame, STR("run_error"),
              arena_printf(flow_here(f),
                           "{\"type\":\"run_error\",\"runId\":\"%.*s\","
                           "\"code\":\"%s\",\"message\":\"%s\","
                           "\"error\":\"%s\"}",
                           STR_ARG(s->message_id), err_code(ERR_CANCELLED), why,
                           why),
              s->reader.at + 1);
    sse_send_last(s->sse, buf_view(&frame));
}

static void send_terminal(struct flow *f, struct stream *s)
{
    const struct run_frames *r = &s->frames;
    struct buf out;
    buf_init(&out, flow_here(f));
    if (r->is_build)
        build_terminal_frame(&out, r);
    else
        message_terminal_frame(&out, s->message_id, r->status, r->content,
                               r->metadata, r->newest + 1);
    s->needs = out.len;
    if (!stream_has_room(s, out.len))
        return;
    s->reader.ended = true;
    if (s->reader.at <= r->newest) /* else the client has it already */
        sse_send_last(s->sse, buf_view(&out));
    sse_close(&s->sse);
}

static struct next log_read(struct flow *f)
{
    struct stream *s = locals(f, struct stream);
    struct run_frames *r = &s->frames;
    s->again = r->more;
    if (!s->sse)
        return back(f);
    if (!r->found) { /* deleted in the meantime */
        if (r->is_build)
            send_gone(f, s);
        sse_close(&s->sse);
        return back(f);
    }
    if (r->trimmed > s->reader.at)
        send_reset(s, r->trimmed);
    if (r->last > s->reader.at) {
        struct str frames = journal_frames_after(r->frames, s->reader.at);
        if (!stream_has_room(s, frames.len))
            return back(f);
        count_first_event(s);
        put_frames(s, frames);
        s->reader.at = r->last;
    }
    if (r->ended && !r->more && !s->reader.ended)
        send_terminal(f, s);
    return back(f);
}
