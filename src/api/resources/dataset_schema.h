/* dataset_schema.h - writes the tables of a dataset as the API shows them. */
#pragma once
#include "base/buf.h"
#include "store/file_sets.h"

struct dataset_schema {
    struct str set_id;
    const struct stored_file *files;
    size_t n_files;
    struct buf out; /* members of an object, on the heap */
};

/* Writes them. Runs on another thread, because a file may have thousands of
 * columns; `what` is a struct dataset_schema. */
void dataset_schema_job(void *what);
/* Frees `out`. */
void dataset_schema_done(void *what);
