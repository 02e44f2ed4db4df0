/* literals.h - the text literals that a query compares with columns:
 * city = 'Berlin', lower(city) LIKE 'ber%', order_date >= DATE '2026-01-01'.
 *
 * It serves hints, not decisions: names are resolved by alias alone, and a
 * column whose alias no table has is of any table that the query reads. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

enum { LITERALS_MOST = 64 };

enum literal_use {
    LITERAL_EQUAL, /* =, IN, = ANY */
    LITERAL_LIKE,  /* the text is a pattern */
    LITERAL_ILIKE,
    LITERAL_LEAST, /* >= */
    LITERAL_ABOVE, /* > */
    LITERAL_MOST,  /* <= */
    LITERAL_BELOW, /* < */
};

struct query_literal {
    /* The table whose alias or name is written before the column, as in FROM;
     * both empty: any of the query's tables. */
    struct str schema, table;
    struct str column;
    enum literal_use use;
    struct str text;
    bool computed; /* the column is within an expression: lower(city) */
};

struct query_literals {
    struct query_literal *items;
    size_t n; /* LITERALS_MOST at most; further ones are left out */
};

/* Reads them from a query that guard_check has allowed; none when it cannot be
 * parsed. All memory is in `arena`. */
void query_literals_read(struct arena *arena, struct str sql,
                         struct query_literals *out);
