/* watchdog.h - notices a database that keeps its connections open but does not
 * answer.
 *
 * While jobs of the pool wait for an answer, the watchdog counts ticks in which
 * nothing arrived on any of its connections, busy or being opened. A slow
 * statement alone says nothing, so from the fourth silent tick on the watchdog
 * also asks for a sign of life over the pool's control connection. After the
 * tenth silent tick the database counts as silent, and the pool gives up its
 * connections.
 *
 * When the database answers on other connections, a silent one may be half open
 * (lane_check.h).
 *
 * It counts ticks and does not read the clock: a process that was stopped
 * itself wakes to one tick, and has read what had arrived before the next
 * one. */
#pragma once
#include "lane_check.h"
#include "loop/timer.h"

struct control;

struct watchdog {
    struct pool *pool;
    struct timer tick;
    unsigned tick_ms;      /* 0: it never watches */
    unsigned quiet;        /* silent ticks in a row */
    struct control *probe; /* the question for a sign of life, or NULL */
    struct lane_check check;
};

/* `silence_ms` is the time of ten ticks; 0: it never watches. */
void watchdog_init(struct watchdog *w, struct pool *pool, unsigned silence_ms);
/* Stops watching; watchdog_start may start it again. */
void watchdog_done(struct watchdog *w);
/* A job may wait for an answer now. No effect while it watches. */
void watchdog_start(struct watchdog *w);

/* ---- what it asks the pool ----------------------------------------------- */

/* True when a job waits for a connection or an answer. */
bool pool_awaits_answer(const struct pool *pool);
/* Whether anything was heard from the database since the last call. */
bool pool_take_heard(struct pool *pool);
/* Counts a tick for each lane that waits for an answer. Returns the process id
 * of the backend of a lane that has been silent for `ticks` of them, or 0. */
int pool_quiet_backend(struct pool *pool, unsigned ticks);
/* The database is silent: closes the connections that are up. */
void pool_drop_silent(struct pool *pool);
