/* postgres_files.h - the settings of our own cluster, written at each start
 * where PostgreSQL itself cannot change them. */
#pragma once
#include "base/str.h"
#include "config/home.h"

bool postgres_write_files(const struct home *home, const char *user, gid_t gid,
                          struct str *why);
