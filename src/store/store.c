/* store.c - opens and closes the parts of a store. */
#include "store/store.h"
#include "base/clock.h"
#include "base/mem.h"
#include "catalog/sources.h"
#include "store/claims.h"
#include "store/connections.h"
#include "store/graph_search.h"
#include "store/ontologies.h"
#include "store/settings.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

/* The name of this process in runs.owner: host, process id, and a random
 * number, because process ids are reused. */
static void store_name_owner(struct store *s)
{
    char host[40] = "localhost", id[UUID_SIZE];
    gethostname(host, sizeof host - 1);
    uuid_new(id);
    snprintf(s->owner, sizeof s->owner, "%.39s/%d/%.8s", host, (int)getpid(),
             id);
}

static const char system_certificates[] = "/etc/ssl/certs/ca-certificates.crt";

static struct str str_heap_copy(struct str s)
{
    return (struct str){mem_copy(s.ptr, s.len), s.len};
}

struct store *store_open(const struct store_options *options)
{
    struct store *s = mem_new(struct store);
    s->system = options->system;
    memcpy(s->key, options->key, SEAL_KEY_SIZE);
    memcpy(s->old_key, options->old_key ? options->old_key : options->key,
           SEAL_KEY_SIZE);
    s->source_hosts = options->source_hosts;
    s->lease_ms = options->lease_ms;
    s->embedded_socket = str_heap_copy(options->embedded_socket);
    s->ca_file = str_heap_copy(
        str_of(options->ca_file ? options->ca_file : system_certificates));
    s->sources = sources_new(options->source_most, options->source_idle_ms);
    s->settings = settings_cache_new();
    s->neo4j = options->neo4j ? neo4j_new(options->neo4j) : NULL;
    store_name_owner(s);
    s->notices = notices_open(s->system);
    s->journal = journal_open(s->system, s->notices);
    s->claims = claims_open(s->system);
    return s;
}

void store_listen(struct store *s, const char *conninfo)
{
    notices_listen(s->notices, conninfo);
}

void store_close(struct store **at)
{
    struct store *s = *at;
    *at = NULL;
    if (!s)
        return;
    claims_close(&s->claims);
    journal_close(&s->journal);
    notices_close(&s->notices);
    sources_close(s);
    ontology_cache_free(s);
    settings_cache_free(s->settings);
    neo4j_free(&s->neo4j);
    mem_free((char *)s->embedded_socket.ptr);
    mem_free((char *)s->ca_file.ptr);
    mem_free(s);
}
