/* What is typed into a search box, and what is a chart: pure. */
#include "store/charts.h"
#include "store/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* a step says it too */
#include "base/banned.h"

static void test_a_search_becomes_words_that_must_all_be_there(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *query;
    } cases[] = {
        {"", ""},
        {"   ", ""},
        {"revenue", "'revenue':*"},
        {"net revenue", "'net':* & 'revenue':*"},
        {" net  revenue ", "'net':* & 'revenue':*"},
        {"\"net revenue\"", "'net revenue'"},
        {"by \"net revenue\" city", "'by':* & 'net revenue' & 'city':*"},
        {"\"net revenue", "'net':* & 'revenue':*"},
        {"a \"b\" \"c", "'a':* & 'b' & 'c':*"},
        {"\"\"", ""},
        {"isn't", "'isn''t':*"},
        {"a\\b", "'a\\\\b':*"},
        {"a & !b | (c <-> d):*", "'a':* & '!b':* & '(c':* & 'd):*':*"},
        {"& | ! <-> ' \\", ""},
        {"100%", "'100%':*"},
        {"über", "'über':*"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        arena_init(&arena, 0);
        struct str query = search_query(&arena, str_of(cases[i].typed));
        assert_string_equal(query.ptr, cases[i].query);
        assert_int_equal(query.len, strlen(cases[i].query));
        arena_done(&arena);
    }
}

static void test_a_chart_is_base64_of_an_image(void **state)
{
    (void)state;
    static const struct {
        const char *text, *type;
    } cases[] = {{"iVBORw0KGgo=", "image/png"},
                 {"iVBORw0KGgoAAA==", "image/png"},
                 {"/9j/4AAQ", "image/jpeg"},
                 {"", NULL},
                 {"iVBORw0KGgo", NULL},
                 {"iVBORw0KGgo=\n", NULL},
                 {"iVBORw0KGgo<svg>", NULL},
                 {"iVBORw0KGgo=AAAA", NULL},
                 {"PHN2Zz4=", NULL},
                 {"/9j/====", NULL},
                 {"data:image/png;base64,iVBORw0KGgo=", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *type = chart_media_type(str_of(cases[i].text));
        if (cases[i].type)
            assert_string_equal(type, cases[i].type);
        else
            assert_null(type);
    }
}

static void put_back(const char *metadata, const char *charts,
                     const char *whole)
{
    struct buf out;
    buf_init(&out, NULL);
    charts_restore(&out, str_of(metadata), str_of(charts));
    assert_string_equal(buf_cstr(&out), whole);
    buf_done(&out);
}

static void test_charts_come_back_to_their_steps_and_to_the_answer(void **state)
{
    (void)state;
    put_back(
        "{\"toolCalls\":[{\"args\":{\"charts\":[]}}],\"stepResults\":["
        "{\"stepId\":1,\"pythonResult\":{\"charts\":[]}},"
        "{\"stepId\":2,\"pythonResult\":null},"
        "{\"stepId\":3,\"pythonResult\":{\"charts\":[]}}],"
        "\"explainerOutput\":{\"charts\":[]}}",
        "[{\"step\":1,\"data\":\"YQ==\"},{\"step\":3,\"data\":\"Yg==\"},"
        "{\"step\":3,\"data\":\"Yw==\"}]",
        "{\"toolCalls\":[{\"args\":{\"charts\":[]}}],\"stepResults\":["
        "{\"stepId\":1,\"pythonResult\":{\"charts\":[\"YQ==\"]}},"
        "{\"stepId\":2,\"pythonResult\":null},"
        "{\"stepId\":3,\"pythonResult\":{\"charts\":[\"Yg==\",\"Yw==\"]}}],"
        "\"explainerOutput\":{\"charts\":[\"YQ==\",\"Yg==\",\"Yw==\"]}}");
}

static void test_what_is_no_such_metadata_is_left_as_it_is(void **state)
{
    (void)state;
    static const char charts[] = "[{\"step\":1,\"data\":\"YQ==\"}]";
    put_back("", charts, "");
    put_back("{\"a\" : 1}", "", "{\"a\" : 1}");
    put_back("{\"a\" : 1}", "no json", "{\"a\" : 1}");
    put_back("[1, 2]", charts, "[1, 2]");
    put_back("{\"deferred\":true,\"bytes\":9}", charts,
             "{\"deferred\":true,\"bytes\":9}");
    put_back("{\"stepResults\":5,\"explainerOutput\":[]}", charts,
             "{\"stepResults\":5,\"explainerOutput\":[]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_search_becomes_words_that_must_all_be_there),
        cmocka_unit_test(test_a_chart_is_base64_of_an_image),
        cmocka_unit_test(
            test_charts_come_back_to_their_steps_and_to_the_answer),
        cmocka_unit_test(test_what_is_no_such_metadata_is_left_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
