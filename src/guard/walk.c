/* walk.c - walks the tree and refuses what nodes.def does not list. Each node
 * goes to its visitor, which answers an estimate of what it can make. */
#include "walk.h"
#include <stdarg.h>
#include <string.h>
#include "base/banned.h"

enum field_kind {
    FIELD_VALUE,
    FIELD_CHILD,
    FIELD_LIST,
    FIELD_TYPED,
    FIELD_RAW
};

struct node_field {
    const char *name; /* NULL ends a list */
    enum field_kind kind;
    enum node_kind type; /* of FIELD_TYPED */
};

#define VALUE(name) {#name, FIELD_VALUE, NODE_NONE},
#define CHILD(name) {#name, FIELD_CHILD, NODE_NONE},
#define LIST(name) {#name, FIELD_LIST, NODE_NONE},
#define TYPED(name, type) {#name, FIELD_TYPED, NODE_##type},
#define RAW(name) {#name, FIELD_RAW, NODE_NONE},
#define NODE(type, visitor, fields) \
    static const struct node_field fields_of_##type[] = {fields{NULL, 0, 0}};
#include "nodes.def"
#undef NODE

static const struct {
    const char *name;
    const struct node_field *fields;
    struct estimate (*visit)(struct walk *, enum node_kind, const json_t *);
} nodes[NODE_COUNT] = {
#define NODE(type, visitor, fields) \
    [NODE_##type] = {#type, fields_of_##type, visitor},
#include "nodes.def"
#undef NODE
};

static const struct {
    const char *name, *code, *sentence;
} refused_nodes[] = {
#define REFUSED(type, code, sentence) {#type, code, sentence},
#include "refused.def"
#undef REFUSED
};

void walk_init(struct walk *walk, struct arena *arena, struct str sql,
               const struct guard_policy *policy)
{
    *walk = (struct walk){.arena = arena,
                          .sql = arena_str(arena, sql),
                          .policy = policy,
                          .location = -1};
    struct map *const maps[] = {
        &walk->relations,      &walk->columns,        &walk->functions,
        &walk->tables_named,   &walk->field_uses,     &walk->row_uses,
        &walk->bare_functions, &walk->bare_operators,
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_init(maps[i], arena);
}

struct estimate walk_refuse(struct walk *walk, const char *code, int location,
                            const char *format, ...)
{
    if (!walk->refused) {
        va_list args;
        va_start(args, format);
        walk->reason = arena_vprintf(walk->arena, format, args);
        va_end(args);
        walk->code = code;
        walk->refused_at = location;
        walk->refused = true;
    }
    return estimate_none();
}

static enum node_kind node_kind_of(const char *name)
{
    for (int kind = 1; kind < NODE_COUNT; kind++)
        if (!strcmp(nodes[kind].name, name))
            return kind;
    return NODE_NONE;
}

static struct estimate refuse_node(struct walk *walk, const char *name,
                                   const json_t *node)
{
    int at = node_location(node) >= 0 ? node_location(node) : walk->location;
    for (size_t i = 0; i < sizeof refused_nodes / sizeof *refused_nodes; i++)
        if (!strcmp(refused_nodes[i].name, name))
            return walk_refuse(walk, refused_nodes[i].code, at, "%s",
                               refused_nodes[i].sentence);
    return walk_refuse(walk, "node", at, "A query may not hold a %s.", name);
}

struct estimate walk_typed(struct walk *walk, enum node_kind kind,
                           const json_t *node)
{
    if (walk->refused || !json_is_object(node))
        return estimate_none();
    if (node_location(node) >= 0)
        walk->location = node_location(node);
    if (++walk->depth > GUARD_MAX_DEPTH)
        walk_refuse(
            walk, "too_deep", walk->location,
            "The query is nested more than %d levels deep; split it into "
            "common table expressions.",
            GUARD_MAX_DEPTH);
    struct estimate m = estimate_none();
    if (!walk->refused)
        m = nodes[kind].visit(walk, kind, node);
    walk->depth--;
    return m;
}

struct estimate walk_node(struct walk *walk, const json_t *wrapped)
{
    struct estimate m = estimate_none();
    struct node_children c = NODE_CHILDREN(wrapped);
    while (node_next(&c)) {
        enum node_kind kind = node_kind_of(c.key);
        if (kind == NODE_NONE)
            return refuse_node(walk, c.key, c.child);
        m = walk_typed(walk, kind, c.child);
    }
    return m;
}

static struct estimate walk_list(struct walk *walk, const json_t *list)
{
    struct estimate m = estimate_none();
    struct node_children c = NODE_CHILDREN(list);
    while (node_next(&c))
        m = estimate_worse(m, walk_node(walk, c.child));
    return m;
}

static bool is_scalar(const json_t *value)
{
    return !json_is_object(value) && !json_is_array(value);
}

static struct estimate walk_field(struct walk *walk, enum node_kind kind,
                                  const char *name, const json_t *value)
{
    const struct node_field *field = nodes[kind].fields;
    while (field->name && strcmp(field->name, name))
        field++;
    if (field->name) {
        if (field->kind == FIELD_RAW)
            return estimate_none();
        if (field->kind == FIELD_VALUE && is_scalar(value))
            return estimate_none();
        if (field->kind == FIELD_CHILD && json_is_object(value))
            return walk_node(walk, value);
        if (field->kind == FIELD_LIST && json_is_array(value))
            return walk_list(walk, value);
        if (field->kind == FIELD_TYPED && json_is_object(value))
            return walk_typed(walk, field->type, value);
    }
    return walk_refuse(walk, "node", walk->location,
                       "This form of %s (%s) is not allowed.", nodes[kind].name,
                       name);
}

struct estimate walk_fields(struct walk *walk, enum node_kind kind,
                            const json_t *node, const char *const *skip)
{
    struct estimate m = estimate_none();
    struct node_children c = NODE_CHILDREN(node);
    while (node_next(&c))
        if (!str_is_one_of(str_of(c.key), skip))
            m = estimate_worse(m, walk_field(walk, kind, c.key, c.child));
    return m;
}

struct estimate walk_plain(struct walk *walk, enum node_kind kind,
                           const json_t *node)
{
    return walk_fields(walk, kind, node, (const char *const[]){NULL});
}
