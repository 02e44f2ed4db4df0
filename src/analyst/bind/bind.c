/* bind.c - binds a question to the ontology.
 *
 * Measures come first, because they decide which datasets are the roots;
 * then dimensions, filters and the date, each choosing among the meanings
 * of its phrase what the roots can reach; last the checks of the whole. */
#include "analysis.h"
#include "base/buf.h"
#include "read/field.h"
#include "read/person.h"
#include <stdarg.h>
#include <stdlib.h>
#include "base/banned.h"

static void set_problem(struct bound_query *query, const char *format,
                        va_list values)
{
    if (!query->problem.len)
        query->problem = arena_vprintf(query->arena, format, values);
}

bool query_fails(struct bound_query *query, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    set_problem(query, format, values);
    va_end(values);
    return false;
}

bool query_asks(struct bound_query *query, const struct clarification *ask,
                const char *format, ...)
{
    va_list values;
    if (!query->problem.len)
        query->ask = ask;
    va_start(values, format);
    set_problem(query, format, values);
    va_end(values);
    return false;
}

struct choice query_picked(struct bound_query *query, struct choice what)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < what.n; i++)
        for (size_t j = 0; j < q->n_picked; j++) {
            if (!term_same(&what.terms[i], &q->picked[j]))
                continue;
            what.terms = &what.terms[i];
            what.n = 1;
            return what;
        }
    return what;
}

void query_note(struct bound_query *query, struct str about,
                struct str assumption)
{
    question_note(&query->question, about, assumption);
}

bool field_ref_same(struct field_ref a, struct field_ref b)
{
    return a.dataset == b.dataset && a.field == b.field;
}

const struct field *field_of_ref(const struct bound_query *query,
                                 struct field_ref ref)
{
    const struct dataset *d = &query->o->datasets[ref.dataset];
    size_t first = ref.field, last;
    if (ref.field == FULL_NAME)
        name_fields(d, &first, &last);
    return &d->fields[first];
}

struct str field_ref_path(const struct bound_query *query, struct field_ref ref)
{
    const struct dataset *d = &query->o->datasets[ref.dataset];
    size_t first = ref.field, last;
    if (ref.field != FULL_NAME)
        return field_path(query->arena, query->o, ref.dataset, ref.field);
    name_fields(d, &first, &last);
    return arena_printf(
        query->arena, "%.*s + %.*s",
        STR_ARG(field_path(query->arena, query->o, ref.dataset, first)),
        STR_ARG(d->fields[last].name));
}

void query_note_meaning(struct bound_query *query, struct str words,
                        struct str meaning)
{
    query_note(
        query,
        arena_printf(query->arena, "Which “%.*s” is meant?", STR_ARG(words)),
        meaning);
}

struct str term_sentence(const struct bound_query *query,
                         const struct term *field)
{
    return arena_printf(query->arena, "%.*s.",
                        STR_ARG(field_path(query->arena, query->o,
                                           field->dataset, field->index)));
}

/* "city of stores", or the name of a dataset. */
static struct str option_label(const struct bound_query *query,
                               const struct term *term)
{
    const struct dataset *d = &query->o->datasets[term->dataset];
    struct str label = spoken(query->arena, d->name);
    if (term->kind != TERM_FIELD)
        return label;
    return arena_printf(
        query->arena, "%.*s of %.*s",
        STR_ARG(spoken(query->arena, d->fields[term->index].name)),
        STR_ARG(label));
}

static struct str term_name(const struct bound_query *query,
                            const struct term *term)
{
    return term->kind == TERM_FIELD
               ? field_path(query->arena, query->o, term->dataset, term->index)
               : query->o->datasets[term->dataset].name;
}

bool query_asks_which(struct bound_query *query, struct str words,
                      const struct term *a, const struct term *b)
{
    struct clarification *ask = clarification_new(
        query->arena,
        arena_printf(query->arena, "Which “%.*s” is meant", STR_ARG(words)),
        words);
    clarification_offer(ask, *a, option_label(query, a));
    clarification_offer(ask, *b, option_label(query, b));
    return query_asks(query, ask, "“%.*s” may be %.*s or %.*s; say which",
                      STR_ARG(words), STR_ARG(term_name(query, a)),
                      STR_ARG(term_name(query, b)));
}

/* The field's name ends with the words: "type" of txn_type. */
static bool ends_with_words(struct arena *arena, struct str name,
                            struct str words)
{
    struct str parts[12], end[12];
    size_t n = full_words(arena, name, parts, 12);
    size_t m = name_parts(arena, words, end, 12);
    for (size_t i = 1; i <= m; i++)
        if (m >= n || !str_eq(word_stem(arena, parts[n - i]),
                              word_stem(arena, end[m - i])))
            return false;
    return m > 0;
}

/* A field that is nearer and whose name ends with the words, when the chosen one
 * is called so only in short; NULL: none. */
static const struct term *rival_of(struct bound_query *query, struct str words,
                                   const struct term *chosen)
{
    size_t far = query_distance(query, chosen->dataset);
    if (chosen->kind != TERM_FIELD || chosen->weight >= WEIGHT_TABLE)
        return NULL;
    for (size_t i = 0; i < query->o->n_datasets; i++) {
        const struct dataset *d = &query->o->datasets[i];
        if (i == chosen->dataset || query_distance(query, i) >= far)
            continue;
        for (size_t j = 0; j < d->n_fields; j++) {
            if (!ends_with_words(query->arena, d->fields[j].name, words))
                continue;
            struct term *rival = arena_new(query->arena, struct term);
            *rival = (struct term){TERM_FIELD, chosen->weight, i, j};
            return rival;
        }
    }
    return NULL;
}

bool query_settle_rival(struct bound_query *query, struct str words,
                        const struct term **chosen)
{
    const struct question *q = &query->question;
    const struct term *rival = rival_of(query, words, *chosen);
    for (size_t i = 0; rival && i < q->n_picked; i++) {
        if (term_same(&q->picked[i], rival))
            *chosen = rival;
        if (term_same(&q->picked[i], *chosen))
            return true;
    }
    return !rival || query_asks_which(query, words, *chosen, rival);
}

size_t query_distance(struct bound_query *query, size_t dataset)
{
    size_t far = 0;
    for (size_t i = 0; i < query->n_parts; i++) {
        const struct reach *reach =
            reach_from(&query->reaches, query->parts[i].root);
        if (reach->distance[dataset] == SIZE_MAX)
            return SIZE_MAX;
        far += reach->distance[dataset];
    }
    return far;
}

bool query_mentions(const struct bound_query *query, size_t dataset)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_mentions; i++)
        for (size_t j = 0; j < q->mentions[i].n; j++)
            if (q->mentions[i].terms[j].dataset == dataset)
                return true;
    return false;
}

bool query_cannot_join(struct bound_query *query, struct str words)
{
    return query_fails(query,
                       "“%.*s” cannot be joined to %.*s by the model's "
                       "relationships",
                       STR_ARG(words),
                       STR_ARG(query->measures[0].formula.words));
}

size_t query_bridge(struct bound_query *query, size_t root, size_t dataset)
{
    size_t n, found = SIZE_MAX;
    bool *wanted = arena_new_array(query->arena, bool, query->o->n_datasets);
    wanted[root] = wanted[dataset] = true;
    size_t bridge = reach_common(&query->reaches, wanted, &n);
    if (n <= 1)
        return bridge == root ? SIZE_MAX : bridge;
    /* Of several, the one that the question names. */
    for (size_t i = 0; i < query->o->n_datasets; i++)
        if (i != root && query_mentions(query, i) &&
            reach_has(&query->reaches, i, root) &&
            reach_has(&query->reaches, i, dataset))
            found = found == SIZE_MAX ? i : SIZE_MAX;
    return found;
}

/* ---- what was named must count ------------------------------------------ */

/* The dataset holds the value, or is between the root and the only one that does:
 * hotels "with suite rooms", where the type of a room has the name. */
static bool serves_search(struct bound_query *query, const struct condition *c,
                          size_t dataset)
{
    for (size_t i = 0; i < c->n_searches; i++)
        for (size_t j = 0; j < c->searches[i].n; j++) {
            size_t to = c->searches[i].candidates[j].dataset;
            if (to == dataset ||
                (c->searches[i].known &&
                 query_distance(query, to) == SIZE_MAX &&
                 query_bridge(query, query->parts[0].root, to) == dataset))
                return true;
        }
    return false;
}

/* The dataset takes part in the query, or is above every root, where naming
 * it changes nothing: each line of an order belongs to a product anyway. */
static bool takes_part(struct bound_query *query, size_t dataset)
{
    if (query_distance(query, dataset) != SIZE_MAX)
        return true;
    for (size_t i = 0; i < query->n_measures; i++)
        for (size_t j = 0; j < query->measures[i].formula.n; j++)
            if (query->measures[i].formula.aggregates[j].uses[dataset])
                return true;
    for (size_t i = 0; i < query->n_conditions; i++) {
        const struct condition *c = &query->conditions[i];
        bool field =
            c->asked->kind == FILTER_FIELD || c->asked->kind == FILTER_TIME;
        if ((field && c->ref.dataset == dataset) || c->dataset == dataset ||
            serves_search(query, c, dataset))
            return true;
        if (field && query_bridge(query, query->parts[0].root,
                                  c->ref.dataset) == dataset)
            return true;
    }
    return false;
}

static bool bind_mentions(struct bound_query *query)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_mentions; i++) {
        bool any = false;
        for (size_t j = 0; j < q->mentions[i].n; j++)
            any = any || takes_part(query, q->mentions[i].terms[j].dataset);
        if (!any)
            return query_fails(query, "I do not see how “%.*s” belongs to %.*s",
                               STR_ARG(q->mentions[i].words),
                               STR_ARG(query->measures[0].formula.words));
    }
    return true;
}

static const char *relationship_name(const struct bound_query *query,
                                     size_t root, size_t dataset)
{
    const struct hop *hop =
        &reach_from((struct reaches *)&query->reaches, root)->hop[dataset];
    return arena_cstr(query->arena,
                      query->o->relationships[hop->relationship].name);
}

static bool is_ambiguous(struct bound_query *query, size_t root, size_t dataset)
{
    const struct reach *reach = reach_from(&query->reaches, root);
    return reach->distance[dataset] != SIZE_MAX && reach->ambiguous[dataset];
}

/* Labels the ways to a dataset by where they come from, and those that come
 * from one dataset by their columns. */
static void offer_ways(struct bound_query *query, size_t root, size_t dataset,
                       struct clarification *ask)
{
    struct arena *arena = query->arena;
    size_t hops[ASK_OPTIONS];
    size_t n = reach_ways(&query->reaches, root, dataset, hops, ASK_OPTIONS);
    for (size_t i = 0; i < n; i++) {
        const struct relationship *r = &query->o->relationships[hops[i]];
        bool alone = true;
        for (size_t j = 0; j < n; j++)
            alone = alone && (j == i ||
                              query->o->relationships[hops[j]].from != r->from);
        struct str label = spoken(arena, query->o->datasets[r->from].name);
        if (!alone && r->from_columns.n)
            label = spoken(arena, r->from_columns.items[0]);
        clarification_offer(
            ask, (struct term){TERM_ROLE, WEIGHT_NAME, r->to, hops[i]}, label);
    }
}

/* Two ways to join are equally short, and no word says which. */
static bool refuse_way(struct bound_query *query, size_t root, size_t dataset,
                       struct str words)
{
    struct clarification *ask = clarification_new(
        query->arena,
        arena_printf(query->arena, "Which “%.*s” of %.*s is meant",
                     STR_ARG(words), STR_ARG(query->o->datasets[root].name)),
        words);
    offer_ways(query, root, dataset, ask);
    return query_asks(query, ask->n > 1 ? ask : NULL,
                      "%.*s are joined to %.*s in several ways, one of them "
                      "%s; say which is meant by “%.*s”, with a word of its "
                      "name",
                      STR_ARG(query->o->datasets[root].name),
                      STR_ARG(query->o->datasets[dataset].name),
                      relationship_name(query, root, dataset), STR_ARG(words));
}

static void note_search_ways(struct bound_query *query, size_t root,
                             const struct condition *c)
{
    for (size_t i = 0; i < c->n_searches; i++)
        for (size_t j = 0; j < c->searches[i].n; j++) {
            size_t dataset = c->searches[i].candidates[j].dataset;
            if (!is_ambiguous(query, root, dataset))
                continue;
            query_note(query,
                       arena_printf(query->arena, "Which %.*s?",
                                    STR_ARG(query->o->datasets[dataset].name)),
                       arena_printf(query->arena,
                                    "Those of the relationship %s.",
                                    relationship_name(query, root, dataset)));
        }
}

static bool check_existence(struct bound_query *query, size_t root,
                            const struct condition *c)
{
    size_t dataset = c->dataset, below = dataset;
    if (is_ambiguous(query, root, dataset))
        return refuse_way(query, root, dataset, c->asked->words);
    if (reach_has(&query->reaches, root, dataset))
        return true;
    if (!reach_has(&query->reaches, dataset, root))
        below = query_bridge(query, root, dataset);
    if (is_ambiguous(query, below, root))
        return refuse_way(query, below, root, c->asked->words);
    if (below != dataset && is_ambiguous(query, below, dataset))
        return refuse_way(query, below, dataset, c->asked->words);
    return true;
}

static bool check_ways(struct bound_query *query)
{
    for (size_t i = 0; i < query->n_parts; i++) {
        size_t root = query->parts[i].root, time = query->parts[i].time.dataset;
        for (size_t j = 0; j < query->n_dimensions; j++) {
            const struct dimension *d = &query->dimensions[j];
            if (!d->grain && is_ambiguous(query, root, d->ref.dataset))
                return refuse_way(query, root, d->ref.dataset, d->words);
        }
        for (size_t j = 0; j < query->n_conditions; j++) {
            const struct condition *c = &query->conditions[j];
            if (c->asked->kind == FILTER_FIELD &&
                is_ambiguous(query, root, c->ref.dataset))
                return refuse_way(query, root, c->ref.dataset, c->asked->words);
        }
        for (size_t j = 0; j < query->n_conditions; j++) {
            const struct condition *c = &query->conditions[j];
            size_t to = c->n_searches && c->searches[0].known
                            ? c->searches[0].candidates[0].dataset
                            : SIZE_MAX;
            if (to != SIZE_MAX && is_ambiguous(query, root, to))
                return refuse_way(query, root, to, c->asked->words);
            note_search_ways(query, root, c);
        }
        for (size_t j = 0; j < query->n_conditions; j++) {
            const struct condition *c = &query->conditions[j];
            if (c->asked->kind == FILTER_EXISTS &&
                !check_existence(query, root, c))
                return false;
        }
        for (size_t j = 0; j < query->n_measures; j++) {
            const struct formula *f = &query->measures[j].formula;
            size_t over = f->aggregates[f->n - 1].grain;
            if (query->measures[j].tied && is_ambiguous(query, root, over))
                return refuse_way(query, root, over, f->words);
        }
        if (time != SIZE_MAX && is_ambiguous(query, root, time))
            query_note(query, STR("Which of its dates counts?"),
                       arena_printf(query->arena,
                                    "That of the relationship %s.",
                                    relationship_name(query, root, time)));
    }
    return true;
}

/* "Origin city and destination city" would need one dataset twice. */
static bool check_roles(struct bound_query *query)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_roles; i++)
        for (size_t j = i + 1; j < q->n_roles; j++)
            if (q->roles[i].terms[0].index != q->roles[j].terms[0].index &&
                q->roles[i].terms[0].dataset == q->roles[j].terms[0].dataset)
                return query_fails(query,
                                   "“%.*s” and “%.*s” are two ways to the same "
                                   "dataset, and I can take only one at a time",
                                   STR_ARG(q->roles[i].words),
                                   STR_ARG(q->roles[j].words));
    return true;
}

static bool check_sort(struct bound_query *query)
{
    struct question *q = &query->question;
    if (!q->sort_by_name.len)
        return true;
    if (!query->n_dimensions)
        return query_fails(query, "there is nothing to sort");
    if (!q->top.n)
        return true;
    /* The first by name would not be the first by rank. */
    q->sort_by_name = STR("");
    query_note(query, STR("In what order are they shown?"),
               STR("By rank; a top n is not sorted by name."));
    return true;
}

/* "Highest revenue" alone does not say what is ranked. */
static bool check_ranking(struct bound_query *query)
{
    const struct question *q = &query->question;
    if (query->n_dimensions || !q->top.ranked)
        return true;
    return query_fails(query,
                       "I need to know what is to be ranked by %.*s; say "
                       "for example “top 5 … by %.*s”",
                       STR_ARG(query->measures[0].formula.words),
                       STR_ARG(query->measures[0].formula.words));
}

static bool check_share(struct bound_query *query)
{
    if (!query->question.share)
        return true;
    if (!query->n_dimensions)
        return query_fails(query, "a share needs a breakdown; say by what");
    if (query->question.n_havings)
        return query_fails(query, "I cannot compare groups and give shares "
                                  "in one answer");
    if (query->n_measures != 1 || !query->measures[0].adds)
        return query_fails(query,
                           "%.*s does not add up over the groups, so there "
                           "is no share of a total",
                           STR_ARG(query->measures[0].formula.words));
    return true;
}

static bool check_having(struct bound_query *query)
{
    if (!query->question.n_havings || query->n_dimensions)
        return true;
    return query_fails(query,
                       "“%.*s” compares groups, but there is no breakdown",
                       STR_ARG(query->question.havings[0].words));
}

static bool holds_of_zero(struct arena *arena, const struct asked_having *h)
{
    double n = strtod(arena_cstr(arena, h->number), NULL);
    switch (h->comparison) {
    case IS:
        return n == 0;
    case IS_OVER:
        return n < 0;
    case IS_UNDER:
        return n > 0;
    case IS_AT_MOST:
        return n >= 0;
    default:
        return n <= 0;
    }
}

/* The question asks for small counts, which zero would satisfy too. */
static bool asks_for_few(const struct bound_query *query)
{
    const struct question *q = &query->question;
    bool few = q->top.lowest && query->measures[0].counts;
    for (size_t i = 0; i < q->n_havings; i++)
        few = few || (query->measures[query->having[i]].counts &&
                      holds_of_zero(query->arena, &q->havings[i]));
    return few;
}

size_t query_groups(const struct bound_query *query)
{
    size_t n = 0;
    for (size_t i = 0; i < query->n_dimensions; i++)
        n += !query->dimensions[i].beside;
    return n;
}

size_t query_absent(const struct bound_query *query)
{
    const struct dimension *d = &query->dimensions[0];
    bool other = query_groups(query) == 1 && query->n_parts == 1 && !d->grain &&
                 d->contrast == CONTRAST_NONE &&
                 d->ref.dataset != query->parts[0].root;
    return other && asks_for_few(query) ? 0 : SIZE_MAX;
}

/* The dataset of a condition whose field is certain; SIZE_MAX: it is not. */
static size_t condition_dataset(const struct condition *c)
{
    if (c->asked->kind == FILTER_EXISTS)
        return SIZE_MAX;
    if (c->asked->kind == FILTER_SEARCH)
        return c->n_searches && c->searches[0].known
                   ? c->searches[0].candidates[0].dataset
                   : SIZE_MAX;
    return c->ref.dataset;
}

size_t query_over(struct bound_query *query)
{
    const struct bound_measure *m = &query->measures[0];
    if (query->n_measures != 1 || !m->tied || query->n_dimensions ||
        query->n_parts != 1 || m->over == SIZE_MAX ||
        m->over == query->parts[0].root)
        return SIZE_MAX;
    for (size_t i = 0; i < query->n_conditions; i++) {
        size_t dataset = condition_dataset(&query->conditions[i]);
        if (dataset == SIZE_MAX || reach_has(&query->reaches, m->over, dataset))
            return SIZE_MAX;
    }
    return m->over;
}

bool query_has_each(const struct bound_query *query, size_t dimension)
{
    const struct dimension *d = &query->dimensions[dimension];
    bool each = d->contrast != CONTRAST_NONE;
    for (size_t p = 0; p < query->n_parts; p++)
        each = each || (!d->grain && query->parts[p].root == d->ref.dataset);
    return each;
}

/* Says where groups of nothing are left out, though few are asked for. */
static void note_none(struct bound_query *query)
{
    struct arena *arena = query->arena;
    struct buf rows;
    buf_init(&rows, arena);
    for (size_t i = 0; i < query->n_parts; i++)
        buf_printf(&rows, "%s%.*s", i ? " or " : "",
                   STR_ARG(query->o->datasets[query->parts[i].root].name));
    for (size_t i = 0; asks_for_few(query) && i < query->n_dimensions; i++) {
        if (!query->dimensions[i].beside && !query_has_each(query, i))
            query_note(query,
                       arena_printf(arena, "Does every %.*s count?",
                                    STR_ARG(dimension_words(query, i))),
                       arena_printf(arena,
                                    "No, only those with at least one of "
                                    "the %.*s asked about.",
                                    STR_ARG(buf_view(&rows))));
    }
}

/* A list has one row for each of its things. */
static bool check_list(struct bound_query *query)
{
    const struct dimension *d = &query->dimensions[0];
    size_t root = query->parts[0].root;
    if (!query->question.lists ||
        (query->n_parts == 1 && root == d->ref.dataset))
        return true;
    return query_fails(
        query, "one of the %.*s may have several of what is asked of it",
        STR_ARG(d->words));
}

static bool check_periods(struct bound_query *query)
{
    struct field_ref dates[2];
    for (size_t i = 0; i < query->n_conditions; i++) {
        size_t dataset = condition_dataset(&query->conditions[i]);
        if (dataset == SIZE_MAX || period_is_certain(query, dataset, dates))
            continue;
        return query_fails(query,
                           "the period may be one of %.*s or of %.*s, and I "
                           "cannot tell which",
                           STR_ARG(field_ref_path(query, dates[0])),
                           STR_ARG(field_ref_path(query, dates[1])));
    }
    return true;
}

bool query_bind(struct bound_query *query)
{
    struct question *q = &query->question;
    if (q->problem.len)
        return query_fails(query, "%.*s", STR_ARG(q->problem));
    reaches_init(query->arena, query->o, q->roles, q->n_roles, &query->reaches);
    query->reaches.picked = q->picked;
    query->reaches.n_picked = q->n_picked;
    if (!check_roles(query) || !bind_measures(query) || !bind_who(query) ||
        !bind_dimensions(query) || !bind_conditions(query) ||
        !bind_time(query) || !check_periods(query) || !check_states(query) ||
        !bind_mentions(query) || !check_sort(query) || !check_ranking(query) ||
        !check_share(query) || !check_snapshots(query) ||
        !check_having(query) || !query_check_splits(query) ||
        !check_ways(query) || !check_list(query))
        return false;
    note_none(query);
    return true;
}
