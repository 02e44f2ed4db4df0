/* help.h - what is said of a command, and to whoever uses it wrongly. */
#pragma once

const char *help_of(const char *command); /* NULL: no such one */

/* Says on standard error what is wrong (NULL: nothing that has a name) and how
 * the command is used; answers EXIT_WRONG_USE. */
int wrong_use(const char *command, const char *wrong);
