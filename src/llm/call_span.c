/* call_span.c - ends the spans of model calls. */
#include "call_span.h"
#include "llm/provider.h"
#include <string.h>
#include "base/banned.h"

static const char *const role_words[] = {"system", "user", "assistant", "tool"};

static const char *finish_word(enum llm_finish finish)
{
    switch (finish) {
    case LLM_TOOL_CALLS:
        return "tool_calls";
    case LLM_LENGTH:
        return "length";
    case LLM_FILTERED:
        return "content_filter";
    case LLM_INCOMPLETE:
        return "incomplete";
    default:
        return "stop";
    }
}

/* ---- content, when it is asked for --------------------------------------- */

static void put_part(struct json_writer *w, const char *type, const char *key,
                     struct str text)
{
    json_put_object(w);
    json_field_text(w, "type", type);
    json_field_str(w, key, text);
    json_put_object_end(w);
}

static void put_call_part(struct json_writer *w, const struct llm_tool_call *c)
{
    json_put_object(w);
    json_field_text(w, "type", "tool_call");
    json_field_str(w, "id", c->id);
    json_field_str(w, "name", c->name);
    json_field_str(w, "arguments", c->arguments);
    json_put_object_end(w);
}

static void put_message(struct json_writer *w, const char *role,
                        struct str content, const struct llm_tool_call *calls,
                        size_t n_calls, const char *finish)
{
    bool result = !strcmp(role, "tool");
    json_put_object(w);
    json_field_text(w, "role", role);
    json_field_array(w, "parts");
    if (content.len)
        put_part(w, result ? "tool_call_response" : "text",
                 result ? "result" : "content", content);
    for (size_t i = 0; i < n_calls; i++)
        put_call_part(w, &calls[i]);
    json_put_array_end(w);
    if (finish)
        json_field_text(w, "finish_reason", finish);
    json_put_object_end(w);
}

void call_span_keep_prompt(struct buf *kept, const struct llm_call *c)
{
    struct json_writer w;
    if (!span_content() || kept->len)
        return;
    json_writer_init(&w, kept);
    json_put_array(&w);
    for (size_t i = 0; i < c->n_messages && kept->len < SPAN_TEXT_MOST; i++) {
        const struct llm_message *m = &c->messages[i];
        put_message(&w, role_words[m->role], m->content, m->tool_calls,
                    m->n_tool_calls, NULL);
    }
    json_put_array_end(&w);
}

static void put_reply(struct json_writer *out, const struct llm_call *c)
{
    struct buf text;
    struct json_writer w;
    buf_init(&text, NULL);
    json_writer_init(&w, &text);
    json_put_array(&w);
    put_message(&w, "assistant", c->content, c->tool_calls, c->n_tool_calls,
                finish_word(c->finish));
    json_put_array_end(&w);
    span_put_text(out, "gen_ai.output.messages", buf_view(&text));
    buf_done(&text);
}

/* ---- attributes ---------------------------------------------------------- */

static const char *provider_name(const struct llm_model *m)
{
    const char *id = m->provider->id;
    return !strcmp(id, "azure") ? "azure.ai.openai" : id;
}

static struct str span_name(char *out, size_t size, const char *operation,
                            const struct llm_model *m)
{
    str_copy(out, size, str_of(operation));
    size_t n = strlen(out);
    str_copy(out + n, size - n, m->name);
    return str_of(out);
}

static void put_model(struct json_writer *w, const char *operation,
                      const struct llm_model *m)
{
    span_put_text(w, "gen_ai.operation.name", str_of(operation));
    span_put_text(w, "gen_ai.provider.name", str_of(provider_name(m)));
    span_put_text(w, "gen_ai.request.model", m->name);
}

static void put_usage(struct json_writer *w, const struct llm_usage *u)
{
    span_put_int(w, "gen_ai.usage.input_tokens", u->prompt);
    span_put_int(w, "gen_ai.usage.output_tokens", u->completion);
    if (u->cached)
        span_put_int(w, "gen_ai.usage.cache_read.input_tokens", u->cached);
    if (u->reasoning)
        span_put_int(w, "gen_ai.usage.reasoning.output_tokens", u->reasoning);
}

void call_span_end(struct span *s, const struct llm_call *c, struct str prompt,
                   enum err how)
{
    char name[96];
    bool local = c->model->provider->local != NULL;
    struct json_writer *w =
        span_end(s, local ? SPAN_INTERNAL : SPAN_CLIENT,
                 span_name(name, sizeof name, "chat ", c->model),
                 how == OK ? NULL : err_code(how));
    if (!w)
        return;
    put_model(w, "chat", c->model);
    if (c->temperature_sent >= 0)
        span_put_real(w, "gen_ai.request.temperature", c->temperature_sent);
    span_put_text(w, "gen_ai.output.type",
                  c->schema_name.len ? STR("json") : STR("text"));
    put_usage(w, &c->usage);
    if (how == OK)
        span_put_word_list(w, "gen_ai.response.finish_reasons",
                           finish_word(c->finish));
    if (c->tries > 1)
        span_put_int(w, "http.request.resend_count", c->tries - 1);
    span_put_text(w, "gen_ai.input.messages", prompt);
    if (span_content() && how == OK)
        put_reply(w, c);
    span_close(w);
}

void embed_span_end(struct span *s, const struct llm_embedding *job,
                    enum err how)
{
    char name[96];
    struct json_writer *w = span_end(
        s, SPAN_CLIENT, span_name(name, sizeof name, "embeddings ", job->model),
        how == OK ? NULL : err_code(how));
    if (!w)
        return;
    put_model(w, "embeddings", job->model);
    span_put_int(w, "gen_ai.usage.input_tokens", job->usage.prompt);
    span_close(w);
}
