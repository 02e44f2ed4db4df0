/* connection_body.c - reads and validates the fields of a connection. */
#include "connection_body.h"
#include "base/address.h"
#include "base/utf8.h"
#include "db/conninfo.h"
#include "store/time_zones.h"
#include <string.h>
#include "base/banned.h"

const char connection_no_zone[] =
    "must be a time zone of the tz database, such as Europe/Berlin";

enum {
    NAME_MOST = 255,
    DESCRIPTION_MOST = 2000,
    HOST_MOST = 253,
    IDENTIFIER_MOST = 63,
    PASSWORD_MOST = 1024,
    TOKEN_MOST = 8192
};

/* An address, or labels of letters, digits, - and _ (RFC 1123); not a socket
 * path or a list of hosts. */
static bool is_host_name(struct str host)
{
    struct address address;
    if (str_find_char(host, ':') >= 0)
        return host.ptr[0] != '[' && str_find_char(host, '%') < 0 &&
               address_parse(host, &address);
    for (size_t i = 0; i < host.len; i++) {
        char c = host.ptr[i], low = c | 0x20;
        bool dot = c == '.';
        if (!(low >= 'a' && low <= 'z') && !(c >= '0' && c <= '9') &&
            c != '-' && c != '_' && !dot)
            return false;
        if (dot && (i == 0 || host.ptr[i - 1] == '.'))
            return false;
    }
    return host.len > 0;
}

static void read_host(struct request *q, struct connection_add *c)
{
    if (!request_text_given(q, "host", 1, HOST_MOST, &c->host))
        return;
    if (!is_host_name(c->host))
        request_invalid(q, "host", "must be a DNS name or an address");
    else if (!source_host_allowed(request_store(q), c->host))
        request_invalid(q, "host", "is not an allowed host");
}

static void read_port(struct request *q, struct connection_add *c)
{
    const json_t *v = json_object_get(q->body, "port");
    json_int_t n = json_integer_value(v);
    if (!v)
        return;
    if (!json_is_integer(v) || n < 1 || n > 65535)
        request_invalid(q, "port", "must be a number from 1 to 65535");
    else
        c->port = (int)n;
}

/* After the other fields, which say what the secret is. */
static void check_secret(struct request *q, const struct connection_add *c)
{
    size_t most = c->token ? TOKEN_MOST : PASSWORD_MOST;
    if (c->password.len > most)
        request_invalid(q, "password",
                        "must be at most 1024 bytes of text, a token 8192");
    if (c->token && c->type != CONNECTION_TRINO)
        request_invalid(q, "options.authentication", "jwt needs dbType trino");
    if (connection_secret_is_open(c))
        request_invalid(q, "useSsl", connection_secret_open);
}

static void read_connection_password(struct request *q,
                                     struct connection_add *c)
{
    const json_t *v = json_object_get(q->body, "password");
    struct str text = json_text(v);
    if (!v)
        return;
    if (!json_is_null(v) &&
        (!json_is_string(v) || str_find_char(text, '\0') >= 0))
        request_invalid(q, "password", "must be a text");
    else
        c->password = text;
}

static void read_database_type(struct request *q, struct connection_add *c)
{
    const json_t *v = json_object_get(q->body, "dbType");
    if (v && !connection_type_of_word(json_text(v), &c->type))
        request_invalid(q, "dbType", "must be postgresql or trino");
}

/* ---- TLS and other options ----------------------------------------------- */

static void read_certificates(struct request *q, const json_t *v,
                              struct connection_add *c)
{
    struct str pem = json_text(v);
    if (!v)
        return;
    if (json_is_null(v))
        c->root_certificates = STR("");
    else if (!json_is_string(v) || pem.len > CERTIFICATES_MAX_BYTES ||
             !certificates_valid(pem))
        request_invalid(q, "options.rootCertificates",
                        "must be certificates in PEM");
    else
        c->root_certificates = pem;
}

/* Whether the zone exists is looked up later (connections.c). */
static void read_time_zone(struct request *q, const json_t *v,
                           struct connection_add *c)
{
    if (!v)
        return;
    if (json_is_null(v))
        c->time_zone = STR("");
    else if (!time_zone_is_name(json_text(v)))
        request_invalid(q, "options.timeZone", connection_no_zone);
    else
        c->time_zone = json_text(v);
}

/* Trino's schema, and whether the password is a token. */
static void read_cluster_options(struct request *q, const json_t *options,
                                 struct connection_add *c)
{
    const json_t *schema = json_object_get(options, "schema");
    const json_t *how = json_object_get(options, "authentication");
    struct str text = json_text(schema), word = json_text(how);
    if (schema && !json_is_null(schema) &&
        (!text.len || text.len > IDENTIFIER_MOST || !utf8_valid(text)))
        request_invalid(q, "options.schema", "must have 1 to 63 bytes");
    else if (schema)
        c->schema = text;
    if (how && !str_is(word, "password") && !str_is(word, "jwt"))
        request_invalid(q, "options.authentication", "must be password or jwt");
    else if (how)
        c->token = str_is(word, "jwt");
}

static bool is_known_option(const char *key)
{
    static const char *const known[] = {"sslMode",   "rootCertificates",
                                        "shareRows", "timeZone",
                                        "schema",    "authentication"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(key, known[i]))
            return true;
    return false;
}

static void read_options_object(struct request *q, struct connection_add *c)
{
    json_t *options = json_object_get(q->body, "options"), *value;
    const char *key;
    if (!options || json_is_null(options))
        return;
    if (!json_is_object(options)) {
        request_invalid(q, "options", "must be an object");
        return;
    }
    json_object_foreach(options, key, value)
    {
        if (!is_known_option(key))
            request_invalid(q, "options",
                            "may contain sslMode, rootCertificates, shareRows, "
                            "timeZone and, for Trino, schema and "
                            "authentication");
    }
    const json_t *mode = json_object_get(options, "sslMode");
    if (mode && !tls_of_word(json_text(mode), &c->tls))
        request_invalid(q, "options.sslMode",
                        "must be disable, require, verify-ca or verify-full");
    const json_t *share = json_object_get(options, "shareRows");
    if (share && !share_of_word(json_text(share), &c->share_rows))
        request_invalid(q, "options.shareRows",
                        "must be all, aggregates or none");
    read_certificates(q, json_object_get(options, "rootCertificates"), c);
    read_time_zone(q, json_object_get(options, "timeZone"), c);
    read_cluster_options(q, options, c);
}

/* `useSsl` alone means `require`: any certificate is accepted. */
static void read_tls(struct request *q, struct connection_add *c)
{
    const json_t *use = json_object_get(q->body, "useSsl");
    const json_t *options = json_object_get(q->body, "options");
    if (use && !json_is_boolean(use)) {
        request_invalid(q, "useSsl", "must be true or false");
        use = NULL;
    }
    if (use && !json_is_true(use))
        c->tls = TLS_DISABLE;
    else if (use && c->tls == TLS_DISABLE)
        c->tls = TLS_REQUIRE;
    read_options_object(q, c);
    bool said = json_object_get(options, "sslMode") != NULL;
    if (use && said && json_is_true(use) != (c->tls != TLS_DISABLE))
        request_invalid(q, "useSsl",
                        "and options.sslMode contradict each other");
}

/* ---- everything ---------------------------------------------------------- */

static void read_connection_fields(struct request *q, struct connection_add *c)
{
    request_text_given(q, "name", 1, NAME_MOST, &c->name);
    request_text_given(q, "description", 0, DESCRIPTION_MOST, &c->description);
    read_database_type(q, c);
    read_host(q, c);
    read_port(q, c);
    request_text_given(q, "databaseName", 1, IDENTIFIER_MOST, &c->database);
    request_text_given(q, "username", 1, IDENTIFIER_MOST, &c->username);
    read_connection_password(q, c);
    request_visibility(q, &c->shared);
    read_tls(q, c);
    if (!c->port)
        c->port = connection_default_port(c->type, c->tls != TLS_DISABLE);
    if (!c->of_files)
        check_secret(q, c);
}

void connection_body_new(struct request *q, struct connection_add *c)
{
    static const char *const required[] = {"name", "host", "databaseName",
                                           "username"};
    c->port = 0; /* the default of its type */
    read_connection_fields(q, c);
    for (int i = 0; i < 4; i++)
        if (!json_object_get(q->body, required[i]))
            request_invalid(q, required[i], "is missing");
}

/* Files have no address. */
static void refuse_address(struct request *q)
{
    static const char *const keys[] = {"host",     "port",     "databaseName",
                                       "username", "password", "useSsl"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(q->body, keys[i]))
            request_invalid(q, keys[i],
                            "this connection is over uploaded files and has "
                            "no address");
}

void connection_body_change(struct request *q, struct connection_add *c)
{
    const struct connection_add was = *c;
    read_connection_fields(q, c);
    if (was.of_files)
        refuse_address(q);
    bool elsewhere = !str_eq_nocase(was.host, c->host) || was.port != c->port ||
                     (was.tls >= TLS_VERIFY_CA && c->tls < was.tls) ||
                     was.type != c->type;
    if (elsewhere && was.password.len && !json_object_get(q->body, "password"))
        request_invalid(
            q, "password",
            "must be given again when the host or port changes, or when TLS "
            "is weakened");
    if (was.embedded && (elsewhere || !str_eq(was.username, c->username) ||
                         !str_eq(was.database, c->database)))
        request_invalid(
            q, "host",
            "this connection leads to the server's own database and cannot be "
            "changed");
}
