/* sources.c - the sources of connections, pools or file sets: opened when first
 * needed, shared by flows, closed when unused. */
#include "sources.h"
#include "base/clock.h"
#include "base/mem.h"
#include "store/connections.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

static step_fn source_read;

enum { FORGET_MS = 600000 }; /* an unused source is closed after this time */

struct source_cache *sources_new(unsigned most, unsigned idle_ms)
{
    struct source_cache *c = mem_new(struct source_cache);
    c->most = most;
    c->idle_ms = idle_ms;
    return c;
}

/* ---- the cache ---------------------------------------------------- */

static void source_end(struct source_pool *source)
{
    if (source->pool)
        pool_close(&source->pool);
    else if (source->source)
        source->close(&source->source);
    if (source->certificates >= 0)
        close(source->certificates);
    mem_free(source->database);
    mem_free(source);
}

static void source_retire(struct source_cache *cache,
                          struct source_pool *source)
{
    struct source_pool **at = &cache->first;
    while (*at != source)
        at = &(*at)->next;
    *at = source->next;
    source->retired = true;
    if (source->holders == 0)
        source_end(source);
}

/* For defer_kept. */
static void source_release(void *what)
{
    struct source_pool *source = what;
    if (--source->holders == 0 && source->retired)
        source_end(source);
}

static void source_hold(struct flow *f, struct source_pool *source)
{
    struct source_open *o = locals(f, struct source_open);
    source->used_ms = clock_ms();
    source->holders++;
    defer_kept(f, source_release, source);
    o->opened = source->source;
}

static struct source_pool *source_find(const struct source_open *o)
{
    struct source_pool *s = o->store->sources->first;
    while (s && !(str_is(o->connection_id, s->id) &&
                  str_is(o->database, s->database)))
        s = s->next;
    return s;
}

/* Also closes the pools of connections that were removed. */
static void sources_retire_unused(struct source_cache *cache)
{
    struct source_pool *next;
    for (struct source_pool *s = cache->first; s; s = next) {
        next = s->next;
        if (s->holders == 0 && clock_ms() - s->used_ms > FORGET_MS)
            source_retire(cache, s);
    }
}

struct pool_stats sources_stats(const struct store *s)
{
    struct pool_stats sum = {0};
    for (const struct source_pool *x = s->sources->first; x; x = x->next) {
        if (!x->pool)
            continue;
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
        struct source_pool *source = s->sources->first;
        if (source->pool) {
            pool_close(&source->pool); /* even while flows hold it */
            source->source = NULL;
        }
        source_retire(s->sources, source);
    }
    mem_free(s->sources);
    s->sources = NULL;
}

/* ---- opening ------------------------------------------------------------ */

const struct statement source_statement = {
    .name = "connections.source",
    .again = true,
    .sql = "select " SOURCE_COLUMNS " from connections where id = $1::uuid",
};

struct next source_open_begin(struct flow *f)
{
    struct source_open *o = locals(f, struct source_open);
    struct source_pool *s = source_find(o);
    if (s && o->changed_at.len && str_is(o->changed_at, s->changed_at)) {
        source_hold(f, s);
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

/* An unknown word shares nothing. */
static enum share_rows share_of(struct str word)
{
    enum share_rows share = SHARE_ALL;
    return !word.len || share_of_word(word, &share) ? share : SHARE_NONE;
}

bool source_unpack(struct flow *f, const struct store *s,
                   const struct source_row *row, struct connection_add *c)
{
    *c = (struct connection_add){.host = row->host,
                                 .port = row->port,
                                 .database = row->database,
                                 .username = row->username,
                                 .embedded = row->embedded,
                                 .of_files = row->file_set_id.len > 0,
                                 .root_certificates = row->root_certificates,
                                 .allow_superuser =
                                     str_is(row->superuser_option, "true"),
                                 .share_rows = share_of(row->share_rows),
                                 .time_zone = row->time_zone,
                                 .schema = row->schema,
                                 .token = str_is(row->auth, "jwt"),
                                 .owner_id = row->owner_id,
                                 .name = row->name,
                                 .description = row->description,
                                 .shared = str_is(row->visibility, "shared")};
    connection_type_of_word(row->type, &c->type);
    return tls_of_word(row->sslmode, &c->tls) &&
           source_unseal(f, s, row->password, &c->password);
}

static struct source_pool *source_new(const struct source_open *o,
                                      struct str changed_at)
{
    struct source_cache *cache = o->store->sources;
    struct source_pool *s = mem_new(struct source_pool);
    snprintf(s->id, sizeof s->id, "%.*s", STR_ARG(o->connection_id));
    s->database = mem_copy(o->database.ptr, o->database.len);
    snprintf(s->changed_at, sizeof s->changed_at, "%.*s", STR_ARG(changed_at));
    s->certificates = -1;
    s->next = cache->first;
    cache->first = s;
    return s;
}

static struct source_pool *source_of_database(const struct source_open *o,
                                              const struct connection_add *c,
                                              struct str changed_at)
{
    struct source_cache *cache = o->store->sources;
    struct source_pool *s = source_new(o, changed_at);
    struct buf address;
    char *time_zone =
        mem_copy(c->time_zone.ptr ? c->time_zone.ptr : "", c->time_zone.len);
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
                                         .no_superuser = !c->allow_superuser,
                                         .address_from_user = true,
                                         .time_zone = time_zone});
    mem_free(time_zone);
    s->source = pool_source(s->pool);
    explicit_bzero(address.ptr, address.len);
    buf_done(&address);
    return s;
}

static struct source_pool *source_of_files(const struct source_open *o,
                                           const struct source_row *row)
{
    struct source_pool *s = source_new(o, row->changed_at);
    const struct file_sources *files = o->store->files;
    s->close = files->close;
    s->source = files->open(files->who, row->tables, row->time_zone);
    return s;
}

static struct source_pool *source_of_cluster(const struct source_open *o,
                                             const struct connection_add *c,
                                             struct str changed_at)
{
    struct source_pool *s = source_new(o, changed_at);
    s->close = o->store->clusters->close;
    s->source = o->store->clusters->open(c, o->store->ca_file);
    return s;
}

static struct next source_read(struct flow *f)
{
    struct source_open *o = locals(f, struct source_open);
    struct source_cache *cache = o->store->sources;
    struct source_pool *s = source_find(o);
    struct source_row row = {0};
    struct connection_add c;
    if (o->query->n_rows) {
        row = source_row_at(o->query, 0);
        o->share_rows = share_of(row.share_rows);
    }
    if (s && o->query->n_rows && str_is(row.changed_at, s->changed_at)) {
        source_hold(f, s); /* unchanged, or another flow has opened it by now */
        return back(f);
    }
    if (s)
        source_retire(cache, s);
    sources_retire_unused(cache);
    if (o->query->n_rows == 0)
        return fail(f, ERR_NOT_FOUND);
    if (row.file_set_id.len) {
        if (!o->store->files || !row.tables.len)
            return fail_because(f, ERR_DATABASE_UNAVAILABLE,
                                "The files of this connection cannot be read.");
        source_hold(f, source_of_files(o, &row));
        return back(f);
    }
    if (!source_unpack(f, o->store, &row, &c))
        return fail_because(f, ERR_INTERNAL, SOURCE_SEALED);
    if (!c.embedded && !source_host_allowed(o->store, c.host))
        return fail_because(f, ERR_FORBIDDEN,
                            "the host of this connection is not among those "
                            "that may be asked (CONNECTION_HOSTS)");
    if (o->database.len)
        c.database = o->database;
    source_hold(f, c.type == CONNECTION_TRINO
                       ? source_of_cluster(o, &c, row.changed_at)
                       : source_of_database(o, &c, row.changed_at));
    return back(f);
}
