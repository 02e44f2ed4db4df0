/* syntax.h - why did the parser refuse a text? */
#pragma once
#include "base/str.h"

struct syntax_fault {
    const char *code;   /* syntax, newer_syntax or too_deep */
    const char *reason; /* a whole sentence, or NULL: the parser's message */
};

/* `message` is the parser's, `at` the byte offset that it complains about. */
struct syntax_fault syntax_judge(struct str sql, struct str message, size_t at);
