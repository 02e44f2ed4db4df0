/* key_source.h - keys of others, fetched from a JWK Set's address and kept.
 *
 * A service flow fetches the set at once, then every REFRESH_MS, and when a
 * token names a key that is not in it (at most once a minute, whoever asks).
 * A set that was fetched replaces the one before; while it cannot be fetched,
 * the keys that were known go on. */
#pragma once
#include "jwk.h"
#include "loop/flow.h"

struct key_source;

/* The HTTP client is open. `url` is not copied. */
struct key_source *key_source_open(const char *url);
void key_source_close(struct key_source **ks); /* its flow ends soon after */
/* Those known now, valid until the step ends; NULL: none yet. */
const struct jwk_set *key_source_keys(const struct key_source *ks);

/* Waits until a fetch is over, if one goes on or may begin now. Answers OK,
 * whatever came of it. False: there is nothing to wait for. */
struct key_news {
    struct op op; /* first */
    struct key_source *source;
    struct key_news *next;
};
bool key_news_begin(struct flow *f, struct key_news *n, struct key_source *ks);
