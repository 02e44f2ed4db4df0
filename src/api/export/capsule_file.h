/* capsule_file.h - the rows that are kept of a run (store/capsules.h), as a
 * file: those of Python code cannot be read again, as those of a query can
 * (exports.c). */
#pragma once
#include "base/buf.h"

struct capsule_file {
    struct str result; /* JSON: {columns, rows, …} */
    bool sheet;        /* Excel; else CSV */
    /* Out */
    bool made;      /* false: there are no columns */
    struct buf out; /* on the heap */
};

/* Writes the file. Runs on another thread, because there may be 4 MiB of rows;
 * `what` is a struct capsule_file. */
void capsule_file_job(void *what);
/* Frees `out`. */
void capsule_file_done(void *what);
