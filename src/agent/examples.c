/* examples.c - see examples.h. */
#include "examples.h"
#include "guard/guard.h"
#include "ontology/similarity.h"
#include "base/banned.h"

static const float LEAST_LIKENESS = 0.15f;

static bool begins_query(struct str text)
{
    return str_find_nocase(text, STR("select")) == 0 ||
           str_find_nocase(text, STR("with")) == 0;
}

/* Where the SQL begins: after "SQL:", or in a line of its own. -1: nowhere. */
static ptrdiff_t find_sql(struct str text)
{
    ptrdiff_t at = str_find_nocase(text, STR("sql:"));
    if (at >= 0)
        return at + 4;
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.ptr[i] == '\n' && begins_query(str_trim(str_from(text, i))))
            return (ptrdiff_t)i;
    return -1;
}

bool example_read(struct str text, struct example *out)
{
    ptrdiff_t at = text.len <= 2 * EXAMPLE_SQL ? find_sql(text) : -1;
    if (at < 0)
        return false;
    struct str before = str_cut(text, 0, (size_t)at);
    if (str_ends(before, STR(":")))
        before = str_cut(before, 0, before.len - 4);
    out->question = str_trim(before);
    out->sql = str_trim(str_from(text, (size_t)at));
    if (str_ends(out->sql, STR(";")))
        out->sql = str_trim(str_cut(out->sql, 0, out->sql.len - 1));
    /* It is told on one line, where a comment would hide the rest. */
    return out->question.len && out->sql.len <= EXAMPLE_SQL &&
           str_find(out->sql, STR("--")) < 0 && begins_query(out->sql);
}

static bool may_run(struct arena *a, const struct run *r, struct str sql)
{
    struct guard_policy policy = {.relations = r->ontology->relations.items,
                                  .n_relations = r->ontology->relations.n};
    struct guard_verdict verdict;
    guard_check(a, sql, &policy, &verdict);
    return verdict.ok;
}

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
        if (!example_read(all->items[i], &one))
            continue;
        lexical_embed(one.question, other);
        one.likeness = cosine(asked, other, LEXICAL_DIMENSIONS);
        if (one.likeness >= LEAST_LIKENESS)
            n = keep_best(found, n, one);
    }
    for (size_t i = 0; i < n; i++)
        if (may_run(a, r, found[i].sql))
            found[kept++] = found[i];
    return kept;
}
