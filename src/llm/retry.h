/* retry.h - what to do after a try: a pure function of how it went. */
#pragma once
#include "base/err.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

enum { RETRY_MOST_TRIES = 3 }; /* after what is not waited out */

struct retry_facts {
    enum err how;     /* of the exchange */
    int status;       /* HTTP; 0: none came */
    bool whole;       /* a reply that can be used was heard to its end */
    bool heard_error; /* the stream itself told an error: */
    enum err told;    /* ERR_MODEL_REFUSED: it will not help to ask again */
    struct str code;  /* what the error calls itself, if anything */
    bool shown, can_restart; /* text was shown; the caller can void it */
    unsigned tries;          /* made so far, this one too */
    int64_t retry_after_ms;  /* -1: not said */
    int should_retry;        /* 1, 0, -1: not said */
    uint64_t left_ms;        /* of the call */
    double chance;           /* 0..1, for the jitter */
};

enum retry_move { RETRY_ACCEPT, RETRY_AGAIN, RETRY_FAIL };

struct retry_verdict {
    enum retry_move move;
    enum err why;         /* of a failure */
    unsigned wait_ms;     /* before the next try */
    const char *reason;   /* of a wait, for on_wait; else NULL */
    const char *sentence; /* of a failure, for people */
    bool quotable;        /* what the server says may be told to users */
    bool asks_too_much;   /* Retry-After is beyond what is left */
};

struct retry_verdict retry_judge(const struct retry_facts *facts);
extern unsigned retry_wait_ms; /* test seam: the first wait, 1000 */
/* Whether the server, or the way to it, is to blame. */
bool retry_is_outage(const struct retry_facts *facts);
