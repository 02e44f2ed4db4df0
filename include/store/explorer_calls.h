/* explorer_calls.h - tool calls that wait for a browser, and what is stored of
 * an exploration: an audit event, and its tokens.
 *
 * A call is answered once, by whichever process the browser reached:
 *
 *   the process that waits      claims the call and keeps the answer in memory
 *   any other process           leaves the answer, sealed, and sends
 *                               NOTICE_ANSWERED; the one that waits takes it
 *
 * Nothing else of an exploration is stored. */
#pragma once
#include "db/query.h"
#include "store/store.h"

/* Before an exploration: writes the audit event explorer.started. */
struct explorer_admission {
    struct store *store;
    struct str user_id, run_id, request_id;
    int64_t tokens_per_day; /* of the user; 0: no limit */
    int64_t cost_per_day;   /* likewise; an amount (base/prices.h) */
    /* Out: which of them is used up, so that nothing was written */
    bool spent, costly;
    int64_t cost_today;  /* of the user's runs that have ended */
    struct query *query; /* private */
};
/* A subflow. Fails as queries do. */
struct next explorer_admission_begin(struct flow *f);

/* Makes a call that waits for `wait_ms`. */
struct explorer_call_open {
    struct store *store;
    struct str id, user_id;
    unsigned wait_ms;
};
/* A subflow. Fails as queries do. */
struct next explorer_call_open_begin(struct flow *f);

/* Answers a call of the user that still waits and has no answer. */
struct explorer_call_answer {
    struct store *store;
    struct str id, user_id;
    struct str body;     /* the answer; empty: only claims the call, for the
                            process that waits for it */
    bool accepted;       /* out; false: there is no such call */
    struct query *query; /* private */
};
/* A subflow. Fails as queries do. */
struct next explorer_call_answer_begin(struct flow *f);

/* Reads the answer that another process left, and deletes the call. */
struct explorer_call_take {
    struct store *store;
    struct str id;
    bool ends; /* the call is deleted even if it has no answer */
    struct arena *memory;
    struct str body;     /* out, in the memory; empty: no answer */
    struct query *query; /* private */
};
/* A subflow. Fails as queries do. */
struct next explorer_call_take_begin(struct flow *f);
