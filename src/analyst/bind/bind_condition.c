/* bind_condition.c - binds filters: chooses the field of each, or, for a
 * value whose field is not named, the candidates that may hold it. */
#include "base/buf.h"
#include "read/code.h"
#include "read/field.h"
#include "read/person.h"
#include "bind_code.h"
#include "place.h"
#include "query.h"
#include "state.h"
#include "base/banned.h"

#define FAR_NEVER SIZE_MAX
enum { FAR_BRIDGED = 1000, BRIDGED_MOST = 3 };

/* Hops from the roots; FAR_BRIDGED when only EXISTS can reach it. */
static size_t far_of(struct bound_query *query, size_t dataset)
{
    size_t far = query_distance(query, dataset);
    if (far != SIZE_MAX)
        return far;
    for (size_t i = 0; i < query->n_parts; i++) {
        size_t root = query->parts[i].root;
        if (!reach_has(&query->reaches, root, dataset) &&
            query_bridge(query, root, dataset) == SIZE_MAX)
            return FAR_NEVER;
    }
    return FAR_BRIDGED;
}

/* ---- a field that is named ---------------------------------------------- */

static bool field_fits(const struct field *field,
                       const struct asked_filter *asked)
{
    bool range =
        asked->comparison >= IS_OVER && asked->comparison <= IS_BETWEEN;
    if (asked->comparison == IS_TRUE)
        return field_is_flag(field);
    if (asked->kind == FILTER_TIME)
        return field_is_date(field) ||
               (field_is_year(field) && window_is_years(&asked->window));
    if (range)
        return field_is_number(field) || !field->datatype.len;
    return true;
}

static const struct term *nearest_term(struct bound_query *query,
                                       const struct asked_filter *asked,
                                       const struct term **second)
{
    const struct term *best = NULL;
    size_t least = FAR_NEVER;
    *second = NULL;
    for (size_t i = 0; i < asked->what.n; i++) {
        const struct term *t = &asked->what.terms[i];
        struct field_ref ref = {t->dataset, t->index};
        if (t->kind != TERM_FIELD ||
            !field_fits(field_of_ref(query, ref), asked))
            continue;
        size_t far = far_of(query, t->dataset);
        if (far == FAR_NEVER)
            continue;
        far = far * 4 + (size_t)(WEIGHT_TWICE - t->weight) * 40 +
              (t->dataset == asked->near || query_mentions(query, t->dataset)
                   ? 0
                   : 2);
        if (best && far < FAR_BRIDGED && least < FAR_BRIDGED)
            *second = far < least ? best : t;
        if (far < least) {
            least = far;
            best = t;
        }
    }
    return best;
}

static bool check_values(struct bound_query *query, const struct condition *c)
{
    const struct field *field = field_of_ref(query, c->ref);
    for (size_t i = 0; i < c->asked->n_values; i++) {
        const struct filter_value *v = &c->asked->values[i];
        if (!field_is_number(field) || v->number ||
            c->asked->comparison > IS_BETWEEN)
            continue;
        return query_fails(query, "%.*s is a number, and “%.*s” is none",
                           STR_ARG(field_ref_path(query, c->ref)),
                           STR_ARG(v->text));
    }
    if (field_is_date(field) && c->asked->kind == FILTER_FIELD &&
        c->asked->comparison <= IS_BETWEEN)
        return query_fails(query, "I cannot read “%.*s” as a period",
                           STR_ARG(c->asked->words));
    return true;
}

/* "store 5": compares the key. */
static bool bind_key(struct bound_query *query, struct condition *c)
{
    size_t dataset = c->asked->what.terms[0].dataset;
    const struct dataset *d = &query->o->datasets[dataset];
    size_t key = d->primary_key.n == 1
                     ? field_of_column(d, d->primary_key.items[0])
                     : SIZE_MAX;
    if (key == SIZE_MAX)
        return query_fails(query,
                           "%.*s has no single key to look “%.*s” up "
                           "by",
                           STR_ARG(d->name), STR_ARG(c->asked->values[0].text));
    c->ref = (struct field_ref){dataset, key};
    if (far_of(query, dataset) == FAR_NEVER)
        return query_cannot_join(query, c->asked->words);
    return true;
}

static bool is_sample(const struct sample_list *samples, struct field_ref ref)
{
    return sample_of(samples, ref.dataset, ref.field) != NULL;
}

/* "Without a membership" is said of those whose membership is "none", too. */
static void bind_none(struct bound_query *query, struct condition *c)
{
    const struct str_list *known = &field_of_ref(query, c->ref)->hints.examples;
    bool missing =
        c->asked->kind == FILTER_FIELD && c->asked->comparison == IS_MISSING;
    for (size_t i = 0; i < known->n && missing; i++)
        if (str_eq_nocase(known->items[i], STR("none")))
            c->none = known->items[i];
}

/* Whether the field holds the values at all is looked up, unless the ontology
 * says so. */
static void look_up_values(struct bound_query *query, struct condition *c)
{
    if (c->asked->kind != FILTER_FIELD || c->asked->comparison != IS ||
        !field_is_text(field_of_ref(query, c->ref)))
        return;
    for (size_t i = 0; i < c->asked->n_values; i++) {
        const struct filter_value *v = &c->asked->values[i];
        if (!is_sample(v->samples, c->ref))
            c->searches[c->n_searches++] = (struct value_search){
                .value = v->text, .candidates = {c->ref}, .n = 1};
    }
}

/* "Vehicles that cost over 500": only their repairs have a cost, each its own,
 * and the question does not speak of repairs. */
static bool is_deed_of_many(struct bound_query *query,
                            const struct condition *c)
{
    static const char verbs[] = "cost costs charge charges last lasts";
    struct str rest = c->asked->words, first;
    return str_split(&rest, ' ', &first) && list_has(verbs, first) &&
           field_is_number(field_of_ref(query, c->ref)) &&
           far_of(query, c->ref.dataset) >= FAR_BRIDGED &&
           !query_mentions(query, c->ref.dataset);
}

/* "Customers with a driving licence", "hired in 2025": it is the employees who wrote
 * their quotes, neither the customers nor the quotes. */
static bool is_held_by_others(struct bound_query *query,
                              const struct condition *c)
{
    size_t holder = c->ref.dataset;
    bool has = c->asked->kind == FILTER_TIME ||
               c->asked->comparison == IS_TRUE ||
               c->asked->comparison == IS_MISSING;
    if (!has || far_of(query, holder) < FAR_BRIDGED ||
        query_mentions(query, holder))
        return false;
    for (size_t i = 0; i < query->n_parts; i++)
        if (!reach_has(&query->reaches, holder, query->parts[i].root))
            return true;
    return false;
}

static bool bind_field(struct bound_query *query, struct condition *c)
{
    const struct term *second;
    const struct term *term = nearest_term(query, c->asked, &second);
    if (!choice_has(&c->asked->what, TERM_FIELD))
        return bind_key(query, c);
    if (!term)
        return query_cannot_join(query, c->asked->words);
    if (!query_settle_rival(query, c->asked->what.words, &term))
        return false;
    c->ref = (struct field_ref){term->dataset, term->index};
    if (is_deed_of_many(query, c))
        return query_fails(query,
                           "“%.*s” is no figure of the things themselves, only "
                           "%.*s, of which each may have several",
                           STR_ARG(c->asked->what.words),
                           STR_ARG(field_ref_path(query, c->ref)));
    if (is_held_by_others(query, c))
        return query_fails(query,
                           "“%.*s” is of %.*s, which the question does "
                           "not name",
                           STR_ARG(c->asked->words),
                           STR_ARG(query->o->datasets[c->ref.dataset].name));
    if (second && second->weight == term->weight &&
        second->dataset != term->dataset)
        query_note_meaning(query, c->asked->what.words,
                           term_sentence(query, term));
    if (reference_is_named(query, c))
        return bind_reference(query, c);
    if (!code_bind_field(query, c) || !check_values(query, c))
        return false;
    bind_none(query, c);
    look_up_values(query, c);
    return true;
}

/* ---- a value without its field ------------------------------------------ */

struct scored {
    struct field_ref ref;
    long score;
};

static bool is_long_text(const struct field *field)
{
    static const char words[] =
        "description comment comments note notes url address phone fax email "
        "picture photo body html text path zip postal homepage password";
    return name_has(field->name, words);
}

/* It says what was or will be: "tenants in Norwich" do not mean the previous city. */
static bool is_of_other_time(const struct field *field)
{
    static const char words[] = "previous former prior past next future";
    return name_has(field->name, words);
}

static bool broken_down_by(const struct bound_query *query, size_t dataset)
{
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (!query->dimensions[i].grain &&
            query->dimensions[i].ref.dataset == dataset)
            return true;
    return false;
}

/* "Premium customers", "customers in Dallas": the value must be the
 * dataset's own or of a dataset that it reaches. */
static bool is_apart(struct bound_query *query,
                     const struct asked_filter *asked, size_t dataset)
{
    return asked->near != SIZE_MAX &&
           !reach_has(&query->reaches, asked->near, dataset);
}

/* What was done, and to what, says that the value is none of the dataset's. */
static bool is_ruled_out(struct bound_query *query,
                         const struct asked_filter *asked, size_t dataset)
{
    const struct ontology *o = query->o;
    switch (asked->deed) {
    case DEED_LINKED:
        for (size_t i = 0; i < query->n_parts; i++)
            if (query_bridge(query, query->parts[i].root, dataset) !=
                asked->through)
                return true;
        return dataset != asked->near;
    case DEED_SOLD: /* the artist, and no track itself */
        return dataset == asked->near || is_apart(query, asked, dataset);
    case DEED_BOUGHT:
        return !is_buyers(query->arena, &o->datasets[dataset]);
    default:
        return false;
    }
}

static long score_of(struct bound_query *query,
                     const struct asked_filter *asked, struct str value,
                     struct field_ref ref, size_t far)
{
    const struct field *field = field_of_ref(query, ref);
    const struct dataset *d = &query->o->datasets[ref.dataset];
    long score = 1000 - 10 * (long)far;
    if (asked->near != SIZE_MAX && !is_apart(query, asked, ref.dataset))
        score += ref.dataset == asked->near ? 4000 : 2000;
    if (broken_down_by(query, ref.dataset))
        score += 25;
    if (field_is_place(field))
        score += asked->place ? 150 : 5;
    if (place_named(field, value))
        score += 300;
    if (dataset_label(d) == ref.field)
        score += asked->named ? 120 : 8;
    return score;
}

static void keep_best(struct scored *best, size_t *n, struct scored one)
{
    size_t at = *n < QUERY_CANDIDATES ? (*n)++ : QUERY_CANDIDATES - 1;
    if (at == QUERY_CANDIDATES - 1 && *n == QUERY_CANDIDATES &&
        best[at].score && best[at].score >= one.score)
        return;
    best[at] = one;
    for (; at && best[at].score > best[at - 1].score; at--) {
        struct scored swap = best[at];
        best[at] = best[at - 1];
        best[at - 1] = swap;
    }
}

/* "Derek Clegg": a value of two words may be a first and a last name, and rather is
 * than either of them. */
static void add_full_name(struct bound_query *query,
                          const struct asked_filter *asked, struct str value,
                          size_t dataset, struct scored *best, size_t *n)
{
    enum { LIKELY = 40 };
    struct field_ref ref = {dataset, FULL_NAME};
    size_t far = far_of(query, dataset), first, last;
    if (str_find_char(value, ' ') < 0 ||
        !name_fields(&query->o->datasets[dataset], &first, &last))
        return;
    long score = score_of(query, asked, value, ref, far > 60 ? 60 : far);
    keep_best(best, n, (struct scored){ref, score + LIKELY});
}

static void find_candidates(struct bound_query *query,
                            const struct asked_filter *asked,
                            const struct sample_list *samples,
                            struct value_search *search)
{
    struct scored best[QUERY_CANDIDATES] = {0};
    size_t n = 0, fitting = 0;
    for (size_t i = 0; i < query->o->n_datasets; i++) {
        size_t far = far_of(query, i);
        struct field_ref dates[2];
        if (far == FAR_NEVER || !period_is_certain(query, i, dates) ||
            ((far >= FAR_BRIDGED || !asked->deed) &&
             is_apart(query, asked, i)) ||
            is_ruled_out(query, asked, i))
            continue;
        for (size_t j = 0; j < query->o->datasets[i].n_fields; j++) {
            struct field_ref ref = {i, j};
            const struct field *field = field_of_ref(query, ref);
            if (!field_is_text(field) || is_long_text(field) ||
                is_of_other_time(field) ||
                state_is_of_others(query, asked->near, ref))
                continue;
            long score =
                score_of(query, asked, search->value, ref, far > 60 ? 60 : far);
            if (is_sample(samples, ref))
                score += 200;
            keep_best(best, &n, (struct scored){ref, score});
            fitting++;
        }
        add_full_name(query, asked, search->value, i, best, &n);
    }
    /* Candidates over a bridge make the query long, and are rarely meant. */
    size_t most = asked->n_values > 1 ? 4 : QUERY_CANDIDATES, bridged = 0;
    for (size_t i = 0; i < n && search->n < most; i++) {
        bridged += far_of(query, best[i].ref.dataset) >= FAR_BRIDGED;
        if (bridged <= BRIDGED_MOST ||
            far_of(query, best[i].ref.dataset) < FAR_BRIDGED)
            search->candidates[search->n++] = best[i].ref;
    }
    search->cut = fitting > search->n;
}

/* Only EXISTS could reach this place, while a nearer one may be meant:
 * customers in Dallas live there, or bought there. */
static bool is_rivalled(struct bound_query *query, struct field_ref ref)
{
    if (!field_is_place(field_of_ref(query, ref)))
        return false;
    for (size_t i = 0; i < query->o->n_datasets; i++)
        for (size_t j = 0; j < query->o->datasets[i].n_fields; j++)
            if (field_is_place(&query->o->datasets[i].fields[j]) &&
                far_of(query, i) < FAR_BRIDGED)
                return true;
    return false;
}

/* Neither is named: the reason of a visit, or the category of what was done then,
 * of which there may be several. */
static bool is_rival_below(struct bound_query *query, struct field_ref best,
                           struct field_ref other)
{
    static const char kinds[] = "category type kind class group genre reason";
    size_t far = far_of(query, best.dataset);
    size_t below = far_of(query, other.dataset);
    bool kind = name_has(field_of_ref(query, other)->name, kinds);
    return far > 0 && far < FAR_BRIDGED &&
           (below == FAR_BRIDGED || (below == FAR_NEVER && kind)) &&
           !query_mentions(query, best.dataset) &&
           !query_mentions(query, other.dataset);
}

/* Another field that the value may be of: of the same dataset, or of one that is as
 * near. */
static bool is_rival(struct bound_query *query,
                     const struct asked_filter *asked, struct field_ref best,
                     struct field_ref other)
{
    size_t far = far_of(query, other.dataset);
    return other.dataset == best.dataset ||
           is_rival_below(query, best, other) ||
           (far < FAR_BRIDGED && far == far_of(query, best.dataset) &&
            !is_apart(query, asked, other.dataset) &&
            query_mentions(query, other.dataset) ==
                query_mentions(query, best.dataset));
}

/* "Premium" is a plan and a tier of plans, and nothing but the place of a name
 * in the model would choose between them. */
static bool check_rival(struct bound_query *query,
                        const struct asked_filter *asked,
                        const struct sample_list *samples,
                        const struct value_search *search)
{
    enum { CLOSE = 25 };
    struct field_ref best = search->candidates[0];
    size_t far = far_of(query, best.dataset);
    far = far > 60 ? 60 : far;
    for (size_t i = 0; i < samples->n; i++) {
        struct field_ref ref = {samples->items[i].dataset,
                                samples->items[i].field};
        if (field_ref_same(ref, best) || !is_rival(query, asked, best, ref))
            continue;
        bool label =
            !asked->named && ref.dataset == best.dataset &&
            dataset_label(&query->o->datasets[ref.dataset]) == ref.field;
        if (!label && !is_rival_below(query, best, ref) &&
            score_of(query, asked, search->value, best, far) >=
                score_of(query, asked, search->value, ref, far) + CLOSE)
            continue;
        return query_fails(query,
                           "“%.*s” is a value of %.*s and of %.*s, and the "
                           "question does not say which is meant",
                           STR_ARG(search->value),
                           STR_ARG(field_ref_path(query, best)),
                           STR_ARG(field_ref_path(query, ref)));
    }
    return true;
}

/* The best of the fields that, by the ontology, hold the value. */
static bool find_known(struct bound_query *query,
                       const struct asked_filter *asked,
                       const struct sample_list *samples,
                       struct value_search *search)
{
    long most = 0;
    if (asked->deed) /* what is known is not all that there may be */
        return false;
    for (size_t i = 0; samples && i < samples->n; i++) {
        const struct sample *s = &samples->items[i];
        struct field_ref ref = {s->dataset, s->field};
        size_t far = far_of(query, s->dataset);
        if (far == FAR_NEVER || is_apart(query, asked, s->dataset) ||

            is_of_other_time(field_of_ref(query, ref)) ||
            (far >= FAR_BRIDGED && is_rivalled(query, ref)))
            continue;
        long score =
            score_of(query, asked, search->value, ref, far > 60 ? 60 : far);
        if (score <= most)
            continue;
        most = score;
        search->known = true;
        search->n = 1;
        search->candidates[0] = ref;
        search->literal = s->literal;
        search->coded = s->coded;
    }
    return search->known;
}

static struct str candidates_text(struct bound_query *query,
                                  const struct value_search *s)
{
    struct buf out;
    buf_init(&out, query->arena);
    for (size_t i = 0; i < s->n; i++)
        buf_printf(&out, "%s%.*s", i ? ", " : "",
                   STR_ARG(field_ref_path(query, s->candidates[i])));
    return buf_view(&out);
}

/* The ontology names the value's fields, but none of them can be reached. */
static bool is_elsewhere(struct bound_query *query,
                         const struct sample_list *samples)
{
    for (size_t i = 0; samples && i < samples->n; i++)
        if (far_of(query, samples->items[i].dataset) != FAR_NEVER)
            return false;
    return samples && samples->n;
}

static struct str spoken_field(const struct bound_query *query,
                               const struct value_search *s)
{
    return spoken(query->arena, field_of_ref(query, s->candidates[0])->name);
}

/* A list of values is of one column: "returned, online" would be either of them, and
 * both may be meant. Only "returned or online" says which. */
static bool check_columns(struct bound_query *query, const struct condition *c)
{
    struct str words = c->asked->words;
    bool either = str_find_nocase(words, STR(" or ")) >= 0 &&
                  str_find_nocase(words, STR(" and ")) < 0 &&
                  str_find_char(words, ',') < 0;
    for (size_t i = 1; i < c->n_searches && !either; i++) {
        const struct value_search *a = &c->searches[0], *b = &c->searches[i];
        if (a->known && b->known &&
            !field_ref_same(a->candidates[0], b->candidates[0]))
            return query_fails(
                query,
                "“%.*s” is a value of %.*s and “%.*s” one of %.*s; say “or” "
                "if either will do, and “where %.*s is %.*s and %.*s is "
                "%.*s” if both must",
                STR_ARG(a->value),
                STR_ARG(field_ref_path(query, a->candidates[0])),
                STR_ARG(b->value),
                STR_ARG(field_ref_path(query, b->candidates[0])),
                STR_ARG(spoken_field(query, a)), STR_ARG(a->value),
                STR_ARG(spoken_field(query, b)), STR_ARG(b->value));
    }
    return true;
}

static bool bind_search(struct bound_query *query, struct condition *c)
{
    for (size_t i = 0; i < c->asked->n_values; i++) {
        const struct filter_value *v = &c->asked->values[i];
        struct value_search *search = &c->searches[c->n_searches++];
        *search = (struct value_search){.value = v->text};
        if (is_elsewhere(query, v->samples))
            return query_cannot_join(query, v->text);
        if (find_known(query, c->asked, v->samples, search)) {
            struct field_ref place = search->candidates[0];
            if (!check_rival(query, c->asked, v->samples, search) ||
                !who_check_named(query, c->asked, place))
                return false;
            if (state_is_of_others(query, c->asked->near, place))
                return query_fails(
                    query, "“%.*s” is a value of %.*s, and not one of %.*s",
                    STR_ARG(v->text), STR_ARG(field_ref_path(query, place)),
                    STR_ARG(query->o->datasets[c->asked->near].name));
            if (!search->coded)
                query_note(query,
                           arena_printf(query->arena, "What is “%.*s”?",
                                        STR_ARG(v->text)),
                           arena_printf(query->arena, "A value of %.*s.",
                                        STR_ARG(field_ref_path(
                                            query, search->candidates[0]))));
            continue;
        }
        if (!code_may_be_sought(query, v))
            return false;
        find_candidates(query, c->asked, v->samples, search);
        if (!search->n)
            return query_fails(query, "I do not know what “%.*s” is",
                               STR_ARG(v->text));
        query_note(
            query,
            arena_printf(query->arena, "What is “%.*s”?", STR_ARG(v->text)),
            arena_printf(query->arena,
                         "A value of the first field that holds it, of "
                         "these: %.*s.",
                         STR_ARG(candidates_text(query, search))));
    }
    if (!check_columns(query, c) || !code_bind_search(query, c))
        return false;
    if (c->asked->kind == FILTER_FIELD)
        look_up_values(query, c);
    return true;
}

/* ---- all of them --------------------------------------------------------- */

static bool bind_condition(struct bound_query *query, struct condition *c)
{
    switch (c->asked->kind) {
    case FILTER_SEARCH:
        return bind_search(query, c);
    case FILTER_EXISTS:
        return bind_existence(query, c);
    default:
        return bind_field(query, c);
    }
}

/* The field that holds all values of the condition, if that is certain. */
static bool one_spot(const struct condition *c, struct field_ref *ref)
{
    *ref = c->ref;
    if (c->asked->kind == FILTER_FIELD)
        return c->asked->n_values > 1 && c->asked->comparison == IS;
    for (size_t i = 0; i < c->n_searches; i++) {
        if (!c->searches[i].known)
            return false;
        struct field_ref own = c->searches[i].candidates[0];
        if (i && !field_ref_same(own, *ref))
            return false;
        *ref = own;
    }
    return c->n_searches > 1;
}

static bool has_dimension(const struct bound_query *query, struct field_ref ref)
{
    for (size_t i = 0; i < query->n_dimensions; i++)
        if (field_ref_same(query->dimensions[i].ref, ref))
            return true;
    return false;
}

/* The values stay together: a list has its rows anyway. */
static bool is_one_figure(const struct bound_query *query)
{
    const struct question *q = &query->question;
    return q->lists || q->share || q->portion || q->top.ranked || q->why ||
           q->n_havings || query->n_dimensions == QUESTION_DIMENSIONS;
}

/* "Compare Houston and Dallas": groups by the field that holds them. */
static bool compare_values(struct bound_query *query)
{
    for (size_t i = 0; i < query->n_conditions; i++) {
        struct field_ref ref;
        const struct condition *c = &query->conditions[i];
        bool values = c->asked->n_values > 1;
        bool each = c->asked->each && !query->question.compare;
        if (!(query->question.compare || each) || !values)
            continue;
        bool sure = one_spot(c, &ref);
        if (sure && has_dimension(query, ref))
            continue;
        if (each && sure && query_distance(query, ref.dataset) == SIZE_MAX)
            return query_fails(query,
                               "“%.*s” may be one of them or each of them; say "
                               "“both” or “or”",
                               STR_ARG(c->asked->words));
        if (each && (!sure || is_one_figure(query)))
            continue;
        if (!sure || query_distance(query, ref.dataset) == SIZE_MAX ||
            query->n_dimensions == QUESTION_DIMENSIONS)
            return query_fails(query,
                               "to compare “%.*s” I need to know "
                               "which field they are values of; say "
                               "“by …”",
                               STR_ARG(c->asked->words));
        const struct field *field = field_of_ref(query, ref);
        query->dimensions[query->n_dimensions++] =
            (struct dimension){.ref = ref,
                               .name = field->name,
                               .words = spoken(query->arena, field->name)};
    }
    return true;
}

bool bind_conditions(struct bound_query *query)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_filters; i++) {
        struct condition *c = &query->conditions[query->n_conditions++];
        *c = (struct condition){.asked = &q->filters[i],
                                .ref = {SIZE_MAX, SIZE_MAX},
                                .dataset = SIZE_MAX};
        if (!bind_condition(query, c))
            return false;
    }
    return check_conditions(query) && compare_values(query);
}
