/* jwt.h - JSON Web Tokens, compact form (RFC 7515, 7519), judged strictly.
 *
 * The algorithm is fixed by configuration, never by the token: HS256 with a
 * secret, or RS256/ES256 by the kind of the key that `kid` names. Both parts
 * must be canonical base64url and JSON without duplicate names; `crit` is
 * refused; keys that a token brings with it or points at are not looked at. */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include "jwk.h"

struct jwt_rules {
    const struct jwk_set *keys;  /* NULL with no secret: none known yet */
    struct str secret;           /* HS256, when there are no keys */
    struct str issuer, audience; /* empty: not checked */
    /* Names of claims, or paths to them ("realm_access.roles"); empty: the
     * usual ones. */
    struct str roles_claim, email_claim;
};

struct jwt_claims {
    struct str subject;   /* a UUID in lower case */
    struct str email;     /* may be empty */
    int64_t expires;      /* seconds since 1970 */
    unsigned permissions; /* bits, from `permissions`, else from `roles` */
    struct str roles;     /* PostgreSQL array text for a new user */
    bool unknown_key;     /* it was refused because no key has its kid */
};

enum { JWT_LEEWAY_S = 60, JWT_MAX_BYTES = 8192 };

/* False with a reason that holds nothing of the token. */
bool jwt_verify(struct arena *arena, struct str token,
                const struct jwt_rules *rules, int64_t now_s,
                struct jwt_claims *out, const char **why);
