/* sqlstate.h - what an SQLSTATE means for whoever asked. Pure. */
#pragma once
#include "base/err.h"
#include <stdbool.h>

/* Of a failed query of ours. "" (no state) is a lost connection. */
enum err sqlstate_err(const char *state);
/* The statement was undone as a whole and may be tried again as it is. */
bool sqlstate_is_undone(const char *state);
/* The connection's session no longer fits: try on another one. */
bool sqlstate_is_stale(const char *state);
/* May the database's sentence go to the log? Not where it quotes values. */
bool sqlstate_is_quotable(const char *state);
