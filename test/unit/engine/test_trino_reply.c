/* Pages of Trino: values of all types, limits, errors, hostile ones; where the
 * next page may be. */
#include "base/buf.h"
#include "trino_address.h"
#include "trino_names.h"
#include "trino_reply.h"
#include "../arena_test.h"
#include "base/banned.h"

#define TYPE_OF(raw, arguments) \
    "{\"rawType\":\"" raw "\",\"arguments\":[" arguments "]}"
#define COLUMN_OF(name, raw, arguments) \
    "{\"name\":\"" name \
    "\",\"type\":\"\",\"typeSignature\":" TYPE_OF(raw, arguments) "}"
#define PAGE_OF(columns, rows) \
    "{\"id\":\"q\",\"columns\":[" columns "],\"data\":[" rows "]}"

static struct trino_reply reply;

static bool take_page(const char *page)
{
    return trino_reply_take(&reply, str_of(page));
}

static void begin_reply(int rows, size_t bytes)
{
    trino_reply_done(&reply);
    reply = (struct trino_reply){.max_rows = rows, .max_bytes = bytes};
}

static void check_value(const char *column, const char *value, const char *type,
                        const char *wanted)
{
    struct buf page = {0};
    buf_printf(&page, "{\"id\":\"q\",\"columns\":[%s],\"data\":[[%s]]}", column,
               value);
    begin_reply(10, 100000);
    assert_true(trino_reply_take(&reply, buf_view(&page)));
    buf_done(&page);
    struct str cell = trino_reply_cell(&reply, 0);
    if (!str_is(cell, wanted) || !str_is(reply.columns[0].type, type))
        print_error("%s is %.*s, not %.*s\n", value, STR_ARG(cell),
                    STR_ARG(str_of(wanted)));
    assert_true(str_is(cell, wanted));
    assert_true(str_is(reply.columns[0].type, type));
}

static void test_values_have_the_form_of_postgresql(void **state)
{
    static const struct {
        const char *column, *value, *type, *wanted;
    } values[] = {
        {COLUMN_OF("c", "boolean", ""), "true", "bool", "t"},
        {COLUMN_OF("c", "tinyint", ""), "-3", "int2", "-3"},
        {COLUMN_OF("c", "bigint", ""), "9223372036854775807", "int8",
         "9223372036854775807"},
        {COLUMN_OF("c", "decimal", ""), "\"12345678901234567890.10\"",
         "numeric", "12345678901234567890.10"},
        {COLUMN_OF("c", "double", ""), "0.1", "float8", "0.1"},
        {COLUMN_OF("c", "double", ""), "0.30000000000000004", "float8",
         "0.30000000000000004"},
        {COLUMN_OF("c", "double", ""), "1.0E10", "float8", "10000000000"},
        {COLUMN_OF("c", "double", ""), "\"NaN\"", "float8", "NaN"},
        {COLUMN_OF("c", "double", ""), "\"-Infinity\"", "float8", "-Infinity"},
        {COLUMN_OF("c", "real", ""), "0.1", "float4", "0.1"},
        {COLUMN_OF("c", "varchar", ""), "\"\xc3\xa4 b\"", "text", "\xc3\xa4 b"},
        {COLUMN_OF("c", "char", ""), "\"ab   \"", "bpchar", "ab"},
        {COLUMN_OF("c", "varbinary", ""), "\"AP8=\"", "bytea", "\\x00ff"},
        {COLUMN_OF("c", "date", ""), "\"2024-02-29\"", "date", "2024-02-29"},
        {COLUMN_OF("c", "time", ""), "\"01:02:03.500\"", "time", "01:02:03.5"},
        {COLUMN_OF("c", "time with time zone", ""), "\"01:02:03.5+02:30\"",
         "timetz", "01:02:03.5+02:30"},
        {COLUMN_OF("c", "timestamp", ""), "\"2020-01-02 03:04:05.123456\"",
         "timestamp", "2020-01-02 03:04:05.123456"},
        {COLUMN_OF("c", "timestamp", ""), "\"2020-01-02 03:04:00.000\"",
         "timestamp", "2020-01-02 03:04:00"},
        {COLUMN_OF("c", "timestamp with time zone", ""),
         "\"2020-01-02 03:04:05.100 UTC\"", "timestamptz",
         "2020-01-02 03:04:05.1+00"},
        {COLUMN_OF("c", "timestamp with time zone", ""),
         "\"2020-01-02 03:04:05 +02:00\"", "timestamptz",
         "2020-01-02 03:04:05+02"},
        {COLUMN_OF("c", "timestamp with time zone", ""),
         "\"2020-01-02 03:04:05.000 Europe/Berlin\"", "timestamptz",
         "2020-01-02 03:04:05 Europe/Berlin"},
        {COLUMN_OF("c", "interval day to second", ""), "\"-2 01:00:00.000\"",
         "interval", "-2 days -01:00:00"},
        {COLUMN_OF("c", "interval day to second", ""), "\"3 00:00:00.000\"",
         "interval", "3 days"},
        {COLUMN_OF("c", "interval day to second", ""), "\"0 00:00:01.500\"",
         "interval", "00:00:01.5"},
        {COLUMN_OF("c", "interval year to month", ""), "\"1-3\"", "interval",
         "1 year 3 mons"},
        {COLUMN_OF("c", "array",
                   "{\"kind\":\"TYPE\",\"value\":" TYPE_OF("bigint", "") "}"),
         "[1,null]", "json", "[1, null]"},
        {COLUMN_OF("c", "map",
                   "{\"kind\":\"TYPE\",\"value\":" TYPE_OF(
                       "varchar", "") "},"
                                      "{\"kind\":\"TYPE\",\"value\":" TYPE_OF(
                                          "decimal", "") "}"),
         "{\"a\\\"b\":\"1.50\"}", "json", "{\"a\\\"b\": 1.50}"},
        {COLUMN_OF(
             "c", "row",
             "{\"kind\":\"NAMED_TYPE\",\"value\":{\"fieldName\":{"
             "\"name\":\"a\"},\"typeSignature\":" TYPE_OF("date", "") "}}"),
         "[\"2020-01-01\"]", "json", "{\"a\": \"2020-01-01\"}"},
        {COLUMN_OF("c", "HyperLogLog", ""), "\"AgwB\"", "text", "AgwB"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_value(values[i].column, values[i].value, values[i].type,
                    values[i].wanted);
}

static void test_null_is_no_empty_text(void **state)
{
    (void)state;
    begin_reply(10, 1000);
    assert_true(take_page(
        PAGE_OF(COLUMN_OF("a", "varchar", "") "," COLUMN_OF("b", "varchar", ""),
                "[null,\"\"]")));
    assert_null(trino_reply_cell(&reply, 0).ptr);
    assert_non_null(trino_reply_cell(&reply, 1).ptr);
    assert_int_equal(trino_reply_cell(&reply, 1).len, 0);
}

static void test_rows_beyond_the_limits_are_dropped(void **state)
{
    (void)state;
    begin_reply(2, 1000);
    assert_true(
        take_page(PAGE_OF(COLUMN_OF("a", "bigint", ""), "[1],[2],[3]")));
    assert_int_equal(reply.n_rows, 2);
    assert_true(reply.more_rows && trino_reply_is_full(&reply));
    begin_reply(10, 5);
    assert_true(take_page(
        PAGE_OF(COLUMN_OF("a", "varchar", ""), "[\"abcdefgh\"],[\"i\"]")));
    assert_int_equal(reply.n_rows, 1); /* the first one, cut */
    assert_true(reply.cut_values && reply.more_rows);
    assert_true(str_is(trino_reply_cell(&reply, 0), "abcde"));
}

static void test_an_error_is_told_without_its_place(void **state)
{
    (void)state;
    begin_reply(2, 1000);
    assert_true(take_page(
        "{\"id\":\"q\",\"error\":{\"message\":\"line 1:8: Column 'x'\\ncannot "
        "be resolved\",\"errorName\":\"COLUMN_NOT_FOUND\",\"errorType\":"
        "\"USER_ERROR\",\"errorLocation\":{\"lineNumber\":1,\"columnNumber\":8"
        "}}}"));
    assert_int_equal(reply.fault, TRINO_SQL);
    assert_true(
        str_is(buf_view(&reply.message), "Column 'x' cannot be resolved"));
}

static void test_what_is_no_page_is_refused(void **state)
{
    static const char *const pages[] = {
        "",
        "[]",
        "{}",
        "{\"id\":7}",
        "{\"id\":\"q\",\"data\":[[1]]}",
        "{\"id\":\"q\",\"columns\":[{\"name\":\"a\"}]}",
        "{\"id\":\"q\",\"columns\":7}",
        "{\"id\":\"q\",\"nextUri\":7}",
        PAGE_OF(COLUMN_OF("a", "bigint", ""), "[1,2]"),
        PAGE_OF(COLUMN_OF("a", "bigint", ""), "7"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        begin_reply(10, 1000);
        assert_false(take_page(pages[i]));
        assert_non_null(reply.problem);
    }
}

static void test_the_next_page_is_at_the_same_address(void **state)
{
    static const char *const elsewhere[] = {
        "http://evil:8080/v1/statement/executing/q/y1/1",
        "http://trino:80801/v1/statement/executing/q/y1/1",
        "https://trino:8080/v1/statement/executing/q/y1/1",
        "http://trino:8080@evil/v1/statement/x",
        "http://trino:8080/v1/statement/../../ui",
        "http://trino:8080/v1/query/q",
        "http://trino:8080/v1/statement/a b",
        "http://trino:8080/v1/statement/a\r\nX: y",
        "/v1/statement/executing/q/y1/1",
        "",
    };
    struct str base = STR("http://trino:8080");
    (void)state;
    assert_true(str_is(
        trino_same_origin(
            base, STR("http://trino:8080/v1/statement/executing/q/y1/1?a=1MB")),
        "/v1/statement/executing/q/y1/1?a=1MB"));
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        assert_null(trino_same_origin(base, str_of(elsewhere[i])).ptr);
}

static void test_a_secret_is_sent_only_with_tls(void **state)
{
    struct trino_options o = {.host = STR("::1"),
                              .port = 8443,
                              .tls = true,
                              .user = STR("Aladdin\r\nX-Evil: 1"),
                              .auth = TRINO_PASSWORD,
                              .secret = STR("open sesame"),
                              .catalog = STR("tpch")};
    struct buf out = {0};
    size_t n;
    (void)state;
    trino_base(&out, &o);
    assert_true(str_is(buf_view(&out), "https://[::1]:8443"));
    buf_clear(&out);
    trino_headers(&out, &o, &n);
    assert_true(str_find(buf_view(&out), STR("Authorization: Basic ")) > 0);
    assert_true(str_find_char(buf_view(&out), '\n') < 0);
    buf_clear(&out);
    o.user = STR("Aladdin");
    trino_headers(&out, &o, &n);
    assert_true(str_find(buf_view(&out),
                         STR("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")) > 0);
    buf_clear(&out);
    o.auth = TRINO_JWT;
    trino_headers(&out, &o, &n);
    assert_true(str_find(buf_view(&out), STR("Bearer open sesame")) > 0);
    buf_clear(&out);
    o.tls = false;
    trino_headers(&out, &o, &n);
    assert_true(str_find(buf_view(&out), STR("sesame")) < 0);
    buf_done(&out);
}

static void test_equal_names_become_unique(void **state)
{
    struct str names[] = {STR("id"), STR("id"), STR("id_2"), STR("id")};
    (void)state;
    trino_unique_names(&arena, names, 4);
    assert_true(str_is(names[0], "id") && str_is(names[2], "id_2"));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            assert_false(str_eq(names[i], names[k]));
}

static int group_over(void **state)
{
    (void)state;
    trino_reply_done(&reply);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_have_the_form_of_postgresql),
        cmocka_unit_test(test_null_is_no_empty_text),
        cmocka_unit_test(test_rows_beyond_the_limits_are_dropped),
        cmocka_unit_test(test_an_error_is_told_without_its_place),
        cmocka_unit_test(test_what_is_no_page_is_refused),
        cmocka_unit_test(test_the_next_page_is_at_the_same_address),
        cmocka_unit_test(test_a_secret_is_sent_only_with_tls),
        ARENA_TEST(test_equal_names_become_unique),
    };
    return cmocka_run_group_tests(tests, NULL, group_over);
}
