/* hashing.h - passwords hashed and compared off the loop.
 *
 * At most HASHING_MOST at once in a process, since each takes 19 MiB and a
 * processor for a while; some more wait in order; whoever comes then is refused
 * at once. */
#pragma once
#include "base/password.h"
#include "loop/flow.h"
#include <uv.h>

enum { HASHING_MOST = 2, HASHING_QUEUE = 8 };

struct hashing {
    struct op op; /* first */
    /* In: kept memory of the flow */
    struct str password;
    const char *compare; /* a hash, or "" for none; NULL: makes one */
    /* Out */
    bool matches;
    char made[PASSWORD_HASH_SIZE]; /* "": it could not be made */
    /* private */
    uv_work_t request;
    struct hashing *next;
};

/* False: too many wait. Answers OK, ERR_CANCELLED while it waited. */
bool hashing_begin(struct flow *f, struct hashing *h);
