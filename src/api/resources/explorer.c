/* explorer.c - explorations whose data stays in the browser: starts one, follows
 * it, cancels it, and takes the answers to its tool calls.
 *
 *   explorer_bridge -> admission_known -> follow_due
 *   explorer_resume -> follow_due <-> frames_due
 *        \ (explorer_remote.c), when another process may run it
 *   explorer_cancel -> run_known
 *   tool_callback -> call_claimed -> (answered) */
#include "agent/bridge.h"
#include "base/compiler.h"
#include "explorer_remote.h"
#include "explorer_request.h"
#include "../limits.h"
#include "net/sse.h"
#include "store/explorer_calls.h"
#include "store/explorer_runs.h"
#include "store/notices.h"
#include "base/banned.h"

enum {
    STALL_MS = 30000,
    QUEUE_BYTES = 1024 * 1024,
    PIECE_BYTES = 256 * 1024,
    FULL_BYTES = 512 * 1024,
    AGAIN_S = 5,
    NO_ROOM_MS = 200,
};

struct bridge_stream {
    struct explorer_search search;
    struct bridge_order order;
    struct explorer_admission admission;
    struct bridge_reader reader;
    struct sse *sse; /* NULL: disconnected, or everything was sent */
    struct wait wait;
};

static struct next admission_known(struct flow *f), follow_due(struct flow *f),
    frames_due(struct flow *f), run_known(struct flow *f),
    call_claimed(struct flow *f);

static struct agent *the_agent(const struct request *q)
{
    return q->api->options.agent;
}

/* ---- starting ----------------------------------------------------------- */

static struct next refuse_model(struct flow *f)
{
    struct request *q = REQUEST(f);
    q->answered = true;
    http_reply_error(q->x, ERR_MODEL_UNAVAILABLE,
                     STR("No language model is configured on this server."),
                     STR(""));
    return back(f);
}

static struct next refuse_busy(struct flow *f)
{
    limits_refuse(REQUEST(f), "explorations", BRIDGES_OF_USER, 0, AGAIN_S,
                  "Two explorations of yours are under way already. Wait "
                  "until one has ended, or cancel it.");
    return back(f);
}

struct next explorer_bridge(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct bridge_stream *s = keep(f, struct bridge_stream);
    q->state = s;
    if (!request_body(q))
        return back(f);
    explorer_order_read(q, &s->order);
    if (request_refused(q))
        return back(f);
    if (q->api->draining)
        return reply_refusal(f, ERR_UNAVAILABLE,
                             "This process is shutting down.");
    if (!s->order.provider)
        return refuse_model(f);
    if (!bridge_has_room(the_agent(q), q->user.id, s->order.chat_id))
        return refuse_busy(f);
    s->admission = (struct explorer_admission){
        .store = request_store(q),
        .user_id = q->user.id,
        .run_id = str_of(s->order.run_id),
        .request_id = q->x->request_id,
        .tokens_per_day = agent_settings(the_agent(q))->tokens_per_day,
        .cost_per_day = agent_settings(the_agent(q))->cost_per_day};
    return call(f, explorer_admission_begin, &s->admission, admission_known);
}

/* ---- the stream --------------------------------------------------------- */

static void on_client_gone(struct sse *sse, void *who)
{
    struct bridge_stream *s = who;
    (void)sse;
    s->sse = NULL;
    wake_up(&s->reader.wake);
}

static void on_stream_drained(struct sse *sse, void *who)
{
    struct bridge_stream *s = who;
    (void)sse;
    wake_up(&s->reader.wake);
}

static void close_stream(void *stream)
{
    struct bridge_stream *s = stream;
    bridge_unfollow(&s->reader);
    sse_close(&s->sse);
}

static void open_stream(struct flow *f, struct bridge *b)
{
    struct request *q = REQUEST(f);
    struct bridge_stream *s = q->state;
    bridge_follow(b, &s->reader);
    defer_kept(f, close_stream, s);
    q->answered = true;
    http_set_header(q->x, "x-vercel-ai-ui-message-stream", STR("v1"));
    s->sse = sse_open(q->x, &(struct sse_options){
                                .heartbeat_ms = q->api->options.heartbeat_ms,
                                .queue_bytes = QUEUE_BYTES,
                                .stall_ms = STALL_MS,
                                .on_closed = on_client_gone,
                                .on_drained = on_stream_drained,
                                .who = s});
}

/* While the user's tokens were counted, another stream may have begun. */
static struct next admission_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct bridge_stream *s = q->state;
    struct agent *a = the_agent(q);
    if (s->admission.spent || s->admission.costly) {
        limits_refuse_day(q, !s->admission.spent);
        return back(f);
    }
    s->order.cost_today = s->admission.cost_today;
    if (!bridge_has_room(a, q->user.id, s->order.chat_id))
        return refuse_busy(f);
    if (bridge_is_full(a) || q->api->draining)
        return reply_refusal(f, ERR_UNAVAILABLE,
                             "Too many explorations are under way. Try again "
                             "later.");
    open_stream(f, bridge_start(a, &s->order, &q->x->trace));
    return go(f, follow_due);
}

/* Sends what there is, as far as the client reads. */
static struct next follow_due(struct flow *f)
{
    struct bridge_stream *s = REQUEST(f)->state;
    unsigned again_ms = 0;
    while (s->sse && sse_queued(s->sse) <= FULL_BYTES) {
        if (!sse_has_room(s->sse, PIECE_BYTES)) {
            again_ms = NO_ROOM_MS;
            break;
        }
        struct str frames = bridge_frames(&s->reader, PIECE_BYTES);
        if (!frames.len)
            break;
        if (bridge_is_read(&s->reader)) {
            sse_send_last(s->sse, frames);
            sse_close(&s->sse);
            break;
        }
        sse_send(s->sse, frames);
    }
    if (!s->sse)
        return back(f);
    wait_begin(f, &s->wait, &s->reader.wake, again_ms);
    return await(f, frames_due);
}

static struct next frames_due(struct flow *f)
{
    return go(f, follow_due);
}

struct next explorer_resume(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct bridge_stream *s = keep(f, struct bridge_stream);
    int64_t after = 0;
    q->state = s;
    if (!request_position(q, &after))
        return back(f);
    struct bridge *b =
        bridge_find(the_agent(q), q->user.id, request_param(q, "id"));
    if (!b)
        return explorer_follow_elsewhere(f, request_param(q, "id"), after);
    s->reader.at = (size_t)after;
    open_stream(f, b);
    return go(f, follow_due);
}

/* ---- cancel ------------------------------------------------------------- */

static void reply_done(struct request *q, const char *message)
{
    struct api_reply r;
    reply_open_bare(q, &r);
    json_field_bool(&r.w, "success", true);
    json_field_text(&r.w, "message", message);
    reply_send(q, &r, 200);
}

struct next explorer_cancel(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct bridge *b =
        bridge_find(the_agent(q), q->user.id, request_param(q, "id"));
    if (b) {
        bridge_cancel(b);
        reply_done(q, "The exploration is cancelled.");
        return back(f);
    }
    struct bridge_stream *s = q->state = keep(f, struct bridge_stream);
    s->search = (struct explorer_search){.store = request_store(q),
                                         .user_id = q->user.id,
                                         .id = request_param(q, "id")};
    return call(f, explorer_search_begin, &s->search, run_known);
}

/* Another process runs it. Should the notice be lost, it ends soon after its
 * reader has left. */
static struct next run_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct bridge_stream *s = q->state;
    if (!s->search.run_id.len)
        return reply_refusal(f, ERR_NOT_FOUND,
                             "No exploration of yours with this id is under "
                             "way.");
    notice_send(request_store(q)->notices, NOTICE_CANCEL, s->search.run_id);
    reply_done(q, "The exploration is cancelled.");
    return back(f);
}

/* ---- callbacks ---------------------------------------------------------- */

static struct next no_such_call(struct flow *f)
{
    return reply_refusal(f, ERR_NOT_FOUND,
                         "There is no such call: it was answered, timed out, "
                         "or never existed.");
}

static bool callback_refused(struct request *q)
{
    const json_t *success = json_object_get(q->body, "success");
    const json_t *result = json_object_get(q->body, "result");
    const json_t *error = json_object_get(q->body, "error");
    if (!json_is_string(json_object_get(q->body, "toolCallId")))
        request_invalid(q, "toolCallId", "must be the id of a call");
    if (!json_is_boolean(success))
        request_invalid(q, "success", "must be true or false");
    else if (json_is_true(success) && (!result || json_is_null(result)))
        request_invalid(q, "result", "must be an object");
    if (result && !json_is_null(result) && !json_is_object(result))
        request_invalid(q, "result", "must be an object");
    if (error && !json_is_null(error) && !json_is_string(error))
        request_invalid(q, "error", "must be a string");
    return request_refused(q);
}

struct next tool_callback(struct flow *f)
{
    struct request *q = REQUEST(f);
    if (!request_body(q) || callback_refused(q))
        return back(f);
    struct explorer_call_answer *a = q->state =
        keep(f, struct explorer_call_answer);
    *a = (struct explorer_call_answer){.store = request_store(q),
                                       .id =
                                           json_get_text(q->body, "toolCallId"),
                                       .user_id = q->user.id,
                                       .body = q->x->body};
    if (!uuid_valid(a->id))
        return no_such_call(f);
    if (bridge_awaits(the_agent(q), a->user_id, a->id))
        a->body = STR("");
    return call(f, explorer_call_answer_begin, a, call_claimed);
}

static struct next call_claimed(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct explorer_call_answer *a = q->state;
    if (!a->accepted)
        return no_such_call(f);
    if (a->body.len)
        notice_send(request_store(q)->notices, NOTICE_ANSWERED, a->id);
    else if (!bridge_answer(the_agent(q), a->user_id, a->id, q->x->body))
        return no_such_call(f);
    reply_done(q, "The result was received.");
    return back(f);
}
