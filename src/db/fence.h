/* fence.h - does a text reach what users have made in this database?
 *
 * A guard judges a text without the database. This asks the database, in the
 * transaction that is to run the text and before it runs, about the names that
 * the guard has listed (guard_verdict.calls):
 *
 *   fields     t.f is a column of the table, and not a call of the function f
 *   rows       (o).f takes the row o, and not a column of that name
 *   functions, operators
 *              a bare name finds nothing but PostgreSQL's own
 *
 * No list of functions is kept, so that none grows old or too long. Pure but for
 * the SQL. */
#pragma once
#include "base/str.h"
#include <libpq-fe.h>
#include <stdbool.h>

/* Sends the question; false: libpq refused it. */
bool fence_send(PGconn *pg, const char *calls);
/* A sentence that says what is reached, on the heap; NULL: nothing is. */
char *fence_problem(const PGresult *r);
