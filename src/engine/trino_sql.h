/* trino_sql.h - SQL that PostgreSQL's grammar reads, as Trino reads it. Pure.
 *
 * The guard judges a query by PostgreSQL's grammar, and our own SQL is written in
 * it. Most of it is standard SQL, which Trino reads as it is; what is
 * PostgreSQL's own way is rewritten, token by token (docs/trino.md lists it):
 * casts by ::, type names, ILIKE and ~, E'…' and $$…$$, intervals of several
 * units, LIMIT before OFFSET, string_agg, percentile_cont, to_char and a few
 * other functions (trino_sql.def). What Trino's SQL has and PostgreSQL's grammar
 * accepts stays.
 *
 * The text that it writes has no comments, and its strings have one form only, so
 * that Trino finds the same tokens in it as the guard did. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* The statement for Trino, in the arena. False: Trino has nothing for a part of
 * it; *why then says so to the one who wrote it. */
bool trino_sql(struct arena *arena, struct str sql, struct str *out,
               struct str *why);
