/* postgres.c - creates the embedded cluster and runs it.
 *
 *   (initdb into data.new -> rename to data) -> write the settings -> start the
 *   service -> wait until postmaster.pid says "ready" */
#include "postgres.h"
#include "base/clock.h"
#include "postgres_files.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    LOOK_MS = 20,        /* between looks at postmaster.pid */
    PATIENCE_MS = 60000, /* recovery after a crash takes time */
    GRACE_MS = 20000,
    MEGABYTE = 1 << 20,
};

const char *const plain_environment[] = {
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG=C.UTF-8", NULL};

static bool describe_postgres(struct service *s, struct arena *arena,
                              struct process_options *options);

/* ---- before the start ---------------------------------------------------- */

static bool find_postgres_user(struct arena *arena, struct postgres *p,
                               const struct config *c, struct str *why)
{
    p->uid = geteuid();
    p->gid = getegid();
    p->other_user = p->uid == 0;
    if (p->other_user) {
        const struct passwd *who = getpwnam(c->pg_user);
        if (!who || who->pw_uid == 0) {
            *why = arena_printf(
                arena,
                "PostgreSQL does not run as root, and the user \"%s\" does "
                "not exist: create it (useradd -r %s), or set PG_USER",
                c->pg_user, c->pg_user);
            return false;
        }
        p->uid = who->pw_uid;
        p->gid = who->pw_gid;
    }
    return true;
}

/* The name of the user that PostgreSQL runs as, for peer authentication. */
static const char *own_name(struct arena *arena, struct str *why)
{
    const struct passwd *who = getpwuid(geteuid());
    if (who)
        return arena_cstr(arena, str_of(who->pw_name));
    *why = arena_printf(arena,
                        "user %d has no name on this machine, and PostgreSQL "
                        "needs one: add it to /etc/passwd, or set DATABASE_URL",
                        (int)geteuid());
    return NULL;
}

bool postgres_init(struct arena *arena, struct postgres *p,
                   const struct config *c, const struct home *home,
                   struct str *why)
{
    *p = (struct postgres){.home = home,
                           .data_fd = -1,
                           .socket_fd = -1,
                           .conf_fd = -1,
                           .memory_bytes = c->pg_memory_mb * MEGABYTE};
    p->service = (struct service){.name = "postgres",
                                  .describe = describe_postgres,
                                  .speaks_plain = true,
                                  .who = p};
    const char *name = own_name(arena, why);
    return name && find_postgres_user(arena, p, c, why) &&
           postgres_find(arena, c, home->postgres_data, &p->programs, why) &&
           home_make_cluster(home, p->uid, p->gid, why) &&
           postgres_write_files(home, name, p->gid, why);
}

void postgres_done(struct postgres *p)
{
    int *const fds[] = {&p->data_fd, &p->socket_fd, &p->conf_fd};
    for (int i = 0; i < 3; i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
}

/* ---- the processes ------------------------------------------------------- */

const char **launch_words(struct arena *arena, int signal_number, size_t more,
                          size_t *n)
{
    const char **w = arena_new_array(arena, const char *, more + 16);
    *n = 0;
    w[(*n)++] = "/proc/self/exe";
    w[(*n)++] = "launch";
    w[(*n)++] = "--signal";
    w[(*n)++] = arena_printf(arena, "%d", signal_number).ptr;
    w[(*n)++] = "--parent";
    w[(*n)++] = arena_printf(arena, "%d", (int)getpid()).ptr;
    return w;
}

static const char **as_its_user(struct arena *arena, const struct postgres *p,
                                bool bounded, size_t *n)
{
    const char **w = launch_words(arena, SIGINT, 24, n);
    if (p->other_user) {
        w[(*n)++] = "--uid";
        w[(*n)++] = arena_printf(arena, "%d", (int)p->uid).ptr;
        w[(*n)++] = "--gid";
        w[(*n)++] = arena_printf(arena, "%d", (int)p->gid).ptr;
    }
    if (bounded) {
        w[(*n)++] = "--as-bytes";
        w[(*n)++] = arena_printf(arena, "%lld", (long long)p->memory_bytes).ptr;
    }
    w[(*n)++] = "--";
    return w;
}

static const char *postgres_program(struct arena *arena,
                                    const struct postgres *p, const char *name)
{
    return arena_printf(arena, "%s/%s", p->programs.folder, name).ptr;
}

static bool describe_postgres(struct service *s, struct arena *arena,
                              struct process_options *options)
{
    static const char *const rest[] = {
        "-D", "/proc/self/fd/3",
        "-k", "/proc/self/fd/4",
        "-c", "config_file=/proc/self/fd/5/postgresql.conf",
        "-c", "hba_file=/proc/self/fd/5/pg_hba.conf",
        "-c", "ident_file=/proc/self/fd/5/pg_ident.conf"};
    struct postgres *p = s->who;
    size_t n;
    const char **w = as_its_user(arena, p, true, &n);
    w[n++] = postgres_program(arena, p, "postgres");
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        w[n++] = rest[i];
    int *fds = arena_new_array(arena, int, 3);
    fds[0] = p->data_fd;
    fds[1] = p->socket_fd;
    fds[2] = p->conf_fd;
    options->argv = w;
    options->env = plain_environment;
    options->cwd = "/";
    /* fast shutdown: PostgreSQL ends its sessions itself */
    options->stop_signal = SIGINT;
    options->grace_ms = GRACE_MS;
    options->inherit_fds = fds;
    options->n_inherit_fds = 3;
    return true;
}

/* ---- making the cluster -------------------------------------------------- */

struct making {
    struct postgres *postgres;
    const char *path; /* data.new, which becomes data when it is complete */
    const char *log_path;
    int folder, log; /* descriptors */
    struct process *process;
};

static struct next initdb_done(struct flow *f);

static int remove_one(const char *path, const struct stat *st, int kind,
                      struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

static void initdb_cleanup(void *what)
{
    struct making *m = what;
    if (m->folder >= 0)
        close(m->folder);
    if (m->log >= 0)
        close(m->log);
}

static bool prepare_initdb(struct making *m)
{
    const struct postgres *p = m->postgres;
    nftw(m->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    m->log = open(m->log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (m->log < 0 || mkdir(m->path, 0700) != 0 ||
        (p->other_user && lchown(m->path, p->uid, p->gid) != 0))
        return false;
    m->folder = open(m->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return m->folder >= 0;
}

static struct next initdb_begin(struct flow *f)
{
    static const char *const rest[] = {
        "-D",   "/proc/self/fd/3",  "-U",          POSTGRES_ADMIN,     "-E",
        "UTF8", "--locale=C.UTF-8", "--auth=peer", "--no-instructions"};
    struct making *m = locals(f, struct making);
    struct arena *arena = flow_here(f);
    const struct postgres *p = m->postgres;
    size_t n;
    defer(f, initdb_cleanup, m);
    if (!prepare_initdb(m))
        return fail_because(f, ERR_INTERNAL, "%s: %s", m->path,
                            strerror(errno));
    const char **w = as_its_user(arena, p, false, &n);
    w[n++] = postgres_program(arena, p, "initdb");
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        w[n++] = rest[i];
    m->process = here(f, struct process);
    process_begin(f, m->process,
                  &(struct process_options){.argv = w,
                                            .env = plain_environment,
                                            .cwd = "/",
                                            .stdout_fd = m->log,
                                            .stderr_fd = m->log,
                                            .inherit_fds = &m->folder,
                                            .n_inherit_fds = 1});
    return await(f, initdb_done);
}

static struct next initdb_done(struct flow *f)
{
    struct making *m = locals(f, struct making);
    if (m->process->exit_status != 0 || m->process->exit_signal)
        return fail_because(f, ERR_INTERNAL,
                            "PostgreSQL's initdb failed; its output is in %s",
                            m->log_path);
    if (rename(m->path, m->postgres->home->postgres_data) != 0)
        return fail_because(f, ERR_INTERNAL, "%s: %s", m->path,
                            strerror(errno));
    return back(f);
}

/* ---- starting the cluster ------------------------------------------------ */

static struct next postgres_start_begin(struct flow *f),
    postgres_look(struct flow *f);

struct next postgres_begin(struct flow *f)
{
    struct postgres *p = locals(f, struct postgres);
    if (postgres_data_major(p->home->postgres_data) > 0)
        return go(f, postgres_start_begin);
    struct making *m = here(f, struct making);
    *m = (struct making){.postgres = p, .folder = -1, .log = -1};
    m->path = arena_printf(flow_here(f), "%s.new", p->home->postgres_data).ptr;
    m->log_path =
        arena_printf(flow_here(f), "%s/log/initdb.log", p->home->path).ptr;
    return call(f, initdb_begin, m, postgres_start_begin);
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static struct next postgres_start_begin(struct flow *f)
{
    struct postgres *p = locals(f, struct postgres);
    p->data_fd = open_folder(p->home->postgres_data);
    p->socket_fd = open_folder(p->home->postgres_socket);
    p->conf_fd = open_folder(p->home->postgres_conf);
    if (p->data_fd < 0 || p->socket_fd < 0 || p->conf_fd < 0)
        return fail_because(f, ERR_INTERNAL, "%s: %s", p->home->path,
                            strerror(errno));
    service_start(&p->service);
    p->asked_at = clock_ms();
    return go(f, postgres_look);
}

/* postmaster.pid says "ready" in its eighth line. Its first line is the process
 * id; a file of an earlier process is ignored. */
static bool takes_connections(const struct postgres *p)
{
    char text[1024] = "";
    const struct process *process = p->service.process;
    int fd = process ? openat(p->data_fd, "postmaster.pid",
                              O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
                     : -1;
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (got <= 0)
        return false;
    struct str line = {NULL, 0}, rest = {text, (size_t)got};
    int64_t pid = 0;
    for (int i = 1; i <= 8 && str_split(&rest, '\n', &line); i++) {
        if (i == 1 && (!str_to_int64(line, &pid) || pid != process->pid))
            return false;
        if (i == 8)
            return str_is(str_trim(line), "ready");
    }
    return false;
}

static struct next postgres_look(struct flow *f)
{
    struct postgres *p = locals(f, struct postgres);
    if (takes_connections(p))
        return back(f);
    if (clock_ms() - p->asked_at > PATIENCE_MS)
        return fail_because(f, ERR_UNAVAILABLE,
                            "PostgreSQL did not start within %d s",
                            PATIENCE_MS / 1000);
    pause_begin(f, &p->pause, LOOK_MS);
    return await(f, postgres_look);
}
