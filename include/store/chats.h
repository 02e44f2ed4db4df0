/* chats.h - chats as rows to be written out as JSON: listed, made, changed,
 * removed. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* A page of a user's chats. */
struct chat_page {
    struct store *store;
    struct str user_id;
    struct str chat_id;     /* not empty: only that one */
    struct str search;      /* words of names and messages; may be empty */
    struct str ontology_id; /* may be empty */
    const char *sort_by;    /* "updatedAt", "createdAt", "name" */
    bool ascending;
    int page, page_size;
    /* Out: rows for chat_write, kept, and how many there are in all */
    struct query *query;
    int64_t total;
};
struct next chat_page_begin(struct flow *f);
void chat_write(struct json_writer *w, const struct query *q, int row);
/* The version of a row, which is its updatedAt, and of what is shown of it, as an
 * entity tag with its quotes (RFC 9110, section 8.8.3). A change asks for the first
 * part alone. */
struct str chat_tag(struct arena *arena, const struct query *q, int row,
                    struct str shown);

/* What the first question calls a chat that has no name of its own: at most 50
 * characters of it, cut at a word. A part of `question`. The end of a run names the
 * chat where the asking did not come to it. */
struct str chat_name_of(struct str question);
struct chat_naming {
    struct store *store;
    struct str chat_id, question;
};
struct next chat_naming_begin(struct flow *f);

struct chat_create {
    struct store *store;
    struct str user_id, ontology_id, name; /* name empty: "New chat" */
    struct str llm_provider;               /* empty: null */
    struct str agent;    /* a word of agents.def; empty: pipeline */
    bool all_ontologies; /* an admin sees all */
    /* Out */
    bool ontology_found, ontology_ready;
    struct str id;
    struct query *query;
};
struct next chat_create_begin(struct flow *f);

struct chat_change {
    struct store *store;
    struct str user_id, chat_id;
    struct str if_match; /* tags as the client sent them; empty: any */
    struct str name;     /* empty: as it is */
    bool set_provider;
    struct str llm_provider; /* empty: null */
    /* Out */
    bool found, matched;
    struct query *query;
};
struct next chat_change_begin(struct flow *f);

/* Shows a chat again that was removed less than a minute ago. */
struct chat_restore {
    struct store *store;
    struct str user_id, chat_id, request_id;
    bool found; /* out */
    struct query *query;
};
struct next chat_restore_begin(struct flow *f);

/* Removes chats for good, with all that hangs on them: those whose minute is over
 * and whose runs have ended; a few at a time. */
struct chat_sweep {
    struct store *store;
    struct query *query;
};
struct next chat_sweep_begin(struct flow *f);
