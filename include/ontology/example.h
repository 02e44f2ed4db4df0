/* example.h - an example of a model's ai_context: a question, and perhaps the
 * SQL that answers it, after "SQL:" or in a line of its own. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

enum { EXAMPLE_SQL = 2000 /* bytes; longer SQL is never cut, but left out */ };

/* The question of the example: its text up to the SQL. */
struct str example_question(struct str text);
/* The SQL of the example: one query that begins with SELECT or WITH, without
 * comments. Empty: it has none, or one that cannot be shown. */
struct str example_sql(struct str text);
