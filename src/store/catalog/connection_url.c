/* connection_url.c - parses connection URLs. */
#include "store/connections.h"
#include "base/banned.h"

static const char *const tls_words[] = {
    [TLS_DISABLE] = "disable",
    [TLS_REQUIRE] = "require",
    [TLS_VERIFY_CA] = "verify-ca",
    [TLS_VERIFY_FULL] = "verify-full",
};

const char *tls_word(enum tls_mode mode)
{
    return tls_words[mode];
}

bool tls_of_word(struct str word, enum tls_mode *mode)
{
    for (size_t i = 0; i < sizeof tls_words / sizeof *tls_words; i++)
        if (str_is(word, tls_words[i])) {
            *mode = (enum tls_mode)i;
            return true;
        }
    return false;
}

static const char *const type_words[] = {
    [CONNECTION_POSTGRES] = "postgresql",
    [CONNECTION_TRINO] = "trino",
};

const char *connection_type_word(enum connection_type type)
{
    return type_words[type];
}

bool connection_type_of_word(struct str word, enum connection_type *type)
{
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
        if (str_is(word, type_words[i])) {
            *type = (enum connection_type)i;
            return true;
        }
    return false;
}

int connection_default_port(enum connection_type type, bool tls)
{
    return type == CONNECTION_POSTGRES ? 5432 : tls ? 8443 : 8080;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool percent_decode(struct arena *arena, struct str in, struct str *out)
{
    char *text = arena_alloc(arena, in.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < in.len; i++) {
        if (in.ptr[i] != '%') {
            text[n++] = in.ptr[i];
            continue;
        }
        int high = i + 2 < in.len ? hex_digit(in.ptr[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(in.ptr[i + 2]) : -1;
        if (low < 0 || (high == 0 && low == 0))
            return false;
        text[n++] = (char)(high * 16 + low);
        i += 2;
    }
    *out = (struct str){text, n};
    return true;
}

static bool refuse(struct str *why, const char *text)
{
    *why = str_of(text);
    return false;
}

/* Splits "host:port" or "[address]:port" after the host. */
static bool split_host(struct str authority, struct str *host, struct str *rest)
{
    char end = ':';
    if (authority.len && authority.ptr[0] == '[') {
        authority = str_from(authority, 1);
        end = ']';
    }
    ptrdiff_t at = str_find_char(authority, end);
    if (at < 0 && end == ']')
        return false;
    size_t len = at < 0 ? authority.len : (size_t)at;
    *host = str_cut(authority, 0, len);
    *rest = str_from(authority, end == ']' ? len + 1 : len);
    return host->len && (end == ']' || str_find_char(*host, ']') < 0);
}

static bool parse_host(struct str authority, struct connection_add *out)
{
    int64_t port = 0; /* the default, which options may change */
    struct str rest;
    if (!split_host(authority, &out->host, &rest))
        return false;
    if (rest.len && (rest.ptr[0] != ':' ||
                     !str_to_int64(str_from(rest, 1), &port) || !port))
        return false;
    out->port = (int)port;
    return port >= 0 && port < 65536;
}

static bool take_option(struct arena *arena, struct str pair,
                        struct connection_add *out, struct str *root_file)
{
    struct str key, value = pair;
    str_split(&value, '=', &key);
    if (str_is(key, "sslmode") &&
        (str_is(value, "prefer") || str_is(value, "allow"))) {
        out->tls = TLS_DISABLE; /* what these amount to under attack */
        return true;
    }
    if (str_is(key, "sslmode"))
        return tls_of_word(value, &out->tls);
    if (out->type == CONNECTION_TRINO && str_is(key, "auth")) {
        out->token = str_is(value, "jwt");
        return out->token || str_is(value, "password");
    }
    return str_is(key, "sslrootcert") &&
           percent_decode(arena, value, root_file);
}

static bool parse_options(struct arena *arena, struct str query,
                          struct connection_add *out, struct str *root_file,
                          struct str *why)
{
    struct str pair;
    while (str_split(&query, '&', &pair))
        if (pair.len && !take_option(arena, pair, out, root_file))
            return refuse(why, "of its options only these are known: sslmode="
                               "disable, prefer, require, verify-ca or "
                               "verify-full, sslrootcert=FILE, and for Trino "
                               "auth=password or jwt");
    if (root_file->len && out->tls == TLS_DISABLE)
        return refuse(why, "its sslrootcert needs sslmode=verify-full or "
                           "verify-ca");
    if (root_file->len && out->tls == TLS_REQUIRE)
        out->tls = TLS_VERIFY_CA; /* as libpq does */
    if (str_is(*root_file, "system"))
        *root_file = STR("");
    return true;
}

/* "user:password@host:port" */
static bool parse_authority(struct arena *arena, struct str authority,
                            struct connection_add *out, struct str *why)
{
    ptrdiff_t at = -1;
    for (size_t i = 0; i < authority.len; i++)
        if (authority.ptr[i] == '@')
            at = (ptrdiff_t)i;
    if (at <= 0)
        return refuse(why, "it names no user: …://user@host/database");
    struct str password = str_cut(authority, 0, (size_t)at), user;
    str_split(&password, ':', &user);
    if (!password.ptr)
        password = STR("");
    if (!percent_decode(arena, user, &out->username) ||
        !percent_decode(arena, password, &out->password))
        return refuse(why, "its percent encoding is broken");
    if (!parse_host(str_from(authority, (size_t)at + 1), out))
        return refuse(why, "its host must be a name or an address, and its "
                           "port a number");
    return out->username.len || refuse(why, "it names no user");
}

static bool take_scheme(struct str *url, enum connection_type *type)
{
    struct str rest = *url, scheme;
    ptrdiff_t end = str_find(rest, STR("://"));
    if (end < 0)
        return false;
    str_split(&rest, ':', &scheme);
    *url = str_from(rest, 2);
    return str_is(scheme, "postgres") || connection_type_of_word(scheme, type);
}

/* "database", or Trino's "catalog/schema". */
static bool parse_path(struct arena *arena, struct str path,
                       struct connection_add *out)
{
    struct str schema = path, database = path;
    out->schema = STR("");
    if (out->type == CONNECTION_TRINO)
        str_split(&schema, '/', &database);
    return percent_decode(arena, database, &out->database) &&
           (out->type != CONNECTION_TRINO || !schema.ptr || !schema.len ||
            percent_decode(arena, schema, &out->schema));
}

const char connection_secret_open[] =
    "a password or a token for Trino needs TLS; it would be sent unencrypted";

bool connection_secret_is_open(const struct connection_add *c)
{
    return c->type == CONNECTION_TRINO && c->password.len &&
           c->tls == TLS_DISABLE;
}

bool connection_parse_url(struct arena *arena, struct str url,
                          struct connection_add *out, struct str *root_file,
                          struct str *why)
{
    *root_file = STR("");
    out->type = CONNECTION_POSTGRES;
    if (!take_scheme(&url, &out->type))
        return refuse(why, "it must start with postgresql:// or trino://");
    if (out->type == CONNECTION_TRINO)
        out->tls = TLS_VERIFY_FULL; /* unless its sslmode says otherwise */
    ptrdiff_t mark = str_find_char(url, '?');
    struct str query = {NULL, 0};
    if (mark >= 0) {
        query = str_from(url, (size_t)mark + 1);
        url = str_cut(url, 0, (size_t)mark);
    }
    ptrdiff_t slash = str_find_char(url, '/');
    if (slash < 0 || (size_t)slash + 1 == url.len)
        return refuse(why, "it names no database: …@host:port/database");
    if (!parse_path(arena, str_from(url, (size_t)slash + 1), out))
        return refuse(why, "its percent encoding is broken");
    if (!out->database.len)
        return refuse(why, "it names no catalog: …@host:port/catalog");
    if (!parse_authority(arena, str_cut(url, 0, (size_t)slash), out, why) ||
        !parse_options(arena, query, out, root_file, why))
        return false;
    if (!out->port)
        out->port = connection_default_port(out->type, out->tls != TLS_DISABLE);
    return !connection_secret_is_open(out) ||
           refuse(why, connection_secret_open);
}
