/* syntax.h - why did the parser refuse a text? */
#pragma once
#include "base/str.h"

struct syntax_fault {
    const char *code;   /* syntax, newer_syntax or too_deep */
    const char *reason; /* a whole sentence, or NULL: the parser's message */
};

/* Judges a refused text. `message` is the parser's sentence, `at` the byte
 * offset that it points to. */
struct syntax_fault syntax_judge(struct str sql, struct str message, size_t at);
