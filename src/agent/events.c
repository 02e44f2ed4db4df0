/* events.c - what a run tells its streams. The journal renders and numbers. */
#include "agent/run.h"
#include "base/utf8.h"
#include "base/banned.h"

enum { RESULT_CHARACTERS = 2000 };

void run_tell_phase(struct run *r, enum event_type type, enum phase phase)
{
    struct json_writer *w = journal_event(r->log, type);
    json_field_text(w, "phase", phase_word(phase));
    if (type == EVENT_PHASE_START)
        json_field_text(w, "description", phase_about(phase));
    journal_event_end(r->log);
}

void run_tell_artifact(struct run *r, enum phase phase, struct str json)
{
    struct json_writer *w = journal_event(r->log, EVENT_PHASE_ARTIFACT);
    json_field_text(w, "phase", phase_word(phase));
    json_field_raw(w, "artifact", json);
    journal_event_end(r->log);
}

void run_put_tokens(struct json_writer *w, const struct llm_usage *u)
{
    json_put_key(w, "tokensUsed");
    json_put_object(w);
    json_field_int(w, "prompt", u->prompt);
    json_field_int(w, "completion", u->completion);
    json_field_int(w, "total", u->total);
    if (u->estimated)
        json_field_bool(w, "estimated", true);
    json_put_object_end(w);
}

void run_tell_tokens(struct run *r, enum phase phase)
{
    struct json_writer *w = journal_event(r->log, EVENT_TOKEN_UPDATE);
    if (r->kind->tells_phases)
        json_field_text(w, "phase", phase_word(phase));
    run_put_tokens(w, &r->phase_tokens);
    journal_event_end(r->log);
}

void run_tell_chunk(struct run *r, struct str piece)
{
    buf_str(&r->visible, piece);
    struct json_writer *w = journal_event(r->log, EVENT_MESSAGE_CHUNK);
    json_field_str(w, "chunk", piece);
    journal_event_end(r->log);
}

void run_tell_restart(struct run *r, enum phase phase, int64_t after)
{
    buf_clear(&r->visible);
    struct json_writer *w = journal_event(r->log, EVENT_PHASE_RESTART);
    json_field_text(w, "phase", phase_word(phase));
    json_field_int(w, "attempt", r->attempt);
    json_field_int(w, "afterId", after);
    journal_event_end(r->log);
}

void run_tell_step(struct run *r, const struct plan_step *step)
{
    struct json_writer *w = journal_event(r->log, EVENT_STEP_START);
    json_field_int(w, "stepId", step->id);
    json_field_str(w, "description", step->description);
    json_field_text(w, "strategy", step_strategies[step->strategy]);
    journal_event_end(r->log);
}

void run_tell_step_end(struct run *r, const struct plan_step *step,
                       struct str error)
{
    struct json_writer *w = journal_event(r->log, EVENT_STEP_COMPLETE);
    json_field_int(w, "stepId", step->id);
    if (error.len)
        json_field_str(w, "error", error);
    journal_event_end(r->log);
}

/* Of a phase of the pipeline (seed 000), or of a loop's call (seed 001). */
static struct json_writer *tool_event(struct run *r, enum event_type type,
                                      const struct tracked_call *c)
{
    struct json_writer *w = journal_event(r->log, type);
    if (c->id.len)
        json_field_str(w, "toolCallId", c->id);
    else
        json_field_text(w, "phase", phase_word(c->phase));
    if (c->step_id)
        json_field_int(w, "stepId", c->step_id);
    json_field_str(w, "name", c->name);
    return w;
}

struct tracked_call *run_tool_started(struct run *r, enum phase phase,
                                      int64_t step_id, struct str id,
                                      struct str name, struct str args)
{
    struct tracked_call *c = arena_new(&r->call_memory, struct tracked_call);
    *c = (struct tracked_call){.phase = phase,
                               .step_id = step_id,
                               .id = arena_str(&r->call_memory, id),
                               .name = arena_str(&r->call_memory, name),
                               .args = arena_str(&r->call_memory, args),
                               .result = STR("\"\"")};
    *r->calls_end = c;
    r->calls_end = &c->next;
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
    buf_init(&quoted, &r->call_memory);
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
    run_note_answer(r, c->phase, c->name, result);
}
