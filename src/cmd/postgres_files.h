/* postgres_files.h - the settings of our own cluster, written at each start
 * where PostgreSQL itself cannot change them. */
#pragma once
#include "base/str.h"
#include "cmd/home.h"

/* Users whom the server's system user (`user`) may be in the cluster. */
#define POSTGRES_OWNER "sextant"  /* owns Sextant's own database */
#define POSTGRES_ADMIN "postgres" /* superuser: makes roles and databases */
#define POSTGRES_DATABASE "sextant"

/* What `sextant demo load` makes, here or where DATABASE_URL leads. */
#define DEMO_DATABASE "sextant_demo"

bool postgres_write_files(const struct home *home, const char *user, gid_t gid,
                          struct str *why);
