/* column_types.h - the names of a result's column types; those that are not
 * built in are asked for once and remembered by the pool. */
#pragma once
#include "base/buf.h"
#include "lane.h"

/* The question for the names nobody knows yet, appended to sql; false: none. */
bool column_types_ask(const struct pool *pool, const PGresult *described,
                      struct buf *sql);
void column_types_take(struct pool *pool, const PGresult *answer);
/* One name a column, in one piece of memory for mem_free. */
struct str *column_types_names(const struct pool *pool,
                               const PGresult *described);
