/* What a link without rows shows of an answer: text without tables. */
#include "store/share_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* a step says it too */
#include "base/banned.h"

#define GONE "*The table is not shared.*"

static void test_tables_leave_a_line_and_no_cell(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"Dallas sells most.\n", "Dallas sells most.\n"},
        {"A | B is a choice.\n", "A | B is a choice.\n"},
        {"Since\n2025-01-01:\nmore", "Since\n2025-01-01:\nmore"},
        {"- a:\n- b", "- a:\n- b"},
        {"# Revenue\n\nText\n---\nmore", "# Revenue\n\nText\n---\nmore"},
        {"Top:\n\n| a | b |\n|---|---|\n| 7 | 8 |\n\nEnd.",
         "Top:\n\n\n" GONE "\n\n\nEnd."},
        {"a | b\n--|--\n7 | 8\n9\n", GONE},
        {"a | b\r\n:-|-:\r\n7 | 8\r\n\r\nEnd.\r\n", GONE "\n\n\nEnd."},
        {"a\n:-:\n7", GONE},
        {"|7|8|", GONE},
        {"> | a |\n> |---|\n> | 7 |", GONE},
        {"1. | a |\n   |---|\n   | 7 |", GONE},
        {"- a | b\n  --|--\n  7 | 8", GONE},
        {"a | b\r--|--\r7 | 8", GONE},
        {"a | b\n--|--\n7 | 8\n```\ncode\n```", GONE "\n\n```\ncode\n```"},
        {"a | b\n--|--", GONE},
        {"\n\n|", GONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena;
        arena_init(&arena, 0);
        struct str shown = text_without_tables(&arena, str_of(cases[i].text));
        assert_string_equal(arena_str(&arena, shown).ptr, cases[i].shown);
        arena_done(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_leave_a_line_and_no_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
