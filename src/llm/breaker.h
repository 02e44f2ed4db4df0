/* breaker.h - the circuit breaker: while a server keeps failing, calls to it
 * wait.
 *
 *   closed     calls are sent
 *   open       after five failures in a row no call is sent; calls wait
 *   half open  the open time is over: one call is sent as a probe, the others
 *              still wait
 *
 * The first useful event of the probe closes the breaker. The waiting calls are
 * then sent within the next seconds, each at a random moment. If the probe
 * fails, the breaker opens again for twice as long, up to ten seconds. If the
 * probe is silent for ten seconds, another call is sent as a probe.
 *
 * A process has one breaker for each provider and address, so chat and
 * embeddings have their own. Only outages count as failures (the server, or the
 * connection to it), not refusals and not rate limits. Calls that were in
 * flight when the breaker opened neither open nor close it. */
#pragma once
#include "llm/llm.h"
#include "loop/wait.h"

struct breaker;

/* A call at its breaker. To be zeroed, except for `breaker`. */
struct breaker_ticket {
    struct breaker *breaker;
    struct wake wake; /* woken when it should call breaker_acquire again */
    /* Private */
    struct breaker_ticket *prev, *next; /* in the queue */
    uint64_t held_until;                /* must not be sent before */
    bool queued, in_flight, probe;
};

/* The breaker of a provider's id and the URL that is called. */
struct breaker *breaker_of(const char *provider, struct str url);
/* Asks to send a call. 0: it may be sent, and breaker_report must follow. Else
 * it is queued, and asks again after that many ms, or when its wake is
 * woken. */
unsigned breaker_acquire(struct breaker_ticket *t);
/* The server sent a useful event. May be called inside curl. */
void breaker_useful(struct breaker_ticket *t);
enum breaker_result {
    BREAKER_SUCCESS,
    BREAKER_FAILURE,
    BREAKER_RATE_LIMITED, /* the server works, but refuses this call */
    BREAKER_ABANDONED,    /* the call was cancelled */
};
/* Reports how the call ended. */
void breaker_report(struct breaker_ticket *t, enum breaker_result how);
/* Withdraws a call that is queued or in flight, if it is. */
void breaker_cancel(struct breaker_ticket *t);
/* Whether to log an error for the operator about this server: at most once a
 * minute. */
bool breaker_may_alarm(struct breaker *b);

/* Test seams. */
void breakers_reset(void);
extern unsigned breaker_open_ms; /* the first open time: 1000 */
