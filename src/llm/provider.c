/* provider.c - the list of providers, and models made from them. */
#include "llm/provider.h"
#include "models.h"
#include "openai.h"
#include <assert.h>
#include "base/banned.h"

enum { MOST_PROVIDERS = 16 };

static const struct llm_provider *providers[MOST_PROVIDERS] = {
    &llm_openai, &llm_azure, &llm_anthropic};
static unsigned n_providers = 3;

const struct llm_provider *llm_provider_find(struct str id)
{
    for (unsigned i = 0; i < n_providers; i++)
        if (str_is(id, providers[i]->id))
            return providers[i];
    return NULL;
}

static void register_provider(const struct llm_provider *p)
{
    for (unsigned i = 0; i < n_providers; i++)
        if (str_is(str_of(p->id), providers[i]->id)) {
            providers[i] = p;
            return;
        }
    assert(n_providers < MOST_PROVIDERS && "room for a provider");
    providers[n_providers++] = p;
}

/* Wraps each local provider in an llm_provider; they are few and never
 * removed. */
void llm_register_local(const struct llm_local *local)
{
    static struct llm_provider wrappers[MOST_PROVIDERS];
    static unsigned n_wrappers;
    for (unsigned i = 0; i < n_wrappers; i++)
        if (str_is(str_of(local->id), wrappers[i].id)) {
            wrappers[i].local = local;
            return;
        }
    assert(n_wrappers < MOST_PROVIDERS && "room for a provider");
    wrappers[n_wrappers] =
        (struct llm_provider){.id = local->id, .local = local};
    register_provider(&wrappers[n_wrappers++]);
}

bool llm_model_init(struct llm_model *m, struct str provider, struct str name)
{
    const struct llm_provider *p = llm_provider_find(provider);
    if (!p)
        return false;
    const char *table = p->models ? p->models : p->id;
    *m = (struct llm_model){
        .provider = p,
        .name = name,
        .can = model_capabilities(str_of(table), name),
        .temperature = -1,
    };
    return true;
}

struct str llm_provider_id(const struct llm_model *m)
{
    return str_of(m->provider->id);
}
