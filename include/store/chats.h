/* chats.h - chats and their messages, as rows to be written out as JSON. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* A page of a user's chats. Out: a query with CHAT_COLUMNS, and the total. */
struct chat_page {
    struct store *store;
    struct str user_id;
    struct str chat_id;     /* not empty: only that one */
    struct str search;      /* in the name; may be empty */
    struct str ontology_id; /* may be empty */
    const char *sort_by;    /* "updatedAt", "createdAt", "name" */
    bool ascending;
    int page, page_size;
    struct query *query; /* rows; the caller's frame keeps them */
    int64_t total;
};
struct next chat_page_begin(struct flow *f);
void chat_write(struct json_writer *w, const struct query *q, int row);

struct chat_create {
    struct store *store;
    struct str user_id, ontology_id, name; /* name empty: "New chat" */
    struct str llm_provider;               /* empty: null */
    bool all_ontologies; /* an admin sees all */
    /* Out */
    bool ontology_found, ontology_ready;
    struct str id;
    struct query *query;
};
struct next chat_create_begin(struct flow *f);

struct message_pair {
    struct store *store;
    struct str user_id, chat_id, content;
    struct str assistant_id; /* empty: a new id */
    bool if_absent; /* do nothing when assistant_id is a message already */
    /* Out */
    bool chat_found, busy, existed;
    struct str user_message_id, assistant_message_id, created_at;
    struct query *query;
};
struct next message_pair_begin(struct flow *f);

struct message_page {
    struct store *store;
    struct str user_id, chat_id;
    struct str message_id; /* not empty: only that one */
    bool descending;
    bool without_charts;
    int page, page_size;
    /* Out */
    bool chat_found;
    struct query *query;
    int64_t total;
};
struct next message_page_begin(struct flow *f);
/* `without_charts` as asked. */
void message_write(struct json_writer *w, const struct query *q, int row,
                   bool without_charts);

struct trace_list {
    struct store *store;
    struct str user_id, chat_id, message_id;
    bool found, foreign; /* a message; of somebody else */
    struct query *query;
};
struct next trace_list_begin(struct flow *f);
void trace_write(struct json_writer *w, const struct query *q, int row);
