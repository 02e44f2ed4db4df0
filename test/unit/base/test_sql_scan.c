/* SQL as pieces, and without its literals. */
#include "base/sql_scan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <string.h>

static const char *bare(const char *sql)
{
    static char text[512];
    struct arena arena;
    arena_init(&arena, 0);
    str_copy(text, sizeof text, sql_without_literals(&arena, str_of(sql), 200));
    arena_done(&arena);
    return text;
}

static void test_literals_and_comments_are_gone(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"select 'a''b', 12, 1.5e-9, .5 -- secret\n from t /* x /* y */ */",
         "select ?, ?, ?, ? from t"},
        {"select e'a\\'b' , E'x'\n'y\\'', $$it's$$, $q$a$$b$q$",
         "select ? , ?, ?, ?"},
        {"where a1 = 'x' and \"Name 1\" = -3",
         "where a1 = ? and \"Name 1\" = -?"},
        {"select U&'\\0041', b'01', X'ff'", "select U&?, b?, X?"},
        {"select 'not closed", "select ?"},
        {"select 1e--'\n, 'x'", "select ? , ?"},
        {"  select\t\n1  ", "select ?"},
        {"select count(*)::int8 / 100", "select count(*)::int8 / ?"},
        {"select note'x'", "select note?"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(bare(pairs[i][0]), pairs[i][1]);
}

static void test_a_long_text_is_cut(void **state)
{
    (void)state;
    char sql[1000];
    memset(sql, 0, sizeof sql);
    for (size_t i = 0; i + 3 < sizeof sql; i += 2)
        memcpy(sql + i, "a,", 2);
    size_t n = strlen(bare(sql));
    assert_true(n <= 200 && n > 190);
    assert_memory_equal(bare(sql) + n - strlen("…"), "…", strlen("…"));
}

static void test_pieces_make_the_text(void **state)
{
    (void)state;
    static const char sql[] = "select\n1, 'a' -- x\n;\"q\"\"r\" $1 <> .5e+3;";
    struct str piece;
    enum sql_piece kind;
    size_t at = 0, n = 0, length = 0;
    while ((piece = sql_scan_next(STR(sql), &at, &kind)).len) {
        assert_ptr_equal(piece.ptr, sql + length);
        length += piece.len;
        n++;
    }
    assert_int_equal(length, strlen(sql));
    assert_int_equal(n, 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals_and_comments_are_gone),
        cmocka_unit_test(test_a_long_text_is_cut),
        cmocka_unit_test(test_pieces_make_the_text),
    };
    return cmocka_run_group_tests_name("base/sql_scan", tests, NULL, NULL);
}
