/* checkpoint.c - what the modeler knows so far, as JSON: the catalog by a table
 * of its fields, as artifacts have one (artifact/tables.h). */
#include "artifact/tables.h"
#include "base/json.h"
#include "modeling.h"
#include "base/banned.h"

/* size_t and int64_t have one size. */
_Static_assert(sizeof(size_t) == sizeof(int64_t),
               "indexes are read as int64_t");

struct checkpoint {
    int stage;
    struct catalog_table *tables;
    size_t n_tables;
    struct catalog_link *links;
    size_t n_links;
    size_t n_left_out, n_unread, n_undescribed;
    struct str describer_problem;
};

/* In the order of their enums. */
static const char *const stages[] = {"none", "samples", "links", "descriptions",
                                     NULL};
static const char *const table_kinds[] = {"table", "view", "materialized",
                                          "foreign", NULL};
static const char *const link_origins[] = {"declared", "confirmed", "by_name",
                                           "suggested", NULL};
static const char *const column_kinds[] = {
    "integer", "number",    "text", "enum",  "uuid", "boolean",
    "date",    "timestamp", "time", "other", NULL};

#define RECORD(tag, ...) \
    static const struct artifact_field *tag##_fields(void) \
    { \
        typedef struct tag SELF; \
        static const struct artifact_field fields[] = {__VA_ARGS__, {0}}; \
        return fields; \
    } \
    static const struct artifact_type tag##_type = {#tag, sizeof(struct tag), \
                                                    tag##_fields}
#define FIELD(kind, c) \
    {#c, ARTIFACT_##kind, 0, 0, offsetof(SELF, c), 0, 0, 0, ""}
#define WORD(c, words) \
    {#c, ARTIFACT_CHOICE, 0, 0, offsetof(SELF, c), 0, 0, words, ""}
#define LIST(kind, c, n, type) \
    {#c, ARTIFACT_##kind, 0, 0, offsetof(SELF, c), offsetof(SELF, n), type, 0, \
     ""}

RECORD(catalog_column, FIELD(TEXT, name), FIELD(TEXT, type),
       FIELD(TEXT, comment), LIST(TEXTS, labels.items, labels.n, NULL),
       WORD(kind, column_kinds), FIELD(BOOL, zoned), FIELD(BOOL, floating),
       FIELD(BOOL, required), FIELD(BOOL, personal), FIELD(BOOL, profiled),
       FIELD(INT, n_values), FIELD(INT, n_distinct), FIELD(TEXT, least),
       FIELD(TEXT, greatest), LIST(TEXTS, samples.items, samples.n, NULL));
RECORD(catalog_key, LIST(INTS, columns, n, NULL), FIELD(BOOL, primary),
       FIELD(BOOL, found), FIELD(BOOL, unseen));
RECORD(catalog_table, FIELD(TEXT, schema), FIELD(TEXT, name),
       FIELD(TEXT, comment), WORD(kind, table_kinds), FIELD(INT, rows),
       FIELD(BOOL, exact_rows),
       LIST(MANY, columns, n_columns, &catalog_column_type),
       LIST(MANY, keys, n_keys, &catalog_key_type));
RECORD(catalog_link, FIELD(INT, from), FIELD(INT, to),
       LIST(INTS, from_columns, n, NULL), LIST(INTS, to_columns, n, NULL),
       WORD(origin, link_origins), FIELD(TEXT, role), FIELD(TEXT, evidence));
RECORD(checkpoint, WORD(stage, stages),
       LIST(MANY, tables, n_tables, &catalog_table_type),
       LIST(MANY, links, n_links, &catalog_link_type), FIELD(INT, n_left_out),
       FIELD(INT, n_unread), FIELD(INT, n_undescribed),
       FIELD(TEXT, describer_problem));

void checkpoint_write(struct modeler *m, enum modeler_stage stage)
{
    const struct catalog *c = &m->catalog;
    if (!m->on_checkpoint || stage == m->work->stage)
        return;
    m->work->stage = stage;
    const struct checkpoint all = {.stage = (int)stage,
                                   .tables = c->tables,
                                   .n_tables = c->n_tables,
                                   .links = c->links,
                                   .n_links = c->n_links,
                                   .n_left_out = c->n_left_out,
                                   .n_unread = m->n_unread,
                                   .n_undescribed = m->n_undescribed,
                                   .describer_problem = m->describer_problem};
    struct str text = artifact_json(m->memory, &checkpoint_type, &all);
    if (text.len <= CHECKPOINT_BYTES)
        m->work->checkpoint = text;
}

/* Indexes that point into the catalog. */
static bool is_sound(const struct checkpoint *all)
{
    for (size_t t = 0; t < all->n_tables; t++)
        for (size_t k = 0; k < all->tables[t].n_keys; k++)
            for (size_t i = 0; i < all->tables[t].keys[k].n; i++)
                if (all->tables[t].keys[k].columns[i] >=
                    all->tables[t].n_columns)
                    return false;
    for (size_t l = 0; l < all->n_links; l++) {
        const struct catalog_link *link = &all->links[l];
        if (link->from >= all->n_tables || link->to >= all->n_tables)
            return false;
        for (size_t i = 0; i < link->n; i++)
            if (link->from_columns[i] >= all->tables[link->from].n_columns ||
                link->to_columns[i] >= all->tables[link->to].n_columns)
                return false;
    }
    return all->stage != STAGE_NONE;
}

void checkpoint_read(void *modeler)
{
    struct modeler *m = modeler;
    struct checkpoint all;
    struct artifact_problem problem;
    json_t *v = json_read(m->checkpoint, NULL);
    bool read =
        v &&
        artifact_read_back(m->memory, &checkpoint_type, v, &all, &problem) &&
        is_sound(&all);
    json_decref(v);
    if (!read)
        return;
    m->work->stage = (enum modeler_stage)all.stage;
    m->catalog.tables = all.tables;
    m->catalog.n_tables = all.n_tables;
    m->catalog.links = all.links;
    m->catalog.n_links = all.n_links;
    m->catalog.n_left_out = all.n_left_out;
    m->n_unread = all.n_unread;
    m->n_undescribed = all.n_undescribed;
    m->describer_problem = all.describer_problem;
}
