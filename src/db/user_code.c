/* user_code.c - see user_code.h. One query over the catalogs answers the first
 * name that reaches too far. */
#include "user_code.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include <string.h>
#include "base/banned.h"

enum { CACHED_MS = 60000 };

bool user_code_is_cached(const struct user_code_cache *memory,
                         const char *calls)
{
    for (size_t i = 0; i < USER_CODE_CACHED && memory->known[i].calls; i++)
        if (!strcmp(memory->known[i].calls, calls))
            return clock_ms() - memory->known[i].at < CACHED_MS;
    return false;
}

static size_t cache_index_of(struct user_code_cache *memory, const char *calls)
{
    for (size_t i = 0; i < USER_CODE_CACHED && memory->known[i].calls; i++)
        if (!strcmp(memory->known[i].calls, calls))
            return i;
    return memory->next++ % USER_CODE_CACHED;
}

void user_code_cache_put(struct user_code_cache *memory, const char *calls)
{
    size_t len = strlen(calls);
    if (len > USER_CODE_CACHED_BYTES)
        return;
    size_t place = cache_index_of(memory, calls);
    mem_free(memory->known[place].calls);
    memory->known[place].calls = mem_copy(calls, len);
    memory->known[place].at = clock_ms();
}

void user_code_cache_clear(struct user_code_cache *memory)
{
    for (size_t i = 0; i < USER_CODE_CACHED; i++)
        mem_free(memory->known[i].calls);
    *memory = (struct user_code_cache){0};
}

/* Objects that users create have oids from 16384 on. A function with the rights
 * of its owner (SECURITY DEFINER) always counts. Others count unless an
 * extension owns them, they are immutable and so only compute, or they take
 * values of a user's type, which PostgreSQL's own functions do not. */
#define DANGEROUS \
    "has_function_privilege(p.oid, 'execute') and (p.prosecdef or" \
    " (p.provolatile <> 'i' or p.prokind = 'a') and not exists (select" \
    " from pg_depend d where d.classid = 'pg_proc'::regclass" \
    " and d.objid = p.oid and d.deptype = 'e') and not exists (select" \
    " from unnest(p.proargtypes::oid[]) y where y >= 16384))"

/* The column of that name in one of the tables with these ids. */
#define COLUMN_OF(use) \
    "select from pg_attribute a where a.attname = " use ".name" \
    " and a.attnum > 0 and not a.attisdropped and a.attrelid = any(array(" \
    "select t.relation::oid from tables t where t.id = any(array(" \
    "select i::bigint from json_array_elements_text(" use ".ids) i))))"

/* The names to look up. They are passed as arrays so that indexes are used. */
#define NAMES \
    "with calls as materialized (select $1::json j)," \
    " tables as materialized (select n - 1 id, to_regclass(case e->>0" \
    "   when '' then quote_ident(e->>1)" \
    "   else quote_ident(e->>0) || '.' || quote_ident(e->>1) end) relation" \
    "   from calls," \
    "   json_array_elements(j->'tables') with ordinality x(e, n))," \
    " fields as materialized (select (e->>0)::name name, e->1 ids," \
    "   (e->>2)::bool listed" \
    "   from calls, json_array_elements(j->'fields') e)," \
    " words as materialized (select (e->>0)::name name, e->1 ids" \
    "   from calls, json_array_elements(j->'rows') e)," \
    " suspects as materialized (select p.proname as name, p.oid" \
    "   from pg_proc p where p.proname = any(array(select name from fields))" \
    "   and p.pronargs > 0 and p.pronargs - p.pronargdefaults <= 1" \
    "   and pg_function_is_visible(p.oid)" \
    "   union all select t.typname, t.oid from pg_type t" \
    "   where t.typname = any(array(select name from fields))" \
    "   and t.typrelid = 0 and (t.typtype <> 'e' or t.oid < 16384)" \
    "   and pg_type_is_visible(t.oid)) "

/* A field outside of tables may be of any type. Then PostgreSQL's own functions
 * count unless the guard allows them by name, and so do types, to which a value
 * is converted when they are written as a field; of the users' types all but
 * enums, because a domain calls its checks. A row of a table reaches more of
 * PostgreSQL's functions than the guard allows, so all of them count. */
#define FIELDS \
    "select 'field', f.name from suspects s join fields f on f.name = s.name" \
    " and (s.oid >= 16384 or json_array_length(f.ids) > 0 or not f.listed)" \
    " where not exists (" COLUMN_OF("f") ")"

#define ROWS \
    "select 'row', w.name from words w where exists (" COLUMN_OF("w") ")"

#define FUNCTIONS \
    "select 'function', p.proname from pg_proc p" \
    " where p.proname = any(array(select e::name from calls," \
    "   json_array_elements_text(j->'functions') e)) and p.oid >= 16384" \
    " and pg_function_is_visible(p.oid) and " DANGEROUS

/* A cast may run without being named, so one with the rights of its owner stops
 * every query. */
#define CASTS \
    "select 'cast', p.proname from pg_cast c" \
    " join pg_proc p on p.oid = c.castfunc where c.oid >= 16384" \
    " and p.prosecdef and has_function_privilege(p.oid, 'execute')"

#define OPERATORS \
    "select 'operator', o.oprname from pg_operator o" \
    " join pg_proc p on p.oid = o.oprcode" \
    " where o.oprname = any(array(select e::name from calls," \
    "   json_array_elements_text(j->'operators') e)) and o.oid >= 16384" \
    " and pg_operator_is_visible(o.oid) and " DANGEROUS

static const char user_code_sql[] =
    NAMES FIELDS " union all " ROWS " union all " FUNCTIONS " union all " CASTS
                 " union all " OPERATORS " limit 1";

bool user_code_ask(PGconn *pg, const char *calls)
{
    return PQsendQueryParams(pg, user_code_sql, 1, NULL, &calls, NULL, NULL, 0);
}

char *user_code_problem(const PGresult *r)
{
    if (PQresultStatus(r) != PGRES_TUPLES_OK || PQntuples(r) == 0)
        return NULL;
    struct str kind = str_of(PQgetvalue(r, 0, 0));
    struct str name = str_of(PQgetvalue(r, 0, 1));
    struct buf out;
    buf_init(&out, NULL);
    if (str_is(kind, "field"))
        buf_printf(&out,
                   "\"%.*s\" is not a column there; written like this it "
                   "would call the function of that name",
                   STR_ARG(name));
    else if (str_is(kind, "row"))
        buf_printf(&out,
                   "\"%.*s\" is also a column of a table in this query; "
                   "give the row another alias",
                   STR_ARG(name));
    else if (str_is(kind, "cast"))
        buf_printf(&out,
                   "this database has a cast with the rights of its owner "
                   "(the SECURITY DEFINER function \"%.*s\"), which any "
                   "query may reach; take the right to execute it from "
                   "this role",
                   STR_ARG(name));
    else if (str_is(kind, "function"))
        buf_printf(&out,
                   "this database has a function \"%.*s\" of its own, "
                   "which may not be called; write pg_catalog.%.*s for "
                   "PostgreSQL's",
                   STR_ARG(name), STR_ARG(name));
    else
        buf_printf(&out,
                   "this database has an operator %.*s of its own, which "
                   "may not be used; write operator(pg_catalog.%.*s) for "
                   "PostgreSQL's",
                   STR_ARG(name), STR_ARG(name));
    char *problem = mem_copy(out.ptr, out.len);
    buf_done(&out);
    return problem;
}
