/* frames.h - the tables as DataFrames of the scientist's code.
 *
 * Tables of files go by reference: the sandbox reads them whole. Of a database,
 * those that the question is about are read, each by a guarded query within the
 * limits of rows and bytes; a table that has more is cut, and the answer says
 * so. */
#pragma once
#include "agent/run.h"
#include "scientist.h"

enum { FRAMES_BYTES = 8 * 1024 * 1024 }; /* of the values of all tables */

struct data_frames {
    struct run *run;
    /* Out */
    struct python_data data[SCIENTIST_TABLES];
    struct str names[SCIENTIST_TABLES]; /* as the code knows them */
    bool cut[SCIENTIST_TABLES];
    int64_t rows[SCIENTIST_TABLES];
    size_t n;
    struct str problem; /* why a table is missing; else empty */
    /* private */
    struct tool_context context; /* the run's, with fewer bytes */
    struct query_tool query;
    size_t at;
};

/* A subflow; locals are the data_frames, zeroed but for `run`, in the run's
 * arena; their rows are in r->rows. Fails only if the run must end. Over files
 * there is nothing to read. */
step_fn frames_begin;

/* The tables of the source, if it is made of files: a JSON array of references;
 * else empty. */
struct str frames_of_files(const struct run *r);

/* The code that runs before the scientist's. In the arena. */
struct str frames_prelude(struct arena *a, const struct data_frames *d);
/* A sentence for each table that was cut or is missing; empty: none. */
struct str frames_notes(struct arena *a, const struct data_frames *d);
