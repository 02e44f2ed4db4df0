/* http_cases.h - valid and invalid HTTP requests, for tests of the parser alone
 * and over a socket. */
#pragma once
#include "base/str.h"

struct http_bad_case {
    const char *what;
    struct str bytes;
    int status; /* of the only response */
};
extern const struct http_bad_case bad_cases[];
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
