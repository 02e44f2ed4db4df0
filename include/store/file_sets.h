/* file_sets.h - files that people uploaded together, and their bytes.
 *
 *   file set  what one upload brought; it has one connection (dbType "duckdb"),
 *             one generated model and one ontology. The API calls it a dataset
 *   file      one file of it; its tables as the sandbox found them
 *   chunk     1 MiB of a file, the last one less
 *
 * A set is `uploading` until all files are whole and their tables known, then
 * `preparing` until its model is made, then `ready`, or `failed`. One that is
 * uploading is not shown. What stays `uploading` or `preparing` for ten minutes
 * without a change has lost its process: file_set_sweep. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

enum {
    FILE_CHUNK_BYTES = 1024 * 1024,
    FILE_PIECE_BYTES = 256 * 1024,
    FILE_SHA256_LEN = 64, /* in hexadecimal */
};

/* ---- uploading ---------------------------------------------------------- */

/* Adds an empty set, which is `uploading`. */
struct file_set_add {
    struct store *store;
    struct str owner_id, name, description; /* description may be empty */
    struct str id;                          /* out; kept */
    struct query *query;
};
struct next file_set_add_begin(struct flow *f);

/* Adds an empty file to a set. */
struct file_add {
    struct store *store;
    struct str set_id;
    int place; /* from 0 */
    struct str name, format;
    struct str id; /* out; kept */
    struct query *query;
};
struct next file_add_begin(struct flow *f);

/* Appends a chunk to a file of a set that is `uploading`. */
struct file_append {
    struct store *store;
    struct str file_id;
    int n;            /* the chunk's number, from 0 */
    struct str bytes; /* not empty; must live until the end */
    int64_t quota;    /* bytes of all files of the owner */
    /* Out: without both, nothing was changed */
    bool alive; /* the set is there, and `uploading` */
    bool kept;  /* and it was within the quota */
    struct query *query;
};
struct next file_append_begin(struct flow *f);

/* The file is whole. Fails with ERR_NOT_FOUND when its set is gone. */
struct file_end {
    struct store *store;
    struct str file_id;
    struct str sha256; /* in hexadecimal */
    struct query *query;
};
struct next file_end_begin(struct flow *f);

/* Stores the tables of the files, and the set becomes `preparing`. A file that
 * is not in the list is deleted: it cannot be read. Fails with ERR_NOT_FOUND
 * when the set is gone. */
struct file_set_profile {
    struct store *store;
    struct str set_id;
    struct str name, description; /* empty: as they are */
    /* JSON: an array of {place, format, rows, tables} */
    struct str files;
    struct str prompts;             /* JSON: an array of texts */
    struct str user_id, request_id; /* for the audit log; may be empty */
    struct query *query;
};
struct next file_set_profile_begin(struct flow *f);

/* Shows a set, with its connection, models and ontologies, to all users. */
struct file_set_share {
    struct store *store;
    struct str set_id;
    struct query *query;
};
struct next file_set_share_begin(struct flow *f);

/* Deletes a set, whatever its status, with its connection, model, ontology and
 * chats: an upload that failed. A large one is hidden, and the sweep deletes
 * it. */
struct file_set_drop {
    struct store *store;
    struct str set_id;
    struct query *query;
};
struct next file_set_drop_begin(struct flow *f);

/* ---- reading ------------------------------------------------------------ */

/* A page of the sets that a user may see (their own; those whose connection is
 * shared), the newest first; or one of them. */
struct file_set_page {
    struct store *store;
    struct str user_id;
    struct str set_id; /* not empty: only this one */
    bool all;          /* the user is an admin */
    int page, page_size;
    /* Out: rows for file_set_write, in the flow's keep, and their total */
    struct query *query;
    int64_t total;
    struct str owner_id; /* of the first one */
};
struct next file_set_page_begin(struct flow *f);
/* Writes the members of a set's object, in snake_case. */
void file_set_write(struct json_writer *w, const struct query *q, int row);

/* The files of a set, in order; kept. */
struct stored_file {
    struct str id, name, format, sha256;
    int place;
    int64_t bytes, rows;
    struct str tables; /* JSON: an array as in docs/notes/2026-11-23-files.md */
};
struct file_list {
    struct store *store;
    struct str set_id;
    /* Out */
    struct stored_file *files;
    size_t n;
    struct query *query;
};
struct next file_list_begin(struct flow *f);

/* A whole file with these bytes, of any set. */
struct file_find {
    struct store *store;
    struct str sha256;
    /* Out; kept */
    bool found;
    struct str id;
    int64_t bytes;
    struct query *query;
};
struct next file_find_begin(struct flow *f);

/* Reads at most FILE_PIECE_BYTES of a file from an offset that is a multiple of
 * them. */
struct file_piece {
    struct store *store;
    struct str file_id;
    int64_t offset;
    char *to;
    size_t len; /* out; 0: the file ends before, or is gone */
    struct query *query;
};
struct next file_piece_begin(struct flow *f);

/* ---- removal ------------------------------------------------------------ */

/* Shows a set again, with what was hidden with it, that was hidden (removal.h)
 * less than a minute ago. */
struct file_set_restore {
    struct store *store;
    struct str user_id, set_id, request_id;
    bool all;   /* the user is an admin */
    bool found; /* out */
    struct query *query;
};
struct next file_set_restore_begin(struct flow *f);

/* Deletes a few sets that have been hidden for a minute and whose runs have
 * ended, or whose upload has lost its process; fails those whose preparation
 * has. */
struct file_set_sweep {
    struct store *store;
    bool more; /* out: there is more to delete */
    struct query *query;
};
struct next file_set_sweep_begin(struct flow *f);
