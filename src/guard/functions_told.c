/* functions_told.c - lists the allowed functions; see guard/functions.h. */
#include "guard/functions.h"
#include "base/banned.h"

/* A group has no growth, and a function is told with its group. */
static const struct {
    const char *name;
    bool group, told;
} lines[] = {
#define GROUP(name, told) {name, true, told},
#define FUNCTION(name, growth) {#name, false, false},
#include "functions.def"
#undef FUNCTION
#undef GROUP
};

enum { LINES = sizeof lines / sizeof *lines };

static void put_group(struct buf *out, size_t at)
{
    buf_printf(out, "%s- %s:", out->len ? "\n" : "", lines[at].name);
    for (size_t i = at + 1; i < LINES && !lines[i].group; i++)
        buf_printf(out, "%s %s", i > at + 1 ? "," : "", lines[i].name);
}

void guard_functions_put(struct buf *out)
{
    size_t others = 0;
    for (size_t i = 0; i < LINES; i++)
        if (lines[i].group && lines[i].told)
            put_group(out, i);
    for (size_t i = 0; i < LINES; i++)
        if (lines[i].group && !lines[i].told)
            buf_printf(out, "%s%s", others++ ? ", " : "\n- also those for ",
                       lines[i].name);
}
