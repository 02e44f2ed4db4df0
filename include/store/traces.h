/* traces.h - model calls of an answer, as rows to be written out. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

struct trace_list {
    struct store *store;
    struct str user_id, chat_id, message_id;
    bool found, foreign; /* a message; of somebody else */
    struct query *query;
};
struct next trace_list_begin(struct flow *f);
void trace_write(struct json_writer *w, const struct query *q, int row);
