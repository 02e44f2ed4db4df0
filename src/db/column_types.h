/* column_types.h - the type names of a result's columns. The pool asks once for
 * types that are not built in, and remembers them. */
#pragma once
#include "base/buf.h"
#include "lane.h"

/* Appends a query for the names that the pool does not know yet; false when it
 * knows them all. */
bool column_types_ask(const struct pool *pool, const PGresult *described,
                      struct buf *sql);
/* Remembers the answer to that query. */
void column_types_learn(struct pool *pool, const PGresult *answer);
/* The name of each column's type, in one allocation for mem_free. */
struct str *column_types_names(const struct pool *pool,
                               const PGresult *described);
