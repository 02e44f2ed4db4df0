/* loop_help.h - shared by the tests of this floor: an op that the test
 * completes by hand, a record of what happened in which order, a loop. */
#pragma once
#include "../run_flow.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* cmocka and flow.h both define it */

/* Completed by op_complete; cancelling completes it at once unless `stubborn`. */
struct hand {
    struct op op;
    bool stubborn;
    int cancels;
};

static inline void hand_cancel(struct op *op)
{
    struct hand *h = (struct hand *)op;
    h->cancels++;
    if (!h->stubborn)
        op_complete(op, ERR_CANCELLED);
}

static inline void hand_begin(struct flow *f, struct hand *h)
{
    begin(f, &h->op, "hand", hand_cancel);
}

/* What happened, a letter for each event. */
static char story[256];

static inline void tell(char c)
{
    size_t n = strlen(story);
    assert_true(n + 1 < sizeof story);
    story[n] = c;
    story[n + 1] = '\0';
}

static inline void tell_undo(void *what)
{
    tell(*(const char *)what);
}

static inline int loop_setup(void **state)
{
    (void)state;
    memset(story, 0, sizeof story);
    loop_open();
    return 0;
}

static inline int loop_teardown(void **state)
{
    (void)state;
    assert_int_equal(flow_count(), 0);
    loop_close();
    return 0;
}

static inline void turn_until_quiet(void)
{
    while (flow_any_ready())
        loop_turn(false);
}

#define LOOP_TEST(name) \
    cmocka_unit_test_setup_teardown(name, loop_setup, loop_teardown)
