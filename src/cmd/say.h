/* say.h - prints what others have written: names, messages of a database, the
 * words of a model. Nothing in it moves the cursor, names the window or hides a
 * line (utf8_put_plain). Our own control sequences are printed past this. */
#pragma once
#include "base/str.h"
#include <stdio.h>

void say_text(FILE *to, struct str text);
void say(FILE *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
