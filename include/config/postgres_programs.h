/* postgres_programs.h - which PostgreSQL on this machine runs our cluster.
 *
 * New data is made by the newest one found; data that is there needs the major
 * version that made it. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "config/config.h"

struct postgres_programs {
    const char *folder; /* has initdb and postgres */
    int major;
};

/* The major version of the data in that folder; 0: none there. -1: its
 * PG_VERSION cannot be read. */
int postgres_data_major(const char *data);
/* False with *why: what is missing, and the command that helps. */
bool postgres_find(struct arena *arena, const struct config *c,
                   const char *data, struct postgres_programs *out,
                   struct str *why);
