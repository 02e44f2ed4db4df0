/* The parser without a socket: what it refuses and accepts, in pieces of any
 * size, and that llhttp parses accepted requests in the same way. */
#include "http_cases.h"
#include "http_feed.h"
#include <llhttp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

/* A small random generator, so that a failing split is reproducible. */
static uint32_t seed;
static size_t below(size_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static size_t whole(size_t left)
{
    return left;
}

static size_t single(size_t left)
{
    (void)left;
    return 1;
}

static size_t any(size_t left)
{
    size_t n = 1 + below(below(4) ? 8 : 200);
    return n < left ? n : left;
}

typedef size_t cut_fn(size_t left);

static void feed_cut(struct feed *f, struct str bytes, cut_fn *cut,
                     void (*each)(struct feed *f, void *who), void *who)
{
    while (bytes.len) {
        size_t n = cut(bytes.len);
        feed_piece(f, str_cut(bytes, 0, n), each, who);
        bytes = str_from(bytes, n);
    }
}

static int status_of(const struct http_bad_case *c, cut_fn *cut)
{
    struct str behind = STR("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
    struct feed f;
    feed_open(&f);
    feed_cut(&f, c->bytes, cut, NULL, NULL);
    int status = f.status;
    feed_cut(&f, behind, cut, NULL, NULL);
    if (f.requests)
        print_error("taken: %s\n", c->what);
    assert_int_equal(f.requests, 0);
    feed_close(&f);
    return status;
}

static void test_every_bad_request_is_refused(void **state)
{
    (void)state;
    assert_true(n_bad_cases >= 150);
    for (size_t i = 0; i < n_bad_cases; i++) {
        int status = status_of(&bad_cases[i], whole);
        if (status != bad_cases[i].status)
            print_error("%s: %d\n", bad_cases[i].what, status);
        assert_int_equal(status, bad_cases[i].status);
    }
}

static void test_in_single_bytes_a_bad_request_is_refused_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_bad_cases; i++) {
        int status = status_of(&bad_cases[i], single);
        if (status != bad_cases[i].status)
            print_error("%s: %d\n", bad_cases[i].what, status);
        assert_int_equal(status, bad_cases[i].status);
    }
}

static void
test_in_random_pieces_a_bad_request_is_refused_the_same(void **state)
{
    (void)state;
    for (uint32_t round = 1; round <= 20; round++) {
        seed = round;
        for (size_t i = 0; i < n_bad_cases; i++)
            assert_int_equal(status_of(&bad_cases[i], any),
                             bad_cases[i].status);
    }
}

static void check_good(struct feed *f, void *who)
{
    const struct good_case *c = who;
    const struct http_exchange *x = &f->exchange;
    if (!str_is(x->path, c->path))
        print_error("%s: %.*s\n", c->what, STR_ARG(x->path));
    assert_true(str_is(x->method, c->method));
    assert_true(str_is(x->path, c->path));
    assert_true(str_is(x->query, c->query));
    assert_true(str_eq(x->body, c->body));
    assert_int_equal(f->parser.keep_alive, c->keep_alive);
}

static void take_good(const struct good_case *c, cut_fn *cut)
{
    struct feed f;
    feed_open(&f);
    feed_cut(&f, c->bytes, cut, check_good, (void *)c);
    if (f.status || f.requests != 1)
        print_error("%s: %d\n", c->what, f.status);
    assert_int_equal(f.status, 0);
    assert_int_equal(f.requests, 1);
    feed_close(&f);
}

static void test_every_good_request_is_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_good_cases; i++) {
        take_good(&good_cases[i], whole);
        take_good(&good_cases[i], single);
    }
}

static void test_in_random_pieces_a_good_request_is_taken(void **state)
{
    (void)state;
    for (uint32_t round = 1; round <= 200; round++) {
        seed = round;
        for (size_t i = 0; i < n_good_cases; i++)
            take_good(&good_cases[i], any);
    }
}

static void check_next(struct feed *f, void *who)
{
    size_t *i = who;
    check_good(f, (void *)&good_cases[*i]);
    ++*i;
}

static void test_requests_in_one_stream_are_told_apart(void **state)
{
    (void)state;
    for (uint32_t round = 1; round <= 100; round++) {
        seed = round;
        struct feed f;
        size_t next = 0;
        struct buf all;
        buf_init(&all, NULL);
        for (size_t i = 0; i < n_good_cases; i++)
            buf_str(&all, good_cases[i].bytes);
        feed_open(&f);
        feed_cut(&f, buf_view(&all), any, check_next, &next);
        assert_int_equal(f.status, 0);
        assert_int_equal(next, n_good_cases);
        feed_close(&f);
        buf_done(&all);
    }
}

static void test_nothing_behind_a_bad_request_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_bad_cases; i++) {
        struct feed f;
        struct buf all;
        buf_init(&all, NULL);
        buf_str(&all, good_cases[0].bytes);
        buf_str(&all, bad_cases[i].bytes);
        buf_str(&all, good_cases[0].bytes);
        feed_open(&f);
        feed_cut(&f, buf_view(&all), whole, NULL, NULL);
        assert_int_equal(f.requests, 1);
        assert_int_equal(f.status, bad_cases[i].status);
        feed_close(&f);
        buf_done(&all);
    }
}

/* ---- comparison with llhttp --------------------------------------------- */

struct parser_seen {
    struct buf body;
    int messages;
};

static int on_body(llhttp_t *p, const char *at, size_t len)
{
    buf_bytes(&((struct parser_seen *)p->data)->body, at, len);
    return 0;
}

static int on_message(llhttp_t *p)
{
    ((struct parser_seen *)p->data)->messages++;
    return 0;
}

static void test_llhttp_reads_the_same_body(void **state)
{
    (void)state;
    llhttp_settings_t settings;
    llhttp_settings_init(&settings);
    settings.on_body = on_body;
    settings.on_message_complete = on_message;
    for (size_t i = 0; i < n_good_cases; i++) {
        const struct good_case *c = &good_cases[i];
        struct parser_seen seen = {.messages = 0};
        buf_init(&seen.body, NULL);
        llhttp_t parser;
        llhttp_init(&parser, HTTP_REQUEST, &settings);
        parser.data = &seen;
        llhttp_errno_t rc = llhttp_execute(&parser, c->bytes.ptr, c->bytes.len);
        if (rc != HPE_PAUSED_UPGRADE) {
            assert_int_equal(rc, HPE_OK);
            assert_int_equal(seen.messages, 1);
            assert_true(str_eq(buf_view(&seen.body), c->body));
        }
        buf_done(&seen.body);
    }
}

/* ---- whom it is sent to (RFC 9112, 3.2.2) -------------------------------- */

static void check_host(struct feed *f, void *host)
{
    assert_true(str_is(f->exchange.host, host));
}

static void sent_to(const char *request, const char *host)
{
    struct feed f;
    feed_open(&f);
    feed_piece(&f, str_of(request), check_host, (void *)host);
    assert_int_equal(f.requests, 1);
    feed_close(&f);
}

static void test_the_host_is_the_targets_or_else_that_of_host(void **state)
{
    (void)state;
    sent_to("GET / HTTP/1.1\r\nHost: a:80\r\n\r\n", "a:80");
    sent_to("GET http://b/ HTTP/1.1\r\nHost: a:80\r\n\r\n", "b");
    sent_to("GET http://[::1]:81 HTTP/1.0\r\n\r\n", "[::1]:81");
    sent_to("GET / HTTP/1.0\r\n\r\n", "");
}

/* ---- names in a path ---------------------------------------------------- */

/* The path that a target has below "/names/"; "": it is refused. */
static void target_is(const char *target, const char *path)
{
    struct http_exchange x = {.method = STR("GET"),
                              .target = str_of(target),
                              .names_under = "/names/"};
    arena_init(&x.arena, 0);
    if (*path) {
        assert_null(http_target_read(&x));
        assert_true(str_is(x.path, path));
    } else {
        assert_non_null(http_target_read(&x));
    }
    arena_done(&x.arena);
}

static void test_a_name_may_have_encoded_slashes(void **state)
{
    (void)state;
    target_is("/names/a%2Fb/c?d", "/names/a\x7f"
                                  "b/c");
    target_is("/names/%2f", "/names/\x7f");
    target_is("/names/..%2F..%2Fetc/x", "/names/..\x7f..\x7f"
                                        "etc/x");
    target_is("/names/%252F/x", "/names/%2F/x");
    target_is("/names/a%5Cb/x", "/names/a\\b/x");
    target_is("http://h/names/a%2Fb", "/names/a\x7f"
                                      "b");
    target_is("/names/%2E%2E/x", "");
    target_is("/names/../x", "");
    target_is("/names/a%7Fb", "");
    target_is("/names/a%00b", "");
    target_is("/names/%2", "");
    target_is("/names%2Fa", "");
    target_is("/other/a%2Fb", "");
    target_is("/other/names/a%2Fb", "");
}

/* ---- queries ------------------------------------------------------------ */

static void test_a_query_is_decoded(void **state)
{
    (void)state;
    struct http_exchange x = {.query = STR("a=1&b=x+y%2b&c&d=&e=%zz&%66=%C3%A9"
                                           "&a=2&g=%00&h=%ff&=z")};
    struct str v;
    arena_init(&x.arena, 0);
    assert_true(http_get_query(&x, "a", &v) && str_is(v, "1"));
    assert_true(http_get_query(&x, "b", &v) && str_is(v, "x y+"));
    assert_true(http_get_query(&x, "c", &v) && v.len == 0);
    assert_true(http_get_query(&x, "d", &v) && v.len == 0);
    assert_true(http_get_query(&x, "f", &v) && str_is(v, "\xc3\xa9"));
    assert_false(http_get_query(&x, "e", &v));
    assert_false(http_get_query(&x, "g", &v));
    assert_false(http_get_query(&x, "h", &v));
    assert_false(http_get_query(&x, "i", &v));
    arena_done(&x.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bad_request_is_refused),
        cmocka_unit_test(
            test_in_single_bytes_a_bad_request_is_refused_the_same),
        cmocka_unit_test(
            test_in_random_pieces_a_bad_request_is_refused_the_same),
        cmocka_unit_test(test_every_good_request_is_taken),
        cmocka_unit_test(test_in_random_pieces_a_good_request_is_taken),
        cmocka_unit_test(test_requests_in_one_stream_are_told_apart),
        cmocka_unit_test(test_nothing_behind_a_bad_request_is_read),
        cmocka_unit_test(test_llhttp_reads_the_same_body),
        cmocka_unit_test(test_the_host_is_the_targets_or_else_that_of_host),
        cmocka_unit_test(test_a_name_may_have_encoded_slashes),
        cmocka_unit_test(test_a_query_is_decoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
