/* connections.h - databases that users have brought, and pools to them. */
#pragma once
#include "db/query.h"
#include "store/store.h"

struct connection_add {
    struct store *store;
    struct str owner_id, name;
    struct str host, database, username, password;
    int port;
    bool use_ssl, shared, embedded;
    struct str id; /* out; the same name of the same owner is replaced */
    struct query *query;
};
struct next connection_add_begin(struct flow *f);

/* postgresql://user:password@host:port/database?sslmode=… into the fields
 * above, percent-decoded. False with *why. */
bool connection_parse_url(struct arena *arena, struct str url,
                          struct connection_add *out, struct str *why);

struct connection_find {
    struct store *store;
    struct str owner_id, name;
    struct str id; /* out; empty: none */
    struct query *query;
};
struct next connection_find_begin(struct flow *f);

/* The pool of a connection, opened when first asked for and kept. */
struct source_open {
    struct store *store;
    struct str connection_id;
    struct pool *pool; /* out */
    struct query *query;
};
/* Fails with ERR_NOT_FOUND, or ERR_INTERNAL when the key does not open the
 * credentials. */
struct next source_open_begin(struct flow *f);

void sources_close(struct store *s);
/* Closes and forgets the pool of a connection that was changed. */
void source_forget(struct store *s, struct str connection_id);
