/* multipart.h - reads multipart/form-data (RFC 7578) in pieces of any size.
 * Pure; takes a fixed amount of memory, whatever it reads.
 *
 *   part    one field of the form: its head, then its bytes
 *
 * The reader takes what browsers and command-line tools write: names with
 * quotes, backslashes or %22 in them. It refuses what two readers could
 * understand differently: a head or a parameter given twice, a folded line, a
 * transfer encoding, a name without a field. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

enum {
    MULTIPART_BOUNDARY_MOST = 70,
    MULTIPART_HEAD_BYTES = 4096, /* the head of one part */
    MULTIPART_NAME_BYTES = 1024, /* of a field's or a file's name */
};

enum multipart_event {
    MULTIPART_MORE, /* all bytes were consumed */
    MULTIPART_PART, /* a part begins: see the part */
    MULTIPART_DATA, /* bytes of it: see data */
    MULTIPART_PART_END,
    MULTIPART_END, /* the form is complete; what follows is ignored */
    MULTIPART_BAD, /* see why; nothing more is read */
};

struct multipart_part {
    struct str name;
    struct str filename; /* as sent; only if it has one */
    bool has_filename;
};

struct multipart {
    struct multipart_part part; /* slices of `names` */
    struct str data; /* valid until the next feed, or change of the input */
    const char *why; /* a sentence, static text */

    /* private */
    unsigned at;                                 /* enum multipart_state */
    char delimiter[MULTIPART_BOUNDARY_MOST + 8]; /* CR LF - - boundary */
    size_t delimiter_len;
    size_t matched; /* bytes of the delimiter that have been seen */
    size_t padding; /* bytes between a delimiter and its line's end */
    bool in_part;
    char head[MULTIPART_HEAD_BYTES];
    size_t head_len;
    char names[2 * MULTIPART_NAME_BYTES];
};

/* Begins with the value of Content-Type. False: it is not multipart/form-data
 * with a boundary. */
bool multipart_init(struct multipart *m, struct str content_type);
/* Consumes bytes from the front of *bytes up to the next event. */
enum multipart_event multipart_feed(struct multipart *m, struct str *bytes);
