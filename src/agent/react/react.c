/* react.c - the ReAct agent (seed 001): a model that reasons, calls a tool, looks
 * at the result, and goes on until it can answer.
 *
 *   react_begin -> loop_due -> (agent/tool_loop.c) -> answered
 *                                  | after each round
 *                                  v
 *                              round_over -> rows_kept -> round_saved
 *
 * After each round its calls and results are stored, so that a process that takes
 * the run over resumes with the next round. */
#include "react.h"
#include "../context.h"
#include "../kept_rows.h"
#include "agent/answer.h"
#include "agent/results.h"
#include "base/clock.h"
#include "ontology/text.h"
#include "base/banned.h"

/* Seed 001: about 6,000 tokens for the system prompt. */
enum {
    DATASETS_BYTES = 14 * 1024,
    RELATIONSHIPS_BYTES = 2 * 1024,
    METRICS_BYTES = 2 * 1024,
    CONVERSATION_BYTES = 4 * 1024,
    DATE_SIZE = 10,
};

static const char *const react_tools[] = {
    "query_database", "get_dataset_details", "get_sample_data",
    "run_python",     "list_datasets",       NULL};

struct react {
    struct tool_loop loop;
    struct phase_inputs inputs;
};

static struct next loop_due(struct flow *f), answered(struct flow *f),
    model_failed(struct flow *f), round_over(struct flow *f),
    rows_kept(struct flow *f), round_saved(struct flow *f),
    answer_saved(struct flow *f);

/* ---- the prompt ----------------------------------------------------------- */

static struct str today(struct arena *a)
{
    char text[CLOCK_RFC3339_SIZE];
    clock_rfc3339(clock_wall_ms(), text);
    return arena_str(a, (struct str){text, DATE_SIZE});
}

static size_t *found_datasets(struct run *r, struct arena *a)
{
    const struct discovery *d = &r->discovery;
    size_t *found = arena_new_array(a, size_t, d->n_matched + 1);
    for (size_t i = 0; i < d->n_matched; i++)
        found[i] = d->matched[i].dataset;
    return found;
}

static struct str datasets_text(struct run *r, struct arena *a)
{
    struct buf out;
    buf_init(&out, a);
    if (r->discovery.n_matched && !r->discovery.fell_back)
        datasets_yaml(r->ontology->model, found_datasets(r, a),
                      r->discovery.n_matched, DATASETS_BYTES, &out);
    return buf_view(&out);
}

static struct str relationships(struct run *r, struct arena *a)
{
    struct buf out;
    buf_init(&out, a);
    if (r->discovery.n_matched && !r->discovery.fell_back)
        relationships_text(r->ontology->model, found_datasets(r, a),
                           r->discovery.n_matched, &out);
    return buf_view(&out);
}

static struct llm_message *compose(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    struct str datasets = datasets_text(r, a);
    struct str conversation = context_conversation(a, r);
    const struct prompt_hole holes[] = {
        {"database", STR("PostgreSQL."), 0},
        {"datasets", datasets, 0},
        {"guidance",
         datasets.len ? STR("")
                      : STR("No dataset matched the question. Call "
                            "list_datasets to see all of them, then "
                            "get_dataset_details for those you need."),
         0},
        {"relationships", relationships(r, a), RELATIONSHIPS_BYTES},
        {"metrics", context_metrics(a, r), METRICS_BYTES},
        {"today", today(a), 0},
        {"preferences", context_preferences(a, r), CONVERSATION_BYTES},
        {"conversation",
         conversation.len ? conversation : STR("No previous conversation."),
         CONVERSATION_BYTES},
        {"question", r->load.question, 0},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "react", holes);
}

/* ---- the loop ------------------------------------------------------------- */

static struct next react_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    journal_phase(r->log, r->phase, 0);
    if (r->discovery.matched)
        return go(f, loop_due);
    return call(f, discovery_begin, r, loop_due);
}

static struct python_data *frames(struct tool_loop *x, struct arena *memory,
                                  size_t *n)
{
    return run_frames_of_results(memory, x->run, NULL, n);
}

static struct next loop_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct react *x = here(f, struct react);
    r->phase_entered_ms = clock_ms();
    x->inputs =
        (struct phase_inputs){.task = TASK_REACT, .run = r, .loop = &x->loop};
    x->loop = (struct tool_loop){.run = r,
                                 .purpose = "react_round",
                                 .tools = react_tools,
                                 .memory = &r->arena,
                                 .max_rounds = TOOL_LOOP_ROUNDS,
                                 .frames = frames,
                                 .round_over = round_over,
                                 .round_over_name = "round_over",
                                 .consult = {.run = r,
                                             .phase = PHASE_REACT,
                                             .compose = compose,
                                             .who = x,
                                             .visible = true,
                                             .keeps_cut = true,
                                             .inputs = &x->inputs}};
    for (size_t i = 0; r->rounds && i < r->rounds->n; i++)
        x->loop.rounds[x->loop.n_rounds++] = r->rounds->items[i];
    buf_clear(&r->visible);
    r->consult = &x->loop.consult;
    return attempt(f, tool_loop_begin, &x->loop, answered, model_failed);
}

/* ---- between rounds ------------------------------------------------------- */

static void tell_text(struct run *r, struct str content)
{
    if (!str_trim(content).len)
        return;
    struct json_writer *w = journal_event(r->log, EVENT_TEXT);
    json_field_str(w, "content", content);
    journal_event_end(r->log);
}

static struct next round_over(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    struct run *r = x->run;
    struct loop_round *round = &x->rounds[x->n_rounds - 1];
    size_t before = r->results ? r->results->n_results : 0;
    react_take_results(x, round);
    react_check(r);
    struct kept_rows *k = here(f, struct kept_rows);
    *k = (struct kept_rows){.run = r, .result = before};
    return call(f, kept_rows_begin, k, rows_kept);
}

static struct next rows_kept(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    struct run *r = x->run;
    struct loop_round *round = &x->rounds[x->n_rounds - 1];
    tell_text(r, round->content);
    run_keep_artifact(r, react_round_name(x->n_rounds - 1), &loop_round_type,
                      round);
    run_leave_progress(r);
    run_tell_tokens(r, PHASE_REACT);
    journal_phase(r->log, r->phase, 0);
    buf_clear(&r->visible);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, round_saved);
}

/* The calls' memory goes; what later rounds need was copied. */
static struct next round_saved(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    x->calls = NULL;
    x->n_calls = 0;
    arena_done(&x->run->scratch);
    return back(f);
}

/* ---- the answer ----------------------------------------------------------- */

/* The answer is in run->output: it is stored before it is shown as final. */
static struct next save_answer(struct flow *f)
{
    struct run *r = locals(f, struct run);
    run_leave_progress(r);
    run_keep_artifact(r, "output", &explainer_output_type, r->output);
    run_tell_tokens(r, PHASE_REACT);
    agent_count_phase(r->agent, r);
    r->phase = PHASE_DONE;
    journal_phase(r->log, r->phase, 0);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    arena_done(&r->scratch);
    return await(f, answer_saved);
}

static struct next answered(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct str text = str_trim(r->consult->llm.content);
    struct str note = STR("");
    if (!text.len)
        text = STR("I have no answer to that.");
    if (consult_was_cut(r->consult))
        note = STR("The text was cut off at the language model's size limit.");
    run_compose_output(r, text, note);
    return save_answer(f);
}

/* What was found is not lost when the model fails. A loop without an end is no
 * such failure: it ends the run (seed 001). */
static struct next model_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    enum err why = failure(f);
    struct str text = failure_text(f);
    bool of_model = why == ERR_MODEL_UNAVAILABLE || why == ERR_MODEL_REFUSED ||
                    why == ERR_BAD_REPLY || why == ERR_TIMEOUT;
    if (!of_model || run_is_out_of_time(r) || !run_can_explain_by_code(r))
        return fail_with(f, why, text);
    run_explain_by_code(r, PHASE_REACT, r->consult->first_event,
                        text.len ? text : str_of(err_sentence(why)));
    return save_answer(f);
}

static struct next answer_saved(struct flow *f)
{
    return back(f);
}

const struct agent_kind react_kind = {
    .id = AGENT_REACT,
    .begin = react_begin,
    .begin_name = "react_begin",
    .resume = react_resume,
    .digest = react_digest,
    .datasets = react_datasets,
    .lineage = react_lineage,
};
