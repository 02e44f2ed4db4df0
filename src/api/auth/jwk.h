/* jwk.h - public keys that check tokens: one in PEM, or a JWK Set (RFC 7517).
 *
 * RSA keys of 2048 to 8192 bits check RS256, keys on curve P-256 check ES256.
 * The kind of the key decides the algorithm, never the token. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>

struct jwk;
struct jwk_set;

/* Reads one PEM key. Returns NULL with a sentence for the operator in *why. */
struct jwk_set *jwk_set_of_pem(struct str pem, const char **why);
/* Reads a JWK Set. Keys for other uses and of other kinds are left out. Returns
 * NULL with a sentence in *why if the text is not a set or has no usable
 * key. */
struct jwk_set *jwk_set_read(struct str json, const char **why);
/* Frees it and sets *set to NULL. */
void jwk_set_free(struct jwk_set **set);
/* How many keys the set has. */
size_t jwk_set_count(const struct jwk_set *set);

/* Finds the key for a token's algorithm and kid. Without a kid it is the only
 * key of that algorithm. A key without a kid (PEM) fits any token. NULL:
 * none. */
const struct jwk *jwk_find(const struct jwk_set *set, struct str alg,
                           struct str kid);
/* Whether the signature is valid. `scratch` is used during the call only. */
bool jwk_verifies(const struct jwk *key, struct arena *scratch,
                  struct str signing, struct str signature);
