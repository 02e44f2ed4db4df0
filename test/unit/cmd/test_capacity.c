/* What a load needs. */
#include "capacity_model.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static const struct capacity_figures round_figures = {.worker_cpu_ms = 10,
                                                      .postgres_cpu_ms = 20,
                                                      .python_cpu_ms = 5,
                                                      .run_kb = 40,
                                                      .stream_kb = 10,
                                                      .worker_mb = 20,
                                                      .python_mb = 100,
                                                      .stored_kb = 100,
                                                      .events = 50,
                                                      .run_s = 10};

static void test_a_load_needs_what_its_runs_cost(void **state)
{
    (void)state;
    const struct capacity_load load = {.users = 1800,
                                       .questions_per_hour = 100};
    struct capacity c = capacity_of(&round_figures, &load);
    assert_float_equal(c.runs_per_s, 100, 1e-9);
    assert_float_equal(c.in_progress, 1000, 1e-9);
    assert_float_equal(c.worker_cores, 1, 1e-9);
    assert_float_equal(c.workers, 2, 0);
    assert_float_equal(c.postgres_cores, 2, 1e-9);
    assert_float_equal(c.events_per_s, 5000, 1e-9);
    assert_float_equal(c.descriptors, 3800, 0);
    assert_string_equal(c.first, "PostgreSQL's cores");
}

static void test_what_costs_most_saturates_first(void **state)
{
    (void)state;
    const struct capacity_load load = {.users = 10, .questions_per_hour = 1};
    struct capacity_figures f = round_figures;
    f.python_cpu_ms = 30;
    assert_string_equal(capacity_of(&f, &load).first, "the sandbox's cores");
    f.worker_cpu_ms = 60;
    assert_string_equal(capacity_of(&f, &load).first, "the workers' cores");
}

static void test_a_small_load_needs_one_worker(void **state)
{
    (void)state;
    const struct capacity_load load = {.users = 1, .questions_per_hour = 1};
    struct capacity_figures f = capacity_defaults();
    assert_float_equal(capacity_of(&f, &load).workers, 1, 0);
}

static void test_figures_of_a_file_replace_the_defaults(void **state)
{
    (void)state;
    static const char *const bad[] = {"[]", "{\"run_kb\":0}", "{\"run_kb\":-1}",
                                      "{\"run_kb\":\"1\"}", "{\"speed\":1}"};
    struct capacity_figures f = capacity_defaults();
    struct str problem;
    json_t *v = json_read(STR("{\"run_kb\":12.5}"), NULL);
    assert_true(capacity_read(v, &f, &problem));
    assert_float_equal(f.run_kb, 12.5, 0);
    json_decref(v);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        v = json_read(str_of(bad[i]), NULL);
        assert_false(capacity_read(v, &f, &problem));
        assert_true(problem.len > 0);
        json_decref(v);
    }
    assert_false(capacity_read(NULL, &f, &problem));
}

static void test_the_answer_names_each_part(void **state)
{
    (void)state;
    const struct capacity_load load = {.users = 1800,
                                       .questions_per_hour = 100};
    struct buf out;
    buf_init(&out, NULL);
    capacity_tell(&out, &round_figures, &load);
    assert_non_null(strstr(buf_cstr(&out), "100.00 a second"));
    assert_non_null(strstr(buf_cstr(&out), "Saturates first: PostgreSQL"));
    buf_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_load_needs_what_its_runs_cost),
        cmocka_unit_test(test_what_costs_most_saturates_first),
        cmocka_unit_test(test_a_small_load_needs_one_worker),
        cmocka_unit_test(test_figures_of_a_file_replace_the_defaults),
        cmocka_unit_test(test_the_answer_names_each_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
