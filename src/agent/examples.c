/* examples.c - see examples.h. */
#include "examples.h"
#include "ontology/example.h"
#include "ontology/similarity.h"
#include "tool/query_guard.h"
#include "base/banned.h"

static const float LEAST_LIKENESS = 0.15f;

/* Puts it among the best, which are the most like first. */
static size_t keep_best(struct example *found, size_t n, struct example one)
{
    size_t at = n < EXAMPLES_MOST ? n : EXAMPLES_MOST - 1;
    if (n == EXAMPLES_MOST && found[at].likeness >= one.likeness)
        return n;
    for (; at && found[at - 1].likeness < one.likeness; at--)
        found[at] = found[at - 1];
    found[at] = one;
    return n < EXAMPLES_MOST ? n + 1 : n;
}

size_t examples_like(struct arena *a, const struct run *r,
                     struct example found[EXAMPLES_MOST])
{
    const struct str_list *all = &r->ontology->model->hints.examples;
    float asked[LEXICAL_DIMENSIONS], other[LEXICAL_DIMENSIONS];
    struct example one;
    size_t n = 0, kept = 0;
    if (!all->n)
        return 0;
    lexical_embed(r->load.question, asked);
    for (size_t i = 0; i < all->n && i < EXAMPLES_READ; i++) {
        one = (struct example){.question = example_question(all->items[i]),
                               .sql = example_sql(all->items[i])};
        if (!one.question.len || !one.sql.len)
            continue;
        lexical_embed(one.question, other);
        one.likeness = cosine(asked, other, LEXICAL_DIMENSIONS);
        if (one.likeness >= LEAST_LIKENESS)
            n = keep_best(found, n, one);
    }
    for (size_t i = 0; i < n; i++)
        if (query_may_be_shown(a, r->ontology, r->tools.source, found[i].sql))
            found[kept++] = found[i];
    return kept;
}
