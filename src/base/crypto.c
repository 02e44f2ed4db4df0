/* crypto.c - the functions of crypto.h, over libsodium. */
#include "base/crypto.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include "base/banned.h"

static unsigned char hash_key[crypto_shorthash_KEYBYTES];

void crypto_init(void)
{
    if (sodium_init() < 0)
        abort(); /* no source of randomness */
    crypto_shorthash_keygen(hash_key);
}

uint64_t keyed_hash(struct str data)
{
    uint64_t hash;
    _Static_assert(sizeof hash == crypto_shorthash_BYTES, "SipHash-2-4");
    crypto_shorthash((unsigned char *)&hash, (const unsigned char *)data.ptr,
                     data.len, hash_key);
    return hash;
}

void sha256(struct str data, uint8_t out[SHA256_SIZE])
{
    crypto_hash_sha256(out, (const unsigned char *)data.ptr, data.len);
}

_Static_assert(sizeof(crypto_hash_sha256_state) <=
                   sizeof(((struct sha256_run *)0)->state),
               "the library's state fits");

static crypto_hash_sha256_state *state_of(struct sha256_run *run)
{
    return (crypto_hash_sha256_state *)(void *)run->state;
}

void sha256_begin(struct sha256_run *run)
{
    crypto_hash_sha256_init(state_of(run));
}

void sha256_add(struct sha256_run *run, struct str piece)
{
    crypto_hash_sha256_update(state_of(run), (const unsigned char *)piece.ptr,
                              piece.len);
}

void sha256_done(struct sha256_run *run, uint8_t out[SHA256_SIZE])
{
    crypto_hash_sha256_final(state_of(run), out);
}

void hmac_sha256(struct str key, struct str data, uint8_t out[SHA256_SIZE])
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)key.ptr,
                                key.len);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)data.ptr,
                                  data.len);
    crypto_auth_hmacsha256_final(&state, out);
}

bool crypto_equal(const void *a, const void *b, size_t len)
{
    return sodium_memcmp(a, b, len) == 0;
}

struct str hex_encode(struct arena *arena, const void *bytes, size_t len)
{
    char *text = arena_alloc(arena, len * 2 + 1);
    sodium_bin2hex(text, len * 2 + 1, bytes, len);
    return (struct str){text, len * 2};
}

bool hex_decode(struct arena *arena, struct str text, struct str *out)
{
    size_t len, most = text.len / 2;
    char *bytes = arena_alloc(arena, most + 1);
    if (text.len % 2 || sodium_hex2bin((unsigned char *)bytes, most, text.ptr,
                                       text.len, NULL, &len, NULL) != 0)
        return false;
    *out = (struct str){bytes, len};
    return len == most;
}

static struct str encode_base64(struct arena *arena, struct str bytes,
                                int variant)
{
    size_t size = sodium_base64_encoded_len(bytes.len, variant);
    char *text = arena_alloc(arena, size);
    sodium_bin2base64(text, size, (const unsigned char *)bytes.ptr, bytes.len,
                      variant);
    return str_of(text);
}

static bool decode_base64(struct arena *arena, struct str text, struct str *out,
                          int variant)
{
    size_t len = 0;
    const char *end = NULL;
    unsigned char *bytes = arena_alloc(arena, text.len / 4 * 3 + 4);
    if (sodium_base642bin(bytes, text.len / 4 * 3 + 3, text.ptr, text.len, NULL,
                          &len, &end, variant) != 0 ||
        end != text.ptr + text.len)
        return false;
    *out = (struct str){(const char *)bytes, len};
    return true;
}

struct str base64_encode(struct arena *arena, struct str bytes)
{
    return encode_base64(arena, bytes, sodium_base64_VARIANT_ORIGINAL);
}

bool base64_decode(struct arena *arena, struct str text, struct str *out)
{
    return decode_base64(arena, text, out, sodium_base64_VARIANT_ORIGINAL);
}

struct str base64url_encode(struct arena *arena, struct str bytes)
{
    return encode_base64(arena, bytes,
                         sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

bool base64url_decode(struct arena *arena, struct str text, struct str *out)
{
    if (!decode_base64(arena, text, out,
                       sodium_base64_VARIANT_URLSAFE_NO_PADDING))
        return false;
    /* Unused bits must be zero, or two texts would decode to one value. */
    return str_eq(base64url_encode(arena, *out), text);
}

struct str seal(struct arena *arena, const uint8_t key[SEAL_KEY_SIZE],
                struct str text)
{
    enum {
        NONCE = crypto_secretbox_NONCEBYTES,
        TAG = crypto_secretbox_MACBYTES
    };
    unsigned char *out = arena_alloc(arena, NONCE + TAG + text.len);
    randombytes_buf(out, NONCE);
    crypto_secretbox_easy(out + NONCE, (const unsigned char *)text.ptr,
                          text.len, out, key);
    return (struct str){(const char *)out, NONCE + TAG + text.len};
}

bool seal_open(struct arena *arena, const uint8_t key[SEAL_KEY_SIZE],
               struct str sealed, struct str *text)
{
    enum {
        NONCE = crypto_secretbox_NONCEBYTES,
        TAG = crypto_secretbox_MACBYTES
    };
    if (sealed.len < NONCE + TAG)
        return false;
    const unsigned char *in = (const unsigned char *)sealed.ptr;
    size_t len = sealed.len - NONCE - TAG;
    unsigned char *out = arena_alloc(arena, len + 1);
    if (crypto_secretbox_open_easy(out, in + NONCE, sealed.len - NONCE, in,
                                   key))
        return false;
    *text = (struct str){(const char *)out, len};
    return true;
}
