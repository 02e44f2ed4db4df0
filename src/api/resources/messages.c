/* messages.c - ask a question, read answers, cancel one. */
#include "store/messages.h"
#include "question.h"
#include "store/runs.h"
#include "base/banned.h"

struct message_work {
    struct message_pair pair;
    struct message_page page;
    struct run_cancel cancel;
};

static struct next messages_found(struct flow *f),
    message_found(struct flow *f), pair_made(struct flow *f),
    message_cancelled(struct flow *f);

static struct message_work *message_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_work *x = keep(f, struct message_work);
    x->pair.store = x->page.store = x->cancel.store = request_store(q);
    x->pair.user_id = x->page.user_id = x->cancel.user_id = q->user.id;
    q->state = x;
    return x;
}

/* ---- GET …/messages ------------------------------------------------------ */

struct next messages_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_page *p = &message_work_new(f)->page;
    struct str order = STR("asc");
    if (!request_uuid(q, "chatId", &p->chat_id))
        return back(f);
    http_get_query(q->x, "order", &order);
    if (!str_is(order, "asc") && !str_is(order, "desc"))
        request_invalid(q, "order", "must be asc or desc");
    p->descending = str_is(order, "desc");
    p->with_charts = true;
    if (!request_paging(q, &p->page, &p->page_size, 50))
        return back(f);
    return call(f, message_page_begin, p, messages_found);
}

static void put_message_row(struct json_writer *w, const struct message_page *p,
                            int row)
{
    json_put_object(w);
    message_write(w, p->query, row);
    json_put_object_end(w);
}

static struct next messages_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct message_page *p = &((struct message_work *)q->state)->page;
    struct api_reply r;
    if (!p->chat_found)
        return reply_refusal(f, ERR_NOT_FOUND, "Chat not found");
    reply_page_open(q, &r);
    for (int i = 0; i < p->query->n_rows; i++)
        put_message_row(&r.w, p, i);
    reply_page_send(q, &r, p->page, p->page_size, p->total);
    return back(f);
}

/* ---- GET /messages/:messageId -------------------------------------------- */

struct next messages_get(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_page *p = &message_work_new(f)->page;
    if (!request_uuid(q, "messageId", &p->message_id))
        return back(f);
    p->page = p->page_size = 1;
    p->with_charts = true;
    return call(f, message_page_begin, p, message_found);
}

static struct next message_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct message_page *p = &((struct message_work *)q->state)->page;
    struct api_reply r;
    if (p->query->n_rows == 0)
        return reply_refusal(f, ERR_NOT_FOUND, "Message not found");
    reply_open(q, &r);
    put_message_row(&r.w, p, 0);
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- POST …/messages ----------------------------------------------------- */

struct next messages_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_pair *m = &message_work_new(f)->pair;
    if (!request_uuid(q, "chatId", &m->chat_id) || !request_body(q))
        return back(f);
    question_of(q, "content", &m->content);
    question_parent(q, &m->parent_id);
    question_key(q, &m->key);
    if (request_refused(q))
        return back(f);
    return call(f, message_pair_begin, m, pair_made);
}

static struct next pair_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct message_pair *m = &((struct message_work *)q->state)->pair;
    struct api_reply r;
    if (question_refused(q, m->outcome))
        return back(f);
    reply_open_object(q, &r);
    json_put_key(&r.w, "userMessage");
    question_put(&r.w, m->question_id, m->chat_id, m->made_parent, m->content,
                 m->asked_at);
    json_put_key(&r.w, "assistantMessage");
    question_put_answer(&r.w, m->made_answer, m->chat_id, m->question_id,
                        m->asked_at);
    reply_send_object(q, &r, 201);
    return back(f);
}

/* ---- POST /messages/:messageId/cancel ------------------------------------ */

struct next messages_cancel(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct run_cancel *c = &message_work_new(f)->cancel;
    if (!request_uuid(q, "messageId", &c->message_id))
        return back(f);
    return call(f, run_cancel_begin, c, message_cancelled);
}

static struct next message_cancelled(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct run_cancel *c = &((struct message_work *)q->state)->cancel;
    if (!c->found)
        return reply_refusal(f, ERR_NOT_FOUND, "Message not found");
    agent_cancel_anywhere(q->api->options.agent, c->message_id, c->running);
    journal_wake_readers(request_store(q)->journal, c->message_id);
    question_reply_cancel(q, c);
    return back(f);
}
