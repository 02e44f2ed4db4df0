/* clock.h - what time it is. Deadlines use the monotonic clock alone; the wall
 * clock is for people and for JWT. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

uint64_t clock_ms(void);     /* monotonic */
uint64_t clock_us(void);     /* monotonic */
uint64_t clock_cpu_us(void); /* what this thread has used */
int64_t clock_wall_ms(void); /* since 1970, UTC */

enum { CLOCK_RFC3339_SIZE = 25 };
/* "2026-11-21T21:37:34.123Z" and a NUL into out. */
void clock_rfc3339(int64_t wall_ms, char out[CLOCK_RFC3339_SIZE]);
/* A date-time of RFC 3339, with its zone; false when the text is none, or names a
 * day that there is not. Leap seconds are refused. */
bool clock_parse_rfc3339(struct str text, int64_t *wall_ms);
