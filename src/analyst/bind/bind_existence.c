/* bind_existence.c - binds conditions on what the rows have: "with a coupon",
 * "without orders in 2025". */
#include "query.h"
#include "base/banned.h"

/* The root may have a row of the dataset: rows of the dataset belong to it, it
 * belongs to one, or rows between the two belong to both ("students without
 * courses"). Only the first can be counted and dated. */
static bool may_have(struct bound_query *query, size_t root,
                     const struct condition *c)
{
    if (root == c->dataset)
        return false;
    if (reach_has(&query->reaches, c->dataset, root))
        return true;
    return !c->asked->n_values && !window_is_set(&c->asked->window) &&
           query->o->datasets[c->dataset].primary_key.n &&
           (reach_has(&query->reaches, root, c->dataset) ||
            query_bridge(query, root, c->dataset) != SIZE_MAX);
}

static void note_bridge(struct bound_query *query, size_t root,
                        const struct condition *c)
{
    const struct ontology *o = query->o;
    if (reach_has(&query->reaches, c->dataset, root) ||
        reach_has(&query->reaches, root, c->dataset))
        return;
    size_t bridge = query_bridge(query, root, c->dataset);
    query_note(query,
               arena_printf(query->arena, "How do %.*s belong to %.*s?",
                            STR_ARG(o->datasets[c->dataset].name),
                            STR_ARG(o->datasets[root].name)),
               arena_printf(query->arena, "Through %.*s.",
                            STR_ARG(o->datasets[bridge].name)));
}

/* "Products that were not ordered in 2025": the rows between the two, such as the
 * items of orders, have the date of the order. */
static size_t dated_rows(struct bound_query *query, const struct condition *c,
                         size_t dataset)
{
    size_t root = query->parts[0].root;
    if (!window_is_set(&c->asked->window) || query->n_parts != 1 ||
        root == dataset || reach_has(&query->reaches, dataset, root) ||
        reach_has(&query->reaches, root, dataset))
        return dataset;
    size_t bridge = query_bridge(query, root, dataset);
    return bridge == SIZE_MAX ? dataset : bridge;
}

bool bind_existence(struct bound_query *query, struct condition *c)
{
    const struct term *term = &c->asked->what.terms[0];
    bool several;
    for (size_t i = 0; i < c->asked->what.n; i++)
        if (c->asked->what.terms[i].kind == TERM_DATASET)
            term = &c->asked->what.terms[i];
    c->dataset = dated_rows(query, c, term->dataset);
    for (size_t i = 0; i < query->n_parts; i++) {
        if (!may_have(query, query->parts[i].root, c))
            return query_cannot_join(query, c->asked->words);
        note_bridge(query, query->parts[i].root, c);
    }
    if (!window_is_set(&c->asked->window))
        return true;
    /* "Joined in 2023 with orders in 2025": the orders are not dated by when
     * their customer joined. */
    struct choice said =
        c->asked->when.n ? c->asked->when : query->question.window_field;
    for (size_t i = 0; i < said.n; i++)
        if (!reach_has(&query->reaches, c->dataset, said.terms[i].dataset) ||
            (!c->asked->when.n && said.terms[i].dataset != c->dataset))
            said.n = 0;
    c->time = time_nearest(query, c->dataset, &said, &several);
    if (c->time.dataset == SIZE_MAX)
        return query_fails(query, "%.*s have no date",
                           STR_ARG(query->o->datasets[c->dataset].name));
    return true;
}
