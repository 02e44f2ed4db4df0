/* JSON as the standard defines it, and as models write it. */
#include "base/json.h"
#include "base_test.h"
#include "base/banned.h"

struct case_of {
    struct str in;
    const char *out; /* as json_print writes it; NULL: refused */
};

static char *nested(int depth, char open, char close)
{
    char *text = test_malloc((size_t)depth * 2 + 1);
    memset(text, open, (size_t)depth);
    memset(text + depth, close, (size_t)depth);
    text[depth * 2] = '\0';
    return text;
}

static int wrong_in(const struct case_of *cases, size_t n,
                    json_t *(*read)(struct str, struct json_problem *))
{
    int wrong = 0;
    for (size_t i = 0; i < n; i++) {
        struct buf out = {0};
        struct json_problem problem = {0};
        json_t *v = read(cases[i].in, &problem);
        if (v)
            json_print_into(&out, v);
        const char *got = v ? buf_cstr(&out) : NULL;
        bool same = got && cases[i].out ? !strcmp(got, cases[i].out)
                                        : got == cases[i].out;
        if (!same) {
            print_message("# %.*s gave %s\n", STR_ARG(cases[i].in),
                          got ? got : problem.text);
            wrong++;
        }
        json_decref(v);
        buf_done(&out);
    }
    return wrong;
}

static const struct case_of strict[] = {
    {STR("{\"a\":1}"), "{\"a\":1}"},
    {STR(" [1, 2.5, -0, true, null, \"x\"] "), "[1,2.5,0,true,null,\"x\"]"},
    {STR("7"), "7"},
    {STR("\"text\""), "\"text\""},
    {STR("9223372036854775807"), "9223372036854775807"},
    {STR("\"\\ud83d\\ude00\""), "\"\xf0\x9f\x98\x80\""},
    {STR(""), NULL},
    {STR("{\"a\":1,\"a\":2}"), NULL},
    {STR("{\"a\":1} x"), NULL},
    {STR("7\0"), NULL},
    {STR("{\"a\":1\0}"), NULL},
    {STR("[true\0]"), NULL},
    {STR("[null,\0 1]"), NULL},
    {STR("{\"a\":1}\0"), NULL},
    {STR("{\"a\":1}\0{\"a\":2}"), NULL},
    {STR("\0{}"), NULL},
    {STR("\"a\0b\""), NULL},
    {STR("{'a':1}"), NULL},
    {STR("[1,]"), NULL},
    {STR("01"), NULL},
    {STR("+1"), NULL},
    {STR(".5"), NULL},
    {STR("NaN"), NULL},
    {STR("1e400"), NULL},
    {STR("9223372036854775808"), NULL},
    {STR("\"\\ud83d\""), NULL},
    {STR("\"\\u0000\""), NULL},
    {STR("\"a\nb\""), NULL},
    {STR("\"\xff\""), NULL},
    {STR("\"\xc0\x80\""), NULL},
    {STR("\xef\xbb\xbf{}"), NULL},
    {STR("[1]\0"), NULL},
    {STR("/* */ {}"), NULL},
};

static void test_strict_json_is_the_standard_without_duplicates(void **state)
{
    (void)state;
    assert_int_equal(
        wrong_in(strict, sizeof strict / sizeof *strict, json_read), 0);
}

#define FFFD "\xef\xbf\xbd"

static const struct case_of loose[] = {
    {STR("{\"a\":1}"), "{\"a\":1}"},
    {STR("```json\n{\"a\":1}\n```"), "{\"a\":1}"},
    {STR("```\n[1]\n```\nDone."), "[1]"},
    {STR("Sure! Here it is:\n{\"a\":{\"b\":[1]}}\nHope it helps {smile}"),
     "{\"a\":{\"b\":[1]}}"},
    {STR("{\"a\":\"} not the end {\"} trailing"),
     "{\"a\":\"} not the end {\"}"},
    {STR("{\"a\":\"quote \\\" }\"} x"), "{\"a\":\"quote \\\" }\"}"},
    {STR("{\"a\":\"\\ud83d\"}"), "{\"a\":\"" FFFD "\"}"},
    {STR("{\"a\":\"\\ude00x\"}"), "{\"a\":\"" FFFD "x\"}"},
    {STR("{\"a\":\"\\ud83dx\\ude00\"}"), "{\"a\":\"" FFFD "x" FFFD "\"}"},
    {STR("{\"a\":\"\\ud83d\\ude00\\udc00\"}"),
     "{\"a\":\"\xf0\x9f\x98\x80" FFFD "\"}"},
    {STR("{\"a\":\"x\\u0000y\"}"), "{\"a\":\"x" FFFD "y\"}"},
    {STR("{\"a\":\"line\nbreak\tand tab\"}"),
     "{\"a\":\"line\\nbreak\\tand tab\"}"},
    {STR("{\"a\":1e400,\"b\":-1e999,\"c\":1}"),
     "{\"a\":null,\"b\":null,\"c\":1}"},
    {STR("{\"a\":99999999999999999999}"), "{\"a\":1e+20}"},
    {STR("{\"a\":1,\"a\":2} "), "{\"a\":2}"},
    {STR("no braces at all"), NULL},
    {STR("{\"a\":"), NULL},
    {STR("{\"a\":\"unfinished"), NULL},
    {STR("{\"a\":\"\\u12"), NULL},
    {STR("{\"a\":\"\\"), NULL},
    {STR("```"), NULL},
    {STR("}{"), NULL},
    {STR(""), NULL},
};

static void test_what_models_write_is_found_and_mended(void **state)
{
    (void)state;
    assert_int_equal(
        wrong_in(loose, sizeof loose / sizeof *loose, json_read_lenient), 0);
}

static void test_nesting_has_a_bound(void **state)
{
    (void)state;
    static const char ends[2][2] = {{'[', ']'}, {'{', '}'}};
    for (int depth = JSON_MAX_NESTING - 1; depth <= JSON_MAX_NESTING + 1;
         depth++) {
        char *text = nested(depth, '[', ']');
        json_t *v = json_read(str_of(text), NULL);
        assert_int_equal(v != NULL, depth <= JSON_MAX_NESTING);
        json_decref(v);
        v = json_read_lenient(str_of(text), NULL);
        assert_int_equal(v != NULL, depth <= JSON_MAX_NESTING);
        json_decref(v);
        test_free(text);
    }
    for (int i = 0; i < 2; i++) { /* deep nesting is refused cheaply */
        struct json_problem problem = {0};
        char *text = nested(200000, ends[i][0], ends[i][1]);
        assert_null(json_read_lenient(str_of(text), &problem));
        assert_string_equal(problem.text, "nested too deeply");
        test_free(text);
    }
}

static void test_brackets_in_texts_do_not_count_as_nesting(void **state)
{
    (void)state;
    struct buf b = {0};
    buf_char(&b, '"');
    for (int i = 0; i < 500; i++)
        buf_text(&b, "[{\\\"");
    buf_char(&b, '"');
    json_t *v = json_read(buf_view(&b), NULL);
    assert_non_null(v);
    json_decref(v);
    buf_done(&b);
}

static void test_a_problem_says_where(void **state)
{
    (void)state;
    struct json_problem problem;
    assert_null(json_read(STR("{\n  \"a\": x\n}"), &problem));
    assert_int_equal(problem.line, 2);
    assert_true(strlen(problem.text) > 0);
    assert_null(json_read(STR("["), NULL)); /* without a problem struct */
}

static void test_views_of_other_kinds_are_empty(void **state)
{
    (void)state;
    json_t *v =
        json_read(STR("{\"s\":\"x\",\"n\":3,\"b\":true,\"r\":1.5}"), NULL);
    assert_true(str_is(json_get_text(v, "s"), "x"));
    assert_int_equal(json_get_text(v, "n").len, 0);
    assert_int_equal(json_get_text(v, "none").len, 0);
    assert_int_equal(json_get_text(NULL, "s").len, 0);
    assert_int_equal(json_get_int(v, "n", 9), 3);
    assert_int_equal(json_get_int(v, "r", 9), 9);
    assert_int_equal(json_get_int(v, "s", 9), 9);
    assert_true(json_get_bool(v, "b", false));
    assert_true(json_get_bool(v, "n", true));
    json_decref(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strict_json_is_the_standard_without_duplicates),
        cmocka_unit_test(test_what_models_write_is_found_and_mended),
        cmocka_unit_test(test_nesting_has_a_bound),
        cmocka_unit_test(test_brackets_in_texts_do_not_count_as_nesting),
        cmocka_unit_test(test_a_problem_says_where),
        cmocka_unit_test(test_views_of_other_kinds_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
