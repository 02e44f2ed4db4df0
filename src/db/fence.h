/* fence.h - does a text reach what users have made in this database?
 *
 * A guard judges a text without the database. This asks the database, in the
 * transaction that is to run the text and before it runs, about the names that
 * the guard has listed (guard_verdict.calls):
 *
 *   fields     t.f is a column of the table, and not a call of the function f
 *   rows       (o).f takes the row o, and not a column of that name
 *   casts      none has the rights of its owner
 *   functions, operators
 *              a bare name finds nothing but PostgreSQL's own
 *
 * No list of functions is kept, which might be too long. That a text reaches
 * nothing is remembered for a minute: planning the question takes the database
 * about as long as a small query. */
#pragma once
#include "base/str.h"
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

enum { FENCE_KNOWN = 32, FENCE_KNOWN_BYTES = 4096 }; /* of one */

/* What is known to reach nothing; zeroed at first. */
struct fence_memory {
    struct {
        char *calls;
        uint64_t at; /* ms */
    } known[FENCE_KNOWN];
    size_t next;
};

bool fence_known(const struct fence_memory *memory, const char *calls);
void fence_remember(struct fence_memory *memory, const char *calls);
void fence_forget(struct fence_memory *memory);

/* Sends the question; false: libpq refused it. */
bool fence_send(PGconn *pg, const char *calls);
/* A sentence that says what is reached, on the heap; NULL: nothing is. */
char *fence_problem(const PGresult *r);
