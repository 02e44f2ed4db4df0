/* dump_load.h - loads a dump of pg_dump into the system database, in one
 * transaction that begins with SQL of the caller. */
#pragma once
#include "backup.h"

struct dump_load {
    struct cli *cli;
    const struct home *folder; /* of the backup */
    const char *first;         /* SQL that runs before the dump's */
    /* private */
    struct process psql, pg_restore;
    struct child sender;
    int script[2], verdict[2]; /* pipes; -1: closed */
};
/* Fails with a sentence when the load failed; then the database is as it
 * was. */
struct next dump_load_begin(struct flow *f);
