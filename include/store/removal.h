/* removal.h - hides a chat, or an ontology or a model with its chats, and asks
 * their runs to stop. chat_sweep and removed_sweep delete them after a
 * minute. */
#pragma once
#include "loop/flow.h"
#include "store/store.h"

enum removed { REMOVED_CHAT, REMOVED_ONTOLOGY, REMOVED_MODEL };

struct removal {
    struct store *store;
    enum removed what;
    struct str user_id, id, request_id;
    /* Out */
    bool found;       /* a chat: only of that user */
    struct str *runs; /* message ids of runs that are in progress */
    size_t n_runs;
    struct query *query;
};
struct next removal_begin(struct flow *f);
