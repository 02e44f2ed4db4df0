/* columns.c - collects the columns and tables that a model names. */
#include "ontology/columns.h"
#include "base/buf.h"
#include "base/map.h"
#include "guard/guard.h"
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

static void add_key_columns(struct name_set *all, const struct ontology *o,
                            size_t dataset)
{
    const struct dataset *d = &o->datasets[dataset];
    name_set_add_list(all, d->primary_key);
    for (size_t i = 0; i < d->n_unique_keys; i++)
        name_set_add_list(all, d->unique_keys[i]);
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from == dataset)
            name_set_add_list(all, r->from_columns);
        if (r->to == dataset)
            name_set_add_list(all, r->to_columns);
    }
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
    add_key_columns(&all, o, dataset);
    return name_set_list(&all);
}

bool expression_columns(struct arena *arena, const struct dataset *d,
                        struct str expression, struct str_list *out)
{
    struct guard_policy policy = {.any_relation = true};
    struct guard_verdict verdict;
    guard_check(arena,
                arena_printf(arena, "select (\n%.*s\n)", STR_ARG(expression)),
                &policy, &verdict);
    *out = (struct str_list){NULL, 0};
    if (!verdict.ok)
        return false;
    out->items = arena_new_array(arena, struct str, verdict.n_columns);
    for (size_t i = 0; i < verdict.n_columns; i++) {
        struct str of = verdict.columns[i].relation;
        if (!of.len || str_eq_nocase(of, d->name) ||
            str_eq_nocase(of, d->table))
            out->items[out->n++] = verdict.columns[i].name;
    }
    return true;
}

struct str_list ontology_shown_columns(struct arena *arena,
                                       const struct ontology *o, size_t dataset)
{
    const struct dataset *d = &o->datasets[dataset];
    struct name_set all = {.arena = arena};
    struct str_list used;
    map_init(&all.seen, arena);
    for (size_t i = 0; i < d->n_fields; i++) {
        name_set_add(&all, d->fields[i].column);
        if (!d->fields[i].column.len &&
            expression_columns(arena, d, d->fields[i].expression, &used))
            name_set_add_list(&all, used);
    }
    add_key_columns(&all, o, dataset);
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

/* A subquery that has only the columns that the model shows. */
static struct str shown_relation(struct arena *arena, const struct dataset *d)
{
    struct dataset whole = *d;
    struct buf out;
    whole.shown.n = 0;
    buf_init(&out, arena);
    buf_text(&out, "(select ");
    for (size_t i = 0; i < d->shown.n; i++) {
        buf_text(&out, i ? ", " : "");
        buf_quoted(&out, d->shown.items[i], '"');
    }
    buf_printf(&out, " from %.*s as shown)",
               STR_ARG(dataset_relation(arena, &whole)));
    return buf_finish(&out);
}

struct str dataset_relation(struct arena *arena, const struct dataset *dataset)
{
    struct buf out;
    if (dataset->shown.n)
        return shown_relation(arena, dataset);
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
