/* sql_builder.c - one query for each SQL step of the plan.
 *
 * What the guardrails find in the queries (names that the model has not, fan-out)
 * goes back to the model once, before anything runs. What stays is the executor's
 * and the verifier's to judge. */
#include "../context.h"
#include "agent/consult.h"
#include "llm/provider.h"
#include "gather.h"
#include "ontology/judgements.h"
#include "pipeline.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static struct next looked_up(struct flow *f), queries_heard(struct flow *f),
    correction_heard(struct flow *f), correction_failed(struct flow *f);

static bool wants_sql(const struct plan_step *step)
{
    return step->strategy != STEP_PYTHON;
}

struct next sql_builder_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct gather *g = here(f, struct gather);
    *g = (struct gather){.run = r, .phase = PHASE_SQL_BUILDER};
    size_t *datasets;
    g->n_datasets = pipeline_joined_datasets(r, &datasets);
    g->datasets = datasets;
    pipeline_of(r)->gather = g;
    return call(f, gather_begin, g, looked_up);
}

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

/* `who` is the text of the queries that are being revised: those of the run are
 * replaced before a correction is asked for. */
static struct llm_message *compose(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    const struct pipeline *p = pipeline_of(r);
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct str *earlier = t->who;
    const struct prompt_hole holes[] = {
        {"question", r->load.question, 0},
        {"plan", context_plan(a, r), budget / 2},
        {"datasets",
         context_datasets(a, r, p->gather->datasets, p->gather->n_datasets),
         budget},
        {"joins", context_joins(a, r), budget / 4},
        {"metrics", context_metrics(a, r), budget / 4},
        {"notes", p->join_plan->notes, budget / 4},
        {"samples", p->gather->samples, budget / 2},
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
                          .compose = compose,
                          .who = earlier,
                          .type = &query_specs_type,
                          .schema_name = "generate_queries",
                          .check = check,
                          .artifact = arena_new(&r->arena, struct query_specs),
                          .inputs = inputs};
    return call(f, consult_begin, t, queries_heard);
}

/* Queries for steps that want none are dropped; a step's first one counts. */
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

/* ---- the guardrails ------------------------------------------------------ */

static struct str faults(struct flow *f, const struct run *r)
{
    const struct pipeline *p = pipeline_of(r);
    struct arena_mark mark = arena_mark(flow_here(f));
    struct buf out;
    buf_init(&out, flow_here(f));
    for (size_t i = 0; i < p->queries->n_queries; i++) {
        const struct query_spec *q = &p->queries->queries[i];
        struct query_findings found;
        struct query_outline outline;
        query_recall(&r->ontology->judged, flow_here(f), r->ontology->model,
                     q->full_sql, &found, &outline);
        struct str mend = findings_to_mend(flow_here(f), &found);
        if (mend.len)
            buf_printf(&out, "\nQuery of step %lld:\n%.*s\n",
                       (long long)q->step_id, STR_ARG(mend));
    }
    if (!out.len) { /* as a rule; the memory serves what comes */
        arena_reset(flow_here(f), mark);
        return STR("");
    }
    return buf_view(&out);
}

/* The model sees its reply and what is wrong with it. */
static struct next correct(struct flow *f, struct str wrong)
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
                                "again, with these corrected.",
                                STR_ARG(wrong))};
    t->said = m;
    t->n_said = 2;
    t->tries = 0;
    t->purpose = STR("query_correction");
    t->artifact = arena_new(&r->arena, struct query_specs);
    return attempt(f, consult_begin, t, correction_heard, correction_failed);
}

/* A provider in this process would write the same again. */
static struct next queries_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    keep_wanted(r, r->consult->artifact);
    struct str wrong = faults(f, r);
    pipeline_of(r)->queries_judged = !wrong.len;
    if (!wrong.len || r->provider->model.provider->local)
        return back(f);
    return correct(f, wrong);
}

/* Only what was sent again counts: a step that was left out keeps its query. */
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

/* The queries stay as they were, with what is wrong with them. */
static struct next correction_failed(struct flow *f)
{
    if (failure(f) == ERR_BUDGET)
        return fail_with(f, ERR_BUDGET, failure_text(f));
    return back(f);
}
