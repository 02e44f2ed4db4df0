/* field.c - x.f and (x).f: is f a field that x has, or would it be a call? */
#include "function.h"
#include "output_name.h"
#include "walk.h"
#include "base/banned.h"

static const char *const row_functions[] = {
#define FIELD(name) #name,
#include "fields.def"
#undef FIELD
    NULL,
};

/* ---- sources by name ----------------------------------------------------- */

/* The next source of that name. PostgreSQL takes the innermost query that has
 * one. While FROM is being walked not all of its items are visible, so the name
 * may belong to an outer query too; then every source of that name counts. */
static const struct walk_source *
source_next_named(const struct scope **scope, const struct walk_source *after,
                  struct str name)
{
    const struct walk_source *s = after ? after->next : NULL;
    bool found = after && after->index >= (*scope)->sure_from;
    if (!after && *scope)
        s = (*scope)->sources;
    while (*scope) {
        for (; s; s = s->next)
            if (str_eq(s->name, name))
                return s;
        if (found)
            return NULL;
        *scope = (*scope)->outer;
        s = *scope ? (*scope)->sources : NULL;
    }
    return NULL;
}

const struct columns *source_columns(const struct walk *walk, struct str name)
{
    const struct scope *scope = walk->scope;
    const struct walk_source *first = source_next_named(&scope, NULL, name);
    if (!first)
        return NULL;
    return source_next_named(&scope, first, name) ? NULL : first->offers;
}

/* ---- what the database is asked ------------------------------------------ */

static void field_use_add(struct walk *walk, struct map *uses, struct str name,
                          const struct relation_list *relations)
{

    struct str key = arena_printf(walk->arena, "%p %.*s",
                                  (const void *)relations, STR_ARG(name));
    struct field_use *one = arena_new(walk->arena, struct field_use);
    *one = (struct field_use){arena_str(walk->arena, name), relations};
    if (!map_get(uses, key))
        map_put(uses, key, one);
}

void row_type_use(struct walk *walk, const struct row_type *row)
{
    if (row->unless)
        field_use_add(walk, &walk->row_uses, row->word, row->unless);
}

/* May a function of that name be called? Users may still have defined another
 * one, which the database is asked about. */
static bool name_is_listed(struct str name)
{
    enum growth growth;
    return function_find(name, &growth) || type_is_listed(name);
}

static void write_uses(struct json_writer *w, const char *key, struct map *uses)
{
    json_field_array(w, key);
    for (struct map_entry *e = NULL; (e = map_next(uses, e));) {
        const struct field_use *one = e->value;
        json_put_array(w);
        json_put_str(w, one->name);
        json_put_array(w);
        for (const struct relation_list *r = one->relations; r; r = r->next)
            json_put_int(w, (int64_t)r->relation->id);
        json_put_array_end(w);
        json_put_bool(w, name_is_listed(one->name));
        json_put_array_end(w);
    }
    json_put_array_end(w);
}

static void write_names(struct json_writer *w, const char *key,
                        struct map *names)
{
    json_field_array(w, key);
    for (struct map_entry *e = NULL; (e = map_next(names, e));)
        json_put_str(w, ((const struct mention *)e->value)->name);
    json_put_array_end(w);
}

struct str calls_report(struct walk *walk)
{
    struct buf out;
    struct json_writer w;
    operator_use(walk, STR("=")); /* IN, CASE, USING … compare with it */
    buf_init(&out, walk->arena);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_array(&w, "tables");
    for (struct map_entry *e = NULL; (e = map_next(&walk->tables_named, e));) {
        const struct relation *r = e->value;
        json_put_array(&w);
        json_put_str(&w, r->schema);
        json_put_str(&w, r->name);
        json_put_array_end(&w);
    }
    json_put_array_end(&w);
    write_uses(&w, "fields", &walk->field_uses);
    write_uses(&w, "rows", &walk->row_uses);
    write_names(&w, "functions", &walk->bare_functions);
    write_names(&w, "operators", &walk->bare_operators);
    json_put_object_end(&w);
    return buf_finish(&out);
}

/* ---- the judgement ------------------------------------------------------- */

static bool calls_with_a_row(struct str name)
{
    return str_is_one_of(name, row_functions) || str_starts(name, STR("pg_")) ||
           str_starts(name, STR("dblink"));
}

static void field_refuse(struct walk *walk, struct str of, struct str name,
                         int location)
{
    walk_refuse(
        walk, "function", location,
        "%.*s%s.%.*s is not known to be a column; written like this it would "
        "call the function %.*s. Write alias.column without parentheses; "
        "of a json value take ->> '%.*s', of a "
        "column that is a row to_jsonb(column) ->> '%.*s'.",
        STR_ARG(of), of.len ? "" : "The field ", STR_ARG(name), STR_ARG(name),
        STR_ARG(name), STR_ARG(name));
}

static void field_check(struct walk *walk, const struct columns *columns,
                        struct str of, struct str name, int location)
{
    enum field_trust trust =
        columns ? columns_trust(columns, name) : FIELD_NONE;
    if (trust == FIELD_NONE || (trust == FIELD_MAYBE && calls_with_a_row(name)))
        field_refuse(walk, of, name, location);
    else if (trust == FIELD_MAYBE)
        field_use_add(walk, &walk->field_uses, name,
                      columns_find(columns, name) ? NULL : columns->relations);
}

/* Refuses t.f when f may be a call, for every source that t may mean. An
 * unknown t is for PostgreSQL to refuse, or the text is a part of a query that
 * is judged as a whole later. */
void column_check(struct walk *walk, const json_t *fields, int location)
{
    size_t n = json_array_size(fields);
    struct str name = node_name(fields, n - 1);
    struct str of = node_name(fields, n - 2);
    const struct scope *scope = walk->scope;
    if (n < 2 || !name.ptr)
        return;
    if (n > 2) { /* schema.t.f: t is a table */
        field_check(walk,
                    columns_of_table(walk, node_name(fields, n - 3), of, NULL),
                    of, name, location);
        return;
    }
    for (const struct walk_source *s = NULL;
         (s = source_next_named(&scope, s, of));)
        field_check(walk, s->offers, of, name, location);
}

/* ---- rows ---------------------------------------------------------------- */

static const struct row_type no_row_type = {0};

/* The row type of the source that an alias names. */
static struct row_type row_type_of_source(const struct walk *walk,
                                          struct str name)
{
    const struct columns *columns = source_columns(walk, name);
    struct row_type row = {0};
    if (columns && !columns->scalar)
        row.columns = columns;
    return row;
}

static void row_type_doubt(struct walk *walk, struct row_type *row,
                           const struct columns *columns)
{
    for (const struct relation_list *r = columns->relations; r; r = r->next) {
        struct relation_list *one =
            arena_new(walk->arena, struct relation_list);
        *one = (struct relation_list){row->unless, r->relation};
        row->unless = one;
    }
}

/* PostgreSQL truncates names at 63 bytes of its encoding and folds some letters
 * beyond ASCII: such a word may mean another name there. */
static bool is_plain_word(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] >= 0x80)
            return false;
    return name.len < 60;
}

/* PostgreSQL reads a bare word as a column, from the inside out, and only then
 * as a source's row. It is no row here when a visible source may have a column
 * of that name which neither the text nor a table lists. */
static struct row_type row_type_of_word(struct walk *walk, struct str name)
{
    struct row_type doubts = {.word = name};
    bool doubtful = !is_plain_word(name);
    for (const struct scope *scope = walk->scope; scope; scope = scope->outer) {
        for (const struct walk_source *s = scope->sources; s; s = s->next) {
            const struct row_column *column = columns_find(s->offers, name);
            if (!column) {
                row_type_doubt(walk, &doubts, s->offers);
                doubtful = doubtful || s->offers->open || s->offers->more;
                continue;
            }
            bool sure = s->index >= scope->sure_from && !column->guessed &&
                        !doubtful && !doubts.unless;
            return sure ? column->row : no_row_type;
        }
    }
    if (doubtful)
        return no_row_type;
    struct row_type row = row_type_of_source(walk, name);
    row.word = name;
    row.unless = doubts.unless;
    return row;
}

static struct row_type row_type_of_column(struct walk *walk, const json_t *node)
{
    const json_t *fields = json_object_get(node, "fields");
    size_t n = json_array_size(fields);
    struct str last = node_name(fields, n - 1);
    if (n == 1)
        return last.ptr ? row_type_of_word(walk, last) : no_row_type;
    if (n != 2)
        return no_row_type;
    if (!last.ptr) /* o.* as a value means o */
        return row_type_of_source(walk, node_name(fields, 0));
    const struct columns *columns = source_columns(walk, node_name(fields, 0));
    const struct row_column *column =
        columns ? columns_find(columns, last) : NULL;
    return column ? column->row : no_row_type;
}

/* A row of a table's type keeps its type in arrays and in the answers of these
 * functions. */
static struct row_type row_type_of_call(struct walk *walk, const json_t *node)
{
    static const char *const keeps[] = {"first_value",
                                        "last_value",
                                        "lag",
                                        "lead",
                                        "nth_value",
                                        "any_value",
                                        "json_populate_record",
                                        "jsonb_populate_record",
                                        "json_populate_recordset",
                                        "jsonb_populate_recordset",
                                        NULL};
    struct str name = node_last_name(json_object_get(node, "funcname"));
    const json_t *arg = json_array_get(json_object_get(node, "args"), 0);
    struct columns *listed = columns_new(walk);
    if (function_columns_of_row(walk, name, listed))
        return (struct row_type){.columns = listed};
    bool unnests = str_is(name, "unnest"), collects = str_is(name, "array_agg");
    if (!unnests && !collects && !str_is_one_of(name, keeps))
        return no_row_type;
    struct row_type row = row_type_of(walk, arg, NULL);
    if (unnests && !row.columns) {
        columns_guess_tsvector(walk, listed);
        return (struct row_type){.columns = listed};
    }
    if (!row.columns || !row.columns->named || row.array != unnests)
        return no_row_type;
    row.array = collects;
    return row;
}

/* ROW(…): its fields are f1, f2, … A star may expand to no column at all. */
static struct row_type row_type_of_list(struct walk *walk, const json_t *node)
{
    const json_t *args = json_object_get(node, "args");
    struct columns *columns = columns_new(walk);
    for (size_t i = 0; i < json_array_size(args); i++)
        if (!ends_in_star(json_array_get(args, i)))
            columns_add(walk, columns,
                        arena_printf(walk->arena, "f%zu", columns->n + 1));
    return (struct row_type){.columns = columns};
}

/* The value of a scalar subquery is that of its only output. */
static struct row_type row_type_of_query(const json_t *node,
                                         const struct columns *made)
{
    const struct row_type *row = made && made->n ? &made->items[0].row : NULL;
    bool is_value = str_is(json_get_text(node, "subLinkType"), "EXPR_SUBLINK");
    return is_value && row && row->columns && row->columns->named ? *row
                                                                  : no_row_type;
}

static struct row_type row_type_after(struct row_type row, const json_t *step)
{
    const json_t *place = node_inside(step, "A_Indices");
    struct str name = json_get_text(node_inside(step, "String"), "sval");
    if (place && row.array) {
        row.array = json_is_true(json_object_get(place, "is_slice"));
        return row;
    }
    const struct row_column *column = name.ptr && row.columns && !row.array
                                          ? columns_find(row.columns, name)
                                          : NULL;
    return column ? column->row : no_row_type;
}

struct row_type row_type_of(struct walk *walk, const json_t *wrapped,
                            const struct columns *made)
{
    const json_t *node;
    if (++walk->row_depth > MAX_ROW_DEPTH) {
        walk->row_depth--;
        return no_row_type;
    }
    struct row_type row = no_row_type;
    if ((node = node_inside(wrapped, "ColumnRef")))
        row = row_type_of_column(walk, node);
    else if ((node = node_inside(wrapped, "FuncCall")))
        row = row_type_of_call(walk, node);
    else if ((node = node_inside(wrapped, "RowExpr")))
        row = row_type_of_list(walk, node);
    else if ((node = node_inside(wrapped, "SubLink")))
        row = row_type_of_query(node, made);
    else if ((node = node_inside(wrapped, "A_Indirection"))) {
        const json_t *steps = json_object_get(node, "indirection");
        row = row_type_of(walk, json_object_get(node, "arg"), NULL);
        for (size_t i = 0; i < json_array_size(steps); i++)
            row = row_type_after(row, json_array_get(steps, i));
    }
    walk->row_depth--;
    return row;
}

/* ---- (x).f --------------------------------------------------------------- */

static void step_check(struct walk *walk, const struct row_type *row,
                       const json_t *arg, struct str name)
{
    const struct columns *columns = row->array ? NULL : row->columns;
    const json_t *fields = node_fields(arg);
    field_check(walk, columns,
                json_array_size(fields) == 1 ? node_name(fields, 0) : STR(""),
                name, walk->location);
    row_type_use(walk, row);
}

struct estimate visit_indirection(struct walk *walk, enum node_kind kind,
                                  const json_t *node)
{
    const json_t *steps = json_object_get(node, "indirection");
    const json_t *arg = json_object_get(node, "arg");
    walk->made = NULL;
    struct estimate m = walk_node(walk, arg);
    struct row_type row = row_type_of(walk, arg, walk->made);
    m = estimate_worse(
        m, walk_fields(walk, kind, node, (const char *const[]){"arg", NULL}));
    for (size_t i = 0; i < json_array_size(steps); i++) {
        struct str name = node_name(steps, i);
        if (i == 0 && name.ptr)
            field_of_table_check(walk, arg, name);
        if (name.ptr)
            step_check(walk, &row, arg, name);
        row = row_type_after(row, json_array_get(steps, i));
    }
    return m;
}
