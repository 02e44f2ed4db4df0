/* lineage.c - the datasets and joins that the queries of the ReAct agent
 * used. */
#include "../period_told.h"
#include "guard/guard.h"
#include "ontology/graph.h"
#include "ontology/analysis_cache.h"
#include "react.h"
#include "base/banned.h"

/* Datasets and relationships that the queries used, each once. */
struct query_usage {
    size_t *datasets, n_datasets;
    size_t *joins, n_joins;
};

static void add_once(size_t *items, size_t *n, size_t item)
{
    for (size_t i = 0; i < *n; i++)
        if (items[i] == item)
            return;
    items[(*n)++] = item;
}

static void add_query(struct run *r, struct arena *a, struct str sql,
                      struct query_usage *u)
{
    const struct ontology *o = r->ontology->model;
    struct guard_verdict verdict;
    struct query_findings found;
    struct query_outline outline;
    guard_check(a, sql, &(struct guard_policy){.any_relation = true}, &verdict);
    for (size_t i = 0; verdict.ok && i < verdict.n_relations; i++) {
        const struct dataset *d = ontology_dataset(o, verdict.relations[i]);
        if (d)
            add_once(u->datasets, &u->n_datasets, dataset_index(o, d));
    }
    analysis_cache_get(&r->ontology->judged, a, o, sql, &found, &outline);
    for (size_t i = 0; i < outline.n_joins; i++)
        add_once(u->joins, &u->n_joins, outline.joins[i]);
}

static struct query_usage usage_of(struct run *r)
{
    const struct ontology *o = r->ontology->model;
    struct query_usage u = {
        .datasets = arena_new_array(&r->arena, size_t, o->n_datasets + 1),
        .joins = arena_new_array(&r->arena, size_t, o->n_relationships + 1)};
    struct arena_mark mark = arena_mark(&r->scratch);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct sql_result *s = r->results->results[i].sql_result;
        if (s)
            add_query(r, &r->scratch, s->sql, &u);
    }
    arena_reset(&r->scratch, mark);
    return u;
}

size_t react_datasets(struct run *r, struct str **names)
{
    if (!r->ontology) {
        *names = NULL;
        return 0;
    }
    struct query_usage u = usage_of(r);
    *names = arena_new_array(&r->arena, struct str, u.n_datasets + 1);
    for (size_t i = 0; i < u.n_datasets; i++)
        (*names)[i] = r->ontology->model->datasets[u.datasets[i]].name;
    return u.n_datasets;
}

static struct lineage_join join_of(struct arena *a, const struct ontology *o,
                                   const struct relationship *rel)
{
    struct str from = o->datasets[rel->from].name,
               to = o->datasets[rel->to].name;
    struct buf on;
    buf_init(&on, a);
    for (size_t i = 0; i < rel->from_columns.n && i < rel->to_columns.n; i++)
        buf_printf(&on, "%s%.*s.%.*s = %.*s.%.*s", i ? " AND " : "",
                   STR_ARG(from), STR_ARG(rel->from_columns.items[i]),
                   STR_ARG(to), STR_ARG(rel->to_columns.items[i]));
    return (struct lineage_join){from, to, buf_finish(&on)};
}

struct data_lineage *react_lineage(struct run *r)
{
    const struct ontology *o = r->ontology->model;
    struct data_lineage *l = arena_new(&r->arena, struct data_lineage);
    struct query_usage u = usage_of(r);
    const struct step_results latest = react_latest_results(r);
    l->grain = STR("");
    struct str period = period_of_results(&r->arena, &latest);
    if (period.len)
        l->time_window = period;
    l->row_count = react_row_count(&latest);
    l->datasets = arena_new_array(&r->arena, struct str, u.n_datasets + 1);
    for (size_t i = 0; i < u.n_datasets; i++)
        l->datasets[l->n_datasets++] = o->datasets[u.datasets[i]].name;
    l->joins = arena_new_array(&r->arena, struct lineage_join, u.n_joins + 1);
    for (size_t i = 0; i < u.n_joins; i++)
        l->joins[l->n_joins++] =
            join_of(&r->arena, o, &o->relationships[u.joins[i]]);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct sql_result *s = r->results->results[i].sql_result;
        l->truncated = l->truncated || (s && s->truncated);
    }
    return l;
}
