/* syscalls.h - what a process may ask the kernel for from now on. */
#pragma once
#include <stdbool.h>

/* Reading and writing what is open, memory, time, and its own end: no files, no
 * sockets, no processes (EPERM). For a process without privileges to gain
 * (PR_SET_NO_NEW_PRIVS) and with one thread. False: the kernel has no filters. */
bool syscalls_of_a_reader(void);
