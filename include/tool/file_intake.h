/* file_intake.h - takes files in, piece by piece, and finds their tables: what an
 * upload and `sextant import --file` have in common.
 *
 *   intake_name        checks and cleans a file's name
 *   intake_file_begin  a file begins
 *   intake_take        takes some of its bytes; when the chunk is full,
 *   intake_flush_begin stores it
 *   intake_end_begin   the file is whole
 *   intake_look_begin  after the last file: the sandbox looks for tables
 *   intake_drop_begin  deletes all of it, after a failure
 *
 * It takes the memory of one chunk, whatever the files have. The subflows fail
 * with a sentence for the user: ERR_VALIDATION, ERR_TOO_LARGE (a file, or all
 * files of the user), ERR_UNREADABLE_FILE, ERR_SANDBOX_UNAVAILABLE. */
#pragma once
#include "base/crypto.h"
#include "loop/wait.h"
#include "store/file_sets.h"
#include "tool/sandbox_files.h"

struct file_limits {
    int64_t file_bytes; /* of a file */
    int64_t user_bytes; /* of all files of a user */
    int files;          /* of a file set */
};

enum { INTAKE_FILES_MOST = 256 };

struct file_intake {
    struct store *store;
    const struct sandbox *sandbox;
    struct file_limits limits;
    struct str owner_id, request_id;
    /* Until intake_look_begin; an empty name becomes that of the first file. */
    struct str name, description;
    struct str filename; /* of the file that begins, from intake_name */

    /* Out */
    struct str set_id; /* empty: nothing was stored */
    struct intake_file {
        struct str name;
        int64_t bytes;
        struct str sha256;
    } files[INTAKE_FILES_MOST];
    int n_files;
    /* After intake_look_begin, JSON: [{filename, message}, …], of files that
     * cannot be read and were left out. */
    struct str problems;

    /* private */
    struct str file_id;
    char *chunk;
    size_t chunk_len;
    int chunk_n;
    struct sha256_run hash;
    union {
        struct file_set_add set;
        struct file_add file;
        struct file_append append;
        struct file_end end;
        struct file_set_profile profile;
        struct file_set_drop drop;
        struct sandbox_supply supply;
    } work;
    struct http_call http;
    struct str asked;
    int asks;
    uint64_t busy_until_ms; /* the sandbox may be busy so long */
    struct pause pause;
    struct work reading;
    struct tables_read *read;
};

/* The name of a file without folders ("../x.csv" is x.csv), in *out. NULL, or
 * what is wrong with it: a sentence, static text. */
const char *intake_name(struct arena *arena, struct str sent, struct str *out);
/* Begins the file i->filename. */
struct next intake_file_begin(struct flow *f);
/* Takes bytes of the file, and returns those for which there is no room before
 * intake_flush_begin. */
struct str intake_take(struct file_intake *i, struct str bytes);
/* How many bytes it takes before that; 0: the chunk is full. */
size_t intake_room(const struct file_intake *i);
bool intake_is_full(const struct file_intake *i);
/* Stores the chunk. */
struct next intake_flush_begin(struct flow *f);
/* Stores the last chunk of the file. */
struct next intake_end_begin(struct flow *f);
/* Has the sandbox look for tables, and stores what it found. The set is then
 * `preparing`. */
struct next intake_look_begin(struct flow *f);
/* Deletes what was stored. */
struct next intake_drop_begin(struct flow *f);
