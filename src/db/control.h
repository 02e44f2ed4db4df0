/* control.h - one statement on a pool's control connection, whose rows do not
 * matter: it cancels what another backend is doing, or asks for a sign of life.
 *
 * libpq's own PQcancel blocks, so a backend is cancelled in SQL. Once the
 * answer is there, the signal has been delivered and cannot hit a later
 * statement. */
#pragma once
#include "lane.h"

struct control {
    struct job job; /* first */
    const char *sql;
    char param[16];
    /* From the loop, once. `sure` is false when the control connection failed:
     * the statement may have run or not. NULL: no one needs the answer. */
    void (*done)(void *who, bool sure);
    void *who;
};

/* Sends a statement with one integer parameter over pool_control(pool). It
 * frees itself after `done`. */
struct control *control_send(struct pool *pool, const char *sql, int param,
                             void (*done)(void *who, bool sure), void *who);
