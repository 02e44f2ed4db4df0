/* bind_dimension.c - binds dimensions, and lifts the parts that cannot
 * reach them. */
#include "read/field.h"
#include "read/person.h"
#include "query.h"
#include "state.h"
#include "sql/sql_text.h"
#include "base/banned.h"

enum { COST_LIFTED = 1000, COST_NEVER = 100000 };

/* ---- which term is meant ------------------------------------------------ */

/* Duplicated rows do not change the aggregate, or COUNT(DISTINCT) can
 * replace it. */
static bool can_bear(const struct bound_query *query, const struct aggregate *a)
{
    bool keyed = a->rows && query->o->datasets[a->grain].primary_key.n;
    return a->harmless || keyed;
}

static bool can_lift(const struct bound_query *query, size_t part)
{
    for (size_t i = 0; i < query->n_measures; i++) {
        const struct bound_measure *m = &query->measures[i];
        for (size_t j = 0; j < m->formula.n; j++)
            if (m->part[j] == part &&
                !can_bear(query, &m->formula.aggregates[j]))
                return false;
    }
    return true;
}

static size_t cost_of(struct bound_query *query, size_t dataset)
{
    size_t cost = 0;
    for (size_t i = 0; i < query->n_parts; i++) {
        size_t root = query->parts[i].root;
        const struct reach *reach = reach_from(&query->reaches, root);
        if (reach->distance[dataset] != SIZE_MAX)
            cost += reach->distance[dataset];
        else if (can_lift(query, i) &&
                 query_bridge(query, root, dataset) != SIZE_MAX)
            cost += COST_LIFTED;
        else
            cost += COST_NEVER;
    }
    return cost;
}

static bool is_reference(const struct bound_query *query,
                         const struct term *term)
{
    return term->kind == TERM_FIELD &&
           field_is_id(field_of_ref(
               query, (struct field_ref){term->dataset, term->index}));
}

static size_t term_cost(struct bound_query *query, const struct choice *what,
                        const struct term *term)
{
    size_t cost = cost_of(query, term->dataset) * 4;
    cost += (size_t)(WEIGHT_TWICE - term->weight) * 40;
    cost += query_mentions(query, term->dataset) ? 0 : 2;
    if (is_reference(query, term) && choice_has(what, TERM_DATASET))
        cost += 400;
    return cost;
}

static const struct term *best_term(struct bound_query *query,
                                    const struct choice *what, size_t *least,
                                    const struct term **second)
{
    const struct term *best = NULL;
    size_t next = SIZE_MAX;
    *least = SIZE_MAX;
    *second = NULL;
    for (size_t i = 0; i < what->n; i++) {
        const struct term *t = &what->terms[i];
        if (t->kind != TERM_FIELD && t->kind != TERM_DATASET)
            continue;
        size_t cost = term_cost(query, what, t);
        if (cost < *least) {
            next = *least;
            *second = best;
            *least = cost;
            best = t;
        } else if (cost < next) {
            next = cost;
            *second = t;
        }
    }
    if (next >= COST_LIFTED * 4 ||
        (best && *second &&
         ((*second)->dataset == best->dataset || is_reference(query, *second))))
        *second = NULL;
    return best;
}

/* Nothing tells the two terms apart, so choosing one would be a guess. A field
 * of the rows that are measured is meant rather than one of another dataset, and
 * the customers' country rather than that of what customers have in turn; one of
 * two others is not meant because it is one join nearer. */
static bool is_guess(struct bound_query *query, const struct term *a,
                     const struct term *b)
{
    size_t nearer = cost_of(query, a->dataset),
           farther = cost_of(query, b->dataset);
    return a->weight == b->weight && a->kind == b->kind &&
           query_mentions(query, a->dataset) ==
               query_mentions(query, b->dataset) &&
           (nearer == farther ||
            (nearer > 0 && farther - nearer == 1 &&
             !reach_has(&query->reaches, a->dataset, b->dataset)));
}

/* "Customers by city" means "customer city" where city alone is out of
 * reach. */
static struct choice of_the_counted(struct bound_query *query,
                                    struct choice what)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_measures; i++) {
        const struct choice *measured = &q->measures[i].what;
        for (size_t j = 0; j < query->o->n_datasets; j++) {
            bool grain = false;
            for (size_t k = 0; k < query->measures[i].formula.n; k++)
                grain = grain ||
                        query->measures[i].formula.aggregates[k].grain == j;
            struct str phrase = arena_printf(
                query->arena, "%.*s %.*s",
                STR_ARG(singular(query->arena, query->o->datasets[j].name)),
                STR_ARG(what.words));
            struct choice found =
                grain ? choice_of(query->arena,
                                  vocabulary_find(&query->lexicon->vocabulary,
                                                  phrase),
                                  TERM_FIELD)
                      : (struct choice){.n = 0};
            if (found.n && measured->n) {
                found.words = what.words;
                return found;
            }
        }
    }
    return what;
}

/* ---- how a dimension is made -------------------------------------------- */

/* A name that says little without its dataset. */
static bool is_general(struct str name)
{
    static const char words[] = "name title label description";
    return list_has(words, name);
}

static struct str dimension_name(struct bound_query *query,
                                 struct field_ref ref, struct str name)
{
    if (!names_hold(query, name) && !is_general(name))
        return sql_column_name(name);
    struct str dataset =
        singular(query->arena, query->o->datasets[ref.dataset].name);
    char *copy = arena_cstr(query->arena, dataset);
    for (size_t i = 0; i < dataset.len; i++)
        if (copy[i] == ' ')
            copy[i] = '_';
    struct str longer = arena_printf(query->arena, "%.*s_%.*s",
                                     (int)dataset.len, copy, STR_ARG(name));
    for (size_t i = 2; names_hold(query, longer); i++)
        longer = arena_printf(query->arena, "%.*s_%zu", STR_ARG(longer), i);
    return sql_column_name(longer);
}

/* A text field of the dataset that the phrase names too: "support rep" is
 * employees and their last_name. */
static size_t named_label(const struct bound_query *query,
                          const struct choice *what, size_t dataset)
{
    for (size_t i = 0; i < what->n; i++) {
        const struct term *t = &what->terms[i];
        if (t->kind == TERM_FIELD && t->dataset == dataset &&
            field_is_text(&query->o->datasets[dataset].fields[t->index]))
            return t->index;
    }
    return SIZE_MAX;
}

static bool things_of(struct bound_query *query, const struct choice *what,
                      size_t dataset, struct dimension *dimension)
{
    const struct dataset *d = &query->o->datasets[dataset];
    size_t label = named_label(query, what, dataset);
    struct str name = {NULL, 0};
    size_t first, last;
    if (label == SIZE_MAX) {
        static const char parts[] = "first last given family surname forename";
        label = dataset_label(d);
        if (label != SIZE_MAX && name_has(d->fields[label].name, parts))
            dimension->of_names = name_fields(d, &first, &last);
        if (dimension->of_names)
            name = singular(query->arena, d->name);
    }
    for (size_t i = 0; label == SIZE_MAX && i < d->primary_key.n; i++)
        label = field_of_column(d, d->primary_key.items[i]);
    if (label == SIZE_MAX)
        return query_fails(query,
                           "the model does not say which field identifies %.*s",
                           STR_ARG(d->name));
    dimension->ref = (struct field_ref){dataset, label};
    dimension->unique = dataset_unique(d, &d->fields[label]);
    dimension->things = !dimension->unique && d->primary_key.n;
    dimension->name = dimension_name(query, dimension->ref,
                                     name.len ? name : d->fields[label].name);
    return true;
}

/* The phrase names the dataset too, so its rows are meant, not their
 * labels. */
static bool means_things(const struct choice *what, const struct term *term)
{
    for (size_t i = 0; i < what->n; i++)
        if (what->terms[i].kind == TERM_DATASET &&
            what->terms[i].dataset == term->dataset)
            return true;
    return term->kind == TERM_DATASET;
}

/* Money and the like, of which nearly each row has its own: "clients by turnover". */
static bool is_amount(const struct field *field)
{
    static const char words[] =
        "amount total revenue turnover sales cost costs income profit spend fee";
    return field_is_number(field) && !field_is_level(field) &&
           !field_is_year(field) && name_has(field->name, words);
}

/* "By home station": the numbers in the column say which station it is, and the
 * station has a name. SIZE_MAX: the field refers to nothing that has one, or not
 * in one way only. */
static size_t referred_by(struct bound_query *query, const struct term *term)
{
    const struct ontology *o = query->o;
    const struct dataset *d = &o->datasets[term->dataset];
    const struct field *field = &d->fields[term->index];
    const struct relationship *only = NULL;
    for (size_t i = 0; i < query->n_parts; i++)
        if (query->parts[i].root != term->dataset)
            return SIZE_MAX;
    for (size_t i = 0; i < o->n_relationships; i++) {
        const struct relationship *r = &o->relationships[i];
        if (r->from == term->dataset && r->from_columns.n == 1 &&
            field_of_column(d, r->from_columns.items[0]) == term->index)
            only = r;
    }
    /* Rows of the dataset itself would be grouped by their own names. */
    if (!only || only->to == only->from || !field_is_number(field) ||
        field_is_id(field) || dataset_label(&o->datasets[only->to]) == SIZE_MAX)
        return SIZE_MAX;
    for (size_t i = 0; i < o->n_relationships; i++)
        if (&o->relationships[i] != only &&
            o->relationships[i].from == only->from &&
            o->relationships[i].to == only->to)
            return SIZE_MAX;
    return only->to;
}

static bool field_dimension(struct bound_query *query, struct choice what,
                            struct dimension *dimension)
{
    size_t cost, other_cost;
    const struct term *second, *other;
    what = query_picked(query, what);
    const struct term *term = best_term(query, &what, &cost, &second);
    struct choice own =
        cost >= COST_LIFTED * 4 ? of_the_counted(query, what) : what;
    const struct term *better = best_term(query, &own, &other_cost, &other);
    if (better && other_cost < cost) {
        what = own;
        term = better;
        second = other;
    }
    if (!term)
        return query_fails(query, "I cannot break down by “%.*s”",
                           STR_ARG(what.words));
    if (second && is_guess(query, term, second))
        return query_asks_which(query, what.words, term, second);
    dimension->words = what.words;
    bool things = means_things(&what, term);
    if (!things && !query_settle_rival(query, what.words, &term))
        return false;
    if (second && second->weight == term->weight)
        query_note_meaning(
            query, what.words,
            things
                ? arena_printf(query->arena, "That of %.*s.",
                               STR_ARG(query->o->datasets[term->dataset].name))
                : term_sentence(query, term));
    size_t referred = things ? term->dataset : referred_by(query, term);
    if (referred != SIZE_MAX)
        return things_of(query, &what, referred, dimension);
    dimension->ref = (struct field_ref){term->dataset, term->index};
    const struct field *field = field_of_ref(query, dimension->ref);
    if (is_amount(field) && !query->question.lists && !dimension->beside)
        return query_fails(
            query,
            "“%.*s” is an amount, which makes no groups; say for "
            "example “top 10 … by %.*s”",
            STR_ARG(what.words), STR_ARG(what.words));
    if (!things && !state_check_group(query, what.words, dimension->ref))
        return false;
    dimension->is_time = field_is_date(field);
    dimension->is_year = field_is_year(field);
    dimension->name = dimension_name(query, dimension->ref, field->name);
    return true;
}

/* ---- parts that must begin lower ---------------------------------------- */

static struct str fan_out(struct bound_query *query, const struct part *part,
                          const struct dimension *dimension)
{
    const struct dataset *root = &query->o->datasets[part->root];
    const struct dataset *other = &query->o->datasets[dimension->ref.dataset];
    struct str words = query->measures[0].formula.words;
    for (size_t i = 0; i < query->n_measures; i++)
        for (size_t j = 0; j < query->measures[i].formula.n; j++)
            if (&query->parts[query->measures[i].part[j]] == part)
                words = query->measures[i].formula.words;
    size_t n;
    bool *wanted = arena_new_array(query->arena, bool, query->o->n_datasets);
    wanted[part->root] = wanted[dimension->ref.dataset] = true;
    size_t below = reach_common(&query->reaches, wanted, &n);
    if (below == SIZE_MAX)
        return arena_printf(query->arena,
                            "the model has no way from %.*s to %.*s that would "
                            "keep %.*s right",
                            STR_ARG(root->name), STR_ARG(other->name),
                            STR_ARG(words));
    struct str one = singular(query->arena, root->name);
    struct str many = query->o->datasets[below].name;
    if (can_lift(query, (size_t)(part - query->parts)))
        return arena_printf(
            query->arena,
            "%.*s and “%.*s” are joined in several ways, and the "
            "question does not say which; name one of the "
            "datasets between them",
            STR_ARG(root->name), STR_ARG(dimension->words));
    return arena_printf(query->arena,
                        "%.*s belongs to a whole %.*s, and one %.*s may have "
                        "several rows in %.*s, so that it cannot be split by "
                        "“%.*s” without counting it more than once",
                        STR_ARG(words), STR_ARG(one), STR_ARG(one),
                        STR_ARG(many), STR_ARG(dimension->words));
}

static bool lift_part(struct bound_query *query, size_t index,
                      const struct dimension *dimension)
{
    struct part *part = &query->parts[index];
    size_t old = part->root, to = dimension->ref.dataset;
    if (reach_has(&query->reaches, old, to))
        return true;
    size_t bridge =
        can_lift(query, index) ? query_bridge(query, old, to) : SIZE_MAX;
    if (bridge == SIZE_MAX)
        return query_fails(query, "%.*s",
                           STR_ARG(fan_out(query, part, dimension)));
    part->root = bridge;
    query_note(
        query,
        arena_printf(query->arena, "How do %.*s belong to “%.*s”?",
                     STR_ARG(query->o->datasets[old].name),
                     STR_ARG(dimension->words)),
        arena_printf(query->arena,
                     "Through %.*s; each of the %.*s counts once in each "
                     "group it appears in.",
                     STR_ARG(query->o->datasets[bridge].name),
                     STR_ARG(query->o->datasets[old].name)));
    for (size_t i = 0; i < query->n_measures; i++)
        for (size_t j = 0; j < query->measures[i].formula.n; j++)
            if (query->measures[i].part[j] == index)
                query->measures[i].adds = false;
    return true;
}

/* Only what says the time of day has hours. */
static bool part_dimension(struct bound_query *query,
                           const struct asked_dimension *asked,
                           struct dimension *dimension)
{
    bool several;
    for (size_t i = 0; asked->part == PART_HOUR && i < query->n_parts; i++) {
        struct field_ref time =
            time_nearest(query, query->parts[i].root,
                         &query->question.window_field, &several);
        if (time.dataset != SIZE_MAX &&
            str_find_nocase(field_of_ref(query, time)->datatype, STR("time")) <
                0)
            return query_fails(query, "%.*s has no time of day",
                               STR_ARG(field_ref_path(query, time)));
    }
    dimension->grain = UNIT_DAY;
    dimension->part = asked->part;
    dimension->name = asked->part == PART_HOUR ? STR("hour") : STR("weekday");
    dimension->words = dimension->name;
    return true;
}

static bool grain_dimension(struct bound_query *query,
                            const struct asked_dimension *asked,
                            struct dimension *dimension)
{
    const struct choice *said = &query->question.window_field;
    bool several, all = true;
    if (asked->part)
        return part_dimension(query, asked, dimension);
    for (size_t i = 0; i < query->n_parts; i++) {
        size_t root = query->parts[i].root;
        struct field_ref time = time_nearest(query, root, said, &several);
        all = all && time.dataset != SIZE_MAX &&
              (asked->grain != UNIT_YEAR || said->n || query->n_parts > 1 ||
               !year_is_nearer(query, root, time));
    }
    /* A column of years replaces a missing date. */
    if (!all && choice_has(&asked->what, TERM_FIELD))
        return field_dimension(query, asked->what, dimension);
    struct field_ref year = {SIZE_MAX, SIZE_MAX};
    if (!all && asked->grain == UNIT_YEAR && query->n_parts == 1)
        year = year_nearest(query, query->parts[0].root);
    if (year.dataset != SIZE_MAX) {
        dimension->ref = year;
        dimension->words = STR("year");
        dimension->is_year = true;
        dimension->name =
            dimension_name(query, year, field_of_ref(query, year)->name);
        return true;
    }
    dimension->grain = asked->grain;
    dimension->is_time = true;
    dimension->name = str_of(unit_words[asked->grain]);
    dimension->words = dimension->name;
    return true;
}

/* ---- columns next to a figure ------------------------------------------------ */

/* The way from the root to the dataset leads through that of the things, so that it
 * is what belongs to them. */
static bool is_through(struct bound_query *query, size_t root, size_t things,
                       size_t dataset)
{
    const struct reach *reach = reach_from(&query->reaches, root);
    while (dataset != things && dataset != root)
        dataset = reach->hop[dataset].from;
    return dataset == things;
}

/* Of each of the things there must be one. */
static bool beside_dimension(struct bound_query *query,
                             const struct asked_dimension *asked,
                             struct dimension *dimension)
{
    size_t things = query->dimensions[asked->owner].ref.dataset;
    struct str owner = query->dimensions[asked->owner].words;
    struct choice what = asked->what;
    what.terms = arena_new_array(query->arena, struct term, what.n);
    what.n = 0;
    for (size_t i = 0; i < asked->what.n; i++) {
        const struct term *t = &asked->what.terms[i];
        if (t->dataset != SIZE_MAX &&
            reach_has(&query->reaches, things, t->dataset))
            what.terms[what.n++] = *t;
    }
    bool fine = what.n > 0;
    if (fine && !field_dimension(query, what, dimension))
        return false;
    for (size_t i = 0; fine && i < query->n_parts; i++) {
        size_t root = query->parts[i].root, to = dimension->ref.dataset;
        fine = reach_has(&query->reaches, root, to) &&
               is_through(query, root, things, to);
    }
    return fine || query_fails(query,
                               "one of the %.*s may have several of “%.*s”, or "
                               "that of something else may be meant",
                               STR_ARG(owner), STR_ARG(what.words));
}

bool bind_dimensions(struct bound_query *query)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_dimensions; i++) {
        const struct asked_dimension *asked = &q->dimensions[i];
        struct dimension *d = &query->dimensions[i];
        *d = (struct dimension){.ranked = asked->ranked,
                                .sorts = asked->sorts,
                                .falling = asked->falling,
                                .beside = asked->beside,
                                .ref = {SIZE_MAX, SIZE_MAX}};
        bool fine = asked->beside  ? beside_dimension(query, asked, d)
                    : asked->grain ? grain_dimension(query, asked, d)
                                   : field_dimension(query, asked->what, d);
        if (!fine)
            return false;
        query->n_dimensions++;
        for (size_t j = 0; j < query->n_parts && !d->grain && !d->beside; j++)
            if (!lift_part(query, j, d))
                return false;
    }
    return true;
}
