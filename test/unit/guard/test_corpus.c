/* The lists in test/data/guard: every query of valid.sql and analytics.sql is
 * allowed, every text of attacks.sql and bombs.sql is refused, and for the reason
 * that its section names. */
#include "guard_help.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

static struct str read_file(const char *name)
{
    const char *folder = getenv("GUARD_DATA");
    char *path = arena_cstr(
        &arena, arena_printf(&arena, "%s/%s", folder ? folder : ".", name));
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    char *text = arena_alloc(&arena, 1024 * 1024);
    size_t n = fread(text, 1, 1024 * 1024, file);
    fclose(file);
    return (struct str){text, n};
}

/* The next block; empty lines separate blocks. */
static bool next_block(struct str *rest, struct str *block)
{
    while (rest->len) {
        ptrdiff_t end = str_find(*rest, STR("\n\n"));
        size_t n = end < 0 ? rest->len : (size_t)end + 2;
        *block = str_trim(str_cut(*rest, 0, n));
        *rest = str_from(*rest, n);
        if (block->len)
            return true;
    }
    return false;
}

static int complain(struct str sql, const struct guard_verdict *v)
{
    print_message("# %s %.*s: %.*s\n#   %.*s\n", v->ok ? "allowed" : "refused",
                  STR_ARG(v->code), STR_ARG(v->reason), STR_ARG(sql));
    return 1;
}

static void assert_all_allowed(const char *name, int least)
{
    struct guard_policy policy = {.any_relation = true};
    struct str rest = read_file(name), sql;
    int n = 0, wrong = 0;
    for (; next_block(&rest, &sql); n++) {
        struct guard_verdict v;
        guard_check(&arena, sql, &policy, &v);
        if (!v.ok)
            wrong += complain(sql, &v);
    }
    assert_int_equal(wrong, 0);
    assert_true(n > least);
}

static void test_every_valid_query_is_allowed(void **state)
{
    (void)state;
    assert_all_allowed("valid.sql", 250);
}

static void test_ordinary_analytics_are_not_taken_for_bombs(void **state)
{
    (void)state;
    assert_all_allowed("analytics.sql", 50);
}

static void assert_all_refused(const char *name, int least)
{
    struct guard_policy policy = {.any_relation = true};
    struct str rest = read_file(name), sql, code = STR("");
    struct str mark = STR("-- expect: ");
    int n = 0, wrong = 0;
    while (next_block(&rest, &sql)) {
        if (str_starts(sql, mark)) {
            code = str_from(sql, mark.len);
            continue;
        }
        struct guard_verdict v;
        guard_check(&arena, sql, &policy, &v);
        if (v.ok || !str_eq(v.code, code))
            wrong += complain(sql, &v);
        n++;
    }
    assert_int_equal(wrong, 0);
    assert_true(n > least);
}

static void test_every_attack_is_refused_for_its_reason(void **state)
{
    (void)state;
    assert_all_refused("attacks.sql", 400);
}

static void test_what_takes_too_much_memory_or_time_is_refused(void **state)
{
    (void)state;
    assert_all_refused("bombs.sql", 60);
}

/* A query that is allowed stays one statement when it is wrapped. */
static void test_an_allowed_query_can_be_wrapped(void **state)
{
    (void)state;
    struct str rest = read_file("valid.sql"), sql;
    while (next_block(&rest, &sql)) {
        struct guard_verdict v = judge(arena_cstr(&arena, sql));
        struct str wrapped = arena_printf(
            &arena, "select * from (\n%.*s\n) q limit 11", STR_ARG(v.text));
        assert_allowed(arena_cstr(&arena, wrapped));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        guard_test(test_every_valid_query_is_allowed),
        guard_test(test_ordinary_analytics_are_not_taken_for_bombs),
        guard_test(test_every_attack_is_refused_for_its_reason),
        guard_test(test_what_takes_too_much_memory_or_time_is_refused),
        guard_test(test_an_allowed_query_can_be_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
