/* consoles.h - the cases of consoles.c: a request, what its source and the database
 * say, and how it is answered. */
#pragma once
#include "fake_db.h"
#include "fake_http.h"
#include <stdbool.h>

#define ID "11111111-1111-4111-8111-111111111111"
#define CHAT "22222222-2222-4222-8222-222222222222"
#define SET "55555555-5555-4555-8555-555555555555"
#define GOOD_SQL \
    "select c.city, count(*) as orders, 1.5 as revenue from " \
    "public.customers c group by c.city"

enum { CONSOLE_ROWS = 4 };
enum console_source { OVER_POSTGRES, OVER_FILES, OVER_TRINO };

/* A part of an exploration's stream; it can be read from one look at the table
 * to another. */
struct console_part {
    int number;
    bool is_last;
    unsigned from_look, to_look; /* the first look is 1 */
    const char *frames;
};

struct console_case {
    const char *name, *method, *path, *body;
    enum console_source source;
    bool leaves; /* the client leaves in the middle, and nothing else */
    int status;
    const char *sends; /* in the header lines or the body */
    int failed;     /* the status when its source fails; 0: none of its own */
    bool notes;     /* it is noted in the history */
    unsigned cards; /* each has an outcome; the last one is refused */
    const struct console_part *parts;   /* end in NULL frames; or NULL */
    const struct fake_exchange *script; /* of files and Trino; or NULL */
    const struct fake_rows *(*on_read)(struct str sql);
    struct fake_rows rows[CONSOLE_ROWS]; /* beyond those that all have */
};

extern const struct console_case console_cases[]; /* end in a NULL name */
