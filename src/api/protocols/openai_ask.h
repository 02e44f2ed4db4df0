/* openai_ask.h - reads the body of POST /v1/chat/completions, and writes errors
 * as the OpenAI API does. Pure. */
#pragma once
#include "base/err.h"
#include "base/json.h"

struct openai_ask {
    struct str model;
    struct str question; /* the last message, trimmed */
    struct str turns;    /* JSON: [{"question","answer"}] before it */
    size_t n_turns;
    bool streams, with_usage;
    /* When it was refused: */
    struct str problem;
    const char *param; /* NULL: none */
    const char *code;
};
/* Reads the body into `arena`. False: it asks for what there is not, or is not
 * valid; `problem` then says why. */
bool openai_ask_read(struct arena *arena, const json_t *body,
                     struct openai_ask *out);

/* Appends {"error": {message, type, param, code}}. `param` and `code` may be
 * NULL: the code is then that of the status. */
void openai_error_put(struct buf *out, int status, struct str message,
                      const char *param, const char *code);
/* The same for http_exchange.put_error: `details` are those of the API's own
 * errors. */
void openai_put_error(struct buf *out, enum err e, struct str message,
                      struct str details, struct str request_id);
