/* inherited.h - the listening sockets that the supervisor passes to a child:
 * its descriptors from 3 on. Their number is an argument of its command
 * line. */
#pragma once
#include "supervisor/listener.h"

struct inherited {
    int fds[LISTENER_MOST];
    int n;
    int next; /* the first descriptor after them */
};

/* Reads the number; NULL means none. Returns false when it is not a valid
 * number of sockets. */
bool inherited_read(const char *count, struct inherited *out);
