/* spans.c - the spans of runs and their phases. A run's calls are children of
 * its current phase, or of the run. */
#include "agent/run.h"
#include "base/clock.h"
#include <stdio.h>
#include "base/banned.h"

static const char *kind_word(const struct run *r)
{
    for (int i = 0; i < AGENT_KINDS; i++)
        if (r->kind == agent_kind_of((enum agent_kind_id)i))
            return agent_word((enum agent_kind_id)i);
    return r->kind && r->kind->load ? "model_build" : "explorer";
}

void run_span_begin(struct run *r)
{
    span_begin_as(&r->span, &r->trace);
    r->parent = r->trace;
}

void run_phase_entered(struct run *r)
{
    r->phase_entered_ms = clock_ms();
    span_begin(&r->phase_span, &r->trace);
    r->parent = r->phase_span.trace;
}

void run_phase_span_end(struct run *r, const char *error)
{
    const char *phase = phase_word(r->phase);
    r->parent = r->trace;
    if (!r->phase_span.open)
        return;
    struct json_writer *w =
        span_end(&r->phase_span, SPAN_INTERNAL, str_of(phase), error);
    if (!w)
        return;
    span_put_text(w, "sextant.phase", str_of(phase));
    span_put_int(w, "sextant.revision", r->revision);
    span_put_int(w, "gen_ai.usage.input_tokens", r->phase_tokens.prompt);
    span_put_int(w, "gen_ai.usage.output_tokens", r->phase_tokens.completion);
    span_close(w);
}

void run_span_end(struct run *r, const char *status, enum err how)
{
    char name[64];
    const char *error = how == OK ? NULL : err_code(how);
    run_phase_span_end(r, error ? error : status);
    snprintf(name, sizeof name, "invoke_agent %s", kind_word(r));
    struct json_writer *w =
        span_end(&r->span, SPAN_INTERNAL, str_of(name), error);
    if (!w)
        return;
    span_put_text(w, "gen_ai.operation.name", STR("invoke_agent"));
    span_put_text(w, "gen_ai.agent.name", str_of(kind_word(r)));
    span_put_text(w, "gen_ai.conversation.id", str_of(r->chat_id));
    span_put_int(w, "gen_ai.usage.input_tokens", r->tokens.prompt);
    span_put_int(w, "gen_ai.usage.output_tokens", r->tokens.completion);
    span_put_text(w, "sextant.run.id", str_of(r->message_id));
    span_put_text(w, "sextant.run.status", str_of(status));
    span_put_int(w, "sextant.run.attempt", r->attempt);
    span_put_int(w, "sextant.run.model_calls", r->call_index);
    span_put_int(w, "sextant.run.revisions", r->revision);
    span_close(w);
}
