/* question.h - shared by the routes that ask: reads the request's fields,
 * refuses it, writes messages. */
#pragma once
#include "../request.h"
#include "store/messages.h"
#include "store/runs.h"

/* Reads a question of 1 to 10,000 characters after trimming; anything else is
 * noted. */
bool question_of(struct request *q, const char *field, struct str *out);
/* Reads `parentId` as message_pair wants it: an answer's id, null (the start of
 * the chat) or absent (its latest message). */
void question_parent(struct request *q, struct str *out);
/* Reads the Idempotency-Key header: 1 to 255 printable characters, or
 * absent. */
void question_key(struct request *q, struct str *out);

/* Answers with a refusal if `outcome` is one. Returns whether it did. */
bool question_refused(struct request *q, enum asked outcome);

/* Writes a new question; `parent` may be empty. */
void question_put(struct json_writer *w, struct str id, struct str chat_id,
                  struct str parent, struct str content, struct str created_at);
/* Writes its answer, which is still `generating`. */
void question_put_answer(struct json_writer *w, struct str id,
                         struct str chat_id, struct str question,
                         struct str created_at);

/* Answers 200 with what a cancel did to the message. */
void question_reply_cancel(struct request *q, const struct run_cancel *c);
