/* trace.c - a row of llm_traces: prompt, reply, tokens, time. */
#include "trace.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "llm/provider.h"
#include "base/banned.h"

static void put_tool_calls(struct json_writer *w, const char *key,
                           const struct llm_tool_call *calls, size_t n)
{
    json_field_array(w, key);
    for (size_t i = 0; i < n; i++) {
        json_put_object(w);
        json_field_str(w, "id", calls[i].id);
        json_field_str(w, "name", calls[i].name);
        json_field_str(w, "args", calls[i].arguments);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static void put_message(struct json_writer *w, const struct llm_message *m)
{
    static const char *const types[] = {"system", "human", "ai", "tool"};
    json_put_object(w);
    json_field_text(w, "type", types[m->role]);
    json_field_str(w, "content", m->content);
    if (m->n_tool_calls)
        put_tool_calls(w, "tool_calls", m->tool_calls, m->n_tool_calls);
    if (m->tool_call_id.len)
        json_field_str(w, "tool_call_id", m->tool_call_id);
    json_put_object_end(w);
}

/* What each section of the prompt took, and what of it was left out. */
static void put_sections(struct json_writer *w, const struct consult *t)
{
    json_field_array(w, "prompt_sections");
    for (size_t i = 0; i < t->n_sections; i++) {
        const struct prompt_section *s = &t->sections[i];
        json_put_object(w);
        json_field_text(w, "name", s->name);
        json_field_int(w, "bytes", (int64_t)s->bytes);
        json_field_int(w, "cut", (int64_t)s->cut);
        if (s->shortened.len)
            json_field_str(w, "shortened", s->shortened);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static void put_time(struct json_writer *w, const char *key, int64_t wall_ms)
{
    char text[CLOCK_RFC3339_SIZE];
    clock_rfc3339(wall_ms, text);
    json_field_text(w, key, text);
}

/* The columns are int4; the counts of a model's server can be anything. */
static void put_count(struct json_writer *w, const char *key, int64_t n)
{
    json_field_int(w, key, n < 0 ? 0 : n > INT32_MAX ? INT32_MAX : n);
}

static void put_call(struct json_writer *w, const struct consult *t)
{
    const struct llm_call *c = &t->llm;
    json_field_text(w, "phase", phase_word(t->phase));
    json_field_int(w, "call_index", t->index);
    if (t->step_id)
        json_field_int(w, "step_id", t->step_id);
    json_field_str(w, "purpose", t->purpose);
    json_field_text(w, "provider", t->run->provider->id);
    json_field_str(w, "model", t->run->provider->model.name);
    if (c->temperature_sent >= 0)
        json_field_real(w, "temperature", c->temperature_sent);
    json_field_bool(w, "structured_output", t->type != NULL);
    put_count(w, "prompt_tokens", c->usage.prompt);
    put_count(w, "completion_tokens", c->usage.completion);
    put_count(w, "total_tokens", c->usage.total);
    put_count(w, "cached_tokens", c->usage.cached);
    put_count(w, "reasoning_tokens", c->usage.reasoning);
    if (!c->usage.unpriced)
        json_field_int(w, "cost", c->usage.cost);
}

static void put_columns(struct json_writer *w, const struct consult *t,
                        const struct traced_prompt *shared, struct str error)
{
    json_put_object(w);
    put_call(w, t);
    if (shared) {
        json_field_int(w, "shared_call", shared->call);
        json_field_int(w, "shared_messages", (int64_t)shared->n);
    }
    json_field_str(w, "response_content", t->llm.content);
    if (t->llm.n_tool_calls)
        put_tool_calls(w, "tool_calls", t->llm.tool_calls, t->llm.n_tool_calls);
    put_sections(w, t);
    put_time(w, "started_at", t->started_at);
    put_time(w, "completed_at", clock_wall_ms());
    json_field_int(w, "duration_ms", (int64_t)(clock_ms() - t->started_ms));
    if (error.len)
        json_field_str(w, "error", error);
    json_put_object_end(w);
}

/* An estimate of the size of the prompt, which is large. */
static size_t prompt_size(const struct consult *t)
{
    size_t size = 64;
    for (size_t i = 0; i < t->llm.n_messages; i++)
        size += 64 + t->llm.messages[i].content.len * 9 / 8;
    return size;
}

static void put_messages(struct buf *out, const struct consult *t)
{
    struct json_writer w;
    json_writer_init(&w, out);
    json_put_array(&w);
    for (size_t i = 0; i < t->llm.n_messages; i++)
        put_message(&w, &t->llm.messages[i]);
    json_put_array_end(&w);
}

/* Whether the messages continue those of an earlier call, as each round of a
 * tool loop does. */
static bool continues(const struct traced_prompt *earlier, struct str messages)
{
    return earlier->n && messages.len > earlier->len &&
           messages.ptr[earlier->len] == ',' &&
           keyed_hash(str_cut(messages, 0, earlier->len)) == earlier->hash;
}

/* Writes the messages alone that are new: what comes before them in `prompt` is
 * no longer needed then. */
void trace_write_row(const struct consult *t, struct str error)
{
    struct traced_prompt *earlier = &t->run->traced;
    struct buf prompt, columns;
    struct json_writer w;
    buf_init(&prompt, NULL);
    buf_reserve(&prompt, prompt_size(t));
    put_messages(&prompt, t);
    struct str all = buf_view(&prompt);
    size_t len = all.len - 1, own = 0;
    struct traced_prompt now = {t->index, t->llm.n_messages, len,
                                keyed_hash(str_cut(all, 0, len))};
    if (continues(earlier, all)) {
        own = earlier->len;
        prompt.ptr[own] = '[';
    }
    buf_init(&columns, NULL);
    json_writer_init(&w, &columns);
    put_columns(&w, t, own ? earlier : NULL, error);
    journal_trace(t->run->log, buf_view(&columns), str_from(all, own));
    *earlier = now;
    buf_done(&columns);
    buf_done(&prompt);
}

void trace_write_embedding(struct run *r, const struct llm_usage *used,
                           int64_t ms)
{
    const struct llm_model *model = r->discovery.embedding->model;
    const struct llm_message question = {.role = LLM_USER,
                                         .content = r->load.question};
    struct buf prompt, columns;
    struct json_writer w;
    buf_init(&prompt, NULL);
    json_writer_init(&w, &prompt);
    json_put_array(&w);
    put_message(&w, &question);
    json_put_array_end(&w);
    buf_init(&columns, NULL);
    json_writer_init(&w, &columns);
    json_put_object(&w);
    json_field_text(&w, "phase", phase_word(r->phase));
    json_field_int(&w, "call_index", r->call_index++);
    json_field_text(&w, "purpose", "question_embedding");
    json_field_text(&w, "provider", model->provider->id);
    json_field_str(&w, "model", model->name);
    json_field_bool(&w, "structured_output", false);
    put_count(&w, "prompt_tokens", used->prompt);
    put_count(&w, "completion_tokens", 0);
    put_count(&w, "total_tokens", used->total);
    put_count(&w, "cached_tokens", 0);
    put_count(&w, "reasoning_tokens", 0);
    json_field_int(&w, "cost", used->cost);
    put_time(&w, "started_at", clock_wall_ms() - ms);
    put_time(&w, "completed_at", clock_wall_ms());
    json_field_int(&w, "duration_ms", ms);
    json_put_object_end(&w);
    journal_trace(r->log, buf_view(&columns), buf_view(&prompt));
    buf_done(&columns);
    buf_done(&prompt);
}
