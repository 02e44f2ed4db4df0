/* programs.h - the commands, one function each. argv[0] is the command's name;
 * they return the exit status (options.h). */
#pragma once

#define COMMAND(name, function, summary, help) \
    int function(int argc, char **argv);
#include "commands.def"
#undef COMMAND
/* Started by the supervisor and not listed in the help. */
int cmd_worker(int argc, char **argv);
int cmd_prepare(int argc, char **argv);

/* Starts the supervisor with the command line `words` in the background.
 * Returns when the server is up; 0 at once if one is running already. */
struct arena;
struct config;
int background_serve(struct arena *arena, const struct config *c, char **words);
