/* Cron lines: which are valid, and when they are due next, also where clocks
 * change. */
#include "base/cron.h"
#include "base/clock.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>
#include "base/banned.h"

/* Berlin, around the changes of 2026; UTC; and the Chathams' 45 minutes. */
static const struct cron_offset utc[] = {{0, 0}};
static const struct cron_offset berlin[] = {
    {0, 3600},
    {1774746000, 7200},  /* 2026-03-29T01:00Z */
    {1792890000, 3600},  /* 2026-10-25T01:00Z */
    {1806195600, 7200}}; /* 2027-03-28T01:00Z */
static const struct cron_offset chatham[] = {{0, 45900}};

#define ZONE(z) z, sizeof(z) / sizeof *(z)

static void check_next(const char *line, const struct cron_offset *zone,
                       size_t n, const char *after, const char *expected)
{
    struct cron c;
    const char *why = NULL;
    int64_t ms;
    char text[CLOCK_RFC3339_SIZE] = "none";
    assert_true(cron_parse(str_of(line), &c, &why));
    assert_true(clock_parse_rfc3339(str_of(after), &ms));
    int64_t next = cron_next(&c, zone, n, ms / 1000);
    if (next >= 0)
        clock_rfc3339(next * 1000, text);
    if (next >= 0)
        text[16] = '\0'; /* minutes */
    if (!str_is(str_of(text), expected))
        print_error("%s after %s\n", line, after);
    assert_string_equal(text, expected);
}

static void test_what_is_no_cron_line_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * 0 *",
        "* * * * 8",
        "-1 * * * *",
        "+1 * * * *",
        "1- * * * *",
        "5-1 * * * *",
        "*/0 * * * *",
        "*/ * * * *",
        "*/-2 * * * *",
        "1,,2 * * * *",
        "1, * * * *",
        ",1 * * * *",
        "x * * * *",
        "* * * foo *",
        "* * * * monday",
        "1.5 * * * *",
        "@daily",
        "0 8 * * 1;drop",
        "** * * * *",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct cron c;
        const char *why = NULL;
        if (cron_parse(str_of(lines[i]), &c, &why))
            fail_msg("\"%s\" was accepted", lines[i]);
        assert_non_null(why);
    }
}

static void test_the_next_time_is_found(void **state)
{
    (void)state;
    const char *after = "2026-11-26T10:30:15Z"; /* a Thursday */
    check_next("0 8 * * 1", ZONE(utc), after, "2026-11-30T08:00");
    check_next("0 8 * * MON", ZONE(utc), after, "2026-11-30T08:00");
    check_next("*/15 * * * *", ZONE(utc), after, "2026-11-26T10:45");
    check_next("31 10 * * *", ZONE(utc), after, "2026-11-26T10:31");
    check_next("30 10 * * *", ZONE(utc), after, "2026-11-27T10:30");
    check_next("0 0 1 jan *", ZONE(utc), after, "2027-01-01T00:00");
    check_next("0 12 29 2 *", ZONE(utc), after, "2028-02-29T12:00");
    check_next("0 12 30 2 *", ZONE(utc), after, "none");
    check_next("0 9-17/4 * * mon-fri", ZONE(utc), after, "2026-11-26T13:00");
    check_next("0 8 * * 7", ZONE(utc), after, "2026-11-29T08:00");
    check_next("0 8 * * 0", ZONE(utc), after, "2026-11-29T08:00");
    check_next("0 8 * * 1", ZONE(berlin), after, "2026-11-30T07:00");
    check_next("0 0 * * *", ZONE(chatham), after, "2026-11-26T11:15");
}

static void test_a_day_fits_by_its_number_or_its_name(void **state)
{
    (void)state;
    const char *after = "2026-11-26T00:00:00Z";
    check_next("0 8 13 * fri", ZONE(utc), after, "2026-11-27T08:00");
    check_next("0 8 28 * fri", ZONE(utc), "2026-11-27T09:00:00Z",
               "2026-11-28T08:00");
    check_next("0 8 13 * *", ZONE(utc), after, "2026-12-13T08:00");
}

static void test_what_falls_into_a_missing_hour_is_due_at_its_end(void **state)
{
    (void)state;
    const char *before = "2026-03-28T12:00:00Z";
    check_next("30 2 * * *", ZONE(berlin), before, "2026-03-29T01:00");
    check_next("0 2 * * *", ZONE(berlin), before, "2026-03-29T01:00");
    check_next("0 3 * * *", ZONE(berlin), before, "2026-03-29T01:00");
    check_next("30 2 * * *", ZONE(berlin), "2026-03-29T01:00:00Z",
               "2026-03-30T00:30");
    check_next("30 * * * *", ZONE(berlin), "2026-03-29T00:30:00Z",
               "2026-03-29T01:30");
}

static void test_a_repeated_hour_is_used_once(void **state)
{
    (void)state;
    check_next("30 2 * * *", ZONE(berlin), "2026-10-24T12:00:00Z",
               "2026-10-25T00:30");
    check_next("30 2 * * *", ZONE(berlin), "2026-10-25T00:30:00Z",
               "2026-10-26T01:30");
    check_next("0 3 * * *", ZONE(berlin), "2026-10-25T00:30:00Z",
               "2026-10-25T02:00");
    check_next("30 * * * *", ZONE(berlin), "2026-10-25T00:30:00Z",
               "2026-10-25T01:30");
    check_next("30 2 * * *", ZONE(berlin), "2026-10-25T01:10:00Z",
               "2026-10-26T01:30");
}

static void test_each_next_time_is_later(void **state)
{
    (void)state;
    static const char *const lines[] = {"*/7 * * * *", "30 2 * * *",
                                        "0 */3 * * *", "15 1-3 * * sun"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct cron c;
        const char *why;
        int64_t at = 1774600000;
        assert_true(cron_parse(str_of(lines[i]), &c, &why));
        for (int n = 0; n < 5000 && at >= 0; n++) {
            int64_t next = cron_next(&c, ZONE(berlin), at);
            assert_true(next > at);
            assert_int_equal(next % 60, 0);
            at = next;
        }
    }
}

static void test_minutes_of_an_hour_are_counted(void **state)
{
    (void)state;
    struct cron c;
    const char *why;
    assert_true(cron_parse(STR("*/5 * * * *"), &c, &why));
    assert_int_equal(cron_per_hour(&c), 12);
    assert_true(cron_parse(STR("1,2,3 * * * *"), &c, &why));
    assert_int_equal(cron_per_hour(&c), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_no_cron_line_is_refused),
        cmocka_unit_test(test_the_next_time_is_found),
        cmocka_unit_test(test_a_day_fits_by_its_number_or_its_name),
        cmocka_unit_test(test_what_falls_into_a_missing_hour_is_due_at_its_end),
        cmocka_unit_test(test_a_repeated_hour_is_used_once),
        cmocka_unit_test(test_each_next_time_is_later),
        cmocka_unit_test(test_minutes_of_an_hour_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
