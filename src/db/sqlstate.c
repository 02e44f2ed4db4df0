#include "sqlstate.h"
#include "db/query.h"
#include <string.h>
#include "base/banned.h"

static bool in_class(const char *state, const char *class)
{
    return strncmp(state, class, 2) == 0;
}

static bool is_one_of(const char *state, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(state, *list) == 0)
            return true;
    return false;
}

enum err sqlstate_err(const char *state)
{
    static const char *const conflicts[] = {"23001", "23503", "23505", "23P01",
                                            NULL};
    static const char *const timeouts[] = {"57014", "55P03", "25P03", NULL};
    static const char *const away[] = {"08", "40", "53", "57", "58", NULL};
    if (is_one_of(state, conflicts))
        return ERR_CONFLICT;
    if (is_one_of(state, timeouts))
        return ERR_TIMEOUT;
    if (!state[0] || strcmp(state, SQLSTATE_READ_ONLY) == 0)
        return ERR_DATABASE_UNAVAILABLE;
    for (const char *const *class = away; *class; class++)
        if (in_class(state, *class))
            return ERR_DATABASE_UNAVAILABLE;
    return ERR_INTERNAL;
}

bool sqlstate_is_undone(const char *state)
{
    return strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0;
}

/* Prepared statement unknown, and a server that was turned into a standby. */
bool sqlstate_is_stale(const char *state)
{
    static const char *const stale[] = {"26000", SQLSTATE_READ_ONLY, NULL};
    return is_one_of(state, stale);
}

bool sqlstate_is_quotable(const char *state)
{
    return !in_class(state, "22") && !in_class(state, "23") &&
           !in_class(state, "P0");
}
