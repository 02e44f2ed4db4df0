/* usage.c - what users and chats have used, and what it cost. */
#include "store/usage.h"
#include "base/prices.h"
#include "../request.h"
#include "base/banned.h"

enum { DAYS = 30, DAYS_MOST = 366 };

static struct next usage_found(struct flow *f);

static struct next read_usage(struct flow *f, bool everyone, bool chat)
{
    struct request *q = REQUEST(f);
    struct usage_read *u = keep(f, struct usage_read);
    q->state = u;
    *u = (struct usage_read){.store = request_store(q),
                             .user_id = q->user.id,
                             .everyone = everyone,
                             .days = DAYS};
    if (chat && !request_uuid(q, "chatId", &u->chat_id))
        return back(f);
    if (!chat)
        request_number(q, "days", DAYS_MOST, DAYS, &u->days);
    if (request_refused(q))
        return back(f);
    return call(f, usage_read_begin, u, usage_found);
}

struct next usage_get(struct flow *f)
{
    return read_usage(f, false, false);
}

struct next usage_everyone(struct flow *f)
{
    return read_usage(f, true, false);
}

struct next chats_usage(struct flow *f)
{
    return read_usage(f, false, true);
}

static struct next usage_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct usage_read *u = q->state;
    const struct agent_settings *s = agent_settings(q->api->options.agent);
    struct api_reply r;
    if (!u->json.len)
        return reply_refusal(f, ERR_NOT_FOUND, "Chat not found");
    reply_open(q, &r);
    if (u->chat_id.len) {
        json_put_raw(&r.w, u->json);
    } else {
        json_put_object(&r.w);
        json_field_int(&r.w, "tokensPerDay", s->tokens_per_day);
        json_field_real(&r.w, "costPerDay", amount_real(s->cost_per_day));
        json_field_raw(&r.w, "used", u->json);
        json_put_object_end(&r.w);
    }
    reply_send(q, &r, 200);
    return back(f);
}
