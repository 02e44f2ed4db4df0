/* options.h - a command's line: its own options, settings, and the rest.
 *
 * "--name value", "--name=value", "--name" for switches; "--" ends options. What
 * is no option of the command is taken as a setting (config.h) and checked
 * there. */
#pragma once
#include "base/log.h"
#include "config/config.h"

struct option {
    const char *name;   /* "json", without the dashes; NULL ends a list */
    bool *on;           /* a switch */
    const char **value; /* or one that takes a value */
};

struct words { /* what is neither */
    const char *const *items;
    int n;
};

/* Reads argv[1] on. False, with a line on standard error, when it is wrong.
 * *config is read from flags, environment and file; problems go to standard
 * error too. `own` may be NULL. */
bool options_read(struct arena *arena, int argc, char **argv,
                  const struct option *own, struct words *words,
                  struct config *config);

/* The settings of a line that was read before, read anew: flags stay, files may
 * have changed. What is wrong goes to *problems, a line each, and nothing to
 * standard error. */
bool options_read_again(struct arena *arena, int argc, char **argv,
                        const struct option *own, struct config *config,
                        struct buf *problems, struct buf *warnings);

/* "info" as a level. */
enum log_level options_log_level(const char *word);

enum {
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_WRONG_USE = 2,
    EXIT_NO_ANSWER = 3, /* of `ask`, which itself did not fail */
    EXIT_TRY_LATER = 75,
};
