/* main.c - the program `sextant`: finds the command and runs it. */
#include "cmd/guard.h"
#include "cmd/options.h"
#include "cmd/places.h"
#include "cmd/suggest.h"
#include "programs.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

static int cmd_serve_elsewhere(int argc, char **argv);

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about; /* NULL: not for people */
    const char *help;
} commands[] = {
    {"serve", cmd_serve_elsewhere, "run the server",
     "usage: sextant serve [--check | --background] [settings]\n\n"
     "Runs the server until SIGTERM or Ctrl-C: PostgreSQL and the Python "
     "sandbox where no\naddress of one is set (DATABASE_URL, SANDBOX_URL), and "
     "the workers.\n\n"
     "  --check        say whether the settings are good, and end\n"
     "  --background   leave it running, and end when it is up; `sextant "
     "stop` ends it\n\n"
     "Signals: SIGTERM and SIGINT end it (running questions get DRAIN_MS; a "
     "second signal\nends at once); SIGUSR1 logs what is being worked on; "
     "SIGHUP reads the settings anew\n(new workers take over, the old ones "
     "end as with SIGTERM; bad settings change nothing).\n"},
    {"ask", cmd_ask, "ask a question and see the answer",
     "usage: sextant ask \"QUESTION\" [--ontology NAME] [--chat ID] "
     "[--charts FOLDER] [--json]\n\n"
     "  --ontology NAME   what to ask about; the latest one if not given\n"
     "  --chat ID         go on in a chat, so that \"and by month?\" is "
     "understood\n"
     "  --charts FOLDER   where charts are saved (here)\n"
     "  --json            print the last event as JSON\n\n"
     "Exit status: 0 answered, 1 failed, 2 wrong use.\n"},
    {"eval", cmd_eval, "judge answers by a set of questions",
     "usage: sextant eval SET [--provider ID | --gold] [--ontology NAME] "
     "[--only ID|CATEGORY]\n"
     "           [--report FILE] [--json] [--threshold PERCENT] "
     "[--parallel N]\n\n"
     "SET is a file of questions with their right queries (YAML or CSV, see "
     "docs/eval.md).\n\n"
     "  --provider ID        the model that answers (the default one)\n"
     "  --gold               the set's own queries answer: it judges the "
     "machine alone\n"
     "  --ontology NAME      what to ask about, if not what the set names\n"
     "  --only ID|CATEGORY   one question, or those of a category\n"
     "  --report FILE        a page of all questions (.html), or JSON "
     "(.json)\n"
     "  --json               JSON on standard output instead of a table\n"
     "  --threshold PERCENT  how many must be right (0; with --gold 100)\n"
     "  --parallel N         questions at a time (4)\n\n"
     "Exit status: 0 enough are right, 1 too few or failed, 2 wrong use.\n"},
    {"connection", cmd_connection, "databases to ask about",
     "usage: sextant connection add NAME postgresql://user:password@host:5432/"
     "database\n"
     "           [--private] [--owner EMAIL] [--allow-superuser]\n"
     "       sextant connection list\n"
     "       sextant connection remove NAME\n"
     "       sextant connection reseal\n"
     "       sextant connection role NAME [DATABASE [SCHEMA …]]\n\n"
     "A connection is tested before it is kept. It is shared with all users "
     "unless it is\n--private or has an --owner.\n\n"
     "  reseal   seals with CREDENTIALS_KEY what CREDENTIALS_KEY_PREVIOUS had "
     "sealed\n"
     "  role     prints SQL that makes a role which may read those schemas and "
     "nothing\n           else (public if none is named)\n"},
    {"import", cmd_import, "make an ontology of a semantic model",
     "usage: sextant import FILE --connection NAME [--name NAME] [--private] "
     "[--owner EMAIL]\n"
     "       sextant import FILE --check\n\n"
     "FILE is an OSI model (YAML or JSON). What is wrong in it is told with "
     "line and column;\nthe ontology's id goes to standard output. It is "
     "shared with all users unless it is\n--private or has an --owner.\n"},
    {"probe-yaml", cmd_probe_yaml, "read a semantic model in a process of its own",
     "usage: sextant probe-yaml [--yaml] < FILE\n\n"
     "Reads an OSI model as the server reads what users send: within limits of "
     "memory, time\nand output. Prints JSON: what was found, and the model if "
     "there was no error; with --yaml\nalso its text as block YAML.\n"},
    {"token", cmd_token, "an access token for a user",
     "usage: sextant token --user EMAIL --role viewer|contributor|admin "
     "[--days N]\n\n"
     "Makes the user if absent, gives it that role, and prints a token that "
     "is good for\nN days (30).\n"},
    {"user", cmd_user, "accounts that may sign in",
     "usage: sextant user add EMAIL [--role viewer|contributor|admin] "
     "[--name NAME]\n"
     "                        [--password-stdin]\n"
     "       sextant user list\n"
     "       sextant user passwd EMAIL [--password-stdin]\n"
     "       sextant user disable|enable EMAIL\n\n"
     "Passwords are asked for at the terminal, or are the first line of "
     "standard input.\nA new user is a viewer unless --role says more. A "
     "disabled user's streams close and his\nquestions are cancelled within "
     "seconds. The first admin is made by `serve`.\n"},
    {"migrate", cmd_migrate, "bring the database up to date",
     "usage: sextant migrate up|status\n\n"
     "`serve` does it by itself; this is for a DATABASE_URL that is upgraded "
     "by hand.\n"},
    {"guard", cmd_guard, "judge a query without a database",
     "usage: sextant guard [--relations a,b] \"select …\"\n"
     "       sextant guard --jsonl [--relations a,b] < lines\n"},
    {"openapi", cmd_openapi, "the description of the API",
     "usage: sextant openapi [--markdown]\n\n"
     "Prints the OpenAPI 3.1 document of this program's API, or with "
     "--markdown the page that\npeople read.\n"},
    {"config", cmd_config, "the settings in effect",
     "usage: sextant config [--json | --markdown] [settings]\n\n"
     "Prints every setting with where its value comes from; secrets are "
     "hidden. A flag wins\nover the environment, that over the file, that over "
     "the default. --markdown prints\nwhat each setting means.\n"},
    {"demo", cmd_demo, "load the demo data",
     "usage: sextant demo load\n\n"
     "A retail business with 200,000 order lines, in a database of its own, "
     "and its model.\n"},
    {"health", cmd_health, "ask a server how it is",
     "usage: sextant health [--live]\n\n"
     "Asks the server of SEXTANT_HOME, or of HOST and PORT, whether it can answer "
     "questions;\nwith --live whether its process is up. Exit status: 0 yes, 1 "
     "no.\n"},
    {"backup", cmd_backup, "save the database and the keys",
     "usage: sextant backup FOLDER\n\n"
     "Saves Sextant's own database (pg_dump) and the keys of SEXTANT_HOME into "
     "a new folder,\nwhile a server runs or not. It holds secrets. The "
     "databases that are asked about are\nnot in it, nor the demo's data.\n"},
    {"restore", cmd_restore, "bring a backup back",
     "usage: sextant restore FOLDER [--force]\n\n"
     "Into a server that has nothing yet, while it does not run. An older "
     "backup is brought\nup to date. With --force what is there is "
     "dropped.\n"},
    {"stop", cmd_stop, "end a server in the background",
     "usage: sextant stop\n\n"
     "Ends the server of SEXTANT_HOME as SIGTERM does, and waits until it is "
     "gone.\n"},
    {"worker", cmd_worker, NULL, NULL},
    {"prepare", cmd_prepare, NULL, NULL},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int serve_in_background(struct arena *arena, int argc, char **argv,
                               char **words)
{
    bool background = false, check = false;
    const struct option own[] = {{"background", &background, NULL},
                                 {"check", &check, NULL}, {0}};
    struct words rest;
    struct config config;
    int status = EXIT_WRONG_USE;
    if (options_read(arena, argc, argv, own, &rest, &config))
        status = background_serve(arena, &config, words);
    arena_done(arena);
    return status;
}

/* The supervisor is a program of its own, to stay small. */
static int cmd_serve_elsewhere(int argc, char **argv)
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
    fprintf(stderr, "sextant: %s: %s\n", program ? program
                                                 : "sextant-supervisor",
            program ? strerror(errno) : "it is not beside this program");
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
    fprintf(out, "\n`sextant help COMMAND` says more. Settings are flags, "
                 "environment or a file;\n`sextant config` shows them.\n");
    return out == stdout ? EXIT_OK : EXIT_WRONG_USE;
}

static const struct command *find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    const char *known[COMMANDS];
    size_t n = 0;
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].about)
            known[n++] = commands[i].name;
    const char *near = suggest(str_of(name), known, n);
    fprintf(stderr, "sextant: unknown command %s%s%s%s\n", name,
            near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return EXIT_WRONG_USE;
}

static int help(int argc, char **argv)
{
    if (argc < 2)
        return print_help(stdout);
    const struct command *c = find(argv[1]);
    if (!c || !c->help)
        return unknown(argv[1]);
    fputs(c->help, stdout);
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
        return help(argc - 1, argv + 1);
    if (!strcmp(name, "--version") || !strcmp(name, "version")) {
        printf("sextant %s\n", SEXTANT_VERSION);
        return EXIT_OK;
    }
    const struct command *c = find(name);
    if (!c)
        return unknown(name);
    if (c->help && asks_for_help(argc - 1, argv + 1)) {
        fputs(c->help, stdout);
        return EXIT_OK;
    }
    return c->run(argc - 1, argv + 1);
}
