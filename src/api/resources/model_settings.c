/* model_settings.c - checks the model settings that an admin sends. */
#include "model_settings.h"
#include "base/utf8.h"
#include <string.h>
#include "base/banned.h"

enum { MODEL_MOST = 200, BUDGET_LEAST = 1024, BUDGET_MOST = 128000 };

static const char *const efforts[] = {"none", "minimal", "low", "medium",
                                      "high", "xhigh",   "max"};
enum { EFFORTS = sizeof efforts / sizeof *efforts };

struct checked {
    struct request *request;
    struct str provider;
    struct llm_model model;
};

static void setting_invalid(const struct checked *c, const char *key,
                            struct str message)
{
    struct request *q = c->request;
    struct str field =
        arena_printf(&q->memory, "agentConfigs.dataAgent.%.*s.%s",
                     STR_ARG(c->provider), key);
    request_invalid(q, field.ptr, arena_cstr(&q->memory, message));
}

static bool is_builtin(const struct checked *c)
{
    return str_is(c->provider, "builtin");
}

/* ---- model --------------------------------------------------------------- */

static bool is_model_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] <= ' ' || s.ptr[i] == 127)
            return false;
    return s.len >= 1 && s.len <= MODEL_MOST && utf8_valid(s);
}

/* Finds the named model, else the operator's. */
static bool find_model(struct checked *c, struct str name)
{
    const struct agent_models *all =
        agent_models(c->request->api->options.agent);
    for (size_t i = 0; i < all->n && !name.len; i++)
        if (str_is(c->provider, all->items[i].id))
            name = all->items[i].model.name;
    return llm_model_init(&c->model, c->provider, name);
}

static void read_model_name(struct checked *c, const json_t *v,
                            struct json_writer *w)
{
    find_model(c, json_text(v));
    if (!v || json_is_null(v))
        return;
    if (!json_is_string(v) || !is_model_name(json_text(v)))
        setting_invalid(c, "model",
                        STR("must be a model's name of 1 to 200 bytes"));
    else if (is_builtin(c) && !str_is(json_text(v), "builtin"))
        setting_invalid(c, "model",
                        STR("the built-in analyst has no other models"));
    json_field_str(w, "model", json_text(v));
}

/* ---- temperature --------------------------------------------------------- */

static void read_temperature(struct checked *c, const json_t *v,
                             struct json_writer *w)
{
    double t = json_number_value(v);
    if (!v || json_is_null(v))
        return;
    if (!json_is_number(v) || t < 0 || t > 2)
        setting_invalid(c, "temperature",
                        STR("must be a number from 0 to 2, or null"));
    else if (is_builtin(c) || !c->model.can.sampling)
        setting_invalid(
            c, "temperature",
            arena_printf(&c->request->memory,
                         "%.*s does not support a temperature: leave it null",
                         STR_ARG(c->model.name)));
    json_field_real(w, "temperature", t);
}

/* ---- reasoning ----------------------------------------------------------- */

static void put_knobs(struct json_writer *w, const struct checked *c)
{
    const struct llm_capabilities none = {0};
    const struct llm_capabilities *can = is_builtin(c) ? &none : &c->model.can;
    json_put_object(w);
    json_field_str(w, "model", c->model.name);
    json_field_bool(w, "temperature", can->sampling);
    json_field_array(w, "reasoningLevels");
    for (int i = 0; i < EFFORTS; i++)
        if (can->efforts & 1u << i)
            json_put_text(w, efforts[i]);
    if (can->thinking_adaptive)
        json_put_text(w, "adaptive");
    json_put_array_end(w);
    json_field_bool(w, "reasoningTokens", can->thinking_budget);
    json_put_object_end(w);
}

static struct str allowed_levels(const struct checked *c)
{
    const struct llm_capabilities *can = &c->model.can;
    struct buf out;
    buf_init(&out, &c->request->memory);
    buf_printf(&out, "%.*s takes ", STR_ARG(c->model.name));
    for (int i = 0; i < EFFORTS; i++)
        if (can->efforts & 1u << i)
            buf_printf(&out, "%s, ", efforts[i]);
    if (can->thinking_adaptive)
        buf_text(&out, "adaptive, ");
    if (can->thinking_budget)
        buf_printf(&out, "%d to %d tokens, ", BUDGET_LEAST, BUDGET_MOST);
    if (!can->efforts && !can->thinking_adaptive && !can->thinking_budget)
        buf_text(&out, "no reasoning level: leave it ");
    else
        buf_text(&out, "or ");
    buf_text(&out, "null");
    return buf_view(&out);
}

static bool takes_level(const struct checked *c, const json_t *v)
{
    const struct llm_capabilities *can = &c->model.can;
    struct str word = json_text(v);
    int64_t tokens;
    if (is_builtin(c))
        return false;
    if (json_is_integer(v) || str_to_int64(word, &tokens)) {
        if (json_is_integer(v))
            tokens = json_integer_value(v);
        return can->thinking_budget && tokens >= BUDGET_LEAST &&
               tokens <= BUDGET_MOST;
    }
    if (str_is(word, "adaptive"))
        return can->thinking_adaptive;
    for (int i = 0; i < EFFORTS; i++)
        if (str_is(word, efforts[i]))
            return can->efforts >> i & 1;
    return false;
}

static void read_reasoning_level(struct checked *c, const json_t *v,
                                 struct json_writer *w)
{
    if (!v || json_is_null(v))
        return;
    if (!takes_level(c, v))
        setting_invalid(c, "reasoningLevel", allowed_levels(c));
    json_field_raw(w, "reasoningLevel", json_print(&c->request->memory, v));
}

/* ---- everything ---------------------------------------------------------- */

static void read_provider_settings(struct request *q, struct str id,
                                   const json_t *v, struct json_writer *w)
{
    struct checked c = {.request = q, .provider = id};
    json_put_key_str(w, id);
    json_put_object(w);
    read_model_name(&c, json_object_get(v, "model"), w);
    read_temperature(&c, json_object_get(v, "temperature"), w);
    read_reasoning_level(&c, json_object_get(v, "reasoningLevel"), w);
    json_put_object_end(w);
}

struct str model_settings_take(struct request *q, const json_t *settings)
{
    static const char *const ids[] = {"openai", "anthropic", "azure",
                                      "builtin"};
    const json_t *all = json_object_get(settings, "agentConfigs");
    const json_t *agent = json_object_get(all, "dataAgent");
    struct buf out;
    struct json_writer w;
    buf_init(&out, &q->memory);
    json_writer_init(&w, &out);
    if ((all && !json_is_object(all)) || (agent && !json_is_object(agent)))
        request_invalid(
            q, "agentConfigs",
            "must be an object such as {\"dataAgent\":{\"openai\":{…}}}");
    json_put_object(&w);
    json_field_object(&w, "dataAgent");
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const json_t *v = json_object_get(agent, ids[i]);
        if (v && !json_is_object(v))
            request_invalid(q, "agentConfigs.dataAgent",
                            "must contain objects");
        else if (v)
            read_provider_settings(q, str_of(ids[i]), v, &w);
    }
    json_put_object_end(&w);
    json_put_object_end(&w);
    return buf_view(&out);
}

struct next model_knobs(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct agent_provider *usual =
        agent_provider(q->api->options.agent, STR(""));
    struct checked c = {.request = q,
                        .provider = str_of(usual ? usual->id : "builtin")};
    struct str name = STR("");
    struct api_reply r;
    http_get_query(q->x, "provider", &c.provider);
    http_get_query(q->x, "model", &name);
    if (!find_model(&c, name))
        request_invalid(q, "provider",
                        "must be openai, anthropic, azure or builtin");
    else if (name.len && !is_model_name(name))
        request_invalid(q, "model", "must be a model's name of 1 to 200 bytes");
    if (request_refused(q))
        return back(f);
    reply_open(q, &r);
    put_knobs(&r.w, &c);
    reply_send(q, &r, 200);
    return back(f);
}
