/* backup.h - what backup.c and restore.c share: the folder of a backup, and the
 * programs of PostgreSQL that make and read a dump. */
#pragma once
#include "cli.h"

#define BACKUP_DUMP "database.dump"
#define BACKUP_MANIFEST "backup.json"

const char *backup_file(const struct home *folder, const char *name);
/* Path or name of pg_dump, pg_restore. */
const char *backup_program(struct cli *c, const char *name);
/* What such a program connects to; *database is its name. */
const char **backup_environment(struct cli *c, const char **database);
struct next backup_program_failed(struct flow *f, const struct process *p,
                                  const char *name);
