#include "base/random.h"
#include <sodium.h>
#include <string.h>
#include "base/banned.h"

/* A run needs two dozen small numbers (ids of spans, pauses): they are fetched
 * from the kernel together. What was handed out is wiped. A key of its own size
 * is never kept here. */
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
    uint64_t x, skew = (0 - bound) % bound; /* values that would weigh double */
    do
        random_bytes(&x, sizeof x);
    while (x < skew);
    return x % bound;
}

void uuid_new(char out[UUID_SIZE])
{
    static const char hex[] = "0123456789abcdef";
    uint8_t b[16];
    random_bytes(b, sizeof b);
    b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);
    b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
    char *at = out;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        *at++ = hex[b[i] >> 4];
        *at++ = hex[b[i] & 15];
    }
    *at = '\0';
}

bool uuid_valid(struct str s)
{
    if (s.len != UUID_SIZE - 1)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
                     (c >= 'A' && c <= 'F');
        if (dash ? c != '-' : !digit)
            return false;
    }
    return true;
}
