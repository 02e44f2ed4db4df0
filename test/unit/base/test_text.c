/* Slices and UTF-8. */
#include "base/str.h"
#include "base/utf8.h"
#include "base_test.h"
#include "base/banned.h"

static const struct str none;

static void test_slices_compare_by_bytes(void **state)
{
    (void)state;
    assert_true(str_eq(none, STR("")));
    assert_true(str_eq(STR("a\0b"), STR("a\0b")));
    assert_false(str_eq(STR("a\0b"), STR("a\0c")));
    assert_false(str_eq(STR("a"), STR("ab")));
    assert_true(str_eq_nocase(STR("SeLect"), STR("sElECT")));
    assert_false(
        str_eq_nocase(STR("\xc3\x89"), STR("\xc3\xa9"))); /* ASCII only */
    assert_false(str_eq_nocase(STR("[a"), STR("{a")));
    assert_true(str_cmp(STR("a"), STR("b")) < 0);
    assert_true(str_cmp(STR("a"), STR("aa")) < 0);
    assert_true(str_cmp(STR("\xff"), STR("a")) > 0);
    assert_int_equal(str_cmp(none, STR("")), 0);
}

static void test_parts_are_found_and_cut(void **state)
{
    (void)state;
    struct str s = STR("hello world");
    assert_int_equal(str_find(s, STR("o w")), 4);
    assert_int_equal(str_find(s, STR("xyz")), -1);
    assert_int_equal(str_find(s, STR("")), 0);
    assert_int_equal(str_find(none, STR("a")), -1);
    assert_int_equal(str_find_nocase(s, STR("WORLD")), 6);
    assert_int_equal(str_find_nocase(s, STR("worlds")), -1);
    assert_int_equal(str_find_char(s, 'w'), 6);
    assert_int_equal(str_find_char(none, 'w'), -1);
    assert_true(str_starts(s, STR("hell")) && str_ends(s, STR("rld")));
    assert_false(str_starts(STR("he"), s) || str_ends(STR("ld"), s));
    assert_true(str_is(str_from(s, 6), "world"));
    assert_int_equal(str_from(s, 99).len, 0);
    assert_true(str_is(str_cut(s, 6, 99), "world"));
    assert_true(str_is(str_cut(s, 0, 5), "hello"));
    assert_int_equal(str_cut(none, 3, 5).len, 0);
    assert_true(str_is(str_trim(STR(" \t\r\n\v\fx y \n")), "x y"));
    assert_int_equal(str_trim(STR("  ")).len, 0);
    assert_int_equal(str_of(NULL).len, 0);
}

static void test_splitting_gives_every_piece(void **state)
{
    (void)state;
    struct str rest = STR(",a,,b,"), piece;
    const char *const pieces[] = {"", "a", "", "b", ""};
    for (int i = 0; i < 5; i++) {
        assert_true(str_split(&rest, ',', &piece));
        assert_true(str_is(piece, pieces[i]));
    }
    assert_false(str_split(&rest, ',', &piece));
    rest = STR("");
    assert_true(str_split(&rest, ',', &piece)); /* one empty piece */
    assert_false(str_split(&rest, ',', &piece));
}

static void test_whole_numbers_are_parsed_to_the_last_digit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        int64_t n;
    } cases[] = {{"0", true, 0},
                 {"-0", true, 0},
                 {"+7", true, 7},
                 {"007", true, 7},
                 {"9223372036854775807", true, INT64_MAX},
                 {"-9223372036854775808", true, INT64_MIN},
                 {"9223372036854775808", false, 0},
                 {"-9223372036854775809", false, 0},
                 {"99999999999999999999999", false, 0},
                 {"", false, 0},
                 {"-", false, 0},
                 {"+", false, 0},
                 {"--1", false, 0},
                 {"1 ", false, 0},
                 {" 1", false, 0},
                 {"1.0", false, 0},
                 {"0x10", false, 0},
                 {"1e3", false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t n = 0;
        assert_int_equal(str_to_int64(str_of(cases[i].text), &n), cases[i].ok);
        if (cases[i].ok)
            assert_true(n == cases[i].n);
    }
}

/* ---- UTF-8 -------------------------------------------------------------- */

struct utf8_case {
    struct str s;
    bool valid;
    size_t points;
};

static const struct utf8_case utf8_cases[] = {
    {STR(""), true, 0},
    {STR("plain"), true, 5},
    {STR("\0"), true, 1},
    {STR("\xc2\x80"), true, 1},     /* the first of two bytes */
    {STR("\xdf\xbf"), true, 1},     /* the last */
    {STR("\xe0\xa0\x80"), true, 1}, /* the first of three */
    {STR("\xed\x9f\xbf"), true, 1}, /* before the surrogates */
    {STR("\xee\x80\x80"), true, 1}, /* after the surrogates */
    {STR("\xef\xbf\xbf"), true, 1},
    {STR("\xf0\x90\x80\x80"), true, 1}, /* the first of four */
    {STR("\xf4\x8f\xbf\xbf"), true, 1}, /* U+10FFFF */
    {STR("a\xf0\x9f\x98\x80z"), true, 3},
    {STR("\x80"), false, 0},
    {STR("\xbf"), false, 0},
    {STR("\xc0\x80"), false, 0}, /* overlong */
    {STR("\xc1\xbf"), false, 0},
    {STR("\xe0\x9f\xbf"), false, 0},
    {STR("\xf0\x8f\xbf\xbf"), false, 0},
    {STR("\xed\xa0\x80"), false, 0}, /* surrogates */
    {STR("\xed\xbf\xbf"), false, 0},
    {STR("\xf4\x90\x80\x80"), false, 0}, /* too large */
    {STR("\xf5\x80\x80\x80"), false, 0},
    {STR("\xfe"), false, 0},
    {STR("\xff"), false, 0},
    {STR("\xc2"), false, 0}, /* cut */
    {STR("\xe2\x82"), false, 0},
    {STR("\xf0\x9f\x98"), false, 0},
    {STR("\xc2\x41"), false, 0},
    {STR("\xe2\x28\xa1"), false, 0},
    {STR("\xe2\x82\x28"), false, 0},
    {STR("ok\xff"
         "ok"),
     false, 0},
};

static void test_only_well_formed_utf8_is_valid(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    for (size_t i = 0; i < sizeof utf8_cases / sizeof *utf8_cases; i++) {
        const struct utf8_case *c = &utf8_cases[i];
        /* Also in the middle of a long text, at every offset of a word. */
        struct str inside =
            arena_printf(&a, "%064d%.*s%064d", 0, (int)c->s.len, c->s.ptr, 0);
        assert_int_equal(utf8_valid(c->s), c->valid);
        if (!memchr(c->s.ptr, 0, c->s.len))
            assert_int_equal(utf8_valid(inside), c->valid);
        if (c->valid) {
            assert_int_equal(utf8_count(c->s), c->points);
            struct str all = str_cut(inside, 0, 64 + c->s.len);
            if (!memchr(c->s.ptr, 0, c->s.len)) {
                assert_int_equal(utf8_count(inside), c->points + 128);
                assert_true(str_eq(utf8_first(inside, 64 + c->points), all));
            }
        }
        assert_true(utf8_valid(utf8_repair(&a, c->s)));
    }
    assert_true(str_is(utf8_repair(&a, STR("a\xff\xe2\x82"
                                           "b")),
                       "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                       "b"));
    arena_done(&a);
}

static void test_plain_text_commands_no_terminal(void **state)
{
    (void)state;
#define GONE "\xef\xbf\xbd"
    static const struct {
        struct str from;
        const char *to;
    } cases[] = {
        {STR("plain\ttext\n"), "plain\ttext\n"},
        {STR("\033[2J\033]0;x\a"), GONE "[2J" GONE "]0;x" GONE},
        {STR("\0\b\x7f\x1f"), GONE GONE GONE GONE},
        {STR("a\r\nb\rc\r"), "a\nb" GONE "c" GONE},
        {STR("\xc2\x9b"
             "31m\xc2\x80\xc2\x9f"),
         GONE "31m" GONE GONE},
        {STR("\xc2\xa0\xc3\xa9"), "\xc2\xa0\xc3\xa9"},
        {STR("\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9"),
         GONE GONE GONE GONE},
        {STR("\xe2\x80\xa9\xe2\x80\xaf\xe2\x82\xac\xf0\x9f\x98\x80"),
         "\xe2\x80\xa9\xe2\x80\xaf\xe2\x82\xac\xf0\x9f\x98\x80"},
        {STR("\xff\xe2\x80"), GONE GONE GONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out;
        buf_init(&out, NULL);
        utf8_put_plain(&out, cases[i].from);
        assert_string_equal(buf_cstr(&out), cases[i].to);
        buf_done(&out);
    }
#undef GONE
}

static void test_json_is_escaped_for_terminals_too(void **state)
{
    (void)state;
    static const struct {
        struct str from;
        const char *to;
    } cases[] = {
        {STR(""), ""},
        {STR("{\"a\":\"x\xc3\xa9\xe2\x82\xac\xc2\xa0\"}\n"),
         "{\"a\":\"x\xc3\xa9\xe2\x82\xac\xc2\xa0\"}\n"},
        {STR("\"\xc2\x80\xc2\x9b"
             "31m\xc2\x9f\""),
         "\"\\u0080\\u009b31m\\u009f\""},
        {STR("\"\xe2\x80\xaa-\xe2\x80\xae-\xe2\x81\xa6-\xe2\x81\xa9\""),
         "\"\\u202a-\\u202e-\\u2066-\\u2069\""},
        {STR("\xff\xc2"), "\xff\xc2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out;
        buf_init(&out, NULL);
        utf8_put_json(&out, cases[i].from);
        assert_string_equal(buf_cstr(&out), cases[i].to);
        buf_done(&out);
    }
}

static void test_cuts_never_part_a_code_point(void **state)
{
    (void)state;
    struct str s = STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
    static const size_t bytes_of[] = {0, 1, 3, 6, 10, 11, 11};
    for (size_t n = 0; n <= 6; n++)
        assert_int_equal(utf8_first(s, n).len, bytes_of[n]);
    for (size_t n = 0; n <= s.len + 1; n++) {
        struct str cut = utf8_cut(s, n);
        assert_true(utf8_valid(cut));
        assert_true(cut.len <= n || cut.len == s.len);
        assert_true(n < 4 || cut.len + 4 > n);
    }
    assert_int_equal(utf8_first(none, 5).len, 0);
}

static void test_white_space_of_unicode_is_trimmed_too(void **state)
{
    (void)state;
    static const char *const spaces[] = {
        " \t\r\n",      "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80",
        "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF",
        "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};
    static const char *const others[] = {"\xE2\x80\x8B", "\xC2\xA1",
                                         "\xF0\x9F\x98\x80", "\xC3\xA0"};
    struct arena memory;
    arena_init(&memory, 0);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        const char *s = spaces[i];
        assert_int_equal(utf8_trim(str_of(s)).len, 0);
        struct str all = arena_printf(&memory, "%s %sa%sb%s %s", s, s, s, s, s);
        struct str left = arena_printf(&memory, "a%sb", s);
        assert_true(str_eq(utf8_trim(all), left));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(str_is(utf8_trim(str_of(others[i])), others[i]));
    assert_int_equal(utf8_trim(none).len, 0);
    arena_done(&memory);
}

static void test_quotes_within_a_text_are_doubled(void **state)
{
    (void)state;
    static const struct {
        struct str text;
        char quote;
        const char *quoted;
    } cases[] = {{STR(""), '"', "\"\""},
                 {STR("a b"), '\'', "'a b'"},
                 {STR("it's"), '\'', "'it''s'"},
                 {STR("it's"), '"', "\"it's\""},
                 {STR("\"\""), '"', "\"\"\"\"\"\""},
                 {STR("a\0'b"), '\'', "'a''b'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out;
        buf_init(&out, NULL);
        buf_quoted(&out, cases[i].text, cases[i].quote);
        assert_string_equal(buf_cstr(&out), cases[i].quoted);
        buf_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_compare_by_bytes),
        cmocka_unit_test(test_quotes_within_a_text_are_doubled),
        cmocka_unit_test(test_parts_are_found_and_cut),
        cmocka_unit_test(test_splitting_gives_every_piece),
        cmocka_unit_test(test_whole_numbers_are_parsed_to_the_last_digit),
        cmocka_unit_test(test_only_well_formed_utf8_is_valid),
        cmocka_unit_test(test_plain_text_commands_no_terminal),
        cmocka_unit_test(test_json_is_escaped_for_terminals_too),
        cmocka_unit_test(test_cuts_never_part_a_code_point),
        cmocka_unit_test(test_white_space_of_unicode_is_trimmed_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
