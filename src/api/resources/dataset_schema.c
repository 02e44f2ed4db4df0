/* dataset_schema.c - see dataset_schema.h. The stored tables are the sandbox's
 * answer, so members may be missing or of another type. */
#include "dataset_schema.h"
#include "base/json.h"
#include "base/banned.h"

enum { SAMPLE_ROWS = 5 };

/* A member as it is, or `otherwise` when it is absent. */
static void put_member(struct json_writer *w, const char *key, const json_t *v,
                       const char *otherwise)
{
    json_put_key(w, key);
    if (v)
        json_print_into(w->out, v);
    else
        buf_text(w->out, otherwise);
    w->comma = true;
}

static struct str column_name(const json_t *columns, size_t i)
{
    return json_get_text(json_array_get(columns, i), "name");
}

static void put_types(struct json_writer *w, const json_t *columns)
{
    json_field_object(w, "schema");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        json_put_key_str(w, column_name(columns, i));
        json_put_str(w, json_get_text(json_array_get(columns, i), "type"));
    }
    json_put_object_end(w);
}

static void put_sample_row(struct json_writer *w, const json_t *columns,
                           const json_t *row)
{
    json_put_object(w);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *cell = json_array_get(row, i);
        json_put_key_str(w, column_name(columns, i));
        if (json_is_string(cell))
            json_put_str(w, json_text(cell));
        else
            json_put_null(w);
    }
    json_put_object_end(w);
}

static void put_sample(struct json_writer *w, const json_t *columns,
                       const json_t *sample)
{
    size_t n = json_array_size(sample);
    json_field_array(w, "sample_rows");
    for (size_t i = 0; i < n && i < SAMPLE_ROWS; i++)
        put_sample_row(w, columns, json_array_get(sample, i));
    json_put_array_end(w);
}

static void put_table(struct json_writer *w, const struct stored_file *file,
                      const json_t *t)
{
    const json_t *columns = json_object_get(t, "columns");
    json_put_object(w);
    json_field_str(w, "name", file->name);
    json_field_str(w, "table_name", json_get_text(t, "name"));
    put_member(w, "sheet", json_object_get(t, "sheet"), "null");
    json_field_str(w, "format", file->format);
    json_field_int(w, "bytes", file->bytes);
    json_field_int(w, "rows", json_get_int(t, "rows", 0));
    put_types(w, columns);
    put_member(w, "columns", columns, "[]");
    put_sample(w, columns, json_object_get(t, "sample"));
    put_member(w, "notes", json_object_get(t, "notes"), "[]");
    json_put_object_end(w);
}

void dataset_schema_job(void *what)
{
    struct dataset_schema *s = what;
    struct json_writer w;
    json_writer_init(&w, &s->out);
    json_field_str(&w, "dataset_id", s->set_id);
    json_field_array(&w, "files");
    for (size_t i = 0; i < s->n_files; i++) {
        json_t *tables = json_read(s->files[i].tables, NULL);
        for (size_t k = 0; k < json_array_size(tables); k++)
            put_table(&w, &s->files[i], json_array_get(tables, k));
        json_decref(tables);
    }
    json_put_array_end(&w);
}

void dataset_schema_done(void *what)
{
    buf_done(&((struct dataset_schema *)what)->out);
}
