/* columns.h - which columns the items of FROM have, and which fields a value
 * has.
 *
 * PostgreSQL reads x.f and (x).f as the call f(x) when x has no column or field
 * f. So a field is allowed only where something is known to have it:
 *
 *   sure   the query's own text names it: an output, an alias, the columns of
 *          a listed function
 *   maybe  a column of a table, which the text does not list: before the query
 *          runs, db/read.h asks the database (guard.h, `calls`)
 *   none   it would be a call */
#pragma once
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"

struct walk;

enum field_trust { FIELD_NONE, FIELD_MAYBE, FIELD_SURE };

/* A table that a query reads; one for each name. */
struct relation {
    struct str schema, name;
    size_t id;
};

struct relation_list {
    const struct relation_list *next;
    const struct relation *relation;
};

struct columns;

/* What is known of a value's row type. */
struct row_type {
    const struct columns *columns; /* NULL: it has no fields */
    bool array;                    /* the value is an array of such rows */
    /* The word that named it, which PostgreSQL reads as a column first: it is
     * this row only if none of these tables has such a column. */
    struct str word;
    const struct relation_list *unless;
};

struct row_column {
    struct str name;
    struct row_type row; /* the row type of its values */
    bool guessed;        /* its trust is FIELD_MAYBE */
};

struct columns {
    struct row_column *items;
    size_t n, cap;
    const struct relation_list
        *relations; /* tables whose columns, not listed, belong to it too */
    bool open;      /* it has further columns that are not known */
    /* it may instead have the fields of a composite type; unlike `open` it
     * makes no other field trusted */
    bool more;
    bool scalar; /* it is one value: its alias does not name a row */
    /* the alias has new column names, but the row as a value keeps those of its
     * type */
    bool renamed;
    /* a row of a table's type, which keeps its fields within arrays and
     * functions; others lose them */
    bool named;
    /* the positions of its columns are not known, because of a merged or
     * unlisted column */
    bool unordered;
    struct map by_name;
};

/* An empty list, in the arena of the walk. */
struct columns *columns_new(struct walk *walk);
/* Adds a column whose name the text gives. */
void columns_add(struct walk *walk, struct columns *to, struct str name);
/* Adds the columns that a tsvector has when it is unnested. */
void columns_guess_tsvector(struct walk *walk, struct columns *to);
/* Adds all columns of `from`, as a star does. */
void columns_add_all(struct walk *walk, struct columns *to,
                     const struct columns *from);
/* `from` with new names for its first columns; `names` may be NULL. */
const struct columns *columns_renamed(struct walk *walk,
                                      const struct columns *from,
                                      const json_t *names);
/* `from` without the row types of its values: they are lost when a join or a
 * set operation merges columns. */
const struct columns *columns_without_rows(struct walk *walk,
                                           const struct columns *from);
/* The column of that name, or NULL. */
const struct row_column *columns_find(const struct columns *columns,
                                      struct str name);
/* How certain it is that there is a column of that name. */
enum field_trust columns_trust(const struct columns *columns, struct str name);

/* The columns of a table under its alias, which may be NULL. */
const struct columns *columns_of_table(struct walk *walk, struct str schema,
                                       struct str name, const json_t *alias);
/* The columns of a FROM item that calls functions. */
const struct columns *columns_of_functions(struct walk *walk,
                                           const json_t *range_function);
/* The outputs of a SELECT whose FROM is in scope; `left` are those of the first
 * operand of a set operation, or NULL. */
const struct columns *columns_of_select(struct walk *walk, const json_t *select,
                                        const struct columns *left);
/* The columns of a common table expression that is not walked yet, from its
 * text alone. */
const struct columns *columns_of_text(struct walk *walk, const json_t *cte);
/* The columns of a walked common table expression: those of its query, renamed,
 * and those of SEARCH and CYCLE. */
const struct columns *columns_of_cte(struct walk *walk, const json_t *cte,
                                     const struct columns *query);
