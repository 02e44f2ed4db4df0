/* cluster_source.c - see tool/cluster_source.h: the fields of a connection as
 * Trino's options. */
#include "tool/cluster_source.h"
#include "engine/trino.h"
#include "store/connections.h"
#include "base/banned.h"

static struct source *cluster_source_open(const struct connection_add *c,
                                          struct str ca_file)
{
    return trino_open(
        &(struct trino_options){.host = c->host,
                                .port = c->port,
                                .tls = c->tls != TLS_DISABLE,
                                .trust = {.ca_file = ca_file.ptr,
                                          .pem = c->root_certificates,
                                          .any_issuer = c->tls == TLS_REQUIRE,
                                          .any_host = c->tls == TLS_VERIFY_CA},
                                .user = c->username,
                                .auth = !c->password.len ? TRINO_NO_SECRET
                                        : c->token       ? TRINO_JWT
                                                         : TRINO_PASSWORD,
                                .secret = c->password,
                                .catalog = c->database,
                                .schema = c->schema,
                                .time_zone = c->time_zone});
}

const struct cluster_sources cluster_sources = {.open = cluster_source_open,
                                                .close = trino_close};
