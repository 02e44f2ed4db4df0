#include "store/catalog.h"
#include "base/banned.h"

enum { TIMEOUT_MS = 15000, BYTES_MOST = 4 * 1024 * 1024 };

/* ---- the four questions -------------------------------------------------- */

/* Names come as hex, so that nothing in them can be SQL: %1 schema, %2 table, %3
 * part of the name. The last column is the count of all. */
static const char databases_sql[] =
    "select d.datname, shobj_description(d.oid, 'pg_database'),"
    " count(*) over () from pg_database d where d.datallowconn"
    " and not d.datistemplate and has_database_privilege(d.oid, 'connect')"
    " and strpos(lower(d.datname), lower(%3)) > 0 order by d.datname";

#define OWN_SCHEMAS \
    "n.nspname !~ '^pg_' and n.nspname <> 'information_schema'" \
    " and has_schema_privilege(n.oid, 'usage')"

#define OWN_TABLES \
    "c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition"

static const char schemas_sql[] =
    "select n.nspname, obj_description(n.oid, 'pg_namespace'),"
    " (select count(*) from pg_class c where c.relnamespace = n.oid"
    "   and " OWN_TABLES "), count(*) over ()"
    " from pg_namespace n where " OWN_SCHEMAS
    " and strpos(lower(n.nspname), lower(%3)) > 0 order by n.nspname";

/* A partitioned table has the rows of its partitions. */
static const char tables_sql[] =
    "select c.relname, case c.relkind when 'v' then 'view'"
    "   when 'm' then 'materialized view' when 'f' then 'foreign table'"
    "   when 'p' then 'partitioned table' else 'table' end,"
    " case when c.relkind = 'p' then (select sum(greatest(p.reltuples, 0))::bigint"
    "     from pg_partition_tree(c.oid) t join pg_class p on p.oid = t.relid"
    "     where t.isleaf)"
    "   when c.relkind in ('r', 'm') and c.reltuples >= 0"
    "     then c.reltuples::bigint end,"
    " obj_description(c.oid, 'pg_class'),"
    " has_table_privilege(c.oid, 'select') or"
    "   has_any_column_privilege(c.oid, 'select'), count(*) over ()"
    " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " where n.nspname = %1 and " OWN_TABLES " and " OWN_SCHEMAS
    " and strpos(lower(c.relname), lower(%3)) > 0 order by c.relname";

static const char columns_sql[] =
    "select a.attname, format_type(a.atttypid, a.atttypmod), not a.attnotnull,"
    " pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum),"
    " coalesce(a.attnum = any(k.indkey::int2[]), false),"
    " row_number() over (order by a.attnum), count(*) over ()"
    " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0"
    "   and not a.attisdropped"
    " left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum"
    " left join pg_index k on k.indrelid = c.oid and k.indisprimary"
    " where n.nspname = %1 and c.relname = %2 and " OWN_TABLES
    " and " OWN_SCHEMAS
    " and strpos(lower(a.attname), lower(%3)) > 0 order by a.attnum";

enum member_kind { TEXT, COUNT, TRUTH };
static const struct catalog_kind {
    const char *sql;
    struct {
        const char *name;
        enum member_kind kind;
    } members[8];
} kinds[] = {
    [CATALOG_DATABASES] = {databases_sql, {{"name", TEXT}, {"comment", TEXT}}},
    [CATALOG_SCHEMAS] = {schemas_sql,
                         {{"name", TEXT},
                          {"comment", TEXT},
                          {"tableCount", COUNT}}},
    [CATALOG_TABLES] = {tables_sql,
                        {{"name", TEXT},
                         {"type", TEXT},
                         {"estimatedRows", COUNT},
                         {"comment", TEXT},
                         {"readable", TRUTH}}},
    [CATALOG_COLUMNS] = {columns_sql,
                         {{"name", TEXT},
                          {"dataType", TEXT},
                          {"nullable", TRUTH},
                          {"defaultValue", TEXT},
                          {"comment", TEXT},
                          {"isPrimaryKey", TRUTH},
                          {"position", COUNT}}},
};

static void put_name(struct buf *out, struct arena *arena, struct str name)
{
    buf_printf(out, "convert_from(decode('%.*s', 'hex'), 'UTF8')",
               STR_ARG(hex_encode(arena, name.ptr, name.len)));
}

static struct str sql_of(const struct catalog_list *c, struct arena *arena)
{
    const struct str names[] = {c->schema, c->table, c->search};
    struct buf out;
    buf_init(&out, arena);
    for (const char *at = kinds[c->what].sql; *at; at++)
        if (*at == '%')
            put_name(&out, arena, names[*++at - '1']);
        else
            buf_char(&out, *at);
    buf_printf(&out, " limit %d offset %lld", c->page_size,
               (long long)(c->page - 1) * c->page_size);
    return buf_finish(&out);
}

/* ---- reading ------------------------------------------------------------- */

static struct next source_opened(struct flow *f),
    source_refused(struct flow *f), catalog_read(struct flow *f);

struct next catalog_list_begin(struct flow *f)
{
    struct catalog_list *c = locals(f, struct catalog_list);
    c->source = (struct source_open){.store = c->store,
                                     .connection_id = c->connection_id,
                                     .database = c->database};
    return attempt(f, source_open_begin, &c->source, source_opened,
                   source_refused);
}

/* A host that is not allowed, credentials that no key opens. */
static struct next source_refused(struct flow *f)
{
    struct catalog_list *c = locals(f, struct catalog_list);
    if (!failure_text(f).len)
        return fail(f, failure(f));
    c->problem = arena_str(flow_keep(f), failure_text(f));
    return back(f);
}

static struct next source_opened(struct flow *f)
{
    struct catalog_list *c = locals(f, struct catalog_list);
    c->read = keep(f, struct read);
    c->read->options = (struct read_options){.source = c->source.pool,
                                             .sql = sql_of(c, flow_here(f)),
                                             .own = true,
                                             .max_rows = c->page_size,
                                             .max_bytes = BYTES_MOST,
                                             .timeout_ms = TIMEOUT_MS};
    read_begin(f, c->read);
    op_tolerate(&c->read->op);
    return await(f, catalog_read);
}

static struct next catalog_read(struct flow *f)
{
    struct catalog_list *c = locals(f, struct catalog_list);
    struct str message = c->read->message;
    enum err how = c->read->op.status;
    c->reached = how == OK;
    if (c->reached) {
        read_rows(c->read, flow_keep(f));
        c->n_rows = c->read->n_rows;
        const struct str *cells = c->read->cells;
        if (c->n_rows)
            str_to_int64(cells[c->read->n_columns - 1], &c->total);
        return back(f);
    }
    if (how == ERR_DATABASE_UNAVAILABLE && *pool_problem(c->source.pool))
        message = str_of(pool_problem(c->source.pool));
    c->problem = arena_str(flow_keep(f),
                           message.len ? message : str_of(err_sentence(how)));
    return back(f);
}

void catalog_write(struct json_writer *w, const struct catalog_list *c, int row)
{
    const struct catalog_kind *kind = &kinds[c->what];
    const struct str *cells = c->read->cells + row * c->read->n_columns;
    for (int i = 0; kind->members[i].name; i++) {
        json_put_key(w, kind->members[i].name);
        if (!cells[i].ptr)
            json_put_null(w);
        else if (kind->members[i].kind == TEXT)
            json_put_str(w, cells[i]);
        else if (kind->members[i].kind == COUNT)
            json_put_raw(w, cells[i]);
        else
            json_put_bool(w, str_is(cells[i], "t"));
    }
}
