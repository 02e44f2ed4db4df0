/* restore.c - `sextant restore FOLDER`: loads a backup into a server that is
 * empty and not running.
 *
 *   read the dump to its end, to see whether it is complete and Sextant's
 *   migrate the schema, so that it can be queried
 *   stop unless it is unused (or --force)
 *   drop its tables and load the dump, in one transaction
 *   migrate the schema again, then copy the keys into $SEXTANT_HOME
 *
 * A load that fails changes nothing. If a later step fails, running the same
 * command again starts over. */
#include "base/json.h"
#include "config/places.h"
#include "db/migrate.h"
#include "dump_load.h"
#include "help.h"
#include "programs.h"
#include "store/rows.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { CHECK_MS = 3600000 };

struct restore {
    struct cli cli;
    struct home folder;
    bool force;
    int64_t schema;      /* of the backup */
    struct str checksum; /* of its dump; empty in backups before 0.1.0 */
    struct migrate before, after;
    struct query *look;
    struct process check;
    struct dump_load load;
};

static struct next dump_check_begin(struct flow *f),
    dump_owner_known(struct flow *f), dump_read(struct flow *f),
    empty_schema_ready(struct flow *f), database_looked(struct flow *f),
    load_begin(struct flow *f), dump_loaded(struct flow *f),
    restored_schema_ready(struct flow *f), demo_known(struct flow *f);

/* ---- the backup ---------------------------------------------------------- */

static bool read_manifest(struct restore *r, struct str *why)
{
    struct arena *arena = &r->cli.arena;
    const char *path = backup_file(&r->folder, BACKUP_MANIFEST);
    struct str text;
    if (!config_read_file(arena, path, &text, why))
        return false;
    json_t *v = json_read(text, NULL);
    r->schema = json_get_int(v, "schema", 0);
    r->checksum = arena_str(arena, json_get_text(v, "sha256"));
    json_decref(v);
    if (r->schema > 0 &&
        access(backup_file(&r->folder, BACKUP_DUMP), R_OK) == 0)
        return true;
    *why = arena_printf(arena, "%s is not a complete backup", r->folder.path);
    return false;
}

static bool server_runs(struct restore *r)
{
    struct str why;
    if (r->cli.joined)
        return true;
    if (!r->cli.config.database_url)
        return false; /* our own cluster has the lock */
    int lock = home_lock(&r->cli.home, &why);
    if (lock >= 0)
        close(lock);
    return lock == -1;
}

static struct next migrate_begin(struct flow *f, struct migrate *m,
                                 step_fn *then)
{
    struct restore *r = locals(f, struct restore);
    struct cli *c = &r->cli;
    const char *data = places_data(&c->arena, &c->config);
    m->directory = arena_printf(&c->arena, "%s/sql", data ? data : ".").ptr;
    m->conninfo = engine_conninfo(&c->arena, &c->config, &c->home).ptr;
    return call(f, migrate_up, m, then);
}

static struct next restore_begin(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    struct str why;
    if (!read_manifest(r, &why))
        return fail_with(f, ERR_NOT_FOUND, why);
    if (server_runs(r))
        return fail_because(
            f, ERR_CONFLICT,
            "a server is running in %s: stop it first (sextant stop)",
            r->cli.home.path);
    return go(f, dump_check_begin);
}

/* ---- is the dump complete? ----------------------------------------------- */

/* What is damaged in the text of a statement can be read, but not executed. */
static bool has_its_checksum(const struct restore *r)
{
    char hex[2 * SHA256_SIZE + 1];
    return !r->checksum.len ||
           (backup_checksum(&r->folder, hex) && str_is(r->checksum, hex));
}

/* Makes pg_restore write its script to /dev/null; `only`: the table that must
 * be in it, or NULL for everything. */
static void check_dump(struct flow *f, const char *only)
{
    struct restore *r = locals(f, struct restore);
    const char *database;
    const char **env = backup_environment(&r->cli, &database);
    const char *argv[7] = {backup_program(&r->cli, "pg_restore"),
                           "--file=/dev/null",
                           backup_file(&r->folder, BACKUP_DUMP)};
    if (only) {
        argv[3] = "--strict-names";
        argv[4] = "--table";
        argv[5] = only;
    }
    r->check = (struct process){0};
    process_begin(
        f, &r->check,
        &(struct process_options){
            .argv = argv, .env = env, .stdout_fd = 2, .stderr_fd = 2});
    op_tolerate(&r->check.op);
    op_deadline(&r->check.op, CHECK_MS);
}

static struct next fail_broken_dump(struct flow *f, const char *what)
{
    struct restore *r = locals(f, struct restore);
    if (r->check.exit_status < 0 && !r->check.exit_signal)
        return backup_program_failed(f, &r->check, "pg_restore");
    return fail_because(f, ERR_VALIDATION, "%s/%s %s; nothing was changed",
                        r->folder.path, BACKUP_DUMP, what);
}

static bool check_failed(const struct restore *r)
{
    return r->check.exit_status != 0 || r->check.exit_signal;
}

static struct next dump_check_begin(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    if (!has_its_checksum(r))
        return fail_because(f, ERR_VALIDATION,
                            "%s/%s does not have the checksum in %s; "
                            "nothing was changed",
                            r->folder.path, BACKUP_DUMP, BACKUP_MANIFEST);
    check_dump(f, "schema_migrations");
    return await(f, dump_owner_known);
}

static struct next dump_owner_known(struct flow *f)
{
    if (check_failed(locals(f, struct restore)))
        return fail_broken_dump(f, "is not a dump of Sextant's database");
    check_dump(f, NULL);
    return await(f, dump_read);
}

static struct next dump_read(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    if (check_failed(r))
        return fail_broken_dump(f, "cannot be read to its end");
    return migrate_begin(f, &r->before, empty_schema_ready);
}

/* ---- is the database in use? --------------------------------------------- */

/* A fresh schema has at most one user: the first admin, or the command
 * line's. */
static const struct statement look_statement = {
    .name = "restore.look",
    .again = true,
    .sql = "select (select count(*) from users) > 1"
           " or exists (select from connections)"
           " or exists (select from data_chats)",
};

static struct next empty_schema_ready(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    if (r->schema > r->before.list[r->before.n - 1].version)
        return fail_because(
            f, ERR_CONFLICT,
            "the backup was made by a newer version of Sextant (schema %d; "
            "this one knows %d)",
            (int)r->schema, r->before.list[r->before.n - 1].version);
    if (r->force)
        return go(f, load_begin);
    r->look = query_new(f, r->cli.engine.pool, &look_statement);
    query_begin(f, r->look);
    return await(f, database_looked);
}

static struct next database_looked(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    if (ROW_VALUE(boolean, row_slices(r->look, 0)))
        return fail_because(
            f, ERR_CONFLICT,
            "the database is in use: restore into an empty one, or use "
            "--force, which drops the existing data");
    return go(f, load_begin);
}

/* Drops only our own objects of the schema; functions first, because those over
 * a table are dropped with it. */
static const char clear_sql[] =
    "do $$ declare sql text; begin"
    " for sql in"
    "   select format('drop function %s cascade',"
    "     string_agg(p.oid::regprocedure::text, ', ')) from pg_proc p"
    "     where p.pronamespace = current_schema()::regnamespace"
    "       and p.prokind = 'f' and p.proowner = current_user::regrole"
    "       and not exists (select from pg_depend d where d.objid = p.oid"
    "         and d.deptype = 'e') having count(*) > 0"
    "   union all"
    "   select format('drop table %s cascade', "
    "string_agg(c.oid::regclass::text,"
    "     ', ')) from pg_class c"
    "     where c.relnamespace = current_schema()::regnamespace"
    "       and c.relkind in ('r', 'p') and not c.relispartition"
    "       and c.relowner = current_user::regrole having count(*) > 0"
    " loop execute sql; end loop; end $$";

static struct next load_begin(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    r->load = (struct dump_load){
        .cli = &r->cli, .folder = &r->folder, .first = clear_sql};
    return call(f, dump_load_begin, &r->load, dump_loaded);
}

static struct next dump_loaded(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    return migrate_begin(f, &r->after, restored_schema_ready);
}

static const struct statement demo_statement = {
    .name = "restore.demo",
    .again = true,
    .sql = "select exists (select from connections"
           " where database_name = '" DEMO_DATABASE "')",
};

static struct next restored_schema_ready(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    struct str why;
    if (!home_copy_secrets(&r->folder, &r->cli.home, &why))
        return fail_with(f, ERR_INTERNAL, why);
    r->look = query_new(f, r->cli.engine.pool, &demo_statement);
    query_begin(f, r->look);
    /* the backup is restored without this line too */
    op_tolerate(&r->look->op);
    return await(f, demo_known);
}

static struct next demo_known(struct flow *f)
{
    struct restore *r = locals(f, struct restore);
    printf("Restored %s; start the server with `sextant serve`.\n",
           r->folder.path);
    if (r->look->n_rows && ROW_VALUE(boolean, row_slices(r->look, 0)))
        printf(
            "The demo data is not part of a backup; `sextant demo load` loads "
            "it.\n");
    return back(f);
}

int cmd_restore(int argc, char **argv)
{
    static struct restore r;
    struct arguments args;
    const struct option own[] = {{"force", &r.force, NULL}, {0}};
    if (!cli_read(&r.cli, "restore", argc, argv, own, &args))
        return EXIT_USAGE;
    if (args.n != 1)
        return usage_error("restore", NULL);
    r.folder = (struct home){.arena = &r.cli.arena, .path = args.items[0]};
    r.cli.any_schema = true;
    return cli_run(&r.cli, restore_begin, &r);
}
