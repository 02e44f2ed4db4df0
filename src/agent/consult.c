/* consult.c - one call of a phase's model; see agent/consult.h.
 *
 *   consult_begin -> (llm_begin) -> answered -> reply_heard -> back
 *        ^                \ model_failed            | does not fit, once
 *        |________________________ reply_misfits ____|
 *
 * consult_begin checks the budget and emits llm_call_start. reply_heard emits
 * llm_call_end, counts tokens, writes the trace and decodes the reply. A repair
 * is a call of its own, with its own events and trace. */
#include "agent/consult.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "trace.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum {
    PREVIEW = 200,
    TRIES = 2,
    KEPT_BYTES = 512 * 1024, /* of prompts, in this process */
};

static struct next answered(struct flow *f), reply_heard(struct flow *f),
    model_failed(struct flow *f),
    reply_misfits(struct flow *f, const char *problem);

/* ---- the prompt --------------------------------------------------------- */

/* Of the prompts that are kept while their calls wait. */
static size_t kept_bytes;

static void free_prompt(void *who)
{
    struct consult *t = who;
    kept_bytes -= t->kept;
    t->kept = 0;
    t->llm.messages = NULL;
    t->llm.n_messages = 0;
    arena_done(&t->prompt);
}

/* A prompt is needed again: to be sent, and for the trace. A thousand of them
 * are too much memory, so only the first few are kept; the others are composed
 * again. */
static void keep_or_free_prompt(void *who)
{
    struct consult *t = who;
    if (t->kept)
        return;
    if (kept_bytes + t->prompt.total > KEPT_BYTES)
        free_prompt(t);
    else
        kept_bytes += t->kept = t->prompt.total;
}

static void build_prompt(void *who)
{
    struct consult *t = who;
    if (t->llm.messages)
        return;
    arena_init(&t->prompt, 0);
    struct llm_message *m = t->compose(t, &t->prompt);
    t->sections = prompt_sections(m, &t->n_sections);
    size_t n = PROMPT_MESSAGES + t->n_said;
    if (t->n_said) {
        struct llm_message *all =
            arena_new_array(&t->prompt, struct llm_message, n);
        memcpy(all, m, PROMPT_MESSAGES * sizeof *m);
        memcpy(all + PROMPT_MESSAGES, t->said, t->n_said * sizeof *m);
        m = all;
    }
    t->llm.messages = m;
    t->llm.n_messages = n;
}

/* ---- events and counters ------------------------------------------------ */

static struct json_writer *call_event(struct consult *t, enum event_type type)
{
    struct json_writer *w = journal_event(t->run->log, type);
    json_field_text(w, "phase", phase_word(t->phase));
    json_field_int(w, "callIndex", t->index);
    if (t->step_id)
        json_field_int(w, "stepId", t->step_id);
    json_field_str(w, "purpose", t->purpose);
    return w;
}

static void emit_start(struct consult *t)
{
    size_t characters = 0;
    for (size_t i = 0; i < t->llm.n_messages; i++)
        characters += utf8_count(t->llm.messages[i].content);
    struct json_writer *w = call_event(t, EVENT_LLM_CALL_START);
    json_field_text(w, "provider", t->run->provider->id);
    json_field_str(w, "model", t->run->provider->model.name);
    json_field_bool(w, "structuredOutput", t->type != NULL);
    json_field_object(w, "promptSummary");
    json_field_int(w, "messageCount", (int64_t)t->llm.n_messages);
    json_field_int(w, "totalChars", (int64_t)characters);
    json_put_object_end(w);
    journal_event_end(t->run->log);
}

static void emit_end(struct consult *t, struct str error)
{
    const struct llm_call *c = &t->llm;
    struct json_writer *w = call_event(t, EVENT_LLM_CALL_END);
    json_field_int(w, "durationMs", (int64_t)(clock_ms() - t->started_ms));
    json_field_int(w, "promptTokens", c->usage.prompt);
    json_field_int(w, "completionTokens", c->usage.completion);
    json_field_int(w, "totalTokens", c->usage.total);
    if (c->usage.cached)
        json_field_int(w, "cachedTokens", c->usage.cached);
    if (c->usage.reasoning)
        json_field_int(w, "reasoningTokens", c->usage.reasoning);
    run_put_cost(w, &c->usage);
    if (c->usage.estimated)
        json_field_bool(w, "tokensEstimated", true);
    json_field_str(w, "responsePreview", utf8_first(c->content, PREVIEW));
    json_field_int(w, "toolCallCount", (int64_t)c->n_tool_calls);
    if (error.len)
        json_field_str(w, "error", error);
    journal_event_end(t->run->log);
}

static void count(struct consult *t, bool failed)
{
    struct run *r = t->run;
    const struct llm_usage *u = &t->llm.usage;
    llm_usage_add(&r->tokens, u);
    llm_usage_add(&r->phase_tokens, u);
    agent_count_call(r->agent, r->provider, u, clock_ms() - t->started_ms,
                     failed);
}

static void settle(struct consult *t, struct str error)
{
    agent_price_call(t->run->agent, t->llm.model, &t->llm.usage);
    emit_end(t, error);
    count(t, error.len > 0);
    build_prompt(t);
    trace_write_row(t, error);
    free_prompt(t);
}

static void on_text(void *who, struct str piece)
{
    run_emit_chunk(((struct consult *)who)->run, piece);
}

static void on_restart(void *who)
{
    struct consult *t = who;
    run_emit_restart(t->run, t->phase, t->first_event);
}

static void on_wait(void *who, const char *reason, unsigned ms)
{
    struct run *r = ((struct consult *)who)->run;
    struct json_writer *w = journal_event(r->log, EVENT_RUN_STATUS);
    json_field_text(w, "reason", reason);
    json_field_int(w, "retryInMs", ms);
    journal_event_end(r->log);
}

/* ---- the call ----------------------------------------------------------- */

static struct str schema_text(struct flow *f, const struct artifact_type *type)
{
    struct buf out;
    buf_init(&out, flow_here(f));
    artifact_schema(&out, type);
    return buf_view(&out);
}

static unsigned time_left(const struct run *r)
{
    const struct agent_settings *s = agent_settings(r->agent);
    uint64_t used = clock_ms() - r->started_ms;
    uint64_t left = used < s->run_deadline_ms ? s->run_deadline_ms - used : 1;
    return left < s->llm_call_timeout_ms ? (unsigned)left
                                         : s->llm_call_timeout_ms;
}

/* Why the run may call no model any more; NULL: it may. */
static const char *budget_problem(const struct run *r)
{
    const struct agent_settings *s = agent_settings(r->agent);
    if (r->call_index >= s->run_max_calls ||
        (s->run_max_tokens && r->tokens.total >= s->run_max_tokens))
        return "The question used up its model calls or tokens.";
    if (s->run_max_cost && r->tokens.cost >= s->run_max_cost)
        return "The question reached the cost that this server allows for "
               "one answer.";
    if (s->cost_per_day &&
        r->load.cost_today + r->tokens.cost >= s->cost_per_day)
        return "Your questions reached their cost limit for today (UTC), so "
               "this one was not finished.";
    return NULL;
}

struct next consult_begin(struct flow *f)
{
    struct consult *t = locals(f, struct consult);
    struct run *r = t->run;
    const char *problem = budget_problem(r);
    if (problem)
        return fail_because(f, ERR_BUDGET, "%s", problem);
    t->index = r->call_index++;
    t->started_at = clock_wall_ms();
    t->started_ms = clock_ms();
    t->first_event = journal_last(r->log);
    t->answered = false;
    t->llm = (struct llm_call){
        .model = &r->provider->model,
        .compose = build_prompt,
        .let_go = keep_or_free_prompt,
        .tools = t->tools,
        .n_tools = t->n_tools,
        .no_tool_calls = t->no_tool_calls,
        .trace = &r->parent,
        .schema_name = str_of(t->type ? t->schema_name : NULL),
        .schema = t->type ? schema_text(f, t->type) : STR(""),
        .total_ms = time_left(r),
        .on_text = t->visible ? on_text : NULL,
        .on_restart = t->visible ? on_restart : NULL,
        .on_wait = on_wait,
        .who = t,
        .inputs = t->inputs,
        .memory = &r->scratch};
    defer(f, free_prompt, t);
    build_prompt(t);
    emit_start(t);
    keep_or_free_prompt(t); /* the call may have to wait for the rate limit */
    return attempt(f, llm_begin, &t->llm, answered, model_failed);
}

/* A repair's messages are freed with this frame; the caller's are valid
 * again. */
static void restore_messages(struct consult *t)
{
    if (t->tries == 0)
        return;
    t->said = t->said_before;
    t->n_said = t->n_said_before;
}

static struct next model_failed(struct flow *f)
{
    struct consult *t = locals(f, struct consult);
    struct str text =
        t->llm.problem.len ? t->llm.problem : str_of(err_sentence(failure(f)));
    t->llm.n_tool_calls = 0; /* they may be incomplete */
    settle(t, text);
    restore_messages(t);
    return fail_with(f, failure(f), text);
}

static bool decode(struct flow *f, struct consult *t,
                   struct artifact_problem *p)
{
    if (t->answered)
        return !t->check || t->check(t->artifact, p);
    struct json_problem problem = {0};
    json_t *v = json_read_lenient(t->llm.content, &problem);
    if (!v) {
        snprintf(p->text, sizeof p->text, "it is not JSON: %s", problem.text);
        return false;
    }
    defer(f, json_drop, v);
    return artifact_decode(&t->run->arena, t->type, v, t->artifact, p) &&
           (!t->check || t->check(t->artifact, p));
}

/* Back-pressure: replies and traces must not pile up while the database is
 * unavailable, or when a thousand models answer at once. */
static struct next answered(struct flow *f)
{
    struct run *r = locals(f, struct consult)->run;
    journal_room_begin(f, here(f, struct journal_room), r->log);
    return await(f, reply_heard);
}

static struct next reply_heard(struct flow *f)
{
    struct consult *t = locals(f, struct consult);
    struct artifact_problem problem = {"it was cut off at its size limit"};
    bool whole =
        t->llm.finish == LLM_STOP || t->llm.finish == LLM_TOOL_CALLS ||
        (t->keeps_cut && consult_was_cut(t) && str_trim(t->llm.content).len);
    if (t->llm.finish == LLM_FILTERED) {
        settle(t, STR("The model declined to answer."));
        return fail_because(f, ERR_MODEL_REFUSED,
                            "The model declined to answer.");
    }
    if (whole && (!t->type || decode(f, t, &problem))) {
        settle(t, STR(""));
        restore_messages(t);
        return back(f);
    }
    settle(t, str_of(problem.text));
    return reply_misfits(f, problem.text);
}

void consult_answer(struct consult *t, const void *artifact)
{
    artifact_copy(&t->run->arena, t->type, artifact, t->artifact);
    t->answered = true;
    t->llm.content = artifact_json(t->llm.memory, t->type, artifact);
}

bool consult_was_cut(const struct consult *t)
{
    return t->llm.finish == LLM_LENGTH;
}

/* Repair, once: the model reads its reply and what is wrong with it. */
static struct next reply_misfits(struct flow *f, const char *problem)
{
    struct consult *t = locals(f, struct consult);
    struct arena *a = &t->run->arena;
    if (++t->tries >= TRIES ||
        t->llm.exceeded_limit) { /* it would do so again */
        restore_messages(t);
        return fail_because(f, ERR_BAD_REPLY,
                            "The model's reply could not be used: %s", problem);
    }
    size_t n = t->n_said;
    struct llm_message *m =
        arena_new_array(flow_here(f), struct llm_message, n + 2);
    if (n)
        memcpy(m, t->said, n * sizeof *m);
    m[n] =
        (struct llm_message){.role = LLM_ASSISTANT, .content = t->llm.content};
    m[n + 1] = (struct llm_message){
        .role = LLM_USER,
        .content = arena_printf(a,
                                "Your reply cannot be used: %s. Send the "
                                "whole reply again, corrected.",
                                problem)};
    t->said_before = t->said;
    t->n_said_before = n;
    t->said = m;
    t->n_said = n + 2;
    if (t->visible)
        on_restart(t);
    return go(f, consult_begin);
}

struct str consult_code(struct arena *arena, struct str reply)
{
    ptrdiff_t open = str_find(reply, STR("```"));
    if (open < 0)
        return arena_str(arena, str_trim(reply));
    struct str inside = str_from(reply, (size_t)open + 3);
    ptrdiff_t line = str_find_char(inside, '\n');
    inside = str_from(inside, line < 0 ? 0 : (size_t)line + 1);
    ptrdiff_t close = str_find(inside, STR("```"));
    if (close >= 0)
        inside = str_cut(inside, 0, (size_t)close);
    return arena_str(arena, str_trim(inside));
}
