/* backup.h - what backup.c, restore.c and dump_load.c share: the folder of a
 * backup, and running PostgreSQL's programs. */
#pragma once
#include "base/crypto.h"
#include "cli.h"

#define BACKUP_DUMP "database.dump"
#define BACKUP_MANIFEST "backup.json"

/* The path of a file of the backup, in the folder's arena. */
const char *backup_file(const struct home *folder, const char *name);
/* Writes the SHA-256 of the dump in hex; false: it cannot be read. */
bool backup_checksum(const struct home *folder, char hex[2 * SHA256_SIZE + 1]);
/* Path or name of pg_dump, pg_restore or psql. */
const char *backup_program(struct cli *c, const char *name);
/* The environment that connects such a program; *database is the database's
 * name. */
const char **backup_environment(struct cli *c, const char **database);
/* Fails the flow: the program could not be started, or failed with a status. */
struct next backup_program_failed(struct flow *f, const struct process *p,
                                  const char *name);
