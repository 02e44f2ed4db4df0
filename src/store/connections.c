#include "store/connections.h"
#include "base/mem.h"
#include "sources.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* ---- adding ------------------------------------------------------------- */

static const struct statement add_statement = {
    .name = "connections.add",
    .sql =
        "insert into connections (owner_id, name, host, port, database_name,"
        "   username, password_sealed, use_ssl, visibility, embedded)"
        " values ($1::uuid, $2, $3, $4::int, $5, $6,"
        "   decode(nullif($7, ''), 'hex'), $8::boolean, $9, $10::boolean)"
        " on conflict (owner_id, name) do update set host = excluded.host,"
        "   port = excluded.port, database_name = excluded.database_name,"
        "   username = excluded.username, use_ssl = excluded.use_ssl,"
        "   password_sealed = excluded.password_sealed,"
        "   visibility = excluded.visibility, embedded = excluded.embedded,"
        "   updated_at = clock_timestamp()"
        " returning id",
};

static struct next connection_added(struct flow *f),
    connection_found(struct flow *f), source_read(struct flow *f);

struct next connection_add_begin(struct flow *f)
{
    struct connection_add *c = locals(f, struct connection_add);
    struct query *q = c->query = query_new(f, c->store->system, &add_statement);
    struct str sealed = {"", 0};
    if (c->password.len) {
        struct str bytes = seal(flow_here(f), c->store->key, c->password);
        sealed = hex_encode(flow_here(f), bytes.ptr, bytes.len);
    }
    query_str(f, q, c->owner_id);
    query_str(f, q, c->name);
    query_str(f, q, c->host);
    query_int(f, q, c->port);
    query_str(f, q, c->database);
    query_str(f, q, c->username);
    query_str(f, q, sealed);
    query_bool(q, c->use_ssl);
    query_text(q, c->shared ? "shared" : "private");
    query_bool(q, c->embedded);
    query_begin(f, q);
    return await(f, connection_added);
}

static struct next connection_added(struct flow *f)
{
    struct connection_add *c = locals(f, struct connection_add);
    c->id = arena_str(flow_keep(f), query_cell(c->query, 0, 0));
    source_forget(c->store, c->id);
    return back(f);
}

static const struct statement find_statement = {
    .name = "connections.find",
    .again = true,
    .sql = "select id from connections where name = $2"
           " and (owner_id = $1::uuid or visibility = 'shared')"
           " order by owner_id = $1::uuid desc limit 1",
};

struct next connection_find_begin(struct flow *f)
{
    struct connection_find *c = locals(f, struct connection_find);
    c->query = query_new(f, c->store->system, &find_statement);
    query_str(f, c->query, c->owner_id);
    query_str(f, c->query, c->name);
    query_begin(f, c->query);
    return await(f, connection_found);
}

static struct next connection_found(struct flow *f)
{
    struct connection_find *c = locals(f, struct connection_find);
    if (c->query->n_rows)
        c->id = arena_str(flow_keep(f), query_cell(c->query, 0, 0));
    return back(f);
}

/* ---- URLs --------------------------------------------------------------- */

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

/* Splits "host:port" or "[address]:port" behind the host. */
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
    int64_t port = 5432;
    struct str rest;
    if (!split_host(authority, &out->host, &rest))
        return false;
    if (rest.len && (rest.ptr[0] != ':' ||
                     !str_to_int64(str_from(rest, 1), &port)))
        return false;
    out->port = (int)port;
    return port > 0 && port < 65536;
}

/* Only sslmode is taken from the query; it decides between plain and TLS. */
static bool parse_options(struct str query, struct connection_add *out)
{
    struct str pair;
    while (str_split(&query, '&', &pair)) {
        if (str_starts(pair, STR("sslmode=verify")))
            return false; /* nothing less may be done instead */
        if (str_starts(pair, STR("sslmode=")))
            out->use_ssl = !str_is(pair, "sslmode=disable") &&
                           !str_is(pair, "sslmode=prefer") &&
                           !str_is(pair, "sslmode=allow");
        else if (pair.len)
            return false;
    }
    return true;
}

bool connection_parse_url(struct arena *arena, struct str url,
                          struct connection_add *out, struct str *why)
{
    if (str_starts(url, STR("postgresql://")))
        url = str_from(url, 13);
    else if (str_starts(url, STR("postgres://")))
        url = str_from(url, 11);
    else
        return refuse(why, "it must start with postgresql://");
    ptrdiff_t mark = str_find_char(url, '?');
    struct str query = {NULL, 0};
    if (mark >= 0) {
        query = str_from(url, (size_t)mark + 1);
        url = str_cut(url, 0, (size_t)mark);
    }
    ptrdiff_t slash = str_find_char(url, '/');
    if (slash < 0)
        return refuse(why, "it names no database: …@host:port/database");
    struct str authority = str_cut(url, 0, (size_t)slash);
    struct str database = str_from(url, (size_t)slash + 1), user, password;
    ptrdiff_t at = -1;
    for (size_t i = 0; i < authority.len; i++)
        if (authority.ptr[i] == '@')
            at = (ptrdiff_t)i;
    if (at <= 0)
        return refuse(why, "it names no user: postgresql://user@host/database");
    struct str login = str_cut(authority, 0, (size_t)at);
    authority = str_from(authority, (size_t)at + 1);
    str_split(&login, ':', &user);
    password = login.ptr ? login : STR("");
    if (!percent_decode(arena, user, &out->username) ||
        !percent_decode(arena, password, &out->password) ||
        !percent_decode(arena, database, &out->database))
        return refuse(why, "its percent encoding is broken");
    if (!out->database.len || !out->username.len)
        return refuse(why, "it names no database or no user");
    if (!parse_host(authority, out) || str_find_char(out->host, '/') >= 0)
        return refuse(why, "its host must be a name or an address, and its "
                           "port a number");
    if (!parse_options(query, out))
        return refuse(why, "of its options only sslmode is known: disable, "
                           "prefer or require");
    return true;
}

/* ---- pools -------------------------------------------------------------- */

struct source_cache *sources_new(unsigned most, unsigned idle_ms)
{
    struct source_cache *c = mem_new(struct source_cache);
    c->most = most;
    c->idle_ms = idle_ms;
    return c;
}

void sources_close(struct store *s)
{
    while (s->sources->first) {
        struct source *source = s->sources->first;
        s->sources->first = source->next;
        pool_close(&source->pool);
        mem_free(source);
    }
    mem_free(s->sources);
    s->sources = NULL;
}

void source_forget(struct store *s, struct str connection_id)
{
    struct source **at = &s->sources->first;
    while (*at && !str_is(connection_id, (*at)->id))
        at = &(*at)->next;
    if (!*at)
        return;
    struct source *source = *at;
    *at = source->next;
    pool_close(&source->pool);
    mem_free(source);
}

static const struct statement source_statement = {
    .name = "connections.source",
    .again = true,
    .sql = "select host, port, database_name, username,"
           " encode(password_sealed, 'hex'), use_ssl, embedded, updated_at"
           " from connections where id = $1::uuid",
};

struct next source_open_begin(struct flow *f)
{
    struct source_open *o = locals(f, struct source_open);
    for (struct source *s = o->store->sources->first; s; s = s->next)
        if (str_is(o->connection_id, s->id)) {
            o->pool = s->pool;
            return back(f);
        }
    o->query = query_new(f, o->store->system, &source_statement);
    query_str(f, o->query, o->connection_id);
    query_begin(f, o->query);
    return await(f, source_read);
}

/* A value of libpq's keyword form, quoted. */
static void option(struct buf *out, const char *key, struct str value)
{
    buf_printf(out, " %s='", key);
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '\'' || value.ptr[i] == '\\')
            buf_char(out, '\\');
        buf_char(out, value.ptr[i]);
    }
    buf_char(out, '\'');
}

static bool unseal(struct flow *f, const struct store *s, struct str hex,
                   struct str *password)
{
    *password = STR("");
    if (hex.len == 0)
        return true;
    char *bytes = arena_alloc(flow_here(f), hex.len / 2 + 1);
    for (size_t i = 0; i + 1 < hex.len; i += 2)
        bytes[i / 2] = (char)(hex_digit(hex.ptr[i]) * 16 +
                              hex_digit(hex.ptr[i + 1]));
    return seal_open(flow_here(f), s->key, (struct str){bytes, hex.len / 2},
                     password);
}

static const char *conninfo(struct flow *f, const struct source_open *o,
                            struct str password)
{
    const struct query *q = o->query;
    bool embedded = query_cell_bool(q, 0, 6);
    struct buf out;
    buf_init(&out, flow_here(f));
    option(&out, "host",
           embedded ? o->store->embedded_socket : query_cell(q, 0, 0));
    option(&out, "port", query_cell(q, 0, 1));
    option(&out, "dbname", query_cell(q, 0, 2));
    option(&out, "user", query_cell(q, 0, 3));
    if (password.len)
        option(&out, "password", password);
    if (!embedded)
        option(&out, "sslmode",
               query_cell_bool(q, 0, 5) ? STR("require") : STR("disable"));
    return buf_cstr(&out);
}

static struct next source_read(struct flow *f)
{
    struct source_open *o = locals(f, struct source_open);
    struct source_cache *cache = o->store->sources;
    struct str password;
    if (o->query->n_rows == 0)
        return fail(f, ERR_NOT_FOUND);
    for (struct source *s = cache->first; s; s = s->next)
        if (str_is(o->connection_id, s->id)) { /* another was quicker */
            o->pool = s->pool;
            return back(f);
        }
    if (!unseal(f, o->store, query_cell(o->query, 0, 4), &password))
        return fail_because(f, ERR_INTERNAL,
                            "the connection's credentials cannot be opened "
                            "with this server's key");
    const char *address = conninfo(f, o, password);
    struct source *s = mem_new(struct source);
    memcpy(s->id, o->connection_id.ptr, UUID_SIZE - 1);
    s->pool = pool_open(&(struct pool_options){
        .name = s->id, .conninfo = address,
        .most = (int)cache->most, .pipeline = 1, .connect_ms = 10000,
        .deadline_ms = 60000, .queue_most = 1024, .idle_ms = cache->idle_ms});
    s->next = cache->first;
    cache->first = s;
    o->pool = s->pool;
    return back(f);
}
