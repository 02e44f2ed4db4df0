/* trino_address.h - the addresses and headers of requests to a Trino cluster.
 * Pure. */
#pragma once
#include "base/buf.h"
#include "engine/trino.h"

/* "https://host:8443", without a port that the scheme implies. */
void trino_base(struct buf *out, const struct trino_options *o);
/* The path and query of `uri` when it leads to /v1/statement/ at `base`; ptr
 * NULL: it leads elsewhere. */
struct str trino_same_origin(struct str base, struct str uri);
/* The header lines of all requests, one after the other, each ended by a NUL; a
 * secret. `n` is their number. */
void trino_headers(struct buf *out, const struct trino_options *o, size_t *n);
