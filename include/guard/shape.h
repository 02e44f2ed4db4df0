/* shape.h - what a query is made of, its names resolved.
 *
 *   source  an item of FROM: a table of the catalogue, a query (derived table or
 *           common table expression), a series, or something
 *           opaque
 *   value   an expression, reduced to what tells where its columns come from
 *   select  one SELECT: sources, the conditions that hold of each row, groups,
 *           outputs; or a set operation over others (its arms)
 *   shape   all of a query's selects, the innermost first
 *
 * The grammar is PostgreSQL's; whoever judges a shape need not know it. Names
 * are resolved as PostgreSQL does: aliases, CTEs, derived tables, LATERAL, USING,
 * NATURAL, stars, outer queries, outputs in GROUP BY and ORDER BY. A column that
 * nothing in sight can have is a problem; where a source may have columns that
 * nobody lists (it is open), its columns are taken on trust. */
#pragma once
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>

/* What the catalogue knows of a table; the caller's, as long as the shape. */
struct shape_table {
    const struct str *columns;
    size_t n_columns;
    bool open; /* it may have others */
};

struct shape_catalog {
    void *who;
    /* NULL: not in the catalogue; it is then opaque. */
    const struct shape_table *(*table)(void *who, struct str schema,
                                       struct str name);
};

enum shape_source_kind {
    SHAPE_TABLE,
    SHAPE_QUERY,
    SHAPE_SERIES, /* generate_series: one column, no value twice */
    SHAPE_OPAQUE,
};

struct shape_select;

struct shape_source {
    enum shape_source_kind kind;
    struct str name; /* as the query calls it; empty: it has no name */
    const struct shape_table *table;
    struct shape_select *query;  /* of SHAPE_QUERY */
    struct shape_select *select; /* it stands in */
    size_t index;                /* there */
    struct str *columns; /* what it offers; the i-th of its table or query */
    size_t n_columns, cap_columns;
    struct map by_name; /* column name -> its place in `columns` */
    bool open;
};

enum shape_value_kind {
    SHAPE_COLUMN,
    SHAPE_CONSTANT,
    SHAPE_TERMS,     /* sum or difference of its parts */
    SHAPE_CHOICE,    /* one of its parts: CASE, COALESCE, greatest, least */
    SHAPE_AGGREGATE, /* a call over rows; its parts are the arguments */
    SHAPE_ROW_NUMBER,
    SHAPE_EQUAL, /* part 0 = part 1 */
    SHAPE_AND,
    SHAPE_RANGE,  /* <, <=, >, >=, BETWEEN */
    SHAPE_NULL,   /* part 0 IS NULL */
    SHAPE_NESTED, /* a query as a value; its parts are outer columns it names */
    SHAPE_OTHER,  /* made of its parts */
};

enum { SHAPE_WHOLE_ROW = (size_t)-1 >> 1 };

/* ARRAY(SELECT …) is an aggregate of this name over the query's rows. */
#define SHAPE_ARRAY "array"

struct shape_value {
    enum shape_value_kind kind;
    struct shape_source *source; /* of SHAPE_COLUMN */
    size_t column;               /* or SHAPE_WHOLE_ROW */
    struct str function;         /* of SHAPE_AGGREGATE */
    bool distinct, star, windowed;
    bool ordered;   /* a window: rows of it see different parts of it */
    uint64_t print; /* of its text, for outputs and groups; 0: not known */
    struct shape_value **parts;
    size_t n_parts;
    /* PARTITION BY of a window; else what only chooses: conditions of a CASE,
     * FILTER. */
    struct shape_value **aside;
    size_t n_aside;
};

struct shape_output {
    struct str name; /* empty: PostgreSQL makes one up */
    struct shape_value *value;
};

struct shape_select {
    struct shape_select *next;  /* of the shape */
    struct shape_select *outer; /* in whose sight it stands */
    struct shape_source **sources;
    size_t n_sources, cap_sources;
    struct shape_value **conditions; /* ON and WHERE, taken apart at AND */
    size_t n_conditions, cap_conditions;
    struct shape_value **groups;
    size_t n_groups;
    bool grouped;       /* GROUP BY */
    bool grouping_sets; /* ROLLUP, CUBE, GROUPING SETS */
    bool collapsed;     /* aggregates without GROUP BY: one row */
    bool distinct;
    struct shape_value **distinct_on;
    size_t n_distinct_on;
    bool limit_one;
    bool trimmed; /* LIMIT, OFFSET or HAVING leaves rows out */
    uint64_t from_print, filter_print; /* of the text of FROM and of WHERE */
    struct shape_output *outputs;
    size_t n_outputs, cap_outputs;
    bool
        open; /* it has outputs that are not listed: a star over open sources */
    struct shape_value **aggregates; /* calls of this level */
    size_t n_aggregates, cap_aggregates;
    struct shape_select **arms; /* a set operation */
    size_t n_arms;
    bool all;    /* UNION ALL and the like: rows may come twice */
    bool opaque; /* nothing is known of its rows: VALUES, a recursive query */
    struct shape_value **outer_columns; /* that it names */
    size_t n_outer_columns, cap_outer_columns;
    void *judged; /* for whoever judges; NULL at first */
};

enum shape_problem_kind {
    SHAPE_UNKNOWN_COLUMN,    /* nothing in sight has it */
    SHAPE_UNKNOWN_QUALIFIER, /* nothing in FROM is called that */
    SHAPE_AMBIGUOUS,         /* several have it */
};

struct shape_problem {
    enum shape_problem_kind kind;
    struct str qualifier, name;
    struct shape_source **sources; /* those it was looked for in, or have it */
    size_t n_sources;
};

struct shape {
    struct shape_select *selects, *top;
    struct shape_problem *problems; /* each name once */
    size_t n_problems, cap_problems;
};

/* Reads a query that guard_check let through. False: it cannot be read after
 * all. Everything lives in `arena`. */
bool shape_read(struct arena *arena, struct str sql,
                const struct shape_catalog *catalog, struct shape *shape);

/* Whether an aggregate stands anywhere in it. */
bool shape_holds_aggregate(const struct shape_value *value);
