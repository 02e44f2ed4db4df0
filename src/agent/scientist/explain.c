/* explain.c - the scientist's words: the evaluation of what the code returned,
 * the explanation for the user, or the sentence about code that never ran.
 *
 *   scientist_evaluate_begin -> (the model) -> evaluated
 *   scientist_explain_begin -> (the model) -> explained -> (agent/ground.c)
 *                                 | failed       -> explanation_grounded
 *                                 v
 *                           explainer_failed
 *
 * Without a language model the analyst tells what was counted, or the data is
 * described. */
#include "../builtin.h"
#include "../context.h"
#include "../ground.h"
#include "agent/answer.h"
#include "agent/tool_loop.h"
#include "base/utf8.h"
#include "llm/provider.h"
#include "scientist.h"
#include "summary.h"
#include "tool/disclosure.h"
#include "base/banned.h"

static struct next evaluated(struct flow *f), explained(struct flow *f),
    explanation_grounded(struct flow *f), explainer_failed(struct flow *f);

static struct str summary_of(struct arena *a, struct run *r)
{
    return summary_text(a, scientist_of(r)->summary, r->tools.share_rows);
}

/* ---- the evaluation ----------------------------------------------------- */

static struct llm_message *compose_evaluation(struct consult *t,
                                              struct arena *a)
{
    struct run *r = t->run;
    const struct scientist *s = scientist_of(r);
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct prompt_hole holes[] = {
        {"question", r->load.question, 0},
        {"data", summary_of(a, r), budget},
        {"code", s->attempts[s->n_attempts - 1].code, 2 * budget},
        {"output", context_lines(a, scientist_output(a, r)), 2 * budget},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "scientist_evaluate", holes);
}

struct next scientist_evaluate_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct consult *t = r->consult = here(f, struct consult);
    *t = (struct consult){.run = r,
                          .phase = PHASE_SCIENTIST_EVALUATE,
                          .purpose = STR("evaluation"),
                          .compose = compose_evaluation,
                          .keeps_cut = true};
    return call(f, consult_begin, t, evaluated);
}

static struct next evaluated(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct code_evaluation *e = arena_new(&r->arena, struct code_evaluation);
    e->evaluation = arena_str(&r->arena, str_trim(r->consult->llm.content));
    scientist_of(r)->evaluation = e;
    return back(f);
}

/* ---- the explanation ---------------------------------------------------- */

enum { ERROR_BYTES = 500 };

static const char *const no_tools[] = {NULL};

struct explaining {
    struct tool_loop loop;
    struct answer_ground ground;
};

static struct llm_message *compose_explanation(struct consult *t,
                                               struct arena *a)
{
    struct run *r = t->run;
    const struct scientist *s = scientist_of(r);
    size_t budget = agent_settings(r->agent)->prompt_budget;
    struct str concept = s->execution
                             ? STR("")
                             : STR("Explain the concept. State no figures of "
                                   "the data: none were computed.");
    const struct prompt_hole holes[] = {
        {"preferences", context_preferences(a, r), budget / 4},
        {"question", r->load.question, 0},
        {"concept", concept, 0},
        {"evaluation", s->evaluation ? s->evaluation->evaluation : STR(""),
         budget},
        {"output", context_lines(a, scientist_output(a, r)), 2 * budget},
        {"data", summary_of(a, r), budget},
        {"conversation", context_conversation(a, r), budget / 2},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "scientist_explain", holes);
}

/* Whether the question asks what the data is. */
static bool asks_for_description(struct str question)
{
    static const char *const words[] = {
        "describe",   "description",  "profile", "overview",
        "summar",     "columns",      "schema",  "what data",
        "what is in", "which tables", NULL};
    for (const char *const *w = words; *w; w++)
        if (str_find_nocase(question, str_of(*w)) >= 0)
            return true;
    return false;
}

static struct next describe(struct flow *f, struct run *r)
{
    struct arena *a = &r->arena;
    struct str data = summary_markdown(a, scientist_of(r)->summary);
    struct str text = arena_printf(
        a, "%s%.*s",
        asks_for_description(r->load.question)
            ? "This is what the tables hold.\n\n"
            : "Without a language model I write no code, so I cannot answer "
              "this question. I can only describe the data, and count the "
              "rows of files. Ask another agent, or add a language model.\n\n",
        STR_ARG(data));
    run_emit_chunk(r, text);
    run_compose_output(r, str_trim(text), STR(""));
    return back(f);
}

/* What was counted; see count.h. */
static struct next tell_counts(struct flow *f, struct run *r)
{
    const struct analyst_findings found = {.results = r->results,
                                           .report = r->report};
    struct str text = str_trim(builtin_narrative(&r->arena, r, &found));
    run_emit_chunk(r, text);
    run_compose_output(r, text, STR(""));
    return back(f);
}

struct next scientist_explain_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    if (r->provider->model.provider->local && r->results)
        return tell_counts(f, r);
    if (r->provider->model.provider->local)
        return describe(f, r);
    struct explaining *x = here(f, struct explaining);
    x->loop = (struct tool_loop){.run = r,
                                 .purpose = "explanation",
                                 .one_purpose = true,
                                 .tools = no_tools,
                                 .memory = &r->scratch,
                                 .max_rounds = 1,
                                 .sums_up = true,
                                 .consult = {.run = r,
                                             .phase = PHASE_SCIENTIST_EXPLAIN,
                                             .compose = compose_explanation,
                                             .visible = true,
                                             .keeps_cut = true}};
    buf_clear(&r->visible);
    r->consult = &x->loop.consult;
    return attempt(f, tool_loop_begin, &x->loop, explained, explainer_failed);
}

static struct next explain_by_code(struct flow *f, struct str why)
{
    struct run *r = locals(f, struct run);
    const struct analyst_findings found = {.results = r->results,
                                           .report = r->report};
    run_explain_by_code(r, r->consult->first_event, &found, why);
    return back(f);
}

static struct next explainer_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    enum err why = failure(f);
    struct str text = failure_text(f);
    bool ours = why == ERR_NO_MEMORY || why == ERR_CONFLICTING_WRITE;
    if (ours || run_is_out_of_time(r) || !r->results)
        return fail_with(f, why, text);
    return explain_by_code(f, text.len ? text : str_of(err_sentence(why)));
}

/* The answer to a conceptual question rests on no data: there is nothing to
 * hold it against, and a caveat says so. */
static struct next explained(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct str text = str_trim(r->consult->llm.content);
    if (!text.len && r->results)
        return explain_by_code(f, STR("its reply had no text."));
    if (!text.len)
        return fail_because(f, ERR_BAD_REPLY,
                            "The language model's reply had no text.");
    if (!r->results) {
        scientist_report(r);
        run_compose_output(r, text, STR(""));
        return back(f);
    }
    struct explaining *x =
        container_of(r->consult, struct explaining, loop.consult);
    x->ground = (struct answer_ground){
        .loop = &x->loop,
        .found = {.results = r->results, .report = r->report},
        .text = text};
    return call(f, ground_begin, &x->ground, explanation_grounded);
}

static struct next explanation_grounded(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct answer_ground *g =
        &container_of(r->consult, struct explaining, loop.consult)->ground;
    struct str note = g->note;
    if (!note.len && consult_was_cut(r->consult))
        note = STR("The text was cut off at the language model's size limit.");
    run_compose_output(r, g->text, note);
    return back(f);
}

/* ---- the error ---------------------------------------------------------- */

struct next scientist_error_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct scientist *s = scientist_of(r);
    struct str error = s->attempts[s->n_attempts - 1].error, line;
    str_split(&error, '\n', &line);
    struct str text = arena_printf(
        &r->arena, "Code execution failed after %d attempts. Final error: %.*s",
        s->n_attempts, STR_ARG(utf8_cut(line, ERROR_BYTES)));
    buf_clear(&r->visible);
    run_emit_chunk(r, text);
    run_compose_output(r, text, STR(""));
    return back(f);
}
