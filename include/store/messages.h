/* messages.h - questions and answers of a chat, as rows to be written out.
 *
 * Messages form a tree: a question follows the answer that it goes on from (or
 * nothing), an answer follows its question. Versions of one place are siblings:
 * a question asked otherwise, an answer given again. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* What became of a question. */
enum asked {
    ASKED,
    ASKED_BEFORE, /* the same key, the same question: its pair is told */
    ASK_CHAT_MISSING,
    ASK_PARENT_MISSING, /* no answer of that chat has that id */
    ASK_BUSY,           /* a run of the chat is in progress */
    ASK_EXISTS,         /* answer_id is a message already */
    ASK_KEY_REUSED,     /* the same key with another question */
};

/* A question and the place of its answer, in one commit. */
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

enum again { AGAIN_MADE, AGAIN_MISSING, AGAIN_BUSY, AGAIN_OPEN };

/* The place of another answer to the question of an answer. */
struct message_again {
    struct store *store;
    struct str user_id;
    struct str answer_id;
    struct str llm_provider; /* of the new answer alone; empty: the chat's */
    /* Out */
    enum again outcome; /* OPEN: that answer itself is not there yet */
    struct str chat_id, content;
    struct str question_id, asked_at, question_parent; /* parent: or empty */
    struct str made_answer, answered_at;
    struct query *query;
};
struct next message_again_begin(struct flow *f);

/* A page has at most so many bytes of content, metadata and charts. What does
 * not fit leaves its charts out, then its metadata: {"deferred":true,"bytes":n}.
 * The first message has always both. */
enum { MESSAGE_PAGE_BYTES = 4 * 1024 * 1024 };

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
/* The members of a message's object. */
void message_write(struct json_writer *w, const struct query *q, int row);

struct message_feedback {
    struct store *store;
    struct str user_id, message_id;
    struct str rating; /* "up", "down"; empty: taken back */
    struct str reason; /* may be empty */
    bool found;        /* out: an answer of that user */
    struct str updated_at;
    struct query *query;
};
struct next message_feedback_begin(struct flow *f);
