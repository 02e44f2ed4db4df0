/* walk.h - the walk over libpg_query's tree, shared by the files of this floor.
 *
 * The tree is JSON. `nodes.def` lists every node type that may stand in it and
 * every field that such a node may have; a type or a field that is not listed
 * is refused. Node types with more to say have a visitor (visit_*.c).
 *
 * A visitor answers a `estimate`: how large the value may get, how large the
 * number in it may be, how many rows come out. The estimates go up the tree, so
 * that repeat(repeat('x', 1000), n) is seen for what it is (estimate.h). */
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

/* What a FROM clause offers to the names in its query. */
struct walk_source {
    struct walk_source *next;
    struct str name; /* alias, or the name itself; empty: none */
    bool relation;   /* a table or view, which also has system columns */
    const json_t *query, *columns; /* what names its columns; NULL: unknown */
    struct estimate estimate;
    const struct columns *offers;
    size_t index;        /* in its FROM */
    bool is_using_alias; /* of columns that others offer too */
};

struct cte {
    struct cte *next;
    struct str name;
    const json_t *node;
    struct estimate estimate;
    bool tables;                   /* it reads some */
    const struct columns *columns; /* NULL: it is not walked yet */
};

/* One SELECT: names are looked up from the inside out. */
struct scope {
    struct scope *outer;
    struct cte *ctes;
    struct walk_source *sources;
    double rows;     /* of the FROM clause, as far as literals tell */
    double many;     /* of FROM and WHERE, with a guess for tables */
    bool grouped;    /* into more than one group */
    bool aggregated; /* an aggregate stands in its lists */
    size_t n_sources;
    /* Sources from this one on are in sight of what is being walked; those
     * before may be. */
    size_t sure_from;
    bool merges; /* USING or NATURAL */
};

/* Names in the order of the text, each once (lineage.c). */
struct mention {
    struct str qualifier, name;
    int location;
};

struct mentions {
    struct map seen; /* qualifier and name -> struct mention */
};

/* A field that a table may have, or a word that no column of one may be. */
struct field_use {
    struct str name;
    const struct relation_list *relations;
};

enum { MAX_ROW_DEPTH = 20, MAX_STARRED = 250 };

struct walk {
    struct arena *arena;
    struct str sql;
    const struct guard_policy *policy;
    struct scope *scope;
    int depth;
    int location; /* of the last node that had one: a byte offset, or -1 */
    size_t n_relations, n_sources;
    size_t comparisons;    /* of names with outputs: a bound on our own work */
    size_t constant_steps; /* the same, of product_constant.c */
    struct mentions relations, columns, functions;
    int recursions;  /* WITH RECURSIVE that the walk is in */
    size_t tables;   /* how often one was read, also by a CTE */
    double compared; /* the largest number that something was compared with */
    struct {
        bool tables;
        double compared;
    } term; /* the same of the last right side of a UNION and its kind */
    bool pattern_made;    /* a regular expression that is no literal */
    bool pattern_escaped; /* the same, with an escape character of its own */
    int pattern_at;
    bool path_made; /* a jsonpath that is no literal */
    int path_at;
    const struct columns *made; /* by the SELECT that was walked last */
    size_t n_columns_copied;
    int row_depth;
    struct map tables_named, field_uses, row_uses; /* calls_answer */
    struct mentions bare_functions, bare_operators;
    /* the first refusal */
    bool refused;
    const char *code;
    struct str reason;
    int refused_at;
};

/* Refuses, unless something was refused before. `location` is a byte offset or
 * -1. The estimate is there so that a visitor can return it. */
struct estimate walk_refuse(struct walk *walk, const char *code, int location,
                            const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* {"Type": {...}}, or {} and NULL, which are nothing. */
struct estimate walk_node(struct walk *walk, const json_t *wrapped);
/* All fields of a node but those named in `skip`, which ends with NULL. */
struct estimate walk_fields(struct walk *walk, enum node_kind kind,
                            const json_t *node, const char *const *skip);
/* The node itself, without its wrapper. */
struct estimate walk_typed(struct walk *walk, enum node_kind kind,
                           const json_t *node);

/* Visitors. */
#define NODE(type, visitor, fields) \
    struct estimate visitor(struct walk *walk, enum node_kind kind, \
                            const json_t *node);
#include "nodes.def"
#undef NODE

/* query.c */
struct cte *cte_find(const struct walk *walk, struct str name);
/* Does its LIMIT leave one row at most? */
bool query_is_one_row(const json_t *select);

/* output.c: may a query have an output column of that name? `columns` are new
 * names for its first ones, or NULL. True when that is not known. */
bool query_may_output(struct walk *walk, const json_t *query,
                      const json_t *columns, struct str name);
/* Does `name` stand for an output column in this SELECT's ORDER BY? */
bool query_outputs(struct walk *walk, const json_t *select, struct str name);

/* name.c: is a type of that name on the list? */
bool type_is_listed(struct str name);

/* columns.c: the columns of a function that answers a row, by its name. */
bool function_columns_of_row(struct walk *walk, struct str function,
                             struct columns *to);

/* field.c: what the only source of that name offers; NULL: there is none, or
 * one of several. */
const struct columns *source_columns(const struct walk *walk, struct str name);
/* The fields of a value. `made`: what the query offers that it is, if it is. */
struct row_type row_type_of(struct walk *walk, const json_t *wrapped,
                            const struct columns *made);
void row_type_use(struct walk *walk, const struct row_type *row);
/* Refuses t.f when f may be a call. */
void column_check(struct walk *walk, const json_t *fields, int location);
/* guard_verdict.calls */
struct str calls_report(struct walk *walk);

/* name.c: (o).xmin is o.xmin when o is a table. */
void field_of_table_check(struct walk *walk, const json_t *arg,
                          struct str name);

/* recursion.c: refuses a recursive term that cannot end or that doubles. */
void recursion_check(struct walk *walk, const json_t *cte, const json_t *owner,
                     struct estimate *estimate);

/* product.c: the rows that FROM and WHERE of a SELECT may give, its sources in
 * the scope. A table has ESTIMATE_TABLE_ROWS. */
double product_rows(struct walk *walk, const json_t *select);
/* The same of one join, of the sources that it added since `before`. */
double product_join_rows(struct walk *walk, const json_t *join,
                         const struct walk_source *before);

/* cost.c: refuses an operator whose time is the product of its operands. */
void cost_check_operator(struct walk *walk, const json_t *node,
                         struct estimate left, struct estimate right);
/* Refuses a value that would collect more than ESTIMATE_MAX_HELD rows. */
struct estimate cost_collected(struct walk *walk, struct str what, int location,
                               struct estimate m, double rows);

/* jsonpath.c: refuses a path that visits too much of a document; notes one that
 * is no literal for patterns_check. */
void jsonpath_check(struct walk *walk, const json_t *path, struct estimate text,
                    struct estimate document, int location);

/* series.c */
struct estimate series_estimate(struct walk *walk, const json_t *call,
                                const struct estimate *args, size_t n_args);

/* pattern.c */
void patterns_check(struct walk *walk, const json_t *tree);
void pattern_check(struct walk *walk, const json_t *pattern, int location);

/* expression.c */
void operator_check(struct walk *walk, const json_t *names, int location);
void operator_use(struct walk *walk, struct str symbol);

/* lineage.c */
void mention_add(struct walk *walk, struct mentions *to, struct str qualifier,
                 struct str name, int location);
void lineage_report(struct walk *walk, struct guard_verdict *verdict);

/* aggregate.c */
void aggregate_report(struct walk *walk, const json_t *select,
                      struct guard_verdict *verdict);
