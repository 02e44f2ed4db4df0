/* chats.h - chats: listed, created, named, changed, restored and deleted
 * (removal.h hides them). */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* A page of a user's chats. */
struct chat_page {
    struct store *store;
    struct str user_id;
    struct str chat_id;     /* not empty: only this chat */
    struct str search;      /* words of names and messages; may be empty */
    struct str ontology_id; /* may be empty */
    /* "true": only these; "false": only others; empty: all */
    struct str archived, pinned;
    const char *sort_by; /* "updatedAt", "createdAt", "name" */
    bool ascending;
    int page, page_size;
    /* Out: rows for chat_write, in the flow's keep, and their total */
    struct query *query;
    int64_t total;
};
struct next chat_page_begin(struct flow *f);
/* Writes the members of a chat's object. */
void chat_write(struct json_writer *w, const struct query *q, int row);
/* An entity tag with its quotes (RFC 9110, section 8.8.3): the row's updatedAt
 * and a hash of `shown`, the response. chat_change compares the first part
 * only. */
struct str chat_tag(struct arena *arena, const struct query *q, int row,
                    struct str shown);

/* A name for a chat: the first 50 characters of its first question, cut at a
 * word. A slice of `question`. */
struct str chat_name_of(struct str question);
/* Names the chat so, unless it has a name. */
struct chat_naming {
    struct store *store;
    struct str chat_id, question;
};
struct next chat_naming_begin(struct flow *f);

/* Creates a chat over an ontology that is ready. */
struct chat_create {
    struct store *store;
    struct str user_id, ontology_id, name; /* name empty: "New chat" */
    struct str llm_provider;               /* empty: null */
    struct str agent;    /* a word of agents.def; empty: pipeline */
    bool all_ontologies; /* the user is an admin */
    /* Out */
    bool ontology_found, ontology_ready;
    struct str id;
    struct query *query;
};
struct next chat_create_begin(struct flow *f);

/* Changes a chat, if it still has one of the entity tags. */
struct chat_change {
    struct store *store;
    struct str user_id, chat_id;
    struct str if_match; /* the If-Match header; empty: any version */
    struct str name;     /* empty: not changed */
    bool set_provider;
    struct str llm_provider; /* empty: null */
    /* "true", "false"; empty: not changed. An archived chat is not pinned. */
    struct str pinned, archived;
    /* Out */
    bool found, matched;
    struct query *query;
};
struct next chat_change_begin(struct flow *f);

/* Shows a chat again that was hidden less than a minute ago. */
struct chat_restore {
    struct store *store;
    struct str user_id, chat_id, request_id;
    bool found; /* out */
    struct query *query;
};
struct next chat_restore_begin(struct flow *f);

/* Deletes a few of the chats that have been hidden for a minute and whose runs
 * have ended. */
struct chat_sweep {
    struct store *store;
    struct query *query;
};
struct next chat_sweep_begin(struct flow *f);
