/* jwt.c - signs and verifies JSON Web Tokens.
 *
 *   split -> decode and parse both parts -> header (algorithm, type, crit) ->
 *   signature -> claims (times, issuer, audience, user, permissions) */
#include "jwt.h"
#include "api/api.h"
#include "base/clock.h"
#include "store/users.h"
#include <string.h>
#include "base/banned.h"

/* ---- signatures ---------------------------------------------------------- */

static bool hmac_matches(struct str signing, struct str signature,
                         struct str secret)
{
    uint8_t mac[SHA256_SIZE];
    hmac_sha256(secret, signing, mac);
    return signature.len == sizeof mac &&
           crypto_equal(mac, signature.ptr, sizeof mac);
}

/* ---- claims -------------------------------------------------------------- */

static bool refuse_token(const char **why, const char *text)
{
    *why = text;
    return false;
}

static json_t *parse_part(struct arena *arena, struct str text)
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
        return refuse_token(why, "The token does not say when it expires.");
    if (json_number_value(exp) > 253402300799.0) /* end of the year 9999 */
        return refuse_token(why, "The token is malformed.");
    if (json_number_value(exp) + JWT_LEEWAY_S <= (double)now_s)
        return refuse_token(why, "The token has expired.");
    if (nbf && (!json_is_number(nbf) ||
                json_number_value(nbf) > (double)now_s + JWT_LEEWAY_S))
        return refuse_token(why, "The token is not valid yet.");
    if (iat && (!json_is_number(iat) ||
                json_number_value(iat) > (double)now_s + JWT_LEEWAY_S))
        return refuse_token(why, "The token was issued in the future.");
    return true;
}

static void add_role(struct buf *list, struct str role, unsigned *bits)
{
    unsigned of_role = role_permissions(role);
    if (!of_role)
        return;
    *bits |= of_role;
    buf_printf(list, "%s%.*s", list->len > 1 ? "," : "", STR_ARG(role));
}

static void add_roles(struct arena *arena, const json_t *roles,
                      struct jwt_claims *out, unsigned *bits)
{
    struct buf list;
    buf_init(&list, arena);
    buf_char(&list, '{');
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const json_t *item = json_array_get(roles, i);
        add_role(&list,
                 json_is_object(item) ? json_get_text(item, "name")
                                      : json_text(item),
                 bits);
    }
    buf_char(&list, '}');
    out->roles = buf_view(&list);
}

/* The member with that whole name, else the one that the dotted path leads
 * to. */
static const json_t *claim_at(struct arena *arena, const json_t *claims,
                              struct str path)
{
    const json_t *at = json_object_get(claims, arena_cstr(arena, path));
    struct str name;
    if (at)
        return at;
    for (at = claims; at && str_split(&path, '.', &name);)
        at = json_object_get(at, arena_cstr(arena, name));
    return at;
}

static const json_t *named_claim(struct arena *arena, const json_t *claims,
                                 struct str name, struct str usual)
{
    return claim_at(arena, claims, name.len ? name : usual);
}

static bool read_claims(struct arena *arena, const json_t *claims,
                        const struct jwt_rules *rules, struct jwt_claims *out,
                        const char **why)
{
    struct str subject = json_get_text(claims, "sub");
    const json_t *permissions = json_object_get(claims, "permissions");
    unsigned from_roles = 0;
    if (!uuid_valid(subject))
        return refuse_token(why, "The token does not name a user.");
    char *id = arena_cstr(arena, subject);
    for (char *c = id; *c; c++)
        if (*c >= 'A' && *c <= 'F')
            *c += 'a' - 'A';
    out->subject = str_of(id);
    out->email =
        arena_str(arena, json_text(named_claim(
                             arena, claims, rules->email_claim, STR("email"))));
    out->expires = (int64_t)json_number_value(json_object_get(claims, "exp"));
    add_roles(arena,
              named_claim(arena, claims, rules->roles_claim, STR("roles")), out,
              &from_roles);
    for (size_t i = 0; i < json_array_size(permissions); i++)
        out->permissions |=
            permission_bits(json_text(json_array_get(permissions, i)));
    if (!json_is_array(permissions))
        out->permissions = from_roles;
    return true;
}

/* Access tokens of other issuers may have a type of their own (RFC 9068). */
static bool typ_fits(const json_t *typ, bool with_key)
{
    return !typ || str_eq_nocase(json_text(typ), STR("JWT")) ||
           (with_key && str_eq_nocase(json_text(typ), STR("at+jwt")));
}

static bool check_header(const json_t *header, bool with_key, const char **why)
{
    struct str alg = json_get_text(header, "alg");
    const json_t *kid = json_object_get(header, "kid");
    if (json_object_get(header, "crit") || json_object_get(header, "b64"))
        return refuse_token(why, "The token requires an extension.");
    if (!typ_fits(json_object_get(header, "typ"), with_key))
        return refuse_token(why, "The token has another type.");
    if (kid && !json_is_string(kid))
        return refuse_token(why, "The token is malformed.");
    if (with_key ? !str_is(alg, "RS256") && !str_is(alg, "ES256")
                 : !str_is(alg, "HS256"))
        return refuse_token(why, "The token's algorithm is not accepted.");
    return true;
}

/* The parts of a token: encoded and decoded. */
struct parts {
    struct str signing, signature;
    json_t *header, *claims;
};

static bool signature_fits(struct arena *arena, const struct parts *p,
                           const struct jwt_rules *rules,
                           struct jwt_claims *out, const char **why)
{
    const char *unfit = "The token's signature does not match.";
    bool with_key = rules->keys || !rules->secret.len;
    struct str mac;
    if (!check_header(p->header, with_key, why))
        return false;
    if (!base64url_decode(arena, p->signature, &mac))
        return refuse_token(why, unfit);
    if (!with_key)
        return hmac_matches(p->signing, mac, rules->secret) ||
               refuse_token(why, unfit);
    const struct jwk *key =
        jwk_find(rules->keys, json_get_text(p->header, "alg"),
                 json_get_text(p->header, "kid"));
    out->unknown_key = !key;
    return (key && jwk_verifies(key, arena, p->signing, mac)) ||
           refuse_token(why, unfit);
}

static bool check_token(struct arena *arena, const struct parts *p,
                        const struct jwt_rules *rules, int64_t now_s,
                        struct jwt_claims *out, const char **why)
{
    if (!p->header || !p->claims)
        return refuse_token(why, "The token is malformed.");
    if (!signature_fits(arena, p, rules, out, why) ||
        !times_fit(p->claims, now_s, why))
        return false;
    if (rules->issuer.len &&
        !str_eq(json_get_text(p->claims, "iss"), rules->issuer))
        return refuse_token(why, "The token was issued by another issuer.");
    if (rules->audience.len &&
        !audience_fits(json_object_get(p->claims, "aud"), rules->audience))
        return refuse_token(why, "The token is for another audience.");
    return read_claims(arena, p->claims, rules, out, why);
}

bool jwt_verify(struct arena *arena, struct str token,
                const struct jwt_rules *rules, int64_t now_s,
                struct jwt_claims *out, const char **why)
{
    struct str rest = token, header, claims, signature;
    *out = (struct jwt_claims){.roles = STR("{}")};
    if (token.len > JWT_MAX_BYTES || !str_split(&rest, '.', &header) ||
        !str_split(&rest, '.', &claims) || !str_split(&rest, '.', &signature) ||
        rest.ptr)
        return refuse_token(why, "The token is malformed.");
    struct parts p = {.signing = str_cut(token, 0, header.len + 1 + claims.len),
                      .signature = signature,
                      .header = parse_part(arena, header),
                      .claims = parse_part(arena, claims)};
    bool ok = check_token(arena, &p, rules, now_s, out, why);
    json_decref(p.header);
    json_decref(p.claims);
    return ok;
}

struct str jwt_sign(struct arena *arena, const struct jwt_grant *g)
{
    struct buf claims, out;
    struct json_writer w;
    uint8_t mac[SHA256_SIZE];
    int64_t now = clock_wall_ms() / 1000;
    buf_init(&claims, arena);
    json_writer_init(&w, &claims);
    json_put_object(&w);
    json_field_str(&w, "sub", g->user_id);
    json_field_str(&w, "email", g->email);
    if (g->issuer.len)
        json_field_str(&w, "iss", g->issuer);
    if (g->audience.len)
        json_field_str(&w, "aud", g->audience);
    json_field_int(&w, "iat", now);
    json_field_int(&w, "exp", now + g->lifetime_s);
    json_put_object_end(&w);
    buf_init(&out, arena);
    buf_str(&out, base64url_encode(arena,
                                   STR("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")));
    buf_char(&out, '.');
    buf_str(&out, base64url_encode(arena, buf_view(&claims)));
    hmac_sha256(g->secret, buf_view(&out), mac);
    buf_char(&out, '.');
    buf_str(&out,
            base64url_encode(arena, (struct str){(char *)mac, sizeof mac}));
    return buf_finish(&out);
}
