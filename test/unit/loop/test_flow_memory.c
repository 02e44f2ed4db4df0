/* Memory of frames and flows, and its exhaustion. */
#include "base/mem.h"
#include "loop_help.h"
#include "base/banned.h"

static int taken;

static void release(void *what)
{
    mem_free(what);
    taken--;
}

static void *take(void)
{
    taken++;
    return mem_alloc(1);
}

/* ---- frames ------------------------------------------------------------- */

/* The first rounds find the size of its blocks. */
enum { SPOT_ROUNDS = 4 };

struct memory_spot {
    int rounds;
    void *here, *again;
    char *kept;
};

static struct next spot_begin(struct flow *f)
{
    struct memory_spot *s = locals(f, struct memory_spot);
    void *p = arena_alloc(flow_here(f), 100);
    s->rounds++;
    s->here = s->again;
    s->again = p;
    if (!s->kept) {
        s->kept = keep(f, char);
        *s->kept = 'k';
    }
    return back(f);
}

static struct next spot_second(struct flow *f);

static struct next spot_over(struct flow *f)
{
    struct memory_spot *s = locals(f, struct memory_spot);
    tell(*s->kept);
    return s->rounds == SPOT_ROUNDS ? back(f) : go(f, spot_second);
}

static struct next spot_second(struct flow *f)
{
    return call(f, spot_begin, locals(f, struct memory_spot), spot_over);
}

static void
test_a_frames_memory_is_used_again_and_kept_memory_stays(void **state)
{
    (void)state;
    struct memory_spot s = {0};
    assert_int_equal(run_flow(spot_second, &s), OK);
    assert_ptr_equal(s.here, s.again);
    assert_string_equal(story, "kkkk");
}

/* A loop of subflows: memory must not grow with the number of rounds. */
static struct next round_inner(struct flow *f)
{
    arena_alloc(flow_here(f), 40000);
    return back(f);
}

static struct next round_begin(struct flow *f)
{
    int *left = locals(f, int);
    if (--*left == 0)
        return back(f);
    return call(f, round_inner, left, round_begin);
}

static void test_a_loop_of_calls_needs_no_more_memory(void **state)
{
    (void)state;
    int left = 10000;
    struct run_flow r = {0};
    r.flow = flow_start(round_begin, &left,
                        &(struct flow_options){.kind = "rounds",
                                               .memory_limit = 128 * 1024,
                                               .on_end = run_flow_ended,
                                               .who = &r});
    run_until(&r.ended);
    assert_int_equal(r.how, OK);
    assert_int_equal(left, 0);
}

/* ---- exhausted ---------------------------------------------------------- */

static struct next hungry_begin(struct flow *f)
{
    defer(f, release, take());
    arena_alloc(flow_here(f), 200000);
    tell('!');
    return back(f);
}

static struct next hungry_keep(struct flow *f)
{
    defer_kept(f, release, take());
    arena_alloc(flow_keep(f), 200000);
    tell('!');
    return back(f);
}

static struct next modest_begin(struct flow *f)
{
    arena_alloc(flow_here(f), 1000);
    tell('m');
    return back(f);
}

static void start_limited(struct run_flow *r, step_fn *first)
{
    *r = (struct run_flow){0};
    r->flow = flow_start(first, NULL,
                         &(struct flow_options){.kind = "limited",
                                                .memory_limit = 64 * 1024,
                                                .on_end = run_flow_ended,
                                                .who = r});
}

static void test_exhausted_memory_fails_only_that_flow(void **state)
{
    (void)state;
    struct run_flow hungry, keeping, modest;
    start_limited(&hungry, hungry_begin);
    start_limited(&keeping, hungry_keep);
    start_limited(&modest, modest_begin);
    run_until(&hungry.ended);
    run_until(&keeping.ended);
    run_until(&modest.ended);
    assert_int_equal(hungry.how, ERR_NO_MEMORY);
    assert_int_equal(keeping.how, ERR_NO_MEMORY);
    assert_int_equal(modest.how, OK);
    assert_string_equal(story, "m");
    assert_int_equal(taken, 0);
}

static struct next rescue_begin(struct flow *f), excused(struct flow *f);

static struct next rescue_begin(struct flow *f)
{
    return attempt(f, hungry_begin, NULL, modest_begin, excused);
}

static struct next excused(struct flow *f)
{
    assert_int_equal(failure(f), ERR_NO_MEMORY);
    return go(f, modest_begin);
}

static void test_exhausted_memory_can_be_rescued(void **state)
{
    (void)state;
    struct run_flow r;
    start_limited(&r, rescue_begin);
    run_until(&r.ended);
    assert_int_equal(r.how, OK);
    assert_string_equal(story, "m");
}

static struct arena shared;

static struct next shared_begin(struct flow *f)
{
    (void)f;
    arena_alloc(&shared, 200000);
    return back(f);
}

static void test_an_arena_of_ones_own_fails_the_flow_that_asked(void **state)
{
    (void)state;
    flow_arena_init(&shared, 1000);
    assert_int_equal(run_flow(shared_begin, NULL), ERR_NO_MEMORY);
    arena_done(&shared);
}

/* ---- the k-th block ----------------------------------------------------- */

static struct next deep_over(struct flow *f)
{
    return back(f);
}

static struct next deep_begin(struct flow *f)
{
    int *depth = locals(f, int);
    for (int i = 0; i < 40; i++)
        defer(f, release, take());
    for (int i = 0; i < 40; i++)
        defer_kept(f, release, take());
    arena_alloc(flow_here(f), 5000);
    if (--*depth == 0)
        return back(f);
    return call(f, deep_begin, depth, deep_over);
}

static struct next gives_up(struct flow *f)
{
    return fail(f, failure(f));
}

static struct next deep_root(struct flow *f)
{
    return attempt(f, deep_begin, locals(f, int), deep_over, gives_up);
}

/* Whichever allocation fails, every defer runs. */
static void test_any_block_may_be_refused(void **state)
{
    (void)state;
    unsigned blocks = 0;
    for (unsigned k = 0; k == 0 || k <= blocks; k++) {
        int depth = 12;
        arena_fail_block(k);
        enum err how = run_flow(deep_root, &depth);
        if (k == 0)
            blocks = arena_blocks_taken();
        arena_fail_block(0);
        assert_int_equal(how, k ? ERR_NO_MEMORY : OK);
        assert_int_equal(taken, 0);
        assert_int_equal(flow_count(), 0);
    }
    assert_true(blocks > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOOP_TEST(test_a_frames_memory_is_used_again_and_kept_memory_stays),
        LOOP_TEST(test_a_loop_of_calls_needs_no_more_memory),
        LOOP_TEST(test_exhausted_memory_fails_only_that_flow),
        LOOP_TEST(test_exhausted_memory_can_be_rescued),
        LOOP_TEST(test_an_arena_of_ones_own_fails_the_flow_that_asked),
        LOOP_TEST(test_any_block_may_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
