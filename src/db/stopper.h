/* stopper.h - ends what a backend is doing, over the pool's control connection.
 *
 * libpq's own PQcancel blocks, so it is asked in SQL. Once this is heard, the
 * signal has been delivered: it cannot hit a later statement. */
#pragma once
#include "lane.h"

struct stopper {
    struct job job;
    char pid[16];
    void (*heard)(void *who, bool sure); /* NULL: nobody cares any more */
    void *who;
};

/* Frees itself after it was heard, from the loop. Not sure: the control
 * connection failed, nobody knows whether the signal was or will be sent. */
struct stopper *stopper_start(struct pool *control, int pid,
                              void (*heard)(void *who, bool sure), void *who);
