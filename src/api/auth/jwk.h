/* jwk.h - public keys that check tokens: one in PEM, or a JWK Set (RFC 7517).
 *
 * RSA of 2048 to 8192 bits for RS256, the curve P-256 for ES256. The kind of the
 * key decides the algorithm, never the token. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>

struct jwk;
struct jwk_set;

/* NULL with a sentence for the operator. */
struct jwk_set *jwk_set_of_pem(struct str pem, const char **why);
/* A JWK Set's text. Keys for other uses and of other kinds are left out; NULL
 * with a sentence when it is none or nothing usable is left. */
struct jwk_set *jwk_set_read(struct str json, const char **why);
void jwk_set_free(struct jwk_set **set);
size_t jwk_set_count(const struct jwk_set *set);

/* The key for tokens of that algorithm and kid; without a kid the only one of
 * that algorithm. A key without a kid (PEM) takes any. NULL: none. */
const struct jwk *jwk_find(const struct jwk_set *set, struct str alg,
                           struct str kid);
/* `scratch` is for a moment. */
bool jwk_verifies(const struct jwk *key, struct arena *scratch,
                  struct str signing, struct str signature);
