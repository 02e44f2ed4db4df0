/* postgres_programs.h - finds the PostgreSQL programs for the embedded cluster.
 *
 * A new cluster uses the newest version found; an existing one needs the major
 * version that created it. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "config/config.h"

struct postgres_programs {
    const char *folder; /* has initdb and postgres */
    int major;
};

/* The major version of the data in that folder; 0: there is none; -1: its
 * PG_VERSION cannot be read. */
int postgres_data_major(const char *data);
/* Finds the programs. Returns false with *why: what is missing, and the command
 * that installs it. */
bool postgres_find(struct arena *arena, const struct config *c,
                   const char *data, struct postgres_programs *out,
                   struct str *why);
