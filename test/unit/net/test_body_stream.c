/* Bodies that are read while they arrive: back-pressure, refusals, what breaks. */
#include "net_help.h"
#include "net/body_stream.h"
#include "loop/loop.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

#define POST(headers) "POST /up HTTP/1.1\r\nHost: a\r\n" headers "\r\n"

enum { LARGE = 8 * 1024 * 1024, HELD_MOST = 256 * 1024 };

/* One upload, and the flow that reads it. */
static struct reader {
    struct http_exchange *x;
    struct wait wait;
    bool holds;   /* takes nothing */
    size_t total; /* bytes taken */
    enum err broken;
    bool over;
} reader;

static bool streams_body(const struct http_exchange *x, void *who)
{
    (void)who;
    return str_starts(x->path, STR("/up"));
}

static struct next read_begin(struct flow *f)
{
    struct reader *r = locals(f, struct reader);
    struct str why, bytes = body_stream_bytes(r->x);
    r->total += bytes.len;
    body_stream_take(r->x, bytes.len);
    r->broken = body_stream_broken(r->x, &why);
    if (r->broken != OK) {
        http_reply_error(r->x, r->broken, why, (struct str){0});
        r->over = true;
        return back(f);
    }
    if (body_stream_is_whole(r->x)) {
        http_reply(r->x, 200, "text/plain", STR("whole"));
        r->over = true;
        return back(f);
    }
    body_stream_wait(f, &r->wait, r->x);
    return await(f, read_begin);
}

static void start_reading(void)
{
    reader.holds = false;
    flow_start(read_begin, &reader, &(struct flow_options){.kind = "reader"});
}

static void on_upload(struct http_exchange *x, void *who)
{
    (void)who;
    if (!str_starts(x->path, STR("/up"))) {
        http_reply(x, 200, "text/plain", STR("ok"));
        return;
    }
    reader.x = x;
    if (!reader.holds)
        start_reading();
}

static struct client *serve_uploads(struct http_limits limits)
{
    help.on_request = on_upload;
    help.streams_body = streams_body;
    help_serve(limits);
    return client_open(help.port);
}

static bool has_begun(void *unused)
{
    (void)unused;
    return reader.x != NULL;
}

static bool has_taken(void *bytes)
{
    return reader.total >= *(size_t *)bytes;
}

static bool is_over(void *unused)
{
    (void)unused;
    return reader.over;
}

static void send_large(struct client *c)
{
    char *bytes = calloc(1, LARGE);
    client_send(c, (struct str){bytes, LARGE});
    free(bytes);
}

static struct client *begin_upload(const char *head)
{
    reader = (struct reader){.holds = false};
    struct client *c = serve_uploads(http_default_limits);
    client_send_text(c, head);
    return c;
}

/* ---- reading ------------------------------------------------------------- */

static void test_bytes_are_read_before_the_body_is_whole(void **state)
{
    (void)state;
    struct client *c = begin_upload(POST("Content-Length: 8\r\n"));
    help_wait(has_begun, NULL);
    assert_int_equal(body_stream_length(reader.x), 8);
    client_send_text(c, "1234");
    size_t half = 4;
    help_wait(has_taken, &half);
    assert_false(reader.over);
    client_send_text(c, "5678GET /next HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_true(str_is(client_answer(c).body, "whole"));
    assert_int_equal(reader.total, 8);
    assert_true(str_is(client_answer(c).body, "ok"));
    client_close(c);
}

static void test_chunks_are_decoded(void **state)
{
    (void)state;
    struct client *c = begin_upload(POST("Transfer-Encoding: chunked\r\n"));
    help_wait(has_begun, NULL);
    assert_int_equal(body_stream_length(reader.x), -1);
    client_send_text(c, "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n");
    assert_int_equal(client_answer(c).status, 200);
    assert_int_equal(reader.total, 5);
    client_close(c);
}

static void test_a_body_larger_than_the_usual_limit_is_taken(void **state)
{
    (void)state;
    struct client *c = begin_upload(POST("Content-Length: 8388608\r\n"));
    send_large(c);
    assert_int_equal(client_answer(c).status, 200);
    assert_int_equal(reader.total, LARGE);
    client_send_text(c, "POST /other HTTP/1.1\r\nHost: a\r\n"
                        "Content-Length: 8388608\r\n\r\n");
    assert_int_equal(client_answer(c).status, 413); /* that has the limit */
    client_close(c);
}

static void test_who_does_not_take_holds_the_client_back(void **state)
{
    (void)state;
    reader = (struct reader){.holds = true};
    struct client *c = serve_uploads(http_default_limits);
    client_send_text(c, POST("Content-Length: 8388608\r\n"));
    help_wait(has_begun, NULL);
    char *piece = calloc(1, 65536);
    for (int i = 0; i < 8; i++) {
        client_send(c, (struct str){piece, 65536});
        help_turn_for(5);
        assert_in_range(body_stream_bytes(reader.x).len, 0, HELD_MOST);
    }
    assert_in_range(body_stream_bytes(reader.x).len, 1, HELD_MOST);
    start_reading();
    for (int i = 8; i < 128; i++)
        client_send(c, (struct str){piece, 65536});
    free(piece);
    assert_int_equal(client_answer(c).status, 200);
    assert_int_equal(reader.total, LARGE);
    client_close(c);
}

/* ---- refusals ------------------------------------------------------------ */

static void test_a_refused_upload_sees_its_answer(void **state)
{
    (void)state;
    reader = (struct reader){.holds = true};
    struct client *c = serve_uploads(http_default_limits);
    client_send_text(c, POST("Content-Length: 8388608\r\n"));
    help_wait(has_begun, NULL);
    http_reply_error(reader.x, ERR_FORBIDDEN, STR(""), STR(""));
    send_large(c); /* as a client that reads only when it has sent all */
    struct http_answer a = client_answer(c);
    assert_int_equal(a.status, 403);
    assert_true(str_is(answer_header(a, "Connection"), "close"));
    client_wait_end(c);
    assert_int_equal(c->error, 0); /* no reset */
    client_close(c);
}

static void test_who_waits_for_100_gets_it_when_the_body_is_wanted(void **state)
{
    (void)state;
    reader = (struct reader){.holds = true};
    struct client *c = serve_uploads(http_default_limits);
    client_send_text(c, POST("Content-Length: 3\r\nExpect: 100-continue\r\n"));
    help_wait(has_begun, NULL);
    help_turn_for(20);
    assert_int_equal(c->got.len, 0);
    start_reading();
    client_wait_text(c, "HTTP/1.1 100 Continue\r\n\r\n");
    buf_clear(&c->got);
    client_send_text(c, "abc");
    assert_int_equal(client_answer(c).status, 200);
    client_close(c);
}

static void test_who_is_refused_gets_no_100(void **state)
{
    (void)state;
    reader = (struct reader){.holds = true};
    struct client *c = serve_uploads(http_default_limits);
    client_send_text(c, POST("Content-Length: 3\r\nExpect: 100-continue\r\n"));
    help_wait(has_begun, NULL);
    http_reply_error(reader.x, ERR_UNAUTHORIZED, STR(""), STR(""));
    assert_int_equal(client_answer(c).status, 401);
    client_wait_end(c);
    client_close(c);
}

/* ---- what breaks --------------------------------------------------------- */

static void test_a_malformed_chunk_breaks_the_body(void **state)
{
    (void)state;
    struct client *c = begin_upload(POST("Transfer-Encoding: chunked\r\n"));
    client_send_text(c, "3\r\nabc\r\nx\r\nGET /smuggled HTTP/1.1\r\n\r\n");
    assert_int_equal(client_answer(c).status, 400);
    client_wait_end(c);
    assert_int_equal(help.smuggled, 0);
    client_close(c);
}

static void test_a_chunk_of_petabytes_breaks_the_body(void **state)
{
    (void)state;
    struct client *c = begin_upload(POST("Transfer-Encoding: chunked\r\n"));
    client_send_text(c, "fffffffffffff\r\nabc");
    assert_int_equal(client_answer(c).status, 413);
    client_close(c);
}

static void test_a_client_that_shuts_in_the_middle_is_told(void **state)
{
    (void)state;
    struct client *c = begin_upload(POST("Content-Length: 8\r\n"));
    client_send_text(c, "123");
    client_shut(c);
    assert_int_equal(client_answer(c).status, 400);
    client_close(c);
}

static void test_a_client_that_disconnects_ends_the_wait(void **state)
{
    (void)state;
    struct client *c = begin_upload(POST("Content-Length: 8\r\n"));
    help_wait(has_begun, NULL);
    client_reset(c);
    help_wait(is_over, NULL);
    assert_int_equal(reader.broken, ERR_CANCELLED);
}

static void test_a_client_that_sends_too_slowly_is_told(void **state)
{
    (void)state;
    reader = (struct reader){.holds = false};
    struct http_limits limits = http_default_limits;
    limits.body_ms = 50;
    struct client *c = serve_uploads(limits);
    client_send_text(c, POST("Content-Length: 8\r\n") "123");
    assert_int_equal(client_answer(c).status, 408);
    client_close(c);
}

static void test_a_client_that_is_held_back_is_not_too_slow(void **state)
{
    (void)state;
    reader = (struct reader){.holds = true};
    struct http_limits limits = http_default_limits;
    limits.body_ms = 30;
    struct client *c = serve_uploads(limits);
    client_send_text(c, POST("Content-Length: 262144\r\n"));
    char *bytes = calloc(1, 262144);
    client_send(c, (struct str){bytes, 262144});
    free(bytes);
    help_turn_for(150);
    start_reading();
    assert_int_equal(client_answer(c).status, 200);
    client_close(c);
}

int main(void)
{
#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, help_setup, help_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_bytes_are_read_before_the_body_is_whole),
        TEST(test_chunks_are_decoded),
        TEST(test_a_body_larger_than_the_usual_limit_is_taken),
        TEST(test_who_does_not_take_holds_the_client_back),
        TEST(test_a_refused_upload_sees_its_answer),
        TEST(test_who_waits_for_100_gets_it_when_the_body_is_wanted),
        TEST(test_who_is_refused_gets_no_100),
        TEST(test_a_malformed_chunk_breaks_the_body),
        TEST(test_a_chunk_of_petabytes_breaks_the_body),
        TEST(test_a_client_that_shuts_in_the_middle_is_told),
        TEST(test_a_client_that_disconnects_ends_the_wait),
        TEST(test_a_client_that_sends_too_slowly_is_told),
        TEST(test_a_client_that_is_held_back_is_not_too_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
