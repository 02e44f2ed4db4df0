/* dump_load.c - see dump_load.h.
 *
 *   pg_restore --- script ---> psql <--- verdict --- us
 *
 * psql begins a transaction, runs the caller's SQL and the script, and then
 * reads the verdict: "commit", which is written only after pg_restore has
 * succeeded. Without it, psql ends inside the transaction, which PostgreSQL
 * then rolls back: also when this process or pg_restore is killed. pg_restore
 * alone would begin its transaction only after the caller's SQL. */
#include "dump_load.h"
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "base/banned.h"

enum {
    LOAD_MS = 3600000,
    READ_END = 0,
    WRITE_END = 1,
    PSQL_SCRIPT_FAILED = 3, /* its exit status after an error of SQL */
};

static struct next script_send_begin(struct flow *f),
    script_sent(struct flow *f), script_run(struct flow *f);

/* ---- the pipes ----------------------------------------------------------- */

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(void *load)
{
    struct dump_load *l = load;
    for (int i = 0; i < 2; i++) {
        close_end(&l->script[i]);
        close_end(&l->verdict[i]);
    }
}

static bool open_pipes(struct flow *f, struct dump_load *l)
{
    l->script[0] = l->script[1] = l->verdict[0] = l->verdict[1] = -1;
    defer(f, close_pipes, l);
    return pipe2(l->script, O_CLOEXEC) == 0 &&
           pipe2(l->verdict, O_CLOEXEC) == 0;
}

/* ---- the programs -------------------------------------------------------- */

static bool has_succeeded(const struct process *p)
{
    return p->exit_status == 0 && !p->exit_signal;
}

static void program_begin(struct flow *f, struct process *p,
                          const struct process_options *options)
{
    process_begin(f, p, options);
    op_tolerate(&p->op);
    op_deadline(&p->op, LOAD_MS);
}

static void psql_begin(struct flow *f, struct dump_load *l)
{
    const char *database;
    const char **env = backup_environment(l->cli, &database);
    const int inherited[] = {l->script[READ_END], l->verdict[READ_END]};
    const char *argv[] = {
        backup_program(l->cli, "psql"),
        "--no-psqlrc",
        "--no-password",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        "--dbname",
        database,
        "--command",
        "begin; set local client_min_messages = warning",
        "--command",
        l->first,
        "--file=/dev/fd/3",
        "--file=/dev/fd/4",
        NULL,
    };
    program_begin(f, &l->psql,
                  &(struct process_options){.argv = argv,
                                            .env = env,
                                            .stderr_fd = STDERR_FILENO,
                                            .inherit_fds = inherited,
                                            .n_inherit_fds = 2});
    close_end(&l->script[READ_END]);
    close_end(&l->verdict[READ_END]);
}

struct next dump_load_begin(struct flow *f)
{
    struct dump_load *l = locals(f, struct dump_load);
    if (!open_pipes(f, l))
        return fail(f, ERR_UNAVAILABLE);
    psql_begin(f, l);
    child_begin(f, &l->sender, script_send_begin, l, "dump", 0);
    op_tolerate(&l->sender.op);
    return await(f, script_run);
}

static struct next script_send_begin(struct flow *f)
{
    struct dump_load *l = locals(f, struct dump_load);
    const char *argv[] = {backup_program(l->cli, "pg_restore"),
                          "--file=-",
                          "--no-owner",
                          "--no-privileges",
                          "--no-comments", /* of extensions, which others own */
                          backup_file(l->folder, BACKUP_DUMP),
                          NULL};
    program_begin(f, &l->pg_restore,
                  &(struct process_options){.argv = argv,
                                            .stdout_fd = l->script[WRITE_END],
                                            .stderr_fd = STDERR_FILENO});
    close_end(&l->script[WRITE_END]);
    return await(f, script_sent);
}

static struct next script_sent(struct flow *f)
{
    static const char commit[] = "commit;\n";
    struct dump_load *l = locals(f, struct dump_load);
    bool sent = has_succeeded(&l->pg_restore) &&
                write(l->verdict[WRITE_END], commit, sizeof commit - 1) ==
                    (ssize_t)sizeof commit - 1;
    close_end(&l->verdict[WRITE_END]);
    return sent ? back(f) : fail(f, ERR_INTERNAL);
}

/* Once the commit is sent, only an error of SQL means that nothing was
 * changed. */
static struct next fail_load(struct flow *f, const struct process *p,
                             const char *name)
{
    const struct dump_load *l = locals(f, struct dump_load);
    if (p->exit_status < 0)
        return backup_program_failed(f, p, name);
    if (l->sender.op.status == OK && p->exit_status != PSQL_SCRIPT_FAILED)
        return fail_because(f, ERR_INTERNAL,
                            "%s failed (status %d) while it committed; run "
                            "the same command again",
                            name, (int)p->exit_status);
    return fail_because(f, ERR_INTERNAL,
                        "%s failed (status %d); nothing was changed", name,
                        (int)p->exit_status);
}

/* When psql fails, pg_restore cannot write any more. */
static struct next script_run(struct flow *f)
{
    const struct dump_load *l = locals(f, struct dump_load);
    if (l->sender.op.status == OK && has_succeeded(&l->psql))
        return back(f);
    if (!has_succeeded(&l->pg_restore) && l->pg_restore.exit_signal != SIGPIPE)
        return fail_load(f, &l->pg_restore, "pg_restore");
    return fail_load(f, &l->psql, "psql");
}
