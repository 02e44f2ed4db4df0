/* Whatever a figure is, what comes through of it is JSON, says nothing of a
 * script, and a short one comes through again as it is. */
#include "base/json.h"
#include "scientist/plotly.h"
#include <stdlib.h>

enum { SHORT = 2000 }; /* no text of it is cut, however much longer it gets */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *why;
    struct arena arena;
    arena_init(&arena, 0);
    struct str given = {(const char *)data, size};
    struct str once = plotly_read(&arena, given, &why);
    if (!why) {
        json_t *v = json_read(once, NULL);
        if (!v || str_find_nocase(once, STR("<script")) >= 0 ||
            str_find_nocase(once, STR("javascript:")) >= 0)
            abort();
        json_decref(v);
        struct str again = plotly_read(&arena, once, &why);
        if (size < SHORT && (why || !str_eq(once, again)))
            abort();
    }
    arena_done(&arena);
    return 0;
}
