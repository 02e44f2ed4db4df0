/* password.c - argon2id by libsodium. */
#include "base/password.h"
#include "base/random.h"
#include <sodium.h>
#include <string.h>
#include "base/banned.h"

enum { PASSES = 2, MEMORY = 19 * 1024 * 1024, GROUPS = 4, GROUP = 5 };

_Static_assert(PASSWORD_HASH_SIZE >= crypto_pwhash_STRBYTES, "a hash fits");

/* The hash of an unknown password, with the same cost. */
static const char dummy_hash[] =
    "$argon2id$v=19$m=19456,t=2,p=1$Ti+9rNvzb/ebDcS5FHhDjg"
    "$ABvpaQDc2LiX0Y3JdoAYpOMuq7Ocijdhr6zWZXbvU98";

bool password_hash(struct str password, char out[PASSWORD_HASH_SIZE])
{
    return crypto_pwhash_str(out, password.ptr, password.len, PASSES, MEMORY) ==
           0;
}

bool password_matches(struct str password, const char *hash)
{
    bool known = hash && *hash;
    bool matches = crypto_pwhash_str_verify(known ? hash : dummy_hash,
                                            password.ptr, password.len) == 0;
    return matches && known;
}

void password_new(char out[PASSWORD_NEW_SIZE])
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
    char *at = out;
    for (int i = 0; i < GROUPS * GROUP; i++) {
        if (i && i % GROUP == 0)
            *at++ = '-';
        *at++ = letters[random_below(sizeof letters - 1)];
    }
    *at = '\0';
}

void password_wipe(void *bytes, size_t len)
{
    sodium_memzero(bytes, len);
}
