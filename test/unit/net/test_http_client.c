/* The HTTP client, mostly against a server that misbehaves. */
#include "base/arena.h"
#include "base/clock.h"
#include "loop/loop.h"
#include "net/http_client.h"
#include "script_server.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <cmocka.h>
#include "../leave_out.h"

#define PLAY(...) \
    static const struct script_step script_[] = {__VA_ARGS__}; \
    static const struct script_step *const scripts_[] = {script_}; \
    script_server_play(server, scripts_, 1)

static struct script_server *server;
static struct arena arena;

static unsigned open_fds(void)
{
    unsigned n = 0;
    for (int fd = 0; fd < 1024; fd++)
        n += fcntl(fd, F_GETFD) != -1;
    return n;
}

static unsigned fds_before;

static void open_client(const struct http_client_options *options)
{
    loop_open();
    http_client_open(options);
    server = script_server_open(NULL);
    arena_init(&arena, 0);
}

/* libuv opens a pipe with its first loop and keeps it. */
static int warm_up(void **state)
{
    (void)state;
    loop_open();
    loop_close();
    return 0;
}

static int setup(void **state)
{
    (void)state;
    fds_before = open_fds();
    open_client(&(struct http_client_options){0});
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(http_client_count().in_flight, 0);
    script_server_close(&server);
    http_client_close();
    loop_close();
    arena_done(&arena);
    assert_int_equal(open_fds(), fds_before);
    return 0;
}

static struct str url(const char *path)
{
    return arena_printf(&arena, "http://127.0.0.1:%d%s",
                        script_server_port(server), path);
}

/* ---- one call in one flow ----------------------------------------------- */

struct client_result {
    struct http_call call;
    struct str body; /* kept beyond the flow */
    enum err status;
    bool ended;
};

static struct next answered(struct flow *f)
{
    struct client_result *r = locals(f, struct client_result);
    r->status = r->call.op.status;
    r->body = arena_str(&arena, buf_view(&r->call.reply));
    return back(f);
}

static struct next call_begin(struct flow *f)
{
    struct client_result *r = locals(f, struct client_result);
    http_call_begin(f, &r->call);
    op_tolerate(&r->call.op);
    return await(f, answered);
}

static void on_end(struct flow *f, enum err how, void *who)
{
    struct client_result *r = who;
    (void)f;
    r->ended = true;
    if (how != OK)
        r->status = how;
}

static struct flow *start(struct client_result *r)
{
    if (!r->call.url.ptr)
        r->call.url = url("/");
    return flow_start(
        call_begin, r,
        &(struct flow_options){.kind = "test", .on_end = on_end, .who = r});
}

static void finish(struct client_result *r)
{
    while (!r->ended)
        loop_turn(true);
}

static void run(struct client_result *r)
{
    start(r);
    finish(r);
}

/* ---- good responses ----------------------------------------------------- */

static void test_a_post_sends_its_body_and_gets_the_answer(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"
              "Content-Length: 2\r\n\r\n{}"),
         END);
    struct str headers[] = {STR("X-Key: one")};
    struct client_result r = {.call = {.method = "POST",
                                       .url = url("/v1?x=1"),
                                       .headers = headers,
                                       .n_headers = 1,
                                       .body = STR("hello")}};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.status, 201);
    assert_true(str_is(r.body, "{}"));
    struct str head = script_server_head(server);
    assert_true(str_starts(head, STR("POST /v1?x=1 HTTP/1.1\r\n")));
    assert_true(str_find(head, STR("\r\nX-Key: one\r\n")) > 0);
    assert_true(str_find(head, STR("\r\nContent-Length: 5\r\n")) > 0);
    assert_true(str_find_nocase(head, STR("expect:")) < 0);
    assert_true(str_is(script_server_body(server), "hello"));
}

static void test_other_methods_go_out_as_they_are(void **state)
{
    (void)state;
    static const char *const methods[] = {"GET", "DELETE", "PUT", "HEAD"};
    PLAY(SEND("HTTP/1.1 204 No Content\r\n\r\n"), END);
    for (size_t i = 0; i < 4; i++) {
        struct client_result r = {.call = {.method = methods[i]}};
        run(&r);
        assert_int_equal(r.status, OK);
        assert_int_equal(r.call.status, 204);
        assert_true(str_starts(script_server_head(server), str_of(methods[i])));
    }
}

static void test_a_kept_connection_is_used_again(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), END);
    for (int i = 0; i < 5; i++) {
        struct client_result r = {0};
        run(&r);
        assert_int_equal(r.status, OK);
    }
    assert_int_equal(script_server_requests(server), 5);
    assert_int_equal(script_server_accepted(server), 1);
    assert_int_equal(http_client_count().connections, 1);
}

static void test_a_kept_connection_that_died_is_replaced(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), CLOSE);
    for (int i = 0; i < 3; i++) {
        struct client_result r = {0};
        run(&r);
        assert_int_equal(r.status, OK);
        assert_true(str_is(r.body, "ok"));
    }
    assert_int_equal(script_server_accepted(server), 3);
}

static size_t size_of_body, bodies;

static void put_body(struct http_call *c, struct buf *body)
{
    (void)c;
    bodies++;
    assert_int_equal(body->len, 0);
    for (size_t i = 0; i < size_of_body; i++)
        buf_char(body, (char)('a' + i % 26));
}

static void test_a_body_is_written_when_its_turn_has_come(void **state)
{
    (void)state;
    size_of_body = 300000; /* more than one write */
    for (int i = 0; i < 3; i++) {
        PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), END);
        struct client_result r = {
            .call = {.method = "POST", .write_body = put_body}};
        bodies = 0;
        run(&r);
        assert_int_equal(r.status, OK);
        assert_int_equal(bodies, 1);
        struct str body = script_server_body(server);
        assert_int_equal(body.len, size_of_body);
        for (size_t j = 0; j < body.len; j++)
            assert_int_equal(body.ptr[j], 'a' + j % 26);
        size_of_body /= 20;
    }
}

/* The server closes the kept connection once it has the whole second
 * request. */
static void test_a_body_is_written_again_for_another_connection(void **state)
{
    (void)state;
    struct script_step good[] = {
        SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), END};
    struct script_step gone[] = {CLOSE};
    const struct script_step *scripts[] = {good, gone, good};
    for (size_of_body = 5000; size_of_body < 300000; size_of_body *= 40) {
        script_server_play(server, scripts, 3);
        bodies = 0;
        for (int i = 0; i < 2; i++) {
            struct client_result r = {
                .call = {.method = "POST", .write_body = put_body}};
            run(&r);
            assert_int_equal(r.status, OK);
            assert_int_equal(script_server_body(server).len, size_of_body);
        }
        assert_int_equal(bodies, 3);
        assert_int_equal(script_server_requests(server), 3);
    }
}

/* If the kept connection is dead, the body is sent again from the start. */
static void test_a_body_of_parts_is_sent_from_where_they_lie(void **state)
{
    (void)state;
    static char large[300000];
    memset(large, 'x', sizeof large);
    const struct str parts[] = {
        STR("{"), {large, sizeof large}, STR(""), {large, 100}, STR("}")};
    struct script_step good[] = {
        SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), END};
    struct script_step gone[] = {CLOSE};
    const struct script_step *scripts[] = {good, gone, good};
    script_server_play(server, scripts, 3);
    for (int i = 0; i < 2; i++) {
        struct client_result r = {
            .call = {.method = "POST", .parts = parts, .n_parts = 5}};
        run(&r);
        assert_int_equal(r.status, OK);
        struct str body = script_server_body(server);
        assert_int_equal(body.len, sizeof large + 102);
        assert_int_equal(body.ptr[0], '{');
        assert_int_equal(body.ptr[body.len - 1], '}');
        assert_int_equal(body.ptr[sizeof large], 'x');
    }
    assert_int_equal(script_server_requests(server), 3);
}

static void test_one_byte_a_write_is_one_answer(void **state)
{
    (void)state;
    PLAY(DRIP("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
              "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"),
         END);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.body, "hello world"));
}

static void test_an_error_status_is_an_answer(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 529 Overloaded\r\nContent-Length: 4\r\n"
              "Retry-After: 7\r\nX-Should-Retry: true\r\n\r\nbusy"),
         END);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.status, 529);
    assert_int_equal(r.call.retry_after_ms, 7000);
    assert_int_equal(r.call.should_retry, 1);
    assert_true(str_is(r.body, "busy"));
}

static void test_a_redirect_is_not_followed(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\n"
              "Content-Length: 0\r\n\r\n"),
         END);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(r.call.status, 302);
    assert_int_equal(script_server_requests(server), 1);
}

static void test_a_unix_socket_is_an_address_too(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/sextant-test-%d.sock", (int)getpid());
    unlink(path);
    struct script_server *tcp = server;
    server = script_server_open(path);
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), END);
    struct client_result r = {
        .call = {.unix_socket = path, .url = STR("http://sandbox/run")}};
    run(&r);
    script_server_close(&server);
    server = tcp;
    assert_int_equal(r.status, OK);
    assert_true(str_is(r.body, "ok"));
}

/* ---- Retry-After -------------------------------------------------------- */

static void retry_after(const char *header, int64_t least, int64_t most)
{
    struct str text = arena_printf(
        &arena, "HTTP/1.1 429 No\r\n%s\r\nContent-Length: 0\r\n\r\n", header);
    struct script_step script[] = {{SCRIPT_SEND, text, 0}, END};
    const struct script_step *scripts[] = {script};
    script_server_play(server, scripts, 1);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.call.status, 429);
    assert_in_range(r.call.retry_after_ms + 10, least + 10, most + 10);
}

static void test_retry_after_is_read_in_all_its_forms(void **state)
{
    (void)state;
    retry_after("Retry-After: 2", 2000, 2000);
    retry_after("Retry-After: 86400", 86400000, 86400000);
    retry_after("retry-after-ms: 250\r\nRetry-After: 1", 250, 250);
    retry_after("Retry-After: 1\r\nretry-after-ms: 250", 250, 250);
    retry_after("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT", 0, 0);
    retry_after("Retry-After: Wed, 21 Oct 2099 07:28:00 GMT",
                86400LL * 365 * 20 * 1000, INT64_MAX / 2);
    retry_after("Retry-After: soon", -1, -1);
    retry_after("Retry-After: -5", -1, -1);
    retry_after("Retry-After: 99999999999999999999", -1, -1);
}

/* ---- failures ----------------------------------------------------------- */

static void expect_broken(struct client_result *r, enum err how,
                          const char *why)
{
    run(r);
    assert_int_equal(r->status, how);
    if (!strstr(r->call.detail, why))
        fail_msg("detail is: %s", r->call.detail);
}

static void test_a_closed_port_is_a_bad_gateway(void **state)
{
    (void)state;
    struct client_result r = {.call = {.url = url("/")}};
    struct script_server *gone = server;
    server = script_server_open(NULL);
    script_server_close(&gone);
    loop_turn(false);
    expect_broken(&r, ERR_BAD_GATEWAY, "connect");
    assert_int_equal(r.call.status, 0);
}

static void test_what_is_no_http_address_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"file:///etc/passwd",
                                      "ftp://127.0.0.1/",
                                      "http://",
                                      "",
                                      "//x/",
                                      "http://user:secret@127.0.0.1/",
                                      "http://127.0.0.1:99999/",
                                      "http://127.0.0.1:x/",
                                      "http://[::1/",
                                      "http://127.0.0.1/a b",
                                      "http://127.0.0.1/\r\nX: y",
                                      "gopher://127.0.0.1/"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct client_result r = {.call = {.url = str_of(bad[i])}};
        expect_broken(&r, ERR_BAD_GATEWAY, "address");
    }
}

static void test_a_header_cannot_smuggle_another(void **state)
{
    (void)state;
    struct str headers[] = {STR("X: a\r\nY: b")};
    struct client_result r = {.call = {.headers = headers, .n_headers = 1}};
    expect_broken(&r, ERR_BAD_GATEWAY, "line break");
}

static void test_half_a_head_and_silence_is_a_timeout(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-"), STALL);
    struct client_result r = {.call = {.first_ms = 30}};
    expect_broken(&r, ERR_TIMEOUT, "no answer in time");
}

static void test_half_a_head_and_a_close_is_a_bad_gateway(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-"), CLOSE);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_BAD_GATEWAY);
}

static void test_a_stall_is_a_timeout(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), STALL);
    struct client_result r = {.call = {.idle_ms = 30}};
    expect_broken(&r, ERR_TIMEOUT, "stalled");
    assert_int_equal(r.call.status, 200);
    assert_true(str_is(r.body, "half"));
}

static void test_an_endless_answer_ends_at_its_total(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
         SEND("1\r\nx\r\n"), PAUSE(5), SEND("1\r\nx\r\n"), PAUSE(5),
         SEND("1\r\nx\r\n"), PAUSE(5), SEND("1\r\nx\r\n"), PAUSE(5),
         SEND("1\r\nx\r\n"), PAUSE(500), STALL);
    struct client_result r;
    do { /* until the machine is fast enough to connect in that time */
        r = (struct client_result){.call = {.idle_ms = 5000, .total_ms = 60}};
        run(&r);
    } while (r.call.status == 0);
    assert_int_equal(r.status, ERR_TIMEOUT);
    assert_non_null(strstr(r.call.detail, "total timeout"));
}

static void test_a_flood_ends_at_the_cap(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
         FLOOD("400\r\n0123456789abcdef0123456789abcdef0123456789abcdef"
               "0123456789abcdef"));
    struct client_result r = {.call = {.max_bytes = 1000}};
    expect_broken(&r, ERR_BAD_REPLY, "body is too large");
    assert_true(r.body.len <= 1000);
}

static void test_an_endless_head_ends_at_the_cap(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\n"),
         FLOOD("X-Filler: 0123456789abcdef0123456789abcdef\r\n"));
    struct client_result r = {0};
    expect_broken(&r, ERR_BAD_REPLY, "64 KiB");
}

static void test_a_reset_is_a_bad_gateway(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), RESET);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_BAD_GATEWAY);
}

static void test_a_cut_chunk_is_a_bad_gateway(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
              "20\r\nhello"),
         CLOSE);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_BAD_GATEWAY);
}

static void test_a_short_body_is_a_bad_gateway(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello"), CLOSE);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_BAD_GATEWAY);
}

static void test_a_bad_chunk_size_is_a_bad_gateway(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
              "zz\r\nhello\r\n"),
         STALL);
    struct client_result r = {0};
    run(&r);
    assert_int_equal(r.status, ERR_BAD_GATEWAY);
}

static void test_a_coded_body_is_refused(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
              "Content-Length: 4\r\n\r\nabcd"),
         END);
    struct client_result r = {0};
    expect_broken(&r, ERR_BAD_REPLY, "coding");
}

static void test_no_http_is_not_an_answer(void **state)
{
    (void)state;
    PLAY(SEND("SSH-2.0-OpenSSH_9.2\r\n"), CLOSE);
    struct client_result r = {0};
    run(&r);
    assert_int_not_equal(r.status, OK);
}

/* ---- streams ------------------------------------------------------------ */

static bool count_bytes(struct http_call *c, struct str bytes)
{
    assert_int_equal(c->status, 200);
    *(size_t *)c->who += bytes.len;
    return true;
}

static bool want_none(struct http_call *c, struct str bytes)
{
    (void)c, (void)bytes;
    return false;
}

static bool call_dots_useful(struct http_call *c, struct str bytes)
{
    if (str_find_char(bytes, '.') >= 0)
        http_call_useful(c);
    return true;
}

static void test_on_body_gets_the_bytes_instead_of_reply(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), END);
    size_t got = 0;
    struct client_result r = {.call = {.on_body = count_bytes, .who = &got}};
    run(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(got, 5);
    assert_int_equal(r.body.len, 0);
}

static void test_on_body_may_refuse(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), END);
    struct client_result r = {.call = {.on_body = want_none}};
    expect_broken(&r, ERR_BAD_REPLY, "could not be used");
}

static void test_comments_do_not_keep_a_judged_call_alive(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
         SEND("1\r\n:\r\n"), PAUSE(10), SEND("1\r\n:\r\n"), PAUSE(10),
         SEND("1\r\n:\r\n"), PAUSE(10), SEND("1\r\n:\r\n"), PAUSE(10),
         SEND("1\r\n:\r\n"), PAUSE(10), SEND("1\r\n:\r\n"), STALL);
    struct client_result r = {.call = {.explicit_progress = true,
                                       .first_ms = 40,
                                       .on_body = call_dots_useful}};
    expect_broken(&r, ERR_TIMEOUT, "no answer in time");
}

static void test_useful_bytes_keep_a_judged_call_alive(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
         SEND("1\r\n.\r\n"), PAUSE(30), SEND("1\r\n.\r\n"), PAUSE(30),
         SEND("1\r\n.\r\n"), PAUSE(30), SEND("1\r\n.\r\n"), PAUSE(30),
         SEND("1\r\n.\r\n"), SEND("0\r\n\r\n"), END);
    struct client_result r = {.call = {.explicit_progress = true,
                                       .first_ms = 1000,
                                       .idle_ms = 100,
                                       .on_body = call_dots_useful}};
    bool stood_still = false;
    start(&r);
    while (!r.ended) {
        uint64_t from = clock_ms();
        loop_turn(true);
        stood_still |= clock_ms() - from > 60;
    }
    if (r.status != OK && stood_still)
        leave_out("the machine stands still");
    assert_int_equal(r.status, OK);
}

/* ---- cancel, permits ---------------------------------------------------- */

static void test_a_cancelled_call_closes_its_connection(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), STALL);
    struct client_result r = {0};
    struct flow *f = start(&r);
    while (!script_server_requests(server) || !r.call.reply.len)
        loop_turn(true);
    flow_cancel(f);
    finish(&r);
    assert_int_equal(r.status, ERR_CANCELLED);
    while (script_server_open_connections(server))
        loop_turn(true);
}

/* Cancels at the n-th turn, whatever the state of the call. */
static void test_a_call_can_be_cancelled_at_any_moment(void **state)
{
    (void)state;
    PLAY(DRIP("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), END);
    for (int turns = 0; turns < 60; turns++) {
        struct client_result r = {0};
        struct flow *f = start(&r);
        for (int i = 0; i < turns && !r.ended; i++)
            loop_turn(true);
        if (!r.ended)
            flow_cancel(f);
        finish(&r);
        assert_true(r.status == OK || r.status == ERR_CANCELLED);
        assert_int_equal(http_client_count().in_flight, 0);
    }
}

static bool cancel_inside(struct http_call *c, struct str bytes)
{
    (void)bytes;
    op_cancel(&c->op);
    return true;
}

static void test_a_call_can_be_cancelled_inside_curl(void **state)
{
    (void)state;
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), STALL);
    struct client_result r = {.call = {.on_body = cancel_inside}};
    run(&r);
    assert_int_equal(r.status, ERR_CANCELLED);
}

enum { MANY = 40 };

static void test_calls_beyond_the_permits_wait_in_order(void **state)
{
    (void)state;
    teardown(NULL);
    fds_before = open_fds();
    open_client(&(struct http_client_options){.permits = 3, .connects = 2});
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), END);
    static struct client_result r[MANY];
    memset(r, 0, sizeof r);
    for (int i = 0; i < MANY; i++)
        start(&r[i]);
    unsigned most = 0;
    for (int i = 0; i < MANY; i++) {
        while (!r[i].ended) {
            loop_turn(true);
            unsigned open = script_server_open_connections(server);
            most = open > most ? open : most;
        }
        assert_int_equal(r[i].status, OK);
        for (int j = i + 4; j < MANY; j++)
            assert_false(r[j].ended && !r[i].ended);
    }
    assert_in_range(most, 1, 3);
    assert_int_equal(script_server_requests(server), MANY);
}

static void test_who_waits_for_a_permit_has_a_deadline(void **state)
{
    (void)state;
    teardown(NULL);
    fds_before = open_fds();
    open_client(&(struct http_client_options){.permits = 1});
    PLAY(STALL);
    struct client_result first = {0}, second = {.call = {.total_ms = 30}};
    struct flow *f = start(&first);
    start(&second);
    finish(&second);
    assert_int_equal(second.status, ERR_TIMEOUT);
    assert_non_null(strstr(second.call.detail, "permit"));
    flow_cancel(f);
    finish(&first);
}

static void test_the_cancelled_in_the_queue_make_room(void **state)
{
    (void)state;
    teardown(NULL);
    fds_before = open_fds();
    open_client(&(struct http_client_options){.permits = 1});
    static const struct script_step stall[] = {STALL};
    static const struct script_step ok[] = {
        SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), END};
    static const struct script_step *const scripts[] = {stall, ok};
    script_server_play(server, scripts, 2);
    struct client_result r[4] = {0};
    struct flow *flows[4];
    for (int i = 0; i < 4; i++)
        flows[i] = start(&r[i]);
    while (!script_server_requests(server))
        loop_turn(true);
    assert_int_equal(http_client_count().waiting, 3);
    flow_cancel(flows[1]);
    flow_cancel(flows[0]);
    for (int i = 0; i < 4; i++)
        finish(&r[i]);
    assert_int_equal(r[0].status, ERR_CANCELLED);
    assert_int_equal(r[1].status, ERR_CANCELLED);
    assert_int_equal(r[2].status, OK);
    assert_int_equal(r[3].status, OK);
}

static void test_many_at_once_all_get_their_answer(void **state)
{
    (void)state;
    enum { N = 300 };
    PLAY(SEND("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), END);
    static struct client_result r[N];
    for (int round = 0; round < 2; round++) {
        memset(r, 0, sizeof r);
        for (int i = 0; i < N; i++)
            start(&r[i]);
        for (int i = 0; i < N; i++) {
            finish(&r[i]);
            assert_int_equal(r[i].status, OK);
        }
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(test_a_post_sends_its_body_and_gets_the_answer),
        CASE(test_other_methods_go_out_as_they_are),
        CASE(test_a_kept_connection_is_used_again),
        CASE(test_a_kept_connection_that_died_is_replaced),
        CASE(test_a_body_is_written_when_its_turn_has_come),
        CASE(test_a_body_is_written_again_for_another_connection),
        CASE(test_a_body_of_parts_is_sent_from_where_they_lie),
        CASE(test_one_byte_a_write_is_one_answer),
        CASE(test_an_error_status_is_an_answer),
        CASE(test_a_redirect_is_not_followed),
        CASE(test_a_unix_socket_is_an_address_too),
        CASE(test_retry_after_is_read_in_all_its_forms),
        CASE(test_a_closed_port_is_a_bad_gateway),
        CASE(test_what_is_no_http_address_is_refused),
        CASE(test_a_header_cannot_smuggle_another),
        CASE(test_half_a_head_and_silence_is_a_timeout),
        CASE(test_half_a_head_and_a_close_is_a_bad_gateway),
        CASE(test_a_stall_is_a_timeout),
        CASE(test_an_endless_answer_ends_at_its_total),
        CASE(test_a_flood_ends_at_the_cap),
        CASE(test_an_endless_head_ends_at_the_cap),
        CASE(test_a_reset_is_a_bad_gateway),
        CASE(test_a_cut_chunk_is_a_bad_gateway),
        CASE(test_a_short_body_is_a_bad_gateway),
        CASE(test_a_bad_chunk_size_is_a_bad_gateway),
        CASE(test_a_coded_body_is_refused),
        CASE(test_no_http_is_not_an_answer),
        CASE(test_on_body_gets_the_bytes_instead_of_reply),
        CASE(test_on_body_may_refuse),
        CASE(test_comments_do_not_keep_a_judged_call_alive),
        CASE(test_useful_bytes_keep_a_judged_call_alive),
        CASE(test_a_cancelled_call_closes_its_connection),
        CASE(test_a_call_can_be_cancelled_at_any_moment),
        CASE(test_a_call_can_be_cancelled_inside_curl),
        CASE(test_calls_beyond_the_permits_wait_in_order),
        CASE(test_who_waits_for_a_permit_has_a_deadline),
        CASE(test_the_cancelled_in_the_queue_make_room),
        CASE(test_many_at_once_all_get_their_answer),
    };
    return cmocka_run_group_tests(tests, warm_up, NULL);
}
