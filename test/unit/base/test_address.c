/* Addresses and networks, as people and proxies write them. */
#include "base/address.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static void test_an_address_is_read_however_a_proxy_writes_it(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"192.0.2.1", "192.0.2.1"},
                                           {"192.0.2.1:443", "192.0.2.1"},
                                           {"::ffff:192.0.2.1", "192.0.2.1"},
                                           {"2001:DB8::1", "2001:db8::1"},
                                           {"[2001:db8::1]", "2001:db8::1"},
                                           {"[2001:db8::1]:443", "2001:db8::1"},
                                           {"fe80::1%eth0", "fe80::1"},
                                           {"::1", "::1"},
                                           {"[::ffff:10.0.0.1]:5", "10.0.0.1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address a;
        char text[ADDRESS_TEXT_SIZE];
        assert_true(address_parse(str_of(cases[i][0]), &a));
        address_print(&a, text);
        assert_string_equal(text, cases[i][1]);
    }
}

static void test_what_is_no_address_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "unknown",
        "_hidden",
        "256.0.0.1",
        "1.2.3",
        "1.2.3.4.5",
        "01.2.3.4",
        "1.2.3.4:",
        "1.2.3.4:x",
        "1.2.3.4:99999",
        "[::1",
        "::1]",
        "[::1]x",
        "[::1]:x",
        "[]",
        "::1::",
        " 1.2.3.4",
        "1.2.3.4 ",
        "%eth0",
        "11111111111111111111111111111111111111111111111111111111"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address a;
        if (address_parse(str_of(cases[i]), &a))
            fail_msg("taken: %s", cases[i]);
    }
}

static bool has(const char *network, const char *address)
{
    struct network n;
    struct address a;
    assert_true(network_parse(str_of(network), &n));
    assert_true(address_parse(str_of(address), &a));
    return network_has(&n, &a);
}

static void test_a_network_has_its_addresses_and_no_others(void **state)
{
    (void)state;
    assert_true(has("10.0.0.0/8", "10.255.1.2"));
    assert_false(has("10.0.0.0/8", "11.0.0.0"));
    assert_true(has("10.0.0.0/8", "::ffff:10.1.1.1"));
    assert_true(has("172.16.0.0/12", "172.31.255.255"));
    assert_false(has("172.16.0.0/12", "172.32.0.0"));
    assert_true(has("192.0.2.7", "192.0.2.7"));
    assert_false(has("192.0.2.7", "192.0.2.8"));
    assert_true(has("0.0.0.0/0", "203.0.113.9"));
    assert_false(has("0.0.0.0/0", "2001:db8::1"));
    assert_true(has("2001:db8::/32", "2001:db8:ffff::1"));
    assert_false(has("2001:db8::/32", "2001:db9::1"));
    assert_true(has("::1", "::1"));
    assert_true(has("::/0", "1.2.3.4"));
}

static void test_what_is_no_network_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        "/8",
                                        "10.0.0.0/",
                                        "10.0.0.0/33",
                                        "10.0.0.0/-1",
                                        "10.0.0.0/x",
                                        "10.0.0.1/8",
                                        "10.0.0.0/8/8",
                                        "::1/129",
                                        "2001:db8::1/32",
                                        "localhost",
                                        "10.0.0.0/+8",
                                        "1.2.3.4:80",
                                        "[::1]",
                                        "fe80::1%eth0"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct network n;
        if (network_parse(str_of(cases[i]), &n))
            fail_msg("taken: %s", cases[i]);
    }
}

static void test_loopback_is_known_in_both_families(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{"127.0.0.1", true},    {"127.9.9.9", true},
                 {"::1", true},          {"::ffff:127.0.0.1", true},
                 {"10.0.0.1", false},    {"::2", false},
                 {"2001:db8::1", false}, {"::", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address a;
        assert_true(address_parse(str_of(cases[i].text), &a));
        assert_int_equal(address_is_loopback(&a), cases[i].is);
    }
}

static void test_addresses_of_one_link_are_known_in_both_families(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{"169.254.169.254", true}, {"::ffff:169.254.0.1", true},
                 {"fe80::1", true},         {"febf::1%eth0", true},
                 {"169.253.0.1", false},    {"fec0::1", false},
                 {"fd00::1", false},        {"127.0.0.1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address a;
        assert_true(address_parse(str_of(cases[i].text), &a));
        assert_int_equal(address_is_link_local(&a), cases[i].is);
    }
}

static void test_only_addresses_of_the_internet_are_public(void **state)
{
    (void)state;
    static const char *const public[] = {"1.1.1.1", "93.184.216.34",
                                         "172.32.0.1", "100.128.0.1",
                                         "2606:4700:4700::1111"};
    static const char *const others[] = {
        "0.0.0.0",       "10.0.0.1",        "100.64.0.1",
        "127.0.0.1",     "169.254.169.254", "172.16.0.1",
        "192.168.1.1",   "192.0.2.1",       "198.18.0.1",
        "224.0.0.1",     "255.255.255.255", "::",
        "::1",           "fe80::1",         "fc00::1",
        "fd00:ec2::254", "ff02::1",         "64:ff9b::7f00:1",
        "2002:7f00:1::", "2001:db8::1",     "::ffff:10.0.0.1",
        "2001:0:1::"};
    struct address a;
    for (size_t i = 0; i < sizeof public / sizeof *public; i++) {
        assert_true(address_parse(str_of(public[i]), &a));
        assert_true(address_is_public(&a));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_true(address_parse(str_of(others[i]), &a));
        if (address_is_public(&a))
            fail_msg("%s is not public", others[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_address_is_read_however_a_proxy_writes_it),
        cmocka_unit_test(test_what_is_no_address_is_refused),
        cmocka_unit_test(test_a_network_has_its_addresses_and_no_others),
        cmocka_unit_test(test_what_is_no_network_is_refused),
        cmocka_unit_test(test_loopback_is_known_in_both_families),
        cmocka_unit_test(test_addresses_of_one_link_are_known_in_both_families),
        cmocka_unit_test(test_only_addresses_of_the_internet_are_public),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
