/* lane_check.h - finds a connection that leads nowhere while others work.
 *
 * After a lost route or a failed proxy a connection may be half open: no end and
 * no error, only silence. So does a slow statement look. The difference is
 * known to the database: over the pool's control connection it is asked whether
 * the backend is at work. Twice no, with no word between, and the lane is lost.
 * Where a pooler is between, backends cannot be asked for by their number. */
#pragma once
#include "lane.h"

struct lane_check {
    struct job job;
    struct pool *pool;
    int pid;
    char param[16];
    bool running, at_work;
};

/* Ends when the answer is there; pool_lane_checked hears it. */
void lane_check_start(struct lane_check *check, struct pool *pool, int pid);
void lane_check_stop(struct lane_check *check);

/* ---- what it tells the pool ---------------------------------------------- */

void pool_lane_checked(struct pool *pool, int pid, bool at_work);
