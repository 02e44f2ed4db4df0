/* catalog.h - a database as its own catalog describes it, plus measurements.
 *
 *   table    a table (partitions do not count), a view, a materialized view or
 *            a foreign table
 *   key      columns without duplicate values: declared, or found in the data
 *   link     columns of one table that contain keys of another: declared, or
 *            inferred (infer.h)
 *   profile  what a sample of the rows shows about a column
 *
 * The modeler (agent/modeler) fills it, and draft.h makes a model of it.
 * Tables and columns are named by their index. All of it lives in one arena. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"
#include <stdint.h>

enum column_kind {
    COLUMN_INTEGER, /* int2, int4, int8 */
    COLUMN_NUMBER,  /* numeric, float4, float8, money */
    COLUMN_TEXT,
    COLUMN_ENUM, /* an enumeration */
    COLUMN_UUID,
    COLUMN_BOOLEAN,
    COLUMN_DATE,
    COLUMN_TIMESTAMP, /* timestamp, timestamptz */
    COLUMN_TIME,      /* of the day */
    COLUMN_OTHER,
};

/* Whether a column refers to rows of several tables. */
enum column_many {
    MANY_NOT,
    MANY_PERHAPS, /* another column may say of which table: see `teller` */
    MANY_NAMED,   /* and its values name tables */
    MANY_FOUND,   /* and its values are keys of a table */
};

struct catalog_column {
    struct str name, type; /* "numeric(10,2)" */
    struct str comment;
    struct str_list labels; /* of an enumeration, in its order */
    enum column_kind kind;
    bool zoned;    /* a moment with time zone */
    bool floating; /* float4, float8 */
    bool required; /* not null */
    bool personal; /* probably a person's data: never sampled */
    bool refers;   /* identifies a row of another table, as it seems */
    enum column_many many;
    size_t teller; /* the column that says of which table, when `many` */
    /* The profile */
    bool profiled;
    int64_t n_values, n_distinct; /* in the sample, without NULL */
    struct str least, greatest;   /* of numbers and times; empty: none */
    struct str_list samples;      /* of texts, the most frequent first */
};

struct catalog_key {
    size_t *columns;
    size_t n;
    bool primary;
    bool found;   /* not declared: no value occurs twice */
    bool unseen;  /* the table has no rows: guessed by name */
    int64_t rows; /* a found key: rows in which no value occurs twice */
};
enum { CATALOG_FEW_ROWS = 100 }; /* fewer make a found key a guess */

enum table_kind { TABLE_PLAIN, TABLE_VIEW, TABLE_MATERIALIZED, TABLE_FOREIGN };

struct catalog_table {
    struct str schema, name, comment;
    enum table_kind kind;
    int64_t rows;    /* -1: not known */
    bool exact_rows; /* counted */
    struct catalog_column *columns;
    size_t n_columns;
    struct catalog_key *keys; /* the primary one first */
    size_t n_keys;
};

enum link_origin {
    LINK_DECLARED,  /* a foreign key */
    LINK_CONFIRMED, /* inferred, and the data agree */
    LINK_BY_NAME,   /* inferred by name: there are no values to check */
    LINK_SUGGESTED, /* perhaps a link: a person decides */
};

struct catalog_link {
    size_t from, to;
    size_t *from_columns, *to_columns;
    size_t n;
    enum link_origin origin;
    struct str role;     /* "billing", if the column name has one */
    struct str evidence; /* a sentence or two; empty when declared */
};

struct catalog {
    struct str database;
    struct catalog_table *tables;
    size_t n_tables;
    struct catalog_link *links;
    size_t n_links;
    size_t n_left_out; /* tables over the limit or with unusable names */
};

/* The table's primary key, or NULL. */
const struct catalog_key *catalog_primary(const struct catalog_table *t);
/* The key was found, and in so few rows that it may be an accident. */
bool catalog_key_is_guess(const struct catalog_key *key);
/* The columns, in any order, are exactly those of a key. */
bool catalog_is_key(const struct catalog_table *t, const size_t *columns,
                    size_t n);
/* The column alone is a key. */
bool catalog_is_single_key(const struct catalog_table *t, size_t column);
/* The rows of the table are persons, by its name; works in `arena`. */
bool catalog_is_of_persons(struct arena *arena, const struct catalog_table *t);
/* Sets `personal` of the columns whose names suggest personal data: names of
 * persons, addresses, phones, births, cards, passwords and the like. */
void catalog_mark_personal(struct catalog *c);
