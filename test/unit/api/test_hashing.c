/* Passwords off the loop: a few at once, a short queue, and no more. */
#include "auth/hashing.h"
#include "base/crypto.h"
#include "loop/loop.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* a step says it too */
#include "base/banned.h"

enum { TOGETHER = HASHING_MOST + HASHING_QUEUE, ALL = TOGETHER + 3 };

static struct visitor {
    struct hashing hashing;
    struct flow *flow;
    bool refused, ended;
    enum err how;
} visitors[ALL];

static char stored[PASSWORD_HASH_SIZE];

static struct next judged(struct flow *f)
{
    return back(f);
}

static struct next arrive(struct flow *f)
{
    struct visitor *v = locals(f, struct visitor);
    v->hashing.password = STR("open sesame");
    v->refused = !hashing_begin(f, &v->hashing);
    return v->refused ? back(f) : await(f, judged);
}

static void left(struct flow *f, enum err how, void *who)
{
    struct visitor *v = who;
    (void)f;
    v->how = how;
    v->ended = true;
}

static void come(struct visitor *v, const char *compare)
{
    *v = (struct visitor){.hashing.compare = compare};
    v->flow = flow_start(
        arrive, v,
        &(struct flow_options){.kind = "visitor", .on_end = left, .who = v});
}

static void wait_for_all(int n)
{
    for (int i = 0; i < n; i++)
        while (!visitors[i].ended)
            loop_turn(true);
}

static int setup(void **state)
{
    (void)state;
    crypto_init();
    loop_open();
    return password_hash(STR("open sesame"), stored) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(flow_count(), 0);
    loop_close();
    return 0;
}

static void test_a_password_is_made_and_compared(void **state)
{
    (void)state;
    come(&visitors[0], NULL);
    come(&visitors[1], stored);
    come(&visitors[2], "");
    wait_for_all(3);
    assert_true(password_matches(STR("open sesame"), visitors[0].hashing.made));
    assert_true(visitors[1].hashing.matches);
    assert_false(visitors[2].hashing.matches);
}

static void test_who_comes_to_a_full_queue_is_refused_at_once(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++)
        come(&visitors[i], stored);
    wait_for_all(ALL);
    for (int i = 0; i < ALL; i++) {
        assert_int_equal(visitors[i].how, OK);
        assert_int_equal(visitors[i].refused, i >= TOGETHER);
        assert_int_equal(visitors[i].hashing.matches, i < TOGETHER);
    }
}

/* One that waits leaves at once, one that is worked on when it is done; no one
 * else notices. */
static void test_who_goes_away_is_forgotten(void **state)
{
    (void)state;
    for (int i = 0; i < TOGETHER; i++)
        come(&visitors[i], stored);
    loop_turn(false);
    flow_cancel(visitors[0].flow);
    flow_cancel(visitors[HASHING_MOST].flow);
    flow_cancel(visitors[TOGETHER - 1].flow);
    loop_turn(false);
    come(&visitors[TOGETHER], stored); /* there is room again */
    wait_for_all(TOGETHER + 1);
    for (int i = 0; i <= TOGETHER; i++) {
        bool gone = i == 0 || i == HASHING_MOST || i == TOGETHER - 1;
        assert_int_equal(visitors[i].how, gone ? ERR_CANCELLED : OK);
        assert_false(visitors[i].refused);
        if (!gone)
            assert_true(visitors[i].hashing.matches);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_password_is_made_and_compared,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_who_comes_to_a_full_queue_is_refused_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_who_goes_away_is_forgotten, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
