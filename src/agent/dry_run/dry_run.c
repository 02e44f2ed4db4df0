/* dry_run.c - the agent that calls no model: its answer is the prompts that the
 * other agents would send, with their sizes.
 *
 *   dry_run_begin -> (discovery) -> found -> (survey) -> planner_surveyed
 *       -> (gather) -> builder_gathered -> (survey) -> builder_surveyed
 *
 * The SQL Builder's prompt needs a plan, which a model would make. Here the
 * built-in analyst makes it; when it does not understand the question, the plan
 * is one step over the datasets that are most like it. Datasets are found by
 * words, because embeddings are made by a model, too. */
#include "../builtin.h"
#include "../context.h"
#include "../pipeline/gather.h"
#include "../pipeline/joins.h"
#include "../pipeline/pipeline.h"
#include "../react/react.h"
#include "../survey_read.h"
#include "agent/answer.h"
#include "agent/consult.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "base/banned.h"

enum { LIKELY_DATASETS = 3, BYTES_PER_TOKEN = 4, COLUMN_BYTES = 60 };

struct dry_run {
    struct run *run;
    struct gather gather;
    struct react_loop react; /* only its survey, which is the planner's */
    struct survey_read survey;
    struct buf text;
    struct arena prompt; /* one at a time */
};

/* run->state: the pipeline's, so that its prompts can be composed. */
struct dry_run_state {
    struct pipeline pipeline; /* first */
    struct dry_run *work;
};

static struct next found(struct flow *f), planner_surveyed(struct flow *f),
    builder_gathered(struct flow *f), builder_surveyed(struct flow *f);

static struct dry_run *work_of(const struct run *r)
{
    return ((struct dry_run_state *)r->state)->work;
}

/* ---- one prompt as text ------------------------------------------------- */

static void put_sections(struct buf *out, struct llm_message *m)
{
    size_t n;
    const struct prompt_section *s = prompt_sections(m, &n);
    buf_text(out, "\n| section | bytes | cut |\n|---|---|---|\n");
    for (size_t i = 0; i < n; i++) {
        buf_printf(out, "| %s | %zu | ", s[i].name, s[i].bytes);
        if (s[i].cut)
            buf_printf(out, "%zu bytes", s[i].cut);
        if (s[i].shortened.len)
            buf_printf(out, "%sin short form: %.*s", s[i].cut ? "; " : "",
                       STR_ARG(utf8_cut(s[i].shortened, COLUMN_BYTES)));
        buf_text(out, " |\n");
    }
}

/* A fence that nothing in the text closes: texts of models and values may
 * have fences of their own. */
static struct str fence_for(struct dry_run *d, struct str text)
{
    enum { FENCE_LEAST = 5 };
    size_t most = FENCE_LEAST - 1, run = 0;
    struct buf out;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        most = run > most ? run : most;
    }
    buf_init(&out, &d->prompt);
    for (size_t i = 0; i <= most; i++)
        buf_char(&out, '`');
    return buf_view(&out);
}

static void put_prompt(struct dry_run *d, const char *title,
                       struct llm_message *(*prompt)(struct consult *t,
                                                     struct arena *a),
                       void *who)
{
    static const char *const parts[PROMPT_MESSAGES] = {"System", "User"};
    struct consult t = {.run = d->run, .who = who};
    struct llm_message *m = prompt(&t, &d->prompt);
    size_t bytes = m[0].content.len + m[1].content.len;
    buf_printf(&d->text, "%s## %s: %zu bytes, about %zu tokens\n",
               d->text.len ? "\n" : "", title, bytes, bytes / BYTES_PER_TOKEN);
    put_sections(&d->text, m);
    for (int i = 0; i < PROMPT_MESSAGES; i++) {
        struct str fence = fence_for(d, m[i].content);
        buf_printf(&d->text, "\n### %s\n\n%.*stext\n%.*s\n%.*s\n", parts[i],
                   STR_ARG(fence), STR_ARG(m[i].content), STR_ARG(fence));
    }
    arena_done(&d->prompt);
}

static void free_prompt(void *prompt)
{
    arena_done(prompt);
}

/* ---- the planner, and the ReAct agent ----------------------------------- */

static struct next dry_run_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->phase == PHASE_DONE) /* taken over: it has only to be ended */
        return back(f);
    struct dry_run *d = ((struct dry_run_state *)r->state)->work =
        here(f, struct dry_run);
    d->run = r;
    flow_arena_init(&d->prompt, RUN_MEMORY);
    defer(f, free_prompt, &d->prompt);
    buf_init(&d->text, &r->arena);
    run_phase_entered(r);
    journal_phase(r->log, r->phase, 0);
    r->discovery.by_words = true;
    return call(f, discovery_begin, r, found);
}

static struct next found(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct survey_read *s = &work_of(r)->survey;
    size_t *datasets;
    *s = (struct survey_read){.run = r,
                              .memory = &r->arena,
                              .for_people = true,
                              .widens = !r->discovery.fell_back};
    s->n_datasets = context_found(&r->arena, r, &datasets);
    s->datasets = datasets;
    return call(f, survey_read_begin, s, planner_surveyed);
}

/* ---- the SQL Builder ---------------------------------------------------- */

/* One SQL step over the datasets most like the question. */
static void plan_likely(struct run *r, struct plan *plan)
{
    size_t *found, n = context_found(&r->arena, r, &found);
    struct plan_step *step = arena_new(&r->arena, struct plan_step);
    *plan = (struct plan){.intent = r->load.question, .steps = step};
    *step = (struct plan_step){.id = 1, .description = r->load.question};
    step->datasets = arena_new_array(&r->arena, struct str, LIKELY_DATASETS);
    for (size_t i = 0; i < n && i < LIKELY_DATASETS; i++)
        step->datasets[step->n_datasets++] =
            r->ontology->model->datasets[found[i]].name;
    plan->n_steps = 1;
}

static void make_plan(struct flow *f, struct run *r)
{
    struct pipeline *p = pipeline_of(r);
    struct join_tree tree;
    p->plan = arena_new(&r->arena, struct plan);
    p->join_plan = arena_new(&r->arena, struct join_plan);
    if (!builtin_plan(&r->arena, r, p->plan) || p->plan->should_clarify)
        plan_likely(r, p->plan);
    joins_of_plan(flow_here(f), r, &tree);
    joins_put(r, p->join_plan, &tree, tree.n_choices);
}

static struct next planner_surveyed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct dry_run *d = work_of(r);
    size_t *datasets;
    pipeline_of(r)->known = (struct pipeline_known){.dates = d->survey.dates,
                                                    .values = d->survey.values};
    put_prompt(d, "Planner", planner_prompt, NULL);
    d->react.survey = d->survey;
    put_prompt(d, "ReAct agent", react_prompt, &d->react);
    make_plan(f, r);
    d->gather = (struct gather){.run = r, .phase = r->phase};
    d->gather.n_datasets = pipeline_joined_datasets(r, &datasets);
    d->gather.datasets = datasets;
    return call(f, gather_begin, &d->gather, builder_gathered);
}

static struct next builder_gathered(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct dry_run *d = work_of(r);
    d->survey = (struct survey_read){.run = r,
                                     .datasets = d->gather.datasets,
                                     .n_datasets = d->gather.n_datasets,
                                     .memory = &r->arena,
                                     .for_people = true};
    return call(f, survey_read_begin, &d->survey, builder_surveyed);
}

static struct next builder_surveyed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct dry_run *d = work_of(r);
    struct str no_queries = STR("");
    pipeline_of(r)->known =
        (struct pipeline_known){.datasets = d->gather.datasets,
                                .n_datasets = d->gather.n_datasets,
                                .samples = d->gather.samples,
                                .dates = d->survey.dates,
                                .values = d->survey.values};
    put_prompt(d, "SQL Builder", sql_builder_prompt, &no_queries);
    struct str text = str_trim(buf_view(&d->text));
    run_emit_chunk(r, text);
    run_compose_output(r, text, STR(""));
    return go(f, run_save_answer_begin);
}

/* ---- the kind ----------------------------------------------------------- */

static const struct kind_artifact artifacts[] = {
    RUN_ARTIFACT(output, PHASE_PLANNER, explainer_output, "explainerOutput"),
    {0}};

const struct agent_kind dry_run_kind = {
    .begin = dry_run_begin,
    .begin_name = "dry_run_begin",
    .state_size = sizeof(struct dry_run_state),
    .artifacts = artifacts,
};
