/* http_cases.h - byte strings that are, or are not, HTTP requests; used on the
 * parser alone and over a socket. */
#pragma once
#include "base/str.h"

struct bad_case {
    const char *what;
    struct str bytes;
    int status; /* of the one answer */
};
extern const struct bad_case bad_cases[];
extern const size_t n_bad_cases;

struct good_case {
    const char *what;
    struct str bytes; /* one whole request */
    const char *method, *path, *query;
    struct str body;
    bool keep_alive;
};
extern const struct good_case good_cases[];
extern const size_t n_good_cases;
