/* file_tables.h - reads what the sandbox found in files. Pure. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "tool/file_intake.h"

/* The most that an answer may have: it is read at once, and stored. */
enum { FILE_TABLES_BYTES = 8 * 1024 * 1024 };

struct tables_read {
    struct str reply;               /* of POST /tables; hostile */
    const struct intake_file *sent; /* by place */
    size_t n_files;
    struct arena memory;
    /* Out */
    bool good; /* the answer has the form that it must have */
    size_t n_tables;
    struct str files;    /* JSON for file_set_profile */
    struct str prompts;  /* the same: questions to begin with */
    struct str problems; /* JSON: [{filename, message}, …] */
    struct str refusal;  /* without tables: why, for the user */
};

/* Reads the answer. Runs on another thread; `what` is a struct tables_read. */
void tables_read_job(void *what);
/* Frees its memory. */
void tables_read_done(void *what);
