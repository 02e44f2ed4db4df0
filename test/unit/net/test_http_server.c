/* The server over real sockets: responses, their order, keep-alive, streams,
 * clients that disconnect, draining. */
#include "http_cases.h"
#include "net_help.h"
#include "base/log.h"
#include "loop/loop.h"
#include <fcntl.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/banned.h"

#define GET(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"

static struct client *connected(void)
{
    help_serve(http_default_limits);
    return client_open(help.port);
}

static void test_a_request_is_answered(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, GET("/a"));
    struct http_answer a = client_answer(c);
    assert_int_equal(a.status, 200);
    assert_true(str_is(a.body, "ok"));
    assert_true(str_is(answer_header(a, "Content-Type"), "text/plain"));
    assert_true(str_is(answer_header(a, "X-Content-Type-Options"), "nosniff"));
    assert_int_equal(answer_header(a, "Date").len, 29);
    assert_int_equal(answer_header(a, "X-Request-Id").len, 36);
    assert_int_equal(answer_header(a, "Connection").len, 0);
    client_close(c);
}

static void test_a_sane_request_id_is_kept(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(
        c, "GET / HTTP/1.1\r\nHost: a\r\nX-Request-ID: aZ0._-\r\n\r\n");
    assert_true(
        str_is(answer_header(client_answer(c), "X-Request-Id"), "aZ0._-"));
    client_send_text(c,
                     "GET / HTTP/1.1\r\nHost: a\r\nX-Request-ID: a b\r\n\r\n");
    assert_int_equal(answer_header(client_answer(c), "X-Request-Id").len, 36);
    client_send_text(c,
                     "GET / HTTP/1.1\r\nHost: a\r\nX-Request-ID: "
                     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                     "aaaaaaaaa\r\n\r\n");
    assert_int_equal(answer_header(client_answer(c), "X-Request-Id").len, 36);
    client_close(c);
}

/* ---- bad requests ------------------------------------------------------- */

static void refuse(const struct http_bad_case *bad)
{
    struct client *c = client_open(help.port);
    client_send(c, bad->bytes);
    client_send_text(c, GET("/smuggled"));
    struct http_answer a = client_answer(c);
    if (a.status != bad->status)
        print_error("%s: %d\n", bad->what, a.status);
    assert_int_equal(a.status, bad->status);
    assert_true(str_is(answer_header(a, "Connection"), "close"));
    assert_true(
        str_starts(answer_header(a, "Content-Type"), STR("application/json")));
    assert_true(answer_header(a, "X-Request-Id").len > 0);
    assert_true(str_starts(a.body, STR("{\"statusCode\":")));
    client_wait_end(c);
    assert_int_equal(c->got.len, 0);
    client_close(c);
}

static void test_every_bad_request_gets_one_answer_and_is_closed(void **state)
{
    (void)state;
    help_serve(http_default_limits);
    for (size_t i = 0; i < n_bad_cases; i++)
        refuse(&bad_cases[i]);
    assert_int_equal(help.requests, 0);
    help_wait_connections(0);
    const struct http_counts *n = http_server_counts(help.server);
    assert_int_equal(n->requests, 0);
    assert_int_equal(n->refused, n_bad_cases);
    assert_int_equal(n->accepted, n_bad_cases);
    assert_int_equal(n->status[4] + n->status[5], n_bad_cases);
}

static void
test_a_bad_request_behind_a_good_one_is_answered_second(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, GET("/a") "GET / HTTP/1.1\r\n\r\n" GET("/smuggled"));
    assert_int_equal(client_answer(c).status, 200);
    assert_int_equal(client_answer(c).status, 400);
    client_wait_end(c);
    assert_int_equal(c->got.len, 0);
    assert_int_equal(help.smuggled, 0);
    client_close(c);
}

static void test_a_refusal_reaches_a_client_that_still_sends(void **state)
{
    (void)state;
    struct client *c = connected();
    static char lots[200000];
    memset(lots, 'x', sizeof lots);
    client_send_text(
        c, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n");
    client_send(c, (struct str){lots, sizeof lots});
    assert_int_equal(client_answer(c).status, 413);
    client_wait_end(c);
    assert_int_equal(c->error, 0); /* no reset */
    client_close(c);
}

/* ---- good requests ------------------------------------------------------ */

static void check_good(const struct good_case *g, size_t step)
{
    struct client *c = client_open(help.port);
    struct str rest = g->bytes;
    int before = help.requests;
    for (; rest.len; rest = str_from(rest, step < rest.len ? step : rest.len)) {
        client_send(c, str_cut(rest, 0, step));
        loop_turn(false);
    }
    bool head = strcmp(g->method, "HEAD") == 0;
    struct http_answer a = head ? client_answer_head(c) : client_answer(c);
    if (a.status == 100)
        a = client_answer(c);
    bool star = strcmp(g->path, "*") == 0;
    assert_int_equal(a.status, star ? 204 : 200);
    assert_int_equal(help.requests, before + !star);
    if (!star)
        assert_string_equal(help.path, g->path);
    if (!g->keep_alive)
        client_wait_end(c);
    assert_int_equal(c->got.len, 0);
    client_close(c);
}

static void test_every_good_request_is_answered_in_any_pieces(void **state)
{
    (void)state;
    help_serve(http_default_limits);
    for (size_t i = 0; i < n_good_cases; i++) {
        check_good(&good_cases[i], 10000);
        check_good(&good_cases[i], 1);
        check_good(&good_cases[i], 7);
    }
}

static void test_pipelined_requests_are_answered_in_order(void **state)
{
    (void)state;
    struct client *c = connected();
    struct buf all;
    buf_init(&all, NULL);
    for (int i = 0; i < 500; i++)
        buf_printf(
            &all,
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n%04d",
            i);
    client_send(c, buf_view(&all));
    for (int i = 0; i < 500; i++) {
        char number[16];
        snprintf(number, sizeof number, "%04d", i);
        assert_true(str_is(client_answer(c).body, number));
    }
    buf_done(&all);
    client_close(c);
}

static void test_a_request_waits_for_the_answer_before_it(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, GET("/later") GET("/b") GET("/later") GET("/d"));
    help_wait_held(1);
    help_turn_for(20);
    assert_int_equal(help.requests, 1);
    http_reply(help.held[--help.n_held], 201, NULL, (struct str){0});
    assert_int_equal(client_answer(c).status, 201);
    assert_int_equal(client_answer(c).status, 200);
    help_wait_held(1);
    http_reply_error(help.held[--help.n_held], ERR_RATE_LIMITED,
                     (struct str){0}, (struct str){0});
    struct http_answer a = client_answer(c);
    assert_int_equal(a.status, 429);
    assert_true(str_is(answer_header(a, "Retry-After"), "1"));
    assert_int_equal(client_answer(c).status, 200);
    client_close(c);
}

static void test_an_answer_to_head_has_no_body(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, "HEAD /big?n=1000 HTTP/1.1\r\nHost: a\r\n\r\n");
    struct http_answer a = client_answer_head(c);
    assert_true(str_is(answer_header(a, "Content-Length"), "1000"));
    client_send_text(c, "HEAD /stream?n=1000 HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_int_equal(client_answer_head(c).status, 200);
    client_send_text(c, GET("/a"));
    assert_true(str_is(client_answer(c).body, "ok"));
    client_close(c);
}

static void test_continue_is_said_once_the_head_is_good(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(
        c, "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
           "Content-Length: 3\r\n\r\n");
    assert_int_equal(client_answer(c).status, 100);
    assert_int_equal(help.requests, 0);
    client_send_text(c, "abc");
    assert_true(str_is(client_answer(c).body, "abc"));
    client_close(c);
}

static void test_an_error_is_the_object_of_the_api(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(
        c, "GET /later HTTP/1.1\r\nHost: a\r\nX-Request-Id: r1\r\n\r\n");
    help_wait_held(1);
    struct http_exchange *x = help.held[--help.n_held];
    http_reply_error(x, ERR_UNAUTHORIZED, STR("No \"token\""),
                     STR("[{\"field\":\"a\"}]"));
    assert_true(http_answered(x) && http_ended(x));
    struct http_answer a = client_answer(c);
    assert_true(str_is(answer_header(a, "WWW-Authenticate"), "Bearer"));
    assert_true(str_is(
        a.body, "{\"statusCode\":401,\"code\":\"UNAUTHORIZED\",\"message\":"
                "\"No \\\"token\\\"\",\"details\":[{\"field\":\"a\"}],"
                "\"requestId\":\"r1\"}"));
    client_close(c);
}

/* ---- sizes -------------------------------------------------------------- */

static void test_a_large_answer_arrives_whole(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, GET("/big?n=20000000") GET("/static?n=20000000")
                            GET("/stream?n=20000000") GET("/a"));
    for (int i = 0; i < 3; i++)
        assert_int_equal(client_answer(c).body.len, 20000000);
    assert_true(str_is(client_answer(c).body, "ok"));
    client_close(c);
}

static void test_a_large_body_arrives_whole(void **state)
{
    (void)state;
    struct client *c = connected();
    struct buf body, request;
    buf_init(&body, NULL);
    for (int i = 0; body.len < 1000000; i++)
        buf_printf(&body, "%d,", i);
    buf_init(&request, NULL);
    buf_printf(&request,
               "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: %zu\r\n\r\n",
               body.len);
    buf_str(&request, buf_view(&body));
    buf_text(
        &request,
        "PUT /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (struct str rest = buf_view(&body); rest.len;) {
        struct str piece = str_cut(rest, 0, 4567);
        buf_printf(&request, "%zX\r\n%.*s\r\n", piece.len, STR_ARG(piece));
        rest = str_from(rest, piece.len);
    }
    buf_text(&request, "0\r\n\r\n");
    client_send(c, buf_view(&request));
    for (int i = 0; i < 2; i++)
        assert_true(str_eq(client_answer(c).body, buf_view(&body)));
    buf_done(&body);
    buf_done(&request);
    client_close(c);
}

static void test_a_stream_to_http_1_0_ends_with_the_connection(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(
        c, "GET /stream?n=100000 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    client_wait_end(c);
    ptrdiff_t end = str_find(buf_view(&c->got), STR("\r\n\r\n"));
    assert_true(str_find(buf_view(&c->got), STR("Connection: close\r\n")) > 0);
    assert_true(str_find(buf_view(&c->got), STR("Transfer-Encoding")) < 0);
    assert_int_equal(c->got.len - (size_t)end - 4, 100000);
    client_close(c);
}

/* ---- clients that leave ------------------------------------------------- */

static void test_a_client_that_shuts_its_side_still_gets_answers(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, GET("/later") GET("/a"));
    client_shut(c);
    help_wait_held(1);
    help_turn_for(20);
    assert_int_equal(help.gone, 0);
    http_reply(help.held[--help.n_held], 200, "text/plain", STR("late"));
    assert_true(str_is(client_answer(c).body, "late"));
    assert_true(str_is(client_answer(c).body, "ok"));
    client_wait_end(c);
    client_close(c);
    help_wait_connections(0);
}

static bool one_gone(void *unused)
{
    (void)unused;
    return help.gone == 1;
}

static void test_the_owner_hears_that_its_client_is_gone(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, GET("/later"));
    help_wait_held(1);
    client_reset(c);
    help_wait(one_gone, NULL);
    help_wait_connections(0);
}

static void test_half_a_request_and_the_end_is_closed(void **state)
{
    (void)state;
    help_serve(http_default_limits);
    static const char *const halves[] = {
        "G", "GET / HTTP/1.1\r\nHo",
        "PUT / HTTP/1.0\r\nContent-Length: 5\r\n\r\nabc", "\r\n"};
    for (size_t i = 0; i < 4; i++) {
        struct client *c = client_open(help.port);
        client_send_text(c, halves[i]);
        client_shut(c);
        client_wait_end(c);
        assert_int_equal(c->got.len, 0);
        client_close(c);
    }
    assert_int_equal(help.requests, 0);
    help_wait_connections(0);
}

static void test_an_abort_resets(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, GET("/later"));
    help_wait_held(1);
    http_abort(help.held[--help.n_held]);
    client_wait_end(c);
    assert_int_equal(c->got.len, 0);
    client_close(c);
}

/* ---- the end ------------------------------------------------------------ */

static bool port_answers(int port)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answers = connect(fd, (const struct sockaddr *)&at, sizeof at) == 0;
    close(fd);
    return answers;
}

static void test_draining_lets_what_runs_finish(void **state)
{
    (void)state;
    struct client *busy = connected(), *idle = client_open(help.port);
    client_send_text(idle, GET("/a"));
    assert_int_equal(client_answer(idle).status, 200);
    client_send_text(busy, GET("/later") GET("/never"));
    help_wait_held(1);
    http_server_drain(help.server);
    client_wait_end(idle);
    http_reply(help.held[--help.n_held], 200, "text/plain", STR("done"));
    struct http_answer a = client_answer(busy);
    assert_true(str_is(a.body, "done"));
    assert_true(str_is(answer_header(a, "Connection"), "close"));
    client_wait_end(busy);
    assert_int_equal(busy->got.len, 0);
    client_close(busy);
    client_close(idle);
    help_wait_connections(0);
}

static void
test_what_was_on_its_way_to_a_draining_server_is_answered(void **state)
{
    (void)state;
    struct client *fresh = connected(), *kept = client_open(help.port);
    client_send_text(kept, GET("/a"));
    assert_int_equal(client_answer(kept).status, 200);
    http_server_drain(help.server);
    client_send_text(fresh, GET("/a"));
    client_send_text(kept, GET("/a"));
    struct http_answer a = client_answer(fresh);
    assert_int_equal(a.status, 200);
    assert_true(str_is(answer_header(a, "Connection"), "close"));
    assert_int_equal(client_answer(kept).status, 200);
    client_wait_end(fresh);
    client_wait_end(kept);
    client_close(fresh);
    client_close(kept);
}

static void test_a_draining_server_answers_new_clients(void **state)
{
    (void)state;
    help_serve(http_default_limits);
    http_server_drain(help.server);
    struct client *c = client_open(help.port);
    client_send_text(c, GET("/a"));
    struct http_answer a = client_answer(c);
    assert_int_equal(a.status, 200);
    assert_true(str_is(answer_header(a, "Connection"), "close"));
    client_wait_end(c);
    client_close(c);
}

/* Including those that waited in the kernel's queue. */
static void
test_a_retired_server_answers_who_waited_and_refuses_others(void **state)
{
    (void)state;
    help_serve(http_default_limits);
    struct client *waits = client_open(help.port);
    http_server_stop_listening(help.server);
    assert_false(port_answers(help.port));
    client_send_text(waits, GET("/a"));
    assert_int_equal(client_answer(waits).status, 200);
    client_wait_end(waits);
    client_close(waits);
}

static int open_listener(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

/* Including those of other processes, which do not accept. */
static void serve_sockets(int n_own)
{
    int ports[2], fds[2];
    for (int i = 0; i < 2; i++)
        fds[i] = open_listener(&ports[i]);
    help_serve_fds(fds, 2, n_own);
    for (int i = 0; i < 2; i++) {
        struct client *c = client_open(ports[i]);
        client_send_text(c, GET("/a"));
        assert_int_equal(client_answer(c).status, 200);
        client_close(c);
    }
    http_server_stop_listening(help.server);
    assert_false(port_answers(ports[0]) || port_answers(ports[1]));
}

static void test_all_its_own_sockets_are_served(void **state)
{
    (void)state;
    serve_sockets(2);
}

static void test_a_socket_whose_owner_does_not_accept_is_served(void **state)
{
    (void)state;
    serve_sockets(1);
}

static void test_closing_cuts_what_runs(void **state)
{
    (void)state;
    struct client *c = connected();
    client_send_text(c, GET("/later"));
    help_wait_held(1);
    http_server_close(&help.server);
    assert_int_equal(help.gone, 1);
    client_wait_end(c);
    client_close(c);
}

static void test_an_inherited_socket_is_served(void **state)
{
    (void)state;
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    struct client *early = client_open(ntohs(at.sin_port));
    client_send_text(early, GET("/a"));
    help_serve_fds(&fd, 1, 1);
    assert_int_equal(help.port, ntohs(at.sin_port));
    assert_int_equal(client_answer(early).status, 200);
    client_close(early);
}

static void test_what_cannot_be_bound_is_told(void **state)
{
    (void)state;
    struct str why;
    help_serve(http_default_limits);
    struct http_server_options bad = {.host = "not an address",
                                      .limits = http_default_limits};
    assert_null(http_server_open(&bad, &why));
    assert_true(str_find(why, STR("not an address")) > 0);
    struct http_server_options taken = {.port = help.port,
                                        .limits = http_default_limits};
    assert_null(http_server_open(&taken, &why));
    assert_true(str_find(why, STR("in use")) > 0);
}

static void test_version_6_is_served(void **state)
{
    (void)state;
    help_serve_at("::");
    struct client *c = client_open(help.port);
    client_send_text(c, GET("/later"));
    help_wait_held(1);
    assert_true(str_is(help.held[0]->peer, "127.0.0.1"));
    http_reply(help.held[--help.n_held], 204, NULL, (struct str){0});
    assert_int_equal(client_answer(c).status, 204);
    client_close(c);
}

/* ---- the access log ----------------------------------------------------- */

static int log_ends[2];
static struct buf logged;

static bool log_holds(void *text)
{
    char piece[4096];
    ssize_t n;
    while ((n = read(log_ends[0], piece, sizeof piece)) > 0)
        buf_str(&logged, (struct str){piece, (size_t)n});
    return str_find(buf_view(&logged), str_of(text)) >= 0;
}

static size_t logged_times(const char *text)
{
    struct str rest = buf_view(&logged);
    size_t n = 0;
    for (ptrdiff_t at; (at = str_find(rest, str_of(text))) >= 0; n++)
        rest = str_from(rest, (size_t)at + 1);
    return n;
}

static void flood(struct client *c, int requests)
{
    struct buf all;
    buf_init(&all, NULL);
    for (int i = 0; i < requests; i++)
        buf_text(&all, GET("/any"));
    client_send(c, buf_view(&all));
    for (int i = 0; i < requests; i++)
        assert_int_equal(client_answer(c).status, 200);
    buf_done(&all);
}

/* The flood may cross the end of a second, or of two if the machine is slow. */
static void
test_a_flood_is_counted_and_a_rare_error_is_still_logged(void **state)
{
    enum { ROUND = 600, ALLOWED = 3 * 50 };
    (void)state;
    assert_int_equal(pipe2(log_ends, O_CLOEXEC | O_NONBLOCK), 0);
    buf_init(&logged, NULL);
    log_to_fd(log_ends[1]);
    help_serve(http_default_limits);
    struct client *c = client_open(help.port);
    flood(c, ROUND);
    client_send_text(c, GET("/later"));
    help_wait_held(1);
    http_reply(help.held[--help.n_held], 418, NULL, (struct str){0});
    assert_int_equal(client_answer(c).status, 418);
    flood(c, ROUND);
    help_wait(log_holds, "requests not logged");
    uint64_t unlogged = http_server_counts(help.server)->unlogged;
    assert_in_range(unlogged, 2 * ROUND - ALLOWED, 2 * ROUND);
    client_close(c);
    http_server_close(
        &help.server); /* the last suppressed lines are reported, too */
    log_holds("");
    log_to_fd(STDERR_FILENO);
    assert_int_equal(logged_times("\"status\":200") + unlogged, 2 * ROUND);
    assert_int_equal(logged_times("\"status\":418"), 1);
    assert_in_range(logged_times("\"statuses\":{\"200\":"), 1, 3);
    assert_true(logged_times("\n") <= ALLOWED + 4);
    buf_done(&logged);
    close(log_ends[0]);
    close(log_ends[1]);
}

int main(void)
{
#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, help_setup, help_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_request_is_answered),
        TEST(test_a_flood_is_counted_and_a_rare_error_is_still_logged),
        TEST(test_a_sane_request_id_is_kept),
        TEST(test_every_bad_request_gets_one_answer_and_is_closed),
        TEST(test_a_bad_request_behind_a_good_one_is_answered_second),
        TEST(test_a_refusal_reaches_a_client_that_still_sends),
        TEST(test_every_good_request_is_answered_in_any_pieces),
        TEST(test_pipelined_requests_are_answered_in_order),
        TEST(test_a_request_waits_for_the_answer_before_it),
        TEST(test_an_answer_to_head_has_no_body),
        TEST(test_continue_is_said_once_the_head_is_good),
        TEST(test_an_error_is_the_object_of_the_api),
        TEST(test_a_large_answer_arrives_whole),
        TEST(test_a_large_body_arrives_whole),
        TEST(test_a_stream_to_http_1_0_ends_with_the_connection),
        TEST(test_a_client_that_shuts_its_side_still_gets_answers),
        TEST(test_the_owner_hears_that_its_client_is_gone),
        TEST(test_half_a_request_and_the_end_is_closed),
        TEST(test_an_abort_resets),
        TEST(test_draining_lets_what_runs_finish),
        TEST(test_what_was_on_its_way_to_a_draining_server_is_answered),
        TEST(test_a_draining_server_answers_new_clients),
        TEST(test_a_retired_server_answers_who_waited_and_refuses_others),
        TEST(test_all_its_own_sockets_are_served),
        TEST(test_a_socket_whose_owner_does_not_accept_is_served),
        TEST(test_closing_cuts_what_runs),
        TEST(test_an_inherited_socket_is_served),
        TEST(test_what_cannot_be_bound_is_told),
        TEST(test_version_6_is_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
