/* limiter.c - a fixed table of counters, found by a keyed hash of the name. */
#include "limiter.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "base/random.h"
#include <string.h>
#include "base/banned.h"

enum { SETS = 1024, WAYS = 4, KEY_BYTES = 16 };

struct limiter {
    unsigned window_ms;
    char key[KEY_BYTES];
    struct counted {
        uint64_t name; /* keyed hash; 0: free */
        uint64_t since_ms;
        unsigned n;
    } sets[SETS][WAYS];
};

struct limiter *limiter_new(unsigned window_ms)
{
    struct limiter *a = mem_new(struct limiter);
    a->window_ms = window_ms;
    random_bytes(a->key, sizeof a->key);
    return a;
}

void limiter_free(struct limiter **a)
{
    mem_free(*a);
    *a = NULL;
}

static uint64_t name_hash(const struct limiter *a, struct str name)
{
    uint8_t mac[SHA256_SIZE];
    uint64_t hash;
    hmac_sha256((struct str){a->key, KEY_BYTES}, name, mac);
    memcpy(&hash, mac, sizeof hash);
    return hash ? hash : 1;
}

static bool window_over(const struct limiter *a, const struct counted *c,
                        uint64_t now_ms)
{
    return !c->name || now_ms - c->since_ms >= a->window_ms;
}

/* The slot of the name, or the one to use for it: a free one, else the one with
 * the fewest attempts. */
static struct counted *find_slot(struct limiter *a, uint64_t name,
                                 uint64_t now_ms)
{
    struct counted *set = a->sets[name % SETS], *best = NULL;
    for (int i = 0; i < WAYS; i++)
        if (set[i].name == name)
            return &set[i];
    for (int i = 0; i < WAYS; i++)
        if (window_over(a, &set[i], now_ms))
            return &set[i];
        else if (!best || set[i].n < best->n)
            best = &set[i];
    return best;
}

bool limiter_acquire(struct limiter *a, struct str name, unsigned most,
                     uint64_t now_ms, unsigned *retry_s)
{
    uint64_t hash = name_hash(a, name);
    struct counted *c = find_slot(a, hash, now_ms);
    if (c->name != hash || window_over(a, c, now_ms))
        *c = (struct counted){.name = hash, .since_ms = now_ms};
    *retry_s = (unsigned)((c->since_ms + a->window_ms - now_ms + 999) / 1000);
    if (c->n >= most)
        return false;
    c->n++;
    return true;
}

void limiter_refund(struct limiter *a, struct str name, uint64_t now_ms)
{
    uint64_t hash = name_hash(a, name);
    struct counted *c = find_slot(a, hash, now_ms);
    if (c->name == hash && c->n)
        c->n--;
}
