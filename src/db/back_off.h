/* back_off.h - the pause before the next attempt: it doubles from 100 ms, with
 * jitter, so that many clients of a lost server do not return at the same
 * moment. */
#pragma once

enum { BACK_OFF_MOST_MS = 5000 };

/* The pause in ms, at most `most`. `failures` counts the attempts that failed,
 * and grows by one. */
unsigned back_off_ms(unsigned *failures, unsigned most);
