/* shape.h - the structure of a query, its names resolved.
 *
 *   source  an item of FROM: a table of the catalogue, a query (derived table
 *           or common table expression), a series, or something opaque
 *   value   an expression, reduced to where its columns come from
 *   select  one SELECT: sources, conditions, groups, outputs; or a set
 *           operation over others (its arms)
 *   shape   all selects of a query, the innermost first
 *
 * A caller that judges a shape need not know PostgreSQL's parse tree. Names
 * are resolved as PostgreSQL does it: aliases, CTEs, derived tables,
 * LATERAL, USING, NATURAL, stars, outer queries, outputs in GROUP BY and
 * ORDER BY. A column that no visible source can have is a problem. A source
 * that may have columns which are not listed is open: any column of it is
 * assumed to exist. */
#pragma once
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

/* What the catalogue knows of a table. The caller owns it and keeps it as long
 * as the shape. */
struct shape_table {
    const struct str *columns;
    size_t n_columns;
    bool open;    /* it may have columns that are not listed */
    bool partial; /* it has columns that no query may read, so no star */
};

/* Next to a source that is partial, a name that it does not list may be one of
 * those columns: another source must list it, or the name say which is meant. */
struct shape_catalog {
    void *who;
    /* The table, or NULL when it is not in the catalogue: it is then opaque. */
    const struct shape_table *(*table)(void *who, struct str schema,
                                       struct str name);
};

enum shape_source_kind {
    SHAPE_TABLE,
    SHAPE_QUERY,
    SHAPE_SERIES, /* generate_series: one column, without duplicates */
    SHAPE_OPAQUE,
};

struct shape_select;

struct shape_source {
    enum shape_source_kind kind;
    struct str name; /* its alias or name in the query; may be empty */
    const struct shape_table *table;
    struct shape_select *query;  /* of SHAPE_QUERY */
    struct shape_select *select; /* whose FROM holds it */
    size_t index;                /* in that FROM */
    struct str *columns; /* the i-th is the i-th of its table or query */
    size_t n_columns;
    struct map by_name; /* column name -> its index in `columns` */
    bool open;
    bool partial; /* its table is, or it names a join with one that is */
    struct shape_value **reads; /* the arguments of a function in FROM */
    size_t n_reads;
    bool optional;        /* an outer join may add a row of NULLs for it */
    size_t optional_from; /* the conditions of its SELECT after that join */
};

enum shape_value_kind {
    SHAPE_COLUMN,
    SHAPE_CONSTANT,
    SHAPE_SUM,       /* sum or difference of its parts */
    SHAPE_CHOICE,    /* one of its parts: CASE, COALESCE, greatest, least */
    SHAPE_AGGREGATE, /* a call over rows; the parts are its arguments */
    SHAPE_ROW_NUMBER,
    SHAPE_EQUAL, /* part 0 = part 1 */
    SHAPE_AND,
    SHAPE_RANGE, /* <, <=, >, >=, BETWEEN */
    SHAPE_NULL,  /* part 0 IS NULL */
    /* a query as a value; its parts are the outer columns that it reads */
    SHAPE_SUBQUERY,
    SHAPE_OTHER, /* anything else that is computed from its parts */
};

/* What a value looks like in the text. The kind says what it computes. */
enum shape_form {
    SHAPE_FORM_NONE,
    SHAPE_FORM_OPERATOR, /* its word: "/", "like", … */
    SHAPE_FORM_CALL,     /* of the function that its word names */
    SHAPE_FORM_CASE,     /* CASE; its word is "of" if it compares a value,
                            the first of `aside`, with the others */
    SHAPE_FORM_COALESCE, /* also greatest and least, which have a word */
    SHAPE_FORM_NOT,
    SHAPE_FORM_OR,
    SHAPE_FORM_NOT_NULL, /* IS NOT NULL */
    SHAPE_FORM_TEST,     /* IS DISTINCT FROM, IS TRUE: never NULL */
    SHAPE_FORM_INTEGER,  /* a literal, its word the digits */
    SHAPE_FORM_DECIMAL,
    SHAPE_FORM_TEXT,
    SHAPE_FORM_BOOLEAN, /* its word true or false */
    SHAPE_FORM_NULL,
    SHAPE_FORM_NOW,    /* current_date and the like */
    SHAPE_FORM_IN,     /* the last part is in its query */
    SHAPE_FORM_NOT_IN, /* <> ALL; NOT IN is a NOT of IN */
    SHAPE_FORM_EXISTS,
};

enum { SHAPE_WHOLE_ROW = (size_t)-1 >> 1 };

/* The function name of ARRAY(SELECT …), an aggregate over that query's rows. */
#define SHAPE_ARRAY "array"

struct shape_value {
    enum shape_value_kind kind;
    struct shape_source *source; /* of SHAPE_COLUMN */
    size_t column;               /* its index there, or SHAPE_WHOLE_ROW */
    struct str function;         /* of SHAPE_AGGREGATE */
    bool distinct, windowed;
    /* a window with ORDER BY: each row sees another part of it */
    bool ordered;
    struct shape_value *order; /* its first key, or NULL */
    bool descending;           /* by that key */
    enum shape_form form;
    struct str word;
    struct str cast;            /* the type of the cast around it, or empty */
    bool inner;                 /* a condition in ON of an inner join */
    struct shape_select *query; /* of a query as a value, also in IN, EXISTS */
    /* a hash of its text, for outputs and groups; 0: not known */
    uint64_t print;
    struct shape_value **parts;
    size_t n_parts;
    /* PARTITION BY of a window; otherwise parts that only select rows or
     * values: conditions of a CASE, FILTER. */
    struct shape_value **aside;
    size_t n_aside;
};

/* An item of ORDER BY. */
struct shape_sort {
    struct shape_value *value;
    bool descending;
};

struct shape_output {
    struct str name; /* empty: PostgreSQL makes up a name */
    struct shape_value *value;
};

struct shape_select {
    struct shape_select *next;  /* the next select of the shape */
    struct shape_select *outer; /* the query around it, whose names it sees */
    struct shape_source **sources;
    size_t n_sources;
    struct shape_value **conditions; /* ON and WHERE, split at AND */
    size_t n_conditions;
    size_t first_where;         /* the conditions before it are of joins */
    struct shape_value *having; /* or NULL */
    struct shape_sort *sorts;   /* none of a set operation */
    size_t n_sorts;
    bool sorted;   /* ORDER BY, also of a set operation */
    bool limited;  /* LIMIT */
    int64_t limit; /* its number; 0: not a literal */
    struct shape_value **groups;
    size_t n_groups;
    bool grouped;       /* GROUP BY */
    bool grouping_sets; /* ROLLUP, CUBE, GROUPING SETS */
    bool collapsed;     /* aggregates without GROUP BY: one row */
    bool distinct;
    struct shape_value **distinct_on;
    size_t n_distinct_on;
    bool limit_one;
    bool trimmed; /* LIMIT, OFFSET or HAVING may leave rows out */
    /* hashes of the text of FROM and of WHERE */
    uint64_t from_hash, filter_hash;
    struct shape_output *outputs;
    size_t n_outputs;
    bool open; /* it has unlisted outputs: a star over an open source */
    struct shape_value **aggregates; /* aggregate calls of this level */
    size_t n_aggregates;
    struct shape_select **arms; /* the operands of a set operation */
    size_t n_arms;
    bool united; /* UNION, with or without ALL */
    bool tested; /* it is in EXISTS: only whether it has rows matters */
    bool all;    /* UNION ALL and the like: rows may repeat */
    bool opaque; /* its rows are not known: VALUES, a recursive query */
    struct shape_value **outer_columns; /* that it reads */
    size_t n_outer_columns;
    void *judged; /* for the caller's use; NULL at first */
};

enum shape_problem_kind {
    SHAPE_UNKNOWN_COLUMN,    /* no visible source has it */
    SHAPE_UNKNOWN_QUALIFIER, /* no item of FROM has that name */
    SHAPE_AMBIGUOUS,         /* several sources have it */
    SHAPE_STAR,              /* all of a source that is partial, or by place */
    SHAPE_UNCLEAR,           /* it may be a column of a partial source */
};

struct shape_problem {
    enum shape_problem_kind kind;
    struct str qualifier, name;
    /* the sources that were searched, or that have it */
    struct shape_source **sources;
    size_t n_sources;
};

struct shape {
    struct shape_select *selects, *top;
    struct shape_problem *problems; /* each name once */
    size_t n_problems;
};

/* Builds the shape of a query that guard_check has allowed. False when the text
 * has no tree that can be read. All memory is in `arena`. */
bool shape_read(struct arena *arena, struct str sql,
                const struct shape_catalog *catalog, struct shape *shape);

/* True when the value contains an aggregate at any depth. */
bool shape_holds_aggregate(const struct shape_value *value);
