/* help.c - the help texts of commands.def. */
#include "help.h"
#include "config/options.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static const struct {
    const char *name, *help;
} texts[] = {
#define COMMAND(name, run, about, help) {name, help},
#include "commands.def"
#undef COMMAND
};

const char *help_of(const char *command)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(texts[i].name, command))
            return texts[i].help;
    return NULL;
}

int usage_error(const char *command, const char *wrong)
{
    const char *help = help_of(command);
    const char *end = strstr(help, "\n\n");
    if (wrong)
        fprintf(stderr, "sextant %s: %s\n", command, wrong);
    fprintf(stderr, "%.*s\n",
            (int)(end ? (size_t)(end - help) : strlen(help) - 1), help);
    return EXIT_USAGE;
}
