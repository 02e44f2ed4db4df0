/* shape_build.h - making a shape from the parser's tree, shared by the files
 * that do. The tree goes away afterwards, so that texts are copied. */
#pragma once
#include "base/json.h"
#include "node.h"
#include "guard/shape.h"

struct shape_cte {
    struct shape_cte *next;
    struct str name;
    struct shape_select *query; /* NULL: it is being made (recursive) */
    struct str *renamed;
    size_t n_renamed;
};

/* What names are looked up in, from the inside out. */
struct shape_scope {
    struct shape_scope *outer;
    struct shape_select *select;
    struct shape_cte *ctes;
    struct map merged;     /* columns of USING and NATURAL: name -> itself */
    const json_t *windows; /* WINDOW */
    size_t hidden;         /* sources from here on are not in sight; 0: none */
};

struct shape_builder {
    struct arena *arena;
    const struct shape_catalog *catalog;
    struct shape *shape;
    struct shape_scope *scope;
};

/* Appends to items[n] of room cap; all three are of the same list. */
#define SHAPE_PUSH(b, items, n, cap, value) \
    do { \
        if ((n) == (cap)) { \
            (items) = shape_grow((b)->arena, (items), (n), sizeof *(items)); \
            (cap) = (cap) ? 2 * (cap) : 8; \
        } \
        (items)[(n)++] = (value); \
    } while (0)
/* A copy with room for twice as many, at least 8. */
void *shape_grow(struct arena *arena, const void *items, size_t n, size_t size);

/* shape.c: a SELECT in the sight of the present scope. */
struct shape_select *shape_select_of(struct shape_builder *b,
                                     const json_t *select);
struct str shape_text(struct shape_builder *b, struct str text); /* a copy */

/* shape_from.c: the items of FROM become sources and conditions. */
void shape_from(struct shape_builder *b, const json_t *list);
/* What holds of each row: taken apart at AND. */
void shape_condition(struct shape_builder *b, const json_t *wrapped);

/* shape_value.c */
struct shape_value *shape_value_of(struct shape_builder *b,
                                   const json_t *wrapped);
struct shape_value *shape_value_new(struct shape_builder *b,
                                    enum shape_value_kind kind);
void shape_value_add(struct shape_builder *b, struct shape_value *value,
                     struct shape_value *part);

/* shape_name.c */
struct shape_value *shape_column(struct shape_builder *b,
                                 struct shape_source *source, size_t column);
/* A reference; what cannot be found becomes a problem and SHAPE_OTHER. */
struct shape_value *shape_name(struct shape_builder *b, struct str qualifier,
                               struct str name);
/* The same, NULL and no problem when no source has it. */
struct shape_value *shape_name_if(struct shape_builder *b, struct str name);
struct shape_source *shape_source_named(struct shape_builder *b,
                                        struct str qualifier);
/* The place of a column, or SIZE_MAX; an open source learns it. */
size_t shape_source_column(struct shape_builder *b, struct shape_source *source,
                           struct str name);
void shape_source_learn(struct shape_builder *b, struct shape_source *source,
                        struct str name);
/* Outputs for `*` (empty qualifier) or `t.*`. */
void shape_star(struct shape_builder *b, struct str qualifier);
void shape_output_add(struct shape_builder *b, struct str name,
                      struct shape_value *value);
/* shape.c: the same text gives the same number, wherever it stands. */
uint64_t shape_print(const json_t *node);
