/* anthropic.c - requests to Anthropic's messages API.
 *
 * Differences from OpenAI's: system text is a field next to the messages; the
 * results of one round of tool calls are one user message; an assistant message
 * is sent back as it came, with its reasoning blocks and their signatures. A
 * model without native structured output is forced to call a tool whose
 * parameters are the schema; if it reasons, forcing is not allowed, so the tool
 * is only offered. */
#include "anthropic.h"
#include "base/json.h"
#include "models.h"
#include "openai.h"
#include "base/banned.h"

enum { LEAST_BUDGET = 1024 };

/* ---- prompt caching ----------------------------------------------------- */

/* A cached prefix costs a tenth when it is read again within minutes, and a
 * quarter more when it is written. Each model has a minimum length of about a
 * thousand tokens. */
enum { LEAST_CACHED = 4096 }; /* bytes: less than any model's minimum */

static size_t prefix_size(const struct llm_call *c)
{
    size_t size = c->schema.len;
    for (size_t i = 0; i < c->n_tools; i++)
        size += c->tools[i].name.len + c->tools[i].description.len +
                c->tools[i].parameters.len;
    for (size_t i = 0; i < c->n_messages; i++)
        if (c->messages[i].role == LLM_SYSTEM)
            size += c->messages[i].content.len;
    return size;
}

/* Whether to cache tools and system text, which are the same for every question
 * of a kind. */
static bool caches_prefix(const struct llm_call *c,
                          const struct llm_terms *terms)
{
    return !(terms->without & LLM_CACHE_CONTROL) &&
           prefix_size(c) >= LEAST_CACHED;
}

/* Whether to cache the conversation, too: each round of a tool loop repeats
 * it. */
static bool caches_conversation(const struct llm_call *c,
                                const struct llm_terms *terms)
{
    size_t size = prefix_size(c);
    for (size_t i = 0; i < c->n_messages; i++)
        if (c->messages[i].role != LLM_SYSTEM)
            size += c->messages[i].content.len + c->messages[i].raw.len;
    return c->n_tools && !(terms->without & LLM_CACHE_CONTROL) &&
           size >= LEAST_CACHED;
}

static void put_cache_control(struct json_writer *w, struct llm_terms *terms)
{
    json_field_object(w, "cache_control");
    json_field_text(w, "type", "ephemeral");
    json_put_object_end(w);
    terms->sent |= LLM_CACHE_CONTROL;
}

/* ---- messages ----------------------------------------------------------- */

/* `keep`: the server caches the request up to this block; NULL: not. */
static void put_text_block(struct json_writer *w, struct str text,
                           struct llm_terms *keep)
{
    json_put_object(w);
    json_field_text(w, "type", "text");
    json_field_str(w, "text", text);
    if (keep)
        put_cache_control(w, keep);
    json_put_object_end(w);
}

static void put_system(struct json_writer *w, const struct llm_call *c,
                       bool cached, struct llm_terms *terms)
{
    struct buf text;
    buf_init(&text, w->out->arena);
    for (size_t i = 0; i < c->n_messages; i++) {
        if (c->messages[i].role != LLM_SYSTEM || !c->messages[i].content.len)
            continue;
        if (text.len)
            buf_text(&text, "\n\n");
        buf_str(&text, c->messages[i].content);
    }
    if (text.len && cached) {
        json_field_array(w, "system");
        put_text_block(w, buf_view(&text), terms);
        json_put_array_end(w);
    } else if (text.len) {
        json_field_str(w, "system", buf_view(&text));
    }
    buf_done(&text);
}

static void put_assistant(struct json_writer *w, const struct llm_message *m)
{
    if (m->raw.len) {
        json_put_raw(w, m->raw);
        return;
    }
    if (!m->content.len && !m->n_tool_calls)
        return; /* the server refuses an empty message */
    json_put_object(w);
    json_field_text(w, "role", "assistant");
    json_field_array(w, "content");
    if (m->content.len)
        put_text_block(w, m->content, NULL);
    for (size_t i = 0; i < m->n_tool_calls; i++) {
        json_put_object(w);
        json_field_text(w, "type", "tool_use");
        json_field_str(w, "id", m->tool_calls[i].id);
        json_field_str(w, "name", m->tool_calls[i].name);
        json_field_raw(w, "input", anthropic_input(m->tool_calls[i].arguments));
        json_put_object_end(w);
    }
    json_put_array_end(w);
    json_put_object_end(w);
}

static void put_result(struct json_writer *w, const struct llm_message *m,
                       struct llm_terms *keep)
{
    json_put_object(w);
    json_field_text(w, "type", "tool_result");
    json_field_str(w, "tool_use_id", m->tool_call_id);
    json_field_str(w, "content", m->content);
    if (m->is_error)
        json_field_bool(w, "is_error", true);
    if (keep)
        put_cache_control(w, keep);
    json_put_object_end(w);
}

/* Writes the tool results from `i` on, and user messages right after them, as
 * one message; returns the index after them. */
static size_t put_results(struct json_writer *w, const struct llm_call *c,
                          size_t i, struct llm_terms *keep)
{
    size_t last = c->n_messages - 1;
    json_put_object(w);
    json_field_text(w, "role", "user");
    json_field_array(w, "content");
    for (; i < c->n_messages && c->messages[i].role == LLM_TOOL; i++)
        put_result(w, &c->messages[i], i == last ? keep : NULL);
    for (; i < c->n_messages && c->messages[i].role == LLM_USER; i++)
        put_text_block(w, c->messages[i].content, i == last ? keep : NULL);
    json_put_array_end(w);
    json_put_object_end(w);
    return i;
}

static void put_user(struct json_writer *w, const struct llm_message *m,
                     struct llm_terms *keep)
{
    json_put_object(w);
    json_field_text(w, "role", "user");
    if (keep && m->content.len) {
        json_field_array(w, "content");
        put_text_block(w, m->content, keep);
        json_put_array_end(w);
    } else {
        json_field_str(w, "content", m->content);
    }
    json_put_object_end(w);
}

static void put_messages(struct json_writer *w, const struct llm_call *c,
                         bool cached, struct llm_terms *terms)
{
    struct llm_terms *keep = cached ? terms : NULL;
    json_field_array(w, "messages");
    for (size_t i = 0; i < c->n_messages;) {
        const struct llm_message *m = &c->messages[i];
        if (m->role == LLM_TOOL) {
            i = put_results(w, c, i, keep);
            continue;
        }
        if (m->role == LLM_ASSISTANT)
            put_assistant(w, m);
        if (m->role == LLM_USER)
            put_user(w, m, i + 1 == c->n_messages ? keep : NULL);
        i++;
    }
    json_put_array_end(w);
}

/* ---- thinking and limits ------------------------------------------------ */

enum anthropic_thinking { THINKS_NOT, THINKS_BUDGET, THINKS_ADAPTIVE };

static enum anthropic_thinking thinking_of(const struct llm_model *m,
                                           const struct llm_terms *terms)
{
    int64_t n;
    if (!m->reasoning.len || str_is(m->reasoning, "none") ||
        terms->without & LLM_THINKING)
        return THINKS_NOT;
    bool counted = str_to_int64(m->reasoning, &n);
    if (m->can.thinking_adaptive && !(counted && m->can.thinking_budget))
        return THINKS_ADAPTIVE;
    return m->can.thinking_budget ? THINKS_BUDGET : THINKS_NOT;
}

/* The token limits; this API requires one. */
static struct token_limits limits_of(const struct llm_call *c,
                                     const struct llm_terms *terms,
                                     enum anthropic_thinking *how)
{
    struct token_limits room =
        model_token_limits(c, terms->max_output, *how == THINKS_BUDGET);
    if (*how == THINKS_BUDGET && room.thoughts < LEAST_BUDGET)
        *how = THINKS_NOT; /* below the minimum budget */
    if (!room.total)
        room.total = 8192;
    return room;
}

static void put_thinking(struct json_writer *w, enum anthropic_thinking how,
                         int budget, struct llm_terms *terms)
{
    if (how == THINKS_NOT)
        return;
    json_field_object(w, "thinking");
    if (how == THINKS_ADAPTIVE) {
        json_field_text(w, "type", "adaptive");
    } else {
        json_field_text(w, "type", "enabled");
        json_field_int(w, "budget_tokens", budget);
    }
    json_put_object_end(w);
    terms->sent |= LLM_THINKING;
}

/* ---- tools and structured output ---------------------------------------- */

static void put_tool(struct json_writer *w, struct str name, struct str about,
                     struct str schema)
{
    json_put_object(w);
    json_field_str(w, "name", name);
    json_field_str(w, "description", about);
    json_field_raw(w, "input_schema",
                   schema.len ? schema : STR("{\"type\":\"object\"}"));
    json_put_object_end(w);
}

static void put_tool_choice(struct json_writer *w, const struct llm_call *c,
                            enum anthropic_thinking how,
                            struct llm_terms *terms)
{
    if (how != THINKS_NOT || c->n_tools || terms->without & LLM_TOOL_CHOICE)
        return;
    json_field_object(w, "tool_choice");
    json_field_text(w, "type", "tool");
    json_field_str(w, "name", c->schema_name);
    json_put_object_end(w);
    terms->sent |= LLM_TOOL_CHOICE;
}

static void put_tools(struct json_writer *w, const struct llm_call *c,
                      bool by_tool, enum anthropic_thinking how,
                      struct llm_terms *terms)
{
    size_t n = c->model->can.tools ? c->n_tools : 0;
    if (!n && !by_tool)
        return;
    json_field_array(w, "tools");
    for (size_t i = 0; i < n; i++)
        put_tool(w, c->tools[i].name, c->tools[i].description,
                 c->tools[i].parameters);
    if (by_tool)
        put_tool(w, c->schema_name,
                 STR("Give your final answer by calling "
                     "this, once."),
                 c->schema);
    json_put_array_end(w);
    if (by_tool)
        put_tool_choice(w, c, how, terms);
    else if (c->no_tool_calls && !(terms->without & LLM_TOOL_CHOICE)) {
        json_field_raw(w, "tool_choice", STR("{\"type\":\"none\"}"));
        terms->sent |= LLM_TOOL_CHOICE;
    }
}

static void put_output_config(struct json_writer *w, const struct llm_call *c,
                              bool native, struct llm_terms *terms)
{
    const struct llm_model *m = c->model;
    const char *effort = terms->without & LLM_REASONING
                             ? NULL
                             : model_effort(&m->can, m->reasoning);
    if (!effort && !native)
        return;
    json_field_object(w, "output_config");
    if (effort) {
        json_field_text(w, "effort", effort);
        terms->sent |= LLM_REASONING;
    }
    if (native) {
        json_field_object(w, "format");
        json_field_text(w, "type", "json_schema");
        json_field_raw(w, "schema", c->schema);
        json_put_object_end(w);
        terms->sent |= LLM_JSON_SCHEMA;
    }
    json_put_object_end(w);
}

static void put_temperature(struct json_writer *w, const struct llm_model *m,
                            enum anthropic_thinking how,
                            struct llm_terms *terms)
{
    terms->temperature_sent = -1;
    if (!m->can.sampling || m->temperature < 0 || how != THINKS_NOT ||
        terms->without & LLM_TEMPERATURE)
        return;
    json_field_real(w, "temperature", m->temperature > 1 ? 1 : m->temperature);
    terms->temperature_sent = m->temperature > 1 ? 1 : m->temperature;
    terms->sent |= LLM_TEMPERATURE;
}

static void anthropic_request(const struct llm_call *c, struct llm_terms *terms,
                              struct buf *out)
{
    struct json_writer w;
    const struct llm_model *m = c->model;
    enum anthropic_thinking how = thinking_of(m, terms);
    struct token_limits room = limits_of(c, terms, &how);
    bool native = c->schema_name.len && m->can.json_schema &&
                  !(terms->without & LLM_JSON_SCHEMA);
    json_writer_init(&w, out);
    json_put_object(&w);
    json_field_str(&w, "model", m->name);
    json_field_int(&w, "max_tokens", room.total);
    terms->sent |= LLM_MAX_TOKENS;
    terms->max_sent = room.total;
    put_system(&w, c, caches_prefix(c, terms), terms);
    put_messages(&w, c, caches_conversation(c, terms), terms);
    put_tools(&w, c, c->schema_name.len && !native, how, terms);
    put_thinking(&w, how, room.thoughts, terms);
    put_output_config(&w, c, native, terms);
    put_temperature(&w, m, how, terms);
    json_field_bool(&w, "stream", true);
    if (m->extra_body.len) {
        buf_char(out, ',');
        buf_str(out, m->extra_body);
    }
    json_put_object_end(&w);
}

/* ---- the server --------------------------------------------------------- */

static void anthropic_url(const struct llm_model *m, enum llm_endpoint what,
                          struct buf *out)
{
    struct str base = llm_base(m);
    (void)what; /* it has no embeddings */
    buf_str(out, base);
    buf_text(out, str_ends(base, STR("/v1")) ? "/messages" : "/v1/messages");
}

static void anthropic_headers(const struct llm_model *m, struct buf *out)
{
    buf_text(out, "anthropic-version: 2023-06-01\n");
    if (m->key.len)
        buf_printf(out, "x-api-key: %.*s\n", STR_ARG(m->key));
}

const struct llm_provider llm_anthropic = {
    .id = "anthropic",
    .base_url = "https://api.anthropic.com",
    .url = anthropic_url,
    .headers = anthropic_headers,
    .request = anthropic_request,
    .on_event = anthropic_on_event,
};
