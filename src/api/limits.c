/* limits.c - a leaky bucket for each user (GCRA): one number, the time at which
 * the bucket will be empty. A full quota may be used at once and then refills
 * slowly. An empty bucket equals none, so inactive users are removed. */
#include "limits.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/prices.h"
#include "base/random.h"
#include "request.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { WINDOW_S = 60, SWEEP_FROM = 256 };
#define WINDOW_US (WINDOW_S * 1000000ull)

struct bucket {
    char user_id[UUID_SIZE];
    uint64_t empty_us;
};

struct limits {
    unsigned per_minute;
    struct map buckets;
    size_t sweep_at; /* number of users that triggers a sweep */
};

struct limits *limits_open(unsigned per_minute)
{
    if (!per_minute)
        return NULL;
    struct limits *l = mem_new(struct limits);
    l->per_minute = per_minute;
    l->sweep_at = SWEEP_FROM;
    map_init(&l->buckets, NULL);
    return l;
}

void limits_close(struct limits **at)
{
    struct limits *l = *at;
    *at = NULL;
    if (!l)
        return;
    for (struct map_entry *e = NULL; (e = map_next(&l->buckets, e));)
        mem_free(e->value);
    map_done(&l->buckets);
    mem_free(l);
}

unsigned limits_known(const struct limits *l)
{
    return (unsigned)l->buckets.count;
}

/* Copies into a new map, because a map keeps the keys of removed entries. */
static void sweep_buckets(struct limits *l, uint64_t now_us)
{
    struct map left;
    map_init(&left, NULL);
    for (struct map_entry *e = NULL; (e = map_next(&l->buckets, e));) {
        struct bucket *b = e->value;
        if (b->empty_us > now_us)
            map_put(&left, str_of(b->user_id), b);
        else
            mem_free(b);
    }
    map_done(&l->buckets);
    l->buckets = left;
    l->sweep_at = left.count < SWEEP_FROM / 2 ? SWEEP_FROM : left.count * 2;
}

static struct bucket *bucket_of(struct limits *l, struct str user_id,
                                uint64_t now_us)
{
    struct bucket *b = map_get(&l->buckets, user_id);
    if (b)
        return b;
    if (l->buckets.count >= l->sweep_at)
        sweep_buckets(l, now_us);
    b = mem_new(struct bucket);
    memcpy(b->user_id, user_id.ptr,
           user_id.len < UUID_SIZE ? user_id.len : UUID_SIZE - 1);
    map_put(&l->buckets, str_of(b->user_id), b);
    return b;
}

static unsigned seconds_up(uint64_t us)
{
    return (unsigned)((us + 999999) / 1000000);
}

struct limits_verdict limits_count(struct limits *l, struct str user_id,
                                   uint64_t now_us)
{
    struct bucket *b = bucket_of(l, user_id, now_us);
    uint64_t each_us = WINDOW_US / l->per_minute;
    uint64_t whole_us = each_us * l->per_minute;
    uint64_t filled = b->empty_us > now_us ? b->empty_us - now_us : 0;
    struct limits_verdict v = {.admitted = filled + each_us <= whole_us};
    if (v.admitted) {
        filled += each_us;
        b->empty_us = now_us + filled;
    }
    v.left = (unsigned)((whole_us - filled) / each_us);
    if (!v.left)
        v.again_s = seconds_up(filled + each_us - whole_us);
    return v;
}

/* ---- over HTTP ----------------------------------------------------------- */

static void set_policy_header(struct request *q, const char *policy,
                              int64_t quota, int64_t window_s)
{
    char text[96];
    int n =
        snprintf(text, sizeof text, "\"%s\";q=%lld", policy, (long long)quota);
    if (window_s)
        snprintf(text + n, sizeof text - (size_t)n, ";w=%lld",
                 (long long)window_s);
    http_set_header(q->x, "RateLimit-Policy", str_of(text));
}

static void set_left_header(struct request *q, const char *policy,
                            unsigned left, int64_t again_s)
{
    char text[96];
    int n = snprintf(text, sizeof text, "\"%s\";r=%u", policy, left);
    if (!left)
        snprintf(text + n, sizeof text - (size_t)n, ";t=%lld",
                 (long long)again_s);
    http_set_header(q->x, "RateLimit", str_of(text));
}

void limits_refuse(struct request *q, const char *policy, int64_t quota,
                   int64_t window_s, int64_t retry_after_s, const char *message)
{
    char seconds[24];
    snprintf(seconds, sizeof seconds, "%lld", (long long)retry_after_s);
    http_set_header(q->x, "Retry-After", str_of(seconds));
    set_policy_header(q, policy, quota, window_s);
    set_left_header(q, policy, 0, retry_after_s);
    reply_error(q, ERR_RATE_LIMITED, message);
}

const char limits_spent[] = "You have used up your tokens for today (UTC).";
const char limits_costly[] =
    "Your questions have reached their cost limit for today (UTC).";

/* The quota of a cost is in whole units of the currency. */
void limits_refuse_day(struct request *q, bool costly)
{
    const struct agent_settings *s = agent_settings(q->api->options.agent);
    int64_t again_s =
        LIMIT_DAY_S - (clock_wall_ms() / 1000) % (int64_t)LIMIT_DAY_S;
    if (costly)
        limits_refuse(q, "cost", s->cost_per_day / MONEY_NANO, LIMIT_DAY_S,
                      again_s, limits_costly);
    else
        limits_refuse(q, "tokens", s->tokens_per_day, LIMIT_DAY_S, again_s,
                      limits_spent);
}

bool limits_admit(struct request *q)
{
    struct limits *l = q->api->limits;
    if (!l)
        return true;
    struct limits_verdict v = limits_count(l, q->user.id, clock_us());
    if (!v.admitted) {
        limits_refuse(q, "requests", l->per_minute, WINDOW_S, v.again_s,
                      "You sent too many requests within a minute.");
        return false;
    }
    set_policy_header(q, "requests", l->per_minute, WINDOW_S);
    set_left_header(q, "requests", v.left, v.again_s);
    return true;
}
