/* events.c - the events that all kinds of runs emit. The journal renders and
 * numbers them. */
#include "agent/run.h"
#include "base/utf8.h"
#include "base/banned.h"

enum { RESULT_CHARACTERS = 2000 };

void run_emit_phase(struct run *r, enum event_type type, enum phase phase)
{
    struct json_writer *w = journal_event(r->log, type);
    json_field_text(w, "phase", phase_word(phase));
    if (type == EVENT_PHASE_START)
        json_field_text(w, "description", phase_about(phase));
    journal_event_end(r->log);
}

void run_emit_artifact(struct run *r, enum phase phase, struct str json)
{
    struct json_writer *w = journal_event(r->log, EVENT_PHASE_ARTIFACT);
    json_field_text(w, "phase", phase_word(phase));
    json_field_raw(w, "artifact", json);
    journal_event_end(r->log);
}

void run_put_cost(struct json_writer *w, const struct llm_usage *u)
{
    if (u->unpriced || !u->total)
        return;
    json_field_real(w, "cost", amount_real(u->cost));
}

void run_put_tokens(struct json_writer *w, const struct llm_usage *u)
{
    json_field_object(w, "tokensUsed");
    json_field_int(w, "prompt", u->prompt);
    json_field_int(w, "completion", u->completion);
    json_field_int(w, "total", u->total);
    if (u->cached)
        json_field_int(w, "cached", u->cached);
    if (u->reasoning)
        json_field_int(w, "reasoning", u->reasoning);
    run_put_cost(w, u);
    if (u->estimated)
        json_field_bool(w, "estimated", true);
    json_put_object_end(w);
}

void run_emit_tokens(struct run *r, enum phase phase)
{
    struct json_writer *w = journal_event(r->log, EVENT_TOKEN_UPDATE);
    if (r->kind->names_phases)
        json_field_text(w, "phase", phase_word(phase));
    run_put_tokens(w, &r->phase_tokens);
    journal_event_end(r->log);
}

void run_emit_chunk(struct run *r, struct str piece)
{
    buf_str(&r->visible, piece);
    struct json_writer *w = journal_event(r->log, EVENT_MESSAGE_CHUNK);
    json_field_str(w, "chunk", piece);
    journal_event_end(r->log);
}

void run_emit_restart(struct run *r, enum phase phase, int64_t after)
{
    buf_clear(&r->visible);
    struct json_writer *w = journal_event(r->log, EVENT_PHASE_RESTART);
    json_field_text(w, "phase", phase_word(phase));
    json_field_int(w, "attempt", r->attempt);
    json_field_int(w, "afterId", after);
    journal_event_end(r->log);
}

void run_emit_text(struct run *r, struct str content)
{
    if (!str_trim(content).len)
        return;
    struct json_writer *w = journal_event(r->log, EVENT_TEXT);
    json_field_str(w, "content", content);
    journal_event_end(r->log);
}

struct str tool_arguments(struct arena *a, const char *name, struct str value)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, a);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_str(&w, name, value);
    json_put_object_end(&w);
    return buf_view(&out);
}

/* A call of a tool loop has an id; a call by code names its phase. */
void run_put_call(struct json_writer *w, const struct tracked_call *c)
{
    if (c->id.len)
        json_field_str(w, "toolCallId", c->id);
    else
        json_field_text(w, "phase", phase_word(c->phase));
    if (c->step_id)
        json_field_int(w, "stepId", c->step_id);
    json_field_str(w, "name", c->name);
}

static struct json_writer *tool_event(struct run *r, enum event_type type,
                                      const struct tracked_call *c)
{
    struct json_writer *w = journal_event(r->log, type);
    run_put_call(w, c);
    return w;
}

struct tracked_call *run_tool_started(struct run *r, enum phase phase,
                                      int64_t step_id, struct str id,
                                      struct str name, struct str args)
{
    struct tracked_call *c = arena_new(&r->calls.memory, struct tracked_call);
    *c = (struct tracked_call){.phase = phase,
                               .step_id = step_id,
                               .id = arena_str(&r->calls.memory, id),
                               .name = arena_str(&r->calls.memory, name),
                               .args = arena_str(&r->calls.memory, args),
                               .result = STR("\"\"")};
    *r->calls.end = c;
    r->calls.end = &c->next;
    struct json_writer *w =
        tool_event(r, id.len ? EVENT_TOOL_CALL : EVENT_TOOL_START, c);
    json_field_raw(w, "args", c->args);
    journal_event_end(r->log);
    return c;
}

void run_tool_ended(struct run *r, struct tracked_call *c, struct str result,
                    bool failed)
{
    struct buf quoted;
    buf_init(&quoted, &r->calls.memory);
    json_quote(&quoted, utf8_first(result, RESULT_CHARACTERS));
    c->result = buf_finish(&quoted);
    c->failed = failed;
    struct json_writer *w = tool_event(r,
                                       c->id.len ? EVENT_TOOL_RESULT
                                       : failed  ? EVENT_TOOL_ERROR
                                                 : EVENT_TOOL_END,
                                       c);
    if (!failed || c->id.len)
        json_field_raw(w, "result", c->result);
    if (failed)
        json_field_raw(w, "error", c->result);
    journal_event_end(r->log);
    run_note_result(r, c->phase, c->name, result);
}
