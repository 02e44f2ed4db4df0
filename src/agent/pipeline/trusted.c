/* trusted.c - answers a question from a trusted answer; see trusted.h.
 *
 *   trusted_answer_begin -> (agent/trusted_search.c) -> answer_found */
#include "trusted.h"
#include "../trusted_search.h"
#include "agent/results.h"
#include "base/utf8.h"
#include "tool/query_guard.h"
#include "joins.h"
#include "llm/provider.h"
#include "base/banned.h"

enum { DESCRIPTION_MOST = 1000, DATASETS_MOST = 40 };

static struct next answer_found(struct flow *f);

/* ---- the same question ---------------------------------------------------- */

struct next trusted_answer_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct pipeline *p = pipeline_of(r);
    p->trusted = NULL;
    p->search = here(f, struct trusted_search);
    p->search->run = r;
    if (p->untrusted)
        return go(f, answer_found);
    return call(f, trusted_search_begin, p->search, answer_found);
}

static bool reads_dataset(const struct guard_verdict *v, struct str search,
                          const struct dataset *d)
{
    for (size_t i = 0; i < v->n_relations && i < DATASETS_MOST; i++) {
        struct str name = v->relations[i];
        ptrdiff_t dot = str_find_char(name, '.');
        struct str schema = dot < 0 ? search : str_cut(name, 0, (size_t)dot);
        struct str table = dot < 0 ? name : str_from(name, (size_t)dot + 1);
        if (d->table.len && str_eq(table, d->table) &&
            str_eq(schema, d->schema))
            return true;
    }
    return false;
}

static void put_datasets(struct flow *f, struct run *r, struct plan_step *step,
                         struct str sql)
{
    const struct ontology *o = r->ontology->model;
    const struct guard_policy policy =
        query_policy(r->ontology, r->tools.source);
    struct guard_verdict verdict;
    guard_check(flow_here(f), sql, &policy, &verdict);
    step->datasets = arena_new_array(&r->arena, struct str, DATASETS_MOST);
    for (size_t i = 0; i < o->n_datasets && step->n_datasets < DATASETS_MOST;
         i++)
        if (reads_dataset(&verdict, policy.search_schema, &o->datasets[i]))
            step->datasets[step->n_datasets++] = o->datasets[i].name;
}

/* The built-in analyst cannot draw what it has not planned; the page draws. */
static bool wants_chart(const struct run *r, struct str wording)
{
    static const char *const words[] = {"chart", "plot", "diagram", "histogram",
                                        "graph"};
    bool wants = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        wants = wants || str_find(wording, str_of(words[i])) >= 0;
    return wants && !r->provider->model.provider->local;
}

static void make_plan(struct flow *f, struct run *r,
                      const struct trusted_search *x)
{
    struct pipeline *p = pipeline_of(r);
    const struct trusted_match *m = &x->match;
    struct plan *plan = p->plan = arena_new(&r->arena, struct plan);
    struct plan_step *step = arena_new(&r->arena, struct plan_step);
    struct str text = utf8_first(m->question, DESCRIPTION_MOST);
    *plan = (struct plan){
        .complexity = PLAN_SIMPLE, .intent = text, .steps = step, .n_steps = 1};
    *step = (struct plan_step){.id = 1,
                               .description = text,
                               .strategy = wants_chart(r, x->key.wording)
                                               ? STEP_SQL_THEN_PYTHON
                                               : STEP_SQL};
    put_datasets(f, r, step, m->sql);
    p->queries = arena_new(&r->arena, struct query_specs);
    p->queries->queries = arena_new(&r->arena, struct query_spec);
    p->queries->queries[0] = (struct query_spec){
        .step_id = 1, .description = text, .full_sql = m->sql};
    p->queries->n_queries = 1;
}

static struct next answer_found(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct pipeline *p = pipeline_of(r);
    if (!p->search->usable) {
        if (r->attempt > 1)
            trusted_mark_record(r, NULL);
        return back(f);
    }
    make_plan(f, r, p->search);
    p->trusted = trusted_search_mark(p->search);
    run_record_artifact(r, "queries", &query_specs_type, p->queries, false);
    return back(f);
}

/* ---- later phases --------------------------------------------------------- */

void trusted_joins(struct flow *f, struct run *r)
{
    struct pipeline *p = pipeline_of(r);
    struct join_tree tree;
    p->cannot_answer = NULL;
    p->join_plan = arena_new(&r->arena, struct join_plan);
    joins_of_plan(flow_here(f), r, &tree);
    joins_put(r, p->join_plan, &tree,
              joins_decide(r->ontology->model, &tree, STR("")));
}

bool trusted_failed(const struct run *r)
{
    return pipeline_of(r)->trusted && r->results && r->results->n_results &&
           !r->results->results[0].sql_result;
}

static void forget(struct run *r)
{
    struct pipeline *p = pipeline_of(r);
    p->trusted = NULL;
    p->queries = NULL;
    p->join_plan = NULL;
    r->results = NULL;
    r->full_data = NULL;
    p->untrusted = true;
}

enum phase trusted_drop(struct run *r)
{
    forget(r);
    trusted_mark_record(r, NULL);
    r->revision++;
    return PHASE_PLANNER;
}

/* A mark without an id: the answer was dropped. What is restored of it is not
 * used, because the run had not come further than its new plan. */
void trusted_restored(struct run *r)
{
    struct pipeline *p = pipeline_of(r);
    if (!p->trusted || p->trusted->id.len)
        return;
    p->trusted = NULL;
    p->untrusted = true;
    if (phase_of(r->load.phase) == PHASE_PLANNER)
        forget(r);
    if (p->plan && p->plan->complexity == PLAN_CONVERSATIONAL) {
        r->results = NULL;
        r->full_data = NULL;
    }
}

/* ---- checks without a model ----------------------------------------------- */

struct str trusted_verification(void)
{
    return STR("import json\n"
               "rows = step_1_data\n"
               "good = len(rows) == 0 or bool(rows.notna().to_numpy().any())\n"
               "print(json.dumps({'checks': [{'name': 'has_values',\n"
               "    'passed': good, 'severity': 'fail',\n"
               "    'message': 'the rows hold values' if good\n"
               "    else 'every value of the result is NULL'}]}))\n");
}
