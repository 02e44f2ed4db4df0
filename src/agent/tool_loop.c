/* tool_loop.c - rounds of a model and its tools; see agent/tool_loop.h.
 *
 *   tool_loop_begin -> round_due -> (round_begin) -> round_ended
 *                         \____________________________/  | no call: the end
 *
 *   round_begin -> (the model) -> round_answered -> (calls, each a child flow)
 *       \ (given calls) _________^     | no call      -> calls_over
 *                                      v                -> round_kept
 *                                     back
 *
 *   tool_loop_again_begin -> (the model) -> written_again
 *   tool_loop_direct_begin -> calls_over -> round_kept */
#include "agent/tool_loop.h"
#include "agent/results.h"
#include "base/json.h"
#include <string.h>
#include "base/banned.h"

enum { CALL_MEMORY = 64 * 1024 * 1024, ROUNDS_AT_ONCE = 4 };

static struct next round_due(struct flow *f), round_begin(struct flow *f),
    round_answered(struct flow *f), calls_begin(struct flow *f),
    call_begin(struct flow *f), call_answered(struct flow *f),
    calls_over(struct flow *f), round_kept(struct flow *f),
    round_ended(struct flow *f), written_again(struct flow *f);

/* ---- what is offered ---------------------------------------------------- */

static void offer_tool(struct tool_loop *x, const struct tool_info *t)
{
    x->offered[x->n_offered++] = (struct llm_tool){
        str_of(t->name), str_of(t->description), str_of(t->parameters)};
}

void tool_loop_offer(struct tool_loop *x, const char *const *tools)
{
    x->tools = tools;
    x->n_offered = 0;
    for (const struct tool_info *t = x->set ? x->set->infos : NULL;
         t && t->name; t++)
        offer_tool(x, t);
    for (const char *const *name = x->tools; !x->set && *name; name++)
        offer_tool(x, tool_info_of(str_of(*name)));
    x->consult.tools = x->offered;
    x->consult.n_tools = x->n_offered;
}

static bool is_offered(const struct tool_loop *x, struct str name)
{
    for (size_t i = 0; i < x->n_offered; i++)
        if (str_eq(name, x->offered[i].name))
            return true;
    return false;
}

/* ---- the conversation --------------------------------------------------- */

/* The messages of a round: the model's, and the result of each call. */
static void put_round(struct llm_message *m, struct arena *a,
                      const struct loop_round *round)
{
    struct llm_tool_call *calls =
        arena_new_array(a, struct llm_tool_call, round->n_calls + 1);
    for (size_t i = 0; i < round->n_calls; i++) {
        const struct loop_call *c = &round->calls[i];
        calls[i] = (struct llm_tool_call){c->id, c->name, c->arguments};
        m[1 + i] = (struct llm_message){.role = LLM_TOOL,
                                        .content = c->result,
                                        .tool_call_id = c->id,
                                        .is_error = c->failed};
    }
    m[0] = (struct llm_message){.role = LLM_ASSISTANT,
                                .content = round->content,
                                .raw = round->raw,
                                .tool_calls = calls,
                                .n_tool_calls = round->n_calls};
}

/* With `more` messages after it, which the caller fills in: returns the
 * first. */
static struct llm_message *set_conversation(struct flow *f, struct tool_loop *x,
                                            size_t more)
{
    size_t n = more;
    for (int i = 0; i < x->n_rounds; i++)
        n += 1 + x->rounds[i].n_calls;
    struct llm_message *m =
        arena_new_array(flow_here(f), struct llm_message, n + 1);
    x->consult.said = m;
    x->consult.n_said = n;
    for (int i = 0; i < x->n_rounds; i++) {
        put_round(m, flow_here(f), &x->rounds[i]);
        m += 1 + x->rounds[i].n_calls;
    }
    return m;
}

/* Texts of calls and replies are in the run's scratch memory already. */
static struct str keep_text(struct tool_loop *x, struct str text)
{
    return x->memory == &x->run->scratch ? text : arena_str(x->memory, text);
}

/* ---- a round ------------------------------------------------------------ */

struct next tool_loop_begin(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    tool_loop_offer(x, x->tools);
    return go(f, round_due);
}

static struct next round_due(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    x->sums_up_now = x->n_rounds >= x->max_rounds;
    if (x->sums_up_now && !x->sums_up)
        return fail_because(f, ERR_BUDGET,
                            "No answer was found within %d rounds of tool "
                            "calls.",
                            x->max_rounds);
    x->consult.purpose =
        x->one_purpose
            ? str_of(x->purpose)
            : arena_printf(x->memory, "%s_%d", x->purpose, x->n_rounds + 1);
    x->consult.no_tool_calls = x->sums_up_now;
    x->consult.tries = 0;
    x->calls = NULL;
    x->n_calls = 0;
    return call(f, round_begin, x, round_ended);
}

/* A frame of its own, which is all that the round leaves in it. */
static struct next round_begin(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    if (x->n_rounds == 0 && x->n_given) {
        x->consult.llm = (struct llm_call){
            .tool_calls =
                arena_new_array(flow_here(f), struct llm_tool_call, x->n_given),
            .n_tool_calls = x->n_given};
        memcpy(x->consult.llm.tool_calls, x->given,
               x->n_given * sizeof *x->given);
        return go(f, round_answered);
    }
    set_conversation(f, x, 0);
    return call(f, consult_begin, &x->consult, round_answered);
}

/* Ids match results to calls. Makes one up when the model sent none or repeated
 * one. */
static struct str call_id(struct tool_loop *x, size_t at)
{
    const struct llm_call *llm = &x->consult.llm;
    struct str id = llm->tool_calls[at].id;
    bool good = id.len > 0;
    for (size_t i = 0; i < at && good; i++)
        good = !str_eq(llm->tool_calls[i].id, id);
    return good ? keep_text(x, id)
                : arena_printf(x->memory, "call_%d_%zu", x->n_rounds + 1,
                               at + 1);
}

static struct next round_answered(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    const struct llm_call *llm = &x->consult.llm;
    x->answered = llm->n_tool_calls == 0 || x->sums_up_now;
    if (x->answered)
        return back(f);
    x->n_calls = llm->n_tool_calls;
    x->calls =
        arena_new_array(flow_here(f), struct tool_loop_call, x->n_calls + 1);
    for (size_t i = 0; i < x->n_calls; i++) {
        const struct llm_tool_call *c = &llm->tool_calls[i];
        x->calls[i] = (struct tool_loop_call){
            .loop = x,
            .asked = {call_id(x, i), keep_text(x, c->name),
                      keep_text(x, c->arguments)}};
    }
    return go(f, calls_begin);
}

/* ---- its calls ---------------------------------------------------------- */

/* Arguments go into events and metadata, which a line break or a second value
 * would break: prints them again. */
static struct str valid_json(struct flow *f, struct str arguments)
{
    json_t *v = json_read_lenient(arguments, NULL);
    if (v)
        defer(f, json_drop, v);
    return json_is_object(v) ? json_print(flow_here(f), v) : STR("{}");
}

static struct next calls_begin(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    if (x->on_reply)
        x->on_reply(x);
    size_t n_data = 0, most = x->max_calls ? x->max_calls : TOOL_LOOP_CALLS;
    struct python_data *data =
        x->frames ? x->frames(x, &x->run->scratch, &n_data) : NULL;
    for (size_t i = 0; i < x->n_calls; i++) {
        struct tool_loop_call *c = &x->calls[i];
        c->record =
            run_tool_started(x->run, x->consult.phase, 0,
                             x->run->kind->names_phases ? STR("") : c->asked.id,
                             c->asked.name, valid_json(f, c->asked.arguments));
        c->tool =
            (struct tool_run){.context = &x->run->tools,
                              .name = c->asked.name,
                              .arguments = c->asked.arguments,
                              .data = data,
                              .n_data = n_data,
                              .made_of = x->run->results,
                              .memory = &x->run->scratch,
                              .json_memory = x->frames ? &x->run->rows : NULL};
        if (is_offered(x, c->asked.name) && i < most) {
            child_begin(f, &c->child, call_begin, c, "tool", CALL_MEMORY);
            op_tolerate(&c->child.op);
            continue;
        }
        c->tool.failed = true;
        c->tool.result = i < most ? STR("There is no such tool here.")
                                  : STR("Too many calls at once.");
    }
    return await(f, calls_over);
}

static struct next call_begin(struct flow *f)
{
    struct tool_loop_call *c = locals(f, struct tool_loop_call);
    const struct tool_set *set = c->loop->set;
    if (set)
        return flow_call(f, set->begin, set->begin_name, &c->tool,
                         call_answered, "call_answered", NULL, NULL);
    return call(f, tool_begin, &c->tool, call_answered);
}

static struct next call_answered(struct flow *f)
{
    return back(f);
}

static void end_call(struct tool_loop_call *c)
{
    struct tool_run *t = &c->tool;
    if (c->child.flow && c->child.op.status != OK) {
        t->failed = true;
        t->result = str_of(err_sentence(c->child.op.status));
        t->query = NULL;
        t->python = NULL;
    }
    run_tool_ended(c->loop->run, c->record, t->shown.len ? t->shown : t->result,
                   t->failed);
}

/* What the next round begins with. */
static struct loop_round round_of(struct tool_loop *x)
{
    struct arena *a = x->memory;
    const struct llm_call *llm = &x->consult.llm;
    struct loop_round round = {.content = keep_text(x, llm->content),
                               .raw = keep_text(x, llm->raw)};
    round.calls = arena_new_array(a, struct loop_call, x->n_calls + 1);
    for (size_t i = 0; i < x->n_calls; i++) {
        const struct tool_loop_call *c = &x->calls[i];
        round.calls[round.n_calls++] =
            (struct loop_call){c->asked.id, c->asked.name, c->asked.arguments,
                               keep_text(x, c->tool.result), c->tool.failed};
    }
    return round;
}

static void add_round(struct tool_loop *x)
{
    size_t n = (size_t)x->n_rounds;
    if (n % ROUNDS_AT_ONCE == 0) {
        size_t more = n + ROUNDS_AT_ONCE;
        x->rounds = (struct loop_round *)arena_resize(
            x->memory, (char *)x->rounds, n * sizeof *x->rounds,
            more * sizeof *x->rounds);
    }
    x->rounds[n] = round_of(x);
    x->n_rounds++;
}

static struct next calls_over(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    for (size_t i = 0; i < x->n_calls; i++)
        end_call(&x->calls[i]);
    add_round(x);
    if (!x->round_over)
        return go(f, round_kept);
    return flow_call(f, x->round_over, x->round_over_name, x, round_kept,
                     "round_kept", NULL, NULL);
}

static struct next round_kept(struct flow *f)
{
    return back(f);
}

static struct next round_ended(struct flow *f)
{
    const struct tool_loop *x = locals(f, struct tool_loop);
    return x->answered ? back(f) : go(f, round_due);
}

/* ---- a call by the user ------------------------------------------------- */

struct next tool_loop_direct_begin(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    x->direct = x->answered = true;
    tool_loop_offer(x, x->tools);
    x->n_calls = 1;
    x->calls = arena_new_array(&x->run->scratch, struct tool_loop_call, 2);
    x->calls[0] = (struct tool_loop_call){.loop = x, .asked = x->asked};
    return go(f, calls_begin);
}

/* ---- once more ---------------------------------------------------------- */

struct next tool_loop_again_begin(struct flow *f)
{
    struct tool_loop *x = locals(f, struct tool_loop);
    struct llm_message *m = set_conversation(f, x, 2);
    m[0] = (struct llm_message){.role = LLM_ASSISTANT,
                                .content = x->consult.llm.content};
    m[1] = (struct llm_message){.role = LLM_USER, .content = x->again};
    x->consult.purpose = str_of(x->again_purpose);
    x->consult.no_tool_calls = true;
    x->consult.tries = 0;
    return call(f, consult_begin, &x->consult, written_again);
}

static struct next written_again(struct flow *f)
{
    return back(f);
}
