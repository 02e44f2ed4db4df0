/* claims.h - who wants to run a message, gathered: claims that come while others
 * are under way go together, in one statement and one commit. */
#pragma once
#include "store/store.h"

struct claims;

enum claim_outcome {
    CLAIMED,
    CLAIM_MISSING, /* no such message of that user's chat */
    CLAIM_TAKEN,   /* claimed or finished */
    CLAIM_BUSY,    /* the user's limit is reached */
    CLAIM_SPENT,   /* the user's tokens of the day are used up */
    CLAIM_FULL,    /* `full` was set, and nothing else but CLAIM_BUSY stands
                      against it */
};

struct run_claim {
    struct op op; /* first; private, as are the last two */
    struct store *store;
    struct str message_id, chat_id, user_id;
    int limit;              /* runs of one user at once; 0: none */
    int64_t tokens_per_day; /* of one user; 0: no limit */
    bool full; /* judge it, but claim nothing: there is no room for it */
    enum claim_outcome outcome;
    struct run_claim *next;
    bool alone; /* it was refused with others: not with them again */
};
/* A subflow. One whose flow was stopped may still have claimed. */
struct next run_claim_begin(struct flow *f);

/* Answers when nobody waits to be claimed, or after LULL_MS: who has got his run
 * makes way for those that have no sign of theirs yet. */
struct claims_lull {
    struct op op; /* first; all is private */
    struct claims *claims;
    struct claims_lull *next;
};
void claims_lull_begin(struct flow *f, struct claims_lull *l, struct store *s);

struct claims *claims_open(struct pool *system);
/* What waits is still claimed; *c is NULL after. */
void claims_close(struct claims **c);
