/* check_condition.c - what conditions do not say together, or of all rows or of all
 * times: two values of one column, "only", "never", what is denied of one row or of
 * each, and what was so in a period. */
#include "query.h"
#include "base/banned.h"

/* The rows that it is about are found by EXISTS. */
static bool is_bridged(struct bound_query *query, const struct condition *c)
{
    if (c->asked->kind == FILTER_EXISTS)
        return true;
    for (size_t i = 0; i < c->n_searches; i++)
        for (size_t j = 0; j < c->searches[i].n; j++)
            if (query_distance(query, c->searches[i].candidates[j].dataset) ==
                SIZE_MAX)
                return true;
    return !c->n_searches && query_distance(query, c->ref.dataset) == SIZE_MAX;
}

static bool over_one_bridge(struct bound_query *query,
                            const struct condition *a,
                            const struct condition *b)
{
    return is_bridged(query, a) && is_bridged(query, b);
}

/* The field that the condition's values must all be in. */
static bool pinned_to(const struct condition *c, struct field_ref *ref)
{
    if (c->asked->negated || !c->asked->n_values)
        return false;
    if (c->asked->kind == FILTER_FIELD && c->asked->comparison == IS) {
        *ref = c->ref;
        return true;
    }
    bool known = c->asked->kind == FILTER_SEARCH && c->n_searches;
    for (size_t i = 0; i < c->n_searches; i++)
        known = known && c->searches[i].known &&
                field_ref_same(c->searches[i].candidates[0],
                               c->searches[0].candidates[0]);
    if (known)
        *ref = c->searches[0].candidates[0];
    return known;
}

static bool is_unpinned(const struct condition *c)
{
    struct field_ref ref;
    return c->asked->kind == FILTER_SEARCH && !pinned_to(c, &ref);
}

/* One says that there is none of what the other says that there is. */
static bool is_denied_by(const struct condition *a, const struct condition *b)
{
    bool exist = a->asked->kind == FILTER_EXISTS &&
                 b->asked->kind == FILTER_EXISTS && a->dataset == b->dataset;
    const struct condition *none = a->asked->negated ? a : b;
    return exist && a->asked->negated != b->asked->negated &&
           !none->asked->n_values && !window_is_set(&none->asked->window);
}

/* No row has two values in one column, and rows of a bridge that meet two
 * conditions apart need not be the same row. */
static bool check_pair(struct bound_query *query, const struct condition *a,
                       const struct condition *b)
{
    struct field_ref first, second;
    if (a->asked->apart && b->asked->apart && over_one_bridge(query, a, b))
        return true;
    if (pinned_to(a, &first) && pinned_to(b, &second) &&
        field_ref_same(first, second))
        return query_fails(query,
                           "“%.*s” and “%.*s” are both about %.*s, and no row "
                           "has two values there; say “or” to have both",
                           STR_ARG(a->asked->words), STR_ARG(b->asked->words),
                           STR_ARG(field_ref_path(query, first)));
    if (is_denied_by(a, b))
        return query_fails(query,
                           "“%.*s” and “%.*s” cannot both be true at once",
                           STR_ARG(a->asked->words), STR_ARG(b->asked->words));
    if ((is_unpinned(a) || is_unpinned(b)) && over_one_bridge(query, a, b))
        return query_fails(query,
                           "I cannot tell whether “%.*s” and “%.*s” must be "
                           "true of the same row",
                           STR_ARG(a->asked->words), STR_ARG(b->asked->words));
    return true;
}

/* "Members and non-members": no row is both. */
static bool check_flags(struct bound_query *query, const struct condition *a,
                        const struct condition *b)
{
    bool flags =
        a->asked->kind == FILTER_FIELD && b->asked->kind == FILTER_FIELD &&
        a->asked->comparison == IS_TRUE && b->asked->comparison == IS_TRUE &&
        a->asked->negated != b->asked->negated;
    if (!flags || !field_ref_same(a->ref, b->ref))
        return true;
    return query_fails(
        query,
        "no row is “%.*s” and “%.*s” at once; say “by %.*s” for "
        "both figures",
        STR_ARG(a->asked->words), STR_ARG(b->asked->words),
        STR_ARG(spoken(query->arena, field_of_ref(query, a->ref)->name)));
}

static bool check_pairs(struct bound_query *query)
{
    for (size_t i = 0; i < query->n_conditions; i++)
        for (size_t j = i + 1; j < query->n_conditions; j++)
            if (!check_pair(query, &query->conditions[i],
                            &query->conditions[j]) ||
                !check_flags(query, &query->conditions[i],
                             &query->conditions[j]))
                return false;
    return true;
}

/* That there is such a row does not say that all rows are such. */
static bool check_each(struct bound_query *query)
{
    const struct question *q = &query->question;
    bool grouped = q->n_dimensions && !q->lists;
    for (size_t i = 0; q->each && i < query->n_conditions; i++)
        if (grouped || is_bridged(query, &query->conditions[i]))
            return query_fails(query,
                               "“%.*s” is to be true of all their rows or of "
                               "nothing else, which I cannot check",
                               STR_ARG(query->conditions[i].asked->words));
    return true;
}

static bool says_no(struct str words)
{
    static const char *const leads[] = {"no ",     "with no ", "have no ",
                                        "has no ", "had no ",  "without "};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (str_find_nocase(words, str_of(leads[i])) == 0)
            return true;
    return false;
}

/* The question names the rows that the condition is about. */
static bool names_rows(const struct bound_query *query, size_t dataset)
{
    for (size_t i = 0; i < query->n_conditions; i++)
        if (query->conditions[i].asked->kind == FILTER_EXISTS &&
            query->conditions[i].dataset == dataset)
            return true;
    return query_mentions(query, dataset);
}

/* "Houses with bookings that are not paid" have such a booking, and "without paid
 * bookings" have none: only the words "no" and "without" tell them apart. */
static bool check_denial(struct bound_query *query, const struct condition *c)
{
    bool missing =
        c->asked->kind == FILTER_FIELD && c->asked->comparison == IS_MISSING;
    size_t dataset =
        c->n_searches ? c->searches[0].candidates[0].dataset : c->ref.dataset;
    if (!(c->asked->negated || missing) || c->asked->kind == FILTER_EXISTS ||
        !is_bridged(query, c) || !names_rows(query, dataset) ||
        says_no(c->asked->words))
        return true;
    return query_fails(query,
                       "“%.*s” may be true of one of the %.*s or of each; say "
                       "“with no …” or “without …” for the latter",
                       STR_ARG(c->asked->words),
                       STR_ARG(query->o->datasets[dataset].name));
}

/* A status says what is now, and not what never was. */
static bool check_never(struct bound_query *query, const struct condition *c)
{
    if (c->asked->kind != FILTER_SEARCH ||
        str_find_nocase(c->asked->words, STR("never")) < 0)
        return true;
    return query_fails(query,
                       "“%.*s” is about all times, and the data only say what "
                       "is so now",
                       STR_ARG(c->asked->words));
}

bool check_conditions(struct bound_query *query)
{
    for (size_t i = 0; i < query->n_conditions; i++)
        if (!check_denial(query, &query->conditions[i]) ||
            !check_never(query, &query->conditions[i]))
            return false;
    return check_pairs(query) && check_each(query);
}

/* "Active leases on 1 January" are those that were active then, which a status of
 * today and the day on which they began do not say. */
bool check_states(struct bound_query *query)
{
    static const char states[] =
        "active inactive current currently valid available unavailable occupied "
        "vacant";
    const struct question *q = &query->question;
    bool counted = query->n_measures == 1 && query->measures[0].counts;
    if (!window_is_set(&q->window) || q->window_field.n ||
        !(counted || q->lists))
        return true;
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        struct str rest = c->asked->words, word;
        size_t dataset = c->n_searches ? c->searches[0].candidates[0].dataset
                                       : c->ref.dataset;
        if (c->asked->kind == FILTER_EXISTS ||
            dataset != query->parts[0].time.dataset)
            continue;
        while (str_split(&rest, ' ', &word))
            if (list_has(states, lower_case(query->arena, word)))
                return query_fails(
                    query,
                    "“%.*s” says what is so now, and not what was so in that "
                    "period",
                    STR_ARG(c->asked->words));
    }
    return true;
}
