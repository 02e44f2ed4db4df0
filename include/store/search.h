/* search.h - turns the text of a search box into a tsquery. Pure.
 *
 * All words must occur, each as the beginning of a word ("reven" finds
 * "revenue"). A text in double quotes must occur as a phrase. No other
 * character has a meaning: operators, quotes and backslashes never reach the
 * query's syntax. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* The argument of to_tsquery; empty when `typed` has no word. `typed` is valid
 * UTF-8 without NUL. */
struct str search_query(struct arena *arena, struct str typed);
