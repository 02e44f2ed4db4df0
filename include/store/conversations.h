/* conversations.h - chats as other protocols see them: without ids.
 *
 * A client of such a protocol names an ontology, and repeats the whole
 * conversation with each question. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* The ready ontologies that a user may ask about, the newest first: all, or
 * those of one id or name. */
enum { ASKABLE_MOST = 1000 };
struct askable_list {
    struct store *store;
    struct str user_id;
    bool all;          /* the user is an admin */
    struct str wanted; /* an id or a name; empty: all */
    /* Out, in the flow's keep */
    struct askable {
        struct str id, name, description;
        struct str model_id, connection_id, database;
        int version;
        int64_t created_s; /* since 1970 */
        bool only;         /* no other one that the user sees has its name */
    } *items;
    size_t n;
    struct query *query; /* private */
};
struct next askable_list_begin(struct flow *f);

/* Opens the chat that has the turns before a question: the user's chat over
 * this ontology whose messages they are, or else a new one that gets them. */
struct conversation_open {
    struct store *store;
    struct str user_id, ontology_id;
    struct str question; /* names a new chat */
    struct str turns;    /* JSON: [{"question","answer"}], the oldest first */
    size_t n_turns;
    /* Out */
    struct str chat_id;
    struct str parent_id; /* the last of the answers, or "root" */
    struct query *query;  /* private */
};
struct next conversation_open_begin(struct flow *f);

/* Reads an answer of the user as a text with what is known about it. */
struct answer_read {
    struct store *store;
    struct str user_id, answer_id;
    /* Out, in the flow's keep */
    bool found;
    struct str id, chat_id, ontology_id, ontology, question, content;
    struct str status; /* of the message: generating, complete, failed … */
    int64_t prompt_tokens, completion_tokens;
    struct str verification;           /* passed, failed, skipped; or empty */
    struct str lineage, queries;       /* JSON; empty: none */
    struct str error_code, error_text; /* of a run that failed */
    struct query *query;               /* private */
};
struct next answer_read_begin(struct flow *f);

/* The latest finished answers of the user: id and question. */
enum { RECENT_ANSWERS = 20 };
struct recent_answers {
    struct store *store;
    struct str user_id;
    struct recent_answer {
        struct str id, question;
    } *items; /* out, in the flow's keep */
    size_t n;
    struct query *query; /* private */
};
struct next recent_answers_begin(struct flow *f);
