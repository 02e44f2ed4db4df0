/* user_code.h - does a query reach code that users have defined in this
 * database?
 *
 * The guard judges a text without the database. Before the text runs, and in
 * the same transaction, this asks the database about the names that the guard
 * has listed (guard_verdict.calls):
 *
 *   fields     t.f is a column of the table, and not a call of the function f
 *   rows       (o).f takes the row o, and not a column of that name
 *   casts      none runs with the rights of its owner
 *   functions, operators
 *              an unqualified name finds only PostgreSQL's own
 *
 * The functions of a database are not listed, because the list could be long.
 * The answer that a text reaches nothing is cached for a minute: the database
 * needs about as long to plan the question as for a small query. */
#pragma once
#include "base/str.h"
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

/* bytes of one */
enum { USER_CODE_CACHED = 32, USER_CODE_CACHED_BYTES = 4096 };

/* Texts that are known to reach nothing; zeroed at first. */
struct user_code_cache {
    struct {
        char *calls;
        uint64_t at; /* ms */
    } known[USER_CODE_CACHED];
    size_t next;
};

/* True when these calls reached nothing less than a minute ago. */
bool user_code_is_cached(const struct user_code_cache *memory,
                         const char *calls);
/* Caches that these calls reach nothing; texts that are too long are not
 * cached. */
void user_code_cache_put(struct user_code_cache *memory, const char *calls);
/* Frees the cache. */
void user_code_cache_clear(struct user_code_cache *memory);

/* Sends the question with PQsend…; false: libpq refused it. */
bool user_code_ask(PGconn *pg, const char *calls);
/* A sentence that says what the text reaches, on the heap; NULL: nothing. */
char *user_code_problem(const PGresult *r);
