/* csv.c - the CSV analyst: a model with the tools of tool/csv_tools.h over one
 * dataset. Its steps are those of ReAct (../react), with another prompt and
 * other tools; after the last round the model may sum up.
 *
 *   csv_begin -> react_loop_begin -> answered -> csv_rows_begin -> rows_made
 *   csv_begin -> direct_due -> (the call) -> direct_over -> answered
 *
 * A question that begins with "SQL:" or "PYTHON:" is not for a model: what
 * follows is run as it is. */
#include "csv.h"
#include "../context.h"
#include "../dialect.h"
#include "../today.h"
#include "agent/answer.h"
#include "base/clock.h"
#include "base/banned.h"

enum { OWNER_BYTES = 2 * 1024, CONVERSATION_BYTES = 6 * 1024 };

static struct next answered(struct flow *f), direct_due(struct flow *f),
    direct_over(struct flow *f), rows_made(struct flow *f);

/* ---- the prompt --------------------------------------------------------- */

static struct llm_message *csv_prompt(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    struct str conversation = context_conversation(a, r);
    const struct prompt_hole holes[] = {
        {"dialect", dialect_of(r->tools.source)->rules, 0},
        {"max_rows",
         arena_printf(a, "%d", agent_settings(r->agent)->sql_max_rows), 0},
        {"owner", context_owner(a, r), OWNER_BYTES},
        {"calendar", run_calendar(a, r), 0},
        {"preferences", context_preferences(a, r), CONVERSATION_BYTES},
        {"conversation",
         conversation.len ? conversation : STR("No previous conversation."),
         CONVERSATION_BYTES},
        {"dataset", r->tools.dataset_id, 0},
        {"question", r->load.question, 0},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "csv", holes);
}

/* ---- what the user wrote as a query or as code -------------------------- */

static bool takes_prefix(struct str *text, const char *prefix)
{
    struct str p = str_of(prefix);
    if (text->len < p.len || !str_eq_nocase(str_cut(*text, 0, p.len), p))
        return false;
    *text = str_trim(str_from(*text, p.len));
    return true;
}

/* "PLAN:" needs a brace after it: a question may begin with that word. */
static bool takes_plan(struct str *text)
{
    struct str rest = *text;
    if (!takes_prefix(&rest, "plan:") || !str_starts(rest, STR("{")))
        return false;
    *text = rest;
    return true;
}

/* A plan that is no JSON is refused by its tool, as text. */
static void put_plan(struct json_writer *w, struct str text)
{
    json_t *plan = json_read(text, NULL);
    json_put_key(w, "plan");
    if (plan)
        json_print_into(w->out, plan);
    else
        json_put_str(w, text);
    json_decref(plan);
}

static bool direct_call(struct run *r, struct llm_tool_call *call)
{
    struct str text = str_trim(r->load.question);
    bool sql = takes_prefix(&text, "sql:");
    bool python = !sql && takes_prefix(&text, "python:");
    bool plan = !sql && !python && takes_plan(&text);
    struct buf out;
    struct json_writer w;
    if (!sql && !python && !plan)
        return false;
    buf_init(&out, &r->arena);
    buf_reserve(&out, 3 * text.len + 200); /* no jump while a plan is held */
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_str(&w, "dataset_id", r->tools.dataset_id);
    if (plan)
        put_plan(&w, text);
    else
        json_field_str(&w, sql ? "sql" : "python_code", text);
    json_put_object_end(&w);
    *call = (struct llm_tool_call){.id = STR("call_1_1"),
                                   .name = sql    ? STR("execute_sql")
                                           : plan ? STR("execute_query_plan")
                                                  : STR("execute_python"),
                                   .arguments = buf_finish(&out)};
    return true;
}

/* ---- the run ------------------------------------------------------------ */

static struct next csv_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct llm_tool_call call;
    if (r->phase == PHASE_DONE) /* taken over: it has only to be ended */
        return go(f, answered);
    journal_phase(r->log, r->phase, 0);
    if (direct_call(r, &call))
        return go(f, direct_due);
    return call(f, react_loop_begin, r, answered);
}

static struct next direct_due(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct react_loop *x = react_of(r)->loop = here(f, struct react_loop);
    run_phase_entered(r);
    react_loop_init(r, x);
    direct_call(r, &x->loop.asked);
    if (x->loop.n_rounds) /* an earlier attempt has run it */
        return go(f, direct_over);
    return call(f, tool_loop_direct_begin, &x->loop, direct_over);
}

static struct next direct_over(struct flow *f)
{
    struct run *r = locals(f, struct run);
    run_compose_output(r, csv_direct_text(r), STR(""));
    return call(f, run_save_answer_begin, r, answered);
}

static struct next answered(struct flow *f)
{
    return call(f, csv_rows_begin, locals(f, struct run), rows_made);
}

static struct next rows_made(struct flow *f)
{
    return back(f);
}

/* ---- the kind ----------------------------------------------------------- */

static const char *const queries[] = {"execute_sql", "execute_query_plan",
                                      NULL};

static const struct react_variant variant = {
    .phase = PHASE_CSV,
    .purpose = "csv_round",
    .set = &csv_tools,
    .queries = queries,
    .python = "execute_python",
    .task = TASK_CSV,
    .compose = csv_prompt,
    .sums_up = true,
    .round_kept = csv_round_kept,
};

/* As those of ReAct: the rounds record the results. */
static const struct kind_artifact artifacts[] = {
    RUN_ARTIFACT(results, PHASE_DONE, step_results, "stepResults"),
    RUN_ARTIFACT(report, PHASE_DONE, verification_report, "verificationReport"),
    RUN_ARTIFACT(output, PHASE_CSV, explainer_output, "explainerOutput"),
    {0}};

const struct agent_kind csv_kind = {
    .begin = csv_begin,
    .begin_name = "csv_begin",
    .variant = &variant,
    .state_size = sizeof(struct csv_state),
    .artifacts = artifacts,
    .resume = react_resume,
    .digest = react_digest,
    .datasets = react_datasets,
    .lineage = react_lineage,
    .capsule = csv_capsule,
};
