/* supervisor.c - the commands `serve` and `cluster`. First it checks everything
 * that can be wrong, then it runs the loop with the flow of supervisor_story.c
 * until a signal ends it. */
#include "supervisor/supervisor.h"
#include "base/log.h"
#include "base/mem.h"
#include "config/places.h"
#include "loop/loop.h"
#include "notify.h"
#include "supervisor.h"
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "base/banned.h"

enum { SIGNALS = 4 };
static const int heard[SIGNALS] = {SIGTERM, SIGINT, SIGUSR1, SIGHUP};

/* ---- signals ------------------------------------------------------------- */

static void request_stop(struct supervisor *s)
{
    if (++s->stops > 1)
        supervisor_hurry(s);
    else if (s->story)
        flow_cancel(s->story);
}

static void on_supervisor_signal(uv_signal_t *handle, int signal_number)
{
    struct supervisor *s = handle->data;
    if (signal_number == SIGUSR1)
        workers_signal(s, SIGUSR1);
    else if (signal_number == SIGHUP)
        supervisor_reload(s);
    else
        request_stop(s);
}

/* Blocks signals during the checks: the loop handles them, so that everything
 * already started ends in order. */
static void hold_signals(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < SIGNALS; i++)
        sigaddset(&set, heard[i]);
    sigprocmask(how, &set, NULL);
}

static void listen_to_signals(struct supervisor *s, uv_signal_t *handles)
{
    for (int i = 0; i < SIGNALS; i++) {
        uv_signal_init(loop_uv(), &handles[i]);
        handles[i].data = s;
        uv_signal_start(&handles[i], on_supervisor_signal, heard[i]);
        uv_unref((uv_handle_t *)&handles[i]);
    }
    hold_signals(SIG_UNBLOCK);
}

/* ---- checks before the start --------------------------------------------- */

static bool print_refusal(struct str why)
{
    fprintf(stderr, "sextant: %.*s\n", STR_ARG(why));
    return false;
}

static bool take_lock(struct supervisor *s)
{
    struct str why;
    struct home_server other;
    s->lock = home_lock(&s->home, &why);
    s->status = s->lock == -1 && s->only_cluster ? EXIT_TRY_LATER : EXIT_FAILED;
    if (s->lock >= 0)
        return home_write_server(
            &s->home,
            &(struct home_server){.pid = getpid(), .serves = !s->only_cluster});
    if (s->lock == -2)
        return print_refusal(why);
    if (home_read_server(&s->home, &other) && other.serves)
        return print_refusal(arena_printf(
            &s->arena,
            "a server (process %d) is already running in %s%s%s; stop it, or "
            "set another SEXTANT_HOME",
            (int)other.pid, s->home.path, other.url ? " at " : "",
            other.url ? other.url : ""));
    return print_refusal(arena_printf(
        &s->arena, "another sextant command is using %s; try again later",
        s->home.path));
}

static bool find_parts(struct supervisor *s)
{
    s->program = places_program(&s->arena, "sextant");
    if (!s->program)
        return print_refusal(
            STR("the program `sextant` is not next to sextant-supervisor"));
    if (!places_data(&s->arena, &s->config))
        return print_refusal(
            STR("the folder with sql/ was not found; set DATA_DIR"));
    return true;
}

static bool make_secrets(struct supervisor *s)
{
    uint8_t key[HOME_KEY_SIZE];
    struct str secret, why;
    if (!s->config.credentials_key && !home_key(&s->home, key, &why))
        return print_refusal(why);
    if (!s->config.jwt_secret && !s->config.jwt_public_key &&
        !s->config.jwt_jwks_url && !home_jwt_secret(&s->home, &secret, &why))
        return print_refusal(why);
    return true;
}

static bool open_listeners(struct supervisor *s, struct str *why)
{
    const struct config *c = &s->config;
    if (listeners_given())
        return listeners_inherit(&s->arena, &s->listeners, why);
    return listeners_open(&s->arena, c->host, (int)c->port, (int)c->workers,
                          &s->listeners, why);
}

static bool init_services(struct supervisor *s)
{
    const struct config *c = &s->config;
    struct str why;
    s->has_postgres = !c->database_url;
    s->has_sandbox = !c->sandbox_url;
    if (s->has_postgres &&
        !postgres_init(&s->arena, &s->postgres, c, &s->home, &why))
        return print_refusal(why);
    if (s->has_sandbox &&
        !sandbox_service_init(&s->arena, &s->sandbox, c, &s->home, &why)) {
        print_refusal(why);
        s->has_sandbox = false;
    }
    s->postgres.service.wake = s->sandbox.service.wake = &s->over;
    if (s->only_cluster)
        return true;
    return open_listeners(s, &why) || print_refusal(why);
}

/* ---- the command --------------------------------------------------------- */

static bool prepare_supervisor(struct supervisor *s)
{
    struct str why;
    if (!home_open(&s->arena, s->config.home, &s->home, &why))
        return print_refusal(why);
    if (!find_parts(s) || !take_lock(s) || !make_secrets(s) ||
        !init_services(s))
        return false;
    s->environment = server_environment(&s->arena, &s->config);
    return true;
}

static void run_supervisor(struct supervisor *s)
{
    static uv_signal_t handles[SIGNALS];
    loop_open();
    listen_to_signals(s, handles);
    notify_open();
    notify_starting();
    supervisor_start(s);
    loop_run();
    for (int i = 0; i < SIGNALS; i++)
        uv_close((uv_handle_t *)&handles[i], NULL);
    notify_close();
    loop_close();
}

static void supervisor_done(struct supervisor *s)
{
    if (s->lock >= 0)
        home_forget_server(&s->home);
    listeners_close(&s->listeners);
    postgres_done(&s->postgres);
    if (s->lock >= 0)
        close(s->lock);
    arena_done(&s->generations[0].arena);
    arena_done(&s->generations[1].arena);
    arena_done(&s->arena);
}

/* One thread in the pool and one heap, to stay small. */
static void keep_small(void)
{
    mallopt(M_ARENA_MAX, 1);
    setenv("UV_THREADPOOL_SIZE", "1", 1);
}

static int supervise(struct supervisor *s)
{
    keep_small();
    signal(SIGPIPE, SIG_IGN);
    hold_signals(SIG_BLOCK);
    log_level_set(options_log_level(s->config.log_level));
    log_program("supervisor");
    if (prepare_supervisor(s)) {
        s->status = EXIT_OK;
        run_supervisor(s);
    } else if (!s->status) {
        s->status = EXIT_FAILED;
    }
    supervisor_done(s);
    return s->status;
}

static struct supervisor the; /* static because it is large */

static void begin_with_nothing(void)
{
    the = (struct supervisor){.lock = -1, .figures = -1};
    the.postgres.data_fd = the.postgres.socket_fd = the.postgres.conf_fd = -1;
    arena_init(&the.arena, 0);
    arena_init(&the.generations[0].arena, 0);
    arena_init(&the.generations[1].arena, 0);
}

static bool check_settings(struct supervisor *s)
{
    struct postgres_programs programs;
    struct str why;
    if (!home_open(&s->arena, s->config.home, &s->home, &why) ||
        (!s->config.database_url &&
         !postgres_find(&s->arena, &s->config, s->home.postgres_data, &programs,
                        &why)))
        return print_refusal(why);
    if (!find_parts(s))
        return false;
    printf("The settings are valid; SEXTANT_HOME is %s.\n", s->home.path);
    return true;
}

static bool only_check;
const struct option serve_options[] = {{"check", &only_check, NULL}, {0}};

int cmd_serve(int argc, char **argv)
{
    struct arguments args;
    begin_with_nothing();
    the.argc = argc;
    the.argv = argv;
    if (!options_read(&the.arena, argc, argv, serve_options, &args,
                      &the.config))
        return EXIT_USAGE;
    if (args.n) {
        fprintf(stderr, "sextant serve: unexpected argument \"%s\"\n",
                args.items[0]);
        return EXIT_USAGE;
    }
    if (only_check)
        return check_settings(&the) ? EXIT_OK : EXIT_FAILED;
    return supervise(&the);
}

/* Ties `cluster` to the process that asked for it, which is on another
 * terminal. */
static bool tie_to_asker(void)
{
    struct pollfd asker = {.fd = SUPERVISOR_READY_FD};
    fcntl(SUPERVISOR_READY_FD, F_SETFD, FD_CLOEXEC);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    /* the pipe has no reader: it has ended already */
    return poll(&asker, 1, 0) == 0;
}

int cmd_cluster(int argc, char **argv)
{
    struct arguments args;
    if (!tie_to_asker())
        return EXIT_FAILED;
    begin_with_nothing();
    the.only_cluster = true;
    if (!options_read(&the.arena, argc, argv, NULL, &args, &the.config))
        return EXIT_USAGE;
    return supervise(&the);
}
