/* backup.c - `sextant backup FOLDER`: saves all that a server needs to continue
 * elsewhere.
 *
 *   database.dump    Sextant's own database (pg_dump's custom format)
 *   key, jwt_secret  from $SEXTANT_HOME, if they are kept there
 *   backup.json      schema and time; written last, so a folder with it is complete
 *
 * Only the owner can read the folder. restore.c reads it. */
#include "backup.h"
#include "base/clock.h"
#include "base/json.h"
#include "config/postgres_programs.h"
#include "help.h"
#include "programs.h"
#include "store/rows.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/banned.h"

enum { MOST_VARIABLES = 64 };

struct backup {
    struct cli cli;
    struct home folder; /* the target folder; only its path is used */
    struct process dump;
    struct query *schema;
};

static struct next dumped(struct flow *f), backup_schema_known(struct flow *f);

/* ---- PostgreSQL's programs ----------------------------------------------- */

/* Prefers the folder of our own cluster's programs. For another server, whose
 * version we do not know, the one in PATH: on Debian that is the newest of the
 * machine. */
const char *backup_program(struct cli *c, const char *name)
{
    struct postgres_programs found = {0};
    struct str why;
    if (!c->config.database_url)
        postgres_find(&c->arena, &c->config, c->home.postgres_data, &found,
                      &why);
    const char *folder =
        c->config.pg_bindir ? c->config.pg_bindir : found.folder;
    const char *path =
        arena_printf(&c->arena, "%s/%s", folder ? folder : "", name).ptr;
    return folder && access(path, X_OK) == 0 ? path : name;
}

/* The address goes through the environment, because all users can see a command
 * line. */
const char **backup_environment(struct cli *c, const char **database)
{
    const char **env = arena_new_array(&c->arena, const char *, MOST_VARIABLES);
    size_t n = 0;
    const char *kept[] = {"PATH", "HOME"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (getenv(kept[i]))
            env[n++] =
                arena_printf(&c->arena, "%s=%s", kept[i], getenv(kept[i])).ptr;
    env[n++] = "LANG=C.UTF-8";
    struct str conninfo = engine_conninfo(&c->arena, &c->config, &c->home);
    PQconninfoOption *all = PQconninfoParse(conninfo.ptr, NULL);
    *database = "";
    for (PQconninfoOption *o = all; o && o->keyword; o++) {
        if (o->val && !strcmp(o->keyword, "dbname"))
            *database = arena_cstr(&c->arena, str_of(o->val));
        if (o->val && o->envvar && n < MOST_VARIABLES - 1)
            env[n++] = arena_printf(&c->arena, "%s=%s", o->envvar, o->val).ptr;
    }
    PQconninfoFree(all);
    return env;
}

struct next backup_program_failed(struct flow *f, const struct process *p,
                                  const char *name)
{
    if (p->exit_status < 0)
        return fail_because(f, ERR_INTERNAL,
                            "%s could not be started (apt install "
                            "postgresql-client)",
                            name);
    return fail_because(f, ERR_INTERNAL, "%s failed (status %d)", name,
                        (int)p->exit_status);
}

const char *backup_file(const struct home *folder, const char *name)
{
    return arena_printf(folder->arena, "%s/%s", folder->path, name).ptr;
}

/* ---- the folder ---------------------------------------------------------- */

static bool folder_is_empty(const char *path)
{
    DIR *dir = opendir(path);
    bool empty = dir != NULL;
    struct dirent *entry;
    while (empty && (entry = readdir(dir)))
        empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    if (dir)
        closedir(dir);
    return empty;
}

static bool make_backup_folder(const struct backup *b, struct str *why)
{
    const char *path = b->folder.path;
    bool made = mkdir(path, 0700) == 0;
    if (!made && errno != EEXIST)
        *why = arena_printf(b->folder.arena, "%s: %s", path, strerror(errno));
    else if (!made && !folder_is_empty(path))
        *why =
            arena_printf(b->folder.arena,
                         "%s exists already and is not an empty folder", path);
    else if (chmod(path, 0700) != 0)
        *why = arena_printf(b->folder.arena, "%s: %s", path, strerror(errno));
    else
        return true;
    return false;
}

/* ---- steps --------------------------------------------------------------- */

static struct next backup_begin(struct flow *f)
{
    struct backup *b = locals(f, struct backup);
    struct str why;
    const char *database;
    if (!make_backup_folder(b, &why))
        return fail_with(f, ERR_CONFLICT, why);
    const char *argv[] = {backup_program(&b->cli, "pg_dump"),
                          "--format=custom",
                          "--no-owner",
                          "--no-privileges",
                          "--file",
                          backup_file(&b->folder, BACKUP_DUMP),
                          NULL};
    umask(0077); /* for pg_dump's file too */
    process_begin(
        f, &b->dump,
        &(struct process_options){.argv = argv,
                                  .env = backup_environment(&b->cli, &database),
                                  .stdout_fd = 2,
                                  .stderr_fd = 2});
    op_tolerate(&b->dump.op);
    return await(f, dumped);
}

static const struct statement schema_statement = {
    .name = "backup.schema",
    .again = true,
    .sql = "select max(version) from schema_migrations",
};

static struct next dumped(struct flow *f)
{
    struct backup *b = locals(f, struct backup);
    if (b->dump.exit_status != 0 || b->dump.exit_signal)
        return backup_program_failed(f, &b->dump, "pg_dump");
    b->schema = query_new(f, b->cli.engine.pool, &schema_statement);
    query_begin(f, b->schema);
    return await(f, backup_schema_known);
}

bool backup_checksum(const struct home *folder, char hex[2 * SHA256_SIZE + 1])
{
    uint8_t sum[SHA256_SIZE];
    struct stat st;
    int fd = open(backup_file(folder, BACKUP_DUMP), O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) || st.st_size <= 0) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    size_t size = (size_t)st.st_size;
    char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return false;
    sha256((struct str){bytes, size}, sum);
    munmap(bytes, size);
    for (size_t i = 0; i < sizeof sum; i++)
        snprintf(hex + 2 * i, 3, "%02x", sum[i]);
    return true;
}

static struct str manifest(struct backup *b, const char *checksum)
{
    struct buf text;
    struct json_writer w;
    char now[CLOCK_RFC3339_SIZE];
    clock_rfc3339(clock_wall_ms(), now);
    buf_init(&text, &b->cli.arena);
    json_writer_init(&w, &text);
    json_put_object(&w);
    json_field_text(&w, "program", "sextant " SEXTANT_VERSION);
    json_field_int(&w, "schema", ROW_VALUE(int64, row_slices(b->schema, 0)));
    json_field_text(&w, "createdAt", now);
    json_field_text(&w, "sha256", checksum);
    json_put_object_end(&w);
    buf_char(&text, '\n');
    return buf_view(&text);
}

static void print_secrets_advice(const struct backup *b)
{
    const struct config *c = &b->cli.config;
    fprintf(stderr,
            "Keep %s safe: it contains keys and everything that users asked.\n",
            b->folder.path);
    if (c->credentials_key || c->jwt_secret)
        fprintf(stderr,
                "The settings CREDENTIALS_KEY and JWT_SECRET are not in it; "
                "without the same values, passwords of connections cannot be "
                "decrypted.\n");
}

static struct next backup_schema_known(struct flow *f)
{
    struct backup *b = locals(f, struct backup);
    struct str why;
    char checksum[2 * SHA256_SIZE + 1];
    if (!backup_checksum(&b->folder, checksum))
        return fail_because(f, ERR_INTERNAL,
                            "%s/" BACKUP_DUMP " cannot be read",
                            b->folder.path);
    if (!home_copy_secrets(&b->cli.home, &b->folder, &why) ||
        !home_write_file(&b->folder, BACKUP_MANIFEST, manifest(b, checksum),
                         &why))
        return fail_with(f, ERR_INTERNAL, why);
    print_secrets_advice(b);
    printf("%s\n", b->folder.path);
    return back(f);
}

int cmd_backup(int argc, char **argv)
{
    static struct backup b;
    struct arguments args;
    if (!cli_read(&b.cli, "backup", argc, argv, NULL, &args))
        return EXIT_USAGE;
    if (args.n != 1)
        return usage_error("backup", NULL);
    b.folder = (struct home){.arena = &b.cli.arena, .path = args.items[0]};
    return cli_run(&b.cli, backup_begin, &b);
}
