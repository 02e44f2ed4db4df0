/* fake_scene.h - for tests: a pretended database and time, from setup to
 * teardown. */
#pragma once
#include "base/log.h"
#include "fake_db.h"
#include "fake_time.h"
#include "loop/loop.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* a step says it too */

/* Opens the world, without trouble and without a log; a pool of that name. */
static inline struct pool *fake_scene_open(const char *pool)
{
    log_to_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    loop_open();
    fake_db_open();
    world_begin(TROUBLE_NONE, 0);
    return pool_open(&(struct pool_options){.name = pool});
}

/* Closes it, and asserts that no flow and no timer is left. */
static inline void fake_scene_close(struct pool **pool)
{
    fake_time_settle(60000);
    pool_close(pool);
    world_end();
    fake_db_close();
    assert_int_equal(flow_count(), 0);
    assert_int_equal(fake_time_timers(), 0);
    loop_close();
}
