/* limits.h - the rate limit for requests of a user.
 *
 * Each process counts on its own. A refusal is 429 with Retry-After and the
 * fields of draft-ietf-httpapi-ratelimit-headers: RateLimit-Policy names the
 * limit (q: quota, w: window in seconds), RateLimit what is left of it (r) and
 * until when (t, seconds). */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct limits;
struct request;

/* Returns NULL when `per_minute` is 0: no limit. */
struct limits *limits_open(unsigned per_minute);
/* Frees it and sets *l to NULL. */
void limits_close(struct limits **l);

/* Counts a request of its user and adds the RateLimit headers. Returns false
 * after answering 429. True where there is no limit. */
bool limits_admit(struct request *q);

/* Answers 429. `window_s` 0: the limit has no window. */
void limits_refuse(struct request *q, const char *policy, int64_t quota,
                   int64_t window_s, int64_t retry_after_s,
                   const char *message);

/* Answers 429 when the user's tokens of the day (UTC) are used up, or what they
 * may cost. */
enum { LIMIT_DAY_S = 24 * 60 * 60 };
extern const char limits_spent[], limits_costly[]; /* the sentences */
void limits_refuse_day(struct request *q, bool costly);

/* ---- the count itself, for tests ----------------------------------------- */

struct limits_verdict {
    bool admitted;
    unsigned left;    /* requests that are admitted right now */
    unsigned again_s; /* seconds until the next one; 0 when some are left */
};
struct limits_verdict limits_count(struct limits *l, struct str user_id,
                                   uint64_t now_us);
unsigned limits_known(const struct limits *l); /* users in memory */
