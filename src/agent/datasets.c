/* datasets.c - which datasets a run works with, as indexes into its ontology. */
#include "agent/run.h"
#include "ontology/graph.h"
#include "base/banned.h"

struct set {
    size_t *items, n;
};

static void add(struct set *s, size_t dataset)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i] == dataset)
            return;
    s->items[s->n++] = dataset;
}

static struct set set_new(struct run *r)
{
    return (struct set){
        arena_new_array(&r->arena, size_t, r->ontology->model->n_datasets + 1),
        0};
}

static void add_named(struct run *r, struct set *s, struct str name)
{
    const struct dataset *d = ontology_dataset(r->ontology->model, name);
    if (d)
        add(s, dataset_index(r->ontology->model, d));
}

size_t run_step_datasets(struct run *r, const struct plan_step *step,
                         size_t **out)
{
    struct set s = set_new(r);
    for (size_t i = 0; i < step->n_datasets; i++)
        add_named(r, &s, step->datasets[i]);
    *out = s.items;
    return s.n ? s.n : run_joined_datasets(r, out);
}

/* Of all steps; when the plan names none, the best of the discovery. */
size_t run_plan_datasets(struct run *r, size_t **out)
{
    struct set s = set_new(r);
    bool named = false;
    for (size_t i = 0; i < r->plan->n_steps; i++)
        for (size_t d = 0; d < r->plan->steps[i].n_datasets; d++) {
            named = true;
            add_named(r, &s, r->plan->steps[i].datasets[d]);
        }
    for (size_t i = 0; !named && i < r->discovery.n_matched && i < 3; i++)
        add(&s, r->discovery.matched[i].dataset);
    *out = s.items;
    return s.n;
}

size_t run_joined_datasets(struct run *r, size_t **out)
{
    struct set s = set_new(r);
    const struct join_plan *j = r->join_plan;
    for (size_t i = 0; j && i < j->n_relevant_datasets; i++)
        add_named(r, &s, j->relevant_datasets[i].name);
    *out = s.items;
    return s.n;
}
