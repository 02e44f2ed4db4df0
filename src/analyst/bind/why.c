/* why.c - makes the queries of a why-question: the series, the metrics, and
 * the breakdowns, all bound from the same plain question. */
#include "why.h"
#include "base/utf8.h"
#include "sql/compose.h"
#include "read/field.h"
#include "base/banned.h"

enum {
    MONTHS_BACK = 6,
    METRICS_TRIED = 40,
    FIELDS_OF_KIND = 4,
    HOPS_MOST = 4,
    TEXT_MOST = 1000
};

/* ---- the plain question ------------------------------------------------- */

static void say_period(struct bound_query *query)
{
    struct question *q = &query->question;
    if (!window_is_set(&q->window)) {
        q->window = (struct window){.relative = RELATIVE_LATEST,
                                    .unit = UNIT_MONTH,
                                    .count = MONTHS_BACK,
                                    .words = STR("the last 6 months")};
    }
    question_note(q, STR("What is it compared with?"),
                  STR("The same period a year before, up to the same day."));
}

static bool fit_window(const struct window *w)
{
    return !w->weekdays &&
           (w->relative ||
            (w->n == 1 && w->ranges[0].has_from && w->ranges[0].has_to));
}

static struct bound_query *query_copy(const struct bound_query *plain)
{
    struct bound_query *query = arena_new(plain->arena, struct bound_query);
    *query = *plain;
    return query;
}

/* The metric in the question, else the first that adds up. */
static bool say_measure(struct bound_query *query)
{
    const struct ontology *o = query->o;
    struct question *q = &query->question;
    for (size_t i = 0; !q->n_measures && i < o->n_metrics; i++) {
        struct formula f = {.n = 0};
        formula_read(query->arena, o, o->metrics[i].expression,
                     metric_home(query->arena, o, &o->metrics[i]), &f);
        if (f.problem.len || !f.bare || !f.aggregates[0].adds)
            continue;
        struct choice found =
            vocabulary_find(&query->lexicon->vocabulary, o->metrics[i].name);
        q->measures[q->n_measures++] = (struct asked_measure){
            .what = choice_of(query->arena, found, TERM_METRIC)};
        question_note(
            q, STR("What is it measured by?"),
            arena_printf(query->arena,
                         "By %.*s, the first metric of the model that "
                         "adds up.",
                         STR_ARG(o->metrics[i].name)));
    }
    q->n_measures = q->n_measures > 1 ? 1 : q->n_measures;
    return q->n_measures > 0;
}

/* Removes the value asked about from the conditions; it becomes the side. */
static void take_side(struct bound_query *query)
{
    if (!query->n_conditions)
        return;
    query->side = &query->conditions[--query->n_conditions];
}

static void add_contrast(struct bound_query *query, enum contrast contrast)
{
    if (contrast == CONTRAST_SIDE && !query->side)
        return;
    struct str name = contrast == CONTRAST_SIDE ? STR("side") : STR("period");
    query->dimensions[query->n_dimensions++] =
        (struct dimension){.contrast = contrast,
                           .ref = {SIZE_MAX, SIZE_MAX},
                           .name = name,
                           .words = name};
}

static struct bound_query *series_of(const struct bound_query *plain)
{
    struct bound_query *query = query_copy(plain);
    struct question *q = &query->question;
    q->n_dimensions = 1;
    q->dimensions[0] = (struct asked_dimension){.grain = UNIT_MONTH};
    q->window = (struct window){.n = 0};
    if (!query_bind(query))
        return query;
    take_side(query);
    add_contrast(query, CONTRAST_SIDE);
    return query;
}

static struct bound_query *part_of(const struct bound_query *plain,
                                   struct choice by)
{
    struct bound_query *query = query_copy(plain);
    struct question *q = &query->question;
    q->n_dimensions = by.n ? 1 : 0;
    q->dimensions[0] = (struct asked_dimension){.what = by};
    if (!query_bind(query))
        return query;
    take_side(query);
    query->year_before = true;
    add_contrast(query, CONTRAST_PERIOD);
    add_contrast(query, CONTRAST_SIDE);
    return query;
}

/* Every part must reach the side without a bridge. */
static bool knows_side(struct bound_query *query)
{
    const struct condition *c = query->side;
    for (size_t p = 0; c && p < query->n_parts; p++) {
        if (!c->n_searches &&
            !reach_has(&query->reaches, query->parts[p].root, c->ref.dataset))
            return false;
        for (size_t i = 0; i < c->n_searches; i++)
            for (size_t j = 0; j < c->searches[i].n; j++)
                if (!reach_has(&query->reaches, query->parts[p].root,
                               c->searches[i].candidates[j].dataset))
                    return false;
    }
    return true;
}

/* ---- other metrics ------------------------------------------------------ */

/* The query with one more metric; NULL when it cannot be bound. */
static struct bound_query *with_metric(const struct bound_query *plain,
                                       const struct question *so_far,
                                       size_t metric, struct question *grown)
{
    *grown = *so_far;
    struct choice found = vocabulary_find(&plain->lexicon->vocabulary,
                                          plain->o->metrics[metric].name);
    struct choice own = choice_of(plain->arena, found, TERM_METRIC);
    size_t n = 0;
    for (size_t i = 0; i < own.n; i++)
        if (own.terms[i].index == metric)
            own.terms[n++] = own.terms[i];
    own.n = n;
    if (!n || grown->n_measures == QUESTION_MEASURES)
        return NULL;
    grown->measures[grown->n_measures++] = (struct asked_measure){.what = own};
    struct bound_query trial = *plain;
    trial.question = *grown;
    struct bound_query *query = part_of(&trial, (struct choice){.n = 0});
    if (query->problem.len || !knows_side(query))
        return NULL;
    /* The day a store opened does not date any measure. */
    for (size_t p = 1; p < query->n_parts; p++)
        if (!field_of_ref(query, query->parts[p].time)->is_time)
            return NULL;
    return query;
}

static struct bound_query *metrics_of(const struct bound_query *plain)
{
    struct bound_query *best = part_of(plain, (struct choice){.n = 0});
    struct question so_far = plain->question, grown;
    /* Metrics of other rows come first, because they tell the most. */
    for (size_t pass = 0; pass < 2 && !best->problem.len; pass++)
        for (size_t i = 0; i < plain->o->n_metrics && i < METRICS_TRIED; i++) {
            struct bound_query *query = with_metric(plain, &so_far, i, &grown);
            bool more = query && query->n_measures > best->n_measures;
            if (!more || (pass == 0 && query->n_parts == best->n_parts))
                continue;
            best = query;
            so_far = grown;
        }
    return best;
}

/* ---- dimensions --------------------------------------------------------- */

static struct choice field_choice(const struct bound_query *query,
                                  struct field_ref ref)
{
    struct term term = {TERM_FIELD, WEIGHT_TWICE, ref.dataset, ref.field};
    struct str words = spoken(query->arena, field_of_ref(query, ref)->name);
    if (ref.field == dataset_label(&query->o->datasets[ref.dataset]))
        words = singular(query->arena, query->o->datasets[ref.dataset].name);
    return choice_one(query->arena, term, words, 1);
}

/* Fields of the side's own dataset would repeat the side. */
static bool is_of_side(const struct condition *side, size_t dataset)
{
    if (!side)
        return false;
    if (!side->n_searches)
        return side->ref.dataset == dataset;
    return side->searches[0].candidates[0].dataset == dataset;
}

/* A time by another name: that last year's season has nothing this year explains
 * nothing. */
static bool is_span(struct str name)
{
    static const char words[] =
        "season seasons year years quarter quarters month months week weeks "
        "period periods term terms semester semesters";
    return name_has(name, words);
}

/* A small dataset is a grouping itself: genres, media types. */
static size_t best_grouping(const struct dataset *d, int *score)
{
    size_t best = dataset_label(d);
    *score = 0;
    if (is_span(d->name))
        return SIZE_MAX;
    if (best != SIZE_MAX && d->n_fields <= FIELDS_OF_KIND &&
        d->primary_key.n == 1) {
        *score = 3;
        return best;
    }
    for (size_t i = 0; i < d->n_fields; i++) {
        int own = field_grouping(d, &d->fields[i]);
        if (own > *score && !is_span(d->fields[i].name)) {
            *score = own;
            best = i;
        }
    }
    return best;
}

static void add_part(struct why *why, struct bound_query *part)
{
    if (part->n_dimensions && part->dimensions[0].name.len)
        for (size_t i = 0; i < why->n_parts; i++)
            if (str_eq(why->parts[i]->dimensions[0].name,
                       part->dimensions[0].name))
                return;
    if (!part->problem.len && knows_side(part) && why->n_parts < WHY_PARTS)
        why->parts[why->n_parts++] = part;
}

/* The dimensions in the question, else the best one of each dataset in
 * reach. */
static void find_parts(struct why *why, const struct bound_query *plain)
{
    const struct question *q = &plain->question;
    struct bound_query *bound = why->metrics;
    for (size_t i = 0; i < q->n_dimensions; i++)
        if (!q->dimensions[i].grain)
            add_part(why, part_of(plain, q->dimensions[i].what));
    if (why->n_parts)
        return;
    const struct reach *reach =
        reach_from(&bound->reaches, why->series->parts[0].root);
    for (int wanted = 3; wanted > 0; wanted--)
        for (size_t far = 0; far <= HOPS_MOST; far++)
            for (size_t i = 0; i < plain->o->n_datasets; i++) {
                int score;
                size_t field = best_grouping(&plain->o->datasets[i], &score);
                if (score == wanted && reach->distance[i] == far &&
                    !is_of_side(why->series->side, i))
                    add_part(why,
                             part_of(plain,
                                     field_choice(
                                         plain, (struct field_ref){i, field})));
            }
}

static struct str why_problem(struct bound_query *query)
{
    if (query->problem.len)
        return query->problem;
    query_sql(query, FORM_ANSWER);
    return query->problem;
}

struct why *why_make(struct bound_query *plain, struct str *problem)
{
    struct question *q = &plain->question;
    struct why *why = arena_new(plain->arena, struct why);
    q->top = (struct top){.n = 0};
    q->share = q->compare = false;
    *problem = STR("I do not see of what you want to know why; name a value, a "
                   "metric or a period");
    if (!q->n_measures && !q->n_filters && !window_is_set(&q->window))
        return NULL;
    say_period(plain);
    *problem =
        STR("I can look for reasons only for one value, one metric and one "
            "period at a time");
    if (!say_measure(plain) || q->n_filters > 1 || q->n_havings ||
        !fit_window(&q->window) ||
        (q->n_filters &&
         (q->filters[0].negated || q->filters[0].n_values != 1)))
        return NULL;
    why->series = series_of(plain);
    *problem = why_problem(why->series);
    if (problem->len)
        return NULL;
    *problem = STR("I can take apart only figures that add up");
    if (!why->series->measures[0].adds || !knows_side(why->series))
        return NULL;
    why->sided = why->series->side != NULL;
    why->value =
        why->sided ? why->series->side->asked->values[0].text : STR("");
    why->metrics = metrics_of(plain);
    *problem = why_problem(why->metrics);
    if (problem->len)
        return NULL;
    find_parts(why, plain);
    why->series->question = plain->question;
    for (size_t i = 0; i < why->metrics->question.n_notes; i++)
        question_note(&why->series->question,
                      why->metrics->question.notes[i].question,
                      why->metrics->question.notes[i].assumption);
    why->series->question.window = (struct window){.n = 0};
    return why;
}

/* ---- plan and queries --------------------------------------------------- */

int64_t why_chart_step(const struct why *why)
{
    return (int64_t)why->n_parts + 3;
}

int64_t why_periods_step(const struct why *why)
{
    return query_periods(why->metrics).len ? why_chart_step(why) + 1 : 0;
}

static struct bound_query *query_of_step(const struct why *why, int64_t id)
{
    return id == 1 ? why->series : id == 2 ? why->metrics : why->parts[id - 3];
}

static struct str subject_words(const struct why *why, struct arena *arena)
{
    struct str metric = why->series->measures[0].formula.words;
    if (!why->sided)
        return metric;
    return arena_printf(arena, "%.*s of %.*s and of all others",
                        STR_ARG(metric), STR_ARG(why->value));
}

static struct str step_words(struct why *why, struct arena *arena, int64_t id)
{
    struct str about = subject_words(why, arena);
    if (id == 1)
        return arena_printf(arena, "Follow %.*s by month", STR_ARG(about));
    if (id == 2)
        return arena_printf(
            arena, "Compare every metric now and a year before%s%.*s",
            why->sided ? ", for all others and for " : "", STR_ARG(why->value));
    return arena_printf(arena, "Compare %.*s now and a year before by %.*s",
                        STR_ARG(about),
                        STR_ARG(dimension_words(why->parts[id - 3], 0)));
}

void why_plan(struct arena *arena, struct why *why, struct plan *plan)
{
    int64_t chart = why_chart_step(why);
    int64_t periods = why_periods_step(why);
    plan->steps = arena_new_array(arena, struct plan_step, (size_t)chart + 1);
    for (int64_t id = 1; id < chart; id++) {
        struct bound_query *query = query_of_step(why, id);
        struct str_list datasets = query_datasets(query);
        plan->steps[plan->n_steps++] = (struct plan_step){
            .id = id,
            .strategy = STEP_SQL,
            .datasets = datasets.items,
            .n_datasets = datasets.n,
            .description = utf8_first(step_words(why, arena, id), TEXT_MOST),
            .expected_output = utf8_first(grain_words(query), TEXT_MOST)};
    }
    struct plan_step *draw = &plan->steps[plan->n_steps++];
    *draw = (struct plan_step){.id = chart,
                               .strategy = STEP_PYTHON,
                               .description = STR("Draw step 1"),
                               .n_depends_on = 1};
    draw->depends_on = arena_new(arena, int64_t);
    draw->depends_on[0] = 1;
    if (periods)
        plan->steps[plan->n_steps++] = (struct plan_step){
            .id = periods,
            .strategy = STEP_SQL,
            .datasets = plan->steps[1].datasets,
            .n_datasets = plan->steps[1].n_datasets,
            .description = STR("Find out which days the period has")};
    struct str metric = why->series->measures[0].formula.words;
    plan->intent = utf8_first(
        arena_printf(
            arena, "Find where %.*s%s%.*s departs from the year before%s",
            STR_ARG(metric), why->sided ? " of " : "", STR_ARG(why->value),
            why->sided ? " and from all others" : ""),
        TEXT_MOST);
    plan->time_window = utf8_first(window_days(why->metrics), 300);
}

void why_queries(struct arena *arena, struct why *why, const struct plan *plan,
                 struct query_specs *specs)
{
    int64_t chart = why_chart_step(why), periods = why_periods_step(why);
    specs->queries =
        arena_new_array(arena, struct query_spec, (size_t)chart + 1);
    for (int64_t id = 1; id < chart; id++) {
        struct bound_query *query = query_of_step(why, id);
        struct str_list columns = query_columns(query, FORM_ANSWER);
        if (!plan_find_step(plan, id))
            continue;
        specs->queries[specs->n_queries++] = (struct query_spec){
            .step_id = id,
            .description = utf8_first(step_words(why, arena, id), TEXT_MOST),
            .pilot_sql = query_sql(query, FORM_PILOT),
            .full_sql = query_sql(query, FORM_ANSWER),
            .expected_columns = columns.items,
            .n_expected_columns = columns.n};
    }
    if (periods && plan_find_step(plan, periods))
        specs->queries[specs->n_queries++] =
            periods_spec(why->metrics, periods);
}
