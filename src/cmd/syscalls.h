/* syscalls.h - restricts the system calls of this process. */
#pragma once
#include <stdbool.h>

/* From now on the process may only read and write open files, use memory and
 * clocks, and exit: no opening of files, no sockets, no processes (EPERM). It
 * must have PR_SET_NO_NEW_PRIVS and a single thread. Returns false if the
 * kernel has no filters. */
bool syscalls_of_a_reader(void);
