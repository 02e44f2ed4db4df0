/* clock.h - the time. Deadlines use the monotonic clock only; the wall clock is
 * for timestamps that people and JWTs see. */
#pragma once
#include "base/compiler.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

uint64_t clock_ms(void);     /* monotonic */
uint64_t clock_us(void);     /* monotonic */
uint64_t clock_cpu_us(void); /* CPU time of this thread */
int64_t clock_wall_ms(void); /* since 1970, UTC */

enum { CLOCK_RFC3339_SIZE = 25 };
/* Writes "2026-11-21T21:37:34.123Z" and a NUL. */
void clock_rfc3339(int64_t wall_ms, char out[CLOCK_RFC3339_SIZE]);
/* Parses a date-time of RFC 3339 with its zone. False: malformed, no such day,
 * or a leap second. */
MUST_CHECK bool clock_parse_rfc3339(struct str text, int64_t *wall_ms);
/* The days from 1970-01-01 to a date like "2026-11-23"; -1: it is none, or
 * earlier. */
int64_t clock_parse_day(struct str date);
