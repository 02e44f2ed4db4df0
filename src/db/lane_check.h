/* lane_check.h - finds a half-open connection while others of the pool work.
 *
 * After a lost route or a failed proxy a connection may be half open: neither
 * closed nor failed, only silent. A slow statement looks the same from here, but
 * the database knows the difference: over the pool's control connection it is
 * asked whether the backend is at work. When the answer is no twice, and the
 * lane stayed silent in between, the lane is lost. Through a pooler this cannot
 * be asked, because the process ids that it reports are its own. */
#pragma once
#include "lane.h"

struct lane_check {
    struct job job;
    struct pool *pool;
    int pid;
    char param[16];
    bool running, at_work;
};

/* Asks about the backend `pid`; pool_lane_checked gets the answer. Nothing
 * follows when the control connection fails. */
void lane_check_start(struct lane_check *check, struct pool *pool, int pid);
/* Withdraws the question, if there is one. */
void lane_check_stop(struct lane_check *check);

/* ---- what it reports to the pool ----------------------------------------- */

/* A lane whose backend was not `at_work` twice in a row is lost. */
void pool_lane_checked(struct pool *pool, int pid, bool at_work);
