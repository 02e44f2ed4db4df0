/* absent.c - compares the tables and columns of a model with a database. */
#include "ontology/absent.h"
#include "known.h"
#include "guardrail/model_tables.h"
#include "ontology/columns.h"
#include "sql_name.h"
#include "base/banned.h"

struct absence {
    struct arena *arena;
    const struct map *seen;
    struct map told; /* in small letters -> struct str; in their order */
};

static void add_sentence(struct absence *c, struct str sentence)
{
    struct str key = sql_fold(c->arena, sentence);
    if (map_get(&c->told, key))
        return;
    struct str *kept = arena_new(c->arena, struct str);
    *kept = sentence;
    map_put(&c->told, key, kept);
}

/* `told_of` is NULL where only the table is named. */
static void compare_table(struct absence *c, struct str table,
                          const struct shape_table *told_of)
{
    const struct str_list *columns = map_get(c->seen, table);
    if (!columns)
        add_sentence(c, arena_printf(c->arena, "table %.*s", STR_ARG(table)));
    for (size_t i = 0; columns && told_of && i < told_of->n_columns; i++)
        if (!str_list_contains(*columns, told_of->columns[i]))
            add_sentence(c, arena_printf(c->arena, "column %.*s of %.*s",
                                         STR_ARG(told_of->columns[i]),
                                         STR_ARG(table)));
}

struct str_list ontology_absent(struct arena *arena, const struct ontology *o,
                                const struct map *seen)
{
    struct absence c = {.arena = arena, .seen = seen};
    struct model_tables tables;
    map_init(&c.told, arena);
    model_tables_init(&tables, arena, o);
    for (size_t i = 0; i < o->n_datasets; i++) {
        const struct dataset *d = &o->datasets[i];
        if (d->table.len)
            compare_table(&c,
                          arena_printf(arena, "%.*s.%.*s", STR_ARG(d->schema),
                                       STR_ARG(d->table)),
                          tables.shape.table(&tables, d->schema, d->table));
    }
    struct str_list relations = ontology_relations(arena, o);
    for (size_t i = 0; i < relations.n; i++) /* what queries read, too */
        compare_table(&c, relations.items[i], NULL);
    struct str_list list = {
        arena_new_array(arena, struct str, c.told.count + 1), 0};
    for (struct map_entry *e = NULL; (e = map_next(&c.told, e));)
        list.items[list.n++] = *(struct str *)e->value;
    return list;
}
