/* retry.h - decides after each try whether to accept, to retry, and after what
 * backoff. Pure. */
#pragma once
#include "base/err.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

enum { RETRY_MOST_TRIES = 3 }; /* rate limits and overloads: no limit */

struct retry_facts {
    enum err how;           /* status of the HTTP call */
    int status;             /* HTTP status; 0: no response */
    bool whole;             /* a complete, usable reply has arrived */
    bool has_stream_error;  /* the stream itself reported an error: */
    enum err stream_error;  /* ERR_MODEL_REFUSED: a retry cannot help */
    struct str code;        /* the code of the error; may be empty */
    bool shown;             /* on_text has got text of this try */
    bool can_restart;       /* the caller can void that text */
    unsigned tries;         /* so far, including this one */
    int64_t retry_after_ms; /* -1: absent */
    int should_retry;       /* 1, 0, -1: absent */
    uint64_t left_ms;       /* until the call's timeout */
    double chance;          /* 0..1, for the jitter */
};

enum retry_move { RETRY_ACCEPT, RETRY_AGAIN, RETRY_FAIL };

struct retry_verdict {
    enum retry_move move;
    enum err why;         /* RETRY_FAIL: the error */
    unsigned wait_ms;     /* RETRY_AGAIN: the backoff */
    const char *reason;   /* RETRY_AGAIN: for on_wait */
    const char *sentence; /* RETRY_FAIL: for users */
    bool quotable;        /* the server's message may be shown to users */
    bool asks_too_much;   /* Retry-After is longer than left_ms */
};

/* Decides. */
struct retry_verdict retry_decide(const struct retry_facts *facts);
extern unsigned retry_wait_ms; /* test seam: the first backoff, 1000 */
/* Whether the try counts as an outage, for the circuit breaker. */
bool retry_is_outage(const struct retry_facts *facts);
