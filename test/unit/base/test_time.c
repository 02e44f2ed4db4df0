/* Clocks, UUIDs, random numbers, and the list of errors. */
#include "base/clock.h"
#include "base/err.h"
#include "base/random.h"
#include "base_test.h"
#include "base/banned.h"

static void test_times_are_rendered_in_utc_with_milliseconds(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {{0, "1970-01-01T00:00:00.000Z"},
                 {1, "1970-01-01T00:00:00.001Z"},
                 {999, "1970-01-01T00:00:00.999Z"},
                 {-1, "1969-12-31T23:59:59.999Z"},
                 {-1000, "1969-12-31T23:59:59.000Z"},
                 {951827696789, "2000-02-29T12:34:56.789Z"},
                 {1795298254123, "2026-11-21T21:57:34.123Z"},
                 {253402300799999, "9999-12-31T23:59:59.999Z"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[CLOCK_RFC3339_SIZE];
        clock_rfc3339(cases[i].ms, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_times_are_read_in_any_zone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {{"1970-01-01T00:00:00Z", 0},
                 {"1970-01-01t00:00:00.5z", 500},
                 {"1970-01-01T00:00:00.123456789Z", 123},
                 {"1970-01-01T02:30:00+02:30", 0},
                 {"1969-12-31T19:00:00-05:00", 0},
                 {"2000-02-29T12:34:56.789Z", 951827696789},
                 {"9999-12-31T23:59:59.999Z", 253402300799999}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ms = -1;
        assert_true(clock_parse_rfc3339(str_of(cases[i].text), &ms));
        assert_int_equal(ms, cases[i].ms);
    }
}

static void test_what_is_no_time_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "now",
                                      "2026-11-21",
                                      "2026-11-21T21:57:34",
                                      "2026-02-29T00:00:00Z",
                                      "2026-13-01T00:00:00Z",
                                      "2026-00-01T00:00:00Z",
                                      "2026-01-00T00:00:00Z",
                                      "2026-01-32T00:00:00Z",
                                      "2026-01-01T24:00:00Z",
                                      "2026-01-01T00:60:00Z",
                                      "2026-01-01T00:00:60Z",
                                      "2026-01-01T00:00:00.Z",
                                      "2026-01-01 00:00:00Z",
                                      "2026-01-01T00:00:00+2:00",
                                      "2026-01-01T00:00:00+24:00",
                                      "2026-01-01T00:00:00Z ",
                                      "+026-01-01T00:00:00Z",
                                      "2026-01-01T-1:00:00Z",
                                      "infinity"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t ms;
        assert_false(clock_parse_rfc3339(str_of(bad[i]), &ms));
    }
}

static void test_a_day_is_counted_from_1970(void **state)
{
    (void)state;
    static const struct {
        const char *date;
        int64_t day;
    } cases[] = {{"1970-01-01", 0},
                 {"2026-11-23", 20780},
                 {"2024-02-29", 19782},
                 {"1969-12-31", -1},
                 {"2025-02-29", -1},
                 {"2026-11-2", -1},
                 {"2026-11-23T", -1},
                 {"2026-11-23T00:00:00Z", -1},
                 {"", -1},
                 {"yesterday", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(clock_parse_day(str_of(cases[i].date)), cases[i].day);
}

static void test_the_monotonic_clock_never_goes_back(void **state)
{
    (void)state;
    uint64_t before = clock_us(), ms = clock_ms();
    for (int i = 0; i < 10000; i++) {
        uint64_t now = clock_us();
        assert_true(now >= before);
        before = now;
    }
    assert_true(clock_ms() >= ms);
    assert_true(clock_wall_ms() > 1700000000000);
}

static void test_a_uuid_is_of_version_four_and_new(void **state)
{
    (void)state;
    char one[UUID_SIZE], two[UUID_SIZE];
    for (int i = 0; i < 200; i++) {
        uuid_new(one);
        uuid_new(two);
        assert_true(uuid_valid(str_of(one)));
        assert_int_equal(one[14], '4');
        assert_non_null(strchr("89ab", one[19]));
        assert_string_not_equal(one, two);
    }
}

static void test_what_is_no_uuid_is_refused(void **state)
{
    (void)state;
    assert_true(uuid_valid(STR("ABCDEF01-2345-6789-abcd-ef0123456789")));
    static const char *const bad[] = {"",
                                      "abcdef01-2345-6789-abcd-ef012345678",
                                      "abcdef0123456789abcdef0123456789",
                                      "abcdef01-2345-6789-abcd-ef01234567890",
                                      "gbcdef01-2345-6789-abcd-ef0123456789",
                                      "abcdef012345--6789-abcd-ef0123456789",
                                      "{bcdef01-2345-6789-abcd-ef012345678}",
                                      "abcdef01-2345-6789-abcd-ef012345678\n",
                                      "abcdef01_2345_6789_abcd_ef0123456789"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(uuid_valid(str_of(bad[i])));
    assert_false(
        uuid_valid((struct str){"abcdef01-2345-6789-abcd-ef01234567\0a", 36}));
}

static void test_chance_stays_below_its_bound_and_reaches_all(void **state)
{
    (void)state;
    unsigned seen = 0;
    assert_int_equal(random_below(1), 0);
    for (int i = 0; i < 1000; i++) {
        uint64_t n = random_below(7);
        assert_true(n < 7);
        seen |= 1u << n;
    }
    assert_int_equal(seen, 0x7f);
    assert_true(random_below(UINT64_MAX) < UINT64_MAX);
}

static void test_every_error_has_a_code_and_a_sentence(void **state)
{
    (void)state;
    for (int e = OK + 1; e < ERR_COUNT; e++) {
        struct str sentence = str_of(err_sentence((enum err)e));
        assert_true(str_starts(str_of(err_name((enum err)e)), STR("ERR_")));
        assert_true(strlen(err_code((enum err)e)) > 0);
        assert_true(str_ends(sentence, STR(".")));
        assert_in_range(err_status((enum err)e), 400, 599);
    }
    assert_string_equal(err_code(ERR_BUDGET), "BUDGET");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_rendered_in_utc_with_milliseconds),
        cmocka_unit_test(test_times_are_read_in_any_zone),
        cmocka_unit_test(test_what_is_no_time_is_refused),
        cmocka_unit_test(test_a_day_is_counted_from_1970),
        cmocka_unit_test(test_the_monotonic_clock_never_goes_back),
        cmocka_unit_test(test_a_uuid_is_of_version_four_and_new),
        cmocka_unit_test(test_what_is_no_uuid_is_refused),
        cmocka_unit_test(test_chance_stays_below_its_bound_and_reaches_all),
        cmocka_unit_test(test_every_error_has_a_code_and_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
