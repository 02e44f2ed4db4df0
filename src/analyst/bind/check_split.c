/* check_split.c - figures of several datasets in one formula. */
#include "analysis.h"
#include "base/banned.h"

static bool is_split(const struct bound_measure *m)
{
    for (size_t i = 1; i < m->formula.n; i++)
        if (m->part[i] != m->part[0])
            return true;
    return false;
}

static bool refuse_split(struct bound_query *query,
                         const struct bound_measure *m, struct str words)
{
    return query_fails(query,
                       "%.*s is made of figures of different "
                       "datasets, and “%.*s” does not fit all of them",
                       STR_ARG(m->formula.words), STR_ARG(words));
}

/* All figures of a formula must be of the same rows, so each filter and
 * period must reach all of them. */
static bool check_split(struct bound_query *query,
                        const struct bound_measure *m)
{
    for (size_t i = 0; i < m->formula.n; i++) {
        const struct part *first = &query->parts[m->part[0]];
        const struct part *part = &query->parts[m->part[i]];
        if (!field_ref_same(part->time, first->time))
            return refuse_split(query, m,
                                query->question.window.words.len
                                    ? query->question.window.words
                                    : STR("a period"));
        for (size_t j = 0; j < query->n_conditions; j++) {
            const struct condition *c = &query->conditions[j];
            size_t dataset = c->n_searches
                                 ? c->searches[0].candidates[0].dataset
                             : c->asked->kind == FILTER_EXISTS ? c->dataset
                                                               : c->ref.dataset;
            if (!reach_has(&query->reaches, part->root, dataset))
                return refuse_split(query, m, c->asked->words);
        }
    }
    return true;
}

bool query_check_splits(struct bound_query *query)
{
    for (size_t i = 0; i < query->n_measures; i++)
        if (is_split(&query->measures[i]) &&
            !check_split(query, &query->measures[i]))
            return false;
    return true;
}
