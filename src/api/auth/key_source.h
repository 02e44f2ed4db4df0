/* key_source.h - fetches the keys of another issuer from a JWK Set address.
 *
 * A service flow fetches the set at once, then every REFRESH_MS, and when a
 * token names a key that is not in the set (at most once a minute for all
 * tokens together). A new set replaces the old one. While the set cannot be
 * fetched, the known keys stay in use. */
#pragma once
#include "jwk.h"
#include "loop/flow.h"

struct key_source;

/* Starts the service. The HTTP client must be open. `url` is not copied. */
struct key_source *key_source_open(const char *url);
void key_source_close(struct key_source **ks); /* the flow ends soon after */
/* The keys known now, valid until the step ends; NULL: none yet. */
const struct jwk_set *key_source_keys(const struct key_source *ks);

/* An op that waits until a fetch is over. */
struct key_news {
    struct op op; /* first */
    struct key_source *source;
    struct key_news *next;
};
/* Begins the op if a fetch is in progress or may begin now. It answers OK,
 * whether or not the fetch succeeded. Returns false when there is nothing to
 * wait for. */
bool key_news_begin(struct flow *f, struct key_news *n, struct key_source *ks);
