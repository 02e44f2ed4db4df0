/* jwt.h - JSON Web Tokens in compact form (RFC 7515, 7519), verified strictly.
 *
 * The configuration fixes the algorithm, never the token: HS256 with a secret,
 * or RS256/ES256 by the kind of the key that `kid` names. Both parts must be
 * canonical base64url and JSON without duplicate names. A token with `crit` is
 * refused, and keys that a token contains or links to are ignored. */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include "jwk.h"

struct jwt_rules {
    const struct jwk_set *keys;  /* NULL without a secret: not fetched yet */
    struct str secret;           /* for HS256, when there are no keys */
    struct str issuer, audience; /* empty: not checked */
    /* Names of claims, or dotted paths to them ("realm_access.roles"); empty:
     * the defaults. */
    struct str roles_claim, email_claim;
};

struct jwt_claims {
    struct str subject;   /* UUID in lower case */
    struct str email;     /* may be empty */
    int64_t expires;      /* seconds since 1970 */
    unsigned permissions; /* bit set, from `permissions`, else from `roles` */
    struct str roles;     /* PostgreSQL array text, for a new user */
    bool unknown_key;     /* refused because no known key has its kid */
};

enum { JWT_LEEWAY_S = 60, JWT_MAX_BYTES = 8192 };

/* Verifies a token. Returns false with a reason in *why that quotes nothing of
 * the token. The result is in the arena. */
bool jwt_verify(struct arena *arena, struct str token,
                const struct jwt_rules *rules, int64_t now_s,
                struct jwt_claims *out, const char **why);
