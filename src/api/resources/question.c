/* question.c - reads, refuses and shows questions. */
#include "question.h"
#include "base/utf8.h"
#include "base/banned.h"

enum { CONTENT_MOST = 10000, KEY_MOST = 255 };

bool question_of(struct request *q, const char *field, struct str *out)
{
    const json_t *v = json_object_get(q->body, field);
    *out = utf8_trim(json_text(v));
    size_t n = utf8_count(*out);
    if (json_is_string(v) && n >= 1 && n <= CONTENT_MOST)
        return true;
    request_invalid(q, field, "must be 1 to 10000 characters");
    return false;
}

void question_parent(struct request *q, struct str *out)
{
    const json_t *v = json_object_get(q->body, "parentId");
    *out = STR("");
    if (!v)
        return;
    *out = json_is_null(v) ? STR("root") : json_text(v);
    if (!json_is_null(v) && !uuid_valid(*out))
        request_invalid(q, "parentId", "must be a UUID or null");
}

void question_key(struct request *q, struct str *out)
{
    *out = http_get_header(q->x, "Idempotency-Key");
    bool printable = out->len <= KEY_MOST;
    for (size_t i = 0; i < out->len; i++)
        printable = printable && out->ptr[i] >= ' ' && out->ptr[i] <= '~';
    if (!printable)
        request_invalid(q, "Idempotency-Key",
                        "must be at most 255 printable ASCII characters");
}

bool question_refused(struct request *q, enum asked outcome)
{
    switch (outcome) {
    case ASKED:
    case ASKED_BEFORE:
        return false;
    case ASK_CHAT_MISSING:
        reply_error(q, ERR_NOT_FOUND, "Chat not found");
        return true;
    case ASK_PARENT_MISSING:
        reply_error(q, ERR_NOT_FOUND, "Parent message not found");
        return true;
    case ASK_BUSY:
        reply_error(q, ERR_CHAT_BUSY, NULL);
        return true;
    case ASK_EXISTS:
        reply_error(q, ERR_CONFLICT, "This message exists already.");
        return true;
    case ASK_KEY_REUSED:
        reply_error(q, ERR_CONFLICT,
                    "This Idempotency-Key was used with another question.");
        return true;
    }
    return false;
}

static void put_new_message(struct json_writer *w, struct str id,
                            struct str chat_id, struct str parent,
                            const char *role, struct str content,
                            const char *status, struct str created_at)
{
    json_put_object(w);
    json_field_str(w, "id", id);
    json_field_str(w, "chatId", chat_id);
    if (parent.len)
        json_field_str(w, "parentId", parent);
    else
        json_field_null(w, "parentId");
    json_field_text(w, "role", role);
    json_field_str(w, "content", content);
    json_field_null(w, "metadata");
    json_field_text(w, "status", status);
    json_field_str(w, "createdAt", created_at);
    json_put_object_end(w);
}

void question_put(struct json_writer *w, struct str id, struct str chat_id,
                  struct str parent, struct str content, struct str created_at)
{
    put_new_message(w, id, chat_id, parent, "user", content, "complete",
                    created_at);
}

void question_put_answer(struct json_writer *w, struct str id,
                         struct str chat_id, struct str question,
                         struct str created_at)
{
    put_new_message(w, id, chat_id, question, "assistant", STR(""),
                    "generating", created_at);
}

void question_reply_cancel(struct request *q, const struct run_cancel *c)
{
    struct api_reply r;
    reply_open_object(q, &r);
    json_field_str(&r.w, "messageId", c->message_id);
    json_field_bool(&r.w, "cancelled", c->cancelled);
    json_field_str(&r.w, "status", c->status);
    reply_send_object(q, &r, 200);
}
