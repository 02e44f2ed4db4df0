/* infer.h - which columns refer to which tables, where the database does not say.
 *
 * Three turns, with the database asked in between:
 *
 *   1  infer_keys     columns that may be a table's key, by their names: is any
 *                     value there twice?
 *   2  infer_guesses  columns that may hold another table's key, by names and
 *                     types: are their values there?
 *   3  infer_links    what names and answers say together: relationships, and
 *                     others that are offered with their evidence
 *
 * Names count as words (order_id, orderId, ORDERS.ID), never as a list of known
 * schemas. Where no name helps, the data must say more than that small numbers
 * are found among small numbers: rows that form a tree, words of the column's
 * name found in the very rows it points at, or values that no other table has.
 *
 * Pure, and for a thread of its own: some milliseconds for a hundred tables. */
#pragma once
#include "ontology/catalog.h"

/* ---- 1: keys ------------------------------------------------------------- */

struct key_guess {
    size_t table;
    size_t *columns;
    size_t n;
    bool bare; /* no name says so: its rows alone can */
    /* Answered by the database */
    bool asked;
    bool whole; /* all rows were looked at, not the first ones alone */
    int64_t rows, distinct, missing; /* missing: rows with a NULL in it */
};
/* For tables without a declared key; several a table, the likeliest first. */
size_t infer_keys(struct arena *arena, const struct catalog *c,
                  struct key_guess **out);
/* Gives each such table the first key that holds. */
void infer_take_keys(struct arena *arena, struct catalog *c,
                     const struct key_guess *guesses, size_t n);

/* ---- 2: guesses ---------------------------------------------------------- */

/* How a column's name speaks of a table, the weakest first. */
enum name_match {
    MATCH_NONE,  /* it refers, but names no table: reports_to, manager_id */
    MATCH_BEGIN, /* the table's name begins so: cust_id, ship_via of shippers */
    MATCH_SOMEBODY, /* who did something, and one table has such persons:
                       author_id, created_by */
    MATCH_TAIL,     /* it ends so: line_id of order_lines */
    MATCH_KEY,      /* it is called as that key is, and no other */
    MATCH_ROLE,     /* the table behind a role: billing_address_id */
    MATCH_TABLE,    /* the table: customer_id of customers */
};

enum { LINK_COLUMNS = 8 };

struct link_guess {
    size_t from, to;
    size_t from_columns[LINK_COLUMNS], to_columns[LINK_COLUMNS];
    size_t n;
    enum name_match match;
    bool near;       /* both tables are of one schema */
    bool refers;     /* the name ends as names of references do */
    bool bare;       /* MATCH_KEY of a name that does not say that it refers:
                        carrier of flights and airlines */
    bool vague;      /* both names have words that the other has not, and more
                        tables end so: link_type_id and post_types */
    unsigned loose;  /* words of the table's name that the column's has not */
    bool tree;       /* within one table: ask whether the rows form a tree */
    struct str role; /* "billing" */
    struct str_list role_words; /* to be looked for in the rows pointed at */
    /* Answered by the database */
    bool asked;
    bool whole;                /* all of its values were looked for */
    int64_t values, found;     /* distinct values; those that the key has */
    int64_t targets;           /* rows of the other table; -1: not counted */
    int64_t loops, reached;    /* rows that point at themselves; that hang on a
                               root, of all `targets` */
    int64_t hinted, strangers; /* rows with a role word in them: of those
                                  pointed at, of the others */
    int64_t pointed;           /* rows pointed at */
};
size_t infer_guesses(struct arena *arena, const struct catalog *c,
                     struct link_guess **out);

/* ---- 3: links ------------------------------------------------------------ */

/* Appends to the catalog's links. */
void infer_links(struct arena *arena, struct catalog *c,
                 const struct link_guess *guesses, size_t n);
