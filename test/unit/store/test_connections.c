/* Addresses of databases, as people write them. */
#include "store/connections.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

struct url_case {
    const char *url;
    const char *host, *database, *user, *password; /* host NULL: refused */
    int port;
    enum tls_mode tls;
    const char *root; /* sslrootcert */
};

static const struct url_case cases[] = {
    {"postgresql://u@h/d", "h", "d", "u", "", 5432, 0, ""},
    {"postgres://u:p@h:6543/d", "h", "d", "u", "p", 6543, 0, ""},
    {"postgresql://u:p%40ss%2Fw%25@h/d", "h", "d", "u", "p@ss/w%", 5432, 0, ""},
    {"postgresql://u:a@b@h/d", "h", "d", "u", "a@b", 5432, 0, ""},
    {"postgresql://u:a:b@h/d", "h", "d", "u", "a:b", 5432, 0, ""},
    {"postgresql://u%20x:@h/d%2d", "h", "d-", "u x", "", 5432, 0, ""},
    {"postgresql://u@[::1]/d", "::1", "d", "u", "", 5432, 0, ""},
    {"postgresql://u@[2001:db8::1]:5433/d", "2001:db8::1", "d", "u", "", 5433,
     0, ""},
    {"postgresql://u@h/d?sslmode=require", "h", "d", "u", "", 5432, TLS_REQUIRE,
     ""},
    {"postgresql://u@h/d?sslmode=disable", "h", "d", "u", "", 5432, 0, ""},
    {"postgresql://u@h/d?sslmode=verify-full", "h", "d", "u", "", 5432,
     TLS_VERIFY_FULL, ""},
    {"postgresql://u@h/d?sslmode=verify-ca&sslrootcert=/etc/our%20ca.pem", "h",
     "d", "u", "", 5432, TLS_VERIFY_CA, "/etc/our ca.pem"},
    {"postgresql://u@h/d?sslrootcert=ca.pem&sslmode=require", "h", "d", "u", "",
     5432, TLS_VERIFY_CA, "ca.pem"},
    {"postgresql://u@h/d?sslmode=verify-full&sslrootcert=system", "h", "d", "u",
     "", 5432, TLS_VERIFY_FULL, ""},
    {"postgresql://u@h/d?sslrootcert=ca.pem", .host = NULL},
    {"postgresql://u@h/d?sslmode=verify", .host = NULL},
    {"postgresql://u@h/d?sslmode=", .host = NULL},
    {"postgresql://u@h/d?sslmode", .host = NULL},
    {"postgresql://u@h/d?sslmode=prefer", "h", "d", "u", "", 5432, 0, ""},
    {"postgresql://u@h/d?", "h", "d", "u", "", 5432, 0, ""},
    {"trino://u:p@h/c/s", "h", "c", "u", "p", 8443, TLS_VERIFY_FULL, ""},
    {"trino://u@h:443/c", "h", "c", "u", "", 443, TLS_VERIFY_FULL, ""},
    {"trino://u@h/c?sslmode=disable", "h", "c", "u", "", 8080, 0, ""},
    {"trino://u:tok.en@h/c/s?auth=jwt&sslrootcert=ca.pem", "h", "c", "u",
     "tok.en", 8443, TLS_VERIFY_FULL, "ca.pem"},
    /* a secret would be sent without TLS */
    {"trino://u:p@h/c?sslmode=disable", .host = NULL},
    {"trino://u@h/c?auth=kerberos", .host = NULL},
    {"trino://u@h/", .host = NULL},
    {"trino://u@h//s", .host = NULL},
    {"postgresql://u@h/d?auth=jwt", .host = NULL},
    {"mysql://u@h/d", .host = NULL},
    {"", .host = NULL},
    {"postgresql://", .host = NULL},
    {"postgresql://u@h", .host = NULL},
    {"postgresql://u@h/", .host = NULL},
    {"postgresql://h/d", .host = NULL},
    {"postgresql://@h/d", .host = NULL},
    {"postgresql://:p@h/d", .host = NULL},
    {"postgresql://u@/d", .host = NULL},
    {"postgresql://u@h:/d", .host = NULL},
    {"postgresql://u@h:x/d", .host = NULL},
    {"postgresql://u@h:0/d", .host = NULL},
    {"postgresql://u@h:65536/d", .host = NULL},
    {"postgresql://u@h:-1/d", .host = NULL},
    {"postgresql://u@h:99999999999999999999/d", .host = NULL},
    {"postgresql://u@::1/d", .host = NULL},
    {"postgresql://u@[::1/d", .host = NULL},
    {"postgresql://u@::1]/d", .host = NULL},
    {"postgresql://u@[::1]x/d", .host = NULL},
    {"postgresql://u@[]/d", .host = NULL},
    {"postgresql://u:%zz@h/d", .host = NULL},
    {"postgresql://u:%4@h/d", .host = NULL},
    {"postgresql://u:%@h/d", .host = NULL},
    {"postgresql://u:a%00b@h/d", .host = NULL},
    {"postgresql://u@h/d?host=/tmp", .host = NULL},
    {"postgresql://u@h/d?sslmode=require&options=-c", .host = NULL},
};

static bool is(struct str s, const char *wanted)
{
    return str_is(s, wanted);
}

static bool holds(const struct url_case *c, struct arena *arena)
{
    struct connection_add out = {0};
    struct str why = {0}, root = {0};
    bool ok = connection_parse_url(arena, str_of(c->url), &out, &root, &why);
    if (!c->host)
        return !ok && why.len;
    return ok && is(out.host, c->host) && is(out.database, c->database) &&
           is(out.username, c->user) && is(out.password, c->password) &&
           out.port == c->port && out.tls == c->tls && is(root, c->root);
}

static void test_a_trino_address_has_a_schema_and_a_token(void **state)
{
    struct arena arena;
    struct connection_add out = {0};
    struct str why, root;
    (void)state;
    arena_init(&arena, 0);
    assert_true(connection_parse_url(
        &arena, STR("trino://u:x@h/lake/my%20sales?auth=jwt"), &out, &root,
        &why));
    assert_int_equal(out.type, CONNECTION_TRINO);
    assert_true(is(out.schema, "my sales") && out.token);
    arena_done(&arena);
}

static void test_addresses_are_taken_apart_or_refused(void **state)
{
    (void)state;
    struct arena arena;
    int wrong = 0;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!holds(&cases[i], &arena)) {
            print_message("# wrong: %s\n", cases[i].url);
            wrong++;
        }
    arena_done(&arena);
    assert_int_equal(wrong, 0);
}

/* ---- hosts that may be asked
 * ---------------------------------------------- */

static bool allowed(const char *const *hosts, const char *host)
{
    struct store store = {.source_hosts = hosts};
    return source_host_allowed(&store, str_of(host));
}

static void test_hosts_are_kept_to_the_list(void **state)
{
    static const char *const hosts[] = {"db.example.org", "*.shop.example.org",
                                        "192.0.2.7",      "10.0.0.0/8",
                                        "2001:db8::/32",  NULL};
    static const char *const good[] = {
        "db.example.org",       "DB.Example.ORG",  "a.shop.example.org",
        "a.b.shop.example.org", "192.0.2.7",       "10.1.2.3",
        "2001:db8::1",          "::ffff:10.0.0.1", NULL};
    static const char *const bad[] = {"example.org",
                                      "xdb.example.org",
                                      "db.example.org.evil.net",
                                      "shop.example.org",
                                      "xshop.example.org",
                                      "192.0.2.8",
                                      "11.0.0.1",
                                      "10.0.0.1.evil.net",
                                      "2001:db9::1",
                                      "localhost",
                                      "",
                                      NULL};
    (void)state;
    for (int i = 0; good[i]; i++)
        if (!allowed(hosts, good[i]))
            fail_msg("%s is refused", good[i]);
    for (int i = 0; bad[i]; i++)
        if (allowed(hosts, bad[i]))
            fail_msg("%s is allowed", bad[i]);
    assert_true(allowed(NULL, "anything"));
    assert_true(allowed((const char *const[]){NULL}, "anything"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses_are_taken_apart_or_refused),
        cmocka_unit_test(test_a_trino_address_has_a_schema_and_a_token),
        cmocka_unit_test(test_hosts_are_kept_to_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
