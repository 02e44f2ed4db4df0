/* claims.h - claims of runs for this process, in batches: claims that arrive
 * while a batch is in progress go together into the next, one statement and
 * commit. */
#pragma once
#include "store/store.h"

struct claims;

enum claim_outcome {
    CLAIMED,
    CLAIM_MISSING, /* the user has no such message */
    CLAIM_TAKEN,   /* claimed or finished */
    CLAIM_BUSY,    /* the user's limit is reached */
    CLAIM_SPENT,   /* the user's tokens of the day are used up */
    CLAIM_COSTLY,  /* the user's runs of the day have reached their cost */
    CLAIM_FULL,    /* `full` was set, and no refusal but CLAIM_BUSY applies */
};

struct run_claim {
    struct op op; /* first; private, as are the last two */
    struct store *store;
    struct str message_id, chat_id, user_id;
    int limit;              /* runs of one user at once; 0: none */
    int64_t tokens_per_day; /* of one user; 0: no limit */
    int64_t cost_per_day;   /* likewise; an amount (base/prices.h) */
    bool full; /* only judge: this process has no room for the run */
    enum claim_outcome outcome;
    struct run_claim *next;
    bool alone; /* its batch failed: retried alone */
};
/* A subflow. After a cancel the claim may still have been made. */
struct next run_claim_begin(struct flow *f);

/* Answers when no claim waits, or after YIELD_MS. A run that was claimed yields
 * before it starts work, so that users of other runs get a first event soon. */
struct claims_yield {
    struct op op; /* first; all is private */
    struct claims *claims;
    struct claims_yield *next;
};
void claims_yield_begin(struct flow *f, struct claims_yield *l,
                        struct store *s);

/* Starts the flow that makes the claims. */
struct claims *claims_open(struct pool *system);
/* Claims in the queue are still made. Sets *c to NULL. */
void claims_close(struct claims **c);
