/* Name lookups: how many there are, and that a dead resolver does not block
 * other calls. The test controls the resolver. */
#include "base/arena.h"
#include "loop/loop.h"
#include "net/http_client.h"
#include "resolver.h"
#include "script_server.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct script_step ok_[] = {
    {SCRIPT_SEND, {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 40}, 0},
    END};
static const struct script_step *const scripts[] = {ok_};

static struct script_server *server;
static struct arena arena;

/* ---- a resolver for tests ----------------------------------------------- */

static enum { ANSWER, FAIL, HANG } manner;
static unsigned asked;
static struct {
    uv_getaddrinfo_t *request;
    uv_getaddrinfo_cb done;
    struct timer timer;
} held;

static void answer_no(struct timer *t)
{
    (void)t;
    held.done(held.request, UV_EAI_NONAME, NULL);
    held.request = NULL;
}

static int ask(uv_loop_t *loop, uv_getaddrinfo_t *request,
               uv_getaddrinfo_cb done, const char *node, const char *service,
               const struct addrinfo *hints)
{
    asked++;
    assert_string_equal(node, "model.test");
    if (manner == ANSWER)
        return uv_getaddrinfo(loop, request, done, "127.0.0.1", service, hints);
    held.request = request;
    held.done = done;
    if (manner == FAIL)
        timer_start(&held.timer, 1, answer_no);
    return 0;
}

static int setup(void **state)
{
    (void)state;
    loop_open();
    http_client_open(&(struct http_client_options){0});
    server = script_server_open(NULL);
    script_server_play(server, scripts, 1);
    arena_init(&arena, 0);
    asked = 0;
    resolver_getaddrinfo = ask;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    script_server_close(&server);
    http_client_close();
    if (held.request)
        answer_no(NULL); /* after the client has closed */
    loop_close();
    arena_done(&arena);
    return 0;
}

/* ---- calls -------------------------------------------------------------- */

struct lookup_result {
    struct http_call call;
    enum err status;
    bool ended;
};

static struct next answered(struct flow *f)
{
    struct lookup_result *r = locals(f, struct lookup_result);
    r->status = r->call.op.status;
    return back(f);
}

static struct next call_begin(struct flow *f)
{
    struct lookup_result *r = locals(f, struct lookup_result);
    http_call_begin(f, &r->call);
    op_tolerate(&r->call.op);
    return await(f, answered);
}

static void on_end(struct flow *f, enum err how, void *who)
{
    struct lookup_result *r = who;
    (void)f;
    r->ended = true;
    if (how != OK)
        r->status = how;
}

static struct flow *start(struct lookup_result *r, int port)
{
    if (!r->call.url.ptr)
        r->call.url = arena_printf(&arena, "http://model.test:%d/", port);
    return flow_start(
        call_begin, r,
        &(struct flow_options){.kind = "test", .on_end = on_end, .who = r});
}

static void finish(struct lookup_result *r)
{
    while (!r->ended)
        loop_turn(true);
}

static void test_a_name_is_asked_for_once(void **state)
{
    (void)state;
    struct lookup_result r[20] = {0};
    manner = ANSWER;
    for (int i = 0; i < 20; i++)
        start(&r[i], script_server_port(server));
    for (int i = 0; i < 20; i++) {
        finish(&r[i]);
        assert_int_equal(r[i].status, OK);
    }
    struct lookup_result later = {0};
    start(&later, script_server_port(server));
    finish(&later);
    assert_int_equal(asked, 1);
    struct str host = arena_printf(&arena, "Host: model.test:%d\r\n",
                                   script_server_port(server));
    assert_true(str_find(script_server_head(server), host) > 0);
}

static void test_an_unknown_name_is_a_bad_gateway(void **state)
{
    (void)state;
    manner = FAIL;
    for (int i = 0; i < 3; i++) {
        struct lookup_result r = {0};
        start(&r, 80);
        finish(&r);
        assert_int_equal(r.status, ERR_BAD_GATEWAY);
        assert_non_null(strstr(r.call.detail, "no address"));
    }
    assert_int_equal(asked, 1); /* failures are cached for a second */
}

static void test_a_dead_resolver_harms_nobody_else(void **state)
{
    (void)state;
    manner = HANG;
    struct lookup_result lost = {.call = {.connect_ms = 40}};
    start(&lost, 80);
    struct lookup_result other = {0};
    other.call.url = arena_printf(&arena, "http://127.0.0.1:%d/",
                                  script_server_port(server));
    start(&other, 0);
    finish(&other);
    assert_int_equal(other.status, OK);
    assert_false(lost.ended);
    finish(&lost);
    assert_int_equal(lost.status, ERR_TIMEOUT);
    assert_non_null(strstr(lost.call.detail, "name"));
}

static void test_who_waits_for_a_name_can_be_cancelled(void **state)
{
    (void)state;
    manner = HANG;
    struct lookup_result r[2] = {0};
    struct flow *flows[2];
    for (int i = 0; i < 2; i++)
        flows[i] = start(&r[i], 80);
    while (!asked)
        loop_turn(true);
    flow_cancel(flows[0]);
    flow_cancel(flows[1]);
    finish(&r[0]);
    finish(&r[1]);
    assert_int_equal(r[0].status, ERR_CANCELLED);
    assert_int_equal(asked, 1);
}

static void test_an_address_nobody_answers_at_is_doubted(void **state)
{
    (void)state;
    manner = ANSWER;
    struct script_server *gone = script_server_open(NULL);
    int port = script_server_port(gone);
    script_server_close(&gone);
    loop_turn(false);
    struct lookup_result bad = {0}, again = {0};
    start(&bad, port);
    finish(&bad);
    assert_int_equal(bad.status, ERR_BAD_GATEWAY);
    start(&again, port);
    finish(&again);
    assert_int_equal(asked, 2);
}

static void test_a_proxy_is_asked_instead(void **state)
{
    (void)state;
    char proxy[64];
    int port = script_server_port(server);
    http_client_close();
    loop_turn(false);
    snprintf(proxy, sizeof proxy, "http://127.0.0.1:%d", port);
    http_client_open(&(struct http_client_options){.proxy = proxy});
    struct lookup_result r = {.call = {.url = STR("http://model.test/x")}};
    start(&r, 0);
    finish(&r);
    assert_int_equal(r.status, OK);
    assert_int_equal(asked, 0); /* the proxy looks the name up */
    assert_true(str_starts(script_server_head(server),
                           STR("GET http://model.test/x HTTP/1.1\r\n")));
    http_client_close();
    loop_turn(false);
    http_client_open(&(struct http_client_options){0});
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(test_a_name_is_asked_for_once),
        CASE(test_an_unknown_name_is_a_bad_gateway),
        CASE(test_a_dead_resolver_harms_nobody_else),
        CASE(test_who_waits_for_a_name_can_be_cancelled),
        CASE(test_an_address_nobody_answers_at_is_doubted),
        CASE(test_a_proxy_is_asked_instead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
