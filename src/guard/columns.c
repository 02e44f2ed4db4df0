/* columns.c - lists of columns, and which columns the items of FROM have. */
#include "columns.h"
#include "output_name.h"
#include "walk.h"
#include "base/banned.h"

/* How many columns one query may copy, mostly for stars. More are refused: a
 * bare word could be one of the columns that were left out. */
enum { MAX_COPIED = 40000, MAPPED_FROM = 12, MAX_STARRED = 250 };

struct columns *columns_new(struct walk *walk)
{
    return arena_new(walk->arena, struct columns);
}

/* Of several columns with one name, the first is found. */
static void columns_map_one(struct columns *of, struct row_column *column)
{
    if (!map_get(&of->by_name, column->name))
        map_put(&of->by_name, column->name, column);
}

static void columns_map(struct walk *walk, struct columns *of)
{
    map_init(&of->by_name, walk->arena);
    for (size_t i = 0; i < of->n; i++)
        columns_map_one(of, &of->items[i]);
}

static void columns_push(struct walk *walk, struct columns *to,
                         struct row_column column)
{
    if (walk->n_columns_copied >= MAX_COPIED) {
        walk_refuse(walk, "too_costly", walk->location,
                    "The stars of this query expand to more than %d columns.",
                    MAX_COPIED);
        return;
    }
    walk->n_columns_copied++;
    bool grows = to->n == to->cap;
    if (grows) {
        to->cap = to->cap ? 2 * to->cap : 8;
        struct row_column *more =
            arena_new_array(walk->arena, struct row_column, to->cap);
        for (size_t i = 0; i < to->n; i++)
            more[i] = to->items[i];
        to->items = more;
    }
    to->items[to->n++] = column;
    if (to->n < MAPPED_FROM)
        return;
    if (grows || !to->by_name.arena)
        columns_map(walk, to);
    else
        columns_map_one(to, &to->items[to->n - 1]);
}

void columns_add(struct walk *walk, struct columns *to, struct str name)
{
    columns_push(walk, to, (struct row_column){.name = name});
}

/* Adds a column that may have this name (FIELD_MAYBE). */
static void columns_guess(struct walk *walk, struct columns *to,
                          struct str name)
{
    columns_push(walk, to, (struct row_column){.name = name, .guessed = true});
}

/* Adds a column whose name the text does not tell. */
static void columns_add_unnamed(struct columns *to)
{
    to->open = to->unordered = true;
}

/* Adds an output under its alias, or under the name that PostgreSQL gives
 * it. */
static void output_add(struct walk *walk, struct columns *to,
                       const json_t *target, struct row_type row)
{
    struct str name = output_name_of_target(target);
    if (name.ptr)
        columns_push(walk, to, (struct row_column){.name = name, .row = row});
    else
        columns_add_unnamed(to);
}

const struct row_column *columns_find(const struct columns *columns,
                                      struct str name)
{
    if (columns->by_name.arena)
        return map_get(&columns->by_name, name);
    for (size_t i = 0; i < columns->n; i++)
        if (str_eq(columns->items[i].name, name))
            return &columns->items[i];
    return NULL;
}

enum field_trust columns_trust(const struct columns *columns, struct str name)
{
    const struct row_column *column = columns_find(columns, name);
    if (column)
        return column->guessed ? FIELD_MAYBE : FIELD_SURE;
    return columns->relations || columns->open ? FIELD_MAYBE : FIELD_NONE;
}

static void relation_add(struct walk *walk, struct columns *to,
                         const struct relation *relation)
{
    for (const struct relation_list *r = to->relations; r; r = r->next)
        if (r->relation == relation)
            return;
    struct relation_list *one = arena_new(walk->arena, struct relation_list);
    *one = (struct relation_list){to->relations, relation};
    to->relations = one;
}

void columns_add_all(struct walk *walk, struct columns *to,
                     const struct columns *from)
{
    for (size_t i = 0; i < from->n; i++)
        columns_push(walk, to, from->items[i]);
    for (const struct relation_list *r = from->relations; r; r = r->next)
        relation_add(walk, to, r->relation);
    to->open = to->open || from->open;
    to->more = to->more || from->more;
    to->unordered = to->unordered || from->unordered || from->relations ||
                    from->open || from->more;
}

const struct columns *columns_without_rows(struct walk *walk,
                                           const struct columns *from)
{
    struct columns *to = columns_new(walk);
    columns_add_all(walk, to, from);
    for (size_t i = 0; i < to->n; i++)
        to->items[i].row = (struct row_type){0};
    to->unordered = from->unordered;
    to->scalar = from->scalar;
    return to;
}

/* Where columns are not listed, it is not known which of them a new name
 * replaces; then the old names are not trusted either. */
const struct columns *columns_renamed(struct walk *walk,
                                      const struct columns *from,
                                      const json_t *names)
{
    size_t renamed = json_array_size(names);
    if (!renamed)
        return from;
    struct columns *to = columns_new(walk);
    bool listed = !from->unordered && !from->relations && !from->open;
    for (size_t i = 0; i < renamed; i++) {
        struct row_column column = {.name = node_name(names, i)};
        if (listed && !from->more && i < from->n)
            column.row = from->items[i].row;
        columns_push(walk, to, column);
    }
    for (size_t i = renamed; listed && i < from->n; i++)
        if (from->more) /* a new name may have replaced it */
            columns_guess(walk, to, from->items[i].name);
        else
            columns_push(walk, to, from->items[i]);
    to->open = !listed;
    to->more = from->more;
    to->scalar = from->scalar;
    to->renamed = from->renamed || !listed || from->more || from->named;
    return to;
}

/* ---- tables -------------------------------------------------------------- */

static const struct relation *relation_of(struct walk *walk, struct str schema,
                                          struct str name)
{
    struct str key =
        arena_printf(walk->arena, "%.*s\n%.*s", STR_ARG(schema), STR_ARG(name));

    struct relation *known = map_get(&walk->tables_named, key);
    if (known)
        return known;
    known = arena_new(walk->arena, struct relation);
    *known = (struct relation){schema, name, walk->tables_named.count};
    map_put(&walk->tables_named, key, known);
    return known;
}

const struct columns *columns_of_table(struct walk *walk, struct str schema,
                                       struct str name, const json_t *alias)
{
    struct columns *columns = columns_new(walk);
    relation_add(walk, columns, relation_of(walk, schema, name));
    columns->named = true;
    return columns_renamed(walk, columns, json_object_get(alias, "colnames"));
}

/* ---- functions ----------------------------------------------------------- */

/* Adds the columns of functions whose answer has column names of its own, from
 * pg_proc; false for other functions. */
static bool named_columns_add(struct walk *walk, struct columns *to,
                              struct str function)
{
    static const char *const elements[] = {
        "json_array_elements", "json_array_elements_text",
        "jsonb_array_elements", "jsonb_array_elements_text", NULL};
    static const char *const pairs[] = {"json_each", "json_each_text",
                                        "jsonb_each", "jsonb_each_text", NULL};
    bool is_element = str_is_one_of(function, elements);
    bool is_pair = str_is_one_of(function, pairs);
    if (!is_element && !is_pair)
        return false;
    if (is_pair)
        columns_add(walk, to, STR("key"));
    columns_add(walk, to, STR("value"));
    to->scalar = is_element;
    return true;
}

bool function_columns_of_row(struct walk *walk, struct str function,
                             struct columns *to)
{
    return named_columns_add(walk, to, function) && !to->scalar;
}

void columns_guess_tsvector(struct walk *walk, struct columns *to)
{
    columns_guess(walk, to, STR("lexeme"));
    columns_guess(walk, to, STR("positions"));
    columns_guess(walk, to, STR("weights"));
}

/* Is it an array of constants and of casts to allowed types, at all depths? A
 * single row among the elements would make it an array of rows. */
static bool is_constant_array(const json_t *wrapped)
{
    const json_t *elements =
        json_object_get(node_inside(wrapped, "A_ArrayExpr"), "elements");
    bool plain = json_array_size(elements) > 0;
    for (size_t i = 0; plain && i < json_array_size(elements); i++) {
        const json_t *one = json_array_get(elements, i);
        plain = node_inside(one, "A_Const") || node_inside(one, "TypeCast") ||
                is_constant_array(one);
    }
    return plain;
}

static bool is_plain_array(const json_t *arg)
{
    static const char *const arrays[] = {"string_to_array", "regexp_matches",
                                         "regexp_split_to_array",
                                         "generate_subscripts", NULL};
    const json_t *cast = node_inside(arg, "TypeCast");
    return json_object_get(json_object_get(cast, "typeName"), "arrayBounds") ||
           is_constant_array(arg) || str_is_one_of(node_function(arg), arrays);
}

/* unnest takes any array, or a tsvector, whose answer has three columns. */
static void unnested_columns_add(struct walk *walk, struct columns *to,
                                 const json_t *arg, struct str column)
{
    struct row_type row = row_type_of(walk, arg, NULL);
    if (row.columns && row.array) {
        row_type_use(walk, &row);
        columns_add_all(walk, to, row.columns);
        return;
    }
    to->scalar = true;
    if (is_plain_array(arg)) {
        columns_add(walk, to, column);
        return;
    }
    to->more = true;
    columns_guess(walk, to, column);
    columns_guess_tsvector(walk, to);
}

static bool populates_record(struct str function)
{
    return str_starts(function, STR("json_populate_record")) ||
           str_starts(function, STR("jsonb_populate_record"));
}

/* Expressions that may be a row when one of their parts is one. */
static bool passes_row_on(const json_t *node, struct str function)
{
    return node_inside(node, "CoalesceExpr") ||
           node_inside(node, "MinMaxExpr") || node_inside(node, "A_Expr") ||
           node_inside(node, "CaseExpr") || str_is(function, "lower") ||
           str_is(function, "upper");
}

/* The columns of one function; `column` is the name of an answer that has no
 * column names. */
static void function_columns_add(struct walk *walk, struct columns *to,
                                 const json_t *node, struct str column)
{
    struct str function = node_function(node);
    const json_t *args = json_object_get(node_inside(node, "FuncCall"), "args");
    if (named_columns_add(walk, to, function))
        return;
    if (populates_record(function)) {
        struct row_type row = row_type_of(walk, json_array_get(args, 0), NULL);
        if (row.columns)
            row_type_use(walk, &row);
        if (row.columns && !row.array)
            columns_add_all(walk, to, row.columns);
        else
            to->open = true;
    } else if (str_is(function, "unnest") && json_array_size(args) == 1) {
        unnested_columns_add(walk, to, json_array_get(args, 0), column);
    } else if (passes_row_on(node, function)) {
        to->scalar = to->more = true;
        columns_guess(walk, to, column);
    } else {
        to->scalar = true;
        columns_add(walk, to, column);
    }
}

static void definitions_add(struct walk *walk, struct columns *to,
                            const json_t *definitions)
{
    for (size_t i = 0; i < json_array_size(definitions); i++)
        columns_add(walk, to,
                    json_get_text(node_inside(json_array_get(definitions, i),
                                              "ColumnDef"),
                                  "colname"));
}

/* PostgreSQL reads unnest(a, b) as two functions. */
static size_t functions_in(const json_t *list)
{
    const json_t *node = json_array_get(list, 0);
    size_t n =
        json_array_size(json_object_get(node_inside(node, "FuncCall"), "args"));
    return str_is(node_function(node), "unnest") && n > 1 ? n : 1;
}

static void function_add(struct walk *walk, struct columns *to,
                         const json_t *range_function, size_t i, bool alone)
{
    const json_t *item = node_range_function(range_function, i);
    const json_t *node = json_array_get(item, 0);
    const json_t *definitions =
        json_object_get(node_inside(json_array_get(item, 1), "List"), "items");
    const json_t *alias = json_object_get(range_function, "alias");
    if (!definitions)
        definitions = json_object_get(range_function, "coldeflist");
    if (definitions) {
        definitions_add(walk, to, definitions);
        return;
    }
    size_t many = functions_in(item);
    struct str column = alone && many == 1 && alias
                            ? json_get_text(alias, "aliasname")
                            : output_name(node);
    if (!column.ptr) {
        columns_add_unnamed(to);
        to->scalar = true;
        return;
    }
    if (many == 1)
        function_columns_add(walk, to, node, column);
    for (size_t k = 0; many > 1 && k < many; k++)
        columns_guess(walk, to, column);
    to->more = to->more || many > 1;
}

const struct columns *columns_of_functions(struct walk *walk,
                                           const json_t *range_function)
{
    size_t n = json_array_size(json_object_get(range_function, "functions"));
    struct columns *columns = columns_new(walk);
    for (size_t i = 0; i < n; i++)
        function_add(walk, columns, range_function, i, n == 1);
    bool counted = json_object_get(range_function, "ordinality");
    if (counted)
        columns_add(walk, columns, STR("ordinality"));
    columns->scalar = columns->scalar && n == 1 && !counted;
    return columns_renamed(walk, columns, node_alias_columns(range_function));
}

/* ---- queries ------------------------------------------------------------- */

static const json_t *star_of(const json_t *target)
{
    const json_t *fields = node_fields(json_object_get(target, "val"));
    size_t n = json_array_size(fields);
    return n && node_inside(json_array_get(fields, n - 1), "A_Star") ? fields
                                                                     : NULL;
}

/* (x).* is every field of x. */
static bool add_row_star(struct walk *walk, struct columns *to,
                         const json_t *target)
{
    const json_t *node =
        node_inside(json_object_get(target, "val"), "A_Indirection");
    const json_t *steps = json_object_get(node, "indirection");
    size_t n = json_array_size(steps);
    if (!n || !node_inside(json_array_get(steps, n - 1), "A_Star"))
        return false;
    struct row_type row =
        n == 1 ? row_type_of(walk, json_object_get(node, "arg"), NULL)
               : (struct row_type){0};
    if (row.columns && !row.array) {
        row_type_use(walk, &row);
        columns_add_all(walk, to, row.columns);
    } else {
        columns_add_unnamed(to);
    }
    return true;
}

static void add_star(struct walk *walk, struct columns *to,
                     const json_t *fields)
{
    size_t n = json_array_size(fields);
    if (n > 1) {
        struct str name = node_name(fields, n - 2);
        const struct columns *of =
            n == 2
                ? source_columns(walk, name)
                : columns_of_table(walk, node_name(fields, n - 3), name, NULL);
        if (of)
            columns_add_all(walk, to, of);
        else
            columns_add_unnamed(to);
        return;
    }
    const struct walk_source *all[MAX_STARRED];
    size_t count = 0;
    for (const struct walk_source *s = walk->scope->sources; s; s = s->next)
        if (!s->is_using_alias && count < MAX_STARRED)
            all[count++] = s;
    for (size_t i = count; i > 0; i--)
        columns_add_all(walk, to, all[i - 1]->offers);
    to->unordered = to->unordered || walk->scope->merges;
}

static void add_target(struct walk *walk, struct columns *to,
                       const json_t *target)
{
    const json_t *star = star_of(target);
    if (star) {
        add_star(walk, to, star);
    } else if (!add_row_star(walk, to, target)) {
        struct row_type row =
            row_type_of(walk, json_object_get(target, "val"), NULL);
        if (row.columns && row.columns->renamed)
            row = (struct row_type){0};
        output_add(walk, to, target, row);
    }
}

static void add_values(struct walk *walk, struct columns *to,
                       const json_t *lists)
{
    const json_t *items =
        json_object_get(node_inside(json_array_get(lists, 0), "List"), "items");
    for (size_t i = 0; i < json_array_size(items); i++)
        columns_add(walk, to, arena_printf(walk->arena, "column%zu", i + 1));
}

const struct columns *columns_of_select(struct walk *walk, const json_t *select,
                                        const struct columns *left)
{
    if (left)
        return columns_without_rows(walk, left);
    struct columns *to = columns_new(walk);
    const json_t *lists = json_object_get(select, "valuesLists");
    const json_t *targets = json_object_get(select, "targetList");
    if (lists)
        add_values(walk, to, lists);
    for (size_t i = 0; i < json_array_size(targets); i++)
        add_target(walk, to, node_target(targets, i));
    return to;
}

static const json_t *cte_select(const json_t *cte)
{
    const json_t *select = node_select(cte, "ctequery");
    for (const json_t *left; (left = json_object_get(select, "larg"));)
        select = left;
    return select;
}

const struct columns *columns_of_text(struct walk *walk, const json_t *cte)
{
    const json_t *select = cte_select(cte);
    const json_t *targets = json_object_get(select, "targetList");
    struct columns *to = columns_new(walk);
    if (json_object_get(select, "valuesLists"))
        add_values(walk, to, json_object_get(select, "valuesLists"));
    for (size_t i = 0; i < json_array_size(targets); i++) {
        const json_t *target = node_target(targets, i);
        const json_t *val = json_object_get(target, "val");
        if (star_of(target) || node_inside(val, "A_Indirection"))
            columns_add_unnamed(to);
        else
            output_add(walk, to, target, (struct row_type){0});
    }
    return columns_of_cte(walk, cte, to);
}

const struct columns *columns_of_cte(struct walk *walk, const json_t *cte,
                                     const struct columns *query)
{
    const json_t *search = json_object_get(cte, "search_clause");
    const json_t *cycle = json_object_get(cte, "cycle_clause");
    const struct columns *own =
        columns_renamed(walk, query, json_object_get(cte, "aliascolnames"));
    if (!search && !cycle)
        return own;
    const struct str added[] = {json_get_text(search, "search_seq_column"),
                                json_get_text(cycle, "cycle_mark_column"),
                                json_get_text(cycle, "cycle_path_column")};
    struct columns *to = columns_new(walk);
    columns_add_all(walk, to, own);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        if (added[i].len)
            columns_add(walk, to, added[i]);
    return to;
}
