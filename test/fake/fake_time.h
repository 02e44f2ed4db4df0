/* fake_time.h - virtual time, which advances only when no work is left.
 *
 * fake_time.c replaces base/clock and loop/timer: the linker finds it before the
 * libraries' own. Waiting takes no real time. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Moves the clock to the next timer and fires what is due. False if no timer runs. */
bool fake_time_step(void);
/* Simulates that the process was stopped for ms: timers that are due fire before
 * anything else runs. */
void fake_time_jump(uint64_t ms);
size_t fake_time_timers(void); /* running */

/* Runs the loop until *done, and advances time when the loop is idle. False if
 * nothing is left that could happen, or after `most_ms` of virtual time. */
bool fake_time_until(const bool *done, uint64_t most_ms);
/* Runs the loop while goes_on(), asked each time that the loop is idle, and at
 * most `most_ms` of virtual time. */
void fake_time_while(bool (*goes_on)(void), uint64_t most_ms);
/* As fake_time_until, until no flow is ready and no timer runs. */
bool fake_time_settle(uint64_t most_ms);
