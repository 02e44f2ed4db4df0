/* The functions that models are shown are those that may be called. */
#include "guard/functions.h"
#include "function.h"
#include "guard_help.h"
#include "base/banned.h"

static void test_each_told_function_is_allowed(void **state)
{
    (void)state;
    struct buf out;
    size_t n = 0;
    buf_init(&out, &arena);
    guard_functions_put(&out);
    struct str rest = buf_view(&out), line, name;
    assert_true(rest.len < 4000);
    while (str_split(&rest, '\n', &line)) {
        if (str_starts(line, STR("- also those for ")))
            continue;
        line = str_from(line, (size_t)str_find_char(line, ':') + 1);
        while (str_split(&line, ',', &name)) {
            enum growth growth;
            assert_true(function_find(str_trim(name), &growth));
            n++;
        }
    }
    assert_true(n > 150);
}

static void test_functions_that_analyses_need_are_told(void **state)
{
    static const char *const needed[] = {
        " date_trunc,", " to_char,",   " round,",          " sum,",
        " lag,",        " row_number", " string_agg,",     " lower,",
        " now,",        " count,",     " percentile_cont,"};
    struct buf out;
    (void)state;
    buf_init(&out, &arena);
    guard_functions_put(&out);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        assert_true(str_find(buf_view(&out), str_of(needed[i])) > 0);
    assert_true(str_find(buf_view(&out), STR("pg_sleep")) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_told_function_is_allowed,
                                        arena_setup, arena_teardown),
        cmocka_unit_test_setup_teardown(
            test_functions_that_analyses_need_are_told, arena_setup,
            arena_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
