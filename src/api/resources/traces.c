/* traces.c - the recorded model calls of an answer. */
#include "store/traces.h"
#include "base/clock.h"
#include "../request.h"
#include "base/banned.h"

static struct next traces_found(struct flow *f);

struct next traces_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trace_list *t = keep(f, struct trace_list);
    q->state = t;
    t->store = request_store(q);
    t->user_id = q->user.id;
    if (!request_uuid(q, "chatId", &t->chat_id) ||
        !request_uuid(q, "messageId", &t->message_id))
        return back(f);
    return call(f, trace_list_begin, t, traces_found);
}

static struct next traces_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct trace_list *t = q->state;
    char now[CLOCK_RFC3339_SIZE];
    struct api_reply r;
    if (!t->found || t->foreign)
        return reply_refusal(f, t->found ? ERR_FORBIDDEN : ERR_NOT_FOUND,
                             t->found ? NULL : "Message not found");
    reply_open(q, &r);
    json_put_array(&r.w);
    for (int i = 0; i < t->query->n_rows; i++)
        trace_write(&r.w, t->query, i);
    json_put_array_end(&r.w);
    clock_rfc3339(clock_wall_ms(), now);
    json_field_object(&r.w, "meta");
    json_field_text(&r.w, "timestamp", now);
    reply_send_object(q, &r, 200);
    return back(f);
}
