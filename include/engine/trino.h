/* trino.h - a catalog of a Trino cluster as a source (db/source.h), over Trino's
 * REST protocol.
 *
 * A read posts its statement, as trino_sql.h writes it for Trino, and follows
 * `nextUri` from page to page. It takes rows until it has as many as it wants.
 * A query that is not read to its end is always deleted, also after the read
 * itself has ended; that has 10 s.
 *
 *   429, 502, 503, 504, a broken connection: the request is repeated, with a
 *   growing pause, within the time of the read (2 s when it is not patient)
 *
 * `nextUri` comes from the server and is not trusted: only its path is used, and
 * only if it is one of /v1/statement/ at the address that was asked.
 *
 * Errors come as from a database: ERR_SQL_FAILED with SQLSTATE 42000 (the text),
 * 22000 (a value), 42501 (a right is missing), 53200 (too large for the
 * cluster), 57014 (it was ended there) or 58000 (the cluster or a database
 * below it failed), ERR_TIMEOUT, ERR_DATABASE_UNAVAILABLE. */
#pragma once
#include "db/source.h"
#include "net/http_client.h"

enum trino_auth {
    TRINO_NO_SECRET,
    TRINO_PASSWORD, /* Basic; only with TLS */
    TRINO_JWT,      /* Bearer; only with TLS */
};

struct trino_options {
    struct str host; /* a name or an address */
    int port;
    bool tls;
    struct http_trust trust; /* for TLS */
    struct str user;
    enum trino_auth auth;
    struct str secret;
    struct str catalog, schema;
    struct str time_zone; /* an IANA name; empty: UTC */
};

/* Our word for a type as Trino's catalogs write it: "numeric" of "decimal(12,2)"
 * (db/read.h); "text" for one that has no word. */
const char *trino_type_word(struct str type);

/* A source over a catalog; the options are copied. */
struct source *trino_open(const struct trino_options *options);
/* Frees it when its last query has ended, and sets *source to NULL. No read may
 * be in flight. */
void trino_close(struct source **source);
