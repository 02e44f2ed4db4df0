/* Routes for methods and paths, as a table. */
#include "net/router.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static const struct route routes[] = {
    {"GET", "/", "root"},
    {"GET", "/api/chats", "list"},
    {"POST", "/api/chats", "create"},
    {"GET", "/api/chats/:chatId", "get"},
    {"DELETE", "/api/chats/:chatId", "delete"},
    {"GET", "/api/chats/share", "share"},
    {"GET", "/api/chats/:chatId/messages", "messages"},
    {"POST", "/api/chats/:chatId/messages/:messageId/stream", "stream"},
    {"GET", "/api/chats/share/:token", "shared"},
    {"POST", "/api/users/:id/roles", "roles"},
    {"PUT", "/api/users/:userId/roles", "put roles"},
    {"GET", "/api/:a/:b/:c/:d", "four"},
    {"HEAD", "/probe", "probe head"},
    {"GET", "/probe", "probe"},
    {"OPTIONS", "/only", "options"},
};

static const struct {
    const char *method, *path, *target; /* NULL: none */
    const char *allow;                  /* NULL: no such path */
    const char *params;                 /* "name=value " each */
} cases[] = {
    {"GET", "/", "root", "GET, HEAD", ""},
    {"GET", "/api/chats", "list", "GET, HEAD, POST", ""},
    {"HEAD", "/api/chats", "list", "GET, HEAD, POST", ""},
    {"POST", "/api/chats", "create", "GET, HEAD, POST", ""},
    {"PUT", "/api/chats", NULL, "GET, HEAD, POST", ""},
    {"get", "/api/chats", NULL, "GET, HEAD, POST", ""},
    {"GET", "/api/chats/", NULL, NULL, ""},
    {"GET", "/api/chats/17", "get", "GET, HEAD, DELETE", "chatId=17 "},
    {"DELETE", "/api/chats/17", "delete", "GET, HEAD, DELETE", "chatId=17 "},
    {"GET", "/api/chats/share", "share", "GET, HEAD", ""},
    {"DELETE", "/api/chats/share", NULL, "GET, HEAD", ""},
    {"GET", "/api/chats/share/t", "shared", "GET, HEAD", "token=t "},
    {"GET", "/api/chats/share/messages", "shared", "GET, HEAD",
     "token=messages "},
    {"GET", "/api/chats/x/messages", "messages", "GET, HEAD", "chatId=x "},
    {"POST", "/api/chats/x/messages/y/stream", "stream", "POST",
     "chatId=x messageId=y "},
    {"POST", "/api/chats/share/messages/y/stream", "stream", "POST",
     "chatId=share messageId=y "},
    {"HEAD", "/api/chats/x/messages/y/stream", NULL, "POST", ""},
    {"POST", "/api/users/5/roles", "roles", "POST, PUT", "id=5 "},
    {"PUT", "/api/users/5/roles", "put roles", "POST, PUT", "userId=5 "},
    {"GET", "/api/1/2/3/4", "four", "GET, HEAD", "a=1 b=2 c=3 d=4 "},
    {"GET", "/api/chats/2/messages/4", "four", "GET, HEAD",
     "a=chats b=2 c=messages d=4 "},
    {"GET", "/api/1/2/3", NULL, NULL, ""},
    {"GET", "/api/1/2/3/4/5", NULL, NULL, ""},
    {"GET", "/api//2/3/4", NULL, NULL, ""},
    {"HEAD", "/probe", "probe head", "HEAD, GET", ""},
    {"GET", "/probe", "probe", "HEAD, GET", ""},
    {"OPTIONS", "/only", "options", "OPTIONS", ""},
    {"GET", "/only", NULL, "OPTIONS", ""},
    {"GET", "/api", NULL, NULL, ""},
    {"GET", "/API/chats", NULL, NULL, ""},
    {"GET", "//", NULL, NULL, ""},
    {"GET", "", NULL, NULL, ""},
    {"GET", "*", NULL, NULL, ""},
    {"GET", "api/chats", NULL, NULL, ""},
};

static void check_params(const struct route_match *m, const char *wanted)
{
    struct buf b;
    buf_init(&b, NULL);
    for (size_t i = 0; i < m->n_params; i++)
        buf_printf(&b, "%.*s=%.*s ", STR_ARG(m->params[i].name),
                   STR_ARG(m->params[i].value));
    assert_string_equal(buf_cstr(&b), wanted);
    buf_done(&b);
}

static void test_the_table_holds(void **state)
{
    (void)state;
    struct router *r = router_new(routes, sizeof routes / sizeof *routes);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct route_match m;
        router_find(r, str_of(cases[i].method), str_of(cases[i].path), &m);
        if ((m.route != NULL) != (cases[i].target != NULL))
            print_error("%s %s\n", cases[i].method, cases[i].path);
        assert_int_equal(m.route != NULL, cases[i].target != NULL);
        if (m.route)
            assert_string_equal(m.route->target, cases[i].target);
        assert_int_equal(m.path_known, cases[i].allow != NULL);
        assert_string_equal(m.allow, cases[i].allow ? cases[i].allow : "");
        check_params(&m, cases[i].params);
    }
    router_free(r);
}

static void test_all_methods_fit_into_allow(void **state)
{
    (void)state;
    static const struct route all[] = {
        {"GET", "/a", "1"},   {"POST", "/a", "2"},   {"PUT", "/a", "3"},
        {"PATCH", "/a", "4"}, {"DELETE", "/a", "5"}, {"OPTIONS", "/a", "6"},
    };
    struct route_match m;
    struct router *r = router_new(all, 6);
    router_find(r, STR("TRACE"), STR("/a"), &m);
    assert_string_equal(m.allow,
                        "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    router_free(r);
}

static void test_an_empty_table_knows_nothing(void **state)
{
    (void)state;
    struct route_match m;
    struct router *r = router_new(NULL, 0);
    router_find(r, STR("GET"), STR("/"), &m);
    assert_false(m.path_known);
    router_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table_holds),
        cmocka_unit_test(test_all_methods_fit_into_allow),
        cmocka_unit_test(test_an_empty_table_knows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
