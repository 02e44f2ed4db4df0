/* plan.c - the analysis as a plan, and the plan's queries.
 *
 * A plan has a step that answers and, where they apply, steps that compute
 * the total, look up values, count ties, and draw a chart (step_ids_of). */
#include "analysis.h"
#include "base/utf8.h"
#include "sql/compose.h"
#include "bind/why.h"
#include "base/banned.h"

enum { INTENT_MOST = 1000, TEXT_MOST = 300, NOTE_MOST = 1000 };

struct step_ids step_ids_of(struct bound_query *query)
{
    struct step_ids ids = {.answer = 1};
    int64_t next = 2;
    if (query_has_total(query))
        ids.total = next++;
    else if (query_has_keys(query))
        ids.keys = next++;
    if (query_lookup(query).len)
        ids.lookup = next++;
    if (query->question.top.n && query->n_dimensions)
        ids.ties = next++;
    if (query->question.chart && query->n_dimensions)
        ids.chart = next++;
    if (query_periods(query).len)
        ids.periods = next++;
    if (query_absent(query) != SIZE_MAX)
        ids.absent = next++;
    if (query_over(query) != SIZE_MAX)
        ids.over = next++;
    return ids;
}

/* ---- lists -------------------------------------------------------------- */

static void fill_names(struct arena *arena, const struct bound_query *query,
                       struct plan *plan)
{
    plan->metrics = arena_new_array(arena, struct str, query->n_measures + 1);
    for (size_t i = 0; i < query->n_measures; i++)
        plan->metrics[plan->n_metrics++] =
            utf8_first(query->measures[i].formula.words, TEXT_MOST);
    plan->dimensions =
        arena_new_array(arena, struct str, query->n_dimensions + 1);
    for (size_t i = 0; i < query->n_dimensions; i++)
        plan->dimensions[plan->n_dimensions++] =
            utf8_first(dimension_words(query, i), TEXT_MOST);
    size_t most = query->n_conditions + query->question.n_havings + 1;
    plan->filters = arena_new_array(arena, struct str, most);
    for (size_t i = 0; i < query->n_conditions; i++)
        plan->filters[plan->n_filters++] =
            utf8_first(condition_words(query, i), TEXT_MOST);
    for (size_t i = 0; i < query->question.n_havings; i++)
        plan->filters[plan->n_filters++] =
            utf8_first(query->question.havings[i].words, TEXT_MOST);
}

static void fill_notes(struct arena *arena, const struct bound_query *query,
                       struct plan *plan)
{
    const struct question *q = &query->question;
    plan->ambiguities =
        arena_new_array(arena, struct plan_ambiguity, q->n_notes + 1);
    for (size_t i = 0; i < q->n_notes; i++)
        plan->ambiguities[plan->n_ambiguities++] = (struct plan_ambiguity){
            .question = utf8_first(q->notes[i].question, NOTE_MOST),
            .assumption = utf8_first(q->notes[i].assumption, NOTE_MOST)};
}

static void fill_checks(struct arena *arena, struct bound_query *query,
                        const struct step_ids *ids, struct plan *plan)
{
    struct str *checks = plan->acceptance_checks =
        arena_new_array(arena, struct str, 8);
    size_t *n = &plan->n_acceptance_checks;
    checks[(*n)++] = STR("All expected columns are there");
    if (query->n_dimensions)
        checks[(*n)++] = utf8_first(
            arena_printf(arena, "There is %.*s", STR_ARG(grain_words(query))),
            TEXT_MOST);
    checks[(*n)++] = STR("No measure is missing");
    if (ids->total)
        checks[(*n)++] =
            STR("The groups add up to the total computed without them");
    if (ids->keys)
        checks[(*n)++] = STR("The joins repeat no row");
    if (ids->lookup)
        checks[(*n)++] = STR("The values asked for are in the data");
    if (query->question.top.n && query->n_dimensions)
        checks[(*n)++] = STR("There are no more rows than asked for");
    if (window_is_set(&query->question.window) && query->question.window.n)
        checks[(*n)++] = STR("All dates lie in the period");
}

/* ---- steps -------------------------------------------------------------- */

static struct plan_step *step_add(struct plan *plan, int64_t id,
                                  enum step_strategy strategy,
                                  struct str description)
{
    struct plan_step *step = &plan->steps[plan->n_steps++];
    *step =
        (struct plan_step){.id = id,
                           .strategy = strategy,
                           .description = utf8_first(description, INTENT_MOST)};
    return step;
}

static struct str columns_text(struct arena *arena, struct str_list columns)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < columns.n; i++)
        buf_printf(&out, "%s%.*s", i ? ", " : "", STR_ARG(columns.items[i]));
    return buf_view(&out);
}

/* Adds the step of another query, if it has an id. */
static void step_add_extra(struct plan *plan, int64_t id,
                           struct str_list datasets, const char *intent)
{
    if (!id)
        return;
    struct plan_step *step = step_add(plan, id, STEP_SQL, str_of(intent));
    step->datasets = datasets.items;
    step->n_datasets = datasets.n;
}

static void fill_steps(struct arena *arena, struct bound_query *query,
                       const struct step_ids *ids, struct plan *plan)
{
    struct str_list datasets = query_datasets(query);
    struct str words = query_words(query);
    plan->steps = arena_new_array(arena, struct plan_step, 7);
    struct plan_step *step =
        step_add(plan, ids->answer, STEP_SQL,
                 arena_printf(arena, "Compute %.*s", STR_ARG(words)));
    step->datasets = datasets.items;
    step->n_datasets = datasets.n;
    step->expected_output = utf8_first(
        arena_printf(
            arena, "%.*s; columns: %.*s", STR_ARG(grain_words(query)),
            STR_ARG(columns_text(arena, query_columns(query, FORM_ANSWER)))),
        INTENT_MOST);
    step_add_extra(
        plan, ids->total, datasets,
        "Compute the total of the same rows without a breakdown, to check "
        "that the groups add up to it");
    step_add_extra(plan, ids->keys, datasets,
                   "Count the joined rows by their key, to check that no row "
                   "counts twice");
    step_add_extra(plan, ids->lookup, datasets,
                   "Look up which field holds the value asked for");
    step_add_extra(
        plan, ids->ties, datasets,
        "Count those left out that have the same value as the last one "
        "shown");
    if (ids->chart) {
        step = step_add(plan, ids->chart, STEP_PYTHON,
                        arena_printf(arena, "Draw %.*s", STR_ARG(words)));
        step->depends_on = arena_new(arena, int64_t);
        step->depends_on[0] = ids->answer;
        step->n_depends_on = 1;
    }
    step_add_extra(plan, ids->periods, datasets,
                   "Find out which days the period has");
    step_add_extra(plan, ids->absent, datasets,
                   "Count those that have no row to count");
    step_add_extra(plan, ids->over, datasets,
                   "Compute the average over all of them, also over those that "
                   "have no row to count");
}

static struct str talk_intent(const struct analysis *analysis)
{
    static const char *const intents[] = {"",
                                          "A greeting",
                                          "Thanks",
                                          "To know what can be asked",
                                          "To know which data there is",
                                          "To know which metrics there are",
                                          "To know what a dataset holds",
                                          "To know how a metric is computed",
                                          "To have the last answer explained"};
    return str_of(intents[analysis->talk]);
}

static void fill_clarification(struct arena *arena,
                               const struct analysis *analysis,
                               struct plan *plan)
{
    const struct clarification *ask = analysis->ask;
    plan->should_clarify = true;
    plan->clarification_questions = arena_new(arena, struct plan_clarification);
    plan->n_clarification_questions = 1;
    plan->clarification_questions[0] = (struct plan_clarification){
        .key = utf8_first(ask->key, 60),
        .question = utf8_first(clarification_sentence(arena, ask), NOTE_MOST),
        .assumption = utf8_first(ask->labels[0], NOTE_MOST)};
}

bool analyst_plan(struct arena *arena, const struct analyst_context *context,
                  struct plan *plan)
{
    struct analysis analysis;
    *plan = (struct plan){.complexity = PLAN_CONVERSATIONAL};
    analysis_make(arena, context, &analysis);
    if (analysis.kind == ANALYSIS_TALK) {
        plan->intent = talk_intent(&analysis);
        return false;
    }
    if (analysis.kind == ANALYSIS_REFUSED && analysis.ask)
        fill_clarification(arena, &analysis, plan);
    if (analysis.kind == ANALYSIS_REFUSED) {
        plan->intent = utf8_first(
            arena_printf(arena, "Not answerable without a language model: %.*s",
                         STR_ARG(analysis.problem)),
            INTENT_MOST);
        return false;
    }
    struct bound_query *query = analysis.query;
    struct step_ids ids = step_ids_of(query);
    struct str window = window_days(query);
    if (analysis.why) {
        plan->complexity = PLAN_ANALYTICAL;
        fill_names(arena, query, plan);
        fill_notes(arena, query, plan);
        plan->grain = utf8_first(grain_words(query), TEXT_MOST);
        why_plan(arena, analysis.why, plan);
        return true;
    }
    plan->complexity = PLAN_ANALYTICAL;
    plan->intent = utf8_first(query_words(query), INTENT_MOST);
    plan->time_window =
        window.len ? utf8_first(window, TEXT_MOST) : (struct str){NULL, 0};
    plan->grain = utf8_first(grain_words(query), TEXT_MOST);
    fill_names(arena, query, plan);
    fill_notes(arena, query, plan);
    fill_checks(arena, query, &ids, plan);
    fill_steps(arena, query, &ids, plan);
    return true;
}

/* ---- queries ------------------------------------------------------------ */

static struct str notes_text(struct arena *arena, const struct question *q)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < q->n_notes; i++)
        buf_printf(&out, "%s%.*s %.*s", i ? " " : "",
                   STR_ARG(q->notes[i].question),
                   STR_ARG(q->notes[i].assumption));
    return utf8_first(buf_view(&out), 2000);
}

static bool is_in_plan(const struct plan *plan, int64_t id)
{
    return id && plan_find_step(plan, id);
}

static void spec_add(struct query_specs *specs, struct query_spec spec)
{
    specs->queries[specs->n_queries++] = spec;
}

static void spec_answer(struct bound_query *query, int64_t id,
                        struct query_specs *specs)
{
    struct str_list columns = query_columns(query, FORM_ANSWER);
    spec_add(specs,
             (struct query_spec){
                 .step_id = id,
                 .description = utf8_first(query_words(query), INTENT_MOST),
                 .pilot_sql = query_sql(query, FORM_PILOT),
                 .full_sql = query_sql(query, FORM_ANSWER),
                 .expected_columns = columns.items,
                 .n_expected_columns = columns.n,
                 .notes = notes_text(query->arena, &query->question)});
}

static void spec_extra(struct bound_query *query, int64_t id,
                       enum query_form form, struct str description,
                       struct query_specs *specs)
{
    struct str_list columns = query_columns(query, form);
    struct str sql = query_sql(query, form);
    spec_add(specs, (struct query_spec){.step_id = id,
                                        .description = description,
                                        .pilot_sql = sql,
                                        .full_sql = sql,
                                        .expected_columns = columns.items,
                                        .n_expected_columns = columns.n});
}

static void spec_lookup(struct bound_query *query, int64_t id,
                        struct query_specs *specs)
{
    struct str *columns = arena_new_array(query->arena, struct str, 3);
    struct str sql = query_lookup(query);
    columns[0] = STR("value");
    columns[1] = STR("field");
    columns[2] = STR("matches");
    spec_add(specs, (struct query_spec){.step_id = id,
                                        .description =
                                            STR("Which field holds the value"),
                                        .pilot_sql = sql,
                                        .full_sql = sql,
                                        .expected_columns = columns,
                                        .n_expected_columns = 3});
}

bool analyst_queries(struct arena *arena, const struct analyst_context *context,
                     const struct plan *plan, struct query_specs *specs)
{
    struct analysis analysis;
    *specs = (struct query_specs){.n_queries = 0};
    analysis_make(arena, context, &analysis);
    if (analysis.kind != ANALYSIS_DATA)
        return false;
    struct bound_query *query = analysis.query;
    struct step_ids ids = step_ids_of(query);
    if (analysis.why) {
        why_queries(arena, analysis.why, plan, specs);
        return specs->n_queries > 0;
    }
    specs->queries = arena_new_array(arena, struct query_spec, 6);
    if (is_in_plan(plan, ids.answer))
        spec_answer(query, ids.answer, specs);
    if (is_in_plan(plan, ids.total))
        spec_extra(query, ids.total, FORM_TOTAL,
                   STR("The total without a breakdown"), specs);
    if (is_in_plan(plan, ids.keys))
        spec_extra(query, ids.keys, FORM_KEYS,
                   STR("The joined rows and their keys"), specs);
    if (is_in_plan(plan, ids.lookup))
        spec_lookup(query, ids.lookup, specs);
    if (is_in_plan(plan, ids.ties))
        spec_extra(query, ids.ties, FORM_TIES,
                   STR("How many equal the last one shown"), specs);
    if (is_in_plan(plan, ids.periods))
        spec_add(specs, periods_spec(query, ids.periods));
    if (is_in_plan(plan, ids.absent))
        spec_extra(query, ids.absent, FORM_ABSENT,
                   STR("How many have no row to count"), specs);
    if (is_in_plan(plan, ids.over))
        spec_extra(query, ids.over, FORM_OVER,
                   STR("The average over all of them"), specs);
    return specs->n_queries > 0;
}
