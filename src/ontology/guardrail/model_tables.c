/* model_tables.c - looks up the tables of a query in the model and lists their
 * columns. A table is made when a query first names it. */
#include "model_tables.h"
#include "../known.h"
#include "ontology/columns.h"
#include "../sql_name.h"
#include "base/banned.h"

/* The columns of one table, without duplicates. */
struct column_listing {
    struct arena *arena;
    struct map seen;
    bool open, partial;
};

static void list_exactly(struct column_listing *l, struct str name)
{
    if (name.len && !map_get(&l->seen, name)) {
        struct str *kept = arena_new(l->arena, struct str);
        *kept = name;
        map_put(&l->seen, name, kept);
    }
}

/* Models often leave out the quotes that a name needs because of its case. */
static void list_name(struct column_listing *l, struct str name)
{
    list_exactly(l, name);
    list_exactly(l, sql_fold(l->arena, name));
}

static void list_names(struct column_listing *l, struct str_list names)
{
    for (size_t i = 0; i < names.n; i++)
        list_name(l, names.items[i]);
}

/* The columns that a computed field uses. */
static void list_expression(struct column_listing *l, const struct dataset *d,
                            struct str expression)
{
    struct str_list columns;
    bool known = expression_columns(l->arena, d, expression, &columns);
    l->open = l->open || !known;
    for (size_t i = 0; i < columns.n; i++)
        list_exactly(l, columns.items[i]);
}

static void list_field(struct column_listing *l, const struct dataset *d,
                       const struct field *field)
{
    if (!field->column.len)
        list_expression(l, d, field->expression);
    else if (str_find_char(field->expression, '"') >= 0)
        list_exactly(l, field->column);
    else
        list_name(l, field->column);
}

static void list_dataset(struct column_listing *l, const struct ontology *o,
                         size_t dataset)
{
    const struct dataset *d = &o->datasets[dataset];
    for (size_t i = 0; i < d->n_fields; i++)
        list_field(l, d, &d->fields[i]);
    list_names(l, d->primary_key);
    for (size_t i = 0; i < d->n_unique_keys; i++)
        list_names(l, d->unique_keys[i]);
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from == dataset)
            list_names(l, r->from_columns);
        if (r->to == dataset)
            list_names(l, r->to_columns);
    }
    l->partial = l->partial || d->shown.n > 0;
    /* A dataset without fields may have any columns. */
    l->open = l->open || d->n_fields == 0;
}

static struct model_table *table_make(struct model_tables *c, struct str schema,
                                      struct str name)
{
    const struct ontology *o = c->o;
    size_t *datasets = arena_new_array(c->arena, size_t, o->n_datasets + 1);
    size_t n = 0;
    struct column_listing l = {.arena = c->arena};
    map_init(&l.seen, c->arena);
    for (size_t i = 0; i < o->n_datasets; i++)
        if (str_eq(o->datasets[i].table, name) &&
            str_eq(o->datasets[i].schema, schema)) {
            datasets[n++] = i;
            list_dataset(&l, o, i);
        }
    if (n == 0)
        return NULL;
    struct model_table *table = arena_new(c->arena, struct model_table);
    struct str *columns =
        arena_new_array(c->arena, struct str, l.seen.count + 1);
    size_t n_columns = 0;
    for (struct map_entry *e = NULL; (e = map_next(&l.seen, e));)
        columns[n_columns++] = e->key;
    *table = (struct model_table){.shape = {.columns = columns,
                                            .n_columns = n_columns,
                                            .open = l.open && !l.partial,
                                            .partial = l.partial},
                                  .datasets = datasets,
                                  .n_datasets = n};
    return table;
}

static void add_unknown_table(struct model_tables *c, struct str key,
                              struct str name)
{
    struct str_list known = ontology_relations(c->arena, c->o);
    for (size_t i = 0; i < known.n; i++)
        if (str_eq(known.items[i], key))
            return;
    struct str *items = arena_new_array(c->arena, struct str, c->unknown.n + 1);
    for (size_t i = 0; i < c->unknown.n; i++)
        items[i] = c->unknown.items[i];
    items[c->unknown.n++] = arena_str(c->arena, name);
    c->unknown.items = items;
}

static const struct shape_table *find_table(void *who, struct str schema,
                                            struct str name)
{
    struct model_tables *c = who;
    struct str of = schema.len ? schema : ontology_search_schema(c->o);
    struct str key =
        arena_printf(c->arena, "%.*s.%.*s", STR_ARG(of), STR_ARG(name));
    struct model_table *table = map_get(&c->tables, key);
    static struct model_table none;
    if (!table) {
        table = table_make(c, of, name);
        if (!table)
            add_unknown_table(c, key, schema.len ? key : name);
        map_put(&c->tables, key, table ? table : &none);
    }
    return table && table != &none ? &table->shape : NULL;
}

void model_tables_init(struct model_tables *catalog, struct arena *arena,
                       const struct ontology *o)
{
    *catalog = (struct model_tables){.arena = arena, .o = o};
    catalog->shape.who = catalog;
    catalog->shape.table = find_table;
    map_init(&catalog->tables, arena);
}

const struct dataset *model_table_dataset(const struct model_tables *catalog,
                                          const struct shape_source *source)
{
    const struct model_table *table = model_table_of(source);
    return &catalog->o->datasets[table->datasets[0]];
}
