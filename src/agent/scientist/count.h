/* count.h - the code that answers without a language model: it counts the rows of
 * a file's table, for each value of its columns. */
#pragma once
#include "agent/run.h"

/* Python for the run's question, in the arena. Empty: the question asks for
 * something else, or the tables are those of a database, of which code gets only
 * some of the rows. */
struct str scientist_count_code(struct arena *a, struct run *r);
