/* guard_help.h - an arena for each test, and short ways to ask the guard. */
#pragma once
#include "base/arena.h"
#include "guard/guard.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static struct arena arena;

static inline int arena_setup(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    return 0;
}

static inline int arena_teardown(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static inline struct guard_verdict judge(const char *sql)
{
    struct guard_policy policy = {.any_relation = true};
    struct guard_verdict verdict;
    guard_check(&arena, str_of(sql), &policy, &verdict);
    return verdict;
}

static inline void assert_allowed(const char *sql)
{
    struct guard_verdict v = judge(sql);
    if (!v.ok)
        fail_msg("refused (%.*s: %.*s): %s", STR_ARG(v.code), STR_ARG(v.reason),
                 sql);
}

static inline void assert_refused(const char *sql, const char *code)
{
    struct guard_verdict v = judge(sql);
    if (v.ok || !str_is(v.code, code))
        fail_msg("wanted %s, got %.*s (%.*s): %s", code, STR_ARG(v.code),
                 STR_ARG(v.reason), sql);
}

/* "a, b" */
static inline void assert_names(const struct str *names, size_t n,
                                const char *wanted)
{
    struct str all = STR("");
    for (size_t i = 0; i < n; i++)
        all = arena_printf(&arena, "%.*s%s%.*s", STR_ARG(all), i ? ", " : "",
                           STR_ARG(names[i]));
    assert_string_equal(arena_cstr(&arena, all), wanted);
}

#define guard_test(function) \
    cmocka_unit_test_setup_teardown(function, arena_setup, arena_teardown)
