/* bind_formula.c - binds what is measured: finds the term that is meant, and makes
 * its formula. */
#include "read/code.h"
#include "read/field.h"
#include "read/unit.h"
#include "query.h"
#include "sql/sql_text.h"
#include <assert.h>
#include "base/banned.h"

/* ---- which term is meant ------------------------------------------------ */

static const struct term *term_of(const struct choice *what,
                                  enum term_kind kind)
{
    const struct term *best = NULL;
    for (size_t i = 0; i < what->n; i++)
        if (what->terms[i].kind == kind &&
            (!best || what->terms[i].weight > best->weight))
            best = &what->terms[i];
    return best;
}

/* How many of the question's dimensions the dataset cannot reach. */
static size_t unreached(struct bound_query *query, size_t dataset)
{
    const struct question *q = &query->question;
    size_t missing = 0;
    for (size_t i = 0; i < q->n_dimensions; i++) {
        const struct choice *what = &q->dimensions[i].what;
        bool any = !what->n || q->dimensions[i].beside;
        for (size_t j = 0; j < what->n; j++)
            any = any ||
                  (what->terms[j].dataset != SIZE_MAX &&
                   reach_has(&query->reaches, dataset, what->terms[j].dataset));
        missing += !any;
    }
    return missing;
}

static size_t nearness(struct bound_query *query, size_t dataset)
{
    const struct question *q = &query->question;
    size_t far = 0;
    for (size_t i = 0; i < q->n_dimensions; i++) {
        size_t least = SIZE_MAX;
        for (size_t j = 0;
             !q->dimensions[i].beside && j < q->dimensions[i].what.n; j++) {
            size_t to = q->dimensions[i].what.terms[j].dataset;
            const struct reach *reach = reach_from(&query->reaches, dataset);
            if (to != SIZE_MAX && reach->distance[to] < least)
                least = reach->distance[to];
        }
        far += least == SIZE_MAX ? 0 : least;
    }
    return far;
}

/* Of several fields with the name, the one nearest to the dimensions. */
static const struct term *field_term(struct bound_query *query,
                                     const struct choice *what, bool number,
                                     bool *several, const struct term **tie)
{
    const struct term *best = NULL;
    size_t least = SIZE_MAX;
    *several = false;
    *tie = NULL;
    for (size_t i = 0; i < what->n; i++) {
        const struct term *t = &what->terms[i];
        struct field_ref ref = {t->dataset, t->index};
        if (t->kind != TERM_FIELD ||
            (number && !field_is_number(field_of_ref(query, ref)) &&
             !field_is_date(field_of_ref(query, ref))))
            continue;
        size_t cost = unreached(query, t->dataset) * 1000 +
                      (WEIGHT_TWICE - t->weight) * 100 +
                      (query_mentions(query, t->dataset) ? 0 : 10) +
                      nearness(query, t->dataset);
        *several = *several || (best && cost < 1000 && least < 1000);
        if (cost == least && cost < 1000 && t->dataset != best->dataset)
            *tie = t;
        else if (cost < least)
            *tie = NULL;
        if (cost < least) {
            least = cost;
            best = t;
        }
    }
    return best;
}

/* ---- of which dataset the rows are ----------------------------------------- */

/* The dataset has what the rows are broken down by or filtered by itself. */
static bool has_term(const struct choice *what, size_t dataset)
{
    for (size_t i = 0; i < what->n; i++)
        if (what->terms[i].kind == TERM_FIELD &&
            what->terms[i].dataset == dataset)
            return true;
    return false;
}

static bool has_date(const struct dataset *d)
{
    for (size_t i = 0; i < d->n_fields; i++)
        if (field_is_date(&d->fields[i]))
            return true;
    return false;
}

static bool fits_rest(const struct bound_query *query, size_t dataset)
{
    const struct question *q = &query->question;
    bool fits = q->n_dimensions > 0;
    for (size_t i = 0; i < q->n_dimensions; i++)
        fits = fits && (q->dimensions[i].beside ||
                        (q->dimensions[i].grain
                             ? has_date(&query->o->datasets[dataset])
                             : has_term(&q->dimensions[i].what, dataset)));
    for (size_t i = 0; i < q->n_filters; i++)
        if (q->filters[i].kind == FILTER_FIELD)
            fits = (fits || !q->n_dimensions) &&
                   has_term(&q->filters[i].what, dataset);
    return fits;
}

static bool is_named(const struct bound_query *query, size_t dataset)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_mentions; i++)
        if (q->mentions[i].n == 1 && q->mentions[i].terms[0].dataset == dataset)
            return true;
    return false;
}

/* Keeps those of the choice that the test lets through, unless none is. */
static void narrow(struct bound_query *query, struct choice *what,
                   bool (*test)(const struct bound_query *, size_t))
{
    struct choice left = *what;
    left.terms = arena_new_array(query->arena, struct term, what->n);
    left.n = 0;
    for (size_t i = 0; i < what->n; i++)
        if (test(query, what->terms[i].dataset))
            left.terms[left.n++] = what->terms[i];
    if (left.n)
        *what = left;
}

static bool ask_whose(struct bound_query *query, const struct choice *what)
{
    struct buf names;
    struct clarification *ask =
        clarification_new(query->arena,
                          arena_printf(query->arena, "Which “%.*s” are meant",
                                       STR_ARG(what->words)),
                          what->words);
    buf_init(&names, query->arena);
    for (size_t i = 0; i < what->n && i < ASK_OPTIONS; i++) {
        struct str name = query->o->datasets[what->terms[i].dataset].name;
        clarification_offer(ask, what->terms[i], spoken(query->arena, name));
        buf_printf(&names, "%s%.*s",
                   !i                                       ? ""
                   : i + 1 < what->n && i + 1 < ASK_OPTIONS ? ", "
                                                            : " or ",
                   STR_ARG(name));
    }
    return query_asks(query, ask, "“%.*s” may be those of %.*s; say which",
                      STR_ARG(what->words), STR_ARG(buf_view(&names)));
}

/* "Rows" of several datasets: those of the one that is named, or that has what
 * the question breaks them down by. */
static bool settle_rows(struct bound_query *query, struct choice *what)
{
    struct choice rows = choice_of(query->arena, *what, TERM_DATASET);
    if (rows.n < 2 || rows.n < what->n || !list_has(rows_words, rows.words))
        return true;
    narrow(query, &rows, is_named);
    bool named = rows.n == 1;
    if (!named)
        narrow(query, &rows, fits_rest);
    if (rows.n > 1)
        return ask_whose(query, &rows);
    if (!named)
        query_note_meaning(
            query, rows.words,
            arena_printf(
                query->arena, "Those of %.*s.",
                STR_ARG(query->o->datasets[rows.terms[0].dataset].name)));
    *what = rows;
    return true;
}

/* ---- expressions -------------------------------------------------------- */

static struct str field_aggregate(struct bound_query *query,
                                  enum function function, struct field_ref ref,
                                  struct str *problem)
{
    static const char *const calls[] = {"sum", "count", "count", "sum",
                                        "avg", "min",   "max",   ""};
    struct str sql =
        field_sql(query->arena, query->o, ref.dataset, ref.field, problem);
    if (function == FUNCTION_MEDIAN)
        return arena_printf(query->arena,
                            "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY %.*s)",
                            STR_ARG(sql));
    if (function == FUNCTION_COUNT || function == FUNCTION_DISTINCT)
        return arena_printf(query->arena, "COUNT(DISTINCT %.*s)", STR_ARG(sql));
    char name[8] = {0};
    for (size_t i = 0; calls[function][i]; i++)
        name[i] = (char)(calls[function][i] - 32);
    return arena_printf(query->arena, "%s(%.*s)", name, STR_ARG(sql));
}

static const char *function_word(enum function function)
{
    static const char *const words[] = {"total",   "number of", "number of",
                                        "total",   "average",   "minimum",
                                        "maximum", "median"};
    return words[function];
}

static bool refuse_function(struct bound_query *query, enum function function,
                            struct str what, const char *why)
{
    return query_fails(query, "“%s” cannot be applied to %.*s, %s",
                       function_word(function), STR_ARG(what), why);
}

static bool metric_allows(const struct formula *f, enum function function)
{
    struct str sql = f->bare ? f->aggregates[0].sql : STR("");
    bool average = str_eq_nocase(str_cut(sql, 0, 4), STR("avg("));
    switch (function) {
    case FUNCTION_NONE:
        return true;
    case FUNCTION_COUNT:
    case FUNCTION_DISTINCT:
        return f->bare && f->aggregates[0].counts;
    case FUNCTION_SUM:
        return f->bare && (f->aggregates[0].adds || f->aggregates[0].counts);
    case FUNCTION_AVERAGE:
        return average;
    default:
        return false;
    }
}

static bool metric_formula(struct bound_query *query, const struct term *term,
                           enum function function, struct bound_measure *m)
{
    const struct metric *metric = &query->o->metrics[term->index];
    size_t home = metric_home(query->arena, query->o, metric);
    formula_read(query->arena, query->o, metric->expression, home, &m->formula);
    m->formula.name = metric->name;
    m->formula.words = spoken(query->arena, metric->name);
    if (m->formula.problem.len)
        return query_fails(query, "the metric %.*s cannot be used: %.*s",
                           STR_ARG(metric->name), STR_ARG(m->formula.problem));
    if (!metric_allows(&m->formula, function))
        return refuse_function(query, function, m->formula.words,
                               "a metric with a formula of its own");
    return true;
}

static bool rows_formula(struct bound_query *query, size_t dataset,
                         struct bound_measure *m)
{
    struct str one = singular(query->arena, query->o->datasets[dataset].name);
    formula_read(query->arena, query->o, STR("COUNT(*)"), dataset, &m->formula);
    m->formula.words = arena_printf(
        query->arena, "number of %.*s",
        STR_ARG(spoken(query->arena, query->o->datasets[dataset].name)));
    m->formula.name = arena_printf(query->arena, "%.*s count", STR_ARG(one));
    return true;
}

static void note_function(struct bound_query *query, struct field_ref ref,
                          enum function function)
{
    query_note(query,
               arena_printf(query->arena, "How is %.*s to be summed up?",
                            STR_ARG(field_ref_path(query, ref))),
               function == FUNCTION_SUM ? STR("It is added up.")
                                        : STR("Its average is taken."));
}

/* "Latest birth date" of birth_dt, "earliest opened date" of opened_on. */
static void name_extreme(struct bound_query *query, const struct field *field,
                         enum function function, struct bound_measure *m)
{
    struct str parts[12];
    struct buf words;
    size_t n = full_words(query->arena, field->name, parts, 12);
    buf_init(&words, query->arena);
    buf_text(&words, function == FUNCTION_MINIMUM ? "earliest" : "latest");
    if (n > 1 && list_has("on at", parts[n - 1]))
        parts[n - 1] = STR("date");
    for (size_t i = 0; i < n; i++)
        buf_printf(&words, " %.*s", STR_ARG(parts[i]));
    m->formula.name = m->formula.words = buf_view(&words);
}

static void name_formula(struct bound_query *query, const struct field *field,
                         enum function function, struct bound_measure *m)
{
    if (m->when) {
        name_extreme(query, field, function, m);
        return;
    }
    bool counts = function == FUNCTION_COUNT || function == FUNCTION_DISTINCT;
    struct str words = spoken(query->arena, field->name);
    struct str one = singular(query->arena, field->name);
    if (function == FUNCTION_SUM && str_starts(words, STR("total"))) {
        m->formula.name = field->name;
        m->formula.words = words;
        return;
    }
    m->formula.name =
        counts ? arena_printf(query->arena, "%.*s count", STR_ARG(one))
               : arena_printf(query->arena, "%s %.*s", function_word(function),
                              STR_ARG(words));
    m->formula.words =
        arena_printf(query->arena, "%s %s%.*s", function_word(function),
                     counts ? "different " : "", STR_ARG(words));
}

/* "Repair cost", where the model has only its average: the sum may be meant. */
static bool may_be_sum(struct bound_query *query, struct field_ref ref)
{
    static const char amounts[] =
        "cost amount spend spending expense charge payment revenue sales income "
        "quantity volume";
    const struct field *field = field_of_ref(query, ref);
    return !field_is_level(field) && name_has(field->name, amounts) &&
           formula_is_mean(query->arena, query->o, ref.dataset, ref.field);
}

/* "Names and weights": one row for each name is not one for each of the things. */
static bool is_beside_names(const struct bound_query *query,
                            struct field_ref ref)
{
    const struct question *q = &query->question;
    const struct dataset *d = &query->o->datasets[ref.dataset];
    size_t label = dataset_label(d);
    for (size_t i = 0; i < q->n_dimensions && label != SIZE_MAX; i++) {
        const struct choice *what = &q->dimensions[i].what;
        for (size_t k = 0; k < what->n; k++)
            if (what->terms[k].kind == TERM_FIELD &&
                what->terms[k].dataset == ref.dataset &&
                what->terms[k].index == label &&
                list_has("name names", what->words) && d->primary_key.n &&
                !dataset_unique(d, &d->fields[label]))
                return true;
    }
    return false;
}

/* "How many vets": those that visits refer to are not all, unless these are what is
 * asked of. */
static bool counts_references(const struct bound_query *query,
                              struct field_ref ref)
{
    const struct question *q = &query->question;
    return field_refers(query->o, ref.dataset, ref.field) && !q->n_filters &&
           !q->n_dimensions && !q->n_havings && !window_is_set(&q->window);
}

static bool field_formula(struct bound_query *query, const struct term *term,
                          enum function function, struct bound_measure *m)
{
    static const char percents[] = "pct percent percentage";
    struct field_ref ref = {term->dataset, term->index};
    const struct field *field = field_of_ref(query, ref);
    struct str words = spoken(query->arena, field->name), problem = {NULL, 0};
    bool number = field_is_number(field), date = field_is_date(field);
    bool extreme = function == FUNCTION_MINIMUM || function == FUNCTION_MAXIMUM;
    /* "Payments" may be short for the day of a payment, which counts none. */
    if (date && (function == FUNCTION_COUNT || function == FUNCTION_DISTINCT))
        return refuse_function(query, function, words, "which is a date");
    if (function == FUNCTION_NONE && field_is_year(field))
        return refuse_function(query, function, words, "which is a year");
    if (function == FUNCTION_NONE && may_be_sum(query, ref))
        return query_fails(query,
                           "“%.*s” may be their total or their average; say "
                           "which",
                           STR_ARG(words));
    if (function == FUNCTION_NONE) {
        bool mean =
            field_is_level(field) ||
            formula_is_mean(query->arena, query->o, ref.dataset, ref.field);
        function = mean ? FUNCTION_AVERAGE : FUNCTION_SUM;
        if (is_beside_names(query, ref))
            return query_fails(query,
                               "“%.*s” of things that share a name would be "
                               "put together; say “list …”",
                               STR_ARG(words));
        if (!field_is_id(field))
            note_function(query, ref, function);
    }
    /* "Number of employees", where that is a number of each store. */
    if (function == FUNCTION_COUNT && number && !field_is_id(field)) {
        if (field_is_level(field) || has_unit(query->arena, field))
            return refuse_function(query, function, words, "which is no count");
        function = FUNCTION_SUM;
        note_function(query, ref, function);
    }
    bool counts = function == FUNCTION_COUNT || function == FUNCTION_DISTINCT;
    if (counts && counts_references(query, ref))
        return query_fails(query,
                           "“%.*s” would only be those that rows of %.*s "
                           "refer to",
                           STR_ARG(words),
                           STR_ARG(query->o->datasets[ref.dataset].name));
    if (function == FUNCTION_SUM && name_has(field->name, percents))
        return refuse_function(query, function, words, "which is a percentage");
    if (!counts &&
        (field_is_id(field) || field_refers(query->o, ref.dataset, ref.field)))
        return refuse_function(query, function, words, "which is a key");
    if (!counts && !number && !(extreme && date))
        return refuse_function(query, function, words, "which is no number");
    struct str sql = field_aggregate(query, function, ref, &problem);
    if (!problem.len)
        formula_read(query->arena, query->o, sql, ref.dataset, &m->formula);
    if (problem.len || m->formula.problem.len)
        return query_fails(query, "%.*s cannot be used: %.*s",
                           STR_ARG(field_ref_path(query, ref)),
                           STR_ARG(problem.len ? problem : m->formula.problem));
    m->when = extreme && (date || field_is_year(field));
    name_formula(query, field, function, m);
    return true;
}

/* "Number of cities" are the different ones. Codes are no things, and a name in the
 * singular is no kind of thing. */
static bool counts_kinds(struct bound_query *query, const struct choice *what,
                         const struct term *term)
{
    struct field_ref ref = {term->dataset, term->index};
    const struct field *field = field_of_ref(query, ref);
    struct str words = lower_case(query->arena, what->words);
    if (!field_is_text(field))
        return true;
    return !field_has_codes(field) &&
           !str_eq(word_stem(query->arena, words), words);
}

static bool one_formula(struct bound_query *query,
                        const struct asked_measure *asked,
                        struct bound_measure *m)
{
    struct choice picked = query_picked(query, asked->what);
    const struct choice *what = &picked;
    enum function function = asked->function;
    bool counts = function == FUNCTION_COUNT || function == FUNCTION_DISTINCT;
    bool plain = function == FUNCTION_NONE || function == FUNCTION_SUM;
    bool several;
    if (counts && !settle_rows(query, &picked))
        return false;
    const struct term *metric = term_of(what, TERM_METRIC);
    const struct term *rows = term_of(what, TERM_DATASET);
    const struct term *tie;
    const struct term *field = field_term(query, what, !counts, &several, &tie);
    if (metric && counts && rows) {
        struct bound_measure trial = {0};
        formula_read(query->arena, query->o,
                     query->o->metrics[metric->index].expression,
                     metric_home(query->arena, query->o,
                                 &query->o->metrics[metric->index]),
                     &trial.formula);
        if (trial.formula.problem.len ||
            !metric_allows(&trial.formula, function))
            metric = NULL;
    }
    if (metric && (plain || counts || !field))
        return metric_formula(query, metric, function, m);
    if (rows && (counts || (plain && !field)))
        return rows_formula(query, rows->dataset, m);
    if (!field)
        field = term_of(what, TERM_FIELD);
    if (field && tie)
        return query_asks_which(query, what->words, field, tie);
    if (field && several)
        query_note_meaning(query, what->words, term_sentence(query, field));
    if (field && function == FUNCTION_COUNT &&
        !counts_kinds(query, what, field))
        return refuse_function(
            query, function, what->words,
            "whose values are no things; say “number of different” for them");
    if (field)
        return field_formula(query, field, function, m);
    return refuse_function(query, function, what->words, "which is no number");
}

/* The things of "per album": those that the rows belong to. */
static bool things_formula(struct bound_query *query, struct choice what,
                           struct bound_measure *m)
{
    const struct term *rows = term_of(&what, TERM_DATASET);
    const struct dataset *d = &query->o->datasets[rows->dataset];
    if (d->primary_key.n != 1)
        return query_fails(query, "%.*s has no single key to count it by",
                           STR_ARG(d->name));
    struct str key = column_sql(query->arena, query->o, rows->dataset,
                                d->primary_key.items[0]);
    formula_read(
        query->arena, query->o,
        arena_printf(query->arena, "COUNT(DISTINCT %.*s)", STR_ARG(key)),
        rows->dataset, &m->formula);
    m->formula.words = singular(query->arena, d->name);
    return true;
}

/* "Per month": the months in which there are rows of what is measured. */
static bool periods_formula(struct bound_query *query,
                            const struct bound_measure *over,
                            enum time_unit unit, struct bound_measure *m)
{
    bool several;
    struct str problem = {NULL, 0};
    bool *uses = arena_new_array(query->arena, bool, query->o->n_datasets);
    for (size_t i = 0; i < over->formula.n; i++)
        for (size_t j = 0; j < query->o->n_datasets; j++)
            uses[j] = uses[j] || over->formula.aggregates[i].uses[j];
    size_t root = query_grain(query, uses);
    struct field_ref time = {SIZE_MAX, SIZE_MAX};
    if (root != SIZE_MAX)
        time =
            time_nearest(query, root, &query->question.window_field, &several);
    if (time.dataset == SIZE_MAX || year_is_nearer(query, root, time))
        return query_fails(query, "I do not see which date “per %s” is about",
                           unit_words[unit]);
    struct str date =
        field_sql(query->arena, query->o, time.dataset, time.field, &problem);
    formula_read(query->arena, query->o,
                 arena_printf(query->arena,
                              "COUNT(DISTINCT DATE_TRUNC('%s', %.*s))",
                              unit_words[unit], STR_ARG(date)),
                 time.dataset, &m->formula);
    m->formula.words = str_of(unit_words[unit]);
    return true;
}

/* One figure divided by another. */
static void formula_divide(struct bound_query *query, struct formula *a,
                           const struct formula *b, bool average)
{
    struct arena *arena = query->arena;
    struct aggregate *all =
        arena_new_array(arena, struct aggregate, a->n + b->n);
    struct str *pieces = arena_new_array(arena, struct str, a->n + b->n + 1);
    assert(a->pieces && b->pieces);
    for (size_t i = 0; i < a->n; i++) {
        all[i] = a->aggregates[i];
        pieces[i] = a->pieces[i];
    }
    for (size_t i = 0; i < b->n; i++) {
        all[a->n + i] = b->aggregates[i];
        pieces[a->n + i + 1] = b->pieces[i + 1];
    }
    pieces[0] = arena_printf(arena, "1.0 * (%.*s", STR_ARG(a->pieces[0]));
    struct str end = a->n ? a->pieces[a->n] : STR("");
    pieces[a->n] = arena_printf(arena, "%.*s) / NULLIF(%.*s", STR_ARG(end),
                                STR_ARG(b->pieces[0]));
    pieces[a->n + b->n] =
        arena_printf(arena, "%.*s, 0)", STR_ARG(pieces[a->n + b->n]));
    a->words = arena_printf(
        arena, average ? "average %.*s per %.*s" : "ratio of %.*s to %.*s",
        STR_ARG(a->words), STR_ARG(b->words));
    a->name = a->words;
    a->aggregates = all;
    a->pieces = pieces;
    a->n += b->n;
    a->bare = false;
}

/* The part of a figure that the filters leave, in percent of the whole. */
static bool formula_portion(struct bound_query *query, struct bound_measure *m)
{
    struct formula *f = &m->formula;
    struct arena *arena = query->arena;
    const struct aggregate *a = &f->aggregates[0];
    if (!f->bare || !(a->adds || (a->counts && a->arg.len)))
        return query_fails(query,
                           "%.*s does not add up, so there is no share of a "
                           "total",
                           STR_ARG(f->words));
    struct aggregate *both = arena_new_array(arena, struct aggregate, 2);
    struct str *pieces = arena_new_array(arena, struct str, 3);
    both[0] = both[1] = *a;
    pieces[0] = a->counts ? STR("100.0 * ") : STR("100.0 * COALESCE(");
    pieces[1] = a->counts ? STR(" / NULLIF(") : STR(", 0) / NULLIF(");
    pieces[2] = STR(", 0)");
    f->words =
        arena_printf(arena, "share of %.*s in percent", STR_ARG(f->words));
    f->name = STR("share_percent");
    f->aggregates = both;
    f->pieces = pieces;
    f->n = 2;
    f->bare = false;
    m->n_top = 1;
    m->portion = true;
    return true;
}

bool bind_formula(struct bound_query *query, const struct asked_measure *asked,
                  struct bound_measure *m)
{
    struct bound_measure under = {.adds = false};
    if (!one_formula(query, asked, m))
        return false;
    if (!asked->over)
        return true;
    if (query->question.portion)
        return formula_portion(query, m);
    bool average = asked->over->function == FUNCTION_DISTINCT;
    bool fine = asked->over->grain
                    ? periods_formula(query, m, asked->over->grain, &under)
                : average ? things_formula(query, asked->over->what, &under)
                          : one_formula(query, asked->over, &under);
    if (!fine)
        return false;
    m->n_top = average ? 0 : m->formula.n;
    m->tied = average;
    m->over = average && !asked->over->grain
                  ? term_of(&asked->over->what, TERM_DATASET)->dataset
                  : SIZE_MAX;
    formula_divide(query, &m->formula, &under.formula, average);
    return true;
}
