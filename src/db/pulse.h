/* pulse.h - is the database a pool talks to alive, or does it stand still?
 *
 * While the pool's jobs wait for an answer, ticks are counted in which nothing
 * came: on any of its connections, busy or being opened. A slow statement is no
 * sign of anything, so from the fourth tick on the database is asked for a word
 * over a connection of its own (the pool's control connection). After the tenth
 * tick without one it is silent.
 *
 * Ticks are counted, and not the clock read: a process that was stopped itself
 * wakes to one tick, and reads what had come before the next one. */
#pragma once
#include "lane.h"
#include "loop/timer.h"

struct pulse {
    struct job probe;
    struct timer tick;
    unsigned tick_ms, quiet;
    bool probing;
    struct pool *pool;
};

void pulse_open(struct pulse *pulse, struct pool *pool, unsigned silence_ms);
void pulse_close(struct pulse *pulse);
/* Something may wait for an answer now; nothing happens when it ticks. */
void pulse_watch(struct pulse *pulse);
/* It was found silent, or needs no watching: counts from the start again. */
void pulse_rest(struct pulse *pulse);

/* ---- what it asks the pool ----------------------------------------------- */

bool pool_expects(const struct pool *pool); /* a job waits for an answer */
/* Whether a word came since the last call, on whatever connection. */
bool pool_take_word(struct pool *pool);
void pool_silent(struct pool *pool);
