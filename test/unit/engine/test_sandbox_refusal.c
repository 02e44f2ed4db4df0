/* What the sandbox says when it cannot be used. */
#include "engine/sandbox_refusal.h"
#include "base/json.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/banned.h"

#define LONG "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static void a_message_is_one_line_without_a_full_stop(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *body, *said;
    } rows[] = {
        {503,
         "{\"message\":\"the packages cannot be loaded: No module named "
         "'duckdb'\"}",
         "the packages cannot be loaded: No module named 'duckdb'"},
        {503, "{\"message\":\" all places\\nare taken... \"}",
         "all places are taken"},
        {503, "{\"message\":7}", ""},
        {503, "{\"message\":\"\"}", ""},
        {503, "[]", ""},
        {503, "{\"message\":", ""},
        {503, "", ""},
        {500, "{\"message\":\"x\"}", ""},
        {0, "{\"message\":\"x\"}", ""},
    };
    struct arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str said =
            sandbox_refusal(&arena, rows[i].status, str_of(rows[i].body));
        if (!str_is(said, rows[i].said))
            fail_msg("%s: %.*s", rows[i].body, STR_ARG(said));
    }
    arena_done(&arena);
}

static void a_message_is_bounded(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena, 0);
    struct str body = STR("{\"message\":\"" LONG LONG LONG LONG LONG "\"}");
    struct str said = sandbox_refusal(&arena, 503, body);
    assert_true(said.len >= 190 && said.len <= 210);
    arena_done(&arena);
}

/* ---- memory --------------------------------------------------------------- */

static jmp_buf exhausted;
static size_t values_held;

static void on_exhausted(void *who)
{
    (void)who;
    longjmp(exhausted, 1);
}

static void *count_malloc(size_t size)
{
    values_held++;
    return malloc(size);
}

static void count_free(void *p)
{
    values_held -= p != NULL;
    free(p);
}

static void exhausted_memory_leaves_no_json_behind(void **state)
{
    enum { BLOCKS_MOST = 8 };
    static unsigned k, jumps;
    (void)state;
    json_set_alloc_funcs(count_malloc, count_free);
    for (k = 1; k <= BLOCKS_MOST; k++) {
        static struct arena arena;
        arena_init(&arena, 0);
        arena.on_exhausted = on_exhausted;
        arena_fail_block(k);
        if (setjmp(exhausted))
            jumps++;
        else
            sandbox_refusal(&arena, 503,
                            STR("{\"message\":\"" LONG LONG "\"}"));
        arena_fail_block(0);
        arena_done(&arena);
        assert_int_equal(values_held, 0);
    }
    assert_true(jumps > 0);
    json_set_alloc_funcs(malloc, free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_one_line_without_a_full_stop),
        cmocka_unit_test(a_message_is_bounded),
        cmocka_unit_test(exhausted_memory_leaves_no_json_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
