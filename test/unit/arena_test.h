/* arena_test.h - for tests: cmocka, and an arena for each test (ARENA_TEST) or
 * for all tests of a program (setup and teardown of the group), which is also
 * the test's state. */
#pragma once
#include "base/arena.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct arena arena;

static int setup(void **state)
{
    arena_init(&arena, 0);
    *state = &arena;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

#define ARENA_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
