/* limits.h - how often a user may ask, and what a refusal says.
 *
 * The count is one process's own. A refusal is 429 with Retry-After and the
 * fields of draft-ietf-httpapi-ratelimit-headers: RateLimit-Policy names the
 * limit (q: quota, w: its window in seconds), RateLimit what is left of it (r)
 * and until when (t, seconds). */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct limits;
struct request;

/* 0: no limit, and NULL. */
struct limits *limits_open(unsigned per_minute);
void limits_close(struct limits **l);

/* Counts a request of its user, whose answer says what is left; false: answered
 * 429. True where there is no limit. */
bool limits_admit(struct request *q);

/* Answers 429. `window_s` 0: the limit has none. */
void limits_refuse(struct request *q, const char *policy, int64_t quota,
                   int64_t window_s, int64_t retry_after_s,
                   const char *message);

/* ---- the count itself, for tests ---------------------------------------- */

struct limits_verdict {
    bool admitted;
    unsigned left;    /* requests that would be admitted right now */
    unsigned again_s; /* until the next one is; 0 when some are left */
};
struct limits_verdict limits_count(struct limits *l, struct str user_id,
                                   uint64_t now_us);
unsigned limits_known(const struct limits *l); /* users it remembers */
