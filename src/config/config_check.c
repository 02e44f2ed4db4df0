/* config_check.c - checks combinations of settings. */
#include "base/address.h"
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

static bool proxies_fit(const struct config *c, struct buf *problems)
{
    struct network network;
    for (const char *const *p = c->trusted_proxies; p && *p; p++) {
        if (network_parse(str_of(*p), &network))
            continue;
        buf_printf(
            problems,
            "TRUSTED_PROXIES: \"%s\" is neither an address nor a network such "
            "as 10.0.0.0/8\n",
            *p);
        return false;
    }
    return true;
}

bool config_check(const struct config *c, struct buf *problems,
                  struct buf *warnings)
{
    if (c->jwt_secret && strlen(c->jwt_secret) < GOOD_SECRET)
        buf_printf(warnings, "JWT_SECRET is short; use %d bytes or more\n",
                   GOOD_SECRET);
    bool good = default_provider_fits(c, problems);
    return proxies_fit(c, problems) && good;
}
