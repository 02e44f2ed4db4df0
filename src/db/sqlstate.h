/* sqlstate.h - what an SQLSTATE means for the caller. Pure. */
#pragma once
#include "base/err.h"
#include <stdbool.h>

/* The error of a failed query. "" (no state) is a lost connection. */
enum err sqlstate_err(const char *state);
/* True when the statement was undone as a whole and may be retried as it is. */
bool sqlstate_is_undone(const char *state);
/* True when the session no longer fits: retry on another connection. */
bool sqlstate_is_stale(const char *state);
/* May the database's sentence be logged? Not when it quotes values. */
bool sqlstate_is_quotable(const char *state);
