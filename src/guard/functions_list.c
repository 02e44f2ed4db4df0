/* functions_list.c - lists the allowed functions; see guard/functions.h. */
#include "guard/functions.h"
#include "base/banned.h"

/* A group has no growth, and a function is shown with its group. */
static const struct {
    const char *name;
    bool group, shown;
} lines[] = {
#define GROUP(name, shown) {name, true, shown},
#define FUNCTION(name, growth) {#name, false, false},
#include "functions.def"
#undef FUNCTION
#undef GROUP
};

const char *const guard_function_names[] = {
#define GROUP(name, shown)
#define FUNCTION(name, growth) #name,
#include "functions.def"
#undef FUNCTION
#undef GROUP
    NULL};

enum { LINES = sizeof lines / sizeof *lines };

static void put_group(struct buf *out, size_t at)
{
    buf_text(out, out->len ? "\n- " : "- ");
    buf_text(out, lines[at].name);
    buf_char(out, ':');
    for (size_t i = at + 1; i < LINES && !lines[i].group; i++) {
        buf_text(out, i > at + 1 ? ", " : " ");
        buf_text(out, lines[i].name);
    }
}

void guard_functions_put(struct buf *out)
{
    size_t others = 0;
    for (size_t i = 0; i < LINES; i++)
        if (lines[i].group && lines[i].shown)
            put_group(out, i);
    for (size_t i = 0; i < LINES; i++)
        if (lines[i].group && !lines[i].shown) {
            buf_text(out, others++ ? ", " : "\n- also those for ");
            buf_text(out, lines[i].name);
        }
}
