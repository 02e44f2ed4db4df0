/* file_model.c - see agent/file_model.h.
 *
 *   file_model_begin -> (making_begin -> set_known -> set_read -> connected ->
 *   files_opened -> model_drafted -> datasets_embedded -> model_stored) -> made
 *                    \ not_made -> failure_stored
 *   both -> settled */
#include "agent/file_model.h"
#include "agent/vectors.h"
#include "base/json.h"
#include "base/one_line.h"
#include "modeling.h"
#include "store/file_models.h"
#include "store/ontologies.h"
#include "base/banned.h"

static struct next making_begin(struct flow *f), set_known(struct flow *f),
    set_read(struct flow *f), connected(struct flow *f),
    files_opened(struct flow *f), model_drafted(struct flow *f),
    datasets_embedded(struct flow *f), model_stored(struct flow *f),
    made(struct flow *f), settled(struct flow *f), not_made(struct flow *f),
    failure_stored(struct flow *f);

enum {
    TABLES_MOST = 1000,
    COLUMNS_MOST = 5000, /* of one table */
    TITLE_BYTES = 200,
    NAME_BYTES = 200,
    SAMPLES_MOST = 12,
    SAMPLE_BYTES = 240,
    RANGE_BYTES_MOST = 60,
};

struct file_model_work {
    struct arena memory; /* without limit; the profile bounds it */
    struct file_model_load set;
    struct file_model_connect connect;
    struct file_model_settle settle;
    struct source_open source;
    struct modeler modeler;
    struct dataset_vectors vectors;
    struct ontology_import import;
    struct work thread;
    bool readable; /* the profile */
    enum err why;
    struct str reason;
};

/* ---- the profile as a catalog ------------------------------------------- */

static struct str one_line(struct arena *arena, struct str text, size_t most)
{
    struct buf out;
    buf_init(&out, arena);
    one_line_put(&out, text, most);
    return buf_finish(&out);
}

/* "numeric(18,3)" is a numeric. */
static struct str base_type(struct str type)
{
    ptrdiff_t paren = str_find_char(type, '(');
    return paren > 0 ? str_cut(type, 0, (size_t)paren) : type;
}

static bool has_range(enum column_kind kind)
{
    return kind == COLUMN_NUMBER || kind == COLUMN_INTEGER ||
           kind == COLUMN_DATE || kind == COLUMN_TIMESTAMP;
}

static struct str range_end(struct arena *memory, const json_t *v,
                            const char *key)
{
    struct str text = json_get_text(v, key);
    return text.len <= RANGE_BYTES_MOST ? arena_str(memory, text) : STR("");
}

static void take_values(struct arena *memory, const json_t *list,
                        struct catalog_column *c)
{
    struct str values[SAMPLES_MOST];
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list) && n < SAMPLES_MOST; i++) {
        struct str value = json_text(json_array_get(list, i));
        if (value.len && value.len <= SAMPLE_BYTES)
            values[n++] = one_line(memory, value, SAMPLE_BYTES);
    }
    column_take_samples(memory, c, values, n);
}

static void take_column(struct arena *memory, const json_t *v, int64_t rows,
                        struct catalog_column *c)
{
    struct str type = base_type(json_get_text(v, "type"));
    struct str title = json_get_text(v, "title");
    int64_t nulls = json_get_int(v, "nulls", 0);
    *c = (struct catalog_column){
        .name = one_line(memory, json_get_text(v, "name"), NAME_BYTES),
        .type = one_line(memory, type, NAME_BYTES),
        .comment = title.len ? one_line(memory, title, TITLE_BYTES) : STR(""),
        .kind = column_kind_of(type, false),
        .zoned = str_is(type, "timestamptz"),
        .floating = str_is(type, "float4") || str_is(type, "float8"),
        .required = rows > 0 && nulls == 0,
        .profiled = true,
        .n_values = rows > nulls ? rows - nulls : 0,
        .n_distinct = json_get_int(v, "distinct", 0)};
    if (has_range(c->kind)) {
        c->least = range_end(memory, v, "min");
        c->greatest = range_end(memory, v, "max");
    }
}

static bool take_table(struct arena *memory, const json_t *v,
                       struct str filename, struct catalog_table *t)
{
    const json_t *columns = json_object_get(v, "columns");
    struct str name = json_get_text(v, "name");
    struct str sheet = json_get_text(v, "sheet");
    size_t n = json_array_size(columns);
    if (!name.len || !n || n > COLUMNS_MOST)
        return false;
    struct buf comment;
    buf_init(&comment, memory);
    buf_text(&comment, "From the file ");
    one_line_put(&comment, filename, NAME_BYTES);
    if (sheet.len) {
        buf_text(&comment, ", sheet ");
        one_line_put(&comment, sheet, NAME_BYTES);
    }
    buf_char(&comment, '.');
    *t = (struct catalog_table){
        .schema = STR("main"), /* DuckDB's own */
        .name = one_line(memory, name, NAME_BYTES),
        .comment = buf_finish(&comment),
        .kind = TABLE_PLAIN,
        .rows = json_get_int(v, "rows", -1),
        .exact_rows = json_get_int(v, "rows", -1) >= 0,
        .columns = arena_new_array(memory, struct catalog_column, n),
        .n_columns = n};
    for (size_t i = 0; i < n; i++)
        take_column(memory, json_array_get(columns, i), t->rows,
                    &t->columns[i]);
    return true;
}

/* Values are looked at last, because the names say which are personal. */
static void take_samples(struct arena *memory, const json_t *v,
                         struct catalog_table *t)
{
    const json_t *columns = json_object_get(v, "columns");
    for (size_t i = 0; i < t->n_columns; i++)
        if (!t->columns[i].personal && t->columns[i].kind == COLUMN_TEXT)
            take_values(memory,
                        json_object_get(json_array_get(columns, i), "samples"),
                        &t->columns[i]);
}

static size_t count_tables(const json_t *files)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(files); i++)
        n += json_array_size(
            json_object_get(json_array_get(files, i), "tables"));
    return n;
}

bool file_model_catalog(struct arena *memory, struct str files,
                        struct catalog *catalog)
{
    json_t *list = json_read(files, NULL);
    size_t n = count_tables(list);
    const json_t **of = arena_new_array(memory, const json_t *, n + 1);
    catalog->tables = arena_new_array(memory, struct catalog_table, n + 1);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *file = json_array_get(list, i);
        const json_t *tables = json_object_get(file, "tables");
        for (size_t k = 0; k < json_array_size(tables); k++) {
            const json_t *v = json_array_get(tables, k);
            size_t at = catalog->n_tables;
            if (at < TABLES_MOST &&
                take_table(memory, v, json_get_text(file, "filename"),
                           &catalog->tables[at]))
                of[catalog->n_tables++] = v;
            else
                catalog->n_left_out++;
        }
    }
    catalog_mark_personal(catalog);
    for (size_t i = 0; i < catalog->n_tables; i++)
        take_samples(memory, of[i], &catalog->tables[i]);
    bool good = json_is_array(list);
    json_decref(list);
    return good;
}

static void read_profile(void *work)
{
    struct file_model_work *w = work;
    w->readable =
        file_model_catalog(&w->memory, w->set.files, &w->modeler.catalog);
}

/* ---- the making --------------------------------------------------------- */

static void work_done(void *work)
{
    arena_done(&((struct file_model_work *)work)->memory);
}

struct next file_model_begin(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    struct file_model_work *w = m->work = here(f, struct file_model_work);
    arena_init(&w->memory, 0);
    defer(f, work_done, w);
    return attempt(f, making_begin, m, made, not_made);
}

static struct next making_begin(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    m->work->set = (struct file_model_load){.store = agent_store(m->agent),
                                            .file_set_id = m->file_set_id};
    return call(f, file_model_load_begin, &m->work->set, set_known);
}

static struct next set_known(struct flow *f)
{
    struct file_model_work *w = locals(f, struct file_model)->work;
    work_begin(f, &w->thread, read_profile, w);
    return await(f, set_read);
}

static struct next set_read(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    struct file_model_work *w = m->work;
    if (!w->readable || !w->modeler.catalog.n_tables)
        return fail(f, ERR_NO_DATASETS);
    w->connect = (struct file_model_connect){.store = agent_store(m->agent),
                                             .file_set_id = m->file_set_id};
    return call(f, file_model_connect_begin, &w->connect, connected);
}

static struct next connected(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    struct file_model_work *w = m->work;
    m->name = w->connect.name;
    m->connection_id = w->connect.id;
    w->source = (struct source_open){.store = agent_store(m->agent),
                                     .connection_id = m->connection_id};
    return call(f, source_open_begin, &w->source, files_opened);
}

static struct next files_opened(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    struct file_model_work *w = m->work;
    w->modeler = (struct modeler){.source = w->source.opened,
                                  .name = m->name,
                                  .database = m->name,
                                  .catalog = w->modeler.catalog,
                                  .is_profiled = true,
                                  .user_id = w->set.owner_id,
                                  .memory = &w->memory};
    return call(f, modeler_begin, &w->modeler, model_drafted);
}

static struct next model_drafted(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    struct file_model_work *w = m->work;
    w->vectors =
        (struct dataset_vectors){.with = agent_settings(m->agent)->embedding,
                                 .model = w->modeler.model,
                                 .memory = &w->memory,
                                 .agent = m->agent,
                                 .user_id = w->set.owner_id};
    return call(f, dataset_vectors_begin, &w->vectors, datasets_embedded);
}

static struct next datasets_embedded(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    struct file_model_work *w = m->work;
    w->import = (struct ontology_import){.store = agent_store(m->agent),
                                         .owner_id = w->set.owner_id,
                                         .connection_id = m->connection_id,
                                         .name = m->name,
                                         .description = w->set.description,
                                         .source_text = w->modeler.text,
                                         .model = w->modeler.model,
                                         .fresh = w->connect.made};
    dataset_vectors_into(&w->vectors, &w->import);
    return call(f, ontology_import_begin, &w->import, model_stored);
}

static struct next model_stored(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    const struct ontology_import *i = &m->work->import;
    if (i->taken)
        return fail_because(f, ERR_CONFLICT,
                            "You already have a semantic model of this name.");
    m->model_id = i->model_id;
    m->ontology_id = i->ontology_id;
    return back(f);
}

/* ---- the end ------------------------------------------------------------ */

static struct file_model_settle *settle_of(struct file_model *m)
{
    m->work->settle =
        (struct file_model_settle){.store = agent_store(m->agent),
                                   .file_set_id = m->file_set_id,
                                   .connection_id = m->connection_id,
                                   .model_id = m->model_id,
                                   .ontology_id = m->ontology_id};
    return &m->work->settle;
}

static struct next made(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    return call(f, file_model_settle_begin, settle_of(m), settled);
}

static struct next settled(struct flow *f)
{
    return back(f);
}

static struct next not_made(struct flow *f)
{
    struct file_model *m = locals(f, struct file_model);
    struct file_model_work *w = m->work;
    struct str text = failure_text(f);
    w->why = failure(f);
    if (w->why == ERR_NOT_FOUND)
        return fail(f, w->why);
    if (w->why == ERR_NO_DATASETS)
        text = STR("The files have no table that can be read.");
    w->reason =
        arena_str(&w->memory, text.len ? text : str_of(err_sentence(w->why)));
    m->connection_id = m->model_id = m->ontology_id = STR("");
    settle_of(m)->failure = w->reason;
    return call(f, file_model_settle_begin, &w->settle, failure_stored);
}

static struct next failure_stored(struct flow *f)
{
    const struct file_model_work *w = locals(f, struct file_model)->work;
    return fail_with(f, w->why, w->reason);
}
