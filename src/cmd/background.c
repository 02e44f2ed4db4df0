/* background.c - a server without a terminal: `sextant serve --background`
 * waits until it is up, `sextant stop` until it has ended. Its output goes to
 * $SEXTANT_HOME/log/server.log. */
#include "base/clock.h"
#include "base/password.h"
#include "config/home.h"
#include "config/options.h"
#include "config/places.h"
#include "first_admin.h"
#include "help.h"
#include "programs.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    UP_MS = 120000,
    GONE_MS = 60000,
    LOOK_MS = 50,
    LOG_TAIL = 2000,
    LOG_HEAD = 65536,
};

static void sleep_briefly(void)
{
    const struct timespec t = {.tv_nsec = LOOK_MS * 1000000L};
    nanosleep(&t, NULL);
}

static int print_problem(struct str why)
{
    fprintf(stderr, "sextant: %.*s\n", STR_ARG(why));
    return EXIT_FAILED;
}

/* ---- starting ------------------------------------------------------------ */

static pid_t start_server(const struct home *h, char **words)
{
    const char *path = arena_printf(h->arena, "%s/log/server.log", h->path).ptr;
    const char *program = places_program(h->arena, "sextant-supervisor");
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (!program || log < 0 || nothing < 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        dup2(nothing, 0);
        dup2(log, 1);
        dup2(log, 2);
        execv(program, words);
        _exit(127);
    }
    close(log);
    close(nothing);
    return child;
}

/* Prints the end of what this start has written to the log. */
static void print_log_end(const struct home *h, off_t from)
{
    char text[LOG_TAIL];
    const char *path = arena_printf(h->arena, "%s/log/server.log", h->path).ptr;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
    ssize_t got = fd < 0
                      ? -1
                      : pread(fd, text, sizeof text,
                              size - from > LOG_TAIL ? size - LOG_TAIL : from);
    if (fd >= 0)
        close(fd);
    if (got > 0)
        fwrite(text, 1, (size_t)got, stderr);
    fprintf(stderr,
            "sextant: the server did not start; the above is the end of %s\n",
            path);
}

/* Prints the first admin's password, which the log has only once. */
static void print_first_admin(const struct home *h, off_t from)
{
    char text[LOG_HEAD + 1];
    const char *path = arena_printf(h->arena, "%s/log/server.log", h->path).ptr;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : pread(fd, text, LOG_HEAD, from);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    const char *line = strstr(text, FIRST_ADMIN_SAYS);
    if (line)
        printf("%.*s\n", (int)strcspn(line, "\"\n"), line);
    password_wipe(text, sizeof text);
}

static off_t log_size(const struct home *h)
{
    struct stat s;
    const char *path = arena_printf(h->arena, "%s/log/server.log", h->path).ptr;
    return stat(path, &s) == 0 ? s.st_size : 0;
}

static int wait_until_up(const struct home *h, pid_t child, off_t log_from)
{
    uint64_t since = clock_ms();
    struct home_server s;
    while (clock_ms() - since < UP_MS) {
        if (home_read_server(h, &s) && s.pid == child && s.url) {
            printf("Sextant is up: %s\n", s.url);
            print_first_admin(h, log_from);
            return EXIT_OK;
        }
        if (waitpid(child, NULL, WNOHANG) == child)
            break;
        sleep_briefly();
    }
    print_log_end(h, log_from);
    kill(child, SIGTERM);
    return EXIT_FAILED;
}

int background_serve(struct arena *arena, const struct config *c, char **words)
{
    struct home home;
    struct home_server s;
    struct str why;
    if (!home_open(arena, c->home, &home, &why))
        return print_problem(why);
    int lock = home_lock(&home, &why);
    if (lock == -2)
        return print_problem(why);
    if (lock == -1 && home_read_server(&home, &s) && s.serves && s.url) {
        printf("Sextant is up: %s\n", s.url);
        return EXIT_OK;
    }
    if (lock >= 0)
        close(lock); /* the server takes the lock */
    off_t log_from = log_size(&home);
    pid_t child = start_server(&home, words);
    if (child < 0)
        return print_problem(str_of(strerror(errno)));
    return wait_until_up(&home, child, log_from);
}

/* ---- stopping ------------------------------------------------------------ */

static int wait_until_gone(const struct home *h)
{
    uint64_t since = clock_ms();
    struct str why;
    while (clock_ms() - since < GONE_MS) {
        int lock = home_lock(h, &why);
        if (lock >= 0) {
            close(lock);
            printf("Sextant is down.\n");
            return EXIT_OK;
        }
        sleep_briefly();
    }
    return print_problem(STR("the server is still shutting down; see its log"));
}

static int stop_server(struct arena *arena, const struct config *c)
{
    struct home home;
    struct home_server s;
    struct str why;
    if (!home_open(arena, c->home, &home, &why))
        return print_problem(why);
    int lock = home_lock(&home, &why);
    if (lock >= 0) {
        close(lock);
        printf("Sextant is not running.\n");
        return EXIT_OK;
    }
    if (lock == -2)
        return print_problem(why);
    if (!home_read_server(&home, &s) || !s.serves || kill(s.pid, SIGTERM) != 0)
        return print_problem(
            STR("another sextant command is running; it will end by itself"));
    return wait_until_gone(&home);
}

int cmd_stop(int argc, char **argv)
{
    struct arena arena;
    struct arguments args;
    struct config config;
    int status = EXIT_USAGE;
    arena_init(&arena, 0);
    if (options_read(&arena, argc, argv, NULL, &args, &config))
        status =
            args.n ? usage_error("stop", NULL) : stop_server(&arena, &config);
    arena_done(&arena);
    return status;
}
