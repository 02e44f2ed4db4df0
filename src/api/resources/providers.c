/* providers.c - the language models of this server, as chats may name them. No
 * keys are shown. */
#include "../request.h"
#include "store/settings.h"
#include "base/banned.h"

struct provider_list {
    struct settings_agent_config config;
    const struct agent_provider *items[AGENT_MAX_MODELS];
    size_t n;
};

static struct next provider_due(struct flow *f), provider_known(struct flow *f),
    providers_known(struct flow *f);

struct next providers_list(struct flow *f)
{
    REQUEST(f)->state = keep(f, struct provider_list);
    return go(f, provider_due);
}

static struct next provider_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct provider_list *l = q->state;
    const struct agent_models *m = agent_models(q->api->options.agent);
    if (l->n == m->n)
        return go(f, providers_known);
    l->config = (struct settings_agent_config){
        .store = request_store(q), .provider = str_of(m->items[l->n].id)};
    return call(f, settings_agent_config_begin, &l->config, provider_known);
}

static struct next provider_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct provider_list *l = q->state;
    const struct agent_models *m = agent_models(q->api->options.agent);
    l->items[l->n] =
        agent_provider_configured(&q->memory, &m->items[l->n], &l->config);
    l->n++;
    return go(f, provider_due);
}

static void put_provider(struct json_writer *w, const struct agent_provider *p,
                         bool usual)
{
    json_put_object(w);
    json_field_text(w, "id", p->id);
    json_field_text(w, "type", p->id);
    json_field_text(w, "name", p->name);
    json_field_str(w, "model", p->model.name);
    json_field_bool(w, "enabled", p->enabled);
    json_field_bool(w, "isDefault", usual);
    json_put_object_end(w);
}

static struct next providers_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct provider_list *l = q->state;
    const struct agent_provider *usual =
        agent_provider(q->api->options.agent, STR(""));
    struct api_reply r;
    reply_open_object(q, &r);
    json_field_array(&r.w, "providers");
    for (size_t i = 0; i < l->n; i++)
        put_provider(&r.w, l->items[i],
                     usual && str_is(str_of(l->items[i]->id), usual->id));
    json_put_array_end(&r.w);
    reply_send_object(q, &r, 200);
    return back(f);
}
