/* capsules.h - threads and capsules of the CSV analyst and the scientist.
 *
 *   thread    a chat that its owner names by a text
 *   capsule   what is kept of a run: its latest query, plan or code, and the
 *             result; written by the transaction that ends the run
 *             (run_finish.capsule in runs.h) */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

enum { THREAD_ID_MOST = 255 };

/* The outcome of asking in a thread. */
enum thread_asked {
    THREAD_ASKED,
    THREAD_BUSY,          /* an answer of the thread is not finished */
    THREAD_NO_DATASET,    /* the user has no such dataset */
    THREAD_NOT_READY,     /* it cannot be asked yet; see `detail` */
    THREAD_OTHER_DATASET, /* the thread is about another one */
    THREAD_OTHER_AGENT,   /* the thread has another agent: `detail` */
    THREAD_NO_SANDBOX,    /* it needs the sandbox */
};

/* Asks a question in a thread, which is made if there is none of that name. */
struct thread_ask {
    struct store *store;
    struct str user_id, thread_id;
    struct str dataset_id; /* a UUID: of an upload or an ontology */
    struct str agent;      /* empty: the thread's; csv in a new one */
    bool all_datasets;     /* the user is an admin */
    struct str content;
    bool sandbox;  /* there is one */
    int max_steps; /* of the explorer in this thread; 0: its own limit */
    /* Out */
    enum thread_asked outcome;
    struct str chat_id, answer_id, detail;
    struct query *query; /* private */
};
struct next thread_ask_begin(struct flow *f);

/* The latest messages of a thread, for thread_message_write, oldest first. A
 * thread that there is not has none. */
struct thread_page {
    struct store *store;
    struct str user_id, thread_id;
    int most;
    struct query *query; /* out */
};
struct next thread_page_begin(struct flow *f);
/* Writes the members of a message: id, role, content, dataset_id, run_id,
 * created_at. */
void thread_message_write(struct json_writer *w, const struct query *q,
                          int row);

/* The capsule of a run of the user. A run that has none yet, or never will, has
 * the status of its message. */
struct capsule_read {
    struct store *store;
    struct str user_id, run_id;
    bool head; /* only found, status */
    /* Out */
    bool found;
    struct str status;   /* running, succeeded, rejected, failed */
    bool run_failed;     /* it has no result because it failed as a whole */
    struct str error;    /* {type, message} of such a run */
    struct query *query; /* its row, for the writers */
};
struct next capsule_read_begin(struct flow *f);
/* Writes the members of the capsule. */
void capsule_write(struct json_writer *w, const struct query *q);
/* The result of a run as JSON text, {} if it has none; of its row. */
struct str capsule_result(const struct query *q);
/* The query or the code that ran last, empty if there was none; likewise. */
struct str capsule_ran(const struct query *q);
/* The question; likewise. */
struct str capsule_question(const struct query *q);
/* Whether there are more rows than such a result has. */
bool capsule_result_is_cut(struct str result);
/* Writes the members of the result of an exploration, and runId. */
void capsule_write_exploration(struct json_writer *w, const struct query *q);
/* Writes the members of the response to /chat. */
void capsule_write_response(struct json_writer *w, const struct query *q);
