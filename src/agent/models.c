/* models.c - applies an admin's settings to the model of a provider. */
#include "agent/agent.h"
#include "base/banned.h"

/* Another model of the same server. Azure knows a model by the name of its
 * deployment, which is in the path of the classic address. */
static void rename_model(struct llm_model *m, struct str name)
{
    struct llm_model other;
    if (str_eq(name, m->name) ||
        !llm_model_init(&other, llm_provider_id(m), name))
        return;
    m->name = name;
    m->can = other.can;
    if (m->deployment.len)
        m->deployment = name;
}

const struct agent_provider *
agent_provider_configured(struct arena *arena, const struct agent_provider *p,
                          const struct settings_agent_config *c)
{
    if (!c->model.len && c->temperature < 0 && !c->reasoning.len)
        return p;
    struct agent_provider *own = arena_new(arena, struct agent_provider);
    *own = *p;
    if (c->model.len)
        rename_model(&own->model, arena_str(arena, c->model));
    if (c->temperature >= 0)
        own->model.temperature = c->temperature;
    if (c->reasoning.len)
        own->model.reasoning = arena_str(arena, c->reasoning);
    return own;
}
