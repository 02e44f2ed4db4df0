/* code.c - one attempt of the scientist: the model writes code, or corrects that
 * of the attempt before; the code is stored; then it runs.
 *
 *   scientist_code_begin -> (frames) -> frames_known -> (the model)
 *       -> code_heard -> code_stored -> code_ran
 *
 * The code is on record before it runs: a process that takes the run over
 * counts it, whether or not it knows how it ended. */
#include "../context.h"
#include "agent/results.h"
#include "base/utf8.h"
#include "frames.h"
#include "outcome.h"
#include "programs.h"
#include "scientist.h"
#include "summary.h"
#include "tool/disclosure.h"
#include "base/banned.h"

static struct next take_code(struct flow *f, struct str code);

enum { ERROR_BYTES = 4000, TRACE_BYTES = 3000 };

static struct next frames_known(struct flow *f), code_heard(struct flow *f),
    code_stored(struct flow *f), code_ran(struct flow *f);

struct coding {
    struct consult consult;
    struct python_tool python;
    struct tracked_call *call;
};

/* ---- the prompt --------------------------------------------------------- */

static struct str data_text(struct arena *a, struct run *r)
{
    const struct scientist *s = scientist_of(r);
    struct str notes = s->frames ? frames_notes(a, s->frames) : STR("");
    if (r->tools.share_rows == SHARE_NONE && s->frames &&
        s->frames->problem.len)
        notes = STR("A table could not be read.");
    return arena_printf(
        a, "%.*s%.*s",
        STR_ARG(summary_text(a, s->summary, r->tools.share_rows)),
        STR_ARG(notes));
}

static struct llm_message *compose_first(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    const struct scientist *s = scientist_of(r);
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct prompt_hole holes[] = {
        {"data", data_text(a, r), 2 * budget},
        {"conversation", context_conversation(a, r), budget / 2},
        {"preferences", context_preferences(a, r), budget / 4},
        {"plan", s->plan->reasoning, budget / 4},
        {"question", r->load.question, 0},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "scientist_code", holes);
}

static struct llm_message *compose_fix(struct consult *t, struct arena *a)
{
    struct run *r = t->run;
    const struct scientist *s = scientist_of(r);
    const struct code_attempt *last = &s->attempts[s->n_attempts - 1];
    size_t budget = agent_settings(r->agent)->prompt_budget;
    const struct prompt_hole holes[] = {
        {"data", data_text(a, r), 2 * budget},
        {"question", r->load.question, 0},
        {"attempt", arena_printf(a, "%d", s->n_attempts), 0},
        {"most", arena_printf(a, "%d", SCIENTIST_ATTEMPTS), 0},
        {"code", last->code, 2 * budget},
        {"error", context_lines(a, scientist_error(a, r, last->error)),
         ERROR_BYTES},
        {NULL, STR(""), 0}};
    return prompt_fill(a, "scientist_fix", holes);
}

/* ---- the attempt -------------------------------------------------------- */

/* The tables are read once in each process. */
struct next scientist_code_begin(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct scientist *s = scientist_of(r);
    if (s->frames)
        return go(f, frames_known);
    s->frames = arena_new(&r->arena, struct data_frames);
    s->frames->run = r;
    return call(f, frames_begin, s->frames, frames_known);
}

static struct next frames_known(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct scientist *s = scientist_of(r);
    if (!s->frames->n && !frames_of_files(r).len)
        return fail_because(f, ERR_SQL_FAILED, "No table could be read. %.*s",
                            STR_ARG(s->frames->problem));
    struct coding *c = here(f, struct coding);
    c->consult = (struct consult){
        .run = r,
        .phase = PHASE_SCIENTIST_CODE,
        .purpose = s->n_attempts ? STR("code_fix") : STR("code_generation"),
        .compose = s->n_attempts ? compose_fix : compose_first};
    r->consult = &c->consult;
    if (s->count_code.len)
        return take_code(f, s->count_code);
    return call(f, consult_begin, &c->consult, code_heard);
}

static struct coding *coding_of(const struct run *r)
{
    return container_of(r->consult, struct coding, consult);
}

static struct next attempt_failed(struct flow *f, struct str error)
{
    struct run *r = locals(f, struct run);
    struct scientist *s = scientist_of(r);
    s->attempts[s->n_attempts - 1].error =
        arena_str(&r->arena, utf8_cut(error, ERROR_BYTES));
    scientist_record_attempt(r, true);
    return back(f);
}

static struct next code_heard(struct flow *f)
{
    const struct run *r = locals(f, struct run);
    struct arena *a = &locals(f, struct run)->arena;
    return take_code(f, consult_code(a, r->consult->llm.content));
}

static struct next take_code(struct flow *f, struct str code)
{
    struct run *r = locals(f, struct run);
    struct scientist *s = scientist_of(r);
    struct code_attempt *attempt = &s->attempts[s->n_attempts++];
    *attempt = (struct code_attempt){.attempt = s->n_attempts, .code = code};
    if (!code.len)
        return attempt_failed(f, STR("The reply had no code."));
    if (code.len > SCIENTIST_CODE_BYTES)
        return attempt_failed(f, STR("The code is longer than 64 KiB."));
    scientist_record_attempt(r, false);
    journal_sync_begin(f, here(f, struct journal_sync), r->log);
    return await(f, code_stored);
}

static struct next code_stored(struct flow *f)
{
    struct run *r = locals(f, struct run);
    const struct scientist *s = scientist_of(r);
    struct coding *c = coding_of(r);
    struct str code = s->attempts[s->n_attempts - 1].code;
    c->python =
        (struct python_tool){.context = &r->tools,
                             .code = code,
                             .data = s->frames->data,
                             .n_data = s->frames->n,
                             .tables = frames_of_files(r),
                             .before = frames_prelude(&r->scratch, s->frames),
                             .after = str_of(program_after),
                             .take = outcome_files,
                             .n_take = OUTCOME_FILES,
                             .memory = &r->scratch};
    c->call =
        run_tool_started(r, PHASE_SCIENTIST_CODE, 0, STR(""), STR("run_python"),
                         tool_arguments(flow_here(f), "code", code));
    return call(f, python_tool_begin, &c->python, code_ran);
}

/* The error, and the end of what explains it. */
static struct str error_of(struct arena *a, const struct python_tool *p)
{
    struct str trace = str_trim(p->err);
    if (trace.len > TRACE_BYTES)
        trace = str_from(trace, trace.len - TRACE_BYTES);
    if (!trace.len || str_find(p->error, trace) >= 0)
        return p->error;
    return arena_printf(a, "%.*s\n%.*s", STR_ARG(p->error),
                        STR_ARG(utf8_repair(a, trace)));
}

static struct next code_ran(struct flow *f)
{
    struct run *r = locals(f, struct run);
    struct coding *c = coding_of(r);
    const struct python_tool *p = &c->python;
    run_tool_ended(r, c->call, p->failed ? p->error : p->out, p->failed);
    if (p->unavailable)
        return fail_with(f, ERR_SANDBOX_UNAVAILABLE, p->error);
    if (p->failed)
        return attempt_failed(f, error_of(&r->scratch, p));
    scientist_of(r)->exec_ms = p->elapsed_ms;
    outcome_take(f, r, p, frames_notes(&r->arena, scientist_of(r)->frames));
    scientist_report(r);
    scientist_record_attempt(r, true);
    run_record_artifact(r, "execution", &code_execution_type,
                        scientist_of(r)->execution, false);
    run_record_artifact(r, "results", &step_results_type, r->results, false);
    return back(f);
}

/* ---- what the model may see --------------------------------------------- */

/* Text of an exception may quote a value; so may its name, unless it is one of
 * Python's own. */
struct str scientist_error(struct arena *a, struct run *r, struct str error)
{
    static const char *const names[] = {
        "KeyError",    "NameError",   "AttributeError",   "ValueError",
        "TypeError",   "IndexError",  "SyntaxError",      "ZeroDivisionError",
        "ImportError", "MemoryError", "IndentationError", NULL};
    if (disclose_derived(r->tools.share_rows, NULL))
        return error;
    const char *const *name = names;
    while (*name && !str_starts(error, str_of(*name)))
        name++;
    return arena_printf(a,
                        "%s%sThe message is not shown to you, because it may "
                        "quote values of the data.",
                        *name ? *name : "", *name ? ". " : "");
}

struct str scientist_output(struct arena *a, struct run *r)
{
    const struct scientist *s = scientist_of(r);
    const struct code_execution *e = s->execution;
    struct buf out;
    buf_init(&out, a);
    if (!e)
        return STR("");
    if (!disclose_derived(r->tools.share_rows, NULL))
        buf_printf(&out, "%.*s\n", STR_ARG(not_disclosed));
    else if (e->result_str.len)
        buf_printf(&out, "%.*s\n", STR_ARG(e->result_str));
    else
        buf_text(&out, "It has no result in words.\n");
    size_t charts = run_count_charts(r);
    if (e->n_figures + charts)
        buf_printf(&out, "Figures that the user sees: %zu\n",
                   e->n_figures + charts);
    for (size_t i = 0;
         disclose_derived(r->tools.share_rows, NULL) && i < e->n_notes; i++)
        buf_printf(&out, "%.*s\n", STR_ARG(e->notes[i]));
    return buf_view(&out);
}
