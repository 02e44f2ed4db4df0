/* messages.c - questions asked, answers read and stopped, their traces. */
#include "base/utf8.h"
#include "request.h"
#include "store/chats.h"
#include "store/runs.h"
#include "base/clock.h"
#include "base/banned.h"

enum { CONTENT_MOST = 10000 };

struct message_work {
    struct message_pair pair;
    struct message_page page;
    struct trace_list traces;
    struct run_cancel cancel;
};

static struct next messages_found(struct flow *f), pair_made(struct flow *f),
    cancelled(struct flow *f), traces_found(struct flow *f);

static struct message_work *work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_work *x = keep(f, struct message_work);
    x->pair.store = x->page.store = x->traces.store = x->cancel.store =
        request_store(q);
    x->pair.user_id = x->page.user_id = x->traces.user_id = x->cancel.user_id =
        q->user.id;
    q->state = x;
    return x;
}

/* ---- GET …/messages ----------------------------------------------------- */

struct next messages_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_page *p = &work_new(f)->page;
    struct str order = STR("asc");
    if (!request_uuid(q, "chatId", &p->chat_id))
        return back(f);
    http_get_query(q->x, "order", &order);
    if (!str_is(order, "asc") && !str_is(order, "desc"))
        request_invalid(q, "order", "must be asc or desc");
    p->descending = str_is(order, "desc");
    if (!request_paging(q, &p->page, &p->page_size, 50))
        return back(f);
    return call(f, message_page_begin, p, messages_found);
}

static struct next messages_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct message_page *p = &((struct message_work *)q->state)->page;
    struct reply r;
    if (!p->chat_found) {
        reply_error(q, ERR_NOT_FOUND, "Chat not found");
        return back(f);
    }
    reply_open(q, &r);
    json_put_object(&r.w);
    json_put_key(&r.w, "items");
    json_put_array(&r.w);
    for (int i = 0; i < p->query->n_rows; i++) {
        json_put_object(&r.w);
        message_write(&r.w, p->query, i, false);
        json_put_object_end(&r.w);
    }
    reply_page_end(&r, p->page, p->page_size, p->total);
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- POST …/messages ---------------------------------------------------- */

bool question_of(struct request *q, const char *field, struct str *out)
{
    const json_t *v = json_object_get(q->body, field);
    *out = str_trim(json_text(v));
    size_t n = utf8_count(*out);
    if (json_is_string(v) && n >= 1 && n <= CONTENT_MOST)
        return true;
    request_invalid(q, field, "must be 1 to 10000 characters");
    return false;
}

struct next messages_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_pair *m = &work_new(f)->pair;
    if (!request_uuid(q, "chatId", &m->chat_id) || !request_body(f, q))
        return back(f);
    question_of(q, "content", &m->content);
    if (request_refused(q))
        return back(f);
    return call(f, message_pair_begin, m, pair_made);
}

static void put_message(struct json_writer *w, const struct message_pair *m,
                        bool asked)
{
    json_put_object(w);
    json_field_str(w, "id", asked ? m->user_message_id : m->assistant_message_id);
    json_field_str(w, "chatId", m->chat_id);
    json_field_text(w, "role", asked ? "user" : "assistant");
    json_field_str(w, "content", asked ? m->content : STR(""));
    json_field_null(w, "metadata");
    json_field_text(w, "status", asked ? "complete" : "generating");
    json_field_str(w, "createdAt", m->created_at);
    json_put_object_end(w);
}

static struct next pair_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct message_pair *m = &((struct message_work *)q->state)->pair;
    struct reply r;
    if (!m->chat_found) {
        reply_error(q, ERR_NOT_FOUND, "Chat not found");
        return back(f);
    }
    if (m->busy) {
        reply_error(q, ERR_CHAT_BUSY, NULL);
        return back(f);
    }
    reply_open(q, &r);
    json_put_object(&r.w);
    json_put_key(&r.w, "userMessage");
    put_message(&r.w, m, true);
    json_put_key(&r.w, "assistantMessage");
    put_message(&r.w, m, false);
    json_put_object_end(&r.w);
    reply_send(q, &r, 201);
    return back(f);
}

/* ---- POST /messages/:messageId/cancel ----------------------------------- */

struct next messages_cancel(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct run_cancel *c = &work_new(f)->cancel;
    if (!request_uuid(q, "messageId", &c->message_id))
        return back(f);
    return call(f, run_cancel_begin, c, cancelled);
}

static struct next cancelled(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct run_cancel *c = &((struct message_work *)q->state)->cancel;
    struct reply r;
    if (!c->found) {
        reply_error(q, ERR_NOT_FOUND, "Message not found");
        return back(f);
    }
    agent_cancel_run(q->api->options.agent, c->message_id);
    journal_nudge(request_store(q)->journal, c->message_id);
    reply_open(q, &r);
    json_put_object(&r.w);
    json_field_str(&r.w, "messageId", c->message_id);
    json_field_bool(&r.w, "cancelled", true);
    json_put_object_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- GET …/traces ------------------------------------------------------- */

struct next traces_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trace_list *t = &work_new(f)->traces;
    if (!request_uuid(q, "chatId", &t->chat_id) ||
        !request_uuid(q, "messageId", &t->message_id))
        return back(f);
    return call(f, trace_list_begin, t, traces_found);
}

static struct next traces_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct trace_list *t = &((struct message_work *)q->state)->traces;
    char now[CLOCK_RFC3339_SIZE];
    struct reply r;
    if (!t->found || t->foreign) {
        reply_error(q, t->found ? ERR_FORBIDDEN : ERR_NOT_FOUND,
                    t->found ? NULL : "Message not found");
        return back(f);
    }
    reply_open(q, &r);
    json_put_array(&r.w);
    for (int i = 0; i < t->query->n_rows; i++)
        trace_write(&r.w, t->query, i);
    json_put_array_end(&r.w);
    clock_rfc3339(clock_wall_ms(), now);
    json_put_key(&r.w, "meta");
    json_put_object(&r.w);
    json_field_text(&r.w, "timestamp", now);
    json_put_object_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}
