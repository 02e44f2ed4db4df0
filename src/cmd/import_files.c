/* import_files.c - see import_files.h. The files take the way of an upload
 * (tool/file_intake.h), read on another thread, a piece at a time. */
#include "import_files.h"
#include "agent/file_model.h"
#include "loop/wait.h"
#include "say.h"
#include "store/file_sets.h"
#include "tool/file_intake.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/banned.h"

enum { COLUMNS_SHOWN = 8 };

static struct importing {
    struct file_import *command;
    struct file_intake intake;
    struct file_model model;
    struct file_set_share share;
    struct file_list list;
    int at; /* of the paths */
    int fd;
    struct work reading;
    char *bytes;
    ssize_t got;
    int error;
    struct str left; /* bytes that the intake has not taken yet */
    enum err why;
    struct str text;
} now;

static struct next files_begin(struct flow *f),
    files_user_known(struct flow *f), files_sandbox_ready(struct flow *f),
    store_files_begin(struct flow *f), path_due(struct flow *f),
    path_begun(struct flow *f), path_due_for_reading(struct flow *f),
    path_read(struct flow *f), bytes_due(struct flow *f),
    chunk_flushed(struct flow *f), path_over(struct flow *f),
    files_looked_at(struct flow *f), files_modeled(struct flow *f),
    files_stored(struct flow *f), files_shared(struct flow *f),
    files_listed(struct flow *f), files_failed(struct flow *f),
    files_dropped(struct flow *f);

static struct next files_begin(struct flow *f)
{
    return call(f, cli_user_begin, &now.command->user, files_user_known);
}

static struct next files_user_known(struct flow *f)
{
    return call(f, cluster_sandbox_begin, now.command->cli,
                files_sandbox_ready);
}

static struct next files_sandbox_ready(struct flow *f)
{
    struct engine *e = &now.command->cli->engine;
    const struct agent_settings *s = agent_settings(e->agent);
    now.intake = (struct file_intake){.store = e->store,
                                      .sandbox = &s->sandbox,
                                      .limits = s->file_limits,
                                      .owner_id = now.command->user.id,
                                      .name = now.command->name};
    if (s->sandbox.off)
        return fail_because(f, ERR_SANDBOX_UNAVAILABLE,
                            "files need the sandbox, which is disabled");
    now.bytes = arena_alloc(flow_keep(f), FILE_PIECE_BYTES);
    return attempt(f, store_files_begin, &now, files_stored, files_failed);
}

/* ---- reading ------------------------------------------------------------- */

static struct next store_files_begin(struct flow *f)
{
    return go(f, path_due);
}

static const char *this_path(void)
{
    return now.command->paths.items[now.at];
}

static void close_file(void *unused)
{
    (void)unused;
    if (now.fd >= 0)
        close(now.fd);
    now.fd = -1;
}

/* Only a regular file has an end for certain. */
static struct next path_due(struct flow *f)
{
    struct stat about;
    if (now.at == now.command->paths.n)
        return call(f, intake_look_begin, &now.intake, files_looked_at);
    close_file(NULL);
    now.fd = open(this_path(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (now.fd < 0)
        return fail_because(f, ERR_NOT_FOUND, "%s: %s", this_path(),
                            strerror(errno));
    if (fstat(now.fd, &about) || !S_ISREG(about.st_mode))
        return fail_because(f, ERR_VALIDATION, "%s is not a file.",
                            this_path());
    if (about.st_size > now.intake.limits.file_bytes)
        return fail_because(f, ERR_TOO_LARGE, "%s has more than %lld bytes.",
                            this_path(),
                            (long long)now.intake.limits.file_bytes);
    const char *wrong =
        intake_name(flow_keep(f), str_of(this_path()), &now.intake.filename);
    if (wrong)
        return fail_because(f, ERR_VALIDATION, "%s", wrong);
    return call(f, intake_file_begin, &now.intake, path_begun);
}

static struct next path_begun(struct flow *f)
{
    return go(f, path_due_for_reading);
}

/* Runs on another thread. */
static void read_piece(void *unused)
{
    (void)unused;
    now.got = read(now.fd, now.bytes, FILE_PIECE_BYTES);
    now.error = errno;
}

static struct next path_due_for_reading(struct flow *f)
{
    work_begin(f, &now.reading, read_piece, NULL);
    return await(f, path_read);
}

static struct next path_read(struct flow *f)
{
    if (now.got < 0)
        return fail_because(f, ERR_VALIDATION, "%s: %s", this_path(),
                            strerror(now.error));
    if (!now.got)
        return call(f, intake_end_begin, &now.intake, path_over);
    now.left = (struct str){now.bytes, (size_t)now.got};
    return go(f, bytes_due);
}

static struct next bytes_due(struct flow *f)
{
    now.left = intake_take(&now.intake, now.left);
    if (intake_is_full(&now.intake))
        return call(f, intake_flush_begin, &now.intake, chunk_flushed);
    return go(f, path_due_for_reading);
}

static struct next chunk_flushed(struct flow *f)
{
    return now.left.len ? go(f, bytes_due) : go(f, path_due_for_reading);
}

static struct next path_over(struct flow *f)
{
    now.at++;
    return go(f, path_due);
}

/* ---- the model ----------------------------------------------------------- */

static struct next files_looked_at(struct flow *f)
{
    now.model = (struct file_model){.agent = now.command->cli->engine.agent,
                                    .file_set_id = now.intake.set_id};
    return call(f, file_model_begin, &now.model, files_modeled);
}

static struct next files_modeled(struct flow *f)
{
    return back(f);
}

static struct next files_failed(struct flow *f)
{
    now.why = failure(f);
    now.text = arena_str(flow_keep(f), failure_text(f));
    close_file(NULL);
    return call(f, intake_drop_begin, &now.intake, files_dropped);
}

static struct next files_dropped(struct flow *f)
{
    return now.text.len ? fail_with(f, now.why, now.text) : fail(f, now.why);
}

static struct next files_stored(struct flow *f)
{
    close_file(NULL);
    now.share = (struct file_set_share){.store = now.intake.store,
                                        .set_id = now.intake.set_id};
    if (!now.command->shared)
        return go(f, files_shared);
    return call(f, file_set_share_begin, &now.share, files_shared);
}

/* ---- what was found ------------------------------------------------------ */

static struct next files_shared(struct flow *f)
{
    now.list = (struct file_list){.store = now.intake.store,
                                  .set_id = now.intake.set_id};
    return call(f, file_list_begin, &now.list, files_listed);
}

static void print_table(const struct stored_file *file, const json_t *t)
{
    const json_t *columns = json_object_get(t, "columns"), *c;
    int64_t rows = json_get_int(t, "rows", 0);
    size_t n = json_array_size(columns), k;
    say(stderr, "%.*s, from %.*s: %lld row%s, %zu column%s (",
        STR_ARG(json_get_text(t, "name")), STR_ARG(file->name), (long long)rows,
        rows == 1 ? "" : "s", n, n == 1 ? "" : "s");
    json_array_foreach(columns, k, c)
    {
        if (k < COLUMNS_SHOWN)
            say(stderr, "%s%.*s %.*s", k ? ", " : "",
                STR_ARG(json_get_text(c, "name")),
                STR_ARG(json_get_text(c, "type")));
    }
    say(stderr, "%s)\n", n > COLUMNS_SHOWN ? ", …" : "");
}

static void print_problems(void)
{
    json_t *problems = json_read(now.intake.problems, NULL);
    const json_t *p;
    size_t k;
    json_array_foreach(problems, k, p)
        say(stderr, "warning: %.*s was left out: %.*s\n",
            STR_ARG(json_get_text(p, "filename")),
            STR_ARG(json_get_text(p, "message")));
    json_decref(problems);
}

static struct next files_listed(struct flow *f)
{
    for (size_t i = 0; i < now.list.n; i++) {
        json_t *tables = json_read(now.list.files[i].tables, NULL);
        for (size_t k = 0; k < json_array_size(tables); k++)
            print_table(&now.list.files[i], json_array_get(tables, k));
        json_decref(tables);
    }
    print_problems();
    say(stderr, "Ontology \"%.*s\" is imported, %s\n", STR_ARG(now.model.name),
        now.command->shared ? "shared" : "private");
    printf("%.*s\n", STR_ARG(now.model.ontology_id));
    return back(f);
}

int import_files(struct file_import *i)
{
    now.command = i;
    now.fd = -1;
    i->cli->asks = true;
    return cli_run(i->cli, files_begin, &now);
}
