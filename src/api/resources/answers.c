/* answers.c - what a user may do with an answer: ask for another one, rate it,
 * load its charts. */
#include "base/utf8.h"
#include "question.h"
#include "store/charts.h"
#include "base/banned.h"

enum { REASON_MOST = 2000, CHARTS_MOST = 100000 };

static struct next sibling_made(struct flow *f),
    feedback_stored(struct flow *f), answer_chart_found(struct flow *f);

/* ---- POST /messages/:messageId/regenerate -------------------------------- */

struct next answers_again(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_again *m = keep(f, struct message_again);
    q->state = m;
    m->store = request_store(q);
    m->user_id = q->user.id;
    if (!request_uuid(q, "messageId", &m->answer_id) || !request_body_if_any(q))
        return back(f);
    request_provider(q, &m->llm_provider);
    if (request_refused(q))
        return back(f);
    return call(f, message_again_begin, m, sibling_made);
}

static struct next refuse_again(struct flow *f, const struct message_again *m)
{
    if (m->outcome == AGAIN_BUSY)
        return reply_refusal(f, ERR_CHAT_BUSY, NULL);
    if (m->outcome == AGAIN_OPEN)
        return reply_refusal(f, ERR_CONFLICT,
                             "This answer is not complete yet.");
    return reply_refusal(f, ERR_NOT_FOUND, "Message not found");
}

static struct next sibling_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct message_again *m = q->state;
    struct api_reply r;
    if (m->outcome != AGAIN_MADE)
        return refuse_again(f, m);
    reply_open_object(q, &r);
    json_put_key(&r.w, "userMessage");
    question_put(&r.w, m->question_id, m->chat_id, m->question_parent,
                 m->content, m->asked_at);
    json_put_key(&r.w, "assistantMessage");
    question_put_answer(&r.w, m->made_answer, m->chat_id, m->question_id,
                        m->answered_at);
    reply_send_object(q, &r, 201);
    return back(f);
}

/* ---- POST /messages/:messageId/feedback ---------------------------------- */

static void read_feedback(struct request *q, struct message_feedback *m)
{
    const json_t *rating = json_object_get(q->body, "rating");
    const json_t *reason = json_object_get(q->body, "reason");
    m->rating = json_text(rating);
    m->reason = utf8_trim(json_text(reason));
    if (!rating || !(json_is_null(rating) || str_is(m->rating, "up") ||
                     str_is(m->rating, "down")))
        request_invalid(q, "rating", "must be up, down or null");
    if ((reason && !json_is_null(reason) && !json_is_string(reason)) ||
        utf8_count(m->reason) > REASON_MOST)
        request_invalid(q, "reason", "must be at most 2000 characters");
}

struct next answers_rate(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct message_feedback *m = keep(f, struct message_feedback);
    q->state = m;
    m->store = request_store(q);
    m->user_id = q->user.id;
    if (!request_uuid(q, "messageId", &m->message_id) || !request_body(q))
        return back(f);
    read_feedback(q, m);
    if (request_refused(q))
        return back(f);
    return call(f, message_feedback_begin, m, feedback_stored);
}

static struct next feedback_stored(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct message_feedback *m = q->state;
    struct api_reply r;
    if (!m->found)
        return reply_refusal(f, ERR_NOT_FOUND, "Message not found");
    reply_open_object(q, &r);
    json_field_str(&r.w, "messageId", m->message_id);
    json_field_text(&r.w, "rating", m->rating.len ? m->rating.ptr : NULL);
    json_field_str(&r.w, "reason", m->rating.len ? m->reason : STR(""));
    json_field_str(&r.w, "updatedAt", m->updated_at);
    reply_send_object(q, &r, 200);
    return back(f);
}

/* ---- GET /messages/:messageId/charts/:n ---------------------------------- */

struct next answers_chart(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct chart_read *c = keep(f, struct chart_read);
    q->state = c;
    c->store = request_store(q);
    c->user_id = q->user.id;
    if (!request_uuid(q, "messageId", &c->message_id) ||
        !request_index(q, "n", CHARTS_MOST, &c->n))
        return back(f);
    return call(f, chart_read_begin, c, answer_chart_found);
}

static struct next answer_chart_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct chart_read *c = q->state;
    if (!c->bytes.ptr)
        return reply_refusal(f, ERR_NOT_FOUND, "Chart not found");
    http_set_header(q->x, "Cache-Control",
                    STR("private, max-age=31536000, immutable"));
    reply_bytes(q, c->media_type.ptr, c->bytes);
    return back(f);
}
