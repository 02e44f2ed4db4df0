/* The sandbox's answers: whole, in pieces, beyond the limits, hostile. */
#include "duckdb_reply.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

#define HEAD \
    "{\"columns\":[{\"name\":\"id\",\"type\":\"int8\"}," \
    "{\"name\":\"city\",\"type\":\"text\"}],\"rows\":"
#define TAIL \
    ",\"moreRows\":false,\"cutValues\":true,\"executionTimeMs\":12.5," \
    "\"error\":null}"

static struct duckdb_reply reply;

static void begin_reply(int rows, size_t bytes)
{
    reply = (struct duckdb_reply){.max_rows = rows, .max_bytes = bytes};
}

/* In pieces of n bytes. */
static bool take(const char *text, size_t n)
{
    struct str rest = str_of(text);
    while (rest.len) {
        if (!duckdb_reply_take(&reply, str_cut(rest, 0, n)))
            return false;
        rest = str_from(rest, n);
    }
    return true;
}

static void check_cell(size_t i, const char *text)
{
    struct str cell = duckdb_reply_cell(&reply, i);
    if (!text) {
        assert_null(cell.ptr);
        return;
    }
    if (!str_is(cell, text))
        fail_msg("cell %zu is \"%.*s\", not \"%s\"", i, STR_ARG(cell), text);
}

static void test_an_answer_is_read_however_it_is_cut(void **state)
{
    static const char text[] = HEAD
        " [ [\"1\", \"a\\\"\\\\\\n\\u00e9\\ud83d\\ude00z\"] , [\"-2\",null],"
        "[null,\"\"],[\"3\",\"\\ud800x\\u0000\"] ]" TAIL;
    (void)state;
    for (size_t n = 1; n < sizeof text; n++) {
        begin_reply(10, 1000);
        assert_true(take(text, n));
        assert_true(duckdb_reply_is_whole(&reply));
        assert_int_equal(reply.n_rows, 4);
        assert_int_equal(reply.n_columns, 2);
        assert_true(str_is(reply.columns[1].name, "city"));
        assert_true(str_is(reply.columns[0].type, "int8"));
        check_cell(0, "1");
        check_cell(1, "a\"\\\n\xc3\xa9\xf0\x9f\x98\x80z");
        check_cell(2, "-2");
        check_cell(3, NULL);
        check_cell(4, NULL);
        check_cell(5, "");
        check_cell(7, "\xef\xbf\xbdx\xef\xbf\xbd");
        assert_true(reply.cut_values);
        assert_false(reply.more_rows);
        assert_int_equal(reply.elapsed_ms, 12);
        duckdb_reply_done(&reply);
    }
}

static void test_rows_beyond_the_limits_are_dropped(void **state)
{
    (void)state;
    begin_reply(2, 1000);
    assert_true(
        take(HEAD "[[\"1\",\"a\"],[\"2\",\"b\"],[\"3\",\"c\"]]" TAIL, 7));
    assert_int_equal(reply.n_rows, 2);
    assert_true(reply.more_rows);
    duckdb_reply_done(&reply);
    begin_reply(10, 4);
    assert_true(take(HEAD "[[\"1\",\"abcdef\"],[\"2\",\"b\"]]" TAIL, 7));
    assert_int_equal(reply.n_rows, 1); /* the first one is always kept */
    assert_int_equal(reply.n_kept, 2);
    assert_true(reply.more_rows);
    check_cell(1, "abcdef");
    duckdb_reply_done(&reply);
}

struct handed {
    int rows;
    char text[100];
};

static void on_row(void *who, const struct str *cells, int n)
{
    struct handed *h = who;
    assert_int_equal(n, 2);
    h->rows++;
    str_copy(h->text, sizeof h->text, cells[1]);
}

static void test_rows_are_handed_out_and_not_kept(void **state)
{
    struct handed h = {0};
    (void)state;
    begin_reply(2, 1000);
    reply.on_row = on_row;
    reply.who = &h;
    assert_true(
        take(HEAD "[[\"1\",\"a\"],[\"2\",\"b\"],[\"3\",\"c\"]]" TAIL, 3));
    assert_int_equal(h.rows, 2);
    assert_string_equal(h.text, "b");
    assert_true(reply.more_rows);
    assert_int_equal(reply.n_kept, 0);
    duckdb_reply_done(&reply);
}

static void test_errors_have_a_kind(void **state)
{
    (void)state;
    begin_reply(10, 1000);
    assert_true(take("{\"columns\":[],\"rows\":[],\"moreRows\":false,"
                     "\"cutValues\":false,\"executionTimeMs\":1,\"error\":"
                     "{\"kind\":\"policy\",\"message\":\"Only one SELECT.\","
                     "\"position\":7}}",
                     5));
    assert_true(duckdb_reply_is_whole(&reply));
    assert_int_equal(reply.fault, DUCKDB_POLICY);
    assert_true(str_is(reply.message, "Only one SELECT."));
    assert_int_equal(reply.position, 7);
    duckdb_reply_done(&reply);
}

static void test_what_is_no_answer_is_refused(void **state)
{
    static const char *const texts[] = {
        "x",
        "[]",
        "{\"rows\":[[\"1\"]]}", /* before its columns */
        HEAD "[[\"1\"]]" TAIL,
        HEAD "[[\"1\",\"a\",\"b\"]]" TAIL,
        HEAD "[[1,\"a\"]]" TAIL,
        HEAD "[[\"1,\\\"x\\\":2\",\"a\"]]" TAIL, /* no number */
        HEAD "[[\"007\",\"a\"]]" TAIL,
        HEAD "[[\"\",\"a\"]]" TAIL,
        HEAD "[[\"1\",nul0]]" TAIL,
        HEAD "[[\"1\",\"\\x\"]]" TAIL,
        HEAD "[[\"1\",\"\\u12g4\"]]" TAIL,
        HEAD "[,]" TAIL,
        HEAD "[[\"1\",\"a\"],]" TAIL,
        HEAD "{}" TAIL,
        HEAD "[]" TAIL " x",
        HEAD "[],\"rows\":[]" TAIL,
        HEAD "[],\"columns\":[]" TAIL,
        HEAD "[],\"error\":{\"kind\":\"other\",\"message\":\"x\"}}",
        "{\"columns\":[{\"name\":\"a\",\"type\":\"text\"},"
        "{\"name\":\"a\",\"type\":\"text\"}],\"rows\":[]" TAIL,
        "{\"columns\":[{\"name\":\"a\",\"type\":\"\\\"x\"}],\"rows\":[]" TAIL,
        "{\"columns\":[{\"name\":1,\"type\":\"text\"}],\"rows\":[]" TAIL,
        "{\"a\":]}",
        "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\":1}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t n = 1; n < 100; n += 49) {
            begin_reply(10, 1000);
            if (take(texts[i], n))
                fail_msg("taken: %s", texts[i]);
            assert_non_null(reply.problem);
            assert_false(duckdb_reply_is_whole(&reply));
            duckdb_reply_done(&reply);
        }
}

static void test_an_answer_that_stops_is_not_whole(void **state)
{
    static const char text[] = HEAD "[[\"1\",\"a\"]]" TAIL;
    (void)state;
    for (size_t n = 0; n + 1 < sizeof text; n++) {
        begin_reply(10, 1000);
        assert_true(duckdb_reply_take(&reply, (struct str){text, n}));
        assert_false(duckdb_reply_is_whole(&reply));
        duckdb_reply_done(&reply);
    }
}

static void test_memory_is_bounded(void **state)
{
    static char many[1 << 16];
    bool goes_on = true;
    (void)state;
    memset(many, 'x', sizeof many);
    begin_reply(10, 1000);
    assert_true(take(HEAD "[[\"1\",\"", 100));
    for (int i = 0; i < 10 && goes_on; i++)
        goes_on = duckdb_reply_take(&reply, (struct str){many, sizeof many});
    assert_false(goes_on); /* a cell without an end */
    duckdb_reply_done(&reply);
    begin_reply(10, 1000);
    assert_true(take("{\"notes\":\"", 100));
    goes_on = true;
    for (int i = 0; i < 100 && goes_on; i++)
        goes_on = duckdb_reply_take(&reply, (struct str){many, sizeof many});
    assert_false(goes_on); /* a member without an end */
    duckdb_reply_done(&reply);
    begin_reply(10, 1000);
    assert_true(take(HEAD "[", 100));
    for (int i = 0; i < 20000; i++) /* rows that are dropped cost nothing */
        assert_true(take(i ? ",[\"1\",\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"]"
                           : "[\"1\",\"a\"]",
                         100));
    assert_true(reply.bytes.cap < 4096);
    duckdb_reply_done(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_is_read_however_it_is_cut),
        cmocka_unit_test(test_rows_beyond_the_limits_are_dropped),
        cmocka_unit_test(test_rows_are_handed_out_and_not_kept),
        cmocka_unit_test(test_errors_have_a_kind),
        cmocka_unit_test(test_what_is_no_answer_is_refused),
        cmocka_unit_test(test_an_answer_that_stops_is_not_whole),
        cmocka_unit_test(test_memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
