#include "store/source_check.h"
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

enum { PATIENCE_MS = 15000 };

/* Functions that run with their owner's rights, whoever calls them. */
static const char rights_sql[] =
    "with definers as (select n.nspname || '.' || p.proname as name"
    " from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
    " where p.prosecdef and p.prorettype <> 'trigger'::regtype"
    " and n.nspname <> 'pg_catalog' and n.nspname <> 'information_schema'"
    " and has_schema_privilege(n.oid, 'usage')"
    " and has_function_privilege(p.oid, 'execute'))"
    "select current_setting('server_version'),"
    " (select rolsuper from pg_roles where rolname = current_user),"
    " has_database_privilege(current_database(), 'create') or"
    "   (select bool_or(has_schema_privilege(n.oid, 'create'))"
    "      from pg_namespace n where n.nspname !~ '^pg_'"
    "       and n.nspname <> 'information_schema'),"
    " count(*) filter (where has_table_privilege(c.oid, 'select')),"
    " count(*) filter (where has_table_privilege(c.oid,"
    "   'insert, update, delete, truncate')),"
    " (select count(*) from definers), (select string_agg(name, ', ') from"
    "   (select name from definers order by name limit 5) d)"
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

static struct next rights_known(struct flow *f);

struct next source_check_begin(struct flow *f)
{
    struct source_check *s = locals(f, struct source_check);
    s->script = here(f, struct script);
    connection_conninfo(s->target->store, s->target, &s->address,
                        &s->certificates);
    defer(f, address_done, s);
    s->script->conninfo = buf_cstr(&s->address);
    s->script->of_a_user = true;
    s->script->sql = STR(rights_sql);
    s->script->deadline_ms = PATIENCE_MS;
    script_begin(f, s->script);
    op_tolerate(&s->script->op);
    return await(f, rights_known);
}

static int64_t number(const PGresult *r, int column)
{
    int64_t n = 0;
    str_to_int64(str_of(PQgetvalue(r, 0, column)), &n);
    return n;
}

static struct next rights_known(struct flow *f)
{
    struct source_check *s = locals(f, struct source_check);
    const PGresult *r = s->script->result;
    if (s->script->op.status != OK || !r)
        return fail_because(
            f, s->script->op.status ? s->script->op.status : ERR_INTERNAL,
            "%.*s", STR_ARG(s->script->message));
    s->version = arena_str(flow_keep(f), str_of(PQgetvalue(r, 0, 0)));
    s->superuser = *PQgetvalue(r, 0, 1) == 't';
    s->creates = *PQgetvalue(r, 0, 2) == 't';
    s->readable = number(r, 3);
    s->writable = number(r, 4);
    s->definers = number(r, 5);
    s->definer_names = arena_str(flow_keep(f), str_of(PQgetvalue(r, 0, 6)));
    return back(f);
}
