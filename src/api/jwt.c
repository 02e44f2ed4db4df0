#include "jwt.h"
#include "api/api.h"
#include "base/clock.h"
#include "store/users.h"
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <string.h>
#include "base/banned.h"

/* ---- signatures --------------------------------------------------------- */

static bool hmac_matches(struct str signing, struct str signature,
                         struct str secret)
{
    uint8_t mac[SHA256_SIZE];
    hmac_sha256(secret, signing, mac);
    return signature.len == sizeof mac &&
           crypto_equal(mac, signature.ptr, sizeof mac);
}

/* JWS carries r and s side by side; OpenSSL wants them in DER. */
static bool ecdsa_der(struct arena *arena, struct str raw, struct str *der)
{
    if (raw.len != 64)
        return false;
    ECDSA_SIG *sig = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn((const unsigned char *)raw.ptr, 32, NULL);
    BIGNUM *s = BN_bin2bn((const unsigned char *)raw.ptr + 32, 32, NULL);
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

static EVP_PKEY *key_of(struct str pem)
{
    BIO *bio = BIO_new_mem_buf(pem.ptr, (int)pem.len);
    EVP_PKEY *key = bio ? PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL) : NULL;
    BIO_free(bio);
    return key;
}

static bool key_matches(struct arena *arena, struct str signing,
                        struct str signature, struct str pem, const char *alg)
{
    EVP_PKEY *key = key_of(pem);
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    bool rsa = key && EVP_PKEY_base_id(key) == EVP_PKEY_RSA;
    bool ec = key && EVP_PKEY_base_id(key) == EVP_PKEY_EC;
    bool ok = c && (rsa ? !strcmp(alg, "RS256") : ec && !strcmp(alg, "ES256"));
    if (ok && ec)
        ok = ecdsa_der(arena, signature, &signature);
    ok = ok && EVP_DigestVerifyInit(c, NULL, EVP_sha256(), NULL, key) == 1 &&
         EVP_DigestVerify(c, (const unsigned char *)signature.ptr,
                          signature.len, (const unsigned char *)signing.ptr,
                          signing.len) == 1;
    EVP_MD_CTX_free(c);
    EVP_PKEY_free(key);
    return ok;
}

/* ---- claims ------------------------------------------------------------- */

static bool refuse(const char **why, const char *text)
{
    *why = text;
    return false;
}

static json_t *part(struct arena *arena, struct str text)
{
    struct str bytes;
    if (!base64url_decode(arena, text, &bytes))
        return NULL;
    json_t *v = json_read(bytes, NULL);
    if (!json_is_object(v)) {
        json_decref(v);
        return NULL;
    }
    return v;
}

static bool audience_fits(const json_t *aud, struct str wanted)
{
    if (str_eq(json_text(aud), wanted) && wanted.len)
        return true;
    for (size_t i = 0; i < json_array_size(aud); i++)
        if (str_eq(json_text(json_array_get(aud, i)), wanted))
            return true;
    return false;
}

static bool times_fit(const json_t *claims, int64_t now_s, const char **why)
{
    const json_t *exp = json_object_get(claims, "exp");
    const json_t *nbf = json_object_get(claims, "nbf");
    const json_t *iat = json_object_get(claims, "iat");
    if (!json_is_number(exp))
        return refuse(why, "The token does not say when it expires.");
    if (json_number_value(exp) > 253402300799.0) /* the year 9999 */
        return refuse(why, "The token is malformed.");
    if (json_number_value(exp) + JWT_LEEWAY_S <= (double)now_s)
        return refuse(why, "The token has expired.");
    if (nbf && (!json_is_number(nbf) ||
                json_number_value(nbf) > (double)now_s + JWT_LEEWAY_S))
        return refuse(why, "The token is not valid yet.");
    if (iat && !json_is_number(iat))
        return refuse(why, "The token is malformed.");
    return true;
}

static void add_roles(struct arena *arena, const json_t *roles,
                      struct jwt_claims *out, unsigned *bits)
{
    struct buf list;
    buf_init(&list, arena);
    buf_char(&list, '{');
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const json_t *item = json_array_get(roles, i);
        struct str role = json_is_object(item) ? json_get_text(item, "name")
                                               : json_text(item);
        unsigned of_role = role_permissions(role);
        if (!of_role)
            continue;
        *bits |= of_role;
        buf_printf(&list, "%s%.*s", list.len > 1 ? "," : "", STR_ARG(role));
    }
    buf_char(&list, '}');
    out->roles = buf_view(&list);
}

static bool take_claims(struct arena *arena, const json_t *claims,
                        struct jwt_claims *out, const char **why)
{
    struct str subject = json_get_text(claims, "sub");
    const json_t *permissions = json_object_get(claims, "permissions");
    unsigned from_roles = 0;
    if (!uuid_valid(subject))
        return refuse(why, "The token names no user.");
    char *id = arena_cstr(arena, subject);
    for (char *c = id; *c; c++)
        if (*c >= 'A' && *c <= 'F')
            *c += 'a' - 'A';
    out->subject = str_of(id);
    out->email = arena_str(arena, json_get_text(claims, "email"));
    out->expires = (int64_t)json_number_value(json_object_get(claims, "exp"));
    add_roles(arena, json_object_get(claims, "roles"), out, &from_roles);
    for (size_t i = 0; i < json_array_size(permissions); i++)
        out->permissions |=
            permission_bit(json_text(json_array_get(permissions, i)));
    if (!json_is_array(permissions))
        out->permissions = from_roles;
    return true;
}

static bool judge_header(const json_t *header, bool with_key, const char **alg,
                         const char **why)
{
    const json_t *typ = json_object_get(header, "typ");
    *alg = json_string_value(json_object_get(header, "alg"));
    if (json_object_get(header, "crit") || json_object_get(header, "b64"))
        return refuse(why, "The token asks for an extension.");
    if (typ && !str_eq_nocase(json_text(typ), STR("JWT")))
        return refuse(why, "The token is of another type.");
    if (!*alg || (with_key ? strcmp(*alg, "RS256") && strcmp(*alg, "ES256")
                           : strcmp(*alg, "HS256")))
        return refuse(why, "The token's algorithm is not accepted.");
    return true;
}

static bool judge(struct arena *arena, const json_t *header,
                  const json_t *claims, struct str signing,
                  struct str signature, const struct jwt_rules *rules,
                  int64_t now_s, struct jwt_claims *out, const char **why)
{
    const char *alg;
    bool with_key = rules->public_key.len > 0;
    struct str mac;
    if (!header || !claims)
        return refuse(why, "The token is malformed.");
    if (!judge_header(header, with_key, &alg, why))
        return false;
    if (!base64url_decode(arena, signature, &mac) ||
        !(with_key ? key_matches(arena, signing, mac, rules->public_key, alg)
                   : hmac_matches(signing, mac, rules->secret)))
        return refuse(why, "The token's signature does not match.");
    if (!times_fit(claims, now_s, why))
        return false;
    if (rules->issuer.len &&
        !str_eq(json_get_text(claims, "iss"), rules->issuer))
        return refuse(why, "The token is of another issuer.");
    if (rules->audience.len &&
        !audience_fits(json_object_get(claims, "aud"), rules->audience))
        return refuse(why, "The token is for another audience.");
    return take_claims(arena, claims, out, why);
}

bool jwt_verify(struct arena *arena, struct str token,
                const struct jwt_rules *rules, int64_t now_s,
                struct jwt_claims *out, const char **why)
{
    struct str rest = token, header, claims, signature;
    if (token.len > JWT_MAX_BYTES || !str_split(&rest, '.', &header) ||
        !str_split(&rest, '.', &claims) || !str_split(&rest, '.', &signature) ||
        rest.ptr)
        return refuse(why, "The token is malformed.");
    json_t *h = part(arena, header), *c = part(arena, claims);
    *out = (struct jwt_claims){.roles = STR("{}")};
    bool ok = judge(arena, h, c, str_cut(token, 0, header.len + 1 + claims.len),
                    signature, rules, now_s, out, why);
    json_decref(h);
    json_decref(c);
    return ok;
}

struct str jwt_sign(struct arena *arena, struct str secret, struct str user_id,
                    struct str email, int64_t lifetime_s)
{
    struct buf claims, out;
    struct json_writer w;
    uint8_t mac[SHA256_SIZE];
    int64_t now = clock_wall_ms() / 1000;
    buf_init(&claims, arena);
    json_write_to(&w, &claims);
    json_put_object(&w);
    json_field_str(&w, "sub", user_id);
    json_field_str(&w, "email", email);
    json_field_int(&w, "iat", now);
    json_field_int(&w, "exp", now + lifetime_s);
    json_put_object_end(&w);
    buf_init(&out, arena);
    buf_str(&out, base64url_encode(arena,
                                   STR("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")));
    buf_char(&out, '.');
    buf_str(&out, base64url_encode(arena, buf_view(&claims)));
    hmac_sha256(secret, buf_view(&out), mac);
    buf_char(&out, '.');
    buf_str(&out, base64url_encode(arena, (struct str){(char *)mac, sizeof mac}));
    return buf_finish(&out);
}
