/* server_url.h - where the server of these settings is. */
#pragma once
#include "config/config.h"

/* The URL that a running server has written, else that of HOST and PORT; in the
 * arena. */
struct str server_url(struct arena *arena, const struct config *c);
