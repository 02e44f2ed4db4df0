/* csv_schema.c - get_dataset_schema: the tables of a dataset, their columns, and
 * a few rows of each.
 *
 *   csv_get_schema -> table_due <-> rows_read; -> schema_known */
#include "csv_result.h"
#include "base/utf8.h"
#include "db/source.h"
#include "ontology/columns.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum {
    SAMPLE_ROWS = 3,
    SAMPLED_TABLES = 12,
    SAMPLED_BYTES = 64 * 1024,
    SAMPLED_COLUMNS = 50,
    CELL_CHARACTERS = 100,
    SHOWN_COLUMNS = 300,
};

static struct next table_due(struct flow *f), rows_read(struct flow *f),
    schema_known(struct flow *f);

struct csv_schema {
    struct tool_run *tool;
    struct tool_context context; /* with bounds of its own */
    struct query_tool query;
    struct buf out;
    struct json_writer w;
    size_t at; /* the table */
};

/* As SQL names the table. Its schema is left out when it is the one that a name
 * without a schema means. */
static struct str table_name(const struct csv_schema *s, struct arena *a,
                             const struct dataset *d)
{
    bool duckdb = source_dialect(s->context.source) == DIALECT_DUCKDB;
    if (!d->table.len)
        return dataset_relation(a, d);
    if (!d->schema.len || str_is(d->schema, duckdb ? "main" : "public"))
        return d->table;
    return arena_printf(a, "%.*s.%.*s", STR_ARG(d->schema), STR_ARG(d->table));
}

static void put_columns(struct csv_schema *s, const struct dataset *d)
{
    struct json_writer *w = &s->w;
    size_t shown = 0;
    json_field_object(w, "schema");
    for (size_t i = 0; i < d->n_fields && shown < SHOWN_COLUMNS; i++) {
        const struct field *f = &d->fields[i];
        if (!f->column.len)
            continue;
        json_put_key_str(w, f->column);
        json_put_str(w, f->datatype.len ? f->datatype : STR("unknown"));
        shown++;
    }
    json_put_object_end(w);
    if (d->n_fields > SHOWN_COLUMNS)
        json_field_int(w, "columns_not_shown",
                       (int64_t)(d->n_fields - SHOWN_COLUMNS));
}

static void put_table(struct csv_schema *s, const struct dataset *d)
{
    struct json_writer *w = &s->w;
    json_put_object(w);
    json_field_str(w, "name", d->name);
    json_field_str(w, "table_name", table_name(s, s->tool->memory, d));
    if (d->description.len)
        json_field_str(w, "description", utf8_first(d->description, 500));
    put_columns(s, d);
    json_field_array(w, "sample_rows");
}

struct next csv_get_schema(struct flow *f, const json_t *args)
{
    struct tool_run *t = locals(f, struct tool_run);
    if (!csv_right_dataset(f, args))
        return csv_wrong_dataset(f, args);
    struct csv_schema *s = arena_new(t->memory, struct csv_schema);
    t->state = s;
    *s = (struct csv_schema){.tool = t, .context = *t->context};
    if (s->context.sql_max_bytes > SAMPLED_BYTES)
        s->context.sql_max_bytes = SAMPLED_BYTES;
    buf_init(&s->out, t->memory);
    json_writer_init(&s->w, &s->out);
    json_put_object(&s->w);
    json_field_str(&s->w, "dataset_id", t->context->dataset_id);
    json_field_array(&s->w, "files");
    return call(f, table_due, s, schema_known);
}

/* A model may see rows only when all rows are shared. */
static struct next table_due(struct flow *f)
{
    struct csv_schema *s = locals(f, struct csv_schema);
    const struct tool_context *c = &s->context;
    const struct ontology *o = c->ontology->model;
    for (; s->at < o->n_datasets && s->out.len < c->text_budget; s->at++) {
        const struct dataset *d = &o->datasets[s->at];
        put_table(s, d);
        if (c->share_rows == SHARE_ALL && s->at < SAMPLED_TABLES)
            break;
        json_put_array_end(&s->w);
        json_put_object_end(&s->w);
    }
    if (s->at == o->n_datasets || s->out.len >= c->text_budget)
        return back(f);
    s->query = (struct query_tool){
        .context = c,
        .sql = arena_printf(
            s->tool->memory, "select * from %.*s as t limit %d",
            STR_ARG(dataset_relation(flow_here(f), &o->datasets[s->at])),
            SAMPLE_ROWS),
        .max_rows = SAMPLE_ROWS,
        .memory = s->tool->memory};
    return call(f, query_tool_begin, &s->query, rows_read);
}

static void put_row(struct csv_schema *s, int row)
{
    const struct query_tool *q = &s->query;
    json_put_object(&s->w);
    for (int i = 0; i < q->n_columns && i < SAMPLED_COLUMNS; i++) {
        struct str cell = q->cells[row * q->n_columns + i];
        json_put_key_str(&s->w, q->columns[i].name);
        if (cell.ptr)
            json_put_str(&s->w, utf8_first(cell, CELL_CHARACTERS));
        else
            json_put_null(&s->w);
    }
    json_put_object_end(&s->w);
}

/* A table that cannot be read now has no rows to show. */
static struct next rows_read(struct flow *f)
{
    struct csv_schema *s = locals(f, struct csv_schema);
    for (int i = 0; !s->query.failed && i < s->query.n_shown; i++)
        put_row(s, i);
    json_put_array_end(&s->w);
    json_put_object_end(&s->w);
    s->at++;
    return go(f, table_due);
}

/* Of the JSON, users see the tables only. */
static struct str shown_tables(struct flow *f, const struct tool_context *c)
{
    const struct ontology *o = c->ontology->model;
    struct buf out;
    struct json_writer w;
    buf_init(&out, flow_here(f));
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_str(&w, "dataset_id", c->dataset_id);
    json_field_array(&w, "files");
    for (size_t i = 0; i < o->n_datasets && out.len < CSV_SHOWN_BYTES - 500;
         i++) {
        json_put_object(&w);
        json_field_str(&w, "name", utf8_first(o->datasets[i].name, 60));
        json_field_int(&w, "columns", (int64_t)o->datasets[i].n_fields);
        json_put_object_end(&w);
    }
    json_put_array_end(&w);
    json_put_object_end(&w);
    return buf_view(&out);
}

static struct next schema_known(struct flow *f)
{
    struct tool_run *t = locals(f, struct tool_run);
    struct csv_schema *s = t->state;
    const struct ontology *o = t->context->ontology->model;
    json_put_array_end(&s->w);
    if (s->at < o->n_datasets) {
        json_field_array(&s->w, "tables_not_shown");
        for (size_t i = s->at; i < o->n_datasets && i < s->at + 500; i++)
            json_put_str(&s->w, o->datasets[i].name);
        json_put_array_end(&s->w);
    }
    json_put_object_end(&s->w);
    return csv_succeed(f, buf_view(&s->out), shown_tables(f, t->context));
}
