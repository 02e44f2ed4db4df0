#include "source_check.h"
#include "base/buf.h"
#include "base/banned.h"

enum { PATIENCE_MS = 15000 };

static const char rights_sql[] =
    "select current_setting('server_version'),"
    " (select rolsuper from pg_roles where rolname = current_user),"
    " has_database_privilege(current_database(), 'create') or"
    "   (select bool_or(has_schema_privilege(n.oid, 'create'))"
    "      from pg_namespace n where n.nspname !~ '^pg_'"
    "       and n.nspname <> 'information_schema'),"
    " count(*) filter (where has_table_privilege(c.oid, 'select')),"
    " count(*) filter (where has_table_privilege(c.oid,"
    "   'insert, update, delete, truncate'))"
    " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_'"
    "   and n.nspname <> 'information_schema'"
    "   and has_schema_privilege(n.oid, 'usage')";

static void option(struct buf *out, const char *key, struct str value)
{
    buf_printf(out, "%s='", key);
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '\'' || value.ptr[i] == '\\')
            buf_char(out, '\\');
        buf_char(out, value.ptr[i]);
    }
    buf_text(out, "' ");
}

static const char *conninfo(struct arena *arena, const struct connection_add *c)
{
    struct buf out;
    buf_init(&out, arena);
    option(&out, "host", c->host);
    buf_printf(&out, "port=%d ", c->port);
    option(&out, "dbname", c->database);
    option(&out, "user", c->username);
    if (c->password.len)
        option(&out, "password", c->password);
    option(&out, "sslmode", c->use_ssl ? STR("require") : STR("disable"));
    return buf_cstr(&out);
}

static struct next rights_known(struct flow *f);

struct next source_check_begin(struct flow *f)
{
    struct source_check *s = locals(f, struct source_check);
    s->script = here(f, struct script);
    s->script->conninfo = conninfo(flow_here(f), s->target);
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
        return fail_because(f, s->script->op.status ? s->script->op.status
                                                    : ERR_INTERNAL,
                            "%.*s", STR_ARG(s->script->message));
    s->version = arena_str(flow_keep(f), str_of(PQgetvalue(r, 0, 0)));
    s->superuser = *PQgetvalue(r, 0, 1) == 't';
    s->creates = *PQgetvalue(r, 0, 2) == 't';
    s->readable = number(r, 3);
    s->writable = number(r, 4);
    return back(f);
}
