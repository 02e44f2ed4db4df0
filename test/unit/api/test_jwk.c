/* JWK Sets: which keys are taken, and for which tokens. */
#include "auth/jwk.h"
#include "base/crypto.h"
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

static struct arena a;
static EVP_PKEY *rsa, *ec, *small, *other_curve;

static int setup(void **state)
{
    (void)state;
    crypto_init();
    arena_init(&a, 0);
    rsa = EVP_RSA_gen(2048);
    small = EVP_RSA_gen(1024);
    ec = EVP_EC_gen("P-256");
    other_curve = EVP_EC_gen("P-384");
    return rsa && small && ec && other_curve ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    EVP_PKEY_free(rsa);
    EVP_PKEY_free(small);
    EVP_PKEY_free(ec);
    EVP_PKEY_free(other_curve);
    arena_done(&a);
    return 0;
}

static const char *number(EVP_PKEY *key, const char *name)
{
    unsigned char bytes[1024];
    BIGNUM *n = NULL;
    EVP_PKEY_get_bn_param(key, name, &n);
    int len = BN_bn2bin(n, bytes);
    BN_free(n);
    return base64url_encode(&a, (struct str){(char *)bytes, (size_t)len}).ptr;
}

static const char *rsa_jwk(EVP_PKEY *key, const char *more)
{
    return arena_printf(&a, "{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"%s}",
                        number(key, OSSL_PKEY_PARAM_RSA_N),
                        number(key, OSSL_PKEY_PARAM_RSA_E), more)
        .ptr;
}

/* A coordinate has 32 bytes, leading zeros too. */
static const char *coordinate(EVP_PKEY *key, const char *name)
{
    unsigned char bytes[32];
    BIGNUM *n = NULL;
    EVP_PKEY_get_bn_param(key, name, &n);
    BN_bn2binpad(n, bytes, sizeof bytes);
    BN_free(n);
    return base64url_encode(&a, (struct str){(char *)bytes, 32}).ptr;
}

static const char *ec_jwk(const char *more)
{
    return arena_printf(&a,
                        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\","
                        "\"y\":\"%s\"%s}",
                        coordinate(ec, OSSL_PKEY_PARAM_EC_PUB_X),
                        coordinate(ec, OSSL_PKEY_PARAM_EC_PUB_Y), more)
        .ptr;
}

/* How many of the keys are taken; 0: the set is refused. */
static size_t taken(const char *keys)
{
    const char *why = NULL;
    struct str text = arena_printf(&a, "{\"keys\":[%s]}", keys);
    struct jwk_set *set = jwk_set_read(text, &why);
    size_t n = set ? jwk_set_count(set) : 0;
    if (!n)
        assert_non_null(why);
    jwk_set_free(&set);
    return n;
}

static void test_keys_for_signatures_are_taken(void **state)
{
    (void)state;
    assert_int_equal(taken(rsa_jwk(rsa, "")), 1);
    assert_int_equal(taken(ec_jwk("")), 1);
    assert_int_equal(
        taken(rsa_jwk(rsa, ",\"alg\":\"RS256\",\"use\":\"sig\","
                           "\"kid\":\"a\",\"key_ops\":[\"verify\"],"
                           "\"x5c\":[\"…\"],\"new\":1")),
        1);
    struct str two = arena_printf(&a, "%s,%s", rsa_jwk(rsa, ",\"kid\":\"a\""),
                                  ec_jwk(",\"kid\":\"b\""));
    assert_int_equal(taken(two.ptr), 2);
}

static void test_other_keys_are_left_out(void **state)
{
    (void)state;
    assert_int_equal(taken(rsa_jwk(small, "")), 0);
    assert_int_equal(taken(rsa_jwk(rsa, ",\"use\":\"enc\"")), 0);
    assert_int_equal(taken(rsa_jwk(rsa, ",\"use\":7")), 0);
    assert_int_equal(taken(rsa_jwk(rsa, ",\"key_ops\":[\"encrypt\"]")), 0);
    assert_int_equal(taken(rsa_jwk(rsa, ",\"alg\":\"RS512\"")), 0);
    assert_int_equal(taken(rsa_jwk(rsa, ",\"alg\":\"ES256\"")), 0);
    assert_int_equal(taken(rsa_jwk(rsa, ",\"kid\":7")), 0);
    assert_int_equal(taken(ec_jwk(",\"alg\":\"RS256\"")), 0);
    assert_int_equal(taken("{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}"), 0);
    assert_int_equal(taken("{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}"),
                     0);
    assert_int_equal(taken("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AQ\","
                           "\"y\":\"AQ\"}"),
                     0);
    assert_int_equal(taken("{},null,7,[],\"x\""), 0);
}

/* A point that is not on the curve gives an attacker who may send keys more than
 * a forged signature. */
static void test_a_point_off_the_curve_is_no_key(void **state)
{
    (void)state;
    struct str zeros = base64url_encode(&a, (struct str){(char[32]){1}, 32});
    struct str key = arena_printf(&a,
                                  "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":"
                                  "\"%.*s\",\"y\":\"%.*s\"}",
                                  STR_ARG(zeros), STR_ARG(zeros));
    assert_int_equal(taken(key.ptr), 0);
}

/* e = 1 makes every signature its own message. */
static void test_an_exponent_of_one_is_no_key(void **state)
{
    (void)state;
    for (const char *const *e = (const char *const[]){"AQ", "Ag", "AA", NULL};
         *e; e++) {
        struct str key =
            arena_printf(&a, "{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"}",
                         number(rsa, OSSL_PKEY_PARAM_RSA_N), *e);
        assert_int_equal(taken(key.ptr), 0);
    }
}

static void test_what_is_no_set_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        "[]",
                                        "{}",
                                        "{\"keys\":{}}",
                                        "{\"keys\":null}",
                                        "not json",
                                        "{\"keys\":[]}",
                                        "{\"keys\":[]",
                                        "{\"keys\":[],\"keys\":[]}"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why = NULL;
        struct jwk_set *set = jwk_set_read(str_of(cases[i]), &why);
        assert_null(set);
        assert_non_null(why);
    }
}

static void test_a_token_s_key_is_named_by_kid_and_algorithm(void **state)
{
    (void)state;
    const char *why;
    struct str text = arena_printf(
        &a, "{\"keys\":[%s,%s,%s]}", rsa_jwk(rsa, ",\"kid\":\"a\""),
        rsa_jwk(rsa, ",\"kid\":\"b\""), ec_jwk(",\"kid\":\"a\""));
    struct jwk_set *set = jwk_set_read(text, &why);
    assert_int_equal(jwk_set_count(set), 3);
    const struct jwk *one = jwk_find(set, STR("RS256"), STR("a"));
    assert_non_null(one);
    assert_ptr_not_equal(jwk_find(set, STR("ES256"), STR("a")), one);
    assert_ptr_not_equal(jwk_find(set, STR("RS256"), STR("b")), one);
    assert_null(jwk_find(set, STR("RS256"), STR("c")));
    assert_null(jwk_find(set, STR("ES256"), STR("b")));
    assert_null(jwk_find(set, STR("HS256"), STR("a")));
    assert_null(jwk_find(set, STR("RS256"), STR(""))); /* which of the two? */
    assert_non_null(jwk_find(set, STR("ES256"), STR("")));
    assert_null(jwk_find(NULL, STR("RS256"), STR("a")));
    jwk_set_free(&set);
}

static struct str pem_of(EVP_PKEY *key)
{
    char *text;
    BIO *bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PUBKEY(bio, key);
    long n = BIO_get_mem_data(bio, &text);
    struct str pem = arena_str(&a, (struct str){text, (size_t)n});
    BIO_free(bio);
    return pem;
}

static void test_a_key_in_pem_must_be_as_good(void **state)
{
    (void)state;
    EVP_PKEY *const good[] = {rsa, ec}, *const bad[] = {small, other_curve};
    for (int i = 0; i < 2; i++) {
        const char *why = NULL;
        struct jwk_set *set = jwk_set_of_pem(pem_of(good[i]), &why);
        assert_int_equal(jwk_set_count(set), 1);
        jwk_set_free(&set);
        set = jwk_set_of_pem(pem_of(bad[i]), &why);
        assert_null(set);
        assert_non_null(why);
    }
    const char *why = NULL;
    assert_null(jwk_set_of_pem(STR("nonsense"), &why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_for_signatures_are_taken),
        cmocka_unit_test(test_other_keys_are_left_out),
        cmocka_unit_test(test_a_point_off_the_curve_is_no_key),
        cmocka_unit_test(test_an_exponent_of_one_is_no_key),
        cmocka_unit_test(test_what_is_no_set_is_refused),
        cmocka_unit_test(test_a_token_s_key_is_named_by_kid_and_algorithm),
        cmocka_unit_test(test_a_key_in_pem_must_be_as_good),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
