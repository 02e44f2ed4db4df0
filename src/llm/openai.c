/* openai.c - requests to OpenAI's chat completions API. */
#include "openai.h"
#include "base/json.h"
#include "models.h"
#include "base/banned.h"

/* ---- messages ----------------------------------------------------------- */

static void put_tool_calls(struct json_writer *w, const struct llm_message *m)
{
    if (!m->n_tool_calls)
        return;
    json_field_array(w, "tool_calls");
    for (size_t i = 0; i < m->n_tool_calls; i++) {
        const struct llm_tool_call *t = &m->tool_calls[i];
        json_put_object(w);
        json_field_str(w, "id", t->id);
        json_field_text(w, "type", "function");
        json_field_object(w, "function");
        json_field_str(w, "name", t->name);
        json_field_str(w, "arguments", t->arguments);
        json_put_object_end(w);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static void put_message(struct json_writer *w, const struct llm_message *m)
{
    static const char *const roles[] = {"system", "user", "assistant", "tool"};
    if (m->raw.len) {
        json_put_raw(w, m->raw);
        return;
    }
    json_put_object(w);
    json_field_text(w, "role", roles[m->role]);
    if (m->role == LLM_TOOL)
        json_field_str(w, "tool_call_id", m->tool_call_id);
    if (m->role == LLM_ASSISTANT && !m->content.len && m->n_tool_calls)
        json_field_null(w, "content");
    else
        json_field_str(w, "content", m->content);
    put_tool_calls(w, m);
    json_put_object_end(w);
}

/* Without native structured output, a system message asks for the schema. It is
 * appended to the first system message, because some chat templates take only
 * one. */
static void put_schema_message(struct json_writer *w, const struct llm_call *c)
{
    bool first_is_system = c->n_messages && c->messages[0].role == LLM_SYSTEM;
    struct buf text;
    buf_init(&text, w->out->arena);
    if (first_is_system) {
        buf_str(&text, c->messages[0].content);
        buf_text(&text, "\n\n");
    }
    buf_text(&text, "Answer with one JSON object that fits this JSON Schema, "
                    "and with nothing else:\n");
    buf_str(&text, c->schema);
    json_put_object(w);
    json_field_text(w, "role", "system");
    json_field_str(w, "content", buf_view(&text));
    json_put_object_end(w);
    buf_done(&text);
}

static void put_messages(struct json_writer *w, const struct llm_call *c,
                         bool ask)
{
    size_t i = 0;
    json_field_array(w, "messages");
    if (ask) {
        put_schema_message(w, c);
        i = c->n_messages && c->messages[0].role == LLM_SYSTEM;
    }
    for (; i < c->n_messages; i++)
        put_message(w, &c->messages[i]);
    json_put_array_end(w);
}

/* ---- the rest ----------------------------------------------------------- */

static void put_tools(struct json_writer *w, const struct llm_call *c)
{
    if (!c->n_tools || !c->model->can.tools)
        return;
    json_field_array(w, "tools");
    for (size_t i = 0; i < c->n_tools; i++) {
        const struct llm_tool *t = &c->tools[i];
        json_put_object(w);
        json_field_text(w, "type", "function");
        json_field_object(w, "function");
        json_field_str(w, "name", t->name);
        json_field_str(w, "description", t->description);
        json_field_raw(w, "parameters",
                       t->parameters.len ? t->parameters
                                         : STR("{\"type\":\"object\","
                                               "\"properties\":{}}"));
        json_put_object_end(w);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static void put_json_schema(struct json_writer *w, const struct llm_call *c)
{
    json_field_text(w, "type", "json_schema");
    json_field_object(w, "json_schema");
    json_field_str(w, "name", str_cut(c->schema_name, 0, 64));
    json_field_bool(w, "strict", true);
    json_field_raw(w, "schema", c->schema);
    json_put_object_end(w);
}

static void put_format(struct json_writer *w, const struct llm_call *c,
                       struct llm_terms *terms, bool native)
{
    if (!c->schema_name.len || terms->without & LLM_JSON_OBJECT)
        return;
    json_field_object(w, "response_format");
    if (native)
        put_json_schema(w, c);
    else
        json_field_text(w, "type", "json_object");
    json_put_object_end(w);
    terms->sent |= native ? LLM_JSON_SCHEMA : LLM_JSON_OBJECT;
}

static void put_limit(struct json_writer *w, const struct llm_call *c,
                      struct llm_terms *terms)
{
    int limit = model_token_limits(c, terms->max_output, false).total;
    bool new_name = c->model->can.max_completion;
    if (terms->without & (new_name ? LLM_MAX_COMPLETION : LLM_MAX_TOKENS))
        new_name = !new_name;
    unsigned which = new_name ? LLM_MAX_COMPLETION : LLM_MAX_TOKENS;
    if (terms->without & which || limit <= 0)
        return;
    json_field_int(w, new_name ? "max_completion_tokens" : "max_tokens", limit);
    terms->sent |= which;
    terms->max_sent = limit;
}

static void put_sampling(struct json_writer *w, const struct llm_call *c,
                         struct llm_terms *terms)
{
    const struct llm_model *m = c->model;
    const char *effort = model_effort(&m->can, m->reasoning);
    if (m->can.thinks_without_tools && c->n_tools) /* this API refuses both */
        effort = "none";
    if (effort && !(terms->without & LLM_REASONING)) {
        json_field_text(w, "reasoning_effort", effort);
        terms->sent |= LLM_REASONING;
    }
    terms->temperature_sent = -1;
    if (m->can.sampling && m->temperature >= 0 &&
        !(terms->without & LLM_TEMPERATURE)) {
        json_field_real(w, "temperature", m->temperature);
        terms->temperature_sent = m->temperature;
        terms->sent |= LLM_TEMPERATURE;
    }
}

static void put_stream(struct json_writer *w, struct llm_terms *terms)
{
    json_field_bool(w, "stream", true);
    if (terms->without & LLM_STREAM_OPTIONS)
        return;
    json_field_object(w, "stream_options");
    json_field_bool(w, "include_usage", true);
    json_put_object_end(w);
    terms->sent |= LLM_STREAM_OPTIONS;
}

void openai_request(const struct llm_call *c, struct llm_terms *terms,
                    struct buf *out)
{
    struct json_writer w;
    const struct llm_model *m = c->model;
    bool native = m->can.json_schema && !(terms->without & LLM_JSON_SCHEMA);
    json_writer_init(&w, out);
    json_put_object(&w);
    if (!m->deployment.len) /* Azure's classic URL contains it */
        json_field_str(&w, "model", m->name);
    put_messages(&w, c, c->schema_name.len && !native);
    put_tools(&w, c);
    if (c->n_tools && c->no_tool_calls && !(terms->without & LLM_TOOL_CHOICE)) {
        json_field_text(&w, "tool_choice", "none");
        terms->sent |= LLM_TOOL_CHOICE;
    }
    put_format(&w, c, terms, native);
    put_limit(&w, c, terms);
    put_sampling(&w, c, terms);
    put_stream(&w, terms);
    if (m->extra_body.len) {
        buf_char(out, ',');
        buf_str(out, m->extra_body);
    }
    json_put_object_end(&w);
}

/* ---- the server --------------------------------------------------------- */

struct str llm_base(const struct llm_model *m)
{
    struct str base =
        m->base_url.len ? m->base_url : str_of(m->provider->base_url);
    while (base.len && base.ptr[base.len - 1] == '/')
        base.len--;
    return base;
}

bool llm_base_has_path(struct str base)
{
    ptrdiff_t scheme = str_find(base, STR("://"));
    return str_find_char(str_from(base, (size_t)(scheme < 0 ? 0 : scheme + 3)),
                         '/') >= 0;
}

static void openai_url(const struct llm_model *m, enum llm_endpoint what,
                       struct buf *out)
{
    struct str base = llm_base(m);
    buf_str(out, base);
    if (!llm_base_has_path(base))
        buf_text(out, "/v1");
    buf_text(out, what == LLM_CHAT ? "/chat/completions" : "/embeddings");
}

static void openai_headers(const struct llm_model *m, struct buf *out)
{
    if (m->key.len)
        buf_printf(out, "Authorization: Bearer %.*s\n", STR_ARG(m->key));
}

const struct llm_provider llm_openai = {
    .id = "openai",
    .base_url = "https://api.openai.com/v1",
    .url = openai_url,
    .headers = openai_headers,
    .request = openai_request,
    .on_event = openai_on_event,
    .embeds = true,
};
