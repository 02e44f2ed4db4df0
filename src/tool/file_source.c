/* file_source.c - see tool/file_source.h.
 *
 *   files_missing -> files_sent */
#include "tool/file_source.h"
#include "tool/sandbox_files.h"
#include "base/banned.h"

static struct next files_missing(struct flow *f), files_sent(struct flow *f);

static struct source *file_source_open(const void *who, struct str tables,
                                       struct str time_zone)
{
    const struct file_source_opener *o = who;
    return duckdb_open(&o->options, tables, time_zone);
}

/* The supply of engine/duckdb.h. */
static struct next files_missing(struct flow *f)
{
    struct duckdb_supply *d = locals(f, struct duckdb_supply);
    const struct file_source_opener *o = d->who;
    struct sandbox_supply *s = here(f, struct sandbox_supply);
    *s = (struct sandbox_supply){.store = o->store,
                                 .sandbox = &o->sandbox,
                                 .user_id = d->user_id,
                                 .sha256s = d->missing,
                                 .n = d->n_missing};
    return call(f, sandbox_supply_begin, s, files_sent);
}

static struct next files_sent(struct flow *f)
{
    return back(f);
}

void file_source_opener_init(struct file_source_opener *o, struct store *store,
                             const struct sandbox *sandbox)
{
    *o = (struct file_source_opener){
        .sources = {.open = file_source_open, .close = duckdb_close, .who = o},
        .options = {.url = sandbox->url,
                    .unix_socket = sandbox->unix_socket,
                    .token = sandbox->token,
                    .off = sandbox->off,
                    .supply = files_missing,
                    .who = o},
        .store = store,
        .sandbox = *sandbox};
    store->files = &o->sources;
}
