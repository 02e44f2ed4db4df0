/* file_source.c - see tool/file_source.h. */
#include "tool/file_source.h"
#include "base/banned.h"

static struct source *file_source_open(const void *who, struct str file_set_id,
                                       struct str tables)
{
    const struct file_source_opener *o = who;
    return duckdb_open(&o->options, file_set_id, tables);
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
                    .who = o},
        .store = store,
        .sandbox = *sandbox};
    store->files = &o->sources;
}
