/* trusted.c - answers a question from a trusted answer, or shows similar ones to
 * the SQL Builder; see trusted.h.
 *
 *   trusted_answer_begin -> match_begin -> match_over -> match_known
 *                               \ match_failed -> match_known
 *   trusted_examples_begin -> pool_begin -> pool_over -> compare_due -> back
 *                                 \ pool_failed */
#include "trusted.h"
#include "agent/results.h"
#include "../today.h"
#include "agent/trusted.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"
#include "tool/query_guard.h"
#include "joins.h"
#include "llm/provider.h"
#include "ontology/question_key.h"
#include "ontology/similarity.h"
#include "base/banned.h"

enum {
    DESCRIPTION_MOST = 1000,
    DATASETS_MOST = 40,
    EXAMPLES = 3,
    CANDIDATES = 8, /* of which some may no longer fit the model */
    SLICE_MS = 10,
};
static const float similar_enough = 0.25f;

static struct next match_begin(struct flow *f), match_over(struct flow *f),
    match_failed(struct flow *f), match_known(struct flow *f),
    pool_begin(struct flow *f), pool_over(struct flow *f),
    pool_failed(struct flow *f), compare_due(struct flow *f),
    compared(struct flow *f);

/* ---- the same question ---------------------------------------------------- */

struct trusted_search {
    struct run *run;
    struct question_key key;
    struct trusted_match match;
};

static void record_mark(struct run *r, const struct trusted_mark *mark)
{
    run_record_artifact(r, "trusted", &trusted_mark_type, mark, false);
}

/* A reply to a clarifying question, or a question that continues another one,
 * does not say all that it means. */
static bool stands_for_itself(const struct run *r,
                              const struct question_key *key)
{
    return !r->load.clarified && key->wording.len &&
           !(r->load.turns.n && question_refers_back(key));
}

/* An earlier attempt may have recorded an answer that no longer exists. */
static void note_none(struct run *r)
{
    static const struct trusted_mark none = {.id = {"", 0}};
    if (r->attempt > 1)
        record_mark(r, &none);
}

struct next trusted_answer_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct trusted_search *x = here(f, struct trusted_search);
    pipeline_of(r)->trusted = NULL;
    x->run = r;
    question_key_make(flow_here(f), r->load.question, &x->key);
    if (agent_settings(r->agent)->without_trusted ||
        pipeline_of(r)->untrusted || !stands_for_itself(r, &x->key)) {
        note_none(r);
        return back(f);
    }
    x->match = (struct trusted_match){.store = agent_store(r->agent),
                                      .ontology_id = r->load.ontology_id,
                                      .wording = x->key.wording,
                                      .values = x->key.values,
                                      .memory = &r->arena};
    pipeline_of(r)->search = x;
    return attempt(f, match_begin, r, match_known, match_failed);
}

static struct next match_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return call(f, trusted_match_begin, &pipeline_of(r)->search->match,
                match_over);
}

static struct next match_over(struct flow *f)
{
    return back(f);
}

/* The question is planned. */
static struct next match_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (failure(f) == ERR_NO_MEMORY)
        return fail(f, ERR_NO_MEMORY);
    log_event(LOG_WARN, "trusted answers cannot be read",
              (struct log_field[]){{"run", str_of(r->message_id)},
                                   {"cause", str_of(err_name(failure(f)))},
                                   {NULL, {0}}});
    pipeline_of(r)->search->match.found = false;
    return go(f, match_known);
}

/* Its fixed dates are those that the question means today. */
static bool is_of_today(struct flow *f, const struct trusted_search *x)
{
    struct str period =
        question_period(flow_here(f), &x->key, x->match.sql, run_today(x->run));
    return !x->match.period.len || str_eq(x->match.period, period);
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
    const struct guard_policy policy = query_policy(r->ontology);
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

/* The model may have changed since the answer was checked, so it is judged at
 * each use. */
static struct next match_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct pipeline *p = pipeline_of(r);
    const struct trusted_search *x = p->search;
    const struct trusted_match *m = &x->match;
    if (!m->found || !is_of_today(f, x) ||
        trusted_problem(flow_here(f), r->ontology, m->sql).len) {
        note_none(r);
        return back(f);
    }
    make_plan(f, r, x);
    p->trusted = arena_new(&r->arena, struct trusted_mark);
    *p->trusted = (struct trusted_mark){.id = m->id, .by = m->by, .at = m->at};
    record_mark(r, p->trusted);
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
    static const struct trusted_mark none = {.id = {"", 0}};
    forget(r);
    record_mark(r, &none);
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

/* ---- similar questions ---------------------------------------------------- */

struct trusted_similar {
    const struct trusted_example *example;
    float score;
};

struct trusted_comparison {
    struct trusted_pool pool;
    struct arena memory;
    float wanted[LEXICAL_DIMENSIONS];
    size_t at;
    uint64_t since_ms;
    struct pause pause;
    struct trusted_similar best[CANDIDATES];
    size_t n_best;
};

static void comparison_done(void *memory)
{
    arena_done(memory);
}

struct next trusted_examples_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct trusted_comparison *x = here(f, struct trusted_comparison);
    pipeline_of(r)->examples = STR("");
    if (agent_settings(r->agent)->without_trusted)
        return back(f);
    pipeline_of(r)->comparison = x;
    flow_arena_init(&x->memory, 0);
    defer(f, comparison_done, &x->memory);
    x->pool = (struct trusted_pool){.store = agent_store(r->agent),
                                    .ontology_id = r->load.ontology_id,
                                    .memory = &x->memory};
    return attempt(f, pool_begin, r, compare_due, pool_failed);
}

static struct next pool_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return call(f, trusted_pool_begin, &pipeline_of(r)->comparison->pool,
                pool_over);
}

static struct next pool_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct trusted_comparison *x = pipeline_of(r)->comparison;
    if (x->pool.n)
        lexical_embed(r->load.question, x->wanted);
    x->since_ms = clock_ms();
    return back(f);
}

/* The prompt has no examples then. */
static struct next pool_failed(struct flow *f)
{
    if (failure(f) == ERR_NO_MEMORY)
        return fail(f, ERR_NO_MEMORY);
    return back(f);
}

/* Where only some rows are shared, constants in a query may be more than its
 * reader may see. */
static bool may_be_shown(const struct run *r, const struct trusted_example *e)
{
    return str_find(e->sql, STR("```")) < 0 &&
           (r->tools.share_rows == SHARE_ALL ||
            (str_find_char(e->sql, '\'') < 0 &&
             str_find_char(e->sql, '$') < 0)); /* $$text$$ */
}

/* Keeps the best, sorted. */
static void offer(struct trusted_comparison *x, const struct trusted_example *e,
                  float score)
{
    size_t at = x->n_best < CANDIDATES ? x->n_best++ : CANDIDATES;
    for (; at > 0 && x->best[at - 1].score < score; at--)
        if (at < CANDIDATES)
            x->best[at] = x->best[at - 1];
    if (at < CANDIDATES)
        x->best[at] = (struct trusted_similar){e, score};
}

static struct next compare_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct trusted_comparison *x = pipeline_of(r)->comparison;
    float vector[LEXICAL_DIMENSIONS];
    while (x->at < x->pool.n) {
        const struct trusted_example *e = &x->pool.items[x->at++];
        lexical_embed(e->question, vector);
        float score = cosine(x->wanted, vector, LEXICAL_DIMENSIONS);
        if (score >= similar_enough && may_be_shown(r, e))
            offer(x, e, score);
        if (clock_ms() - x->since_ms < SLICE_MS)
            continue;
        pause_begin(f, &x->pause, 1);
        x->since_ms = clock_ms() + 1;
        return await(f, compare_due);
    }
    return go(f, compared);
}

static void put_line(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_char(out, (unsigned char)text.ptr[i] < 0x20 ? ' ' : text.ptr[i]);
}

static struct next compared(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct trusted_comparison *x = pipeline_of(r)->comparison;
    struct buf out;
    size_t shown = 0;
    buf_init(&out, &r->scratch);
    for (size_t i = 0; i < x->n_best && shown < EXAMPLES; i++) {
        const struct trusted_example *e = x->best[i].example;
        if (trusted_problem(flow_here(f), r->ontology, e->sql).len)
            continue;
        buf_text(&out, shown++ ? "\nQuestion: " : "Question: ");
        put_line(&out, e->question);
        buf_printf(&out, "\n```sql\n%.*s\n```\n", STR_ARG(str_trim(e->sql)));
    }
    pipeline_of(r)->examples = buf_view(&out);
    return back(f);
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
