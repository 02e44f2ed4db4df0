/* say.h - prints text that others wrote: names, a database's messages, a
 * model's words. It cannot move the cursor, set the window's title or hide a
 * line (utf8_put_plain). Our own control sequences do not go through here. */
#pragma once
#include "base/str.h"
#include <stdio.h>

/* Prints a text. */
void say_text(FILE *to, struct str text);
/* The same for a format and its arguments. */
void say(FILE *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
