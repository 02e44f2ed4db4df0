/* browser.h - what browsers send along: cookies and origins. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>

/* The value of the first cookie of that name in a Cookie header (RFC 6265, 4.2);
 * false: none. */
bool cookie_find(struct str header, const char *name, struct str *out);

struct cookie {
    const char *name, *path;
    struct str value;   /* letters, digits, - and _ alone */
    int64_t lifetime_s; /* 0: forget it */
    bool secure;
};
/* A Set-Cookie value: HttpOnly and SameSite=Strict (RFC 6265bis, 4.1). */
struct str cookie_write(struct arena *arena, const struct cookie *c);

/* Whether an Origin header ("https://host:port") is that of the host that was
 * asked ("host:port"); ports may be left out where they are the scheme's own. */
bool origin_is_of(struct str origin, struct str host);
