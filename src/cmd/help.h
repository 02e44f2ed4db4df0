/* help.h - the help of a command, and the answer to wrong usage. */
#pragma once

const char *help_of(const char *command); /* NULL: no such command */

/* Prints what is wrong (if not NULL) and the usage of the command to standard
 * error. Returns EXIT_USAGE. */
int usage_error(const char *command, const char *wrong);
