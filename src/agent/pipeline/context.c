/* context.c - artifacts of the pipeline as texts for its prompts. */
#include "../context.h"
#include "ontology/brief.h"
#include "pipeline.h"
#include "tool/disclosure.h"
#include "base/banned.h"

struct str context_diagnosis(struct arena *a, struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    struct str diagnosis = p->diagnosis;
    if (diagnosis.len && r->report)
        diagnosis =
            disclose_diagnosis(a, r->tools.share_rows, r->report, r->results);
    return context_lines(a, diagnosis);
}

struct str context_plan(struct arena *a, struct run *r)
{
    return artifact_json(a, &plan_type, pipeline_of(r)->plan);
}

struct str context_step(struct arena *a, const struct plan_step *step)
{
    return artifact_json(a, &plan_step_type, step);
}

static void put_columns(struct buf *out, const struct str *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(columns[i]));
}

/* The cardinality in the direction of the model, and its notes. */
static void put_relationship(struct buf *out, const struct run *r,
                             const struct join_plan_edge *edge)
{
    const struct ontology *o = r->ontology->model;
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *x = &o->relationships[i];
        if (!str_eq(x->name, edge->relationship_name))
            continue;
        buf_printf(out, "; %.*s to %.*s is ",
                   STR_ARG(o->datasets[x->from].name),
                   STR_ARG(o->datasets[x->to].name));
        brief_put_relationship(o, x, out);
        return;
    }
}

struct str context_joins(struct arena *a, struct run *r)
{
    struct buf out;
    const struct join_plan *j = pipeline_of(r)->join_plan;
    buf_init(&out, a);
    for (size_t p = 0; j && p < j->n_join_paths; p++)
        for (size_t e = 0; e < j->join_paths[p].n_edges; e++) {
            const struct join_plan_edge *edge = &j->join_paths[p].edges[e];
            buf_printf(&out, "- %.*s (", STR_ARG(edge->from_dataset));
            put_columns(&out, edge->from_columns, edge->n_from_columns);
            buf_printf(&out, ") -> %.*s (", STR_ARG(edge->to_dataset));
            put_columns(&out, edge->to_columns, edge->n_to_columns);
            buf_printf(&out, "), %.*s", STR_ARG(edge->relationship_name));
            put_relationship(&out, r, edge);
            buf_char(&out, '\n');
        }
    return out.len ? context_lines(a, buf_view(&out))
                   : STR("No join is needed.");
}

struct str context_queries(struct arena *a, struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; p->queries && i < p->queries->n_queries; i++)
        buf_printf(&out, "Step %lld:\n```sql\n%.*s\n```\n",
                   (long long)p->queries->queries[i].step_id,
                   STR_ARG(p->queries->queries[i].full_sql));
    return buf_view(&out);
}
