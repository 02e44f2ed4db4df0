/* pairs.h - lists "name=value,name=value" as OpenTelemetry's settings have them
 * (W3C Baggage): values may be percent-encoded. */
#pragma once
#include "base/arena.h"
#include "base/compiler.h"
#include "base/str.h"
#include <stdbool.h>

/* Takes the next pair from the front of *list; the value is in the arena. False:
 * there is none, and *name is empty; or it is malformed: no "=", a name with
 * spaces or colons, bad encoding, or a value with control characters. */
MUST_CHECK bool pairs_next(struct arena *arena, struct str *list,
                           struct str *name, struct str *value);
/* Whether all pairs are well formed, and there are at most `most`. */
MUST_CHECK bool pairs_good(struct str list, size_t most);
