/* compare.c - reads what a model describes from a catalog; see
 * agent/model_compare.h. */
#include "agent/model_compare.h"
#include "modeling.h"
#include "ontology/absent.h"
#include "ontology/columns.h"
#include "base/banned.h"

static struct next source_opened(struct flow *f), columns_read(struct flow *f);

static const char cluster_columns_sql[] =
    "select table_schem || '.' || table_name, column_name"
    " from system.jdbc.columns where table_cat = current_catalog";

struct next model_compare_begin(struct flow *f)
{
    struct model_compare *c = locals(f, struct model_compare);
    return call(f, source_open_begin, &c->source, source_opened);
}

/* Without the restrictions of the modeler: a model may name a partition, or a
 * table of an extension. */
static struct next source_opened(struct flow *f)
{
    struct model_compare *c = locals(f, struct model_compare);
    struct str_list wanted = ontology_relations(flow_here(f), c->model);
    struct buf sql;
    enum source_dialect dialect = source_dialect(c->source.opened);
    bool cluster = dialect == DIALECT_TRINO;
    if (!wanted.n || dialect == DIALECT_DUCKDB)
        return back(f); /* the tables of files do not change */
    buf_init(&sql, flow_here(f));
    buf_text(
        &sql,
        cluster
            ? cluster_columns_sql
            : "select n.nspname || '.' || c.relname, a.attname"
              " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
              " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0"
              " and not a.attisdropped"
              " where c.relkind in ('r', 'p', 'v', 'm', 'f')"
              " and has_schema_privilege(n.oid, 'usage')"
              " and has_column_privilege(c.oid, a.attnum, 'select')");
    sql_put_filter(&sql,
                   cluster ? "table_schem || '.' || table_name"
                           : "n.nspname || '.' || c.relname",
                   &wanted);
    buf_text(&sql, " order by 1");
    c->read = here(f, struct read);
    c->read->options = (struct read_options){.source = c->source.opened,
                                             .sql = buf_finish(&sql),
                                             .own = true,
                                             .search_path = STR("pg_catalog"),
                                             .max_rows = CATALOG_COLUMNS,
                                             .max_bytes = CATALOG_BYTES,
                                             .timeout_ms = CATALOG_MS};
    read_begin(f, c->read);
    return await(f, columns_read);
}

static void take_tables(struct map *seen, struct arena *arena,
                        const struct read *r)
{
    for (int i = 0, n; i < r->n_rows; i += n) {
        struct str table = cell_text(r, i, 0);
        for (n = 1; i + n < r->n_rows && str_eq(cell_text(r, i + n, 0), table);)
            n++;
        struct str_list *columns = arena_new(arena, struct str_list);
        columns->items = arena_new_array(arena, struct str, (size_t)n);
        for (int k = 0; k < n; k++)
            columns->items[columns->n++] = cell_text(r, i + k, 1);
        map_put(seen, table, columns);
    }
}

static struct next columns_read(struct flow *f)
{
    struct model_compare *c = locals(f, struct model_compare);
    struct map seen;
    read_rows(c->read, c->memory);
    map_init(&seen, c->memory);
    take_tables(&seen, c->memory, c->read);
    c->absent = ontology_absent(c->memory, c->model, &seen);
    return back(f);
}
