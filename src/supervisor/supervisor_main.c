/* supervisor_main.c - the program sextant-supervisor, which `sextant`
 * starts. */
#include "supervisor/launch.h"
#include "config/options.h"
#include "supervisor/supervisor.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

int main(int argc, char **argv)
{
    static const struct supervisor_command {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {
        {"serve", cmd_serve}, {"cluster", cmd_cluster}, {"launch", cmd_launch}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (argc > 1 && !strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr,
            "sextant-supervisor is for internal use; run `sextant serve`\n");
    return EXIT_USAGE;
}
