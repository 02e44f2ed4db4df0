/* lineage.c - the datasets, joins, filters and rows that an answer of the
 * pipeline rests on, and the caveats about its joins. */
#include "agent/answer.h"
#include "joins.h"
#include "ontology/analysis_cache.h"
#include "pipeline.h"
#include "base/banned.h"

static bool is_guessed(const struct join_plan_edge *e)
{
    return str_is(e->relationship_name, JOIN_PERHAPS);
}

static struct str join_condition(struct arena *a,
                                 const struct join_plan_edge *e)
{
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; i < e->n_from_columns && i < e->n_to_columns; i++)
        buf_printf(&out, "%s%.*s.%.*s = %.*s.%.*s", i ? " AND " : "",
                   STR_ARG(e->from_dataset), STR_ARG(e->from_columns[i]),
                   STR_ARG(e->to_dataset), STR_ARG(e->to_columns[i]));
    if (is_guessed(e))
        buf_text(&out, " (perhaps)");
    return buf_finish(&out);
}

/* Which relationships of the ontology the queries of the results join along. */
static bool *used_relationships(struct run *r)
{
    const struct ontology *o = r->ontology->model;
    bool *used = arena_new_array(&r->arena, bool, o->n_relationships + 1);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct sql_result *s = r->results->results[i].sql_result;
        struct arena_mark mark = arena_mark(&r->arena);
        struct query_findings findings;
        struct query_outline outline = {0};
        if (s)
            analysis_cache_get(&r->ontology->judged, &r->arena, o, s->sql,
                               &findings, &outline);
        for (size_t k = 0; k < outline.n_joins; k++)
            used[outline.joins[k]] = true;
        arena_reset(&r->arena, mark);
    }
    return used;
}

static bool is_along(const struct ontology *o, const struct relationship *r,
                     const struct join_plan_edge *e)
{
    bool same = str_eq(o->datasets[r->from].name, e->from_dataset) &&
                str_eq(o->datasets[r->to].name, e->to_dataset);
    bool turned = str_eq(o->datasets[r->to].name, e->from_dataset) &&
                  str_eq(o->datasets[r->from].name, e->to_dataset);
    struct str_list from = turned && !same ? r->to_columns : r->from_columns;
    for (size_t i = 0; i < e->n_from_columns && (same || turned); i++)
        if (i >= from.n || !str_eq_nocase(from.items[i], e->from_columns[i]))
            return false;
    return same || turned;
}

static bool is_used(const struct ontology *o, const bool *used,
                    const struct join_plan_edge *edge)
{
    for (size_t i = 0; i < o->n_relationships; i++)
        if (used[i] && is_along(o, &o->relationships[i], edge))
            return true;
    return false;
}

/* Paths between two datasets may share edges. */
static bool is_listed(const struct data_lineage *l,
                      const struct join_plan_edge *e, struct str on)
{
    for (size_t i = 0; i < l->n_joins; i++)
        if (str_eq(l->joins[i].from, e->from_dataset) &&
            str_eq(l->joins[i].to, e->to_dataset) && str_eq(l->joins[i].on, on))
            return true;
    return false;
}

/* Where the Navigator left a choice of paths, or made none, those that the
 * queries took. */
static void lineage_joins(struct run *r, struct data_lineage *l)
{
    const struct join_plan *j = pipeline_of(r)->join_plan;
    size_t n = 0;
    for (size_t p = 0; j && p < j->n_join_paths; p++)
        n += j->join_paths[p].n_edges;
    l->joins = arena_new_array(&r->arena, struct lineage_join, n + 1);
    bool open = n && (j->n_join_paths > 1 || pipeline_of(r)->trusted);
    const bool *used = open ? used_relationships(r) : NULL;
    for (size_t p = 0; n && p < j->n_join_paths; p++)
        for (size_t e = 0; e < j->join_paths[p].n_edges; e++) {
            const struct join_plan_edge *edge = &j->join_paths[p].edges[e];
            if (used && !is_guessed(edge) &&
                !is_used(r->ontology->model, used, edge))
                continue;
            struct str on = join_condition(&r->arena, edge);
            if (!is_listed(l, edge, on))
                l->joins[l->n_joins++] = (struct lineage_join){
                    edge->from_dataset, edge->to_dataset, on};
        }
}

struct data_lineage *pipeline_lineage(struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    struct data_lineage *l = arena_new(&r->arena, struct data_lineage);
    const struct plan *plan = p->plan;
    const struct join_plan *j = p->join_plan;
    l->row_count = ROW_COUNT_NULL;
    l->grain = plan->grain.ptr ? plan->grain : STR("");
    l->time_window = plan->time_window;
    l->filters = plan->filters;
    l->n_filters = plan->n_filters;
    l->datasets = arena_new_array(&r->arena, struct str,
                                  (j ? j->n_relevant_datasets : 0) + 1);
    for (size_t i = 0; j && i < j->n_relevant_datasets; i++)
        l->datasets[l->n_datasets++] = j->relevant_datasets[i].name;
    lineage_joins(r, l);
    for (size_t i = 0; r->results && i < r->results->n_results; i++) {
        const struct sql_result *s = r->results->results[i].sql_result;
        if (!s)
            continue;
        l->row_count =
            s->row_count + (l->row_count == ROW_COUNT_NULL ? 0 : l->row_count);
        l->truncated = l->truncated || s->truncated;
    }
    return l;
}

/* Two paths that are no guesses. */
static bool has_choice(const struct join_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_join_paths; i++)
        n += plan->join_paths[i].n_edges &&
             !is_guessed(&plan->join_paths[i].edges[0]);
    return n > 1;
}

/* Datasets that could not be joined, guesses, and a choice of paths that stayed open. */
void pipeline_add_caveats(struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    const struct ontology *o = r->ontology->model;
    struct join_tree tree;
    if (!p->join_plan || p->cannot_answer || p->trusted)
        return;
    struct arena_mark mark = arena_mark(&r->scratch);
    joins_of_plan(&r->scratch, r, &tree);
    struct joins_perhaps guessed;
    joins_guess(&r->scratch, r, &tree, &guessed);
    for (size_t i = 0; i < guessed.n; i++)
        run_add_caveat(r, joins_perhaps_text(&r->arena, o, &guessed.items[i]));
    for (size_t i = 0; i < tree.n_apart; i++)
        run_add_caveat(r, joins_apart(&r->arena, o, &tree.apart[i]));
    arena_reset(&r->scratch, mark);
    if (has_choice(p->join_plan))
        run_add_caveat(
            r, STR("Several join paths were possible and the question did not "
                   "say which; the SQL shows the one that was taken."));
}
