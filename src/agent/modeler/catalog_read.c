/* catalog_read.c - the system catalog in three reads: tables, columns, keys.
 *
 * Each is its own transaction; a table that is dropped in between is left
 * out. */
#include "engine/trino.h"
#include "modeling.h"
#include <string.h>
#include "base/banned.h"

enum { LABEL_END = 0x1f }; /* between labels in one cell */

static struct next tables_read(struct flow *f), columns_read(struct flow *f),
    keys_read(struct flow *f);

static bool is_trino(const struct modeler *m)
{
    return source_dialect(m->source) == DIALECT_TRINO;
}

/* ---- which tables ------------------------------------------------------- */

static void put_tables(struct buf *out, const struct modeler *m)
{
    buf_text(out,
             " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
             " where c.relkind in ('r', 'p', 'v', 'm', 'f')"
             " and not c.relispartition and c.relpersistence <> 't'"
             " and n.nspname not like 'pg\\_%'"
             " and n.nspname <> 'information_schema'"
             " and has_schema_privilege(n.oid, 'usage')"
             " and has_any_column_privilege(c.oid, 'select')"
             " and not exists (select from pg_depend d where d.objid = c.oid"
             "   and d.classid = 'pg_class'::regclass and d.deptype = 'e')");
    sql_put_filter(out, "n.nspname", &m->schemas);
    if (m->tables.n) {
        buf_text(out, " and (false or (true");
        sql_put_filter(out, "c.relname", &m->tables);
        buf_text(out, ") or (true");
        sql_put_filter(out, "n.nspname || '.' || c.relname", &m->tables);
        buf_text(out, "))");
    }
}

/* Trino's catalog of the connection, and its schema if it has one: a table's id
 * is its name. */
static void put_cluster_tables(struct buf *out, const struct modeler *m,
                               const char *schema, const char *table)
{
    buf_printf(out, " where %s <> 'information_schema'", schema);
    if (!m->schemas.n)
        buf_printf(out, " and (current_schema is null or %s = current_schema)",
                   schema);
    sql_put_filter(out, schema, &m->schemas);
    if (m->tables.n) {
        struct str full =
            arena_printf(m->memory, "%s || '.' || %s", schema, table);
        buf_text(out, " and (false or (true");
        sql_put_filter(out, table, &m->tables);
        buf_text(out, ") or (true");
        sql_put_filter(out, full.ptr, &m->tables);
        buf_text(out, "))");
    }
}

static void put_cluster_list(struct buf *out, const struct modeler *m)
{
    buf_text(out,
             "select t.table_schema || '.' || t.table_name, t.table_schema,"
             " t.table_name,"
             " case t.table_type when 'VIEW' then 'v' else 'r' end,"
             " c.comment, -1 from information_schema.tables t left join"
             " (select schema_name, table_name, comment"
             "    from system.metadata.table_comments"
             "    where catalog_name = current_catalog) c"
             " on c.schema_name = t.table_schema"
             "   and c.table_name = t.table_name");
    put_cluster_tables(out, m, "t.table_schema", "t.table_name");
}

static void put_cluster_columns(struct buf *out, const struct modeler *m)
{
    buf_text(out,
             "select table_schem || '.' || table_name, ordinal_position,"
             " column_name, lower(type_name), lower(type_name), false,"
             " is_nullable = 'NO', remarks, null from system.jdbc.columns");
    put_cluster_tables(out, m, "table_schem", "table_name");
    buf_text(out, " and table_cat = current_catalog order by 1, 2");
}

static struct next ask(struct flow *f, struct buf *sql, step_fn *then,
                       const char *name)
{
    struct modeler *m = locals(f, struct modeler);
    struct read *r = m->work->read = here(f, struct read);
    r->options = (struct read_options){.source = m->source,
                                       .sql = buf_finish(sql),
                                       .own = true,
                                       .max_rows = CATALOG_COLUMNS,
                                       .max_bytes = CATALOG_BYTES,
                                       .timeout_ms = CATALOG_MS};
    read_begin(f, r);
    return flow_await(f, then, name);
}

struct next catalog_read_begin(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    struct buf sql;
    buf_init(&sql, flow_here(f));
    if (is_trino(m)) {
        put_cluster_list(&sql, m);
    } else {
        buf_text(&sql,
                 "select c.oid, n.nspname, c.relname, c.relkind::text,"
                 " obj_description(c.oid, 'pg_class'), c.reltuples::bigint");
        put_tables(&sql, m);
    }
    buf_printf(&sql, " order by 2, 3 limit %d", MODELER_TABLES + 1);
    return ask(f, &sql, tables_read, "tables_read");
}

/* Names that the text of a model cannot have. */
static bool is_possible(struct str name)
{
    return name.len && str_eq(name, str_trim(name)) && !str_has_control(name) &&
           str_find(name, STR("\xef\xbf\xbd")) < 0;
}

static enum table_kind kind_of_table(struct str word)
{
    switch (word.len ? *word.ptr : 'r') {
    case 'v':
        return TABLE_VIEW;
    case 'm':
        return TABLE_MATERIALIZED;
    case 'f':
        return TABLE_FOREIGN;
    default:
        return TABLE_PLAIN;
    }
}

static void take_tables(struct modeler *m, const struct read *r)
{
    struct catalog *c = &m->catalog;
    struct catalog_read *reading = &m->work->reading;
    c->tables =
        arena_new_array(m->memory, struct catalog_table, (size_t)r->n_rows + 1);
    map_init(&reading->tables, m->memory);
    for (int i = 0; i < r->n_rows; i++) {
        struct catalog_table *t = &c->tables[c->n_tables];
        if (c->n_tables == MODELER_TABLES || !is_possible(cell_text(r, i, 1)) ||
            !is_possible(cell_text(r, i, 2))) {
            c->n_left_out++;
            continue;
        }
        t->schema = arena_str(m->memory, cell_text(r, i, 1));
        t->name = arena_str(m->memory, cell_text(r, i, 2));
        t->kind = kind_of_table(cell_text(r, i, 3));
        t->comment = arena_str(m->memory, cell_text(r, i, 4));
        t->rows = t->kind == TABLE_VIEW ? -1 : cell_int(r, i, 5);
        c->n_tables++;
        map_put(&reading->tables, arena_str(m->memory, cell_text(r, i, 0)), t);
    }
}

/* The index of the table with that oid. False: it was left out. */
static bool find_table(const struct modeler *m, struct str oid, size_t *place)
{
    const struct catalog_table *t = map_get(&m->work->reading.tables, oid);
    if (t)
        *place = (size_t)(t - m->catalog.tables);
    return t;
}

/* ---- columns ------------------------------------------------------------ */

static struct next tables_read(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    struct buf sql;
    read_rows(m->work->read, flow_here(f));
    take_tables(m, m->work->read);
    if (!m->catalog.n_tables)
        return fail_because(
            f, ERR_NO_DATASETS,
            "there is no table %sthat this connection may read",
            m->schemas.n || m->tables.n ? "of that name or schema " : "");
    buf_init(&sql, flow_here(f));
    if (is_trino(m)) {
        put_cluster_columns(&sql, m);
        return ask(f, &sql, columns_read, "columns_read");
    }
    buf_text(&sql,
             "select a.attrelid, a.attnum, a.attname,"
             " format_type(a.atttypid, a.atttypmod),"
             " case when y.typtype = 'd' then b.typname else y.typname end,"
             " y.typtype = 'e' or b.typtype = 'e', a.attnotnull,"
             " col_description(a.attrelid, a.attnum),"
             " (select string_agg(left(l.enumlabel, 60), E'\\x1f'"
             "    order by l.enumsortorder) from (select * from pg_enum e"
             "    where e.enumtypid in (y.oid, y.typbasetype)"
             "    order by e.enumsortorder limit 30) l)"
             " from pg_attribute a join pg_type y on y.oid = a.atttypid"
             " left join pg_type b on b.oid = y.typbasetype"
             " where a.attnum > 0 and not a.attisdropped"
             " and a.attrelid in (select c.oid");
    put_tables(&sql, m);
    buf_text(&sql, ") and has_column_privilege(a.attrelid, a.attnum, 'select')"
                   " order by a.attrelid, a.attnum");
    return ask(f, &sql, columns_read, "columns_read");
}

enum column_kind column_kind_of(struct str type, bool labels)
{
    static const struct {
        const char *type;
        enum column_kind kind;
    } kinds[] = {{"int2", COLUMN_INTEGER},
                 {"int4", COLUMN_INTEGER},
                 {"int8", COLUMN_INTEGER},
                 {"numeric", COLUMN_NUMBER},
                 {"float4", COLUMN_NUMBER},
                 {"float8", COLUMN_NUMBER},
                 {"text", COLUMN_TEXT},
                 {"varchar", COLUMN_TEXT},
                 {"bpchar", COLUMN_TEXT},
                 {"citext", COLUMN_TEXT},
                 {"uuid", COLUMN_UUID},
                 {"bool", COLUMN_BOOLEAN},
                 {"date", COLUMN_DATE},
                 {"timestamp", COLUMN_TIMESTAMP},
                 {"timestamptz", COLUMN_TIMESTAMP},
                 {"time", COLUMN_TIME},
                 {"timetz", COLUMN_TIME}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_is(type, kinds[i].type))
            return kinds[i].kind;
    return labels ? COLUMN_ENUM : COLUMN_OTHER;
}

static struct str_list split(struct arena *arena, struct str cell)
{
    struct str_list list = {NULL, 0};
    struct str rest = cell.len ? arena_str(arena, cell) : cell, piece;
    size_t n = 1;
    for (size_t i = 0; i < rest.len; i++)
        n += rest.ptr[i] == LABEL_END;
    list.items = arena_new_array(arena, struct str, n);
    while (rest.len && str_split(&rest, LABEL_END, &piece))
        if (piece.len)
            list.items[list.n++] = piece;
    return list;
}

static void take_column(struct modeler *m, const struct read *r, int row,
                        struct catalog_column *c)
{
    struct str type = cell_text(r, row, 4);
    if (is_trino(m))
        type = str_of(trino_type_word(type));
    *c = (struct catalog_column){
        .name = arena_str(m->memory, cell_text(r, row, 2)),
        .type = is_trino(m) ? type : arena_str(m->memory, cell_text(r, row, 3)),
        .kind = column_kind_of(type, str_is(cell_text(r, row, 5), "t")),
        .zoned = str_is(type, "timestamptz"),
        .floating = str_is(type, "float4") || str_is(type, "float8"),
        .required = str_is(cell_text(r, row, 6), "t"),
        .comment = arena_str(m->memory, cell_text(r, row, 7)),
        .labels = split(m->memory, cell_text(r, row, 8))};
}

static void take_columns(struct modeler *m, const struct read *r)
{
    struct catalog_read *reading = &m->work->reading;
    reading->numbers =
        arena_new_array(m->memory, int *, m->catalog.n_tables + 1);
    for (int i = 0, n; i < r->n_rows; i += n) {
        struct str oid = cell_text(r, i, 0);
        size_t place;
        for (n = 1; i + n < r->n_rows && str_eq(cell_text(r, i + n, 0), oid);)
            n++;
        if (!find_table(m, oid, &place))
            continue;
        struct catalog_table *t = &m->catalog.tables[place];
        t->columns =
            arena_new_array(m->memory, struct catalog_column, (size_t)n);
        int *numbers = arena_new_array(m->memory, int, (size_t)n);
        for (int k = 0; k < n; k++) {
            if (!is_possible(cell_text(r, i + k, 2)))
                continue;
            take_column(m, r, i + k, &t->columns[t->n_columns]);
            numbers[t->n_columns++] = (int)cell_int(r, i + k, 1);
        }
        reading->numbers[place] = numbers;
    }
}

/* ---- keys and foreign keys ---------------------------------------------- */

static struct next columns_read(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    struct buf sql;
    read_rows(m->work->read, flow_here(f));
    take_columns(m, m->work->read);
    if (is_trino(m)) { /* it knows no keys */
        m->catalog.links = arena_new_array(m->memory, struct catalog_link, 1);
        catalog_mark_personal(&m->catalog);
        return back(f);
    }
    buf_init(&sql, flow_here(f));
    buf_text(&sql, "with t as (select c.oid");
    put_tables(&sql, m);
    buf_text(&sql,
             ") select k.conrelid, k.contype::text,"
             " array_to_string(k.conkey, ','), k.confrelid,"
             " array_to_string(k.confkey, ','), k.conname::text"
             " from pg_constraint k where k.contype in ('p', 'u', 'f')"
             " and k.conparentid = 0 and k.conrelid in (select oid from t)"
             " union all select i.indrelid, 'u', array_to_string("
             "   (i.indkey::int2[])[0:i.indnkeyatts - 1], ','), 0, '', ''"
             " from pg_index i where i.indisunique and i.indisvalid"
             " and i.indpred is null and i.indexprs is null"
             " and i.indrelid in (select oid from t) and not exists"
             " (select from pg_constraint k where k.conindid = i.indexrelid"
             "    and k.contype in ('p', 'u'))"
             " order by 2 desc, 1, 6, 3");
    return ask(f, &sql, keys_read, "keys_read");
}

/* The indexes of the columns with those numbers; 0: one of them is missing. */
static size_t places(struct modeler *m, size_t table, struct str numbers,
                     size_t out[LINK_COLUMNS])
{
    const struct catalog_table *t = &m->catalog.tables[table];
    const int *known = m->work->reading.numbers[table];
    struct str number;
    size_t n = 0;
    while (str_split(&numbers, ',', &number)) {
        int64_t wanted = 0;
        size_t at = 0;
        str_to_int64(number, &wanted);
        while (at < t->n_columns && known[at] != wanted)
            at++;
        if (at == t->n_columns || n == LINK_COLUMNS)
            return 0;
        out[n++] = at;
    }
    return n;
}

static size_t *copy(struct modeler *m, const size_t *columns, size_t n)
{
    size_t *out = arena_new_array(m->memory, size_t, n);
    memcpy(out, columns, n * sizeof *out);
    return out;
}

static void take_key(struct modeler *m, size_t table, struct str columns,
                     bool primary)
{
    struct catalog_table *t = &m->catalog.tables[table];
    size_t own[LINK_COLUMNS], n = places(m, table, columns, own);
    if (!n)
        return;
    struct catalog_key *keys =
        arena_new_array(m->memory, struct catalog_key, t->n_keys + 1);
    for (size_t i = 0; i < t->n_keys; i++)
        keys[i + primary] = t->keys[i];
    keys[primary ? 0 : t->n_keys] = (struct catalog_key){
        .columns = copy(m, own, n), .n = n, .primary = primary};
    t->keys = keys;
    t->n_keys++;
}

static void take_link(struct modeler *m, const struct read *r, int row,
                      size_t from)
{
    struct catalog *c = &m->catalog;
    size_t own[LINK_COLUMNS], theirs[LINK_COLUMNS];
    size_t to;
    if (!find_table(m, cell_text(r, row, 3), &to))
        return;
    size_t n = places(m, from, cell_text(r, row, 2), own);
    if (!n || places(m, to, cell_text(r, row, 4), theirs) != n)
        return;
    c->links[c->n_links++] =
        (struct catalog_link){.from = from,
                              .to = to,
                              .n = n,
                              .from_columns = copy(m, own, n),
                              .to_columns = copy(m, theirs, n),
                              .origin = LINK_DECLARED};
}

static struct next keys_read(struct flow *f)
{
    struct modeler *m = locals(f, struct modeler);
    struct read *r = m->work->read;
    read_rows(r, flow_here(f));
    m->catalog.links =
        arena_new_array(m->memory, struct catalog_link, (size_t)r->n_rows + 1);
    for (int i = 0; i < r->n_rows; i++) {
        size_t place;
        struct str type = cell_text(r, i, 1);
        if (!find_table(m, cell_text(r, i, 0), &place))
            continue;
        if (str_is(type, "f"))
            take_link(m, r, i, place);
        else
            take_key(m, place, cell_text(r, i, 2), str_is(type, "p"));
    }
    catalog_mark_personal(&m->catalog);
    return back(f);
}
