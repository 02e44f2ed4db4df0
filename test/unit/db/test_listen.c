/* NOTIFY over lost, stopped and frozen servers. */
#include "../pg_fixture.h"
#include "../run_flow.h"
#include "base/clock.h"
#include "base/log.h"
#include "db/listen.h"
#include "loop/loop.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static struct pg *pg;
static struct listener *listener;
static unsigned n_relistened, n_heard;
static char last[128];
static bool close_when_heard;

static void on_relisten(void *who)
{
    assert_ptr_equal(who, &pg);
    n_relistened++;
}

static void on_notify(void *who, struct str channel, struct str payload)
{
    assert_ptr_equal(who, &pg);
    n_heard++;
    snprintf(last, sizeof last, "%.*s=%.*s", STR_ARG(channel),
             STR_ARG(payload));
    if (close_when_heard)
        listener_close(&listener);
}

static void listen_with(unsigned heartbeat_ms)
{
    static const char *const channels[] = {"runs", "Odd \"name\"", NULL};
    listener = listener_open(
        &(struct listener_options){.conninfo = pg_conninfo(pg, "postgres"),
                                   .channels = channels,
                                   .on_notify = on_notify,
                                   .on_relisten = on_relisten,
                                   .who = &pg,
                                   .connect_ms = 100000,
                                   .heartbeat_ms = heartbeat_ms});
}

static int set_up(void **state)
{
    (void)state;
    pg_thaw(pg);
    pg_start(pg);
    n_relistened = n_heard = 0;
    close_when_heard = false;
    loop_open();
    listen_with(60000);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    if (listener)
        listener_close(&listener);
    loop_close();
    return 0;
}

static void wait_for(const unsigned *count, unsigned n)
{
    uint64_t begun = clock_ms();
    while (*count < n) {
        run_hangs(begun);
        loop_turn(true);
    }
}

static void test_notifications_are_heard(void **state)
{
    (void)state;
    wait_for(&n_relistened, 1);
    assert_true(listener_is_up(listener));
    pg_run(pg, "postgres", "notify runs, 'r1 17'");
    wait_for(&n_heard, 1);
    assert_string_equal(last, "runs=r1 17");
    pg_run(pg, "postgres", "notify \"Odd \"\"name\"\"\"");
    wait_for(&n_heard, 2);
    assert_string_equal(last, "Odd \"name\"=");
    pg_run(pg, "postgres", "notify other, 'x'; notify runs, 'y'");
    wait_for(&n_heard, 3);
    assert_string_equal(last, "runs=y");
    assert_int_equal(n_relistened, 1);
}

static void test_a_lost_connection_listens_again(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= 3; i++) {
        wait_for(&n_relistened, i);
        pg_run(pg, "postgres",
               "select pg_terminate_backend(pid, 60000) from pg_stat_activity "
               "where application_name = 'sextant'");
    }
    wait_for(&n_relistened, 4);
    pg_run(pg, "postgres", "notify runs, 'after'");
    wait_for(&n_heard, 1);
}

static void test_a_stopped_server_is_waited_for(void **state)
{
    (void)state;
    wait_for(&n_relistened, 1);
    pg_kill(pg);
    while (listener_is_up(listener))
        loop_turn(true);
    pg_start(pg);
    wait_for(&n_relistened, 2);
}

static void test_a_frozen_server_is_noticed(void **state)
{
    (void)state;
    listener_close(&listener);
    listen_with(300);
    while (!listener_is_up(listener))
        loop_turn(true);
    pg_freeze(pg);
    while (listener_is_up(listener))
        loop_turn(true);
    unsigned before = n_relistened;
    pg_thaw(pg);
    wait_for(&n_relistened, before + 1);
}

static void test_it_may_be_closed_by_what_it_calls(void **state)
{
    (void)state;
    wait_for(&n_relistened, 1);
    close_when_heard = true;
    pg_run(pg, "postgres", "notify runs, '1'; notify runs, '2'");
    wait_for(&n_heard, 1);
    while (loop_turn(true))
        ;
    assert_int_equal(n_heard, 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    log_to_fd(open("/dev/null", O_WRONLY));
    pg = pg_new();
    const struct CMUnitTest tests[] = {
        CASE(test_notifications_are_heard),
        CASE(test_a_lost_connection_listens_again),
        CASE(test_a_stopped_server_is_waited_for),
        CASE(test_a_frozen_server_is_noticed),
        CASE(test_it_may_be_closed_by_what_it_calls),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pg_free(&pg);
    return failed;
}
