/* webhook.c - signs and sends a webhook; see scheduler.h.
 *
 *   webhook_send_begin -> webhook_answered -> webhook_stored
 *
 * The signature is an HMAC-SHA256, with the schedule's secret as the key, of the
 * time, a dot and the body. The address is one that a user wrote: only public
 * ones are connected to (http_client.h), and redirects are not followed. What the
 * receiver answers is not read. */
#include "scheduler.h"
#include "base/clock.h"
#include "net/http_client.h"
#include "store/connections.h"
#include "store/schedules.h"
#include "base/banned.h"

enum {
    ATTEMPTS_MOST = 5,
    GROWTH = 4, /* of the pause between attempts */
    CONNECT_MS = 5000,
    TOTAL_MS = 15000,
    REPLY_BYTES = 64 * 1024,
};

static struct next webhook_answered(struct flow *f),
    webhook_stored(struct flow *f);

static struct next store_webhook(struct flow *f, const char *state,
                                 struct str error)
{
    struct webhook_send *s = locals(f, struct webhook_send);
    uint64_t pause = s->agent->settings.webhook_retry_ms;
    for (int i = 1; i < s->due->attempts; i++)
        pause *= GROWTH;
    s->done = (struct webhook_done){.store = s->agent->store,
                                    .id = s->due->id,
                                    .state = state,
                                    .status = s->call.status,
                                    .error = error,
                                    .again_ms = (int64_t)pause};
    return call(f, webhook_done_begin, &s->done, webhook_stored);
}

static struct next webhook_stored(struct flow *f)
{
    return back(f);
}

static struct str signature(struct arena *arena, struct str secret,
                            struct str body)
{
    uint8_t mac[SHA256_SIZE];
    long long now = (long long)(clock_wall_ms() / 1000);
    struct str text = arena_printf(arena, "%lld.%.*s", now, STR_ARG(body));
    hmac_sha256(secret, text, mac);
    return arena_printf(arena, "X-Sextant-Signature: t=%lld,v1=%s", now,
                        hex_encode(arena, mac, sizeof mac).ptr);
}

static bool drop_reply(struct http_call *c, struct str bytes)
{
    (void)c, (void)bytes;
    return true;
}

struct next webhook_send_begin(struct flow *f)
{
    struct webhook_send *s = locals(f, struct webhook_send);
    const struct agent_settings *settings = &s->agent->settings;
    const struct webhook_due *due = s->due;
    struct arena *a = flow_here(f);
    if (!due->url.len)
        return store_webhook(f, "failed", STR("The webhook was removed."));
    if (!source_unseal(f, s->agent->store, due->secret, &s->secret))
        return store_webhook(f, "failed",
                             STR("Its secret cannot be read. Make a new one."));
    s->headers[0] = STR("Content-Type: application/json");
    s->headers[1] = signature(a, s->secret, due->body);
    s->headers[2] =
        arena_printf(a, "X-Sextant-Delivery: %.*s", STR_ARG(due->id));
    s->headers[3] =
        arena_printf(a, "X-Sextant-Event: %.*s", STR_ARG(due->event));
    s->call = (struct http_call){.method = "POST",
                                 .url = due->url,
                                 .headers = s->headers,
                                 .n_headers = 4,
                                 .body = due->body,
                                 .connect_ms = CONNECT_MS,
                                 .first_ms = TOTAL_MS,
                                 .idle_ms = TOTAL_MS,
                                 .total_ms = TOTAL_MS,
                                 .max_bytes = REPLY_BYTES,
                                 .on_body = drop_reply,
                                 .public_only = true,
                                 .networks = settings->webhook_networks,
                                 .n_networks = settings->n_webhook_networks};
    http_call_begin(f, &s->call);
    op_tolerate(&s->call.op);
    return await(f, webhook_answered);
}

/* What a later attempt cannot change is not tried again: redirects and most
 * errors of the client. */
static bool may_try_again(const struct webhook_send *s)
{
    int status = s->call.status;
    return s->due->attempts < ATTEMPTS_MOST &&
           (!status || status >= 500 || status == 408 || status == 429);
}

static struct next webhook_answered(struct flow *f)
{
    struct webhook_send *s = locals(f, struct webhook_send);
    const struct http_call *c = &s->call;
    if (c->op.status == ERR_CANCELLED)
        return fail(f, ERR_CANCELLED);
    if (c->status >= 200 && c->status < 300)
        return store_webhook(f, "delivered", STR(""));
    struct str why =
        c->status
            ? arena_printf(flow_here(f), "The receiver answered %d.", c->status)
            : arena_printf(flow_here(f), "It could not be reached: %s.",
                           *c->detail ? c->detail : err_sentence(c->op.status));
    return store_webhook(f, may_try_again(s) ? "waiting" : "failed", why);
}
