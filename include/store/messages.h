/* messages.h - questions and answers of a chat.
 *
 * Messages form a tree. The parent of a question is the answer that it
 * continues (or none), the parent of an answer is its question. Siblings are
 * versions: an edited question, another answer. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* The outcome of asking. */
enum asked {
    ASKED,
    ASKED_BEFORE, /* the key came before with this question: its pair */
    ASK_CHAT_MISSING,
    ASK_PARENT_MISSING, /* no answer of that chat has this id */
    ASK_BUSY,           /* an answer of the chat is not finished */
    ASK_EXISTS,         /* answer_id is a message already */
    ASK_KEY_REUSED,     /* the same key with another question */
};

/* Adds a question and the placeholder of its answer. */
struct message_pair {
    struct store *store;
    struct str user_id, chat_id, content;
    struct str answer_id; /* empty: a new id */
    struct str parent_id; /* of an answer; "root"; empty: the chat's latest */
    struct str key;       /* Idempotency-Key; may be empty */
    /* Out */
    enum asked outcome;
    struct str question_id, asked_at, made_parent; /* made_parent: or empty */
    struct str made_answer;
    bool unnamed; /* private: the chat has no name yet */
    struct query *query;
};
struct next message_pair_begin(struct flow *f);

/* The outcome of asking again. */
enum again { AGAIN_MADE, AGAIN_MISSING, AGAIN_BUSY, AGAIN_OPEN };

/* Adds the placeholder of another answer to the question of an answer. */
struct message_again {
    struct store *store;
    struct str user_id;
    struct str answer_id;
    struct str llm_provider; /* of the new answer alone; empty: the chat's */
    /* Out */
    enum again outcome; /* AGAIN_OPEN: that answer is not finished */
    struct str chat_id, content;
    struct str question_id, asked_at, question_parent; /* parent: or empty */
    struct str made_answer, answered_at;
    struct query *query;
};
struct next message_again_begin(struct flow *f);

/* The most bytes of content, metadata and charts in a page. A message that does
 * not fit has no charts, or also no metadata: {"deferred":true,"bytes":n}. The
 * first message always has both. */
enum { MESSAGE_PAGE_BYTES = 4 * 1024 * 1024 };

/* A page of the messages of a chat; or one message. */
struct message_page {
    struct store *store;
    struct str user_id;
    struct str chat_id;    /* may be empty with message_id */
    struct str message_id; /* not empty: only that one */
    bool descending;
    bool with_charts; /* with their bytes, while the page has room for them */
    int page, page_size;
    /* Out */
    bool chat_found;
    struct query *query;
    int64_t total;
};
struct next message_page_begin(struct flow *f);
/* Writes the members of a message's object. */
void message_write(struct json_writer *w, const struct query *q, int row);

/* Sets or removes the rating of an answer. */
struct message_feedback {
    struct store *store;
    struct str user_id, message_id;
    struct str rating; /* "up", "down"; empty: removes it */
    struct str reason; /* may be empty */
    bool found;        /* out: an answer of that user */
    struct str updated_at;
    struct query *query;
};
struct next message_feedback_begin(struct flow *f);
