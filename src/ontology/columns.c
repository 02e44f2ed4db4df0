/* columns.c - collects the columns and tables that a model names. */
#include "ontology/columns.h"
#include "base/buf.h"
#include "base/map.h"
#include "known.h"
#include "nearest.h"
#include "sql_name.h"
#include "base/banned.h"

static bool in_relationship(const struct ontology *o, size_t dataset,
                            struct str column)
{
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if ((r->from == dataset &&
             str_list_contains(r->from_columns, column)) ||
            (r->to == dataset && str_list_contains(r->to_columns, column)))
            return true;
    }
    return false;
}

bool ontology_has_column(const struct ontology *o, size_t dataset,
                         struct str name)
{
    return name.len && (dataset_has_column(&o->datasets[dataset], name) ||
                        in_relationship(o, dataset, name));
}

/* Names without duplicates, regardless of case, in the order of adding. */
struct name_set {
    struct arena *arena;
    struct map seen;
};

static void name_set_add(struct name_set *all, struct str name)
{
    struct str key = sql_fold(all->arena, name);
    if (!name.len || map_get(&all->seen, key))
        return;
    struct str *item = arena_new(all->arena, struct str);
    *item = name;
    map_put(&all->seen, key, item);
}

static void name_set_add_list(struct name_set *all, struct str_list list)
{
    for (size_t i = 0; i < list.n; i++)
        name_set_add(all, list.items[i]);
}

static struct str_list name_set_list(struct name_set *all)
{
    struct str_list list = {NULL, 0};
    list.items = arena_new_array(all->arena, struct str, all->seen.count);
    for (struct map_entry *e = NULL; (e = map_next(&all->seen, e));)
        list.items[list.n++] = *(struct str *)e->value;
    return list;
}

struct str_list ontology_columns(struct arena *arena, const struct ontology *o,
                                 size_t dataset)
{
    const struct dataset *d = &o->datasets[dataset];
    struct name_set all = {.arena = arena};
    map_init(&all.seen, arena);
    for (size_t i = 0; i < d->n_fields; i++) {
        name_set_add(&all, d->fields[i].column);
        name_set_add(&all, d->fields[i].name);
    }
    name_set_add_list(&all, d->primary_key);
    for (size_t i = 0; i < d->n_unique_keys; i++)
        name_set_add_list(&all, d->unique_keys[i]);
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from == dataset)
            name_set_add_list(&all, r->from_columns);
        if (r->to == dataset)
            name_set_add_list(&all, r->to_columns);
    }
    return name_set_list(&all);
}

struct str_list ontology_nearest_columns(struct arena *arena,
                                         const struct ontology *o,
                                         size_t dataset, struct str name,
                                         size_t most)
{
    struct str_list columns = ontology_columns(arena, o, dataset);
    struct nearest nearest;
    nearest_begin(&nearest, name);
    for (size_t i = 0; i < columns.n; i++)
        nearest_offer(&nearest, columns.items[i]);
    return nearest_names(arena, &nearest, most);
}

/* The guard names a relation as the query does, perhaps without a schema. */
static struct str relation_with_schema(struct arena *arena,
                                       const struct ontology *o,
                                       struct str relation)
{
    return str_find_char(relation, '.') >= 0
               ? relation
               : arena_printf(arena, "%.*s.%.*s",
                              STR_ARG(ontology_search_schema(o)),
                              STR_ARG(relation));
}

struct str ontology_search_schema(const struct ontology *o)
{
    size_t tables = 0, in_main = 0;
    for (size_t i = 0; i < o->n_datasets; i++) {
        tables += o->datasets[i].table.len > 0;
        in_main += o->datasets[i].table.len > 0 &&
                   str_is(o->datasets[i].schema, "main");
    }
    return tables && tables == in_main ? STR("main") : STR("public");
}

struct str_list ontology_relations(struct arena *arena,
                                   const struct ontology *o)
{
    struct map seen; /* case matters here: "Order" and "order" differ */
    map_init(&seen, arena);
    for (size_t i = 0; i < o->n_datasets; i++) {
        const struct dataset *d = &o->datasets[i];
        if (d->table.len) {
            struct str name = arena_printf(
                arena, "%.*s.%.*s", STR_ARG(d->schema), STR_ARG(d->table));
            map_put(&seen, name, (void *)d);
        }
        for (size_t j = 0; j < d->query_relations.n; j++)
            map_put(&seen,
                    relation_with_schema(arena, o, d->query_relations.items[j]),
                    (void *)d);
    }
    struct str_list list = {NULL, 0};
    list.items = arena_new_array(arena, struct str, seen.count);
    for (struct map_entry *e = NULL; (e = map_next(&seen, e));)
        list.items[list.n++] = e->key;
    return list;
}

struct str dataset_relation(struct arena *arena, const struct dataset *dataset)
{
    struct buf out;
    buf_init(&out, arena);
    if (dataset->table.len) {
        buf_quoted(&out, dataset->schema, '"');
        buf_char(&out, '.');
        buf_quoted(&out, dataset->table, '"');
    } else {
        /* The line feed ends a comment at the end of the query. */
        buf_printf(&out, "(\n%.*s\n)",
                   STR_ARG(sql_source_query(dataset->source)));
    }
    return buf_finish(&out);
}
