/* browser.h - cookies and origins in the headers of browsers. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>

/* Finds the first cookie of that name in a Cookie header (RFC 6265, 4.2).
 * Returns false if there is none. */
bool cookie_find(struct str header, const char *name, struct str *out);

struct cookie {
    const char *name, *path;
    struct str value;   /* letters, digits, - and _ only */
    int64_t lifetime_s; /* 0: delete the cookie */
    bool secure;
};
/* Returns a Set-Cookie value, HttpOnly and SameSite=Strict (RFC 6265bis,
 * 4.1). */
struct str cookie_write(struct arena *arena, const struct cookie *c);

/* Whether an Origin header ("https://host:port") names the host that was
 * requested ("host:port"). The default port of the scheme may be left out. */
bool origin_is_of(struct str origin, struct str host);
