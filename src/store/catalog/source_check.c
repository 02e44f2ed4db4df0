/* source_check.c - connects to a database once and asks what its role may
 * do. */
#include "store/source_check.h"
#include "store/time_zones.h"
#include "../rows.h"
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

static step_fn rights_known, cluster_known;

enum {
    PATIENCE_MS = 15000,
    CLUSTER_MS = 40000, /* one that has just started plans slowly */
};

#define RIGHTS_ROW(FIRST, X) \
    FIRST(text, version, "current_setting('server_version')") \
    X(boolean, superuser, \
      "(select rolsuper from pg_roles where rolname = current_user)") \
    X(boolean, creates, \
      "has_database_privilege(current_database(), 'create') or" \
      " (select bool_or(has_schema_privilege(n.oid, 'create'))" \
      "   from pg_namespace n where n.nspname !~ '^pg_'" \
      "     and n.nspname <> 'information_schema')") \
    X(int64, readable, \
      "count(*) filter (where has_table_privilege(c.oid, 'select'))") \
    X(int64, writable, \
      "count(*) filter (where has_table_privilege(c.oid," \
      "   'insert, update, delete, truncate'))") \
    X(int64, definers, "(select count(*) from definers)") \
    X(text, definer_names, \
      "(select string_agg(name, ', ') from" \
      "   (select name from definers order by name limit 5) d)") \
    X(boolean, knows_zone, \
      "(select zone in ('', 'UTC') or exists (select" \
      "     from pg_catalog.pg_timezone_names where name = zone)" \
      "   from wanted)")
#define RIGHTS_COLUMNS ROW_SQL(RIGHTS_ROW)

/* `definers`: functions that run with the rights of their owner. */
static const char rights_sql[] =
    "with wanted as (select '%.*s'::text as zone),"
    " definers as (select n.nspname || '.' || p.proname as name"
    " from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
    " where p.prosecdef and p.prorettype <> 'trigger'::regtype"
    " and n.nspname <> 'pg_catalog' and n.nspname <> 'information_schema'"
    " and has_schema_privilege(n.oid, 'usage')"
    " and has_function_privilege(p.oid, 'execute'))"
    " select " RIGHTS_COLUMNS
    " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_'"
    "   and n.nspname <> 'information_schema'"
    "   and has_schema_privilege(n.oid, 'usage')";

static void address_done(void *what)
{
    struct source_check *s = what;
    explicit_bzero(s->address.ptr, s->address.len);
    buf_done(&s->address);
    if (s->certificates >= 0)
        close(s->certificates);
}

/* ---- a catalog of a cluster ---------------------------------------------- */

/* Which rights a user has, Trino's access control does not tell. */
static const char cluster_sql[] =
    "select version(), count(*) from information_schema.tables"
    " where table_schema <> 'information_schema'"
    " and (current_schema is null or table_schema = current_schema)";

static void cluster_done(void *what)
{
    struct source_check *s = what;
    s->target->store->clusters->close(&s->cluster);
}

static struct next cluster_check(struct flow *f, struct source_check *s)
{
    const struct store *store = s->target->store;
    s->cluster = store->clusters->open(s->target, store->ca_file);
    defer(f, cluster_done, s);
    s->read = here(f, struct read);
    s->read->options = (struct read_options){.source = s->cluster,
                                             .sql = STR(cluster_sql),
                                             .own = true,
                                             .timeout_ms = CLUSTER_MS};
    read_begin(f, s->read);
    op_tolerate(&s->read->op);
    return await(f, cluster_known);
}

static struct next cluster_known(struct flow *f)
{
    struct source_check *s = locals(f, struct source_check);
    struct read *r = s->read;
    if (r->op.status != OK)
        return fail_because(f, r->op.status, "%.*s",
                            STR_ARG(r->message.len
                                        ? r->message
                                        : str_of(err_sentence(r->op.status))));
    read_rows(r, flow_keep(f));
    if (r->n_rows != 1 || r->n_columns != 2)
        return fail(f, ERR_INTERNAL);
    s->version = r->cells[0];
    str_to_int64(r->cells[1], &s->readable);
    s->knows_zone = true; /* an unknown one is refused */
    return back(f);
}

/* ---- PostgreSQL ---------------------------------------------------------- */

struct next source_check_begin(struct flow *f)
{
    struct source_check *s = locals(f, struct source_check);
    if (s->target->of_files)
        return fail_because(f, ERR_VALIDATION,
                            "This connection is over uploaded files; it has no "
                            "server to connect to.");
    if (s->target->type == CONNECTION_TRINO)
        return cluster_check(f, s);
    s->script = here(f, struct script);
    connection_conninfo(s->target->store, s->target, &s->address,
                        &s->certificates);
    defer(f, address_done, s);
    s->script->conninfo = buf_cstr(&s->address);
    s->script->address_from_user = true;
    s->script->sql = arena_printf(
        flow_here(f), rights_sql,
        STR_ARG(time_zone_is_name(s->target->time_zone) ? s->target->time_zone
                                                        : STR("UTC")));
    s->script->deadline_ms = PATIENCE_MS;
    script_begin(f, s->script);
    op_tolerate(&s->script->op);
    return await(f, rights_known);
}

static struct next rights_known(struct flow *f)
{
    struct source_check *s = locals(f, struct source_check);
    const PGresult *r = s->script->result;
    if (s->script->op.status != OK || !r)
        return fail_because(
            f, s->script->op.status ? s->script->op.status : ERR_INTERNAL,
            "%.*s", STR_ARG(s->script->message));
    struct row_cursor at = {.result = r, .memory = flow_keep(f)};
    ROW_READ(RIGHTS_ROW, s, at);
    return back(f);
}
