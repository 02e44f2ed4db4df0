/* The SQL around a query: pure. */
#include "base/arena.h"
#include "envelope.h"
#include "sqlstate.h"
#include "types.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <string.h>

static const char *flat(const char *sql)
{
    static char text[512];
    snprintf(text, sizeof text, "%s", sql);
    envelope_flatten(text, strlen(text));
    return text;
}

static void test_a_trailing_semicolon_goes(void **state)
{
    (void)state;
    assert_string_equal(flat("select 1;"), "select 1 ");
    assert_string_equal(flat("select 1 ; ; "), "select 1     ");
    assert_string_equal(flat("select 1; -- done;"), "select 1  -- done;");
    assert_string_equal(flat("select 1; /* a /* b; */ ; */"),
                        "select 1  /* a /* b; */ ; */");
    assert_string_equal(flat("select 1 -- a;\n;"), "select 1 -- a;\n ");
    assert_string_equal(flat("select 1 -- a;\r;"), "select 1 -- a;\r ");
}

static void test_a_quoted_semicolon_stays(void **state)
{
    (void)state;
    static const char *const same[] = {
        "select ';', 'it''s;'", "select \"a;\"\"b;\"",
        "select E'a\\';b;'",    "select e'\\\\;'",
        "select E'a'\n'\\';'",  "select E'a''\\';'",
        "select 'a\\' || ';'",  "select $$a;'b$$",
        "select $x$a;$$;$x$",   "select $1",
        "select U&'\\0041;'",   "select ';",
        "select /* ;",          "select $a$;",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_string_equal(flat(same[i]), same[i]);
    assert_string_equal(flat("select 'a\\';"), "select 'a\\' ");
    assert_string_equal(flat("select a$b;c$"), "select a$b c$");
    assert_string_equal(flat("select note'x\\';"), "select note'x\\' ");
    assert_string_equal(flat("select E'x\\\\';"), "select E'x\\\\' ");
    assert_string_equal(flat("select $1;$1"), "select $1 $1");
    assert_string_equal(flat(""), "");
}

static void test_only_long_types_are_cut(void **state)
{
    (void)state;
    struct buf out;
    static const Oid types[] = {23, 25, 17, 1700, 1184, 99999};
    buf_init(&out, NULL);
    size_t before =
        envelope_wrap(&out, STR("select x -- y"), types, 6, 100, 11);
    assert_string_equal(
        buf_cstr(&out),
        "select c1,pg_catalog.left(c2::text,101),"
        "pg_catalog.left(pg_catalog.substr(c3,1,51)::text,101),"
        "pg_catalog.left(c4::text,101),c5,pg_catalog.left(c6::text,101)"
        " from (\nselect x -- y\n) q(c1,c2,c3,c4,c5,c6) limit 11");
    assert_memory_equal(out.ptr + before, "select x", 8);
    buf_clear(&out);
    envelope_wrap(&out, STR("select"), NULL, 0, 100, 2);
    assert_string_equal(buf_cstr(&out), "select  from (\nselect\n) q limit 2");
    buf_done(&out);
}

static void test_many_columns_share_the_bytes(void **state)
{
    (void)state;
    assert_int_equal(envelope_cell_chars(1, 1 << 20), CELL_CHARS);
    assert_int_equal(envelope_cell_chars(100, 1 << 20), (1 << 20) / 100);
    assert_int_equal(envelope_cell_chars(1600, 1000), 256);
    assert_int_equal(envelope_cell_chars(0, 1000), 1000);
}

static void test_settings_quote_the_schema(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, NULL);
    envelope_settings(&out, STR("we\"ird'\\s"), STR(""), 1500, 150000);
    const char *sql = buf_cstr(&out);
    assert_non_null(
        strstr(sql, "select pg_catalog.set_config('search_path', "
                    "E'pg_catalog, \"we\"\"ird\\'\\\\s\", pg_temp',true)"));
    assert_non_null(strstr(sql, "('statement_timeout', E'1500',true)"));
    assert_non_null(strstr(sql, "'jit'"));
    buf_clear(&out);
    envelope_settings(&out, STR(""), STR("Europe/Berlin"), 1500, 100000);
    assert_non_null(strstr(buf_cstr(&out), "pg_catalog, \"public\""));
    assert_null(strstr(buf_cstr(&out), "'jit'"));
    buf_done(&out);
}

static void test_names_become_unique(void **state)
{
    (void)state;
    struct arena arena;
    struct str answer[7];
    static const char *const names[7] = {"id", "id",   "name", "id_2",
                                         "id", "id_2", "name"};
    static const char *const expected[7] = {"id",   "id_3",   "name",  "id_2",
                                            "id_4", "id_2_2", "name_2"};
    arena_init(&arena, 0);
    envelope_unique_names(&arena, names, 7, answer);
    for (int i = 0; i < 7; i++)
        assert_string_equal(answer[i].ptr, expected[i]);
    arena_done(&arena);
}

static void test_types_are_found_by_oid(void **state)
{
    (void)state;
    assert_string_equal(type_name(16), "bool");
    assert_string_equal(type_name(1184), "timestamptz");
    assert_string_equal(type_name(3926), "int8range");
    assert_null(type_name(0));
    assert_null(type_name(4000000));
    assert_true(type_is_short(23));
    assert_false(type_is_short(1700));
    assert_false(type_is_short(4000000));
}

static void test_sqlstates_are_classified(void **state)
{
    (void)state;
    static const struct {
        const char *state;
        enum err err;
    } cases[] = {{"23505", ERR_CONFLICT},
                 {"23503", ERR_CONFLICT},
                 {"23P01", ERR_CONFLICT},
                 {"23514", ERR_INTERNAL},
                 {"57014", ERR_TIMEOUT},
                 {"55P03", ERR_TIMEOUT},
                 {"57P01", ERR_DATABASE_UNAVAILABLE},
                 {"53100", ERR_DATABASE_UNAVAILABLE},
                 {"08006", ERR_DATABASE_UNAVAILABLE},
                 {"40001", ERR_DATABASE_UNAVAILABLE},
                 {"25006", ERR_DATABASE_UNAVAILABLE},
                 {"", ERR_DATABASE_UNAVAILABLE},
                 {"42601", ERR_INTERNAL},
                 {"22012", ERR_INTERNAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sqlstate_err(cases[i].state), cases[i].err);
    assert_true(sqlstate_is_undone("40P01"));
    assert_true(sqlstate_is_stale("26000"));
    assert_false(sqlstate_is_quotable("22P02"));
    assert_true(sqlstate_is_quotable("42P01"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_trailing_semicolon_goes),
        cmocka_unit_test(test_a_quoted_semicolon_stays),
        cmocka_unit_test(test_only_long_types_are_cut),
        cmocka_unit_test(test_many_columns_share_the_bytes),
        cmocka_unit_test(test_settings_quote_the_schema),
        cmocka_unit_test(test_names_become_unique),
        cmocka_unit_test(test_types_are_found_by_oid),
        cmocka_unit_test(test_sqlstates_are_classified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
