/* fake_time.h - time that passes only when nothing is left to do now.
 *
 * fake_time.c stands in for base/clock and loop/timer: linked into a program, it
 * is found before the libraries' own, so whatever waits in virtual time costs
 * none. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Moves the clock to the soonest timer and fires what is due then. False: no
 * timer runs. */
bool fake_time_step(void);
/* The process was stopped for so long: what is due by now fires before anything
 * else runs. */
void fake_time_jump(uint64_t ms);
size_t fake_time_timers(void); /* running */

/* Turns the loop, and time when the loop has nothing to do, until *done. False
 * when nothing is left that could ever happen, or after `most_ms` of virtual
 * time. */
bool fake_time_until(const bool *done, uint64_t most_ms);
/* The same until nothing is ready and no timer runs. */
bool fake_time_settle(uint64_t most_ms);
