/* inherited.c - reads the number of inherited sockets. */
#include "inherited.h"
#include "base/banned.h"

enum { FIRST = 3 };

bool inherited_read(const char *count, struct inherited *out)
{
    int64_t n = 0;
    *out = (struct inherited){.next = FIRST};
    if (count &&
        (!str_to_int64(str_of(count), &n) || n < 0 || n > LISTENER_MOST))
        return false;
    while (out->n < n)
        out->fds[out->n++] = out->next++;
    return true;
}
