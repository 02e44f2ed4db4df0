/* inherited.h - the listening sockets that the supervisor hands to a child: its
 * descriptors from 3 on. Their number is a word of its command line. */
#pragma once
#include "supervisor/listener.h"

struct inherited {
    int fds[LISTENER_MOST];
    int n;
    int next; /* the first descriptor after them */
};

/* Reads the number; NULL means none. False when it is no number of sockets. */
bool inherited_read(const char *count, struct inherited *out);
