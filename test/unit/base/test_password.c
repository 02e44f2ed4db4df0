/* Password hashes and generated passwords. */
#include "base/crypto.h"
#include "base/password.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static void test_a_password_matches_its_own_hash_alone(void **state)
{
    (void)state;
    char one[PASSWORD_HASH_SIZE], two[PASSWORD_HASH_SIZE];
    assert_true(password_hash(STR("correct horse"), one));
    assert_true(password_hash(STR("correct horse"), two));
    assert_string_not_equal(one, two);
    assert_true(password_matches(STR("correct horse"), one));
    assert_true(password_matches(STR("correct horse"), two));
    assert_false(password_matches(STR("correct horsf"), one));
    assert_false(password_matches(STR(""), one));
    assert_false(password_matches(STR("correct horse\0x"), one));
}

static void test_a_hash_says_that_it_is_argon2id_with_19_MiB(void **state)
{
    (void)state;
    static const char head[] = "$argon2id$v=19$m=19456,t=2,p=1$";
    char hash[PASSWORD_HASH_SIZE];
    assert_true(password_hash(STR("x"), hash));
    assert_memory_equal(hash, head, sizeof head - 1);
}

static void test_no_password_matches_nothing(void **state)
{
    (void)state;
    assert_false(password_matches(STR("anything"), NULL));
    assert_false(password_matches(STR("anything"), ""));
    assert_false(password_matches(STR(""), ""));
    assert_false(password_matches(STR("anything"), "no hash at all"));
}

static void test_new_passwords_differ(void **state)
{
    (void)state;
    char one[PASSWORD_NEW_SIZE], two[PASSWORD_NEW_SIZE];
    password_new(one);
    password_new(two);
    assert_int_equal(strlen(one), PASSWORD_NEW_SIZE - 1);
    assert_int_equal(one[5], '-');
    assert_string_not_equal(one, two);
}

static int setup(void **state)
{
    (void)state;
    crypto_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_password_matches_its_own_hash_alone),
        cmocka_unit_test(test_a_hash_says_that_it_is_argon2id_with_19_MiB),
        cmocka_unit_test(test_no_password_matches_nothing),
        cmocka_unit_test(test_new_passwords_differ),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
