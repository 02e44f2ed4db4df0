/* starting.h - answers requests while the database of a server is unreachable.
 *
 * /healthz (and its other names) gets 200, because the process is up and needs
 * no restart. Everything else gets 503 with Retry-After and the reason. */
#pragma once
#include "inherited.h"

struct starting;
/* Accepts on the sockets; the caller keeps them. Returns NULL, after logging
 * why, if it cannot. */
struct starting *starting_open(const struct inherited *sockets);
/* Stops accepting, answers the connections it has, and frees. Runs the loop,
 * for a little more than a second at most. *s may be NULL, and is NULL
 * afterwards. */
void starting_close(struct starting **s);
