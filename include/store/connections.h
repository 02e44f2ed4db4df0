/* connections.h - connections: addresses and credentials of sources, and pools
 * to them. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

/* TLS of a connection, with the words of libpq's sslmode. */
enum tls_mode {
    TLS_DISABLE,
    TLS_REQUIRE,     /* encrypted; the server is not verified */
    TLS_VERIFY_CA,   /* its certificate has a trusted issuer */
    TLS_VERIFY_FULL, /* and the host's name */
};
/* The word of a mode, and back; false: an unknown word. */
const char *tls_word(enum tls_mode mode);
bool tls_of_word(struct str word, enum tls_mode *mode);

/* Which rows a language model may see (tool/disclosure.h). */
enum share_rows { SHARE_ALL, SHARE_AGGREGATES, SHARE_NONE };
/* The word, and back; false: an unknown word. */
const char *share_word(enum share_rows share);
bool share_of_word(struct str word, enum share_rows *share);

/* SQL: whether the connection `c` is shown. One over files is hidden with its
 * file set. */
#define SQL_CONNECTION_SHOWN \
    "not exists (select from file_sets x where x.id = c.file_set_id" \
    "     and x.deleted_at is not null)"

/* What a connection leads to, with the words of dbType; files are marked by
 * of_files. */
enum connection_type { CONNECTION_POSTGRES, CONNECTION_TRINO };
const char *connection_type_word(enum connection_type type);
bool connection_type_of_word(struct str word, enum connection_type *type);
/* The port that is meant when none is given. */
int connection_default_port(enum connection_type type, bool tls);

/* Adds or replaces a connection; one over files is never replaced. */
struct connection_add {
    struct store *store;
    struct str owner_id, name, description;
    struct str host, database, username, password;
    int port;
    enum connection_type type;
    struct str schema; /* of Trino's catalog `database`; may be empty */
    bool token;        /* `password` is a JWT; only for Trino */
    enum tls_mode tls;
    /* PEM, for the verifying modes; empty: what this machine trusts. */
    struct str root_certificates;
    enum share_rows share_rows;
    /* an IANA name that time_zone_find knows; empty: UTC */
    struct str time_zone;
    bool shared, embedded;
    bool of_files;        /* of a file set; it has no address */
    bool allow_superuser; /* its role may be a superuser */
    bool fresh;           /* a name that exists is `taken`, not replaced */
    /* Out; a connection of that owner and name is replaced */
    struct str id;
    bool taken;
    struct query *query;
};
struct next connection_add_begin(struct flow *f);

/* Parses postgresql://user:password@host:port/database?sslmode=…&sslrootcert=…
 * or trino://user:password@host:port/catalog/schema?sslmode=…&auth=jwt into the
 * fields above, percent-decoded. *root_file is the file name of
 * sslrootcert (empty: none, or "system"), which the caller may read. False with
 * *why. */
bool connection_parse_url(struct arena *arena, struct str url,
                          struct connection_add *out, struct str *root_file,
                          struct str *why);

/* Would the secret of a Trino connection be sent without TLS? The sentence says
 * that it must not. */
bool connection_secret_is_open(const struct connection_add *c);
extern const char connection_secret_open[];

/* libpq's connection string: a secret. *certificates is a descriptor that the
 * caller closes after the last use of the string, or -1. Neither is allocated
 * from an arena, so they cannot be lost when one is exhausted. */
void connection_conninfo(const struct store *s, const struct connection_add *c,
                         struct buf *out, int *certificates);

/* Does CONNECTION_HOSTS allow this host? */
bool source_host_allowed(const struct store *s, struct str host);

/* A page of the connections that a user may see, by name; or one of them. */
struct connection_page {
    struct store *store;
    struct str user_id;
    struct str connection_id; /* not empty: only this one */
    bool all;                 /* the user is an admin */
    int page, page_size;
    /* Out: rows for connection_write, in the flow's keep, and their total */
    struct query *query;
    int64_t total;
    struct str owner_id; /* of the only one */
};
struct next connection_page_begin(struct flow *f);
/* Writes the members of a connection's object; never its password. */
void connection_write(struct json_writer *w, const struct query *q, int row);

/* Reads a connection with its password: a secret. */
struct connection_load {
    struct store *store;
    struct str connection_id;
    struct connection_add is; /* out; kept */
    struct query *query;
};
/* Fails with ERR_NOT_FOUND, or ERR_INTERNAL when no key of this server opens
 * the credentials. */
struct next connection_load_begin(struct flow *f);

/* Replaces all values of a connection; the caller has changed those that it
 * read with connection_load. `taken`: the owner has another of that name. */
struct connection_put {
    struct store *store;
    struct str user_id, request_id, id;
    const struct connection_add *as;
    bool taken; /* out */
    struct query *query;
};
struct next connection_put_begin(struct flow *f);

/* Deletes a connection unless models need it. */
struct connection_remove {
    struct store *store;
    struct str user_id, request_id, id;
    /* Out */
    bool found, removed;
    bool of_files;     /* a file set needs it */
    struct str models; /* JSON array of the names of those that need it */
    struct query *query;
};
struct next connection_remove_begin(struct flow *f);

/* Stores the result of a connection test. */
struct connection_tested {
    struct store *store;
    struct str id, message;
    bool good;
    struct query *query;
};
struct next connection_tested_begin(struct flow *f);

/* Seals passwords again with the current key, if an older key sealed them. */
struct connection_reseal {
    struct store *store;
    int64_t resealed, unopened; /* out */
    /* private */
    struct query *query, *update;
    int at;
};
struct next connection_reseal_begin(struct flow *f);

/* Finds a connection by its name: the owner's, or a shared one. */
struct connection_find {
    struct store *store;
    struct str owner_id, name;
    struct str id; /* out; empty: none */
    struct query *query;
};
struct next connection_find_begin(struct flow *f);

/* The source of a connection, opened at its first use. The flow may use it until
 * it ends, even if the connection is changed or deleted in the meantime. */
struct source_open {
    struct store *store;
    struct str connection_id;
    struct str database; /* of that server; empty: the connection's own */
    /* When the connection's row last changed, from run_load; a source of an older
     * version is not used. Empty: the row is read. */
    struct str changed_at;
    struct source *opened;      /* out */
    enum share_rows share_rows; /* out, when the row was read */
    struct query *query;
};
/* Fails with ERR_NOT_FOUND, or ERR_INTERNAL when the key does not open the
 * credentials. */
struct next source_open_begin(struct flow *f);

/* Opens what was sealed with the store's key, given in hex; empty: nothing. False
 * when no key opens it. */
bool source_unseal(struct flow *f, const struct store *s, struct str hex,
                   struct str *text);

/* The sum over all open pools. */
struct pool_stats sources_stats(const struct store *s);

/* Closes all pools, also those in use. */
void sources_close(struct store *s);
