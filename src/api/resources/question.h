/* question.h - what a request that asks has to say, how it is refused, and the
 * answer to one that cancels. */
#pragma once
#include "../request.h"
#include "store/messages.h"
#include "store/runs.h"

/* A question in the body: 1 to 10,000 characters after trimming; else noted as
 * invalid. */
bool question_of(struct request *q, const char *field, struct str *out);
/* `parentId` in the body, as message_pair wants it: an answer's id, null (the
 * start of the chat) or absent (its latest message). */
void question_parent(struct request *q, struct str *out);
/* The header Idempotency-Key: 1 to 255 printable characters, or absent. */
void question_key(struct request *q, struct str *out);

/* True: answered with what was wrong. */
bool question_refused(struct request *q, enum asked outcome);

/* A message that has just been made; `parent` may be empty. */
void question_put(struct json_writer *w, struct str id, struct str chat_id,
                  struct str parent, struct str content, struct str created_at);
void question_put_answer(struct json_writer *w, struct str id,
                         struct str chat_id, struct str question,
                         struct str created_at);

/* Answers 200 to a cancel of a message that was found: what became of it. */
void question_reply_cancel(struct request *q, const struct run_cancel *c);
