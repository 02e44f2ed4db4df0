/* sandbox_files.h - gives the sandbox the files that it lacks.
 *
 * The sandbox holds files only as a cache. It answers 404 {missing: [sha256, …]}
 * to a request that names tables of others; then sandbox_supply sends those from
 * the system database, and the caller asks again. */
#pragma once
#include "net/http_client.h"
#include "store/file_sets.h"
#include "tool/tool.h"

/* Fills in address, method, token and the user's pseudonym of a call to the
 * sandbox, which is not `off`. `path` begins with a slash. Memory is the
 * frame's. */
void sandbox_call(struct flow *f, const struct sandbox *s, struct str user_id,
                  const char *method, struct str path, struct http_call *call);

/* Which files a 404 of the sandbox asks for: hashes that occur in `asked`, the
 * text of the request; the sandbox gets no other. The texts are the frame's. */
size_t sandbox_missing(struct flow *f, struct str reply, struct str asked,
                       struct str **sha256s);

/* Sends files to the sandbox, one after the other, in pieces that are read as
 * the sandbox takes them. */
struct sandbox_supply {
    struct store *store;
    const struct sandbox *sandbox;
    struct str user_id; /* for the sandbox's fair share; may be empty */
    const struct str *sha256s;
    size_t n;

    /* private */
    size_t at;
    struct file_find find;
    struct http_call http;
    struct child feeder;
    struct file_piece piece;
    struct wake needed; /* the piece has been sent */
    struct wait wait;
    size_t len, taken; /* of `bytes` */
    char *bytes;
};
/* Fails with ERR_NOT_FOUND when a file is not in the database any more, with
 * ERR_SANDBOX_UNAVAILABLE when the sandbox cannot be reached or does not take
 * it. */
struct next sandbox_supply_begin(struct flow *f);
