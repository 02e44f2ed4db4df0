/* source_hosts.c - which hosts may be sources: a list of names, *.suffixes,
 * addresses and networks (CONNECTION_HOSTS). */
#include "base/address.h"
#include "store/connections.h"
#include "base/banned.h"

static bool is_below(struct str host, struct str suffix)
{
    return host.len > suffix.len &&
           str_eq_nocase(str_from(host, host.len - suffix.len), suffix);
}

/* A name is compared as text and not resolved, because its address may
 * change. */
static bool fits(struct str host, struct str word)
{
    struct network network;
    struct address address;
    if (str_starts(word, STR("*.")))
        return is_below(host, str_from(word, 1));
    if (network_parse(word, &network))
        return address_parse(host, &address) && network_has(&network, &address);
    return str_eq_nocase(host, word);
}

bool source_host_allowed(const struct store *s, struct str host)
{
    const char *const *word = s->source_hosts;
    if (!word || !*word)
        return true;
    while (*word && !fits(host, str_of(*word)))
        word++;
    return *word != NULL;
}
