/* Words, periods, and values in descriptions. */
#include "read/calendar.h"
#include "models.h"
#include "read/sample.h"
#include "sql/sql_text.h"
#include "read/window.h"
#include "read/words.h"
#include "base/banned.h"

static int set_up(void **state)
{
    struct arena *arena = test_malloc(sizeof *arena);
    arena_init(arena, 0);
    *state = arena;
    return 0;
}

static int tear_down(void **state)
{
    arena_done(*state);
    test_free(*state);
    return 0;
}

static void test_two_forms_of_a_word_have_one_key(void **state)
{
    static const char *const pairs[][2] = {
        {"Cities", "city"},          {"order_items", "Order Items"},
        {"OrderDate", "order date"}, {"boxes", "box"},
        {"addresses", "address"},    {"movies", "movie"},
        {"status", "status"},        {"avg price", "average prices"},
        {"sales", "sale"},           {"people", "person"},
        {"e-mail", "email"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct str key = words_key(*state, str_of(pairs[i][0]));
        assert_true(key.len);
        assert_true(str_eq(key, words_key(*state, str_of(pairs[i][1]))));
    }
    assert_false(str_eq(words_key(*state, STR("status")),
                        words_key(*state, STR("statu"))));
}

static void test_numbers_are_read_as_people_write_them(void **state)
{
    static const char *const pairs[][2] = {{"1,000", "1000"},
                                           {"10k", "10000"},
                                           {"2.5 million", "2500000"},
                                           {"$1,234.50", "1234.50"},
                                           {"3bn", "3000000000"},
                                           {"7", "7"},
                                           {"1.25m", "1250000"},
                                           {"0.5", "0.5"},
                                           {"2.5k", "2500"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct question_words words = words_read(*state, str_of(pairs[i][0]));
        assert_str(words.items[words.n - 1].number, pairs[i][1]);
    }
    assert_int_equal(words_read(*state, STR("12th")).items[0].kind, WORD_PLAIN);
}

static void test_quotes_hold_a_value_together(void **state)
{
    struct question_words words =
        words_read(*state, STR("“New York” and \"a b\" 'c d' O'Brien's"));
    assert_int_equal(words.n, 5);
    assert_str(words.items[0].text, "New York");
    assert_str(words.items[2].text, "a b");
    assert_str(words.items[3].text, "c d");
    assert_str(words.items[4].lower, "o'brien");
    assert_true(words.items[4].owner);
}

static void test_a_long_question_ends(void **state)
{
    struct buf text;
    buf_init(&text, *state);
    for (size_t i = 0; i < 5000; i++)
        buf_text(&text, "revenue by city and ");
    assert_true(words_read(*state, buf_view(&text)).too_many);
}

static void test_days_and_dates_agree(void **state)
{
    (void)state;
    assert_int_equal(days_of_date((struct date){1970, 1, 1}), 0);
    assert_int_equal(days_of_date((struct date){2000, 3, 1}), 11017);
    assert_int_equal(days_of_date((struct date){2024, 13, 1}),
                     days_of_date((struct date){2025, 1, 1}));
    for (int64_t day = -800000; day < 800000; day += 37) {
        struct date date = date_of_days(day);
        assert_int_equal(days_of_date(date), day);
        assert_true(date_exists(date));
    }
    assert_false(date_exists((struct date){2025, 2, 29}));
    assert_true(date_exists((struct date){2024, 2, 29}));
}

static struct str range_text(struct arena *arena, const struct window *w)
{
    struct buf out;
    buf_init(&out, arena);
    if (w->relative)
        return arena_printf(arena, "%d %zu %s", (int)w->relative, w->count,
                            unit_words[w->unit]);
    for (size_t i = 0; i < w->n; i++) {
        const struct range *r = &w->ranges[i];
        buf_text(&out, i ? " | " : "");
        if (r->has_from)
            buf_str(&out, date_text(arena, r->from));
        buf_text(&out, "..");
        if (r->has_to)
            buf_str(&out, date_text(arena, r->to));
    }
    return buf_view(&out);
}

static void test_periods_are_whole_days(void **state)
{
    static const char *const pairs[][2] = {
        {"in 2025", "2025-01-01..2026-01-01"},
        {"2025", "2025-01-01..2026-01-01"},
        {"in March 2025", "2025-03-01..2025-04-01"},
        {"Mar, 2025", "2025-03-01..2025-04-01"},
        {"in december of 2024", "2024-12-01..2025-01-01"},
        {"on March 5, 2025", "2025-03-05..2025-03-06"},
        {"5 March 2025", "2025-03-05..2025-03-06"},
        {"on 2024-02-29", "2024-02-29..2024-03-01"},
        {"in 2024-02", "2024-02-01..2024-03-01"},
        {"Q3 2025", "2025-07-01..2025-10-01"},
        {"in 2025 Q4", "2025-10-01..2026-01-01"},
        {"during the second quarter of 2025", "2025-04-01..2025-07-01"},
        {"H1 2025", "2025-01-01..2025-07-01"},
        {"in the second half of 2024", "2024-07-01..2025-01-01"},
        {"since 2024-07-01", "2024-07-01.."},
        {"since July 2024", "2024-07-01.."},
        {"after 2024", "2025-01-01.."},
        {"after 2024-05-05", "2024-05-06.."},
        {"before 2025", "..2025-01-01"},
        {"until March 2025", "..2025-04-01"},
        {"from 2024-03 to 2024-05", "2024-03-01..2024-06-01"},
        {"between January 2024 and March 2024", "2024-01-01..2024-04-01"},
        {"from July 2025", "2025-07-01.."},
        {"from 2025", "2025-01-01..2026-01-01"},
        {"2024 to 2025", "2024-01-01..2026-01-01"},
        {"2024-2025", "2024-01-01..2026-01-01"},
        {"in 2023 and 2025", "2023-01-01..2024-01-01 | 2025-01-01..2026-01-01"},
        {"2025 onwards", "2025-01-01.."},
        {"last 6 months", "1 6 month"},
        {"in the last three quarters", "1 3 quarter"},
        {"past year", "1 12 month"},
        {"last 2 weeks", "1 14 day"},
        {"last month", "2 1 month"},
        {"previous year", "2 1 year"},
        {"this quarter", "3 0 quarter"},
        {"year to date", "3 0 year"},
        {"ytd", "3 0 year"},
        {"over the last year", "2 1 year"},
        {"yesterday", "2 0 day"},
        {"the latest month", "4 0 month"},
        {"most recent quarter", "4 1 quarter"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct window window;
        struct str problem;
        struct question_words words = words_read(*state, str_of(pairs[i][0]));
        size_t n = window_read(*state, &words, 0, NULL, &window, &problem);
        if (n != words.n)
            fail_msg("%s: %zu of %zu words", pairs[i][0], n, words.n);
        struct str text = range_text(*state, &window);
        if (!str_is(text, pairs[i][1]))
            fail_msg("%s: %.*s", pairs[i][0], STR_ARG(text));
    }
}

static void test_what_is_no_period_is_left(void **state)
{
    static const char *const texts[] = {
        "over 2000", "in Houston", "may",   "march",    "5 products",
        "last name", "12345",      "top 5", "by month", "between 5 and 9"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct window window;
        struct str problem;
        struct question_words words = words_read(*state, str_of(texts[i]));
        if (window_read(*state, &words, 0, NULL, &window, &problem))
            fail_msg("%s is no period", texts[i]);
    }
}

static void test_sql_is_cut_into_its_pieces(void **state)
{
    struct sql_tokens tokens = sql_read(
        *state,
        STR("sum(a.\"B \"\"c\"\"\") -- x)\n /* ( */ || E'\\')' || $q$)$q$"));
    assert_int_equal(tokens.n, 12);
    assert_str(tokens.items[0].name, "sum");
    assert_str(tokens.items[4].name, "B \"c\"");
    assert_int_equal(sql_closing(&tokens, 1), 5);
    assert_str(sql_name(*state, STR("plain_name")), "plain_name");
    assert_str(sql_name(*state, STR("Order")), "\"Order\"");
    assert_str(sql_name(*state, STR("user")), "\"user\"");
    assert_str(sql_name(*state, STR("a\"b")), "\"a\"\"b\"");
    assert_str(sql_literal(*state, STR("O'Brien")), "'O''Brien'");
}

static void test_descriptions_tell_values(void **state)
{
    struct asked a;
    struct samples samples;
    static const char *const known[] = {"houston",  "Dallas", "in-store",
                                        "In Store", "online", "completed",
                                        "returned"};
    static const char *const unknown[] = {"Where it stands", "became", "order",
                                          "example", "or"};
    (void)state;
    ask_one(&a, shop_model, "hello");
    samples_init(&a.arena, a.model, &samples);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!samples_find(&samples, str_of(known[i])))
            fail_msg("%s is not known", known[i]);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (samples_find(&samples, str_of(unknown[i])))
            fail_msg("%s is no value", unknown[i]);
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_two_forms_of_a_word_have_one_key,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_numbers_are_read_as_people_write_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quotes_hold_a_value_together,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_long_question_ends, set_up,
                                        tear_down),
        cmocka_unit_test(test_days_and_dates_agree),
        cmocka_unit_test_setup_teardown(test_periods_are_whole_days, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_period_is_left, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_sql_is_cut_into_its_pieces, set_up,
                                        tear_down),
        cmocka_unit_test(test_descriptions_tell_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
