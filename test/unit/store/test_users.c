/* Who may do what, remembered for a moment: how often the table is asked. */
#include "loop/timer.h"
#include "store/users.h"
#include "../fake_scene.h"
#include "base/banned.h"

#define ANN "11111111-1111-4111-8111-111111111111"
#define BOB "22222222-2222-4222-8222-222222222222"

static struct store store;
static const char *cells[] = {"viewer", "t"};
static const struct fake_rows rows[] = {{.statement = "users.of_token",
                                         .n_columns = 2,
                                         .n_rows = 1,
                                         .cells = cells},
                                        {0}};

static int setup(void **state)
{
    (void)state;
    store.system = fake_scene_open("system");
    fake_db.rows = rows;
    fake_db.query_ms = 100;
    cells[0] = "viewer";
    cells[1] = "t";
    user_cache_drop(STR(ANN));
    user_cache_drop(STR(BOB));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fake_scene_close(&store.system);
    return 0;
}

struct look {
    struct user_of_token user;
    enum err how;
    bool over;
};

static void look_over(struct flow *f, enum err how, void *who)
{
    struct look *l = who;
    (void)f;
    l->how = how;
    l->over = true;
}

static void look_start(struct look *l, const char *id)
{
    *l = (struct look){.user = {.store = &store,
                                .id = str_of(id),
                                .email = STR("a@example.com")}};
    flow_start(
        user_of_token_begin, &l->user,
        &(struct flow_options){.kind = "look", .on_end = look_over, .who = l});
}

static struct look look(const char *id)
{
    struct look l;
    look_start(&l, id);
    assert_true(fake_time_until(&l.over, 10000));
    return l;
}

static bool passed;

static void on_passed(struct timer *t)
{
    (void)t;
    passed = true;
}

static void let_pass(unsigned ms)
{
    struct timer timer = {0};
    passed = false;
    timer_start(&timer, ms, on_passed);
    assert_true(fake_time_until(&passed, 2 * ms));
}

static void test_the_table_is_asked_once_for_many_requests(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct look l = look(ANN);
        assert_int_equal(l.how, OK);
        assert_true(l.user.active);
        assert_int_equal(l.user.permissions, role_permissions(STR("viewer")));
    }
    assert_int_equal(fake_db.queries, 1);
    look(BOB); /* is somebody else */
    assert_int_equal(fake_db.queries, 2);
}

static void test_one_request_reads_anew_while_the_others_go_on(void **state)
{
    (void)state;
    struct look first, second, third;
    look(ANN);
    let_pass(4500); /* no longer fresh, still known */
    cells[0] = "admin";
    look_start(&first, ANN);
    look_start(&second, ANN);
    look_start(&third, ANN);
    assert_true(fake_time_until(&second.over, 50)); /* sooner than a query */
    assert_true(fake_time_until(&third.over, 50));
    assert_false(first.over);
    assert_int_equal(second.user.permissions, role_permissions(STR("viewer")));
    assert_true(fake_time_until(&first.over, 1000));
    assert_int_equal(first.user.permissions, role_permissions(STR("admin")));
    assert_int_equal(fake_db.queries, 2);
    assert_int_equal(look(ANN).user.permissions,
                     role_permissions(STR("admin")));
    assert_int_equal(fake_db.queries, 2); /* what it read is there for all */
}

static void test_what_is_old_is_not_used(void **state)
{
    (void)state;
    look(ANN);
    let_pass(5100);
    cells[1] = "f";
    assert_false(look(ANN).user.active);
    assert_int_equal(fake_db.queries, 2);
}

static void test_who_was_changed_is_read_anew(void **state)
{
    (void)state;
    look(ANN);
    look(BOB);
    cells[1] = "f";
    user_cache_drop(STR(ANN));
    assert_false(look(ANN).user.active);
    assert_true(look(BOB).user.active);
    assert_int_equal(fake_db.queries, 3);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_the_table_is_asked_once_for_many_requests),
        CASE(test_one_request_reads_anew_while_the_others_go_on),
        CASE(test_what_is_old_is_not_used),
        CASE(test_who_was_changed_is_read_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
