/* back_off.h - the pause before the next attempt: it doubles from 100 ms to 5
 * s, with jitter, so that many clients of a lost server do not return at the
 * same moment. */
#pragma once

/* The pause in ms. `failures` counts the attempts that failed, and grows by
 * one. */
unsigned back_off_ms(unsigned *failures);
