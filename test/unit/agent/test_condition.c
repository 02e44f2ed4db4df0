/* Conditions of schedules: what is valid, which number they take, when they
 * hold. */
#include "agent/schedule_condition.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>
#include "base/banned.h"

static bool read_text(const char *text, struct schedule_condition *out,
                      json_t **kept, const char **why)
{
    *kept = json_read(str_of(text), NULL);
    assert_non_null(*kept);
    return condition_read(*kept, out, why);
}

static void test_what_is_no_condition_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{}",
        "[]",
        "{\"column\":\"a\",\"test\":\"above\"}",
        "{\"column\":\"a\",\"test\":\"above\",\"amount\":\"1\"}",
        "{\"column\":\"\",\"test\":\"above\",\"amount\":1}",
        "{\"column\":\"a\",\"test\":\"over\",\"amount\":1}",
        "{\"column\":\"a\",\"test\":\"above\",\"amount\":1,\"take\":\"any\"}",
        ("{\"column\":\"a\",\"test\":\"above\",\"amount\":1,"
         "\"unit\":\"percent\"}"),
        "{\"column\":\"a\",\"test\":\"falls\",\"amount\":-1}",
        "{\"column\":\"a\",\"test\":\"falls\",\"amount\":1,\"unit\":\"x\"}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct schedule_condition c;
        const char *why = NULL;
        json_t *kept;
        if (read_text(bad[i], &c, &kept, &why))
            fail_msg("%s was accepted", bad[i]);
        assert_non_null(why);
        json_decref(kept);
    }
}

static void test_it_holds_as_its_words_say(void **state)
{
    (void)state;
    static const struct {
        const char *condition, *value, *previous;
        bool holds;
    } cases[] = {
        {"\"above\",\"amount\":10", "10", "", false},
        {"\"above\",\"amount\":10", "10.01", "", true},
        {"\"below\",\"amount\":-1", "-1.5", "", true},
        {"\"below\",\"amount\":0", "0", "", false},
        {"\"falls\",\"amount\":10,\"unit\":\"percent\"", "90", "100", true},
        {"\"falls\",\"amount\":10,\"unit\":\"percent\"", "90.1", "100", false},
        {"\"falls\",\"amount\":10,\"unit\":\"percent\"", "0.27", "0.3", true},
        {"\"falls\",\"amount\":10,\"unit\":\"percent\"", "110", "100", false},
        {"\"falls\",\"amount\":10,\"unit\":\"percent\"", "90", "", false},
        {"\"falls\",\"amount\":10,\"unit\":\"percent\"", "-5", "0", false},
        {"\"falls\",\"amount\":10,\"unit\":\"percent\"", "-120", "-100", true},
        {"\"rises\",\"amount\":5", "105", "100", true},
        {"\"rises\",\"amount\":5", "104.9", "100", false},
        {"\"rises\",\"amount\":0", "100", "100", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct schedule_condition c;
        const char *why = NULL;
        char text[200];
        json_t *kept;
        snprintf(text, sizeof text, "{\"column\":\"a\",\"test\":%s}",
                 cases[i].condition);
        assert_true(read_text(text, &c, &kept, &why));
        if (condition_holds(&c, str_of(cases[i].value),
                            str_of(cases[i].previous)) != cases[i].holds)
            fail_msg("%s: %s after %s", text, cases[i].value,
                     cases[i].previous);
        json_decref(kept);
    }
}

static void check_value(const char *take, const char *results,
                        const char *expected)
{
    struct schedule_condition c;
    struct arena arena;
    const char *why = NULL;
    char text[200];
    json_t *kept, *all = json_read(str_of(results), NULL);
    arena_init(&arena, 0);
    assert_non_null(all);
    snprintf(text, sizeof text,
             "{\"column\":\"n\",\"take\":\"%s\",\"test\":\"above\","
             "\"amount\":1}",
             take);
    assert_true(read_text(text, &c, &kept, &why));
    const json_t *result = condition_result(all, c.column);
    json_t *rows = json_read(json_get_text(result, "data"), NULL);
    struct str value = condition_value(&arena, &c, result, rows, &why);
    assert_string_equal(value.len ? value.ptr : "", expected);
    json_decref(rows);
    json_decref(all);
    json_decref(kept);
    arena_done(&arena);
}

#define RESULT(rows, count) \
    "[{\"columns\":[\"n\"],\"data\":\"" rows "\",\"rowCount\":" count "}]"

static void test_the_number_is_taken_from_the_rows(void **state)
{
    (void)state;
    const char *three = RESULT("[{\\\"n\\\":\\\"1.50\\\"},{\\\"n\\\":7},"
                               "{\\\"n\\\":-2}]",
                               "3");
    check_value("first", three, "1.50");
    check_value("last", three, "-2");
    check_value("sum", three, "6.5");
    check_value("min", three, "-2");
    check_value("max", three, "7");
    check_value("first", RESULT("[{\\\"n\\\":null}]", "1"), "");
    check_value("first", RESULT("[{\\\"n\\\":\\\"x\\\"}]", "1"), "");
    check_value("first", RESULT("[]", "0"), "");
    check_value("first", RESULT("[{\\\"n\\\":4}]", "900"), "4");
    check_value("sum", RESULT("[{\\\"n\\\":4}]", "900"), "");
    check_value("first", "[{\"columns\":[\"m\"],\"data\":\"[]\"}]", "");
    check_value("first", "[]", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_no_condition_is_refused),
        cmocka_unit_test(test_it_holds_as_its_words_say),
        cmocka_unit_test(test_the_number_is_taken_from_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
