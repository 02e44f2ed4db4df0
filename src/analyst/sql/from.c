/* from.c - FROM: the root and its joins, and EXISTS over datasets below the
 * root, which counts no row twice. */
#include "from.h"
#include "ontology/columns.h"
#include "sql_text.h"
#include "base/banned.h"

void put_relation(struct bound_query *query, size_t dataset, struct buf *out)
{
    const struct dataset *d = &query->o->datasets[dataset];
    struct str relation =
        d->table.len ? arena_printf(query->arena, "%.*s.%.*s",
                                    STR_ARG(sql_name(query->arena, d->schema)),
                                    STR_ARG(sql_name(query->arena, d->table)))
                     : dataset_relation(query->arena, d);
    buf_printf(out, "%.*s AS %.*s", STR_ARG(relation),
               STR_ARG(dataset_alias(query->arena, query->o, dataset)));
}

static void put_link(struct bound_query *query, const struct hop *hop,
                     struct buf *out)
{
    const struct relationship *r = &query->o->relationships[hop->relationship];
    for (size_t i = 0; i < r->from_columns.n; i++) {
        struct str from = column_sql(query->arena, query->o, r->from,
                                     r->from_columns.items[i]);
        struct str to =
            column_sql(query->arena, query->o, r->to, r->to_columns.items[i]);
        buf_printf(out, "%s%.*s = %.*s", i ? " AND " : "", STR_ARG(from),
                   STR_ARG(to));
    }
}

/* Datasets on the way to those needed are needed too. */
static void close_needs(const struct bound_query *query,
                        const struct reach *reach, bool *needed)
{
    size_t n = query->o->n_datasets, far = 0;
    for (size_t i = 0; i < n; i++)
        if (needed[i] && reach->distance[i] != SIZE_MAX &&
            reach->distance[i] > far)
            far = reach->distance[i];
    for (; far; far--)
        for (size_t i = 0; i < n; i++)
            if (needed[i] && reach->distance[i] == far)
                needed[reach->hop[i].from] = true;
}

static void put_joins(struct bound_query *query, const struct reach *reach,
                      const bool *needed, const bool *matched, size_t but,
                      struct buf *out)
{
    size_t n = query->o->n_datasets;
    for (size_t far = 1; far <= n; far++)
        for (size_t i = 0; i < n; i++) {
            if (!needed[i] || i == but || reach->distance[i] != far)
                continue;
            buf_text(out, matched && matched[i] ? "\nJOIN " : "\nLEFT JOIN ");
            put_relation(query, i, out);
            buf_text(out, " ON ");
            put_link(query, &reach->hop[i], out);
        }
}

void put_from(struct bound_query *query, size_t root, bool *needed,
              bool *matched, struct buf *out)
{
    const struct reach *reach = reach_from(&query->reaches, root);
    close_needs(query, reach, needed);
    if (matched)
        close_needs(query, reach, matched);
    put_relation(query, root, out);
    put_joins(query, reach, needed, matched, SIZE_MAX, out);
}

/* A subquery over a dataset below the root and the datasets that are needed;
 * `select` is its beginning, `where` the keyword in its layout. */
static struct str exists_sql(struct bound_query *query, size_t root,
                             size_t below, bool *needed, const char *select,
                             const char *where, struct str condition)
{
    const struct reach *reach = reach_from(&query->reaches, below);
    struct buf out;
    buf_init(&out, query->arena);
    needed[root] = true;
    close_needs(query, reach, needed);
    buf_text(&out, select);
    put_relation(query, below, &out);
    put_joins(query, reach, needed, NULL, root, &out);
    buf_text(&out, where);
    put_link(query, &reach->hop[root], &out);
    if (condition.len)
        buf_printf(&out, " AND %.*s", STR_ARG(condition));
    buf_char(&out, ')');
    return buf_view(&out);
}

static const char exists[] = "EXISTS (SELECT 1 FROM ";

/* The number of rows compared with the condition's values. */
static struct str compared(struct bound_query *query, const struct condition *c,
                           struct str count)
{
    static const char *const signs[] = {"=", ">", ">=", "<", "<="};
    const struct filter_value *values = c->asked->values;
    if (c->asked->comparison == IS_BETWEEN)
        return arena_printf(query->arena, "%.*s BETWEEN %.*s AND %.*s",
                            STR_ARG(count), STR_ARG(values[0].text),
                            STR_ARG(values[1].text));
    return arena_printf(query->arena, "%.*s %s %.*s", STR_ARG(count),
                        signs[c->asked->comparison], STR_ARG(values[0].text));
}

struct str over_bridge(struct bound_query *query, size_t root, size_t dataset,
                       struct str condition)
{
    bool below = reach_has(&query->reaches, dataset, root);
    size_t bridge = below ? dataset : query_bridge(query, root, dataset);
    if (bridge == SIZE_MAX) {
        query_fails(query, "two datasets cannot be joined to each other");
        return STR("FALSE");
    }
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    needed[dataset] = true;
    return exists_sql(query, root, bridge, needed, exists, "\n    WHERE ",
                      condition);
}

struct str over_dataset(struct bound_query *query, size_t root,
                        const struct condition *c)
{
    struct str when = {NULL, 0};
    bool *needed = arena_new_array(query->arena, bool, query->o->n_datasets);
    if (window_is_set(&c->asked->window)) {
        when = period_is(query, &c->asked->window, c->time);
        needed[c->time.dataset] = true;
        if (c->time.dataset != c->dataset &&
            !reach_has(&query->reaches, c->dataset, c->time.dataset))
            query_fails(query, "the period belongs to another dataset");
    }
    if (!c->asked->n_values)
        return exists_sql(query, root, c->dataset, needed, exists, " WHERE ",
                          when);
    return compared(query, c,
                    exists_sql(query, root, c->dataset, needed,
                               "(SELECT COUNT(*) FROM ", " WHERE ", when));
}
