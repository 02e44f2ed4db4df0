/* gold.c - a model that knows the answers: it plans one step with the set's
 * query. Where the set expects a refusal, a clarification or small talk, it
 * does that. */
#include "agent/consult.h"
#include "eval.h"
#include "guard/guard.h"
#include "base/banned.h"

static const struct eval *playing;

static const struct eval_question *gold_question(struct str text)
{
    for (size_t i = 0; i < playing->set.n; i++)
        if (str_eq(playing->set.questions[i].question, text))
            return &playing->set.questions[i];
    return NULL;
}

/* The datasets whose tables the query reads. */
static void name_datasets(struct arena *a, const struct run *r, struct str sql,
                          struct plan_step *step)
{
    const struct ontology *o = r->ontology->model;
    struct guard_policy policy = {.any_relation = true};
    struct guard_verdict verdict;
    guard_check(a, sql, &policy, &verdict);
    step->datasets = arena_new_array(a, struct str, o->n_datasets + 1);
    for (size_t d = 0; d < o->n_datasets; d++) {
        const struct dataset *dataset = &o->datasets[d];
        struct str full = arena_printf(a, "%.*s.%.*s", STR_ARG(dataset->schema),
                                       STR_ARG(dataset->table));
        bool reads = false;
        for (size_t i = 0; i < verdict.n_relations; i++)
            reads = reads || str_eq(verdict.relations[i], dataset->table) ||
                    str_eq(verdict.relations[i], full);
        if (reads && step->n_datasets < 40)
            step->datasets[step->n_datasets++] = dataset->name;
    }
}

static void plan_step_of(struct arena *a, const struct run *r,
                         const struct eval_question *q, struct plan *plan)
{
    struct plan_step *step = plan->steps = arena_new(a, struct plan_step);
    plan->n_steps = 1;
    *step = (struct plan_step){
        .id = 1, .description = STR("The gold query"), .strategy = STEP_SQL};
    if (q->n_sql) {
        name_datasets(a, r, q->sql[0], step);
        return;
    }
    /* a dataset that the ontology does not have */
    step->datasets = arena_new(a, struct str);
    step->datasets[step->n_datasets++] = STR("(not there)");
}

static struct str plan_reply(struct arena *a, const struct run *r,
                             const struct eval_question *q)
{
    struct plan *plan = arena_new(a, struct plan);
    plan->intent = q->id;
    plan->complexity = PLAN_SIMPLE;
    if (q->expect == ACT_TALK) {
        plan->complexity = PLAN_CONVERSATIONAL;
    } else if (q->expect == ACT_CLARIFY) {
        plan->should_clarify = true;
        plan->clarification_questions = arena_new(a, struct plan_clarification);
        plan->n_clarification_questions = 1;
        plan->clarification_questions[0] =
            (struct plan_clarification){.key = STR("meaning"),
                                        .question = STR("Which one is meant?"),
                                        .assumption = STR("The first")};
    } else {
        plan_step_of(a, r, q, plan);
    }
    return artifact_json(a, &plan_type, plan);
}

static struct str queries_reply(struct arena *a, const struct eval_question *q)
{
    struct query_specs specs = {0};
    struct query_spec spec = {.step_id = 1};
    if (q->n_sql) {
        spec.full_sql = q->sql[0];
        specs.queries = &spec;
        specs.n_queries = 1;
    }
    return artifact_json(a, &query_specs_type, &specs);
}

static const char no_checks[] =
    "```python\nimport json\nprint(json.dumps({\"checks\": [{\"name\": "
    "\"executed\", \"passed\": True, \"message\": \"gold\"}]}))\n```";

static enum err gold_reply(struct llm_call *c, struct arena *a)
{
    const struct phase_inputs *in = c->inputs;
    const struct eval_question *q = gold_question(in->run->load.question);
    c->finish = LLM_STOP;
    c->content = STR("");
    if (!q)
        return ERR_BAD_REPLY;
    switch (in->task) {
    case TASK_PLAN:
        c->content = plan_reply(a, in->run, q);
        break;
    case TASK_QUERIES:
        c->content = queries_reply(a, q);
        break;
    case TASK_VERIFY:
        c->content = STR(no_checks);
        break;
    case TASK_NAVIGATE:
    case TASK_EXPLAIN:
        c->content = STR("As the set has it.");
        if (c->on_text && in->task == TASK_EXPLAIN)
            c->on_text(c->who, c->content);
        break;
    case TASK_REPAIR: /* the set's query needs no repair */
    case TASK_PYTHON:
    case TASK_CSV:
    case TASK_EXPLORER:
    case TASK_REACT: /* eval uses the pipeline only */
        break;
    }
    return OK;
}

void eval_play_gold(const struct eval *e)
{
    static const struct llm_local gold = {.id = "gold", .answer = gold_reply};
    playing = e;
    llm_register_local(&gold);
}
