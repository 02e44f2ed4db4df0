/* datasets.c - which datasets a run works with, as indexes into its
 * ontology. */
#include "ontology/graph.h"
#include "pipeline.h"
#include "base/banned.h"

struct dataset_set {
    size_t *items, n;
};

static void set_add(struct dataset_set *s, size_t dataset)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i] == dataset)
            return;
    s->items[s->n++] = dataset;
}

static struct dataset_set set_new(struct run *r)
{
    return (struct dataset_set){
        arena_new_array(&r->arena, size_t, r->ontology->model->n_datasets + 1),
        0};
}

static void set_add_named(struct run *r, struct dataset_set *s, struct str name)
{
    const struct dataset *d = ontology_dataset(r->ontology->model, name);
    if (d)
        set_add(s, dataset_index(r->ontology->model, d));
}

size_t pipeline_step_datasets(struct run *r, const struct plan_step *step,
                              size_t **out)
{
    struct dataset_set s = set_new(r);
    for (size_t i = 0; i < step->n_datasets; i++)
        set_add_named(r, &s, step->datasets[i]);
    *out = s.items;
    return s.n ? s.n : pipeline_joined_datasets(r, out);
}

size_t pipeline_plan_datasets(struct run *r, size_t **out)
{
    const struct pipeline *p = pipeline_of(r);
    struct dataset_set s = set_new(r);
    bool named = false;
    for (size_t i = 0; i < p->plan->n_steps; i++)
        for (size_t d = 0; d < p->plan->steps[i].n_datasets; d++) {
            named = true;
            set_add_named(r, &s, p->plan->steps[i].datasets[d]);
        }
    for (size_t i = 0; !named && i < r->discovery.n_matched && i < 3; i++)
        set_add(&s, r->discovery.matched[i].dataset);
    *out = s.items;
    return s.n;
}

size_t pipeline_joined_datasets(struct run *r, size_t **out)
{
    struct dataset_set s = set_new(r);
    const struct join_plan *j = pipeline_of(r)->join_plan;
    for (size_t i = 0; j && i < j->n_relevant_datasets; i++)
        set_add_named(r, &s, j->relevant_datasets[i].name);
    *out = s.items;
    return s.n;
}
