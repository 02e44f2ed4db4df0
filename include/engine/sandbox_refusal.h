/* sandbox_refusal.h - why the sandbox cannot be used, in its own words. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* The message of a 503, {"statusCode": 503, "message": …}: one line without a
 * full stop, such as "the packages cannot be loaded: No module named 'duckdb'",
 * at most 200 bytes. Empty: it is another status, or has no such body. In the
 * arena. */
struct str sandbox_refusal(struct arena *arena, int status, struct str body);
