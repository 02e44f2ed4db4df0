/* search.h - what somebody types into a search box, as PostgreSQL's tsquery.
 *
 * Pure. Words must all be there, each as the beginning of a word ("reven" finds
 * "revenue"); what stands in double quotes must stand together. Nothing in the
 * text has a meaning beyond that: no operator, no quote and no backslash of it
 * reaches the query's syntax. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* For to_tsquery; valid UTF-8 without NUL in, empty out when there is no word
 * in it. */
struct str search_query(struct arena *arena, struct str typed);
