/* main.c - the program `sextant`: finds the command and runs it. */
#include "cmd/guard.h"
#include "config/options.h"
#include "config/places.h"
#include "config/suggest.h"
#include "help.h"
#include "programs.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

static const struct cli_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about; /* NULL: hidden */
} commands[] = {
#define COMMAND(name, run, about, print_command_help) {name, run, about},
#include "commands.def"
#undef COMMAND
    {"worker", cmd_worker, NULL},
    {"prepare", cmd_prepare, NULL},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int serve_in_background(struct arena *arena, int argc, char **argv,
                               char **words)
{
    bool background = false, check = false;
    const struct option own[] = {
        {"background", &background, NULL}, {"check", &check, NULL}, {0}};
    struct arguments rest;
    struct config config;
    int status = EXIT_USAGE;
    if (options_read(arena, argc, argv, own, &rest, &config))
        status = background_serve(arena, &config, words);
    arena_done(arena);
    return status;
}

/* The supervisor is a separate program, to stay small. */
int exec_supervisor(int argc, char **argv)
{
    struct arena arena;
    bool background = false;
    size_t n = 0;
    arena_init(&arena, 0);
    const char *program = places_program(&arena, "sextant-supervisor");
    char **words = arena_new_array(&arena, char *, (size_t)argc + 2);
    words[n++] = "sextant-supervisor";
    for (int i = 0; i < argc; i++) {
        bool asks = !strcmp(argv[i], "--background");
        background = background || asks;
        if (!asks)
            words[n++] = argv[i];
    }
    if (background)
        return serve_in_background(&arena, argc, argv, words);
    if (program)
        execv(program, words);
    fprintf(stderr, "sextant: %s: %s\n",
            program ? program : "sextant-supervisor",
            program ? strerror(errno) : "it is not next to this program");
    arena_done(&arena);
    return EXIT_FAILED;
}

static int print_help(FILE *out)
{
    fprintf(out, "Sextant answers questions about data and shows its work.\n\n"
                 "usage: sextant COMMAND …\n\n");
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].about)
            fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].about);
    fprintf(
        out,
        "\n`sextant help COMMAND` explains a command. Settings come from "
        "flags, the environment\nor a file; `sextant config` prints them.\n");
    return out == stdout ? EXIT_OK : EXIT_USAGE;
}

static const struct cli_command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *known[COMMANDS];
    size_t n = 0;
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].about)
            known[n++] = commands[i].name;
    const char *near = suggest(str_of(name), known, n);
    fprintf(stderr, "sextant: unknown command %s%s%s%s\n", name,
            near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    fprintf(stderr, "`sextant help` lists the commands\n");
    return EXIT_USAGE;
}

static int print_command_help(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return print_help(stdout);
    const char *text = help_of(argv[1]);
    if (!text)
        return unknown_command(argv[1]);
    fputs(text, stdout);
    return EXIT_OK;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name)
        return print_help(stderr);
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        return print_help(stdout);
    if (!strcmp(name, "help"))
        return print_command_help(argc - 1, argv + 1);
    if (!strcmp(name, "--version") || !strcmp(name, "version")) {
        printf("sextant %s\n", SEXTANT_VERSION);
        return EXIT_OK;
    }
    const struct cli_command *c = find_command(name);
    if (!c)
        return unknown_command(name);
    if (c->about && asks_for_help(argc - 1, argv + 1))
        return print_command_help(2, argv);
    return c->run(argc - 1, argv + 1);
}
