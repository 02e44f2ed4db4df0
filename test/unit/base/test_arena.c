/* Arenas and the buffers that grow in them. */
#include "base/arena.h"
#include "base/buf.h"
#include "base_test.h"
#include "base/banned.h"

static jmp_buf jumped;
static int exhaustions;

static void on_exhausted(void *who)
{
    exhaustions++;
    assert_ptr_equal(who, &exhaustions);
    longjmp(jumped, 1);
}

static void limited(struct arena *a, size_t limit)
{
    arena_init(a, limit);
    a->on_exhausted = on_exhausted;
    a->who = &exhaustions;
    exhaustions = 0;
}

static void test_memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *p = arena_alloc(&a, size);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xee, size);
    }
    arena_done(&a);
    assert_int_equal(a.total, 0);
}

static void test_reused_memory_is_zeroed_too(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    struct arena_mark mark = arena_mark(&a);
    memset(arena_alloc(&a, 500), 0xee, 500);
    arena_reset(&a, mark);
    unsigned char *p = arena_alloc(&a, 500);
    for (int i = 0; i < 500; i++)
        assert_int_equal(p[i], 0);
    arena_done(&a);
}

static void test_a_reset_frees_what_came_since_and_nothing_else(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    char *kept = arena_alloc(&a, 100);
    snprintf(kept, 100, "kept");
    struct arena_mark mark = arena_mark(&a);
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 50; i++)
            memset(arena_alloc(&a, 3000), 1, 3000);
        arena_reset(&a, mark);
    }
    assert_string_equal(kept, "kept");
    assert_true(a.total <= 200 * 1024); /* one spare block at most */
    arena_done(&a);
}

static void test_the_limit_counts_all_blocks(void **state)
{
    (void)state;
    struct arena a;
    volatile int n = 0;
    limited(&a, 64 * 1024);
    if (setjmp(jumped) == 0)
        for (;; n++)
            arena_alloc(&a, 1000);
    assert_int_equal(exhaustions, 1);
    assert_in_range(n, 40, 64);
    assert_true(a.total <= 64 * 1024);
    arena_done(&a);
}

static void test_a_size_that_overflows_is_exhaustion(void **state)
{
    (void)state;
    struct arena a;
    limited(&a, 0);
    if (setjmp(jumped) == 0)
        arena_alloc_array(&a, SIZE_MAX / 4, 16);
    assert_int_equal(exhaustions, 1);
    if (setjmp(jumped) == 0)
        arena_alloc(&a, SIZE_MAX - 3);
    assert_int_equal(exhaustions, 2);
    arena_done(&a);
}

static void test_the_chosen_block_is_refused_once(void **state)
{
    (void)state;
    struct arena a, plain;
    limited(&a, 0);
    arena_init(&plain, 0);
    arena_fail_block(2);
    arena_alloc(&plain, 100000); /* has no on_exhausted: not counted */
    if (setjmp(jumped) == 0) {
        arena_alloc(&a, 10);
        assert_int_equal(arena_blocks_taken(), 1);
        arena_alloc(&a, 100000);
    }
    assert_int_equal(exhaustions, 1);
    arena_alloc(&a, 100000);
    assert_int_equal(exhaustions, 1);
    arena_fail_block(0);
    arena_done(&a);
    arena_done(&plain);
}

static void test_the_latest_slice_changes_its_size_where_it_is(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    char *first = arena_alloc(&a, 32);
    char *grown = arena_resize(&a, NULL, 0, 16);
    memcpy(grown, "0123456789abcdef", 16);
    assert_ptr_equal(arena_resize(&a, grown, 16, 64), grown);
    assert_ptr_equal(arena_resize(&a, grown, 64, 16), grown);
    char *next = arena_alloc(&a, 16); /* freed memory is reused */
    assert_ptr_equal(next, grown + 16);
    char *moved = arena_resize(&a, grown, 16, 48); /* no longer the latest */
    assert_ptr_not_equal(moved, grown);
    assert_memory_equal(moved, "0123456789abcdef", 16);
    assert_ptr_equal(arena_resize(&a, first, 32, 16), first);
    arena_done(&a);
}

static void test_a_large_slice_that_grows_leaves_no_copy(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 300000);
    struct buf out;
    buf_init(&out, &a);
    for (int i = 0; i < 100000; i++)
        buf_char(&out, (char)('a' + i % 26));
    assert_true(a.total < 140000);
    assert_int_equal(buf_finish(&out).len, 100000);
    assert_true(a.total < 102000);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(out.ptr[i], 'a' + i % 26);
    arena_done(&a);
    assert_int_equal(a.total, 0);
}

static void test_room_before_a_large_slice_is_still_used(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    char *first = arena_alloc(&a, 16);
    size_t before = a.total;
    arena_alloc(&a, 3000);
    assert_true(a.total < before + 3100);
    size_t all = a.total;
    assert_ptr_equal(arena_alloc(&a, 16), first + 16);
    assert_int_equal(a.total, all);
    arena_done(&a);
    assert_int_equal(a.total, 0);
}

static void test_a_reset_knows_large_slices_from_before(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    char *kept = arena_resize(&a, NULL, 0, 1000);
    memset(kept, 'k', 1000);
    struct arena_mark mark = arena_mark(&a);
    size_t before = a.total;
    arena_alloc(&a, 16);
    arena_alloc(&a, 2000);
    arena_reset(&a, mark);
    assert_true(a.total < before + 500); /* one spare block at most */
    for (int i = 0; i < 1000; i++)
        assert_int_equal(kept[i], 'k');
    size_t now = a.total; /* it is the latest again, and grows without a copy */
    arena_resize(&a, kept, 1000, 4000);
    assert_int_equal(a.total, now + 4000 - 1008);
    arena_done(&a);
    assert_int_equal(a.total, 0);
}

static void test_growing_beyond_the_limit_is_told(void **state)
{
    (void)state;
    struct arena a;
    limited(&a, 10000);
    char *bytes = arena_resize(&a, NULL, 0, 4000);
    if (setjmp(jumped) == 0)
        arena_resize(&a, bytes, 4000, 20000);
    assert_int_equal(exhaustions, 1);
    assert_true(a.total < 10000);
    arena_done(&a);
    assert_int_equal(a.total, 0);
}

static void test_copies_end_in_a_nul_that_is_not_counted(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    struct str s = arena_str(&a, (struct str){"ab\0c", 4});
    assert_int_equal(s.len, 4);
    assert_int_equal(s.ptr[4], 0);
    assert_memory_equal(s.ptr, "ab\0c", 4);
    assert_string_equal(arena_cstr(&a, (struct str){NULL, 0}), "");
    assert_string_equal(arena_printf(&a, "%d-%s", 7, "x").ptr, "7-x");
    assert_int_equal(arena_printf(&a, "%s", "").len, 0);
    arena_done(&a);
}

/* ---- buf ---------------------------------------------------------------- */

static void fill(struct buf *b)
{
    for (int i = 0; i < 1000; i++)
        buf_printf(b, "%d,", i % 10);
    buf_char(b, 'x');
    buf_text(b, "yz");
    buf_int(b, INT64_MIN);
    buf_uint(b, UINT64_MAX);
    buf_str(b, (struct str){NULL, 0});
    buf_bytes(b, "\0", 1);
}

static void test_a_buffer_grows_on_the_heap_and_in_an_arena(void **state)
{
    (void)state;
    struct arena a;
    struct buf heap, inside;
    arena_init(&a, 0);
    buf_init(&heap, NULL);
    buf_init(&inside, &a);
    fill(&heap);
    fill(&inside);
    assert_true(str_eq(buf_view(&heap), buf_view(&inside)));
    assert_true(str_ends(buf_view(&heap),
                         (struct str){"xyz-922337203685477580818446744073709551"
                                      "615\0",
                                      44}));
    assert_int_equal(strlen(buf_cstr(&heap)), heap.len - 1);
    buf_done(&heap);
    buf_done(&inside);
    assert_int_equal(heap.len + inside.len, 0);
    arena_done(&a);
}

static void test_the_front_of_a_buffer_can_be_dropped(void **state)
{
    (void)state;
    struct buf b = {0};
    buf_text(&b, "hello world");
    buf_drop(&b, 6);
    assert_true(str_is(buf_view(&b), "world"));
    buf_drop(&b, 0);
    buf_drop(&b, 400);
    assert_int_equal(b.len, 0);
    buf_text(&b, "again");
    assert_string_equal(buf_cstr(&b), "again");
    buf_clear(&b);
    assert_string_equal(buf_cstr(&b), "");
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_zeroed_and_aligned),
        cmocka_unit_test(test_reused_memory_is_zeroed_too),
        cmocka_unit_test(test_a_reset_frees_what_came_since_and_nothing_else),
        cmocka_unit_test(test_the_limit_counts_all_blocks),
        cmocka_unit_test(test_a_size_that_overflows_is_exhaustion),
        cmocka_unit_test(test_the_chosen_block_is_refused_once),
        cmocka_unit_test(test_the_latest_slice_changes_its_size_where_it_is),
        cmocka_unit_test(test_a_large_slice_that_grows_leaves_no_copy),
        cmocka_unit_test(test_room_before_a_large_slice_is_still_used),
        cmocka_unit_test(test_a_reset_knows_large_slices_from_before),
        cmocka_unit_test(test_growing_beyond_the_limit_is_told),
        cmocka_unit_test(test_copies_end_in_a_nul_that_is_not_counted),
        cmocka_unit_test(test_a_buffer_grows_on_the_heap_and_in_an_arena),
        cmocka_unit_test(test_the_front_of_a_buffer_can_be_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
