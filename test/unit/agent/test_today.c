/* The day of a run in the zone of its connection, over the borders of days,
 * weeks, months, quarters and years. */
#include "analyst/period.h"
#include "base/arena.h"
#include "base/clock.h"
#include "today.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

enum { HOUR = 3600 };

static struct arena memory;

static struct run *run_at(const char *utc, const char *zone, int64_t ahead)
{
    struct run *r = arena_new(&memory, struct run);
    assert_true(clock_parse_rfc3339(str_of(utc), &r->started_at));
    r->load.time_zone = str_of(zone);
    r->load.zone_seconds = ahead;
    return r;
}

/* The calendar of a prompt has these lines. */
static bool calendar_says(const struct run *r, const char *line)
{
    return str_find(run_calendar(&memory, r), str_of(line)) >= 0;
}

/* Each moment has a twin in UTC, or in a zone on the other side, for which the
 * period is another one. */
static const struct {
    const char *utc, *zone;
    int64_t ahead;
    const char *today, *line;
} cases[] = {
    /* a day */
    {"2026-03-10T23:30:00Z", "", 0, "2026-03-10", "- yesterday: 2026-03-09"},
    {"2026-03-10T23:30:00Z", "Europe/Berlin", HOUR, "2026-03-11",
     "- yesterday: 2026-03-10"},
    {"2026-03-11T02:30:00Z", "America/New_York", -4 * HOUR, "2026-03-10",
     "- yesterday: 2026-03-09"},
    /* summer time: the same hour of UTC in winter is the day before */
    {"2026-07-10T22:30:00Z", "Europe/Berlin", 2 * HOUR, "2026-07-11",
     "- yesterday: 2026-07-10"},
    {"2026-01-10T22:30:00Z", "Europe/Berlin", HOUR, "2026-01-10",
     "- yesterday: 2026-01-09"},
    /* a week: Sunday and Monday */
    {"2026-03-15T23:30:00Z", "", 0, "2026-03-15",
     "- last week: 2026-03-02 to 2026-03-08"},
    {"2026-03-15T23:30:00Z", "Europe/Berlin", HOUR, "2026-03-16",
     "- last week: 2026-03-09 to 2026-03-15"},
    {"2026-03-16T03:00:00Z", "America/New_York", -4 * HOUR, "2026-03-15",
     "- last week: 2026-03-02 to 2026-03-08"},
    /* a month */
    {"2026-02-28T23:59:59Z", "", 0, "2026-02-28",
     "- last month: 2026-01-01 to 2026-01-31"},
    {"2026-02-28T23:59:59Z", "Europe/Berlin", HOUR, "2026-03-01",
     "- last month: 2026-02-01 to 2026-02-28"},
    {"2026-03-01T00:00:00Z", "America/Los_Angeles", -8 * HOUR, "2026-02-28",
     "- last month: 2026-01-01 to 2026-01-31"},
    {"2028-02-28T18:30:00Z", "Asia/Kolkata", 19800, "2028-02-29",
     "- this month: 2028-02-01 to 2028-02-29"},
    {"2028-02-28T18:29:59Z", "Asia/Kolkata", 19800, "2028-02-28",
     "- this month: 2028-02-01 to 2028-02-29"},
    /* a quarter */
    {"2026-03-31T23:00:00Z", "", 0, "2026-03-31",
     "- last quarter: 2025-10-01 to 2025-12-31"},
    {"2026-03-31T23:00:00Z", "Europe/Berlin", 2 * HOUR, "2026-04-01",
     "- last quarter: 2026-01-01 to 2026-03-31"},
    {"2026-10-01T03:59:59Z", "America/New_York", -4 * HOUR, "2026-09-30",
     "- last quarter: 2026-04-01 to 2026-06-30"},
    {"2026-10-01T04:00:00Z", "America/New_York", -4 * HOUR, "2026-10-01",
     "- last quarter: 2026-07-01 to 2026-09-30"},
    /* a year */
    {"2026-12-31T23:00:00Z", "", 0, "2026-12-31",
     "- last year: 2025-01-01 to 2025-12-31"},
    {"2026-12-31T23:00:00Z", "Europe/Berlin", HOUR, "2027-01-01",
     "- last year: 2026-01-01 to 2026-12-31"},
    {"2026-12-31T10:00:00Z", "Pacific/Kiritimati", 14 * HOUR, "2027-01-01",
     "- last year: 2026-01-01 to 2026-12-31"},
    {"2027-01-01T11:59:59Z", "Etc/GMT+12", -12 * HOUR, "2026-12-31",
     "- last year: 2025-01-01 to 2025-12-31"},
};

static void test_periods_count_in_the_zone_of_the_connection(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct run *r =
            run_at(cases[i].utc, cases[i].zone, cases[i].ahead);
        struct str today = period_day_text(&memory, run_today(r));
        if (!str_is(today, cases[i].today) || !calendar_says(r, cases[i].line))
            fail_msg("%s in \"%s\": %.*s\n%.*s", cases[i].utc, cases[i].zone,
                     STR_ARG(today), STR_ARG(run_calendar(&memory, r)));
    }
}

static void test_the_calendar_names_the_zone(void **state)
{
    (void)state;
    assert_true(calendar_says(
        run_at("2026-03-10T23:30:00Z", "Europe/Berlin", HOUR),
        "Today is Wednesday, 2026-03-11, in the time zone Europe/Berlin."));
    assert_true(calendar_says(run_at("2026-03-10T23:30:00Z", "", 0),
                              "Today is Tuesday, 2026-03-10, in the time zone "
                              "UTC."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periods_count_in_the_zone_of_the_connection),
        cmocka_unit_test(test_the_calendar_names_the_zone)};
    arena_init(&memory, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_done(&memory);
    return failed;
}
