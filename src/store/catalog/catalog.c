/* catalog.c - lists databases, schemas, tables and columns of a source. */
#include "store/catalog.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn catalog_opened, catalog_refused, catalog_read;

enum { TIMEOUT_MS = 15000, BYTES_MOST = 4 * 1024 * 1024 };

/* ---- the four lists ------------------------------------------------------ */

#define OWN_SCHEMAS \
    "n.nspname !~ '^pg_' and n.nspname <> 'information_schema'" \
    " and has_schema_privilege(n.oid, 'usage')"

#define OWN_TABLES \
    "c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition"

#define DATABASE_ROW(FIRST, X) \
    FIRST(text, name, "d.datname", "name") \
    X(text, comment, "shobj_description(d.oid, 'pg_database')", "comment")

#define SCHEMA_ROW(FIRST, X) \
    FIRST(text, name, "n.nspname", "name") \
    X(text, comment, "obj_description(n.oid, 'pg_namespace')", "comment") \
    X(json, tables, \
      "(select count(*) from pg_class c where c.relnamespace = n.oid" \
      "   and " OWN_TABLES ")", \
      "tableCount")

/* A partitioned table has the rows of its partitions. */
#define TABLE_ROW(FIRST, X) \
    FIRST(text, name, "c.relname", "name") \
    X(text, type, \
      "case c.relkind when 'v' then 'view'" \
      "   when 'm' then 'materialized view' when 'f' then 'foreign table'" \
      "   when 'p' then 'partitioned table' else 'table' end", \
      "type") \
    X(json, rows, \
      "case when c.relkind = 'p'" \
      "   then (select sum(greatest(p.reltuples, 0))::bigint" \
      "     from pg_partition_tree(c.oid) t" \
      "     join pg_class p on p.oid = t.relid where t.isleaf)" \
      "   when c.relkind in ('r', 'm') and c.reltuples >= 0" \
      "   then c.reltuples::bigint end", \
      "estimatedRows") \
    X(text, comment, "obj_description(c.oid, 'pg_class')", "comment") \
    X(boolean, readable, \
      "has_table_privilege(c.oid, 'select') or" \
      "   has_any_column_privilege(c.oid, 'select')", \
      "readable")

#define COLUMN_ROW(FIRST, X) \
    FIRST(text, name, "a.attname", "name") \
    X(text, type, "format_type(a.atttypid, a.atttypmod)", "dataType") \
    X(boolean, nullable, "not a.attnotnull", "nullable") \
    X(text, otherwise, "pg_get_expr(d.adbin, d.adrelid)", "defaultValue") \
    X(text, comment, "col_description(c.oid, a.attnum)", "comment") \
    X(boolean, primary_key, \
      "coalesce(a.attnum = any(k.indkey::int2[]), false)", "isPrimaryKey") \
    X(json, position, "row_number() over (order by a.attnum)", "position")

/* The last column of each list is the count of all its rows. */
#define DATABASE_COLUMNS ROW_SQL(DATABASE_ROW) ", count(*) over ()"
#define SCHEMA_COLUMNS ROW_SQL(SCHEMA_ROW) ", count(*) over ()"
#define TABLE_COLUMNS ROW_SQL(TABLE_ROW) ", count(*) over ()"
#define COLUMN_COLUMNS ROW_SQL(COLUMN_ROW) ", count(*) over ()"

/* %1 is the schema, %2 the table, %3 a part of the name. They are inserted as
 * hex, so that nothing in them can be SQL. */
static const char databases_sql[] =
    "select " DATABASE_COLUMNS " from pg_database d where d.datallowconn"
    " and not d.datistemplate and has_database_privilege(d.oid, 'connect')"
    " and strpos(lower(d.datname), lower(%3)) > 0 order by d.datname";

static const char schemas_sql[] =
    "select " SCHEMA_COLUMNS " from pg_namespace n where " OWN_SCHEMAS
    " and strpos(lower(n.nspname), lower(%3)) > 0 order by n.nspname";

static const char tables_sql[] =
    "select " TABLE_COLUMNS
    " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " where n.nspname = %1 and " OWN_TABLES " and " OWN_SCHEMAS
    " and strpos(lower(c.relname), lower(%3)) > 0 order by c.relname";

static const char columns_sql[] =
    "select " COLUMN_COLUMNS
    " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0"
    "   and not a.attisdropped"
    " left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum"
    " left join pg_index k on k.indrelid = c.oid and k.indisprimary"
    " where n.nspname = %1 and c.relname = %2 and " OWN_TABLES
    " and " OWN_SCHEMAS
    " and strpos(lower(a.attname), lower(%3)) > 0 order by a.attnum";

/* The same columns from Trino's catalog of the connection. Trino knows no keys
 * and, at this price, no numbers of rows. */
static const char *const cluster_sql[] = {
    [CATALOG_DATABASES] =
        "select catalog_name, null, count(*) over ()"
        " from system.metadata.catalogs"
        " where strpos(lower(catalog_name), lower(%3)) > 0 order by 1",
    [CATALOG_SCHEMAS] =
        "select s.schema_name, null, count(t.table_name), count(*) over ()"
        " from information_schema.schemata s"
        " left join information_schema.tables t"
        "   on t.table_schema = s.schema_name"
        " where s.schema_name <> 'information_schema'"
        " and strpos(lower(s.schema_name), lower(%3)) > 0"
        " group by s.schema_name order by 1",
    [CATALOG_TABLES] =
        "select t.table_name,"
        " case t.table_type when 'VIEW' then 'view' else 'table' end, null,"
        " c.comment, true, count(*) over ()"
        " from information_schema.tables t"
        " left join system.metadata.table_comments c"
        "   on c.catalog_name = current_catalog"
        "   and c.schema_name = t.table_schema"
        "   and c.table_name = t.table_name"
        " where t.table_schema = %1"
        " and strpos(lower(t.table_name), lower(%3)) > 0 order by 1",
    [CATALOG_COLUMNS] =
        "select column_name, lower(type_name), is_nullable <> 'NO', null,"
        " remarks, false, ordinal_position, count(*) over ()"
        " from system.jdbc.columns where table_cat = current_catalog"
        " and table_schem = %1 and table_name = %2"
        " and strpos(lower(column_name), lower(%3)) > 0"
        " order by ordinal_position",
};

/* Cells of the user's database are texts; these write one as JSON. */
typedef void put_cell_fn(struct json_writer *w, const char *key,
                         struct str cell);

static void put_boolean(struct json_writer *w, const char *key, struct str cell)
{
    row_put_boolean(w, key, str_is(cell, "t"));
}

#define PUT_text row_put_text
#define PUT_json row_put_json
#define PUT_boolean put_boolean
#define MEMBER(type, field, sql, key) {key, PUT_##type},

static const struct catalog_kind {
    const char *sql;
    struct catalog_member {
        const char *key;
        put_cell_fn *put;
    } members[8];
} kinds[] = {
    [CATALOG_DATABASES] = {databases_sql, {DATABASE_ROW(MEMBER, MEMBER)}},
    [CATALOG_SCHEMAS] = {schemas_sql, {SCHEMA_ROW(MEMBER, MEMBER)}},
    [CATALOG_TABLES] = {tables_sql, {TABLE_ROW(MEMBER, MEMBER)}},
    [CATALOG_COLUMNS] = {columns_sql, {COLUMN_ROW(MEMBER, MEMBER)}},
};

static void catalog_put_name(struct buf *out, struct arena *arena, bool cluster,
                             struct str name)
{
    buf_printf(out,
               cluster ? "from_utf8(from_hex('%.*s'))"
                       : "convert_from(decode('%.*s', 'hex'), 'UTF8')",
               STR_ARG(hex_encode(arena, name.ptr, name.len)));
}

static struct str catalog_sql(const struct catalog_list *c, struct arena *arena)
{
    const struct str names[] = {c->schema, c->table, c->search};
    bool cluster = source_dialect(c->source.opened) == DIALECT_TRINO;
    struct buf out;
    buf_init(&out, arena);
    for (const char *at = cluster ? cluster_sql[c->what] : kinds[c->what].sql;
         *at; at++)
        if (*at == '%')
            catalog_put_name(&out, arena, cluster, names[*++at - '1']);
        else
            buf_char(&out, *at);
    buf_printf(&out, " limit %d offset %lld", c->page_size,
               (long long)(c->page - 1) * c->page_size);
    return buf_finish(&out);
}

/* ---- reading ------------------------------------------------------------- */

struct next catalog_list_begin(struct flow *f)
{
    struct catalog_list *c = locals(f, struct catalog_list);
    c->source = (struct source_open){.store = c->store,
                                     .connection_id = c->connection_id,
                                     .database = c->database};
    return attempt(f, source_open_begin, &c->source, catalog_opened,
                   catalog_refused);
}

/* The host is not allowed, or no key opens the credentials. */
static struct next catalog_refused(struct flow *f)
{
    struct catalog_list *c = locals(f, struct catalog_list);
    if (!failure_text(f).len)
        return fail(f, failure(f));
    c->problem = arena_str(flow_keep(f), failure_text(f));
    return back(f);
}

static struct next catalog_opened(struct flow *f)
{
    struct catalog_list *c = locals(f, struct catalog_list);
    if (source_dialect(c->source.opened) == DIALECT_DUCKDB) {
        c->problem = STR("This connection is over uploaded files, whose tables "
                         "the dataset lists.");
        return back(f);
    }
    c->read = keep(f, struct read);
    c->read->options =
        (struct read_options){.source = c->source.opened,
                              .sql = catalog_sql(c, flow_here(f)),
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
    if (how == ERR_DATABASE_UNAVAILABLE && *source_problem(c->source.opened))
        message = str_of(source_problem(c->source.opened));
    c->problem = arena_str(flow_keep(f),
                           message.len ? message : str_of(err_sentence(how)));
    return back(f);
}

void catalog_write(struct json_writer *w, const struct catalog_list *c, int row)
{
    const struct catalog_kind *kind = &kinds[c->what];
    const struct str *cells = c->read->cells + row * c->read->n_columns;
    for (int i = 0; kind->members[i].key; i++)
        kind->members[i].put(w, kind->members[i].key, cells[i]);
}
