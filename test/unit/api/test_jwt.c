/* Tokens: what is taken, and every way of being wrong. */
#include "api/api.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "auth/jwt.h"
#include "store/users.h"
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "base/banned.h"

#define USER "0b6f2a90-5c1e-4f6a-9a53-0c1de8a5f001"
#define HS256 "{\"alg\":\"HS256\",\"typ\":\"JWT\"}"
#define SUB "\"sub\":\"" USER "\""
#define GOOD "{" SUB ",\"exp\":2000}"

enum { NOW = 1000 };

static struct arena a;
static EVP_PKEY *rsa, *ec;
static struct str rsa_pem, ec_pem;
static struct jwk_set *rsa_keys, *ec_keys;
static const struct str secret = {"a secret of thirty-two bytes !!!", 32};
static const char *why;
static struct jwt_claims claims;

/* ---- making tokens ------------------------------------------------------ */

static struct str public_pem(EVP_PKEY *key)
{
    char *text;
    BIO *bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PUBKEY(bio, key);
    long n = BIO_get_mem_data(bio, &text);
    struct str pem = arena_str(&a, (struct str){text, (size_t)n});
    BIO_free(bio);
    return pem;
}

static int setup(void **state)
{
    (void)state;
    crypto_init();
    arena_init(&a, 0);
    rsa = EVP_RSA_gen(2048);
    ec = EVP_EC_gen("P-256");
    rsa_pem = public_pem(rsa);
    ec_pem = public_pem(ec);
    rsa_keys = jwk_set_of_pem(rsa_pem, &why);
    ec_keys = jwk_set_of_pem(ec_pem, &why);
    assert_true(rsa_keys && ec_keys);
    return rsa && ec ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    jwk_set_free(&rsa_keys);
    jwk_set_free(&ec_keys);
    EVP_PKEY_free(rsa);
    EVP_PKEY_free(ec);
    arena_done(&a);
    return 0;
}

static struct str two_parts(const char *header, const char *body)
{
    struct str h = base64url_encode(&a, str_of(header));
    struct str b = base64url_encode(&a, str_of(body));
    return arena_printf(&a, "%.*s.%.*s", STR_ARG(h), STR_ARG(b));
}

static struct str with_signature(struct str signing, struct str mac)
{
    struct str text = base64url_encode(&a, mac);
    return arena_printf(&a, "%.*s.%.*s", STR_ARG(signing), STR_ARG(text));
}

static struct str sign_hs256(struct str signing, struct str key)
{
    uint8_t mac[SHA256_SIZE];
    hmac_sha256(key, signing, mac);
    return with_signature(signing, (struct str){(char *)mac, sizeof mac});
}

static struct str hs256(const char *header, const char *body)
{
    return sign_hs256(two_parts(header, body), secret);
}

static struct str sign_with(EVP_PKEY *key, struct str signing)
{
    unsigned char out[512];
    size_t n = sizeof out;
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    EVP_DigestSignInit(c, NULL, EVP_sha256(), NULL, key);
    assert_int_equal(EVP_DigestSign(c, out, &n,
                                    (const unsigned char *)signing.ptr,
                                    signing.len),
                     1);
    EVP_MD_CTX_free(c);
    return arena_str(&a, (struct str){(char *)out, n});
}

/* DER into r and s side by side. */
static struct str raw_ecdsa(struct str der)
{
    unsigned char out[64];
    const unsigned char *at = (const unsigned char *)der.ptr;
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &at, (long)der.len);
    BN_bn2binpad(ECDSA_SIG_get0_r(sig), out, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(sig), out + 32, 32);
    ECDSA_SIG_free(sig);
    return arena_str(&a, (struct str){(char *)out, sizeof out});
}

static bool verify_by(struct str token, const struct jwt_rules *rules)
{
    why = NULL;
    bool ok = jwt_verify(&a, token, rules, NOW, &claims, &why);
    assert_int_equal(ok, why == NULL);
    return ok;
}

static bool verify(struct str token)
{
    return verify_by(token, &(struct jwt_rules){.secret = secret});
}

/* ---- HS256 -------------------------------------------------------------- */

static void test_a_good_token_names_its_user(void **state)
{
    (void)state;
    assert_true(verify(hs256(HS256, "{\"sub\":\"0B6F2A90-5C1E-4F6A-9A53-"
                                    "0C1DE8A5F001\",\"email\":\"a@b.c\","
                                    "\"exp\":2000.5,\"iat\":900,\"x\":[{}]}")));
    assert_true(str_is(claims.subject, USER)); /* in lower case */
    assert_true(str_is(claims.email, "a@b.c"));
    assert_int_equal(claims.expires, 2000);
    assert_true(
        verify(hs256("{\"alg\":\"HS256\"}", GOOD))); /* typ is optional */
    assert_true(verify(hs256("{\"alg\":\"HS256\",\"typ\":\"jwt\"}", GOOD)));
}

static void test_what_we_sign_we_take(void **state)
{
    (void)state;
    struct str token = jwt_sign(&a, &(struct jwt_grant){.secret = secret,
                                                        .user_id = STR(USER),
                                                        .email = STR("a@b.c"),
                                                        .issuer = STR("us"),
                                                        .audience = STR("you"),
                                                        .lifetime_s = 3600});
    int64_t now = clock_wall_ms() / 1000;
    struct jwt_rules rules = {
        .secret = secret, .issuer = STR("us"), .audience = STR("you")};
    assert_true(jwt_verify(&a, token, &rules, now, &claims, &why));
    assert_true(str_is(claims.email, "a@b.c"));
    rules.secret = STR("another secret of enough bytes!!");
    assert_false(jwt_verify(&a, token, &rules, now, &claims, &why));
}

struct bad_case {
    const char *header, *body;
};

static const struct bad_case bad_headers[] = {
    {"{\"alg\":\"none\"}", GOOD},
    {"{\"alg\":\"None\"}", GOOD},
    {"{\"alg\":\"\"}", GOOD},
    {"{}", GOOD},
    {"{\"alg\":null}", GOOD},
    {"{\"alg\":[\"HS256\"]}", GOOD},
    {"{\"alg\":\"hs256\"}", GOOD},
    {"{\"alg\":\"HS256 \"}", GOOD},
    {"{\"alg\":\"HS512\"}", GOOD},
    {"{\"alg\":\"HS384\"}", GOOD},
    {"{\"alg\":\"RS256\"}", GOOD},
    {"{\"alg\":\"ES256\"}", GOOD},
    {"{\"alg\":\"HS256\",\"alg\":\"none\"}", GOOD},
    {"{\"alg\":\"HS256\",\"alg\":\"HS256\"}", GOOD},
    {"{\"alg\":\"HS256\",\"crit\":[\"exp\"]}", GOOD},
    {"{\"alg\":\"HS256\",\"crit\":[]}", GOOD},
    {"{\"alg\":\"HS256\",\"b64\":false}", GOOD},
    {"{\"alg\":\"HS256\",\"typ\":\"JWE\"}", GOOD},
    {"{\"alg\":\"HS256\",\"typ\":7}", GOOD},
    {"{\"alg\":\"HS256\",\"typ\":\"at+jwt\"}", GOOD},
    {"{\"alg\":\"HS256\",\"kid\":7}", GOOD},
    {"{\"alg\":\"HS256\",\"kid\":null}", GOOD},
    {"[\"HS256\"]", GOOD},
    {"\"HS256\"", GOOD},
    {"{\"alg\":\"HS256\"} ", "["},
    {"\xef\xbb\xbf{\"alg\":\"HS256\"}", GOOD},
    {"{\"alg\":\"HS256\"}x", GOOD},
    {"", GOOD},
};

static const struct bad_case bad_claims[] = {
    {HS256, "{" SUB "}"},
    {HS256, "{" SUB ",\"exp\":\"2000\"}"},
    {HS256, "{" SUB ",\"exp\":null}"},
    {HS256, "{" SUB ",\"exp\":true}"},
    {HS256, "{" SUB ",\"exp\":[2000]}"},
    {HS256, "{" SUB ",\"exp\":{}}"},
    {HS256, "{" SUB ",\"exp\":1e400}"},
    {HS256, "{" SUB ",\"exp\":940}"},
    {HS256, "{" SUB ",\"exp\":0}"},
    {HS256, "{" SUB ",\"exp\":-1}"},
    {HS256, "{" SUB ",\"exp\":2000,\"exp\":3000}"},
    {HS256, "{" SUB "," SUB ",\"exp\":2000}"},
    {HS256, "{" SUB ",\"exp\":2000,\"nbf\":1061}"},
    {HS256, "{" SUB ",\"exp\":2000,\"nbf\":\"900\"}"},
    {HS256, "{" SUB ",\"exp\":2000,\"nbf\":null}"},
    {HS256, "{" SUB ",\"exp\":2000,\"iat\":\"x\"}"},
    {HS256, "{" SUB ",\"exp\":2000,\"iat\":1061}"},
    {HS256, "{\"exp\":2000}"},
    {HS256, "{\"sub\":null,\"exp\":2000}"},
    {HS256, "{\"sub\":7,\"exp\":2000}"},
    {HS256, "{\"sub\":\"\",\"exp\":2000}"},
    {HS256, "{\"sub\":\"admin\",\"exp\":2000}"},
    {HS256, "{\"sub\":\"" USER "0\",\"exp\":2000}"},
    {HS256, "{\"sub\":\" " USER "\",\"exp\":2000}"},
    {HS256, "{\"sub\":[\"" USER "\"],\"exp\":2000}"},
    {HS256, "[]"},
    {HS256, "null"},
    {HS256, ""},
    {HS256, GOOD GOOD},
    {HS256, "{" SUB ",\"exp\":2000"},
};

static int taken(const struct bad_case *cases, size_t n)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        if (verify(hs256(cases[i].header, cases[i].body))) {
            print_message("# taken: %s %s\n", cases[i].header, cases[i].body);
            count++;
        }
    return count;
}

static void test_no_other_header_is_taken(void **state)
{
    (void)state;
    assert_int_equal(
        taken(bad_headers, sizeof bad_headers / sizeof *bad_headers), 0);
}

static void test_no_other_claims_are_taken(void **state)
{
    (void)state;
    assert_int_equal(taken(bad_claims, sizeof bad_claims / sizeof *bad_claims),
                     0);
}

static void test_clocks_may_differ_by_a_minute(void **state)
{
    (void)state;
    assert_true(verify(hs256(HS256, "{" SUB ",\"exp\":941}")));
    assert_false(verify(hs256(HS256, "{" SUB ",\"exp\":940}")));
    assert_true(verify(hs256(HS256, "{" SUB ",\"exp\":2000,\"nbf\":1060}")));
    assert_false(verify(hs256(HS256, "{" SUB ",\"exp\":2000,\"nbf\":1060.5}")));
}

static void test_unsigned_and_wrongly_signed_tokens_are_refused(void **state)
{
    (void)state;
    struct str signing = two_parts(HS256, GOOD);
    struct str good = sign_hs256(signing, secret);
    assert_true(verify(good));
    assert_false(verify(signing)); /* two parts */
    assert_false(verify(arena_printf(&a, "%.*s.", STR_ARG(signing))));
    assert_false(verify(sign_hs256(signing, STR(""))));
    assert_false(
        verify(sign_hs256(two_parts("{\"alg\":\"none\"}", GOOD), STR(""))));
    assert_false(verify(with_signature(signing, STR("short"))));
    assert_false(verify_by(
        good, &(struct jwt_rules){.secret = STR("another secret of 32 byt")}));
    /* Every byte of the text counts. */
    for (size_t i = 0; i < good.len; i++) {
        struct str changed = arena_str(&a, good);
        ((char *)changed.ptr)[i] ^= 1;
        assert_false(verify(changed));
    }
}

static void test_only_the_canonical_compact_form_is_taken(void **state)
{
    (void)state;
    struct str good = hs256(HS256, GOOD);
    assert_true(verify(good));
    static const char *const around[][2] = {
        {"", "="}, {"", "."},  {"", " "},  {" ", ""},
        {".", ""}, {"", "\n"}, {"", ".x"}, {"Bearer ", ""}};
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        assert_false(verify(arena_printf(&a, "%s%.*s%s", around[i][0],
                                         STR_ARG(good), around[i][1])));
    assert_false(verify(STR("")));
    assert_false(verify(STR("..")));
    assert_false(verify(STR("a.b.c")));
    assert_false(verify(STR("a.b.c.d")));
    /* The signature with other bits after its last byte: the same bytes to a
     * careless decoder. */
    struct str again = arena_str(&a, good);
    char *last = (char *)again.ptr + again.len - 1;
    for (const char *c = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                         "0123456789-_";
         *c; c++) {
        *last = *c;
        assert_int_equal(verify(again), *c == good.ptr[good.len - 1]);
    }
    /* A padded header. */
    struct str parts = two_parts("{\"alg\":\"HS256\",\"a\":1}", GOOD);
    ptrdiff_t dot = str_find_char(parts, '.');
    struct str padded =
        arena_printf(&a, "%.*s=.%s", (int)dot, parts.ptr, parts.ptr + dot + 1);
    assert_true(verify(sign_hs256(parts, secret)));
    assert_false(verify(sign_hs256(padded, secret)));
}

/* Whatever was there before: it would have keys fetched. */
static void test_what_is_no_token_names_no_unknown_key(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "a", "a.b", "a.b.c", "a.b.c.d"};
    const struct jwt_rules rules = {.secret = STR("")};
    const char *why;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct jwt_claims claims;
        memset(&claims, 0xff, sizeof claims);
        assert_false(
            jwt_verify(&a, str_of(texts[i]), &rules, NOW, &claims, &why));
        assert_false(claims.unknown_key);
    }
}

static void test_a_huge_or_deep_token_is_refused(void **state)
{
    (void)state;
    struct buf body = {0};
    buf_text(&body, "{" SUB ",\"exp\":2000,\"x\":\"");
    while (body.len < JWT_MAX_BYTES)
        buf_text(&body, "xxxxxxxxxxxxxxxx");
    buf_text(&body, "\"}");
    assert_false(verify(hs256(HS256, buf_cstr(&body))));
    buf_clear(&body);
    buf_text(&body, "{" SUB ",\"exp\":2000,\"x\":");
    for (int i = 0; i < 100; i++)
        buf_char(&body, '[');
    for (int i = 0; i < 100; i++)
        buf_char(&body, ']');
    buf_char(&body, '}');
    assert_false(verify(hs256(HS256, buf_cstr(&body))));
    buf_done(&body);
}

/* ---- issuer and audience ------------------------------------------------ */

static void test_issuer_and_audience_are_checked_when_asked_for(void **state)
{
    (void)state;
    struct jwt_rules rules = {.secret = secret,
                              .issuer = STR("https://i"),
                              .audience = STR("sextant")};
    static const struct {
        const char *more;
        bool ok;
    } cases[] = {
        {"\"iss\":\"https://i\",\"aud\":\"sextant\"", true},
        {"\"iss\":\"https://i\",\"aud\":[\"other\",\"sextant\"]", true},
        {"\"iss\":\"https://i\",\"aud\":[\"other\"]", false},
        {"\"iss\":\"https://i\",\"aud\":[]", false},
        {"\"iss\":\"https://i\",\"aud\":\"sextants\"", false},
        {"\"iss\":\"https://i\",\"aud\":{\"sextant\":1}", false},
        {"\"iss\":\"https://i\",\"aud\":[[\"sextant\"]]", false},
        {"\"iss\":\"https://i\"", false},
        {"\"iss\":\"https://i/\",\"aud\":\"sextant\"", false},
        {"\"iss\":[\"https://i\"],\"aud\":\"sextant\"", false},
        {"\"aud\":\"sextant\"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str body =
            arena_printf(&a, "{" SUB ",\"exp\":2000,%s}", cases[i].more);
        assert_int_equal(verify_by(hs256(HS256, body.ptr), &rules),
                         cases[i].ok);
    }
}

/* ---- rights ------------------------------------------------------------- */

static void test_rights_come_from_permissions_else_from_roles(void **state)
{
    (void)state;
    unsigned read = permission_bits(STR("data_agent:read"));
    assert_true(
        verify(hs256(HS256, "{" SUB ",\"exp\":2000,"
                            "\"roles\":[\"viewer\",{\"name\":\"Admin\"},"
                            "\"king\",7,{\"x\":1},\"a\\\"}{\"]}")));
    assert_int_equal(claims.permissions, role_permissions(STR("admin")) |
                                             role_permissions(STR("viewer")));
    assert_true(str_is(claims.roles, "{viewer,Admin}"));
    assert_true(
        verify(hs256(HS256, "{" SUB ",\"exp\":2000,\"roles\":[\"admin\"],"
                            "\"permissions\":[\"data_agent:read\",\"x\",3]}")));
    assert_int_equal(claims.permissions, read);
    assert_true(
        verify(hs256(HS256, "{" SUB ",\"exp\":2000,\"roles\":[\"admin\"],"
                            "\"permissions\":[]}")));
    assert_int_equal(claims.permissions, 0);
    assert_true(verify(
        hs256(HS256, "{" SUB ",\"exp\":2000,"
                     "\"roles\":\"admin\",\"permissions\":\"admin:all\"}")));
    assert_int_equal(claims.permissions, 0); /* a text is no list */
    assert_true(str_is(claims.roles, "{}"));
}

/* ---- keys --------------------------------------------------------------- */

static struct str rs256_token(void)
{
    struct str signing = two_parts("{\"alg\":\"RS256\"}", GOOD);
    return with_signature(signing, sign_with(rsa, signing));
}

static struct str es256_token(void)
{
    struct str signing = two_parts("{\"alg\":\"ES256\"}", GOOD);
    return with_signature(signing, raw_ecdsa(sign_with(ec, signing)));
}

static void test_a_public_key_takes_its_own_algorithm_alone(void **state)
{
    (void)state;
    const struct jwt_rules with_rsa = {.secret = secret, .keys = rsa_keys};
    const struct jwt_rules with_ec = {.secret = secret, .keys = ec_keys};
    assert_true(verify_by(rs256_token(), &with_rsa));
    assert_false(verify_by(rs256_token(), &with_ec));
    assert_true(verify_by(es256_token(), &with_ec));
    assert_false(verify_by(es256_token(), &with_rsa));
    assert_false(verify(rs256_token()));
    assert_false(verify(es256_token()));
    assert_false(
        verify_by(hs256(HS256, GOOD), &with_rsa)); /* the secret rests */
}

/* The public key as an HMAC secret: the classic confusion. */
static void test_a_public_key_is_never_a_secret(void **state)
{
    (void)state;
    struct jwt_rules rules = {.keys = rsa_keys};
    struct str signing = two_parts(HS256, GOOD);
    assert_false(verify_by(sign_hs256(signing, rsa_pem), &rules));
    rules.secret = rsa_pem;
    assert_false(verify_by(sign_hs256(signing, rsa_pem), &rules));
    struct str lying = two_parts("{\"alg\":\"RS256\"}", GOOD);
    assert_false(verify_by(sign_hs256(lying, rsa_pem), &rules));
    rules = (struct jwt_rules){0}; /* no key is known yet */
    assert_false(verify_by(rs256_token(), &rules));
    assert_true(claims.unknown_key);
    assert_false(verify_by(sign_hs256(signing, STR("")), &rules));
}

static void test_an_ecdsa_signature_has_one_form(void **state)
{
    (void)state;
    const struct jwt_rules rules = {.keys = ec_keys};
    struct str signing = two_parts("{\"alg\":\"ES256\"}", GOOD);
    struct str der = sign_with(ec, signing), raw = raw_ecdsa(der);
    assert_true(verify_by(with_signature(signing, raw), &rules));
    assert_false(verify_by(with_signature(signing, der), &rules));
    assert_false(
        verify_by(with_signature(signing, str_cut(raw, 0, 63)), &rules));
    char zeros[64] = {0}; /* r = s = 0: accepted by a careless check */
    assert_false(
        verify_by(with_signature(signing, (struct str){zeros, 64}), &rules));
    char longer[65];
    memcpy(longer, raw.ptr, 64);
    longer[64] = 0;
    assert_false(
        verify_by(with_signature(signing, (struct str){longer, 65}), &rules));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_good_token_names_its_user),
        cmocka_unit_test(test_what_we_sign_we_take),
        cmocka_unit_test(test_no_other_header_is_taken),
        cmocka_unit_test(test_no_other_claims_are_taken),
        cmocka_unit_test(test_clocks_may_differ_by_a_minute),
        cmocka_unit_test(test_unsigned_and_wrongly_signed_tokens_are_refused),
        cmocka_unit_test(test_only_the_canonical_compact_form_is_taken),
        cmocka_unit_test(test_what_is_no_token_names_no_unknown_key),
        cmocka_unit_test(test_a_huge_or_deep_token_is_refused),
        cmocka_unit_test(test_issuer_and_audience_are_checked_when_asked_for),
        cmocka_unit_test(test_rights_come_from_permissions_else_from_roles),
        cmocka_unit_test(test_a_public_key_takes_its_own_algorithm_alone),
        cmocka_unit_test(test_a_public_key_is_never_a_secret),
        cmocka_unit_test(test_an_ecdsa_signature_has_one_form),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
