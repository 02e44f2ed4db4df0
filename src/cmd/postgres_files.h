/* postgres_files.h - the settings of our own cluster, written at each start
 * where PostgreSQL itself cannot change them. */
#pragma once
#include "base/str.h"
#include "cmd/home.h"

/* Users whom the server's system user (`user`) may be in the cluster. */
#define POSTGRES_OWNER "sextant"    /* owns Sextant's own database */
#define POSTGRES_ADMIN "postgres"   /* superuser: makes roles and databases */
#define POSTGRES_DATABASE "sextant"

bool postgres_write_files(const struct home *home, const char *user, gid_t gid,
                          struct str *why);
