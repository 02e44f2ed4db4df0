/* sql_builder.c - one query for each SQL step of the plan. */
#include "../context.h"
#include "agent/consult.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static struct next looked_up(struct flow *f), queries_heard(struct flow *f);

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
    g->n_datasets = run_joined_datasets(r, &datasets);
    g->datasets = datasets;
    r->gather = g;
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

static struct next looked_up(struct flow *f)
{
    struct run *r = locals(f, struct run);
    size_t budget = agent_settings(r->agent)->prompt_budget;
    struct arena *scratch = prompt_scratch(f);
    struct consult *t = r->consult = here(f, struct consult);
    struct phase_inputs *inputs = here(f, struct phase_inputs);
    *inputs = (struct phase_inputs){.task = TASK_QUERIES, .run = r};
    const struct prompt_hole holes[] = {
        {"question", r->load.question, 0},
        {"plan", context_plan(scratch, r), budget / 2},
        {"datasets",
         context_datasets(scratch, r, r->gather->datasets, r->gather->n_datasets),
         budget},
        {"joins", context_joins(scratch, r), budget / 4},
        {"metrics", context_metrics(scratch, r), budget / 4},
        {"notes", r->join_plan->notes, budget / 4},
        {"samples", r->gather->samples, budget / 2},
        {"earlier", r->diagnosis.len ? context_queries(scratch, r) : STR(""),
         budget / 2},
        {"diagnosis", context_diagnosis(scratch, r), 4000},
        {NULL, STR(""), 0}};
    *t = (struct consult){.run = r, .phase = PHASE_SQL_BUILDER,
                       .purpose = STR("query_generation"),
                       .type = &query_specs_type,
                       .schema_name = "generate_queries", .check = check,
                       .artifact = arena_new(&r->arena, struct query_specs),
                       .inputs = inputs};
    t->messages =
        prompt_fill(flow_here(f), scratch, "sql_builder", holes,
                    &t->n_messages);
    return call(f, consult_begin, t, queries_heard);
}

/* Queries for steps that want none are dropped; a step's first one counts. */
static struct next queries_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct query_specs *s = r->consult->artifact;
    size_t kept = 0;
    for (size_t i = 0; i < s->n_queries; i++) {
        const struct plan_step *step =
            plan_find_step(r->plan, s->queries[i].step_id);
        bool again = false;
        for (size_t k = 0; k < kept; k++)
            again = again || s->queries[k].step_id == s->queries[i].step_id;
        if (step && wants_sql(step) && !again)
            s->queries[kept++] = s->queries[i];
    }
    s->n_queries = kept;
    r->queries = s;
    return back(f);
}
