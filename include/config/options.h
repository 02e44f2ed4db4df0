/* options.h - a command line: the command's own options, settings, arguments.
 *
 * "--name value", "--name=value", "--name" for switches; "--" ends the options.
 * An option that the command does not have is looked up among the settings
 * (config.h) and checked there. */
#pragma once
#include "base/log.h"
#include "config/config.h"

struct option {
    const char *name;   /* "json", without the dashes; NULL ends a list */
    bool *on;           /* a switch */
    const char **value; /* or an option with a value */
};

struct arguments { /* the arguments */
    const char *const *items;
    int n;
};

/* Reads argv from index 1 on. Returns false, after printing a line to standard
 * error, if it is wrong. *config is read from flags, environment and file, and
 * its problems are printed too. `own` may be NULL. */
bool options_read(struct arena *arena, int argc, char **argv,
                  const struct option *own, struct arguments *args,
                  struct config *config);

/* Reads the settings of the same command line again: flags are the same, files
 * may have changed. Problems go to *problems, a line each; nothing is
 * printed. */
bool options_read_again(struct arena *arena, int argc, char **argv,
                        const struct option *own, struct config *config,
                        struct buf *problems, struct buf *warnings);

/* The level for a word such as "info". */
enum log_level options_log_level(const char *word);

enum {
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_NO_ANSWER = 3, /* from `ask`: no failure, but no data either */
    EXIT_TRY_LATER = 75,
};
