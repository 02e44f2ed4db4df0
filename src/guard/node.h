/* node.h - reading the parser's tree.
 *
 * The tree is JSON. A wrapped node is {"Type": {…}}, its inside is the object
 * in it; a field holds a value, a node or a list of wrapped nodes. Everything
 * here takes NULL and what is of another type, and answers NULL, an empty name
 * or false. This is the only code that knows how a tree is laid out in general:
 * walk.h (is the query allowed?) and shape.h (what does it compute?) are two
 * interpretations of it. */
#pragma once
#include "base/json.h"
#include "base/str.h"
#include <stdbool.h>

/* The inside of a wrapped node of that type, or NULL. */
const json_t *node_inside(const json_t *wrapped, const char *type);
/* The inside of the SelectStmt in a field of `owner`, or NULL. */
const json_t *node_select(const json_t *owner, const char *field);
/* The first SELECT of a set operation, which names its columns; `select` itself
 * when it is none. */
const json_t *node_leftmost(const json_t *select);
/* The i-th ResTarget (an output) of a list, or NULL. */
const json_t *node_target(const json_t *list, size_t i);
/* The name that a ResTarget has by its text: its alias, or the last name of the
 * ColumnRef in it; ptr NULL when it has neither. */
struct str node_target_name(const json_t *target);
/* What the i-th function of a RangeFunction is: a list of the call and its
 * column definitions, or NULL. */
const json_t *node_range_function(const json_t *range_function, size_t i);
/* The names of a ColumnRef, or NULL: a.b is a list of two, t.* ends in
 * A_Star. */
const json_t *node_fields(const json_t *wrapped);
/* The integer of an A_Const, for json_get_int(…, "ival", 0), or NULL: the
 * parser's JSON leaves out "ival" when it is not above zero. */
const json_t *node_integer(const json_t *wrapped);
/* The text of a string literal, also of one with a cast; ptr NULL when the
 * node is none. */
struct str node_literal(const json_t *wrapped);
/* The byte offset of an inside node in the query's text, or -1. */
int node_location(const json_t *node);

/* The i-th name of a list of String nodes; ptr NULL when there is none. */
struct str node_name(const json_t *list, size_t i);
/* The last name of such a list: the name without its schema or table. */
struct str node_last_name(const json_t *list);
/* The name before the last one, or the empty name. */
struct str node_qualifier(const json_t *list);
/* The name of a FuncCall without its schema; ptr NULL when it is none. */
struct str node_function(const json_t *wrapped);
/* Does a list of names end in A_Star? */
bool node_is_star(const json_t *list);
/* The alias of an item of FROM, else `otherwise`. */
struct str node_alias(const json_t *item, struct str otherwise);
/* The column names in it, or NULL. */
const json_t *node_alias_columns(const json_t *item);

/* The operands of a condition joined by AND, or NULL when it is none. */
const json_t *node_conjuncts(const json_t *condition);
/* Is a name pg_catalog.x or has it no schema? */
bool node_is_built_in(const json_t *names);

/* Visits the values of an object or a list: while (node_next(&c)) … c.child.
 * `key` is the field's name, or "" in a list. */
struct node_children {
    const json_t *of, *child;
    const char *key;
    void *iterator;
    size_t index;
};
#define NODE_CHILDREN(tree) ((struct node_children){.of = (tree), .key = ""})
/* Moves to the next value; false after the last. */
bool node_next(struct node_children *c);

/* Does a field or a type of that name occur anywhere in the tree? */
bool node_holds(const json_t *tree, const char *key);
