/* literals.c - finds comparisons of columns with text literals in the parse
 * tree; see guard/literals.h. The parser bounds the depth of the tree. */
#include "guard/literals.h"
#include "base/map.h"
#include "node.h"
#include "parse.h"
#include <string.h>
#include "base/banned.h"

enum { TABLES_MOST = 64 };

struct literal_table {
    struct str alias, schema, name;
};

struct literal_reader {
    struct arena *arena;
    struct map queries; /* by the name of a common table expression */
    struct literal_table tables[TABLES_MOST];
    size_t n_tables;
    struct query_literals *out;
};

/* ---- tables ------------------------------------------------------------- */

/* The names of all common table expressions of the query. */
static void find_queries(struct literal_reader *r, const json_t *tree)
{
    struct node_children c = NODE_CHILDREN(tree);
    while (node_next(&c)) {
        struct str name = json_get_text(c.child, "ctename");
        if (!strcmp(c.key, "CommonTableExpr") && name.len)
            map_put(&r->queries, name, r);
        find_queries(r, c.child);
    }
}

static void add_table(struct literal_reader *r, const json_t *range)
{
    struct str name = json_get_text(range, "relname");
    bool query = !json_object_get(range, "schemaname") && name.len &&
                 map_get(&r->queries, name);
    if (r->n_tables < TABLES_MOST && name.len && !query)
        r->tables[r->n_tables++] = (struct literal_table){
            node_alias(range, name), json_get_text(range, "schemaname"), name};
}

static void find_tables(struct literal_reader *r, const json_t *tree)
{
    struct node_children c = NODE_CHILDREN(tree);
    while (r->n_tables < TABLES_MOST && node_next(&c)) {
        if (!strcmp(c.key, "RangeVar"))
            add_table(r, c.child);
        find_tables(r, c.child);
    }
}

/* ---- the two sides of a comparison --------------------------------------- */

/* The only column in an expression. *n counts those found. */
static const json_t *find_column(const json_t *tree, size_t *n)
{
    const json_t *found = NULL;
    struct node_children c = NODE_CHILDREN(tree);
    while (*n < 2 && node_next(&c)) {
        bool column = !strcmp(c.key, "ColumnRef");
        *n += column;
        const json_t *at = column ? json_object_get(c.child, "fields")
                                  : find_column(c.child, n);
        found = at ? at : found;
    }
    return found;
}

static const json_t *only_column(const json_t *wrapped, bool *computed)
{
    size_t n = 0;
    const json_t *column = find_column(wrapped, &n);
    *computed = !node_fields(wrapped);
    bool fits = n == 1 && !node_is_star(column);
    return fits && !node_holds(wrapped, "SelectStmt") ? column : NULL;
}

/* The text of a literal, also within lower('X') and the like. */
static struct str literal_of(const json_t *wrapped)
{
    struct str text = node_literal(wrapped);
    struct str name = node_function(wrapped);
    if (text.ptr || !name.ptr)
        return text;
    const json_t *args =
        json_object_get(node_inside(wrapped, "FuncCall"), "args");
    static const char *const folds[] = {"lower", "upper", "trim", "btrim",
                                        NULL};
    return str_is_one_of(name, folds) && json_array_size(args) == 1
               ? node_literal(json_array_get(args, 0))
               : text;
}

static void add_literal(struct literal_reader *r, const json_t *left,
                        const json_t *right, enum literal_use use)
{
    struct query_literals *out = r->out;
    struct query_literal *l = &out->items[out->n];
    struct str text = literal_of(right);
    bool computed;
    const json_t *column = text.ptr ? only_column(left, &computed) : NULL;
    if (!column || out->n == LITERALS_MOST)
        return;
    *l = (struct query_literal){.column =
                                    arena_str(r->arena, node_last_name(column)),
                                .text = arena_str(r->arena, text),
                                .use = use,
                                .computed = computed};
    struct str of = node_qualifier(column);
    for (size_t i = 0; of.len && i < r->n_tables; i++)
        if (str_eq(r->tables[i].alias, of)) {
            l->schema = arena_str(r->arena, r->tables[i].schema);
            l->table = arena_str(r->arena, r->tables[i].name);
            break;
        }
    out->n++;
}

/* ---- comparisons --------------------------------------------------------- */

static const json_t *items_of(const json_t *wrapped)
{
    const json_t *items =
        json_object_get(node_inside(wrapped, "List"), "items");
    const json_t *array = node_inside(wrapped, "A_ArrayExpr");
    return items ? items : array ? json_object_get(array, "elements") : wrapped;
}

static void add_each(struct literal_reader *r, const json_t *left,
                     const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        add_literal(r, left, json_array_get(list, i), LITERAL_EQUAL);
}

/* The literal may be on either side. */
static void add_operator(struct literal_reader *r, const json_t *left,
                         const json_t *right, struct str name)
{
    static const struct {
        const char *name;
        enum literal_use use, turned;
    } operators[] = {{"=", LITERAL_EQUAL, LITERAL_EQUAL},
                     {">=", LITERAL_LEAST, LITERAL_MOST},
                     {">", LITERAL_ABOVE, LITERAL_BELOW},
                     {"<=", LITERAL_MOST, LITERAL_LEAST},
                     {"<", LITERAL_BELOW, LITERAL_ABOVE}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!str_is(name, operators[i].name))
            continue;
        add_literal(r, left, right, operators[i].use);
        add_literal(r, right, left, operators[i].turned);
    }
}

static void add_comparison(struct literal_reader *r, const json_t *node)
{
    const json_t *left = json_object_get(node, "lexpr");
    const json_t *right = json_object_get(node, "rexpr");
    struct str kind = json_get_text(node, "kind");
    struct str name = node_name(json_object_get(node, "name"), 0);
    bool equal = str_is(name, "=");
    if (str_is(kind, "AEXPR_OP"))
        add_operator(r, left, right, name);
    else if ((str_is(kind, "AEXPR_IN") || str_is(kind, "AEXPR_OP_ANY")) &&
             equal)
        add_each(r, left, items_of(right));
    else if (str_is(kind, "AEXPR_LIKE") && str_is(name, "~~"))
        add_literal(r, left, right, LITERAL_LIKE);
    else if (str_is(kind, "AEXPR_ILIKE") && str_is(name, "~~*"))
        add_literal(r, left, right, LITERAL_ILIKE);
    if (!str_is(kind, "AEXPR_BETWEEN"))
        return;
    const json_t *ends = items_of(right);
    add_literal(r, left, json_array_get(ends, 0), LITERAL_LEAST);
    add_literal(r, left, json_array_get(ends, 1), LITERAL_MOST);
}

static void find_comparisons(struct literal_reader *r, const json_t *tree)
{
    struct node_children c = NODE_CHILDREN(tree);
    while (r->out->n < LITERALS_MOST && node_next(&c)) {
        if (!strcmp(c.key, "A_Expr"))
            add_comparison(r, c.child);
        find_comparisons(r, c.child);
    }
}

void query_literals_read(struct arena *arena, struct str sql,
                         struct query_literals *out)
{
    struct literal_reader *reader = arena_new(arena, struct literal_reader);
    struct parse parse;
    out->items =
        arena_new_array(arena, struct query_literal, LITERALS_MOST + 1);
    out->n = 0;
    reader->arena = arena;
    reader->out = out;
    parse_open(&parse, arena, sql);
    const json_t *select = parse_select(&parse);
    if (select) {
        map_init(&reader->queries, arena);
        find_queries(reader, select);
        find_tables(reader, select);
        find_comparisons(reader, select);
    }
    parse_close(&parse);
}
