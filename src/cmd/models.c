/* models.c - turns the settings into the list of language models. */
#include "models.h"
#include <assert.h>
#include <string.h>
#include "base/banned.h"

static struct str without_trailing_slash(const char *url)
{
    struct str s = str_of(url);
    while (s.len && s.ptr[s.len - 1] == '/')
        s.len--;
    return s;
}

static struct agent_provider *add_provider(struct agent_models *models,
                                           const char *id, const char *name,
                                           const char *model)
{
    struct agent_provider *p = &models->items[models->n++];
    p->id = id;
    p->name = name;
    bool known = llm_model_init(&p->model, str_of(id), str_of(model));
    assert(known && "a provider that llm does not have");
    (void)known;
    return p;
}

/* Azure's newer addresses contain neither deployment nor version: the model of
 * the request names the deployment. */
static void set_azure_form(struct llm_model *m, const struct config *c)
{
    struct str version = str_of(c->azure_openai_api_version);
    bool v1 = str_ends(m->base_url, STR("/openai/v1")) || str_is(version, "v1");
    bool preview = str_is(version, "preview");
    m->deployment =
        v1 || preview ? STR("") : str_of(c->azure_openai_deployment);
    m->api_version = v1 && !preview ? STR("") : version;
}

/* A self-hosted server may need no key. */
void models_init(struct agent_models *models, const struct config *c,
                 const char *own)
{
    *models = (struct agent_models){.preferred = c->llm_default_provider};
    struct agent_provider *p =
        add_provider(models, "openai", "OpenAI", c->openai_model);
    p->model.key = str_of(c->openai_api_key);
    p->model.base_url = without_trailing_slash(c->openai_base_url);
    p->enabled = c->openai_api_key || c->openai_base_url;

    p = add_provider(models, "anthropic", "Anthropic", c->anthropic_model);
    p->model.key = str_of(c->anthropic_api_key);
    p->model.base_url = without_trailing_slash(c->anthropic_base_url);
    p->enabled = c->anthropic_api_key || c->anthropic_base_url;

    p = add_provider(models, "azure", "Azure OpenAI",
                     c->azure_openai_deployment);
    p->model.key = str_of(c->azure_openai_api_key);
    p->model.base_url = without_trailing_slash(c->azure_openai_endpoint);
    set_azure_form(&p->model, c);
    p->enabled = c->azure_openai_api_key && c->azure_openai_endpoint;

    p = add_provider(models, "builtin", "Built-in analyst", "builtin");
    p->enabled = true;
    if (own)
        add_provider(models, own, own, own)->enabled = true;
}

bool models_embedding(struct llm_model *m, const struct config *c)
{
    const char *wanted = c->embedding_default_provider;
    if (wanted ? strcmp(wanted, "openai") != 0 : !c->openai_api_key)
        return false;
    if (!llm_model_init(m, STR("openai"), str_of(c->embedding_model)))
        return false;
    m->key = str_of(c->openai_api_key);
    m->base_url = without_trailing_slash(c->openai_base_url);
    return true;
}
