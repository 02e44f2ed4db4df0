/* err.h - one list of errors for the whole program (errors.def). */
#pragma once
#include <stdbool.h>

enum err {
    OK = 0,
#define ERROR(name, status, retryable, code, sentence) ERR_##name,
#include "base/errors.def"
#undef ERROR
    ERR_COUNT
};

const char *err_name(enum err e);     /* "ERR_TIMEOUT", for logs */
const char *err_code(enum err e);     /* "TIMEOUT", for JSON */
const char *err_sentence(enum err e); /* for a person */
int err_status(enum err e);           /* HTTP */
bool err_retryable(enum err e);
