/* migrate.c - see migrate.h. migrate_up reads the files and takes the lock,
 * creates and reads the table, then applies each pending file together with its
 * row. migrate_status only reads the table. */
#include "db/migrate.h"
#include "base/buf.h"
#include "base/log.h"
#include "db/script.h"
#include "migration_files.h"
#include <string.h>
#include "base/banned.h"

enum { WAIT_MS = 600000 };

static step_fn lock_held, table_heard, applied, status_known, status_heard;

#define COLUMNS \
    "version, name, checksum, to_char(applied_at at time zone 'UTC', " \
    "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"

/* An arbitrary key that only Sextant uses. */
static const char take_lock[] = "select pg_advisory_lock(7310941726350212)";
static const char open_table[] =
    "create table if not exists schema_migrations (version int primary key, "
    "name text not null, checksum text not null, "
    "applied_at timestamptz not null default now());"
    "select " COLUMNS " from schema_migrations order by version";
static const char find_table[] = "select to_regclass('schema_migrations')";
static const char read_table[] =
    "select " COLUMNS " from schema_migrations order by version";

/* ---- talking ------------------------------------------------------------- */

static void migrate_run(struct flow *f, struct migrate *m, struct str sql)
{
    struct script *s = m->script = here(f, struct script);
    s->session = m->session;
    s->sql = sql;
    s->deadline_ms = m->deadline_ms ? m->deadline_ms : WAIT_MS;
    script_begin(f, s);
    op_tolerate(&s->op);
}

static struct str migrate_cell(const struct script *s, int row, int column)
{
    return str_of(PQgetvalue(s->result, row, column));
}

static struct next migrate_fail(struct flow *f, const struct script *s)
{
    return fail_because(f, s->op.status, "migrate: %.*s", STR_ARG(s->message));
}

/* Reads the files and opens the session. */
static struct next migrate_open(struct flow *f, struct migrate *m,
                                struct str sql, step_fn *then)
{
    struct str text = STR("");
    enum err why = migration_files_read(m, flow_keep(f), flow_here(f), &text);
    if (why != OK)
        return fail_with(f, why, text);
    m->at = m->n_new = 0;
    m->session = session_new(m->conninfo);
    defer(f, session_free, m->session);
    migrate_run(f, m, sql);
    return flow_await(f, then, "open");
}

/* ---- files against rows -------------------------------------------------- */

static struct migration *migration_find(struct migrate *m, int64_t version)
{
    for (int i = 0; i < m->n; i++)
        if (m->list[i].version == version)
            return &m->list[i];
    return NULL;
}

static struct next migrate_refuse(struct flow *f, const struct migrate *m,
                                  int64_t version, struct str name)
{
    if (m->n == 0 || version > m->list[m->n - 1].version)
        return fail_because(f, ERR_CONFLICT,
                            "the schema is newer than this program: it has "
                            "%.*s, which is not among the files",
                            STR_ARG(name));
    return fail_because(f, ERR_CONFLICT,
                        "%.*s was applied to the database, but its file is "
                        "missing",
                        STR_ARG(name));
}

/* Marks the files that are applied. False: the flow fails. */
static bool migrate_compare(struct flow *f, struct migrate *m)
{
    const struct script *s = m->script;
    for (int i = 0; i < PQntuples(s->result); i++) {
        int64_t version = 0;
        str_to_int64(migrate_cell(s, i, 0), &version);
        struct migration *one = migration_find(m, version);
        if (!one) {
            migrate_refuse(f, m, version, migrate_cell(s, i, 1));
            return false;
        }
        if (!str_eq(one->checksum, migrate_cell(s, i, 2))) {
            struct next failed =
                fail_because(f, ERR_CONFLICT,
                             "%.*s was changed after it had been applied "
                             "(docs/operations.md, Upgrades)",
                             STR_ARG(one->name));
            (void)failed;
            return false;
        }
        one->applied = true;
        one->applied_at = arena_str(flow_keep(f), migrate_cell(s, i, 3));
    }
    return true;
}

/* ---- up ------------------------------------------------------------------ */

static struct next apply_next(struct flow *f, struct migrate *m);

struct next migrate_up(struct flow *f)
{
    return migrate_open(f, locals(f, struct migrate), str_of(take_lock),
                        lock_held);
}

static struct next lock_held(struct flow *f)
{
    struct migrate *m = locals(f, struct migrate);
    if (m->script->op.status != OK)
        return migrate_fail(f, m->script);
    migrate_run(f, m, str_of(open_table));
    return await(f, table_heard);
}

static struct next table_heard(struct flow *f)
{
    struct migrate *m = locals(f, struct migrate);
    if (m->script->op.status != OK)
        return migrate_fail(f, m->script);
    if (!migrate_compare(f, m))
        return (struct next){NULL};
    return apply_next(f, m);
}

static const char begin_sql[] = "begin;\n";

static struct next apply_next(struct flow *f, struct migrate *m)
{
    while (m->at < m->n && m->list[m->at].applied)
        m->at++;
    if (m->at == m->n)
        return back(f);
    struct migration *one = &m->list[m->at];
    struct buf sql;
    buf_init(&sql, flow_here(f));
    buf_text(&sql, begin_sql);
    buf_str(&sql, m->texts[m->at]);
    buf_printf(&sql,
               "\n;\ninsert into schema_migrations (version, name, checksum) "
               "values (%d, '%.*s', '%.*s');\ncommit;\n"
               "select " COLUMNS " from schema_migrations where version = %d",
               one->version, STR_ARG(one->name), STR_ARG(one->checksum),
               one->version);
    migrate_run(f, m, buf_view(&sql));
    return await(f, applied);
}

/* The line of the file with the error, or 0. */
static int error_line(const struct script *s)
{
    int line = 0, characters = 0;
    if (s->position == 0)
        return 0;
    for (size_t i = 0; i < s->sql.len && characters < s->position; i++) {
        characters += ((unsigned char)s->sql.ptr[i] & 0xC0) != 0x80;
        if (s->sql.ptr[i] == '\n' && characters < s->position)
            line++;
    }
    return line; /* the line of begin_sql does not count */
}

static struct next applied(struct flow *f)
{
    struct migrate *m = locals(f, struct migrate);
    struct migration *one = &m->list[m->at];
    const struct script *s = m->script;
    if (s->op.status != OK)
        return fail_because(f, s->op.status, "%.*s, line %d: %.*s",
                            STR_ARG(one->name), error_line(s),
                            STR_ARG(s->message));
    if (!s->result || PQntuples(s->result) != 1)
        return fail_because(f, ERR_INTERNAL,
                            "%.*s added no row to schema_migrations",
                            STR_ARG(one->name));
    one->applied = true;
    one->applied_at = arena_str(flow_keep(f), migrate_cell(s, 0, 3));
    m->n_new++;
    log_event(LOG_INFO, "migration applied",
              (struct log_field[]){{"name", one->name}, {NULL, {0}}});
    return apply_next(f, m);
}

/* ---- status -------------------------------------------------------------- */

struct next migrate_status(struct flow *f)
{
    return migrate_open(f, locals(f, struct migrate), str_of(find_table),
                        status_known);
}

static struct next status_known(struct flow *f)
{
    struct migrate *m = locals(f, struct migrate);
    if (m->script->op.status != OK)
        return migrate_fail(f, m->script);
    if (PQgetisnull(m->script->result, 0, 0))
        return back(f); /* no table, so nothing is applied */
    migrate_run(f, m, str_of(read_table));
    return await(f, status_heard);
}

static struct next status_heard(struct flow *f)
{
    struct migrate *m = locals(f, struct migrate);
    if (m->script->op.status != OK)
        return migrate_fail(f, m->script);
    return migrate_compare(f, m) ? back(f) : (struct next){NULL};
}
