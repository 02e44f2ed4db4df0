/* starting.h - answers for a server whose database is not there yet.
 *
 * /healthz (and its other names) says 200, for the process is up and needs no
 * restart; everything else gets 503 with Retry-After and the reason. */
#pragma once
#include "inherited.h"

struct starting;
/* Accepts on the sockets, which stay the caller's. NULL when it cannot; that is
 * logged. */
struct starting *starting_open(const struct inherited *sockets);
/* Stops accepting, answers whom it had accepted, and frees. Turns the loop, a
 * little more than a second at most. *s may be NULL, and is NULL after. */
void starting_close(struct starting **s);
