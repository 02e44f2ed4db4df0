/* model_json_read.c - the model from its JSON. The text was ours, yet it was
 * elsewhere meanwhile: what is not as written is refused, never assumed. */
#include "base/map.h"
#include "ontology/model_json.h"
#include "base/banned.h"

struct source {
    struct arena *arena;
    struct ontology *o;
    struct map names;   /* struct dataset by name */
    struct str problem; /* the first one; empty: none */
};

__attribute__((format(printf, 2, 3))) static void wrong(struct source *source,
                                                        const char *format, ...)
{
    va_list args;
    if (source->problem.len)
        return;
    va_start(args, format);
    source->problem = arena_vprintf(source->arena, format, args);
    va_end(args);
}

static struct str text(struct source *source, const json_t *of, const char *key)
{
    const json_t *v = json_object_get(of, key);
    if (v && !json_is_string(v))
        wrong(source, "%s is not a text", key);
    struct str s = json_text(v);
    return s.len ? arena_str(source->arena, s) : (struct str){"", 0};
}

static struct str name(struct source *source, const json_t *of)
{
    struct str s = text(source, of, "name");
    if (!s.len)
        wrong(source, "a name is missing");
    return s;
}

/* The array of a key; NULL, which jansson takes for empty, when absent. */
static const json_t *array(struct source *source, const json_t *of,
                           const char *key)
{
    const json_t *v = json_object_get(of, key);
    if (v && !json_is_array(v))
        wrong(source, "%s is not a list", key);
    return json_is_array(v) ? v : NULL;
}

static struct str_list items(struct source *source, const json_t *list)
{
    struct str_list out = {NULL, json_array_size(list)};
    out.items = arena_new_array(source->arena, struct str, out.n);
    for (size_t i = 0; i < out.n; i++) {
        const json_t *v = json_array_get(list, i);
        if (!json_is_string(v))
            wrong(source, "an item of a list is not a text");
        out.items[i] = arena_str(source->arena, json_text(v));
    }
    return out;
}

static struct str_list list(struct source *source, const json_t *of,
                            const char *key)
{
    return items(source, array(source, of, key));
}

static struct hints hints(struct source *source, const json_t *of)
{
    return (struct hints){.instructions = text(source, of, "instructions"),
                          .synonyms = list(source, of, "synonyms"),
                          .examples = list(source, of, "examples")};
}

static void read_field(struct source *source, const json_t *v, struct field *f)
{
    f->name = name(source, v);
    f->expression = text(source, v, "expression");
    f->dialect = text(source, v, "dialect");
    f->column = text(source, v, "column");
    f->description = text(source, v, "description");
    f->label = text(source, v, "label");
    f->datatype = text(source, v, "datatype");
    f->is_time = json_get_bool(v, "isTime", false);
    f->is_key = json_get_bool(v, "isKey", false);
    f->hints = hints(source, v);
}

static void read_keys(struct source *source, const json_t *v, struct dataset *d)
{
    const json_t *keys = array(source, v, "uniqueKeys");
    d->primary_key = list(source, v, "primaryKey");
    d->n_unique_keys = json_array_size(keys);
    d->unique_keys =
        arena_new_array(source->arena, struct str_list, d->n_unique_keys);
    for (size_t i = 0; i < d->n_unique_keys; i++)
        d->unique_keys[i] = items(source, json_array_get(keys, i));
}

static void read_dataset(struct source *source, const json_t *v,
                         struct dataset *d)
{
    const json_t *fields = array(source, v, "fields");
    d->name = name(source, v);
    d->description = text(source, v, "description");
    d->source = text(source, v, "source");
    d->schema = text(source, v, "schema");
    d->table = text(source, v, "table");
    d->query_relations = list(source, v, "queryRelations");
    d->yaml = text(source, v, "yaml");
    d->hints = hints(source, v);
    d->n_fields = json_array_size(fields);
    d->fields = arena_new_array(source->arena, struct field, d->n_fields);
    for (size_t i = 0; i < d->n_fields; i++)
        read_field(source, json_array_get(fields, i), &d->fields[i]);
    read_keys(source, v, d);
    if (map_get(&source->names, d->name))
        wrong(source, "there are two datasets \"%.*s\"", STR_ARG(d->name));
    map_put(&source->names, d->name, d);
}

static size_t dataset_named(struct source *source, const json_t *v)
{
    const struct dataset *d = map_get(&source->names, json_text(v));
    if (!d)
        wrong(source, "there is no dataset \"%.*s\"", STR_ARG(json_text(v)));
    return d ? (size_t)(d - source->o->datasets) : 0;
}

static void read_relationship(struct source *source, const json_t *v,
                              struct relationship *r)
{
    r->name = name(source, v);
    r->description = text(source, v, "description");
    r->from = dataset_named(source, json_object_get(v, "from"));
    r->to = dataset_named(source, json_object_get(v, "to"));
    r->from_columns = list(source, v, "fromColumns");
    r->to_columns = list(source, v, "toColumns");
    r->to_is_key = json_get_bool(v, "toIsKey", false);
    r->hints = hints(source, v);
    if (!r->from_columns.n || r->from_columns.n != r->to_columns.n)
        wrong(source, "the columns of \"%.*s\" do not match", STR_ARG(r->name));
}

static void read_metric(struct source *source, const json_t *v,
                        struct metric *metric)
{
    const json_t *datasets = array(source, v, "datasets");
    metric->name = name(source, v);
    metric->expression = text(source, v, "expression");
    metric->dialect = text(source, v, "dialect");
    metric->description = text(source, v, "description");
    metric->datatype = text(source, v, "datatype");
    metric->hints = hints(source, v);
    metric->n_datasets = json_array_size(datasets);
    metric->datasets =
        arena_new_array(source->arena, size_t, metric->n_datasets);
    for (size_t i = 0; i < metric->n_datasets; i++)
        metric->datasets[i] =
            dataset_named(source, json_array_get(datasets, i));
}

static void read_parts(struct source *source, const json_t *json)
{
    struct ontology *o = source->o;
    const json_t *datasets = array(source, json, "datasets");
    const json_t *relationships = array(source, json, "relationships");
    const json_t *metrics = array(source, json, "metrics");
    o->n_datasets = json_array_size(datasets);
    o->n_relationships = json_array_size(relationships);
    o->n_metrics = json_array_size(metrics);
    o->datasets = arena_new_array(source->arena, struct dataset, o->n_datasets);
    o->relationships =
        arena_new_array(source->arena, struct relationship, o->n_relationships);
    o->metrics = arena_new_array(source->arena, struct metric, o->n_metrics);
    for (size_t i = 0; i < o->n_datasets; i++)
        read_dataset(source, json_array_get(datasets, i), &o->datasets[i]);
    for (size_t i = 0; i < o->n_relationships; i++)
        read_relationship(source, json_array_get(relationships, i),
                          &o->relationships[i]);
    for (size_t i = 0; i < o->n_metrics; i++)
        read_metric(source, json_array_get(metrics, i), &o->metrics[i]);
}

struct ontology *ontology_from_json(struct arena *arena, const json_t *json,
                                    struct str *problem)
{
    struct source source = {.arena = arena,
                            .o = arena_new(arena, struct ontology)};
    map_init(&source.names, arena);
    if (json_get_int(json, "format", 0) != ONTOLOGY_JSON_FORMAT)
        wrong(&source, "not a model of format %d", ONTOLOGY_JSON_FORMAT);
    source.o->name = text(&source, json, "name");
    source.o->description = text(&source, json, "description");
    source.o->version = text(&source, json, "version");
    source.o->hints = hints(&source, json);
    read_parts(&source, json);
    if (problem)
        *problem = source.problem;
    return source.problem.len ? NULL : source.o;
}
