/* back_off.h - how long to wait before the next attempt: doubles from 100 ms to
 * 5 s, with jitter, so that many who lost the same server do not come back at
 * the same moment. */
#pragma once

/* `failures` so far, which it counts up; the answer is in ms. */
unsigned back_off_ms(unsigned *failures);
