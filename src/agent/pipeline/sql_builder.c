/* sql_builder.c - writes a query for each SQL step of the plan.
 *
 *   sql_builder_begin -> (look_up) -> looked_up -> (the model) -> queries_heard
 *       -> (once) -> correction_heard
 *
 *   look_up_begin -> (trusted_examples) -> examples_known -> (gather)
 *       -> gathered -> (survey) -> surveyed
 *
 * Findings of the guardrails (unknown names, fan-out, rules) go back to the model
 * once, before anything runs. The executor and the verifier handle those that
 * remain. */
#include "../checks.h"
#include "../context.h"
#include "../dialect.h"
#include "../today.h"
#include "../survey_read.h"
#include "../trusted_search.h"
#include "agent/consult.h"
#include "llm/provider.h"
#include "gather.h"
#include "ontology/analysis_cache.h"
#include "pipeline.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static struct next look_up_begin(struct flow *f),
    examples_known(struct flow *f), gathered(struct flow *f),
    surveyed(struct flow *f), looked_up(struct flow *f),
    queries_heard(struct flow *f), correction_heard(struct flow *f),
    correction_failed(struct flow *f);

static bool wants_sql(const struct plan_step *step)
{
    return step->strategy != STEP_PYTHON;
}

struct next sql_builder_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (pipeline_of(r)->trusted)
        return back(f);
    return call(f, look_up_begin, r, looked_up);
}

/* ---- what the prompt needs ---------------------------------------------- */

static struct next look_up_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct trusted_comparison *x = pipeline_of(r)->comparison =
        here(f, struct trusted_comparison);
    x->run = r;
    x->out = &r->scratch;
    return call(f, trusted_examples_begin, x, examples_known);
}

static struct next examples_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct gather *g = here(f, struct gather);
    *g = (struct gather){.run = r, .phase = PHASE_SQL_BUILDER};
    size_t *datasets;
    g->n_datasets = pipeline_joined_datasets(r, &datasets);
    g->datasets = datasets;
    pipeline_of(r)->gather = g;
    return call(f, gather_begin, g, gathered);
}

static struct next gathered(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct pipeline *p = pipeline_of(r);
    p->survey = here(f, struct survey_read);
    *p->survey = (struct survey_read){.run = r,
                                      .datasets = p->gather->datasets,
                                      .n_datasets = p->gather->n_datasets,
                                      .memory = &r->scratch};
    return call(f, survey_read_begin, p->survey, surveyed);
}

static struct next surveyed(struct flow *f)
{
    struct pipeline *p = pipeline_of(locals(f, struct run));
    p->known = (struct pipeline_known){.datasets = p->gather->datasets,
                                       .n_datasets = p->gather->n_datasets,
                                       .samples = p->gather->samples,
                                       .dates = p->survey->dates,
                                       .values = p->survey->values,
                                       .trusted = p->comparison->examples};
    return back(f);
}

/* ---- the model ---------------------------------------------------------- */

static bool check(const void *artifact, struct artifact_problem *problem)
{
    const struct query_specs *s = artifact;
    for (size_t i = 0; i < s->n_queries; i++)
        if (s->queries[i].full_sql.len == 0) {
            snprintf(problem->text, sizeof problem->text,
                     "queries[%zu].fullSql: is empty", i);
            return false;
        }
    return true;
}

/* `who` is the text of the queries that are being revised; queries_heard
 * replaces those of the run. */
struct llm_message *sql_builder_prompt(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    const struct pipeline *p = pipeline_of(r);
    const struct pipeline_known *known = &p->known;
    const size_t *datasets = known->datasets;
    size_t n = known->n_datasets;
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct str *earlier = t->who;
    const struct prompt_hole holes[] = {
        {"engine", dialect_of(r->tools.source)->engine, 0},
        {"dialect", dialect_of(r->tools.source)->rules, 0},
        {"functions", context_functions(a), 0},
        {"owner", context_owner(a, r), budget / 4},
        {"question", r->load.question, 0},
        {"plan", context_plan(a, r), budget / 2},
        {"datasets", context_datasets(a, r, datasets, n, budget), budget},
        {"joins", context_joins(a, r), budget / 4},
        {"metrics", context_metrics(a, r, datasets, n), budget / 4},
        {"calendar", run_calendar(a, r), 0},
        {"dates", known->dates, budget / 8},
        {"values", known->values, budget / 8},
        {"examples", context_examples(a, r), budget / 4},
        {"notes", context_lines(a, p->join_plan->notes), budget / 4},
        {"samples", known->samples, budget / 2},
        {"trusted", known->trusted, budget / 2},
        {"earlier", *earlier, budget / 2},
        {"diagnosis", context_diagnosis(a, r), 4000},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "sql_builder", holes);
}

static struct next looked_up(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct consult *t = r->consult = here(f, struct consult);
    struct phase_inputs *inputs = here(f, struct phase_inputs);
    struct str *earlier = here(f, struct str);
    *inputs = (struct phase_inputs){.task = TASK_QUERIES, .run = r};
    *earlier = pipeline_of(r)->diagnosis.len ? context_queries(flow_here(f), r)
                                             : STR("");
    *t = (struct consult){.run = r,
                          .phase = PHASE_SQL_BUILDER,
                          .purpose = STR("query_generation"),
                          .compose = sql_builder_prompt,
                          .who = earlier,
                          .type = &query_specs_type,
                          .schema_name = "generate_queries",
                          .check = check,
                          .artifact = arena_new(&r->arena, struct query_specs),
                          .inputs = inputs};
    return call(f, consult_begin, t, queries_heard);
}

/* Drops queries for steps that want none, and all but the first of a step. */
static void keep_wanted(struct run *r, struct query_specs *s)
{
    struct pipeline *p = pipeline_of(r);
    size_t kept = 0;
    for (size_t i = 0; i < s->n_queries; i++) {
        const struct plan_step *step =
            plan_find_step(p->plan, s->queries[i].step_id);
        bool again = false;
        for (size_t k = 0; k < kept; k++)
            again = again || s->queries[k].step_id == s->queries[i].step_id;
        if (step && wants_sql(step) && !again)
            s->queries[kept++] = s->queries[i];
    }
    s->n_queries = kept;
    p->queries = s;
}

/* ---- the guardrails ----------------------------------------------------- */

static struct str findings_text(struct flow *f, const struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    struct arena_mark mark = arena_mark(flow_here(f));
    struct buf out;
    buf_init(&out, flow_here(f));
    for (size_t i = 0; i < p->queries->n_queries; i++) {
        const struct query_spec *q = &p->queries->queries[i];
        struct query_findings found;
        struct query_outline outline;
        analysis_cache_get(&r->ontology->judged, flow_here(f),
                           r->ontology->model, q->full_sql, &found, &outline);
        findings_for_question(flow_here(f), &found,
                              checks_question(flow_here(f), p->plan,
                                              r->load.question, q->step_id));
        struct str fix = findings_to_repair(flow_here(f), &found);
        if (fix.len)
            buf_printf(&out, "\nQuery of step %lld:\n%.*s\n",
                       (long long)q->step_id, STR_ARG(fix));
    }
    if (!out.len) { /* the usual case: frees the memory */
        arena_reset(flow_here(f), mark);
        return STR("");
    }
    return buf_view(&out);
}

/* The model reads its reply and what is wrong with it. */
static struct next ask_correction(struct flow *f, struct str wrong)
{
    struct run *r = locals(f, struct run);
    struct consult *t = r->consult;
    struct llm_message *m =
        arena_new_array(flow_here(f), struct llm_message, 2);
    m[0] =
        (struct llm_message){.role = LLM_ASSISTANT, .content = t->llm.content};
    m[1] = (struct llm_message){
        .role = LLM_USER,
        .content = arena_printf(&r->arena,
                                "These queries were judged by the model of the "
                                "data before running:\n%.*s\nSend all queries "
                                "again, with these corrected. A query that "
                                "answers the question as it is stays as it "
                                "is.",
                                STR_ARG(wrong))};
    t->said = m;
    t->n_said = 2;
    t->tries = 0;
    t->purpose = STR("query_correction");
    t->artifact = arena_new(&r->arena, struct query_specs);
    return attempt(f, consult_begin, t, correction_heard, correction_failed);
}

/* A provider in this process would write the same queries again. */
static struct next queries_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    keep_wanted(r, r->consult->artifact);
    struct str wrong = findings_text(f, r);
    pipeline_of(r)->queries_judged = !wrong.len;
    if (!wrong.len || r->provider->model.provider->local)
        return back(f);
    return ask_correction(f, wrong);
}

/* A step whose query was not sent again keeps the old one. */
static struct next correction_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct query_specs *before = pipeline_of(r)->queries,
                       *s = r->consult->artifact;
    struct query_spec *all = arena_new_array(
        &r->arena, struct query_spec, s->n_queries + before->n_queries + 1);
    memcpy(all, s->queries, s->n_queries * sizeof *all);
    memcpy(all + s->n_queries, before->queries,
           before->n_queries * sizeof *all);
    s->queries = all;
    s->n_queries += before->n_queries;
    keep_wanted(r, s);
    return back(f);
}

/* The queries stay as they are. */
static struct next correction_failed(struct flow *f)
{
    if (failure(f) == ERR_BUDGET)
        return fail_with(f, ERR_BUDGET, failure_text(f));
    return back(f);
}
