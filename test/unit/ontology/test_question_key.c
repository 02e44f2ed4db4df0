/* Which questions are the same, which need the one before, and how long their
 * words mean the same. */
#include "base/clock.h"
#include "ontology/question_key.h"
#include "ontology/question_set.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

enum { NOVEMBER_25 = 20782 /* 2026-11-25, a Wednesday */ };

static struct arena arena;

static int end(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static struct question_key key_of(const char *question)
{
    struct question_key key;
    question_key_make(&arena, str_of(question), &key);
    return key;
}

static bool same(const char *one, const char *other)
{
    struct question_key a = key_of(one), b = key_of(other);
    return str_eq(a.wording, b.wording) && str_eq(a.values, b.values);
}

static void assert_text(struct str got, const char *wanted)
{
    assert_string_equal(arena_cstr(&arena, got), wanted);
}

static void test_case_spaces_and_final_marks_do_not_matter(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"Revenue by city?", "revenue BY   city"},
        {"\trevenue\nby\xc2\xa0"
         "city ??",
         "Revenue by city."},
        {"Umsatz in M\xc3\x9cNCHEN", "umsatz in m\xc3\xbcnchen!"},
        {"\xd0\x9a\xd0\xa2\xd0\x9e", "\xd0\xba\xd1\x82\xd0\xbe"},
        {"orders above $1,000", "Orders above $1,000?"},
        {"top 5 SKU-12a", "Top 5 sku-12A"},
        {"the store\xe2\x80\x99s sales", "The store's sales"},
        {"in \"Dallas\"", "IN \"Dallas\"."},
        {"10K orders", "10k orders"},
        {"orders (2024)", "ORDERS (2024)"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_true(same(pairs[i][0], pairs[i][1]));
}

static void test_other_words_and_values_are_other_questions(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"revenue in 2024", "revenue in 2025"},
        {"revenue in 2024", "revenue in"},
        {"in \"Dallas\"", "in \"DALLAS\""},
        {"in \"Dallas\"", "in Dallas"},
        {"in 'a b'", "in 'a  b'"},
        {"orders above 1.5", "orders above 15"},
        {"orders above -5", "orders above 5"},
        {"orders above 5%", "orders above 5"},
        {"a 5 ?", "a ? 5"},
        {"a \x1a 5", "a 5 5"},
        {"\"a\" or \"b\"", "\"b\" or \"a\""},
        {"\"1\",\"2\"", "\"1,2\""},
        {"revenue by city", "revenue by cities"},
        {"x < 5", "x > 5"},
        {"orders not paid", "orders paid"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (same(pairs[i][0], pairs[i][1]))
            fail_msg("%s is %s", pairs[i][0], pairs[i][1]);
}

static void test_values_are_listed(void **state)
{
    (void)state;
    assert_text(key_of("Top 5 of 'O'Neill' in 2024-05 (1,000.50)?").values,
                "[\"5\",\"O'Neill\",\"2024-05\",\"1,000.50\"]");
    assert_text(key_of("the store's and the owner's share").values, "[]");
    assert_text(key_of("a \"quote\\\" and more\"").values, "[\"quote\\\\\"]");
    assert_text(key_of("").wording, "");
    assert_text(key_of("?!").wording, "");
}

static void test_odd_texts_are_read_to_their_end(void **state)
{
    (void)state;
    static const char *const odd[] = {"\xff\xfe", "\"",   "'",    "\xe2\x80",
                                      "5.",       "....", "\"\"", "''",
                                      "5:",       "\xf0"};
    char *deep = arena_alloc(&arena, 200001);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        key_of(odd[i]);
    memset(deep, '"', 200000);
    deep[200000] = 0;
    uint64_t since = clock_ms();
    key_of(deep);
    memset(deep, '(', 200000);
    key_of(deep);
    for (size_t i = 0; i < 200000; i++)
        deep[i] = i % 2 ? ' ' : '"';
    key_of(deep);
    for (size_t i = 0; i < 200000; i++)
        deep[i] = " 'a"[i % 3];
    key_of(deep);
    assert_true(clock_ms() - since < 20000);
}

static void test_what_refers_to_the_question_before(void **state)
{
    (void)state;
    static const char *const back[] = {"And by month?",
                                       "What about 2024?",
                                       "those in Dallas only please",
                                       "by city",
                                       "Show me the same for returns",
                                       "sort it by revenue",
                                       "how many of them are paid",
                                       "why",
                                       "only the top 5 of it"};
    static const char *const alone[] = {
        "Revenue by city",
        "How many stores are there in each city?",
        "What was the revenue this month?",
        "Top 5 products by revenue",
        "Which stores opened in 2024?",
        "What is the average order value?"};
    for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
        struct question_key key = key_of(back[i]);
        if (!question_refers_back(&key))
            fail_msg("%s", back[i]);
    }
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        struct question_key key = key_of(alone[i]);
        if (question_refers_back(&key))
            fail_msg("%s", alone[i]);
    }
}

static void assert_period(const char *question, const char *sql,
                          const char *wanted)
{
    struct question_key key = key_of(question);
    struct str got = question_period(&arena, &key, str_of(sql), NOVEMBER_25);
    if (!str_is(got, wanted))
        fail_msg("%s: %.*s, not %s", question, STR_ARG(got), wanted);
}

static void test_words_that_depend_on_the_day_have_a_period(void **state)
{
    (void)state;
    static const char fixed[] = "select 1 from o where d >= '2026-10-01'";
    assert_period("revenue today", fixed, "2026-11-25");
    assert_period("revenue last week", fixed, "2026-11-23");
    assert_period("revenue LAST month?", fixed, "2026-11");
    assert_period("revenue this quarter", fixed, "2026-Q4");
    assert_period("revenue last year", fixed, "2026");
    assert_period("revenue in the previous two months", fixed, "2026-11");
    assert_period("revenue in the last 3 months", fixed, "2026-11-25");
    assert_period("revenue of the last two complete months", fixed, "2026-11");
    assert_period("revenue in the trailing 12 months", fixed, "2026-11-25");
    assert_period("revenue in the first quarter", fixed, "2026");
    assert_period("revenue in the first quarter of 2027", fixed, "");
    assert_period("revenue year to date", fixed, "2026-11-25");
    assert_period("revenue in March", fixed, "2026");
    assert_period("revenue in Q3", fixed, "2026");
    assert_period("revenue last month and last year", fixed, "2026-11");
}

static void test_other_questions_have_no_period(void **state)
{
    (void)state;
    static const char fixed[] = "select 1 from o where d >= '2026-10-01'";
    assert_period("revenue by month", fixed, "");
    assert_period("revenue by city", fixed, "");
    assert_period("revenue in March 2026", fixed, "");
    assert_period(
        "revenue last month",
        "select 1 from o where d >= current_date - interval '1 month'", "");
    assert_period("the latest 5 orders",
                  "select * from o order by d desc limit 5", "");
    assert_period("revenue in 2025 compared with last year",
                  "select 1 from o where d >= '2025-01-01' and d < "
                  "'2026-01-01'",
                  "");
    assert_period("the last 20261 orders",
                  "select 1 from o where id > 20261 and k = 120269", "");
}

static void test_a_period_has_a_first_day(void **state)
{
    (void)state;
    static const char *const days[][2] = {{"2026", "2026-01-01"},
                                          {"2026-Q4", "2026-10-01"},
                                          {"2026-Q1", "2026-01-01"},
                                          {"2026-11", "2026-11-01"},
                                          {"2026-11-25", "2026-11-25"}};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        char day[11];
        question_set_day(str_of(days[i][0]), day);
        assert_string_equal(day, days[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_case_spaces_and_final_marks_do_not_matter),
        cmocka_unit_test(test_other_words_and_values_are_other_questions),
        cmocka_unit_test(test_values_are_listed),
        cmocka_unit_test(test_odd_texts_are_read_to_their_end),
        cmocka_unit_test(test_what_refers_to_the_question_before),
        cmocka_unit_test(test_words_that_depend_on_the_day_have_a_period),
        cmocka_unit_test(test_other_questions_have_no_period),
        cmocka_unit_test(test_a_period_has_a_first_day),
    };
    arena_init(&arena, 0);
    return cmocka_run_group_tests(tests, NULL, end);
}
