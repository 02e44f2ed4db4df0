/* hashing.h - hashes and compares passwords on other threads.
 *
 * At most HASHING_MOST run at once in a process, because each takes 19 MiB and
 * a processor. HASHING_QUEUE more wait in order; further ones are refused. */
#pragma once
#include "base/password.h"
#include "loop/flow.h"
#include <uv.h>

enum { HASHING_MOST = 2, HASHING_QUEUE = 8 };

struct hashing {
    struct op op; /* first */
    /* In: memory of the flow's `keep` arena */
    struct str password;
    /* hash to compare with, "" for no account; NULL: make a hash */
    const char *compare;
    /* Out */
    bool matches;
    char made[PASSWORD_HASH_SIZE]; /* "": hashing failed */
    /* private */
    uv_work_t request;
    struct hashing *next;
};

/* Begins the op. Returns false when too many wait. The op answers OK, or
 * ERR_CANCELLED if it was cancelled while it waited. */
bool hashing_begin(struct flow *f, struct hashing *h);
