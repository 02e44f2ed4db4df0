/* Text on one line of a prompt: what it may not contain, and its length. */
#include "base_test.h"
#include "base/one_line.h"
#include "base/banned.h"

static struct str line(struct arena *a, struct str text, size_t most)
{
    struct buf out;
    buf_init(&out, a);
    one_line_put(&out, text, most);
    return buf_view(&out);
}

static void test_breaks_and_controls_become_blanks(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"plain \xc3\xa4 \xe2\x82\xac", "plain \xc3\xa4 \xe2\x82\xac"},
        {"a\nb\r\nc\td", "a b  c d"},
        {"a\xe2\x80\xa8"
         "b\xe2\x80\xa9"
         "c\xc2\x85"
         "d",
         "a b c d"},
        {"a\x1b[31m\x7f", "a [31m "},
        {"\xe2\x80\xaeright to left\xe2\x81\xa9", " right to left "},
        {"\xe2\x80\x9cquoted\xe2\x80\x9d", "\xe2\x80\x9cquoted\xe2\x80\x9d"},
        {"```\nend", "`` end"},
        {"`````` `a`", "`` `a`"},
        {"``a```b`", "``a``b`"},
        {"", ""},
    };
    struct arena a;
    arena_init(&a, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(str_is(line(&a, str_of(cases[i].text), 0), cases[i].line));
    arena_done(&a);
}

static void test_long_text_is_cut_at_a_character(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, 0);
    assert_true(str_is(line(&a, STR("0123456789"), 4), "0123…"));
    assert_true(str_is(line(&a, STR("0123"), 4), "0123"));
    assert_true(str_is(line(&a, STR("01\xe2\x82\xac"), 4), "01…"));
    arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breaks_and_controls_become_blanks),
        cmocka_unit_test(test_long_text_is_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
