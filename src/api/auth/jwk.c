/* jwk.c - reads public keys with OpenSSL and checks signatures with them. */
#include "jwk.h"
#include "base/crypto.h"
#include "base/json.h"
#include "base/mem.h"
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { MOST_KEYS = 64, KID_SIZE = 256, COORDINATE = 32 };
enum { RSA_LEAST = 2048, RSA_MOST = 8192, EXPONENT_MOST = 33 /* bits */ };

struct jwk {
    char kid[KID_SIZE]; /* "": the key has none */
    const char *alg;    /* "RS256", "ES256" */
    EVP_PKEY *key;
};

struct jwk_set {
    size_t n;
    struct jwk items[MOST_KEYS];
};

size_t jwk_set_count(const struct jwk_set *set)
{
    return set->n;
}

void jwk_set_free(struct jwk_set **at)
{
    struct jwk_set *set = *at;
    *at = NULL;
    for (size_t i = 0; set && i < set->n; i++)
        EVP_PKEY_free(set->items[i].key);
    mem_free(set);
}

/* ---- acceptable keys ----------------------------------------------------- */

static bool rsa_acceptable(const EVP_PKEY *key)
{
    BIGNUM *e = NULL;
    int bits = EVP_PKEY_get_bits(key);
    bool good = bits >= RSA_LEAST && bits <= RSA_MOST &&
                EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &e) == 1 &&
                BN_is_odd(e) && !BN_is_one(e) &&
                BN_num_bits(e) <= EXPONENT_MOST;
    BN_free(e);
    return good;
}

static bool ec_acceptable(EVP_PKEY *key)
{
    char group[32];
    size_t n = 0;
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new(key, NULL);
    bool good = EVP_PKEY_get_group_name(key, group, sizeof group, &n) == 1 &&
                !strcmp(group, "prime256v1") && c &&
                EVP_PKEY_public_check(c) == 1;
    EVP_PKEY_CTX_free(c);
    return good;
}

/* Adds a key to the set, which then owns it. */
static bool set_add(struct jwk_set *set, EVP_PKEY *key, struct str kid)
{
    bool rsa =
        key && EVP_PKEY_base_id(key) == EVP_PKEY_RSA && rsa_acceptable(key);
    bool ec = key && EVP_PKEY_base_id(key) == EVP_PKEY_EC && ec_acceptable(key);
    if ((!rsa && !ec) || set->n == MOST_KEYS || kid.len >= KID_SIZE) {
        EVP_PKEY_free(key);
        return false;
    }
    struct jwk *k = &set->items[set->n++];
    k->key = key;
    k->alg = rsa ? "RS256" : "ES256";
    snprintf(k->kid, sizeof k->kid, "%.*s", STR_ARG(kid));
    return true;
}

struct jwk_set *jwk_set_of_pem(struct str pem, const char **why)
{
    struct jwk_set *set = mem_new(struct jwk_set);
    BIO *bio = BIO_new_mem_buf(pem.ptr, (int)pem.len);
    EVP_PKEY *key = bio ? PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL) : NULL;
    BIO_free(bio);
    if (set_add(set, key, STR("")))
        return set;
    *why = "JWT_PUBLIC_KEY must be a public key in PEM: RSA of 2048 to 8192 "
           "bits, or the curve P-256";
    jwk_set_free(&set);
    return NULL;
}

/* ---- JWK Sets ------------------------------------------------------------ */

static EVP_PKEY *key_of_params(const char *kind, OSSL_PARAM_BLD *build)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    if (!c || !params || EVP_PKEY_fromdata_init(c) != 1 ||
        EVP_PKEY_fromdata(c, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        key = NULL;
    OSSL_PARAM_free(params);
    EVP_PKEY_CTX_free(c);
    return key;
}

static EVP_PKEY *rsa_of(struct str n, struct str e)
{
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *modulus = BN_bin2bn((const unsigned char *)n.ptr, (int)n.len, NULL);
    BIGNUM *exponent =
        BN_bin2bn((const unsigned char *)e.ptr, (int)e.len, NULL);
    EVP_PKEY *key = NULL;
    if (build && modulus && exponent &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, modulus) &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, exponent))
        key = key_of_params("RSA", build);
    OSSL_PARAM_BLD_free(build);
    BN_free(modulus);
    BN_free(exponent);
    return key;
}

static EVP_PKEY *ec_of(struct str x, struct str y)
{
    unsigned char point[1 + 2 * COORDINATE] = {4 /* uncompressed form */};
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    memcpy(point + 1, x.ptr, COORDINATE);
    memcpy(point + 1 + COORDINATE, y.ptr, COORDINATE);
    if (build &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME,
                                        "prime256v1", 0) &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point,
                                         sizeof point))
        key = key_of_params("EC", build);
    OSSL_PARAM_BLD_free(build);
    return key;
}

static bool decode_member(struct arena *arena, const json_t *v,
                          const char *name, struct str *out)
{
    return base64url_decode(arena, json_get_text(v, name), out) && out->len > 0;
}

static EVP_PKEY *key_of_jwk(struct arena *arena, const json_t *v)
{
    struct str one, two, kind = json_get_text(v, "kty");
    if (str_is(kind, "RSA") && decode_member(arena, v, "n", &one) &&
        decode_member(arena, v, "e", &two))
        return rsa_of(one, two);
    if (str_is(kind, "EC") && str_is(json_get_text(v, "crv"), "P-256") &&
        decode_member(arena, v, "x", &one) &&
        decode_member(arena, v, "y", &two) && one.len == COORDINATE &&
        two.len == COORDINATE)
        return ec_of(one, two);
    return NULL;
}

/* Whether use, key_ops and alg allow the key to check signatures (RFC 7517, 4.2
 * to 4.4). */
static bool for_signatures(const json_t *v)
{
    const json_t *use = json_object_get(v, "use");
    const json_t *ops = json_object_get(v, "key_ops");
    struct str alg = json_get_text(v, "alg");
    bool rsa = str_is(json_get_text(v, "kty"), "RSA"), verifies = !ops;
    for (size_t i = 0; i < json_array_size(ops); i++)
        verifies =
            verifies || str_is(json_text(json_array_get(ops, i)), "verify");
    return verifies && (!use || str_is(json_text(use), "sig")) &&
           (!json_object_get(v, "alg") || str_is(alg, rsa ? "RS256" : "ES256"));
}

struct jwk_set *jwk_set_read(struct str text, const char **why)
{
    struct jwk_set *set = mem_new(struct jwk_set);
    struct arena arena;
    json_t *all = json_read(text, NULL);
    const json_t *keys = json_object_get(all, "keys"), *v;
    size_t i;
    arena_init(&arena, 0);
    *why = json_is_array(keys) ? "it has no key for RS256 or ES256"
                               : "it is not a JWK Set";
    json_array_foreach(keys, i, v)
    {
        const json_t *kid = json_object_get(v, "kid");
        if (for_signatures(v) && (!kid || json_is_string(kid)))
            set_add(set, key_of_jwk(&arena, v), json_text(kid));
    }
    json_decref(all);
    arena_done(&arena);
    if (!set->n)
        jwk_set_free(&set);
    return set;
}

/* ---- signatures ---------------------------------------------------------- */

const struct jwk *jwk_find(const struct jwk_set *set, struct str alg,
                           struct str kid)
{
    const struct jwk *only = NULL;
    size_t fitting = 0;
    for (size_t i = 0; set && i < set->n; i++) {
        const struct jwk *k = &set->items[i];
        if (!str_is(alg, k->alg))
            continue;
        if (kid.len && *k->kid && str_is(kid, k->kid))
            return k;
        if (!kid.len || (!*k->kid && set->n == 1)) {
            only = k;
            fitting++;
        }
    }
    return fitting == 1 ? only : NULL;
}

/* JWS concatenates r and s; OpenSSL wants them in DER. */
static bool ecdsa_der(struct arena *arena, struct str raw, struct str *der)
{
    if (raw.len != 2 * COORDINATE)
        return false;
    const unsigned char *bytes = (const unsigned char *)raw.ptr;
    ECDSA_SIG *sig = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(bytes, COORDINATE, NULL);
    BIGNUM *s = BN_bin2bn(bytes + COORDINATE, COORDINATE, NULL);
    unsigned char *out = NULL;
    int n = -1;
    if (sig && r && s && ECDSA_SIG_set0(sig, r, s)) {
        r = s = NULL;
        n = i2d_ECDSA_SIG(sig, &out);
    }
    if (n > 0)
        *der = arena_str(arena, (struct str){(char *)out, (size_t)n});
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(sig);
    OPENSSL_free(out);
    return n > 0;
}

bool jwk_verifies(const struct jwk *key, struct arena *scratch,
                  struct str signing, struct str signature)
{
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    bool ec = !strcmp(key->alg, "ES256");
    bool ok =
        c && (!ec || ecdsa_der(scratch, signature, &signature)) &&
        EVP_DigestVerifyInit(c, NULL, EVP_sha256(), NULL, key->key) == 1 &&
        EVP_DigestVerify(c, (const unsigned char *)signature.ptr, signature.len,
                         (const unsigned char *)signing.ptr, signing.len) == 1;
    EVP_MD_CTX_free(c);
    return ok;
}
