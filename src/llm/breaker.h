/* breaker.h - the circuit breaker: calls to a server that fails wait until it
 * is well again.
 *
 *   closed     calls go
 *   open       five failures in a row: no call goes; calls wait in line
 *   half open  the time is over: one call probes, the others go on waiting
 *
 * The first useful word that the probe hears closes the breaker; the calls in
 * line then go within the next seconds, each at a random moment. A probe that
 * fails opens it again for twice as long, up to ten seconds. A probe that stays
 * silent for that long lets another one go.
 *
 * There is one breaker per provider and address in a process, so chat and
 * embeddings have their own. Only failures of the server or of the way to it
 * count, not refusals and not rate limits. Calls
 * that were under way when it opened neither open it further nor close it. */
#pragma once
#include "llm/llm.h"
#include "loop/wait.h"

struct breaker;

/* A call's place at its breaker; zeroed but for `breaker`. */
struct breaker_turn {
    struct breaker *breaker;
    struct wake wake; /* rung when it is worth to enter again */
    /* Private */
    struct breaker_turn *prev, *next;
    uint64_t held_until;
    bool waits, under_way, probes;
};

/* Takes a provider's id and the address that is called; gives their breaker. */
struct breaker *breaker_of(const char *provider, struct str url);
/* 0: the call may go, and breaker_end says how it ended. Else the call stands
 * in line and enters again after so many ms or when its wake rings. */
unsigned breaker_enter(struct breaker_turn *t);
/* The server said something useful. May be called inside curl. */
void breaker_heard(struct breaker_turn *t);
enum breaker_verdict {
    BREAKER_WELL,
    BREAKER_FAILED,
    BREAKER_LIMITED, /* it answers, though not this call */
    BREAKER_UNKNOWN, /* the call was given up */
};
void breaker_end(struct breaker_turn *t, enum breaker_verdict how);
/* Gives up the call, in line or under way; nothing when it is neither. */
void breaker_leave(struct breaker_turn *t);
/* Whether it is time to alarm the operator about it (once a minute). */
bool breaker_may_alarm(struct breaker *b);
void breakers_forget(void);      /* for tests */
extern unsigned breaker_open_ms; /* test seam: 1000, up to ten times that */
