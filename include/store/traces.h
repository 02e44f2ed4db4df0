/* traces.h - lists the model calls of an answer. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

struct trace_list {
    struct store *store;
    struct str user_id, chat_id, message_id;
    bool found, foreign; /* the message; it is of another user */
    struct query *query;
};
struct next trace_list_begin(struct flow *f);
/* Writes a trace's object. */
void trace_write(struct json_writer *w, const struct query *q, int row);
