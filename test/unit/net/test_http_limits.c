/* Limits: slow clients, many clients, no descriptors, clients that do not read.
 * The timeouts are short; nothing here sleeps. */
#include "net_help.h"
#include "base/clock.h"
#include "loop/loop.h"
#include "loop/timer.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>
#include "../leave_out.h"
#include "base/banned.h"

#define GET(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"

static struct http_limits limits_with(unsigned head_ms, unsigned body_ms,
                                      unsigned idle_ms)
{
    struct http_limits limits = http_default_limits;
    limits.head_ms = head_ms;
    limits.body_ms = body_ms;
    limits.idle_ms = idle_ms;
    return limits;
}

/* ---- slow clients ------------------------------------------------------- */

/* Sends a byte every few milliseconds until the server closes. */
struct trickle {
    struct timer timer;
    struct client *client;
    char byte;
    int sent;
};

static void on_trickle(struct timer *t)
{
    struct trickle *w = (struct trickle *)t;
    if (w->client->ended)
        return;
    client_send(w->client, (struct str){&w->byte, 1});
    w->sent++;
    timer_start(t, 5, on_trickle);
}

static void trickle_until_closed(const char *start, char byte)
{
    struct trickle w = {.client = client_open(help.port), .byte = byte};
    uint64_t from = clock_ms();
    client_send_text(w.client, start);
    on_trickle(&w.timer);
    assert_int_equal(client_answer(w.client).status, 408);
    client_wait_end(w.client);
    timer_stop(&w.timer);
    assert_true(clock_ms() - from >= 95);
    assert_true(w.sent > 1);
    client_close(w.client);
}

static void test_bytes_do_not_put_off_the_end_of_a_slow_head(void **state)
{
    (void)state;
    help_serve(limits_with(100, 60000, 60000));
    trickle_until_closed("GET / HTTP/1.1\r\nHost: a\r\nX: ", 'a');
    trickle_until_closed("G", 'E');
    assert_int_equal(help.requests, 0);
}

static void test_bytes_do_not_put_off_the_end_of_a_slow_body(void **state)
{
    (void)state;
    help_serve(limits_with(60000, 100, 60000));
    trickle_until_closed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: "
                         "100000\r\n\r\n",
                         'a');
    trickle_until_closed("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
                         "chunked\r\n\r\nfff\r\n",
                         'a');
    assert_int_equal(help.requests, 0);
}

static bool requested_or_ended(void *who)
{
    return help.requests > 0 || ((struct client *)who)->ended;
}

/* A client whose request arrived before its deadlines; on a machine that
 * stalls, that may need several attempts. */
static struct client *open_in_time(const char *path)
{
    for (;;) {
        struct client *c = client_open(help.port);
        char request[64];
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n",
                 path);
        client_send_text(c, request);
        help_wait(requested_or_ended, c);
        if (help.requests > 0)
            return c;
        client_close(c);
    }
}

static void test_an_idle_connection_is_closed_without_an_answer(void **state)
{
    (void)state;
    help_serve(limits_with(60000, 60000, 100));
    struct client *fresh = client_open(help.port), *used = open_in_time("/a");
    assert_int_equal(client_answer(used).status, 200);
    client_wait_end(fresh);
    client_wait_end(used);
    assert_int_equal(fresh->got.len + used->got.len, 0);
    client_close(fresh);
    client_close(used);
    help_wait_connections(0);
}

static void test_an_open_exchange_has_no_deadline(void **state)
{
    (void)state;
    help_serve(limits_with(50, 50, 50));
    struct client *c = open_in_time("/later");
    help_wait_held(1);
    help_turn_for(200);
    assert_false(c->ended);
    http_reply(help.held[--help.n_held], 200, "text/plain", STR("ok"));
    assert_int_equal(client_answer(c).status, 200);
    client_close(c);
}

enum { SLOW = 1000 };

static void test_a_thousand_slow_clients_do_not_hinder_a_new_one(void **state)
{
    (void)state;
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    static struct client *slow[SLOW];
    int n = files.rlim_cur < 3 * SLOW ? (int)files.rlim_cur / 3 : SLOW;
    help_serve(http_default_limits);
    for (int i = 0; i < n; i++) {
        slow[i] = client_open(help.port);
        client_send_text(slow[i], "GET / HTTP/1.1\r\nX: ");
        loop_turn(false);
    }
    help_wait_connections((unsigned)n);
    struct client *c = client_open(help.port);
    client_send_text(c, GET("/a"));
    assert_int_equal(client_answer(c).status, 200);
    assert_int_equal(http_server_connections(help.server), n + 1);
    client_close(c);
    for (int i = 0; i < n; i++)
        client_close(slow[i]);
    help_wait_connections(0);
}

/* ---- many connections --------------------------------------------------- */

static void test_beyond_the_limit_the_longest_idle_gives_way(void **state)
{
    (void)state;
    struct http_limits limits = http_default_limits;
    limits.connections = 2;
    help_serve(limits);
    struct client *first = client_open(help.port);
    client_send_text(first, GET("/a"));
    assert_int_equal(client_answer(first).status, 200);
    struct client *second = client_open(help.port);
    client_send_text(second, GET("/a"));
    assert_int_equal(client_answer(second).status, 200);
    struct client *third = client_open(help.port);
    client_send_text(third, GET("/a"));
    assert_int_equal(client_answer(third).status, 200);
    client_wait_end(first);
    assert_false(second->ended);
    client_close(first);
    client_close(second);
    client_close(third);
}

static void test_beyond_the_limit_clients_wait_while_all_work(void **state)
{
    (void)state;
    struct http_limits limits = http_default_limits;
    limits.connections = 2;
    help_serve(limits);
    struct client *a = client_open(help.port), *b = client_open(help.port);
    client_send_text(a, GET("/later"));
    client_send_text(b, GET("/later"));
    help_wait_held(2);
    struct client *c = client_open(help.port);
    client_send_text(c, GET("/a"));
    uint64_t turns = loop_lag()->turns;
    help_turn_for(100);
    assert_true(loop_lag()->turns - turns < 20); /* waiting, not spinning */
    assert_int_equal(c->got.len, 0);
    client_reset(a);
    assert_int_equal(client_answer(c).status, 200);
    client_close(b);
    client_close(c);
    http_abort(help.held[--help.n_held]);
}

static void
test_without_descriptors_clients_wait_and_nothing_spins(void **state)
{
    (void)state;
    if (is_under_valgrind())
        leave_out("valgrind does not limit descriptors");
    help_serve(http_default_limits);
    struct client *old = client_open(help.port);
    client_send_text(old, GET("/later"));
    help_wait_held(1);
    struct client *c = client_open(help.port);
    client_send_text(c, GET("/a"));
    struct rlimit before, now;
    getrlimit(RLIMIT_NOFILE, &before);
    now = before;
    now.rlim_cur = (rlim_t)c->fd; /* all lower ones are in use */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
    uint64_t turns = loop_lag()->turns;
    help_turn_for(200);
    uint64_t spent = loop_lag()->turns - turns;
    assert_true(spent < 40);
    assert_int_equal(c->got.len, 0);
    http_reply(help.held[--help.n_held], 200, "text/plain", STR("alive"));
    assert_true(str_is(client_answer(old).body, "alive"));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(client_answer(c).status, 200);
    client_close(old);
    client_close(c);
}

static void test_some_descriptors_are_left_free(void **state)
{
    (void)state;
    struct rlimit before, now;
    getrlimit(RLIMIT_NOFILE, &before);
    now = before;
    now.rlim_cur = 64;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
    help_serve(http_default_limits);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    struct client *c[40];
    for (int i = 0; i < 40; i++) {
        c[i] = client_open(help.port);
        client_send_text(c[i], "GET /");
    }
    help_wait_connections(32);
    help_turn_for(50);
    assert_int_equal(http_server_connections(help.server), 32);
    for (int i = 0; i < 40; i++)
        client_close(c[i]);
    help_wait_connections(0);
}

/* ---- clients that do not read ------------------------------------------- */

static void test_a_client_that_does_not_read_is_cut(void **state)
{
    (void)state;
    struct http_limits limits = http_default_limits;
    limits.write_ms = 100;
    help_serve(limits);
    struct client *c = client_open_small(help.port, 4096);
    client_listen(c, false);
    client_send_text(c, GET("/big?n=20000000"));
    help_wait_connections(1);
    help_wait_connections(0);
    client_close(c);
}

struct wanted_bytes {
    struct client *client;
    size_t bytes;
};

static bool come_or_ended(void *who)
{
    struct wanted_bytes *w = who;
    return w->client->ended || w->client->got.len >= w->bytes;
}

static void test_a_client_that_reads_slowly_but_well_is_kept(void **state)
{
    (void)state;
    if (is_under_valgrind())
        leave_out("nobody reads well under valgrind");
    struct http_limits limits = http_default_limits;
    limits.write_ms = 1000;
    help_serve(limits);
    struct client *c = client_open_small(help.port, 65536);
    client_send_text(c, GET("/big?n=30000000"));
    size_t want = 0;
    for (int i = 0; i < 10; i++) {
        uint64_t from = clock_ms();
        want += 2000000;
        client_listen(c, true);
        help_wait(come_or_ended, &(struct wanted_bytes){c, want});
        client_listen(c, false);
        help_turn_for(120);
        want = c->got.len;
        if (clock_ms() - from > 500) {
            client_close(c);
            leave_out("the machine stands still");
        }
        assert_false(c->ended);
    }
    client_listen(c, true);
    assert_int_equal(client_answer(c).body.len, 30000000);
    client_close(c);
}

static void test_who_pipelines_without_reading_is_not_answered_on(void **state)
{
    (void)state;
    help_serve(http_default_limits);
    struct client *c = client_open_small(help.port, 4096);
    struct buf all;
    client_listen(c, false);
    buf_init(&all, NULL);
    for (int i = 0; i < 100; i++)
        buf_text(&all, GET("/big?n=1000000"));
    client_send(c, buf_view(&all));
    buf_done(&all);
    help_turn_for(200);
    assert_true(help.requests >= 1 && help.requests <= 10);
    client_listen(c, true);
    for (int i = 0; i < 100; i++)
        assert_int_equal(client_answer(c).body.len, 1000000);
    client_close(c);
}

static void test_what_is_sent_ahead_is_not_read_without_end(void **state)
{
    (void)state;
    help_serve(http_default_limits);
    struct client *c = client_open(help.port);
    client_send_text(c, GET("/later"));
    help_wait_held(1);
    static char lots[1000];
    memset(lots, 'x', sizeof lots);
    size_t sent = 0;
    for (int quiet = 0; quiet < 200; loop_turn(false)) {
        ssize_t n = send(c->fd, lots, sizeof lots, MSG_DONTWAIT | MSG_NOSIGNAL);
        quiet = n > 0 ? 0 : quiet + 1;
        sent += n > 0 ? (size_t)n : 0;
        if (sent > 100u * 1000 * 1000)
            break;
    }
    assert_true(sent < 100u * 1000 * 1000);
    http_reply(help.held[--help.n_held], 200, "text/plain", STR("ok"));
    assert_int_equal(client_answer(c).status, 200);
    assert_int_equal(client_answer(c).status, 414); /* the body */
    client_close(c);
}

static void test_a_client_that_floods_does_not_hold_the_loop(void **state)
{
    (void)state;
    help_serve(http_default_limits);
    struct client *c = client_open(help.port);
    struct buf all;
    buf_init(&all, NULL);
    for (int i = 0; i < 2000; i++)
        buf_text(&all, GET("/a"));
    client_send(c, buf_view(&all));
    buf_done(&all);
    int most = 0;
    while (help.requests < 2000) {
        int before = help.requests;
        loop_turn(true);
        if (help.requests - before > most)
            most = help.requests - before;
    }
    assert_true(most <= 64);
    for (int i = 0; i < 2000; i++)
        assert_int_equal(client_answer(c).status, 200);
    client_close(c);
}

/* ---- many streams ------------------------------------------------------- */

enum { STREAMS = 8, ROUNDS = 300 };

static struct followed_stream {
    struct http_exchange *streams[STREAMS];
    struct client *clients[STREAMS];
    int n, rounds;
} all;

/* A turn has time for three of them. */
static void be_busy(struct http_exchange *x)
{
    (void)x;
    for (uint64_t from = clock_us(); clock_us() - from < 4000;)
        continue;
}

static void on_follower(struct http_exchange *x, void *unused)
{
    (void)unused;
    all.streams[all.n++] = x;
    http_stream_begin(x, 200, "text/plain");
}

static bool all_follow(void *unused)
{
    (void)unused;
    return all.n == STREAMS;
}

/* Sends an event to all of them each turn, until each has received one. */
static bool all_got_one(void *unused)
{
    bool got = true;
    (void)unused;
    for (int i = 0; i < STREAMS; i++) {
        http_stream_write(all.streams[i], STR("event"));
        got =
            got && str_find(buf_view(&all.clients[i]->got), STR("event")) >= 0;
    }
    return got || ++all.rounds == ROUNDS;
}

static void test_the_last_of_many_streams_has_its_turn(void **state)
{
    (void)state;
    all = (struct followed_stream){.n = 0};
    help_serve(http_default_limits);
    help.on_request = on_follower;
    for (int i = 0; i < STREAMS; i++) {
        all.clients[i] = client_open(help.port);
        client_send_text(all.clients[i], GET("/"));
    }
    help_wait(all_follow, NULL);
    for (int i = 0; i < STREAMS; i++)
        all.streams[i]->on_drained = be_busy;
    help_wait(all_got_one, NULL);
    assert_in_range(all.rounds, 0, ROUNDS - 1);
    for (int i = 0; i < STREAMS; i++) {
        http_stream_end(all.streams[i]);
        client_close(all.clients[i]);
    }
}

int main(void)
{
#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, help_setup, help_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_bytes_do_not_put_off_the_end_of_a_slow_head),
        TEST(test_bytes_do_not_put_off_the_end_of_a_slow_body),
        TEST(test_an_idle_connection_is_closed_without_an_answer),
        TEST(test_an_open_exchange_has_no_deadline),
        TEST(test_a_thousand_slow_clients_do_not_hinder_a_new_one),
        TEST(test_beyond_the_limit_the_longest_idle_gives_way),
        TEST(test_beyond_the_limit_clients_wait_while_all_work),
        TEST(test_without_descriptors_clients_wait_and_nothing_spins),
        TEST(test_some_descriptors_are_left_free),
        TEST(test_a_client_that_does_not_read_is_cut),
        TEST(test_a_client_that_reads_slowly_but_well_is_kept),
        TEST(test_who_pipelines_without_reading_is_not_answered_on),
        TEST(test_what_is_sent_ahead_is_not_read_without_end),
        TEST(test_a_client_that_floods_does_not_hold_the_loop),
        TEST(test_the_last_of_many_streams_has_its_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
