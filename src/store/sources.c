#include "sources.h"
#include "base/clock.h"
#include "base/mem.h"
#include "store/connections.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { FORGET_MS = 600000 }; /* a source that nobody asked for so long */

struct source_cache *sources_new(unsigned most, unsigned idle_ms)
{
    struct source_cache *c = mem_new(struct source_cache);
    c->most = most;
    c->idle_ms = idle_ms;
    return c;
}

/* ---- a source's life ---------------------------------------------------- */

static void source_end(struct source *source)
{
    if (source->pool)
        pool_close(&source->pool);
    if (source->certificates >= 0)
        close(source->certificates);
    mem_free(source->database);
    mem_free(source);
}

static void retire(struct source_cache *cache, struct source *source)
{
    struct source **at = &cache->first;
    while (*at != source)
        at = &(*at)->next;
    *at = source->next;
    source->retired = true;
    if (source->holders == 0)
        source_end(source);
}

/* For defer_kept. */
static void release(void *what)
{
    struct source *source = what;
    if (--source->holders == 0 && source->retired)
        source_end(source);
}

static void hold(struct flow *f, struct source *source)
{
    struct source_open *o = locals(f, struct source_open);
    source->used_ms = clock_ms();
    source->holders++;
    defer_kept(f, release, source);
    o->pool = source->pool;
}

static struct source *find(const struct source_open *o)
{
    struct source *s = o->store->sources->first;
    while (s && !(str_is(o->connection_id, s->id) &&
                  str_is(o->database, s->database)))
        s = s->next;
    return s;
}

/* Connections that were removed are never asked for again. */
static void retire_unused(struct source_cache *cache)
{
    struct source *next;
    for (struct source *s = cache->first; s; s = next) {
        next = s->next;
        if (s->holders == 0 && clock_ms() - s->used_ms > FORGET_MS)
            retire(cache, s);
    }
}

struct pool_stats sources_stats(const struct store *s)
{
    struct pool_stats sum = {0};
    for (const struct source *x = s->sources->first; x; x = x->next) {
        struct pool_stats p = pool_stats(x->pool);
        sum.open += p.open;
        sum.busy += p.busy;
        sum.waiting += p.waiting;
    }
    return sum;
}

void sources_close(struct store *s)
{
    while (s->sources->first) {
        struct source *source = s->sources->first;
        pool_close(&source->pool); /* whoever may hold it */
        retire(s->sources, source);
    }
    mem_free(s->sources);
    s->sources = NULL;
}

/* ---- opening ------------------------------------------------------------ */

const struct statement source_statement = {
    .name = "connections.source",
    .again = true,
    .sql = "select host, port, database_name, username,"
           " encode(password_sealed, 'hex'), coalesce(options->>'sslmode',"
           "   case when use_ssl then 'require' else 'disable' end),"
           " embedded, updated_at, options->>'sslrootcert',"
           " options->>'allowSuperuser', options->>'shareRows', owner_id, name,"
           " description, visibility"
           " from connections where id = $1::uuid",
};

static struct next source_read(struct flow *f);

struct next source_open_begin(struct flow *f)
{
    struct source_open *o = locals(f, struct source_open);
    struct source *s = find(o);
    if (s && o->changed_at.len && str_is(o->changed_at, s->changed_at)) {
        hold(f, s);
        return back(f);
    }
    o->query = query_new(f, o->store->system, &source_statement);
    query_str(f, o->query, o->connection_id);
    query_begin(f, o->query);
    return await(f, source_read);
}

bool source_unseal(struct flow *f, const struct store *s, struct str hex,
                   struct str *password)
{
    struct str bytes;
    *password = STR("");
    return hex.len == 0 ||
           (hex_decode(flow_here(f), hex, &bytes) &&
            (seal_open(flow_here(f), s->key, bytes, password) ||
             seal_open(flow_here(f), s->old_key, bytes, password)));
}

/* A word we do not know shares nothing. */
static enum share_rows share_of(struct str word)
{
    enum share_rows share = SHARE_ALL;
    return !word.len || share_of_word(word, &share) ? share : SHARE_NONE;
}

bool source_row(struct flow *f, const struct store *s, const struct query *q,
                struct connection_add *c)
{
    *c = (struct connection_add){
        .host = query_cell(q, 0, 0),
        .port = (int)query_cell_int(q, 0, 1),
        .database = query_cell(q, 0, 2),
        .username = query_cell(q, 0, 3),
        .embedded = query_cell_bool(q, 0, 6),
        .root_certificates = query_cell(q, 0, 8),
        .superuser_too = str_is(query_cell(q, 0, 9), "true"),
        .owner_id = query_cell(q, 0, 11),
        .name = query_cell(q, 0, 12),
        .description = query_cell(q, 0, 13),
        .shared = str_is(query_cell(q, 0, 14), "shared")};
    c->share_rows = share_of(query_cell(q, 0, 10));
    return tls_of_word(query_cell(q, 0, 5), &c->tls) &&
           source_unseal(f, s, query_cell(q, 0, 4), &c->password);
}

static struct source *source_new(const struct source_open *o,
                                 const struct connection_add *c)
{
    struct source_cache *cache = o->store->sources;
    struct source *s = mem_new(struct source);
    struct buf address;
    snprintf(s->id, sizeof s->id, "%.*s", STR_ARG(o->connection_id));
    s->database = mem_copy(o->database.ptr, o->database.len);
    snprintf(s->changed_at, sizeof s->changed_at, "%.*s",
             STR_ARG(query_cell(o->query, 0, SOURCE_CHANGED_AT)));
    connection_conninfo(o->store, c, &address, &s->certificates);
    s->pool =
        pool_open(&(struct pool_options){.name = s->id,
                                         .conninfo = buf_cstr(&address),
                                         .most = (int)cache->most,
                                         .pipeline = 1,
                                         .connect_ms = 10000,
                                         .deadline_ms = 60000,
                                         .queue_most = 1024,
                                         .idle_ms = cache->idle_ms,
                                         .no_superuser = !c->superuser_too,
                                         .of_a_user = true});
    explicit_bzero(address.ptr, address.len);
    buf_done(&address);
    s->next = cache->first;
    cache->first = s;
    return s;
}

static struct next source_read(struct flow *f)
{
    struct source_open *o = locals(f, struct source_open);
    struct source_cache *cache = o->store->sources;
    struct source *s = find(o);
    struct connection_add row;
    if (o->query->n_rows)
        o->share_rows = share_of(query_cell(o->query, 0, 10));
    if (s && o->query->n_rows &&
        str_is(query_cell(o->query, 0, SOURCE_CHANGED_AT), s->changed_at)) {
        hold(f, s); /* unchanged, or another was quicker */
        return back(f);
    }
    if (s)
        retire(cache, s);
    retire_unused(cache);
    if (o->query->n_rows == 0)
        return fail(f, ERR_NOT_FOUND);
    if (!source_row(f, o->store, o->query, &row))
        return fail_because(f, ERR_INTERNAL, SOURCE_SEALED);
    if (!row.embedded && !source_host_allowed(o->store, row.host))
        return fail_because(f, ERR_FORBIDDEN,
                            "the host of this connection is not among those "
                            "that may be asked (CONNECTION_HOSTS)");
    if (o->database.len)
        row.database = o->database;
    hold(f, source_new(o, &row));
    return back(f);
}
