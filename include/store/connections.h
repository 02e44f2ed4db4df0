/* connections.h - databases that users have brought, and pools to them. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* How a connection is protected; libpq's words for sslmode. */
enum tls_mode {
    TLS_DISABLE,
    TLS_REQUIRE,     /* whoever answers is believed */
    TLS_VERIFY_CA,   /* its certificate is signed by one we trust */
    TLS_VERIFY_FULL, /* and is the host's own */
};
const char *tls_word(enum tls_mode mode);
bool tls_of_word(struct str word,
                 enum tls_mode *mode); /* false: none of them */

/* What of its data a language model may see (tool/disclosure.h). */
enum share_rows { SHARE_ALL, SHARE_AGGREGATES, SHARE_NONE };
const char *share_word(enum share_rows share);
bool share_of_word(struct str word, enum share_rows *share); /* false: none */

struct connection_add {
    struct store *store;
    struct str owner_id, name, description;
    struct str host, database, username, password;
    int port;
    enum tls_mode tls;
    /* PEM, for the verifying modes; empty: what this machine trusts. */
    struct str root_certificates;
    enum share_rows share_rows;
    bool shared, embedded;
    bool superuser_too; /* its role may be one */
    bool fresh;         /* replaces nothing: a name that is there is `taken` */
    /* Out; the same name of the same owner is replaced */
    struct str id;
    bool taken;
    struct query *query;
};
struct next connection_add_begin(struct flow *f);

/* postgresql://user:password@host:port/database?sslmode=…&sslrootcert=… into
 * the fields above, percent-decoded. The name of the file of sslrootcert is
 * answered in *root_file (empty: none, or "system"), for the caller to read
 * where that is his to do. False with *why. */
bool connection_parse_url(struct arena *arena, struct str url,
                          struct connection_add *out, struct str *root_file,
                          struct str *why);

/* How libpq is told of it: a secret. *certificates is a descriptor that the
 * caller closes when nothing connects so any more, or -1. Both are of no arena,
 * so nothing is left behind when memory runs out. */
void connection_conninfo(const struct store *s, const struct connection_add *c,
                         struct buf *out, int *certificates);

/* Is this host among those that may be asked (CONNECTION_HOSTS)? */
bool source_host_allowed(const struct store *s, struct str host);

/* A page of those a user may see, by name; or one of them. */
struct connection_page {
    struct store *store;
    struct str user_id;
    struct str connection_id; /* not empty: only that one */
    bool all;                 /* an admin sees all */
    int page, page_size;
    /* Out: rows for connection_write, kept, and how many in all */
    struct query *query;
    int64_t total;
    struct str owner_id; /* of the only one */
};
struct next connection_page_begin(struct flow *f);
/* The members of one connection's object; never its password. */
void connection_write(struct json_writer *w, const struct query *q, int row);

/* The row of a connection as it was added, with its password: a secret. */
struct connection_load {
    struct store *store;
    struct str connection_id;
    struct connection_add is; /* out; kept */
    struct str changed_at, visibility;
    struct query *query;
};
/* Fails with ERR_NOT_FOUND, or ERR_INTERNAL when no key of this server opens the
 * credentials. */
struct next connection_load_begin(struct flow *f);

/* Puts all of it anew (connection_load first, then change what is to be
 * otherwise). `taken`: the owner has another of that name. */
struct connection_put {
    struct store *store;
    struct str user_id, request_id, id;
    const struct connection_add *as;
    bool found, taken; /* out */
    struct query *query;
};
struct next connection_put_begin(struct flow *f);

/* Removes it unless models need it. */
struct connection_remove {
    struct store *store;
    struct str user_id, request_id, id;
    /* Out */
    bool found, removed;
    struct str models; /* JSON array of the names of those that need it */
    struct query *query;
};
struct next connection_remove_begin(struct flow *f);

/* What came of a test. */
struct connection_tested {
    struct store *store;
    struct str id, message;
    bool good;
    struct query *query;
};
struct next connection_tested_begin(struct flow *f);

/* Seals passwords anew that another key than the first one sealed. */
struct connection_reseal {
    struct store *store;
    int64_t resealed, unopened; /* out */
    /* private */
    struct query *query, *update;
    int at;
};
struct next connection_reseal_begin(struct flow *f);

struct connection_find {
    struct store *store;
    struct str owner_id, name;
    struct str id; /* out; empty: none */
    struct query *query;
};
struct next connection_find_begin(struct flow *f);

/* The pool of a connection, opened when first asked for and kept. It may be used
 * until the flow that asked ends, also when the connection is changed or removed
 * meanwhile. */
struct source_open {
    struct store *store;
    struct str connection_id;
    struct str database; /* of that server; empty: the connection's own */
    /* When the connection's row last changed, as run_load tells; a pool of an
     * earlier row is not used. Empty: the row is read to find out. */
    struct str changed_at;
    struct pool *pool;          /* out */
    enum share_rows share_rows; /* out, when the row was read */
    struct query *query;
};
/* Fails with ERR_NOT_FOUND, or ERR_INTERNAL when the key does not open the
 * credentials. */
struct next source_open_begin(struct flow *f);

/* Of all of them together, those still open. */
struct pool_stats sources_stats(const struct store *s);

void sources_close(struct store *s);
