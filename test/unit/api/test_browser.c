/* Cookies and origins, as browsers and others write them. */
#include "auth/browser.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static void test_a_cookie_is_found_by_its_whole_name(void **state)
{
    (void)state;
    static const struct {
        const char *header, *value; /* NULL: none */
    } cases[] = {{"sid=abc", "abc"},
                 {"a=1; sid=abc; b=2", "abc"},
                 {"a=1;sid=abc", "abc"},
                 {" sid=abc ", "abc"},
                 {"sid=\"abc\"", "abc"},
                 {"sid=", ""},
                 {"sid=a=b", "a=b"},
                 {"sid=one; sid=two", "one"},
                 {"", NULL},
                 {"sid", NULL},
                 {"xsid=abc", NULL},
                 {"sidx=abc", NULL},
                 {"SID=abc", NULL},
                 {"a=sid=abc", NULL},
                 {";;; ;", NULL},
                 {"=abc", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str value = {"", 0};
        bool found = cookie_find(str_of(cases[i].header), "sid", &value);
        if (found != (cases[i].value != NULL) ||
            (found && !str_is(value, cases[i].value)))
            fail_msg("%s", cases[i].header);
    }
}

static void test_a_cookie_is_for_the_server_alone(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, 0);
    struct cookie c = {.name = "sid",
                       .path = "/api/auth",
                       .value = STR("x-_9"),
                       .lifetime_s = 60};
    assert_string_equal(cookie_write(&a, &c).ptr,
                        "sid=x-_9; Path=/api/auth; Max-Age=60; HttpOnly; "
                        "SameSite=Strict");
    c.secure = true;
    assert_true(str_ends(cookie_write(&a, &c), STR("; Secure")));
    arena_done(&a);
}

static void test_an_origin_is_that_of_the_host_it_asks(void **state)
{
    (void)state;
    static const struct {
        const char *origin, *host;
        bool same;
    } cases[] = {
        {"http://localhost:8080", "localhost:8080", true},
        {"https://data.example.org", "data.example.org", true},
        {"https://data.example.org", "data.example.org:443", true},
        {"http://data.example.org", "DATA.example.org:80", true},
        {"https://data.example.org", "data.example.org:80", false},
        {"https://data.example.org:8443", "data.example.org", false},
        {"https://evil.org", "data.example.org", false},
        {"https://data.example.org.evil.org", "data.example.org", false},
        {"https://data.example.org@evil.org", "data.example.org", false},
        {"null", "data.example.org", false},
        {"", "data.example.org", false},
        {"https://", "", false},
        {"file://", "", false},
        {"ftp://data.example.org", "data.example.org", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (origin_is_of(str_of(cases[i].origin), str_of(cases[i].host)) !=
            cases[i].same)
            fail_msg("%s of %s", cases[i].origin, cases[i].host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cookie_is_found_by_its_whole_name),
        cmocka_unit_test(test_a_cookie_is_for_the_server_alone),
        cmocka_unit_test(test_an_origin_is_that_of_the_host_it_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
