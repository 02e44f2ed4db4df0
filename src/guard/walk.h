/* walk.h - the walk over the parse tree, shared by the files of this floor.
 *
 * nodes.def lists every node type that a query may contain and every field of
 * such a node; a type or a field that is not listed is refused. Each type has a
 * visitor: walk_plain, or a function of the file about that part of SQL.
 *
 * A visitor answers an estimate: how large the value may get, how large the
 * number in it, how many rows come out. Estimates go up the tree, so that the
 * size of repeat(repeat('x', 1000), n) is seen (estimate.h). */
#pragma once
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "guard/guard.h"
#include "columns.h"
#include "estimate.h"
#include "node.h"

enum node_kind {
    NODE_NONE,
#define NODE(type, visitor, fields) NODE_##type,
#include "nodes.def"
#undef NODE
    NODE_COUNT
};

/* An item of FROM, which offers columns to the names in its query. */
struct walk_source {
    struct walk_source *next;
    struct str name; /* its alias or name; may be empty */
    bool relation;   /* a table or view, which has system columns too */
    /* the query and the new names that name its columns; NULL: unknown */
    const json_t *query, *columns;
    struct estimate estimate;
    const struct columns *offers;
    size_t index;        /* its index in FROM */
    bool is_using_alias; /* the alias of USING: others offer its columns too */
};

struct cte {
    struct cte *next;
    struct str name;
    const json_t *node;
    struct estimate estimate;
    bool tables;                   /* it reads tables */
    const struct columns *columns; /* NULL: it is not walked yet */
};

/* One SELECT: names are looked up from the inside out. */
struct scope {
    struct scope *outer;
    struct cte *ctes;
    struct walk_source *sources;
    double rows;     /* rows of FROM, as far as literals show */
    double many;     /* rows of FROM and WHERE, with a guess for tables */
    bool grouped;    /* GROUP BY makes more than one group */
    bool aggregated; /* its lists call an aggregate */
    size_t n_sources;
    /* Sources from this index on are visible to the part that is being walked;
     * those before may be. */
    size_t sure_from;
    bool merges; /* it has USING or NATURAL */
};

/* Something that the text names; the maps below hold each once, by qualifier
 * and name (lineage.c). */
struct mention {
    struct str qualifier, name;
    int location;
};

/* A field that a table may have, or a word that must not be a column of one. */
struct field_use {
    struct str name;
    const struct relation_list *relations;
};

enum { MAX_ROW_DEPTH = 20 };

struct walk {
    struct arena *arena;
    struct str sql;
    const struct guard_policy *policy;
    struct scope *scope;
    int depth;
    int location; /* of the last node that had one: a byte offset, or -1 */
    size_t n_relations, n_sources;
    /* of names with outputs, counted to bound our own work */
    size_t comparisons;
    size_t constant_steps; /* the same for product_constant.c */
    struct map relations, columns, functions; /* of struct mention */
    int recursions;  /* how many WITH RECURSIVE surround the current node */
    size_t tables;   /* how often a table was read, also by a CTE */
    double compared; /* the largest number in a comparison */
    struct {
        bool tables;
        double compared;
    } term; /* The same for the last right operand of UNION and its kind. */
    bool pattern_made;    /* a regular expression is not a literal */
    bool pattern_escaped; /* the same, and it chooses its escape character */
    int pattern_at;
    bool path_made; /* a jsonpath is not a literal */
    int path_at;
    /* the columns of the SELECT that was walked last */
    const struct columns *made;
    size_t n_columns_copied;
    int row_depth;
    struct map tables_named, field_uses, row_uses; /* for calls_report */
    struct map bare_functions, bare_operators;     /* of struct mention */
    /* the first refusal */
    bool refused;
    const char *code;
    struct str reason;
    int refused_at;
};

/* An empty walk over `sql`; everything that it keeps is in `arena`. */
void walk_init(struct walk *walk, struct arena *arena, struct str sql,
               const struct guard_policy *policy);

/* Refuses the query unless it was refused before. `location` is a byte offset
 * or -1. The empty estimate lets a visitor return the call. */
struct estimate walk_refuse(struct walk *walk, const char *code, int location,
                            const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Visits a wrapped node; {} and NULL are no node. */
struct estimate walk_node(struct walk *walk, const json_t *wrapped);
/* Visits all fields of a node except those named in `skip`, which ends with
 * NULL; answers the worst estimate. */
struct estimate walk_fields(struct walk *walk, enum node_kind kind,
                            const json_t *node, const char *const *skip);
/* Visits the inside of a node. */
struct estimate walk_typed(struct walk *walk, enum node_kind kind,
                           const json_t *node);

/* Visitors. */
#define NODE(type, visitor, fields) \
    struct estimate visitor(struct walk *walk, enum node_kind kind, \
                            const json_t *node);
#include "nodes.def"
#undef NODE

/* query.c: the common table expression that a name means here, or NULL. */
struct cte *cte_find(const struct walk *walk, struct str name);
/* Does its LIMIT leave one row at most? */
bool query_is_one_row(const json_t *select);

/* output.c: may a query have an output column of that name? `columns` are new
 * names for its first ones, or NULL. True when that is not known. */
bool query_may_output(struct walk *walk, const json_t *query,
                      const json_t *columns, struct str name);
/* Does `name` mean an output column in the ORDER BY of this SELECT? */
bool query_outputs(struct walk *walk, const json_t *select, struct str name);

/* name.c: is a type of that name on the list? */
bool type_is_listed(struct str name);

/* columns.c: adds the columns of a function that answers a row; false when it
 * does not. */
bool function_columns_of_row(struct walk *walk, struct str function,
                             struct columns *to);

/* field.c: what the only source of that name offers; NULL when there is none or
 * several. */
const struct columns *source_columns(const struct walk *walk, struct str name);
/* The row type of a value. `made`: the columns of the query when the value is a
 * subquery. */
struct row_type row_type_of(struct walk *walk, const json_t *wrapped,
                            const struct columns *made);
/* Notes that a row type is used, so that the database is asked whether its word
 * is a column. */
void row_type_use(struct walk *walk, const struct row_type *row);
/* Refuses t.f when f may be a call. */
void column_check(struct walk *walk, const json_t *fields, int location);
/* The JSON of guard_verdict.calls. */
struct str calls_report(struct walk *walk);

/* name.c: refuses (o).xmin, a system column when o is a table. */
void field_of_table_check(struct walk *walk, const json_t *arg,
                          struct str name);

/* recursion.c: refuses a recursive term that cannot end, or that doubles its
 * text. */
void recursion_check(struct walk *walk, const json_t *cte, const json_t *owner,
                     struct estimate *estimate);

/* product.c: the rows that FROM and WHERE of a SELECT may give; its sources are
 * in the scope. A table has ESTIMATE_TABLE_ROWS. */
double product_rows(struct walk *walk, const json_t *select);
/* The same for one join, whose sources were added after `before`. */
double product_join_rows(struct walk *walk, const json_t *join,
                         const struct walk_source *before);

/* cost.c: refuses an operator whose time is the product of its operands. */
void cost_check_operator(struct walk *walk, const json_t *node,
                         struct estimate left, struct estimate right);
/* Refuses a value that would collect more than ESTIMATE_MAX_HELD rows. */
struct estimate cost_collected(struct walk *walk, struct str what, int location,
                               struct estimate m, double rows);

/* jsonpath.c: refuses a path that visits too much of a document, and notes one
 * that is not a literal for patterns_check. */
void jsonpath_check(struct walk *walk, const json_t *path, struct estimate text,
                    struct estimate document, int location);

/* series.c: the rows of a call of generate_series. */
struct estimate series_estimate(struct walk *walk, const json_t *call,
                                const struct estimate *args, size_t n_args);

/* pattern.c: judges the patterns that the query assembles, after the walk. */
void patterns_check(struct walk *walk, const json_t *tree);
/* Refuses a pattern that is too long or could backtrack without end. */
void pattern_check(struct walk *walk, const json_t *pattern, int location);

/* expression.c: refuses operators that are not PostgreSQL's own. */
void operator_check(struct walk *walk, const json_t *names, int location);
/* Notes an unqualified operator. */
void operator_use(struct walk *walk, struct str symbol);

/* lineage.c: notes a name once, at its first location. */
void mention_add(struct walk *walk, struct map *to, struct str qualifier,
                 struct str name, int location);
/* Fills in the relations, functions and columns of the verdict. */
void lineage_report(struct walk *walk, struct guard_verdict *verdict);

/* aggregate.c: fills in what the verdict says of aggregates. */
void aggregate_report(struct walk *walk, const json_t *select,
                      struct guard_verdict *verdict);
