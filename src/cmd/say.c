/* say.c - printf for text from elsewhere. */
#include "say.h"
#include "base/utf8.h"
#include <stdarg.h>
#include "base/banned.h"

void say_text(FILE *to, struct str text)
{
    struct buf plain;
    buf_init(&plain, NULL);
    utf8_put_plain(&plain, text);
    fwrite(plain.ptr, 1, plain.len, to);
    buf_done(&plain);
}

void say(FILE *to, const char *format, ...)
{
    struct buf text;
    va_list args;
    buf_init(&text, NULL);
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    say_text(to, buf_view(&text));
    buf_done(&text);
}
