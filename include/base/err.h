/* err.h - the errors of the whole program, listed in errors.def. */
#pragma once

enum err {
    OK = 0,
#define ERROR(name, status, code, sentence) ERR_##name,
#include "base/errors.def"
#undef ERROR
    ERR_COUNT
};

const char *err_name(enum err e);     /* "ERR_TIMEOUT", for logs */
const char *err_code(enum err e);     /* "TIMEOUT", for JSON */
const char *err_sentence(enum err e); /* for users */
int err_status(enum err e);           /* HTTP status */
