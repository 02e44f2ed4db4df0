/* config_check.c - checks combinations of settings. */
#include "base/address.h"
#include "base/prices.h"
#include "config_value.h"
#include <string.h>
#include "base/banned.h"

enum { GOOD_SECRET = 32 }; /* bytes; what HS256 can use */

static bool default_provider_fits(const struct config *c, struct buf *problems)
{
    const struct provider {
        const char *word;
        bool usable;
        const char *needs;
    } providers[] = {
        {"openai", c->openai_api_key || c->openai_base_url, "OPENAI_API_KEY"},
        {"anthropic", c->anthropic_api_key || c->anthropic_base_url,
         "ANTHROPIC_API_KEY"},
        {"azure", c->azure_openai_api_key && c->azure_openai_endpoint,
         "AZURE_OPENAI_API_KEY and AZURE_OPENAI_ENDPOINT"}};
    const char *wanted = c->llm_default_provider;
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++) {
        if (!wanted || providers[i].usable ||
            strcmp(wanted, providers[i].word) != 0)
            continue;
        buf_printf(problems, "LLM_DEFAULT_PROVIDER: \"%s\" needs %s\n", wanted,
                   providers[i].needs);
        return false;
    }
    return true;
}

static bool networks_fit(const char *name, const char *const *words,
                         struct buf *problems)
{
    struct network network;
    for (const char *const *p = words; p && *p; p++) {
        if (network_parse(str_of(*p), &network))
            continue;
        buf_printf(problems,
                   "%s: \"%s\" is neither an address nor a network such as "
                   "10.0.0.0/8\n",
                   name, *p);
        return false;
    }
    return true;
}

/* A model without a price costs nothing, so that no limit holds for it. */
static void warn_of_price(const char *model, const struct prices *prices,
                          struct buf *warnings)
{
    if (!prices_of(prices, str_of(model)).known)
        buf_printf(warnings,
                   "MODEL_PRICES has no price for %s: COST_PER_DAY and "
                   "RUN_MAX_COST do not limit it\n",
                   model);
}

static void check_prices(const struct config *c, struct buf *warnings)
{
    struct prices prices;
    int64_t day = 0, run = 0;
    if (!amount_read(str_of(c->cost_per_day), &day) ||
        !amount_read(str_of(c->run_max_cost), &run) || (!day && !run) ||
        !prices_read(str_of(c->model_prices), &prices))
        return;
    if (c->openai_api_key || c->openai_base_url)
        warn_of_price(c->openai_model, &prices, warnings);
    if (c->anthropic_api_key || c->anthropic_base_url)
        warn_of_price(c->anthropic_model, &prices, warnings);
    if (c->azure_openai_api_key && c->azure_openai_endpoint)
        warn_of_price(c->azure_openai_deployment, &prices, warnings);
}

bool config_check(const struct config *c, struct buf *problems,
                  struct buf *warnings)
{
    if (c->jwt_secret && strlen(c->jwt_secret) < GOOD_SECRET)
        buf_printf(warnings, "JWT_SECRET is short; use %d bytes or more\n",
                   GOOD_SECRET);
    check_prices(c, warnings);
    bool good = default_provider_fits(c, problems);
    return networks_fit("TRUSTED_PROXIES", c->trusted_proxies, problems) &&
           networks_fit("WEBHOOK_NETWORKS", c->webhook_networks, problems) &&
           good;
}
