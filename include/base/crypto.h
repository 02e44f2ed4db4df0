/* crypto.h - hashes, encodings and authenticated encryption, by libsodium.
 *
 * Results are allocated in the given arena. Decoders and seal_open return false
 * for malformed input and then leave *out alone. */
#pragma once
#include "base/arena.h"
#include "base/compiler.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* Must be called once before any other function here. Ends the process when the
 * system has no source of randomness. */
void crypto_init(void);

/* SipHash with a key that only this process has: no input can be made to have the
 * hash of another. */
uint64_t keyed_hash(struct str data);

enum { SHA256_SIZE = 32 };
void sha256(struct str data, uint8_t out[SHA256_SIZE]);
/* The same in pieces. sha256_done ends it. */
struct sha256_run {
    _Alignas(16) unsigned char state[112]; /* private */
};
void sha256_begin(struct sha256_run *run);
void sha256_add(struct sha256_run *run, struct str piece);
void sha256_done(struct sha256_run *run, uint8_t out[SHA256_SIZE]);
void hmac_sha256(struct str key, struct str data, uint8_t out[SHA256_SIZE]);
/* Compares in constant time. */
bool crypto_equal(const void *a, const void *b, size_t len);

/* Lower-case hexadecimal; hex_decode takes either case. */
struct str hex_encode(struct arena *arena, const void *bytes, size_t len);
MUST_CHECK bool hex_decode(struct arena *arena, struct str text,
                           struct str *out);
/* Base64 with padding (RFC 4648, section 4). */
struct str base64_encode(struct arena *arena, struct str bytes);
MUST_CHECK bool base64_decode(struct arena *arena, struct str text,
                              struct str *out);
/* Base64url without padding (RFC 4648, section 5). Only the canonical form is
 * decoded, as JWS (RFC 7515) needs it. */
struct str base64url_encode(struct arena *arena, struct str bytes);
MUST_CHECK bool base64url_decode(struct arena *arena, struct str text,
                                 struct str *out);

/* Authenticated encryption (XSalsa20-Poly1305): nonce, tag and ciphertext in
 * one slice. seal_open returns false when the key is wrong or a byte has
 * changed. */
enum { SEAL_KEY_SIZE = 32 };
struct str seal(struct arena *arena, const uint8_t key[SEAL_KEY_SIZE],
                struct str text);
MUST_CHECK bool seal_open(struct arena *arena, const uint8_t key[SEAL_KEY_SIZE],
                          struct str sealed, struct str *text);
