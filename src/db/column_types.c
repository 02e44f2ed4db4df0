/* column_types.c - see column_types.h. */
#include "column_types.h"
#include "base/mem.h"
#include "types.h"
#include <string.h>
#include "base/banned.h"

static const char question[] =
    "select t.oid, case when e.oid is null then t.typname::text "
    "else e.typname::text || '[]' end from pg_catalog.pg_type t "
    "left join pg_catalog.pg_type e "
    "on e.oid = t.typelem and t.typcategory = 'A' where t.oid in (0";

static struct str column_type_name(const struct pool *pool, Oid type)
{
    struct str name = str_of(type_name(type));
    return name.len ? name : pool_type(pool, type);
}

bool column_types_ask(const struct pool *pool, const PGresult *described,
                      struct buf *sql)
{
    bool any = false;
    for (int i = 0; i < PQnfields(described); i++) {
        Oid type = PQftype(described, i);
        if (column_type_name(pool, type).len)
            continue;
        if (!any)
            buf_text(sql, question);
        any = true;
        buf_printf(sql, ",%u", type);
    }
    if (any)
        buf_char(sql, ')');
    return any;
}

void column_types_learn(struct pool *pool, const PGresult *answer)
{
    for (int i = 0; i < PQntuples(answer); i++) {
        int64_t oid = 0;
        str_to_int64(str_of(PQgetvalue(answer, i, 0)), &oid);
        pool_type_add(pool, (Oid)oid, str_of(PQgetvalue(answer, i, 1)));
    }
}

/* Copies the names, because the pool may be gone when they are read. */
struct str *column_types_names(const struct pool *pool,
                               const PGresult *described)
{
    size_t n = (size_t)PQnfields(described), bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += column_type_name(pool, PQftype(described, (int)i)).len;
    struct str *names = mem_alloc(n * sizeof *names + bytes + 1);
    char *at = (char *)(names + n);
    for (size_t i = 0; i < n; i++) {
        struct str name = column_type_name(pool, PQftype(described, (int)i));
        if (name.len)
            memcpy(at, name.ptr, name.len);
        names[i] = name.len ? (struct str){at, name.len} : STR("unknown");
        at += name.len;
    }
    return names;
}
