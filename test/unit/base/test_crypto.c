/* Published test vectors, and ciphertexts that must not open. */
#include "base/crypto.h"
#include "base_test.h"
#include "base/banned.h"

static struct arena a;

static int setup(void **state)
{
    (void)state;
    crypto_init();
    arena_init(&a, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_done(&a);
    return 0;
}

static void test_digests_are_those_of_the_standards(void **state)
{
    (void)state;
    uint8_t out[SHA256_SIZE];
    sha256(STR("abc"), out); /* FIPS 180-4, example */
    assert_true(str_is(hex_encode(&a, out, sizeof out),
                       "ba7816bf8f01cfea414140de5dae2223"
                       "b00361a396177a9cb410ff61f20015ad"));
    hmac_sha256(STR("Jefe"), STR("what do ya want for nothing?"), out);
    assert_true(str_is(hex_encode(&a, out, sizeof out), /* RFC 4231, 4.3 */
                       "5bdcc146bf60754e6a042426089575c7"
                       "5a003f089d2739839dec58b964ec3843"));
}

static void test_hexadecimal_digits_come_in_pairs(void **state)
{
    (void)state;
    struct str out = {0};
    assert_true(hex_decode(&a, STR("00fFa1"), &out));
    assert_true(str_eq(out, (struct str){"\0\xff\xa1", 3}));
    assert_true(hex_decode(&a, STR(""), &out));
    assert_int_equal(out.len, 0);
    static const char *const bad[] = {"0", "012", "0g", "g0", "0 ", "00:01"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(hex_decode(&a, str_of(bad[i]), &out));
}

static void test_base64_is_that_of_rfc_4648(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {{"", "", ""},
                                           {"f", "Zg==", "Zg"},
                                           {"fo", "Zm8=", "Zm8"},
                                           {"foo", "Zm9v", "Zm9v"},
                                           {"foob", "Zm9vYg==", "Zm9vYg"},
                                           {"fooba", "Zm9vYmE=", "Zm9vYmE"},
                                           {"\xfb\xff\xbf", "+/+/", "-_-_"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct str back, plain = str_of(pairs[i][0]);
        assert_true(str_is(base64_encode(&a, plain), pairs[i][1]));
        assert_true(str_is(base64url_encode(&a, plain), pairs[i][2]));
        assert_true(base64_decode(&a, str_of(pairs[i][1]), &back));
        assert_true(str_eq(back, plain));
        assert_true(base64url_decode(&a, str_of(pairs[i][2]), &back));
        assert_true(str_eq(back, plain));
    }
}

static void test_only_the_canonical_base64url_is_taken(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "Zg==",  "Zg=",       "Zh",     "Zm9",  "Z",    "Zm9vY",
        "Zm 9v", "Zm9v\n",    "\nZm9v", "Zm9+", "Zm9/", "Zm9v=",
        "Zm9*",  "Z\xc3\xa9", "Zm9vYf", "====", "-",    "Zm9vZh"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct str text = str_of(bad[i]), out;
        bool taken = base64url_decode(&a, text, &out);
        if (taken)
            print_message("# %.*s was taken\n", STR_ARG(text));
        assert_false(taken);
    }
}

static void test_a_sealed_text_opens_with_its_key_alone(void **state)
{
    (void)state;
    const uint8_t key[SEAL_KEY_SIZE] = {1, 2, 3},
                  other[SEAL_KEY_SIZE] = {1, 2, 4};
    struct str text = STR("p\0ss"), back;
    struct str sealed = seal(&a, key, text), again = seal(&a, key, text);
    assert_false(str_eq(sealed, again)); /* each has its own nonce */
    assert_true(str_find(sealed, text) < 0);
    assert_true(seal_open(&a, key, sealed, &back));
    assert_true(str_eq(back, text));
    assert_false(seal_open(&a, other, sealed, &back));
    assert_true(seal_open(&a, key, seal(&a, key, STR("")), &back));
    assert_int_equal(back.len, 0);
}

static void test_no_byte_of_a_sealed_text_may_change(void **state)
{
    (void)state;
    const uint8_t key[SEAL_KEY_SIZE] = {9};
    struct str sealed = seal(&a, key, STR("secret")), back;
    char *bytes = (char *)sealed.ptr;
    for (size_t i = 0; i < sealed.len; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] ^= (char)(1 << bit);
            assert_false(seal_open(&a, key, sealed, &back));
            bytes[i] ^= (char)(1 << bit);
        }
    for (size_t len = 0; len < sealed.len; len++)
        assert_false(seal_open(&a, key, str_cut(sealed, 0, len), &back));
    assert_true(seal_open(&a, key, sealed, &back));
}

static void test_secrets_are_compared_as_a_whole(void **state)
{
    (void)state;
    assert_true(crypto_equal("abcd", "abcd", 4));
    assert_false(crypto_equal("abcd", "abce", 4));
    assert_true(crypto_equal("abcd", "abce", 3));
    assert_true(crypto_equal("", "", 0));
}

#define CRYPTO_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CRYPTO_TEST(test_digests_are_those_of_the_standards),
        CRYPTO_TEST(test_hexadecimal_digits_come_in_pairs),
        CRYPTO_TEST(test_base64_is_that_of_rfc_4648),
        CRYPTO_TEST(test_only_the_canonical_base64url_is_taken),
        CRYPTO_TEST(test_a_sealed_text_opens_with_its_key_alone),
        CRYPTO_TEST(test_no_byte_of_a_sealed_text_may_change),
        CRYPTO_TEST(test_secrets_are_compared_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
