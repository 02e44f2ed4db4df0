#include "llm/provider.h"
#include "models.h"
#include "openai.h"
#include <assert.h>
#include "base/banned.h"

enum { MOST_PROVIDERS = 16 };

static const struct llm_provider *known[MOST_PROVIDERS] = {
    &llm_openai, &llm_azure, &llm_anthropic};
static unsigned n_known = 3;

const struct llm_provider *llm_provider_find(struct str id)
{
    for (unsigned i = 0; i < n_known; i++)
        if (str_is(id, known[i]->id))
            return known[i];
    return NULL;
}

void llm_register_provider(const struct llm_provider *p)
{
    for (unsigned i = 0; i < n_known; i++)
        if (str_is(str_of(p->id), known[i]->id)) {
            known[i] = p;
            return;
        }
    assert(n_known < MOST_PROVIDERS && "room for a provider");
    known[n_known++] = p;
}

/* A provider around each local; they are few and stay. */
void llm_register_local(const struct llm_local *local)
{
    static struct llm_provider around[MOST_PROVIDERS];
    static unsigned n_around;
    for (unsigned i = 0; i < n_around; i++)
        if (str_is(str_of(local->id), around[i].id)) {
            around[i].local = local;
            return;
        }
    assert(n_around < MOST_PROVIDERS && "room for a provider");
    around[n_around] = (struct llm_provider){.id = local->id, .local = local};
    llm_register_provider(&around[n_around++]);
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
