/* react.c - the ReAct agent: a model that calls tools, looks at their results,
 * and goes on until it can answer.
 *
 *   react_begin -> react_loop_begin -> (survey) -> surveyed -> (trusted.c)
 *       -> trusted_known -> (agent/tool_loop.c) -> answered -> (agent/ground.c)
 *       -> text_grounded
 *                                  | after each round
 *                                  v
 *       round_over -> values_known -> totals_known -> rows_kept -> round_saved
 *
 * After each round its calls and results are stored, so that a process that
 * takes the run over resumes with the next round. */
#include "react.h"
#include "../context.h"
#include "../cut_totals.h"
#include "../dialect.h"
#include "../ground.h"
#include "../kept_rows.h"
#include "../period_told.h"
#include "../today.h"
#include "agent/answer.h"
#include "agent/results.h"
#include "analyst/analyst.h"
#include "base/clock.h"
#include "llm/provider.h"
#include "ontology/text.h"
#include <string.h>
#include "base/banned.h"

/* Together about 8,000 tokens of the system prompt. */
enum {
    DATASETS_BYTES = 14 * 1024,
    RELATIONSHIPS_BYTES = 2 * 1024,
    METRICS_BYTES = 2 * 1024,
    CONVERSATION_BYTES = 4 * 1024,
    DATES_BYTES = 1024,
    VALUES_BYTES = 2 * 1024,
    EXAMPLES_BYTES = 4 * 1024,
    TRUSTED_BYTES = 4 * 1024,
};

static const char *const all_tools[] = {
    "query_database", "get_dataset_details", "get_sample_data",
    "run_python",     "list_datasets",       NULL};

/* In the prompt when the first round ran the query of a trusted answer. */
static const char vouched[] =
    "An expert vouches that the query of the first call answers this question. "
    "It has run: write the answer from its rows. You cannot run other queries; "
    "call run_python only to draw a chart that the user asks for.";

static struct next surveyed(struct flow *f), trusted_known(struct flow *f),
    answered(struct flow *f), text_grounded(struct flow *f),
    model_failed(struct flow *f), round_over(struct flow *f),
    values_known(struct flow *f), totals_known(struct flow *f),
    rows_kept(struct flow *f), round_saved(struct flow *f);

/* ---- the prompt --------------------------------------------------------- */

/* The datasets that the question is about; none when nothing is similar. */
static size_t found_datasets(const struct run *r, struct arena *a,
                             size_t **datasets)
{
    size_t n = context_found(a, r, datasets);
    return r->discovery.fell_back ? 0 : n;
}

static struct str react_database(struct arena *a, const struct run *r)
{
    if (source_dialect(r->tools.source) == DIALECT_POSTGRES)
        return STR("PostgreSQL, with the grammar of version 15.");
    return arena_printf(a, "%.*s.",
                        STR_ARG(dialect_of(r->tools.source)->rules));
}

struct llm_message *react_prompt(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    const struct react_loop *x = t->who;
    size_t *found, n = found_datasets(r, a, &found);
    struct str datasets =
        n ? context_datasets(a, r, found, n, DATASETS_BYTES) : STR("");
    struct str conversation = context_conversation(a, r);
    const struct prompt_hole holes[] = {
        {"database", react_database(a, r), 0},
        {"owner", context_owner(a, r), METRICS_BYTES},
        {"datasets", datasets, 0},
        {"guidance",
         datasets.len ? STR("")
                      : STR("No dataset matched the question. Call "
                            "list_datasets to see all of them, then "
                            "get_dataset_details for those you need."),
         0},
        {"relationships", n ? context_relationships(a, r, found, n) : STR(""),
         RELATIONSHIPS_BYTES},
        {"metrics", context_metrics(a, r, found, n), METRICS_BYTES},
        {"calendar", run_calendar(a, r), 0},
        {"dates", x->survey.dates, DATES_BYTES},
        {"values", x->survey.values, VALUES_BYTES},
        {"examples", context_examples(a, r), EXAMPLES_BYTES},
        {"trusted", x->comparison.examples, TRUSTED_BYTES},
        {"vouched", react_is_trusted(r) ? STR(vouched) : STR(""), 0},
        {"functions", context_functions(a), 0},
        {"preferences", context_preferences(a, r), CONVERSATION_BYTES},
        {"conversation",
         conversation.len ? conversation : STR("No previous conversation."),
         CONVERSATION_BYTES},
        {"question", r->load.question, 0},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "react", holes);
}

/* ---- the loop ----------------------------------------------------------- */

static struct next react_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->phase == PHASE_DONE) /* taken over: it has only to be ended */
        return back(f);
    journal_phase(r->log, r->phase, 0);
    if (r->discovery.matched)
        return go(f, react_loop_begin);
    return call(f, discovery_begin, r, react_loop_begin);
}

static struct python_data *frames(struct tool_loop *x, struct arena *memory,
                                  size_t *n)
{
    return run_frames_of_results(memory, x->run, NULL, n);
}

struct next react_loop_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct react_loop *x = react_of(r)->loop = here(f, struct react_loop);
    size_t *datasets;
    run_phase_entered(r);
    if (!react_variant(r)->discovers)
        return go(f, trusted_known);
    x->survey =
        (struct survey_read){.run = r, .memory = &r->arena, .widens = true};
    x->survey.n_datasets = found_datasets(r, &r->arena, &datasets);
    x->survey.datasets = datasets;
    return call(f, survey_read_begin, &x->survey, surveyed);
}

void react_loop_init(struct run *r, struct react_loop *x)
{
    struct react_state *s = react_of(r);
    const struct react_variant *v = react_variant(r);
    x->inputs =
        (struct phase_inputs){.task = v->task, .run = r, .loop = &x->loop};
    x->loop = (struct tool_loop){.run = r,
                                 .purpose = v->purpose,
                                 .tools = react_tools(r),
                                 .set = v->set,
                                 .given = &x->trusted_call,
                                 .n_given = s->trusted && !s->n_rounds,
                                 .memory = &r->arena,
                                 .max_rounds = s->max_rounds ? s->max_rounds
                                                             : TOOL_LOOP_ROUNDS,
                                 .sums_up = v->sums_up,
                                 .frames = frames,
                                 .round_over = round_over,
                                 .round_over_name = "round_over",
                                 .consult = {.run = r,
                                             .phase = v->phase,
                                             .compose = v->compose,
                                             .who = x,
                                             .visible = true,
                                             .keeps_cut = true,
                                             .inputs = &x->inputs}};
    x->loop.rounds = s->rounds;
    x->loop.n_rounds = s->n_rounds;
    buf_clear(&r->visible);
    r->consult = &x->loop.consult;
}

static struct next surveyed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    return call(f, react_trusted_begin, r, trusted_known);
}

static struct next trusted_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct react_loop *x = react_of(r)->loop;
    react_loop_init(r, x);
    return attempt(f, tool_loop_begin, &x->loop, answered, model_failed);
}

/* ---- between rounds ----------------------------------------------------- */

static struct next round_over(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    struct run *r = x->run;
    struct loop_round *round = &x->rounds[x->n_rounds - 1];
    size_t before = r->results ? r->results->n_results : 0;
    if (react_drop_trusted(x))
        return go(f, round_saved);
    react_take_results(x, round);
    tool_loop_offer(x, react_tools(r));
    struct round_lookup *l = here(f, struct round_lookup);
    *l = (struct round_lookup){.loop = x, .round = round, .result = before};
    return call(f, round_lookup_begin, l, values_known);
}

static struct next values_known(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    struct run *r = x->run;
    struct loop_round *round = &x->rounds[x->n_rounds - 1];
    struct cut_totals *t = here(f, struct cut_totals);
    *t = (struct cut_totals){.run = r,
                             .phase = react_variant(r)->phase,
                             .items = round->results,
                             .n = round->n_results};
    return call(f, cut_totals_begin, t, totals_known);
}

static struct next totals_known(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    struct run *r = x->run;
    struct loop_round *round = &x->rounds[x->n_rounds - 1];
    react_tell_totals(x, round);
    react_check(r);
    struct kept_rows *k = here(f, struct kept_rows);
    *k = (struct kept_rows){.run = r,
                            .result = (r->results ? r->results->n_results : 0) -
                                      round->n_results};
    return call(f, kept_rows_begin, k, rows_kept);
}

static struct next rows_kept(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    struct run *r = x->run;
    struct loop_round *round = &x->rounds[x->n_rounds - 1];
    const struct react_variant *v = react_variant(r);
    run_emit_text(r, round->content);
    react_record_round(r, x->n_rounds - 1, round);
    if (v->round_kept)
        v->round_kept(r, round,
                      (r->results ? r->results->n_results : 0) -
                          round->n_results);
    if (x->direct) /* its end is stored next */
        return go(f, round_saved);
    run_record_progress(r);
    run_emit_tokens(r, v->phase);
    journal_phase(r->log, r->phase, 0);
    buf_clear(&r->visible);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, round_saved);
}

/* Frees the memory of the calls; the round has copies of what it needs. */
static struct next round_saved(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    x->calls = NULL;
    x->n_calls = 0;
    arena_done(&x->run->scratch);
    return back(f);
}

/* ---- the answer --------------------------------------------------------- */

static struct next answered(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct str text = str_trim(r->consult->llm.content);
    struct react_loop *x =
        container_of(r->consult, struct react_loop, loop.consult);
    const struct step_results latest = react_latest_results(r);
    struct str missing = value_lookup_answer(&r->scratch, &latest);
    if (missing.len && !r->provider->model.provider->local) {
        text = value_lookup_markdown(&r->scratch, missing);
        if (r->visible.len)
            run_emit_restart(r, r->phase, r->consult->first_event);
        run_emit_chunk(r, text);
        run_compose_output(r, text, STR(""));
        return go(f, run_save_answer_begin);
    }
    if (!text.len)
        text = STR("I have no answer to that.");
    x->ground = (struct answer_ground){
        .loop = &x->loop,
        .found = {.results = r->results, .report = r->report},
        .text = text};
    return call(f, ground_begin, &x->ground, text_grounded);
}

static struct next text_grounded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct answer_ground *g =
        &container_of(r->consult, struct react_loop, loop.consult)->ground;
    struct str note = g->note;
    if (!note.len && consult_was_cut(r->consult))
        note = STR("The text was cut off at the language model's size limit.");
    const struct step_results latest = react_latest_results(r);
    struct str text = g->text;
    struct arena_mark mark = arena_mark(&r->scratch);
    if (!r->provider->model.provider->local)
        text = period_add(r, text, period_of_results(&r->scratch, &latest));
    arena_reset(&r->scratch, mark); /* the queries were parsed in it */
    run_compose_output(r, text, note);
    return go(f, run_save_answer_begin);
}

/* When the model fails, code writes about the results that there are. A loop
 * that reached its limit fails the run instead. */
static struct next model_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    enum err why = failure(f);
    struct str text = failure_text(f);
    const struct analyst_findings found = {.results = r->results,
                                           .report = r->report};
    bool of_model = why == ERR_MODEL_UNAVAILABLE || why == ERR_MODEL_REFUSED ||
                    why == ERR_BAD_REPLY || why == ERR_TIMEOUT;
    if (!of_model || run_is_out_of_time(r) || !r->results)
        return fail_with(f, why, text);
    run_explain_by_code(r, r->consult->first_event, &found,
                        text.len ? text : str_of(err_sentence(why)));
    return go(f, run_save_answer_begin);
}

/* ---- the kind ----------------------------------------------------------- */

/* The rounds record the results; the report is made of them again. */
static const struct kind_artifact artifacts[] = {
    STATE_ARTIFACT(react_state, trusted, PHASE_DONE, trusted_mark, "trusted"),
    RUN_ARTIFACT(results, PHASE_DONE, step_results, "stepResults"),
    RUN_ARTIFACT(report, PHASE_DONE, verification_report, "verificationReport"),
    RUN_ARTIFACT(output, PHASE_REACT, explainer_output, "explainerOutput"),
    {0}};

static const char *const react_queries[] = {"query_database", NULL};

static const struct react_variant variant = {
    .phase = PHASE_REACT,
    .purpose = "react_round",
    .tools = all_tools,
    .queries = react_queries,
    .python = "run_python",
    .task = TASK_REACT,
    .compose = react_prompt,
    .discovers = true,
};

const struct agent_kind react_kind = {
    .begin = react_begin,
    .begin_name = "react_begin",
    .variant = &variant,
    .state_size = sizeof(struct react_state),
    .artifacts = artifacts,
    .resume = react_resume,
    .digest = react_digest,
    .datasets = react_datasets,
    .lineage = react_lineage,
};
