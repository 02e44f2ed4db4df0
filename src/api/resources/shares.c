/* shares.c - links to chats: create, read, end, and open without an account. */
#include "store/shares.h"
#include "base/clock.h"
#include "../request.h"
#include "base/banned.h"

enum { CHARTS_MOST = 100000 };

static struct next link_made(struct flow *f), link_found(struct flow *f),
    links_found(struct flow *f), link_ended(struct flow *f),
    shared_chat_read(struct flow *f), shared_chart_found(struct flow *f);

/* ---- POST /chats/:chatId/share ------------------------------------------- */

static void read_expiry(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "expiresAt");
    char text[CLOCK_RFC3339_SIZE];
    int64_t ms;
    if (!v || json_is_null(v))
        return;
    if (!clock_parse_rfc3339(json_text(v), &ms) || ms <= clock_wall_ms()) {
        request_invalid(
            q, "expiresAt",
            "must be a time in the future, such as 2026-12-31T12:00:00Z");
        return;
    }
    clock_rfc3339(ms, text);
    *out = arena_str(&q->memory, str_of(text));
}

/* A link with a misspelled `expiresAt` would never expire. */
static void refuse_unknown_fields(struct request *q)
{
    const char *field;
    json_t *v;
    json_object_foreach(q->body, field, v)
    {
        struct str name = str_of(field);
        if (!str_is(name, "expiresAt") && !str_is(name, "includeSql"))
            request_invalid(q, field,
                            "is not a field; expiresAt and includeSql are");
    }
}

struct next shares_make(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct share_make *s = keep(f, struct share_make);
    q->state = s;
    s->store = request_store(q);
    s->user_id = q->user.id;
    s->request_id = q->x->request_id;
    if (!request_uuid(q, "chatId", &s->chat_id) || !request_body_if_any(q))
        return back(f);
    if (q->body)
        refuse_unknown_fields(q);
    read_expiry(q, &s->expires_at);
    request_bool_given(q, "includeSql", &s->include_sql);
    if (request_refused(q))
        return back(f);
    return call(f, share_make_begin, s, link_made);
}

static void put_link(struct request *q, struct json_writer *w, struct str token)
{
    struct str origin = http_get_header(q->x, "Origin");
    struct str path = arena_printf(&q->memory, "/share/%.*s", STR_ARG(token));
    bool known = str_starts(origin, STR("http"));
    json_field_str(w, "token", token);
    json_field_str(w, "url", path);
    json_field_str(w, "shareToken", token);
    json_field_str(w, "shareUrl",
                   arena_printf(&q->memory, "%.*s%.*s",
                                known ? (int)origin.len : 0, origin.ptr,
                                STR_ARG(path)));
}

static struct next link_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct share_make *s = q->state;
    struct api_reply r;
    if (!s->found || !s->made)
        return reply_refusal(f, s->found ? ERR_CONFLICT : ERR_NOT_FOUND,
                             s->found ? "This chat has nothing to share."
                                      : "Chat not found");
    reply_open_object(q, &r);
    put_link(q, &r.w, s->token);
    share_write(&r.w, s->query);
    json_put_object_end(&r.w);
    reply_send_secret(q, &r, 201);
    return back(f);
}

/* ---- GET /chats/:chatId/share and shares, DELETE /chats/:chatId/share ------ */

static struct share_read *link_of_chat(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct share_read *s = keep(f, struct share_read);
    q->state = s;
    s->store = request_store(q);
    s->user_id = q->user.id;
    return request_uuid(q, "chatId", &s->chat_id) ? s : NULL;
}

struct next shares_get(struct flow *f)
{
    struct share_read *s = link_of_chat(f);
    return s ? call(f, share_read_begin, s, link_found) : back(f);
}

/* A chat without a link is no error here. */
struct next shares_list(struct flow *f)
{
    struct share_read *s = link_of_chat(f);
    return s ? call(f, share_read_begin, s, links_found) : back(f);
}

static struct next links_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct share_read *s = q->state;
    struct api_reply r;
    if (!s->chat_found)
        return reply_refusal(f, ERR_NOT_FOUND, "Chat not found");
    reply_open(q, &r);
    json_put_array(&r.w);
    if (s->found) {
        json_put_object(&r.w);
        share_write(&r.w, s->query);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}

static struct next link_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct share_read *s = q->state;
    struct api_reply r;
    if (!s->found)
        return reply_refusal(f, ERR_NOT_FOUND, "Share not found");
    reply_open_object(q, &r);
    share_write(&r.w, s->query);
    reply_send_object(q, &r, 200);
    return back(f);
}

struct next shares_end(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct share_end *s = keep(f, struct share_end);
    q->state = s;
    s->store = request_store(q);
    s->user_id = q->user.id;
    s->request_id = q->x->request_id;
    if (!request_uuid(q, "chatId", &s->chat_id))
        return back(f);
    return call(f, share_end_begin, s, link_ended);
}

static struct next link_ended(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct share_end *s = q->state;
    if (!s->found)
        return reply_refusal(f, ERR_NOT_FOUND, "Share not found");
    reply_empty(q, 204);
    return back(f);
}

/* ---- GET /share/:token --------------------------------------------------- */

/* The address contains the token, so linked pages and search engines must not
 * learn it. */
static void keep_unlinked(struct request *q)
{
    http_set_header(q->x, "Referrer-Policy", STR("no-referrer"));
    http_set_header(q->x, "X-Robots-Tag", STR("noindex"));
}

struct next shares_open(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct share_open *s = keep(f, struct share_open);
    q->state = s;
    s->store = request_store(q);
    s->token = request_param(q, "token");
    return call(f, share_open_begin, s, shared_chat_read);
}

static struct next shared_chat_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct share_open *s = q->state;
    struct api_reply r;
    keep_unlinked(q);
    if (!s->found)
        return reply_refusal(f, ERR_NOT_FOUND, "Share not found");
    reply_open_object(q, &r);
    share_open_write(&r.w, s->query);
    reply_send_object(q, &r, 200);
    return back(f);
}

struct next shares_chart(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct share_chart *s = keep(f, struct share_chart);
    q->state = s;
    s->store = request_store(q);
    s->token = request_param(q, "token");
    if (!request_uuid(q, "messageId", &s->message_id) ||
        !request_index(q, "n", CHARTS_MOST, &s->n))
        return back(f);
    return call(f, share_chart_begin, s, shared_chart_found);
}

static struct next shared_chart_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct share_chart *s = q->state;
    keep_unlinked(q);
    if (!s->bytes.ptr)
        return reply_refusal(f, ERR_NOT_FOUND, "Chart not found");
    http_set_header(q->x, "Cache-Control", STR("no-store"));
    reply_bytes(q, s->media_type.ptr, s->bytes);
    return back(f);
}
