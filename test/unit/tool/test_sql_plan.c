/* A plan in the form of the console, also while memory runs out. */
#include "tool/sql_plan.h"
#include "base/mem.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

#define SORTS \
    "[{\"name\":\"TOP_N\",\"children\":[],\"extra_info\":{\"Order By\":" \
    "[\"a long column of a table ascending\",\"another column\"]}}]"
enum { BLOCKS_MOST = 40 };

static jmp_buf exhausted;
static struct arena arena;

static void on_exhausted(void *who)
{
    (void)who;
    longjmp(exhausted, 1);
}

/* As a request would: from its arena, which may leave by a jump. */
static struct str written(const json_t *plan)
{
    static const struct guard_policy policy;
    struct buf out;
    struct json_writer w;
    buf_init(&out, &arena);
    json_writer_init(&w, &out);
    assert_true(sql_plan_write(&w, DIALECT_DUCKDB, plan, &policy, false));
    return buf_view(&out);
}

static void test_a_list_is_one_text(void **state)
{
    (void)state;
    json_t *plan = json_read(STR(SORTS), NULL);
    arena_init(&arena, 0);
    assert_true(str_find(written(plan),
                         STR("\"name\":\"Order By\",\"value\":\"a long column "
                             "of a table ascending, another column\"")) >= 0);
    arena_done(&arena);
    json_decref(plan);
}

/* Under the address sanitizer, which looks for leaks. */
static void test_exhausted_memory_leaves_nothing_behind(void **state)
{
    static unsigned jumps, k;
    (void)state;
    json_t *plan = json_read(STR(SORTS), NULL);
    for (k = 1; k <= BLOCKS_MOST; k++) {
        arena_init(&arena, 0);
        arena.on_exhausted = on_exhausted;
        arena_fail_block(k);
        if (setjmp(exhausted))
            jumps++;
        else
            written(plan);
        arena_fail_block(0);
        arena_done(&arena);
    }
    assert_true(jumps > 1 && jumps < BLOCKS_MOST);
    json_decref(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_list_is_one_text),
        cmocka_unit_test(test_exhausted_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
