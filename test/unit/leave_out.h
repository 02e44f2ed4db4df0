/* leave_out.h - the rest of a test cannot run on this machine.
 *
 * cmocka's skip() says "not ok … # SKIP" in TAP, which meson takes for a
 * failure; so it is said in a comment, and the test is over. */
#pragma once
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* It keeps descriptors of its own and lets a program pass its limit; and it is
 * too slow for who is to be quicker than a deadline. */
static inline bool is_under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "vgpreload");
}

#define leave_out(why) \
    do { \
        print_message("# left out: %s: %s\n", __func__, why); \
        return; \
    } while (0)
