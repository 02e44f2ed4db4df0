/* explainer.c - the answer. The model writes Markdown only, streamed; lineage,
 * caveats and charts are put together by code. Where the model fails what was
 * found is not lost: code writes the text too, and a caveat says so. */
#include "../context.h"
#include "agent/answer.h"
#include "agent/consult.h"
#include "ontology/text.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum { RESULT_ROWS = 50 };

static struct next answer_heard(struct flow *f), model_failed(struct flow *f);

static struct str verification_text(struct arena *a, struct run *r)
{
    if (!r->report)
        return STR("");
    return disclose_report(a, r->tools.share_rows, r->report, r->results);
}

static struct str refusal_text(struct arena *a, struct run *r)
{
    if (!r->cannot_answer)
        return STR("");
    return artifact_json(a, &cannot_answer_type, r->cannot_answer);
}

/* Only a question that reads no data needs to see what there is. */
static struct str dataset_names(struct arena *a, struct run *r)
{
    struct buf out;
    if (r->results)
        return STR("");
    buf_init(&out, a);
    dataset_list_markdown(r->ontology->model, &out);
    return buf_view(&out);
}

static struct llm_message *compose(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct prompt_hole holes[] = {
        {"question", r->load.question, 0},
        {"plan", context_plan(a, r), budget / 2},
        {"results", context_results(a, r, RESULT_ROWS), 2 * budget},
        {"verification", verification_text(a, r), budget / 4},
        {"refusal", refusal_text(a, r), budget / 4},
        {"preferences", context_preferences(a, r), budget / 4},
        {"conversation", context_conversation(a, r), budget / 2},
        {"datasets", dataset_names(a, r), budget / 2},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "explainer", holes);
}

struct next explainer_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct consult *t = r->consult = here(f, struct consult);
    struct phase_inputs *inputs = here(f, struct phase_inputs);
    *inputs = (struct phase_inputs){.task = TASK_EXPLAIN, .run = r};
    buf_clear(&r->visible);
    *t = (struct consult){.run = r,
                          .phase = PHASE_EXPLAINER,
                          .purpose = STR("narrative"),
                          .compose = compose,
                          .visible = true,
                          .keeps_cut = true,
                          .inputs = inputs};
    return attempt(f, consult_begin, t, answer_heard, model_failed);
}

/* ---- the text ------------------------------------------------------------ */

static struct next explain_by_code(struct flow *f, struct str why)
{
    struct run *r = locals(f, struct run);
    run_explain_by_code(r, PHASE_EXPLAINER, r->consult->first_event, why);
    return back(f);
}

/* A cancelled run and one past its deadline never come here, but the model's time
 * may end in the moment in which the run's does. */
static struct next model_failed(struct flow *f)
{
    struct run *r = locals(f, struct run);
    enum err why = failure(f);
    struct str text = failure_text(f);
    bool ours = why == ERR_NO_MEMORY || why == ERR_CONFLICTING_WRITE;
    if (ours || run_is_out_of_time(r) || !run_can_explain_by_code(r))
        return fail_with(f, why, text);
    return explain_by_code(f, text.len ? text : str_of(err_sentence(why)));
}

static struct next answer_heard(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct str text = str_trim(r->consult->llm.content);
    struct str note = STR("");
    if (!text.len && run_can_explain_by_code(r))
        return explain_by_code(f, STR("its reply had no text."));
    if (!text.len)
        return fail_because(f, ERR_BAD_REPLY,
                            "The language model's reply had no text.");
    if (consult_was_cut(r->consult))
        note = STR("The text was cut off at the language model's size limit.");
    run_compose_output(r, text, note);
    return back(f);
}
