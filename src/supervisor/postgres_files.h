/* postgres_files.h - the configuration of the embedded cluster, written at each
 * start, where PostgreSQL itself cannot change it. */
#pragma once
#include "base/str.h"
#include "config/home.h"

/* Writes all files, readable for `gid`. `user` is the system user that may
 * connect. Returns false with *why. */
bool postgres_write_files(const struct home *home, const char *user, gid_t gid,
                          struct str *why);
