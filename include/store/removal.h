/* removal.h - hides a chat, or an ontology, a model or a file set with its chats,
 * and asks their runs to stop. chat_sweep, removed_sweep and file_set_sweep
 * delete them after a minute. */
#pragma once
#include "loop/flow.h"
#include "store/store.h"

enum removed {
    REMOVED_CHAT,
    REMOVED_ONTOLOGY,
    REMOVED_MODEL,
    REMOVED_FILE_SET, /* with its models, their ontologies and chats */
};

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
