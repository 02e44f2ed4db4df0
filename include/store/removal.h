/* removal.h - the end of a chat, an ontology or a model: hidden at once with its
 * chats, their runs asked to stop; gone after a minute (chat_sweep,
 * removed_sweep). */
#pragma once
#include "loop/flow.h"
#include "store/store.h"

enum removed { REMOVED_CHAT, REMOVED_ONTOLOGY, REMOVED_MODEL };

struct removal {
    struct store *store;
    enum removed what;
    struct str user_id, id, request_id;
    /* Out */
    bool found;       /* a chat: and the user's own */
    struct str *runs; /* message ids of runs that were in progress */
    size_t n_runs;
    struct query *query;
};
struct next removal_begin(struct flow *f);
