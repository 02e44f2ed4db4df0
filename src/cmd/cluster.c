/* cluster.c - the database of a command: a running server's, or one started for
 * the command. The latter is a supervisor of its own (`sextant-supervisor
 * cluster`), which ends with us; it writes a byte when PostgreSQL is ready, and
 * another when the sandbox is. */
#include "base/clock.h"
#include "cli.h"
#include "config/places.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    LOOK_MS = 20,
    PATIENCE_MS = 90000,
    GRACE_MS = 30000,
    LOG_TAIL = 1500,
};

static struct next lock_tried(struct flow *f), cluster_look(struct flow *f),
    cluster_ready(struct flow *f);

/* ---- the process --------------------------------------------------------- */

struct launching {
    struct cli *cli;
    const char *program;
    int log, telling;
};

static struct next cluster_process_ended(struct flow *f);

static const char **cluster_environment(const struct launching *l,
                                        struct arena *arena)
{
    static const char *const plain[] = {
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG=C.UTF-8", NULL};
    static const char *const without[] = {
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG=C.UTF-8", "SANDBOX_URL=off", NULL};
    struct config c = l->cli->config;
    if (!l->cli->asks)
        c.texts[CONFIG_sandbox_url] = NULL;
    return config_environment(arena, &c, l->cli->asks ? plain : without);
}

static struct next cluster_process_begin(struct flow *f)
{
    struct launching *l = locals(f, struct launching);
    const char *argv[] = {l->program, "cluster", "--config", "/dev/null", NULL};
    l->cli->process = keep(f, struct process);
    process_begin(
        f, l->cli->process,
        &(struct process_options){.argv = argv,
                                  .env = cluster_environment(l, flow_here(f)),
                                  .stdout_fd = l->log,
                                  .stderr_fd = l->log,
                                  .grace_ms = GRACE_MS,
                                  .inherit_fds = &l->telling,
                                  .n_inherit_fds = 1});
    close(l->log);
    close(l->telling);
    return await(f, cluster_process_ended);
}

static struct next cluster_process_ended(struct flow *f)
{
    struct cli *c = locals(f, struct launching)->cli;
    c->outrun = c->process->exit_status == EXIT_TRY_LATER;
    return back(f);
}

static void cluster_process_over(struct flow *f, enum err how, void *who)
{
    struct cli *c = who;
    (void)f;
    (void)how;
    c->process = NULL;
    c->cluster = NULL;
    c->ended = true;
}

static bool start_cluster(struct cli *c, struct str *why)
{
    int ends[2];
    struct launching *l = arena_new(&c->arena, struct launching);
    *l = (struct launching){.cli = c};
    l->program = places_program(&c->arena, "sextant-supervisor");
    c->log_path =
        arena_printf(&c->arena, "%s/log/cluster.log", c->home.path).ptr;
    l->log = open(c->log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (!l->program || l->log < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        *why = l->program ? arena_printf(&c->arena, "%s: %s", c->log_path,
                                         strerror(errno))
                          : STR("sextant-supervisor is not next to sextant");
        return false;
    }
    if (c->ready >= 0)
        close(c->ready);
    c->ready = ends[0];
    l->telling = ends[1];
    c->ended = false;
    c->cluster = flow_start(
        cluster_process_begin, l,
        &(struct flow_options){
            .kind = "cluster", .on_end = cluster_process_over, .who = c});
    return true;
}

void cluster_stop(struct cli *c)
{
    if (c->ready >= 0)
        close(c->ready);
    c->ready = -1;
    if (c->cluster)
        flow_cancel(c->cluster);
}

/* ---- joining or starting ------------------------------------------------- */

struct next cluster_begin(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    c->since = clock_ms();
    if (c->config.database_url && (!c->asks || c->config.sandbox_url))
        return back(f);
    return go(f, lock_tried);
}

static struct next wait_for_other(struct flow *f, const struct home_server *who)
{
    struct cli *c = locals(f, struct cli);
    if (clock_ms() - c->since > PATIENCE_MS)
        return fail_because(f, ERR_UNAVAILABLE,
                            who->serves ? "the server in %s does not start"
                                        : "another command keeps %s busy",
                            c->home.path);
    if (!c->waited && !who->serves)
        fprintf(stderr, "Waiting for another sextant command to end …\n");
    c->waited = true;
    pause_begin(f, &c->pause, LOOK_MS);
    return await(f, lock_tried);
}

static struct next lock_tried(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    struct home_server who = {0};
    struct str why;
    int lock = home_lock(&c->home, &why);
    if (lock == -1) {
        home_read_server(&c->home, &who);
        c->joined = who.serves ? who.url : NULL;
        return c->joined ? back(f) : wait_for_other(f, &who);
    }
    if (lock < 0)
        return fail_with(f, ERR_INTERNAL, why);
    close(lock); /* the supervisor takes the lock */
    if (!start_cluster(c, &why))
        return fail_with(f, ERR_INTERNAL, why);
    return go(f, cluster_look);
}

static void read_signs(struct cli *c)
{
    char byte;
    while (c->ready >= 0 && read(c->ready, &byte, 1) == 1)
        c->heard++;
}

/* The last lines that the supervisor wrote before it gave up. */
static struct str cluster_log_end(struct cli *c)
{
    char *text = arena_alloc(&c->arena, LOG_TAIL + 1);
    int fd = open(c->log_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return STR("");
    off_t size = lseek(fd, 0, SEEK_END);
    ssize_t got =
        pread(fd, text, LOG_TAIL, size > LOG_TAIL ? size - LOG_TAIL : 0);
    close(fd);
    return str_trim((struct str){text, got < 0 ? 0 : (size_t)got});
}

static struct next cluster_look(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    read_signs(c);
    if (c->heard)
        return go(f, cluster_ready);
    if (c->ended && c->outrun) /* another process took the lock in between */
        return go(f, lock_tried);
    if (c->ended)
        return fail_because(f, ERR_UNAVAILABLE, "%.*s",
                            STR_ARG(cluster_log_end(c)));
    pause_begin(f, &c->pause, LOOK_MS);
    return await(f, cluster_look);
}

static struct next cluster_ready(struct flow *f)
{
    return back(f);
}

struct next cluster_sandbox_begin(struct flow *f)
{
    struct cli *c = locals(f, struct cli);
    read_signs(c);
    if (!c->cluster || c->heard > 1)
        return back(f);
    pause_begin(f, &c->pause, LOOK_MS);
    return await(f, cluster_sandbox_begin);
}
