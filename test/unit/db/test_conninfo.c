/* Addresses put together for libpq, and certificates as files in memory. */
#include "db/conninfo.h"
#include <libpq-fe.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/banned.h"

static const char *value_of(const PQconninfoOption *options, const char *key)
{
    while (strcmp(options->keyword, key) != 0)
        options++;
    return options->val;
}

static void test_libpq_reads_what_was_put_whatever_it_is(void **state)
{
    (void)state;
    static const char *const values[] = {
        "", "plain", "with blank", "it's", "back\\slash", "'' \\' host=evil"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct buf out;
        buf_init(&out, NULL);
        conninfo_put(&out, "password", str_of(values[i]));
        conninfo_put(&out, "host", STR("good"));
        PQconninfoOption *all = PQconninfoParse(buf_cstr(&out), NULL);
        assert_non_null(all);
        assert_string_equal(value_of(all, "password"), values[i]);
        assert_string_equal(value_of(all, "host"), "good");
        PQconninfoFree(all);
        buf_done(&out);
    }
}

#define BEGIN "-----BEGIN CERTIFICATE-----\n"
#define END "-----END CERTIFICATE-----\n"

static void test_what_holds_no_certificate_is_none(void **state)
{
    (void)state;
    assert_false(certificates_valid(STR("")));
    assert_false(certificates_valid(STR("root:x:0:0:root:/root:/bin/bash\n")));
    assert_false(certificates_valid(STR(BEGIN END)));
    assert_false(certificates_valid(STR(BEGIN "AAAA\n" END)));
    assert_false(certificates_valid(STR(BEGIN "%%%%\n" END)));
}

static void test_a_file_in_memory_is_read_by_its_name(void **state)
{
    (void)state;
    char read[64] = "", path[64];
    struct buf out;
    int fd = certificates_open(STR("some text"));
    assert_true(fd >= 0);
    buf_init(&out, NULL);
    conninfo_put_certificates(&out, fd);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    PQconninfoOption *all = PQconninfoParse(buf_cstr(&out), NULL);
    assert_string_equal(value_of(all, "sslrootcert"), path);
    for (int again = 0; again < 2; again++) {
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_int_equal(fread(read, 1, sizeof read - 1, file), 9);
        assert_string_equal(read, "some text");
        fclose(file);
    }
    PQconninfoFree(all);
    buf_done(&out);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_libpq_reads_what_was_put_whatever_it_is),
        cmocka_unit_test(test_what_holds_no_certificate_is_none),
        cmocka_unit_test(test_a_file_in_memory_is_read_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
