/* infer.h - infers keys and relationships that a database does not declare.
 *
 * Three passes; the caller queries the database after the first and the second:
 *
 *   1  infer_keys     guesses keys by the names of columns; the database says
 *                     whether a value occurs twice
 *   2  infer_guesses  guesses columns that contain keys of other tables, by
 *                     names and types; the database says whether their values
 *                     exist there
 *   3  infer_links    turns guesses into links by names and data together, and
 *                     suggests others with their evidence
 *
 * A column that refers to rows of several tables becomes no link: it is marked
 * (catalog_column.many).
 *
 * Names count as words (order_id, orderId, ORDERS.ID); there is no list of
 * known schemas. If no name helps, it is not enough that small numbers are
 * found among small numbers. The data must show more: rows that form a tree,
 * words of the column's name in the rows that it refers to, or values that no
 * other table has.
 *
 * Pure. It takes some milliseconds for a hundred tables, so run it on a
 * thread. */
#pragma once
#include "ontology/catalog.h"

/* ---- 1: keys ------------------------------------------------------------- */

struct key_guess {
    size_t table;
    size_t *columns;
    size_t n;
    bool bare; /* not by name: only the rows can confirm it */
    bool weak; /* by the name of another table: it takes many rows */
    bool own;  /* names its table */
    /* Filled by the caller from the database */
    bool asked;
    bool whole; /* all rows were examined, not only the first ones */
    int64_t rows, distinct, missing; /* missing: rows with a NULL in it */
};
/* Guesses keys of the tables without a declared one, several for a table, the
 * likeliest first. *out is in `arena`; returns their number. */
size_t infer_keys(struct arena *arena, const struct catalog *c,
                  struct key_guess **out);
/* Gives each such table the first guess that the database confirmed; another
 * column that names the table and was confirmed becomes a further key. */
void infer_apply_keys(struct arena *arena, struct catalog *c,
                      const struct key_guess *guesses, size_t n);

/* Finds columns next to which another says of which table they are: sender_id
 * and sender_type. Sets their `many` and `teller`; MANY_PERHAPS until infer_links
 * has seen what the data say. */
void infer_mark_many(struct arena *arena, struct catalog *c);

/* ---- 2: guesses ---------------------------------------------------------- */

/* How the name of a column matches a table, the weakest match first. */
enum name_match {
    MATCH_NONE,   /* refers, but names no table: reports_to, manager_id */
    MATCH_PREFIX, /* the table name begins so: cust_id, ship_via of shippers */
    MATCH_PERSON, /* says who did something, and one table has users:
                       author_id, created_by */
    MATCH_LAST_WORDS, /* the table name ends so: line_id of order_lines */
    MATCH_CORE,       /* ends in the name of that key, but for what their
                       tables put before all names: mkorclid, mkclid */
    MATCH_KEY,        /* has the name of that key and of no other */
    MATCH_ROLE,       /* the table after a role: billing_address_id */
    MATCH_TABLE,      /* the table: customer_id of customers */
};

enum { LINK_COLUMNS = 8 };

struct link_guess {
    size_t from, to;
    size_t from_columns[LINK_COLUMNS], to_columns[LINK_COLUMNS];
    size_t n;
    enum name_match match;
    bool near;       /* both tables are in one schema */
    bool refers;     /* the name ends like a reference */
    bool bare;       /* MATCH_KEY of a name that does not end like a
                        reference: carrier of flights and airlines */
    bool codes;      /* MATCH_NONE of a text of codes: origin of flights */
    bool phrase;     /* the name has several words: town_name, not name */
    bool vague;      /* each name has words that the other lacks, and
                        several tables end so: link_type_id, post_types; or a
                        key of several columns with a time in it */
    unsigned loose;  /* words of the table name that the column lacks; for
                        MATCH_KEY and MATCH_CORE 0 if the key names the other
                        table, else its columns that are keys elsewhere, + 1 */
    bool tree;       /* within one table: the rows may form a tree */
    struct str role; /* "billing" */
    struct str_list role_words; /* to look for in the rows referred to */
    /* Filled by the caller from the database */
    bool asked;
    bool whole;                /* all values were looked for, not only some */
    int64_t values, found;     /* distinct values; those found in the key */
    int64_t targets;           /* rows of the other table; -1: unknown */
    int64_t loops, reached;    /* rows that refer to themselves; rows of
                               `targets` below a root */
    int64_t hinted, strangers; /* rows with a role word: of those referred
                                  to; of the others */
    int64_t pointed;           /* rows referred to */
};
/* Guesses links, those of one column together. *out is in `arena`; returns
 * their number. */
size_t infer_guesses(struct arena *arena, const struct catalog *c,
                     struct link_guess **out);

/* ---- 3: links ------------------------------------------------------------ */

/* Appends the links, inferred or suggested, to those of the catalog. */
void infer_links(struct arena *arena, struct catalog *c,
                 const struct link_guess *guesses, size_t n);
