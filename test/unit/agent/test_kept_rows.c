/* Recorded rows: short ones in the artifact, long ones in slices. */
#include "kept_rows.h"
#include "../arena_test.h"
#include <stdlib.h>
#include "base/banned.h"

static struct str long_text(void)
{
    enum { LONG = 700 * 1024 };
    struct buf out;
    buf_init(&out, &arena);
    buf_char(&out, '[');
    while (out.len < LONG)
        buf_text(&out, "\u4e2d\u6587");
    buf_char(&out, ']');
    return buf_finish(&out);
}

static void test_short_rows_are_their_own_mark(void **state)
{
    (void)state;
    struct str rows, mark = kept_rows_mark(&arena, STR("[{\"a\":1}]"));
    assert_true(str_is(mark, "[{\"a\":1}]"));
    assert_true(
        kept_rows_take(&arena, &(struct run_artifacts){0}, 3, mark, &rows));
    assert_true(str_eq(rows, mark));
}

/* Of an earlier attempt there may be more slices than belong to it. */
static void test_long_rows_are_put_together_from_their_slices(void **state)
{
    (void)state;
    struct str text = long_text(), rows, mark = kept_rows_mark(&arena, text);
    struct run_artifact items[] = {
        {STR("rows_0_0"), STR("of another result")},
        {STR("rows_2_1"), str_from(text, 300001)},
        {STR("results"), STR("[]")},
        {STR("rows_2_0"), str_cut(text, 0, 300001)},
        {STR("rows_2_2"), STR("of an earlier attempt")}};
    struct run_artifacts stored = {.items = items, .n = 5};
    assert_true(mark.len < 10);
    assert_true(kept_rows_take(&arena, &stored, 2, mark, &rows));
    assert_true(str_eq(rows, text));
}

static void test_rows_without_all_slices_are_not_there(void **state)
{
    (void)state;
    struct str text = long_text(), rows, mark = kept_rows_mark(&arena, text);
    struct run_artifact items[] = {{STR("rows_2_0"), str_cut(text, 0, 300001)},
                                   {STR("rows_2_1"), text}};
    struct run_artifacts stored = {.items = items, .n = 1};
    assert_false(kept_rows_take(&arena, &stored, 2, mark, &rows));
    stored.n = 2; /* of two results */
    assert_false(kept_rows_take(&arena, &stored, 2, mark, &rows));
    assert_false(kept_rows_take(&arena, &stored, 0, mark, &rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(test_short_rows_are_their_own_mark),
        ARENA_TEST(test_long_rows_are_put_together_from_their_slices),
        ARENA_TEST(test_rows_without_all_slices_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
