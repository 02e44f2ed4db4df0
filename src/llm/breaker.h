/* breaker.h - a server that fails is left alone for a moment.
 *
 *   closed    calls go
 *   open      five in a row failed: none goes for ten seconds
 *   half open one goes, and its end decides
 *
 * One breaker a provider and address; only failures of the server or the way to
 * it count, not refusals. */
#pragma once
#include "llm/llm.h"

struct breaker;

struct breaker *breaker_of(const struct llm_model *m);
/* False: leave it alone. True: say how it ended, once, with breaker_end. */
bool breaker_enter(struct breaker *b);
enum breaker_verdict { BREAKER_WELL, BREAKER_FAILED, BREAKER_UNKNOWN };
void breaker_end(struct breaker *b, enum breaker_verdict how);
/* Whether it is time to alarm somebody about it (once a minute). */
bool breaker_may_alarm(struct breaker *b);
void breakers_forget(void); /* for tests */
extern unsigned breaker_open_ms; /* test seam: 10000 */
