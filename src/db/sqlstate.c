/* sqlstate.c - see sqlstate.h. */
#include "sqlstate.h"
#include "db/query.h"
#include <string.h>
#include "base/banned.h"

static bool state_is_in_class(const char *state, const char *class)
{
    return strncmp(state, class, 2) == 0;
}

static bool state_is_one_of(const char *state, const char *const *list)
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
    if (state_is_one_of(state, conflicts))
        return ERR_CONFLICT;
    if (state_is_one_of(state, timeouts))
        return ERR_TIMEOUT;
    if (!state[0] || strcmp(state, SQLSTATE_READ_ONLY) == 0)
        return ERR_DATABASE_UNAVAILABLE;
    for (const char *const *class = away; *class; class++)
        if (state_is_in_class(state, *class))
            return ERR_DATABASE_UNAVAILABLE;
    return ERR_INTERNAL;
}

bool sqlstate_is_undone(const char *state)
{
    return strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0;
}

/* The prepared statement is not known, or the server has become a standby. */
bool sqlstate_is_stale(const char *state)
{
    static const char *const stale[] = {"26000", SQLSTATE_READ_ONLY, NULL};
    return state_is_one_of(state, stale);
}

bool sqlstate_is_quotable(const char *state)
{
    return !state_is_in_class(state, "22") && !state_is_in_class(state, "23") &&
           !state_is_in_class(state, "P0");
}
