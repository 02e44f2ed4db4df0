/* random.c - random numbers from libsodium.
 *
 * A run needs two dozen small numbers (span ids, jitter), so small requests are
 * served from a buffer that one system call fills. Bytes are wiped when they
 * have been handed out. Keys are larger than SMALL and never go through the
 * buffer. */
#include "base/random.h"
#include <sodium.h>
#include <string.h>
#include "base/banned.h"

enum { FETCHED = 512, SMALL = 16 };
static _Thread_local uint8_t fetched[FETCHED];
static _Thread_local size_t n_left;

void random_bytes(void *out, size_t len)
{
    if (len > SMALL) {
        randombytes_buf(out, len);
        return;
    }
    if (n_left < len) {
        randombytes_buf(fetched, sizeof fetched);
        n_left = sizeof fetched;
    }
    n_left -= len;
    memcpy(out, fetched + n_left, len);
    sodium_memzero(fetched + n_left, len);
}

uint64_t random_below(uint64_t bound)
{
    uint64_t x,
        skew = (0 - bound) % bound; /* values that would be twice as likely */
    do
        random_bytes(&x, sizeof x);
    while (x < skew);
    return x % bound;
}

void uuid_new(char out[UUID_SIZE])
{
    uint8_t b[16];
    random_bytes(b, sizeof b);
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
    static const uint8_t first[] = {0, 4, 6, 8, 10, 16};
    for (int i = 0; i < 5; i++, *out++ = '-') {
        size_t n = first[i + 1] - first[i];
        sodium_bin2hex(out, n * 2 + 1, b + first[i], n);
        out += n * 2;
    }
    out[-1] = '\0';
}

bool uuid_valid(struct str s)
{
    if (s.len != UUID_SIZE - 1)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? c != '-' : str_hex_digit(c) < 0)
            return false;
    }
    return true;
}
