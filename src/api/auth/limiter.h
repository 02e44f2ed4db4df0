/* limiter.h - limits attempts by name, in bounded memory.
 *
 * Attempts are counted in windows of fixed length. The table is small and a
 * secret hash chooses the slots, so an attacker who fills it first pushes out
 * the names with the fewest attempts. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct limiter;

/* Allocates a table that counts in windows of `window_ms`. */
struct limiter *limiter_new(unsigned window_ms);
/* Frees it and sets *a to NULL. */
void limiter_free(struct limiter **a);

/* Counts one attempt. Returns false when the name has used up `most` in this
 * window; *retry_s is then the number of seconds until the window ends. */
bool limiter_acquire(struct limiter *a, struct str name, unsigned most,
                     uint64_t now_ms, unsigned *retry_s);
/* Takes one attempt back, after it succeeded. */
void limiter_refund(struct limiter *a, struct str name, uint64_t now_ms);
