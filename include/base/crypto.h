/* crypto.h - the few primitives, over libsodium and OpenSSL. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

void crypto_init(void); /* once, before any other */

enum { SHA256_SIZE = 32 };
void sha256(struct str data, uint8_t out[SHA256_SIZE]);
void hmac_sha256(struct str key, struct str data, uint8_t out[SHA256_SIZE]);
bool crypto_equal(const void *a, const void *b, size_t len); /* constant time */

struct str hex_encode(struct arena *arena, const void *bytes, size_t len);
/* False when it is not pairs of hexadecimal digits. */
bool hex_decode(struct arena *arena, struct str text, struct str *out);
struct str base64_encode(struct arena *arena, struct str bytes);
bool base64_decode(struct arena *arena, struct str text, struct str *out);
/* Without padding and only the canonical form (RFC 4648 section 5, RFC 7515). */
struct str base64url_encode(struct arena *arena, struct str bytes);
bool base64url_decode(struct arena *arena, struct str text, struct str *out);

/* Authenticated encryption (XSalsa20-Poly1305): nonce, tag and text in one
 * slice. seal_open is false when the key is wrong or a byte was changed. */
enum { SEAL_KEY_SIZE = 32 };
struct str seal(struct arena *arena, const uint8_t key[SEAL_KEY_SIZE],
                struct str text);
bool seal_open(struct arena *arena, const uint8_t key[SEAL_KEY_SIZE],
               struct str sealed, struct str *text);
