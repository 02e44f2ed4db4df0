/* columns.h - which columns the items of FROM have, and which fields a value.
 *
 * PostgreSQL reads x.f and (x).f as the call f(x) where x has no column or field
 * f, so a field is allowed only where something is known to have it:
 *
 *   sure   the query's own text names it: an output, an alias, the columns of
 *          a listed function
 *   maybe  a column of a table, which the text does not list; whoever runs the
 *          query asks the database (guard.h, `calls`)
 *   none   it would be a call */
#pragma once
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"

struct walk;

enum field_trust { FIELD_NONE, FIELD_MAYBE, FIELD_SURE };

/* A table that a query reads, once for each name. */
struct relation {
    struct str schema, name;
    size_t id;
};

struct relation_list {
    const struct relation_list *next;
    const struct relation *relation;
};

struct columns;

/* What is known of a value as a row. */
struct row_type {
    const struct columns *columns; /* NULL: it has no fields */
    bool array;                    /* of such rows */
    /* It was named by this word, which is a column's before it is a row's: the
     * row is what it seems unless one of these tables has such a column. */
    struct str word;
    const struct relation_list *unless;
};

struct row_column {
    struct str name;
    struct row_type row; /* its value */
    bool guessed;        /* FIELD_MAYBE */
};

struct columns {
    struct row_column *items;
    size_t n, cap;
    const struct relation_list
        *relations; /* theirs too, which are not listed */
    bool open;      /* and others, of which nothing is known */
    bool more;    /* perhaps the fields of a composite type, in place of these:
                     unlike `open` it vouches for no other field */
    bool scalar;  /* one value: the name itself is no row */
    bool renamed; /* new names hold for the alias alone: the row as a value has
                     those of its type */
    bool named;   /* a row of the type that a table has: it keeps its fields
                     within arrays and functions; others lose them */
    bool unordered; /* what comes after a merged or unlisted column is not known
                       by its place */
    struct map by_name;
};

struct columns *columns_new(struct walk *walk);
void columns_add(struct walk *walk, struct columns *to, struct str name,
                 struct row_type row);
void columns_guess(struct walk *walk, struct columns *to, struct str name);
/* One more of which the text does not tell the name. */
void columns_add_unnamed(struct columns *to);
/* All of `from`, as a star writes them. */
void columns_add_all(struct walk *walk, struct columns *to,
                     const struct columns *from);
/* The same with new names for the first ones; `names` may be NULL. */
const struct columns *columns_renamed(struct walk *walk,
                                      const struct columns *from,
                                      const json_t *names);
/* The same columns, whose values are no rows: merged by a join or a set
 * operation. */
const struct columns *columns_without_rows(struct walk *walk,
                                           const struct columns *from);
/* The column of that name, or NULL. */
const struct row_column *columns_find(const struct columns *columns,
                                      struct str name);
enum field_trust columns_trust(const struct columns *columns, struct str name);

const struct columns *columns_of_table(struct walk *walk, struct str schema,
                                       struct str name, const json_t *alias);
/* Of an item of FROM that calls functions. */
const struct columns *columns_of_functions(struct walk *walk,
                                           const json_t *range_function);
/* Outputs of a SELECT whose FROM is in sight; `left` are those of the first side
 * of a set operation. */
const struct columns *columns_of_select(struct walk *walk, const json_t *select,
                                        const struct columns *left);
/* Of a common table expression that is not walked yet: by its text alone. */
const struct columns *columns_of_text(struct walk *walk, const json_t *cte);
/* Those that a CTE adds to what its query answers. */
const struct columns *columns_of_cte(struct walk *walk, const json_t *cte,
                                     const struct columns *query);
