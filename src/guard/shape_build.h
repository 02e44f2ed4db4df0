/* shape_build.h - builds a shape from the parse tree. The tree is freed
 * afterwards, so texts are copied. */
#pragma once
#include "base/json.h"
#include "node.h"
#include "guard/shape.h"

struct shape_cte {
    struct shape_cte *next;
    struct str name;
    /* NULL: a recursive query that is being built */
    struct shape_select *query;
    struct str *renamed;
    size_t n_renamed;
};

/* Where names are looked up, from the inside out. */
struct shape_scope {
    struct shape_scope *outer;
    struct shape_select *select;
    struct shape_cte *ctes;
    struct map merged;     /* columns of USING and NATURAL, by name */
    const json_t *windows; /* the WINDOW clause */
    /* 1 + the index of the first source that is not visible; 0: all are */
    size_t hidden;
};

struct shape_builder {
    struct arena *arena;
    const struct shape_catalog *catalog;
    struct shape *shape;
    struct shape_scope *scope;
};

/* Appends to the array items[n]; both are lvalues of one list, which nothing
 * else appends to. Room doubles at 0, 8, 16, 32 … items. */
#define SHAPE_PUSH(b, items, n, value) \
    do { \
        if ((n) == 0 || ((n) >= 8 && ((n) & ((n) - 1)) == 0)) \
            (items) = shape_grow((b)->arena, (items), (n), sizeof *(items)); \
        (items)[(n)++] = (value); \
    } while (0)
/* A copy of n items with room for twice as many, at least 8. */
void *shape_grow(struct arena *arena, const void *items, size_t n, size_t size);

/* shape.c: the select of a SelectStmt within the current scope. */
struct shape_select *shape_select_of(struct shape_builder *b,
                                     const json_t *select);
struct str shape_text(struct shape_builder *b, struct str text); /* a copy */

/* shape_from.c: the items of FROM become sources and conditions. */
void shape_from(struct shape_builder *b, const json_t *list);
/* Adds a condition, split at AND. */
void shape_condition(struct shape_builder *b, const json_t *wrapped);

/* shape_value.c: the value of an expression; NULL for what is none. */
struct shape_value *shape_value_of(struct shape_builder *b,
                                   const json_t *wrapped);
/* Resolves the names in a part of the tree, a node or a list, of which nothing
 * else matters. */
void shape_read_names(struct shape_builder *b, const json_t *part);
/* A value of that kind without parts. */
struct shape_value *shape_value_new(struct shape_builder *b,
                                    enum shape_value_kind kind);
/* Adds a part, unless it is NULL. */
void shape_value_add(struct shape_builder *b, struct shape_value *value,
                     struct shape_value *part);

/* shape_name.c: a value that is a column of that source. */
struct shape_value *shape_column(struct shape_builder *b,
                                 struct shape_source *source, size_t column);
/* The value of a name; one that is not found becomes a problem and
 * SHAPE_OTHER. */
struct shape_value *shape_name(struct shape_builder *b, struct str qualifier,
                               struct str name);
/* The same, but NULL and no problem when no source lists it. */
struct shape_value *shape_name_if(struct shape_builder *b, struct str name);
/* The innermost visible source of that name, or NULL. */
struct shape_source *shape_source_named(struct shape_builder *b,
                                        struct str qualifier);
/* The index of a column that a source lists, or SIZE_MAX. */
size_t shape_listed_column(const struct shape_source *source, struct str name);
/* The index of a column, or SIZE_MAX; an open source gets a new column. */
size_t shape_source_column(struct shape_builder *b, struct shape_source *source,
                           struct str name);
/* Adds a column to what a source offers. */
void shape_source_learn(struct shape_builder *b, struct shape_source *source,
                        struct str name);
/* Adds a problem if the source is partial: all its columns are read, or some by
 * their place. */
void shape_refuse_all(struct shape_builder *b, struct shape_source *source);
/* Adds outputs for `*` (empty qualifier) or `t.*`. */
void shape_star(struct shape_builder *b, struct str qualifier);
/* Adds an output to the select of the current scope. */
void shape_output_add(struct shape_builder *b, struct str name,
                      struct shape_value *value);
/* shape.c: a hash that is equal for equal trees, wherever they are. */
uint64_t shape_hash(const json_t *node);
