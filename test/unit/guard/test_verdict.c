/* Texts that are no queries, sizes, positions, and memory that runs out. */
#include "guard_help.h"
#include "base/buf.h"
#include "base/banned.h"

static const char *repeated(const char *head, const char *part, int n,
                            const char *tail)
{
    struct buf b;
    buf_init(&b, &arena);
    buf_text(&b, head);
    for (int i = 0; i < n; i++)
        buf_text(&b, part);
    buf_text(&b, tail);
    return buf_cstr(&b);
}

static struct guard_verdict judge_bytes(const char *bytes, size_t n)
{
    struct guard_policy policy = {.any_relation = true};
    struct guard_verdict verdict;
    guard_check(&arena, (struct str){bytes, n}, &policy, &verdict);
    return verdict;
}

static void test_bytes_that_are_no_text_are_refused(void **state)
{
    (void)state;
    assert_true(str_is(judge_bytes("select 1\0; drop", 15).code, "encoding"));
    assert_true(str_is(judge_bytes("select '\xff'", 10).code, "encoding"));
    assert_true(str_is(judge_bytes("select '\xc0\x80'", 11).code, "encoding"));
    assert_true(str_is(judge_bytes("\0", 1).code, "encoding"));
    assert_true(str_is(judge_bytes(NULL, 0).code, "empty"));
    assert_refused("  \n\t ", "empty");
}

static void test_the_largest_text_is_32_kb(void **state)
{
    (void)state;
    int n = GUARD_MAX_BYTES - 8;
    assert_allowed(repeated("select ", " ", n, "1"));
    assert_refused(repeated("select ", " ", n + 1, "1"), "too_long");
}

static void test_too_many_parts_are_too_long(void **state)
{
    (void)state;
    assert_refused(repeated("select 1 in (0", ",1", 16000, ")"), "too_long");
    assert_refused(repeated("select a", ",a", 16000, ""), "too_long");
}

static void test_long_chains_are_allowed_and_deep_ones_refused(void **state)
{
    (void)state;
    assert_allowed(repeated("select 'a'", " || 'b'", 150, ""));
    assert_allowed(repeated("select 1 where true", " or x = 1", 1000, ""));
    assert_allowed(repeated("select 1 in (0", ", 1", 5000, ")"));
    assert_allowed(repeated("select 1", " union all select 1", 150, ""));
    assert_refused(repeated("select 1", " + 1", 250, ""), "too_deep");
    assert_refused(repeated("select 1", "+1", 1500, ""), "too_deep");
    assert_refused(repeated("select 1", " union select 1", 900, ""),
                   "too_deep");
    assert_refused(repeated("select ", "(", 16000, ""), "too_deep");
    assert_refused(repeated("select ", "not ", 1500, "true"), "too_deep");
    assert_refused(repeated("", "select (", 4000, ""), "too_deep");
    assert_refused(
        repeated("select ", "array[", 1000, repeated("1", "]", 1000, "")),
        "too_deep");
    assert_refused(repeated("select ", "case when true then ", 400,
                            repeated("1", " end", 400, "")),
                   "too_deep");
}

static void test_positions_count_code_points_from_one(void **state)
{
    (void)state;
    assert_int_equal(judge("select pg_sleep(1)").position, 8);
    assert_int_equal(judge("select 'éé', pg_sleep(1)").position, 14);
    assert_int_equal(judge("select 'éé' from from").position, 18);
    assert_int_equal(judge("select 1; drop table x").position, 11);
    assert_int_equal(judge("  drop table x").position, 3);
    assert_int_equal(judge("select * from a, pg_class").position, 18);
    assert_int_equal(judge("select '日本', ctid from t").position, 14);
}

static void test_the_text_comes_back_without_what_ends_it(void **state)
{
    (void)state;
    assert_true(str_is(judge(" select 1 ; ; -- x").text, "select 1"));
    assert_true(str_is(judge("select 1 -- x").text, "select 1 -- x"));
    assert_true(str_is(judge("/* a */ select 1;\n").text, "/* a */ select 1"));
}

static void test_a_refusal_tells_what_to_write(void **state)
{
    (void)state;
    struct guard_verdict v = judge("select ifnull(a, 0) from t");
    assert_true(str_find(v.reason, STR("coalesce")) > 0);
    v = judge("select json_object('a': 1)");
    assert_true(str_find(v.reason, STR("json_build_object")) > 0);
    v = judge("select group_concat(a) from t");
    assert_true(str_find(v.reason, STR("string_agg")) > 0);
}

static void test_at_most_40_relations(void **state)
{
    (void)state;
    assert_allowed(repeated("select 1 from t", " join t using (id)", 39, ""));
    assert_refused(repeated("select 1 from t", " join t using (id)", 40, ""),
                   "too_costly");
}

/* An exhausted arena leaves by a jump. Nothing may leak: the sanitizers' leak
 * checker looks. */
static jmp_buf out_of_memory;

static void jump(void *who)
{
    (void)who;
    longjmp(out_of_memory, 1);
}

static bool survives_failing_block(struct arena *small, unsigned n)
{
    struct guard_policy policy = {.any_relation = true};
    struct guard_verdict v;
    volatile bool whole = false;
    arena_init(small, 0);
    small->on_exhausted = jump;
    arena_fail_block(n);
    if (!setjmp(out_of_memory)) {
        guard_check(small,
                    STR("with a as (select x.b, lower(c) from x join y using "
                        "(z)) select sum(q), max(r), now() from a, b, c, d "
                        "where a.b = b.c and e = f and g = h and i = j"),
                    &policy, &v);
        assert_true(v.ok);
        assert_ptr_equal(small->on_exhausted, jump);
        whole = true;
    }
    arena_fail_block(0);
    arena_done(small);
    return whole;
}

static void test_an_exhausted_arena_leaves_nothing_behind(void **state)
{
    (void)state;
    static struct arena small;
    unsigned n = 1;
    while (!survives_failing_block(&small, n))
        n++;
    assert_true(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        guard_test(test_bytes_that_are_no_text_are_refused),
        guard_test(test_the_largest_text_is_32_kb),
        guard_test(test_too_many_parts_are_too_long),
        guard_test(test_long_chains_are_allowed_and_deep_ones_refused),
        guard_test(test_positions_count_code_points_from_one),
        guard_test(test_the_text_comes_back_without_what_ends_it),
        guard_test(test_a_refusal_tells_what_to_write),
        guard_test(test_at_most_40_relations),
        guard_test(test_an_exhausted_arena_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
