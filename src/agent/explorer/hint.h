/* hint.h - what helps a model to correct a query that failed. Pure. */
#pragma once
#include "tools.h"

/* Advice for an error of the engine, in the arena; empty: none is known. */
struct str hint_of_error(struct arena *arena,
                         const struct explorer_table *table, struct str error);
