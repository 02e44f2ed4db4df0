/* model_json_read.c - builds a model from its JSON. We wrote the JSON, but
 * it was stored outside the process since: anything unexpected is refused. */
#include "base/map.h"
#include "ontology/model_json.h"
#include "base/banned.h"

struct model_json {
    struct arena *arena;
    struct ontology *o;
    struct map names;   /* struct dataset by name */
    struct str problem; /* the first one; empty: none */
};

__attribute__((format(printf, 2, 3))) static void
set_problem(struct model_json *source, const char *format, ...)
{
    va_list args;
    if (source->problem.len)
        return;
    va_start(args, format);
    source->problem = arena_vprintf(source->arena, format, args);
    va_end(args);
}

static struct str read_text(struct model_json *source, const json_t *of,
                            const char *key)
{
    const json_t *v = json_object_get(of, key);
    if (v && !json_is_string(v))
        set_problem(source, "%s is not a text", key);
    struct str s = json_text(v);
    return s.len ? arena_str(source->arena, s) : (struct str){"", 0};
}

static struct str read_name(struct model_json *source, const json_t *of)
{
    struct str s = read_text(source, of, "name");
    if (!s.len)
        set_problem(source, "a name is missing");
    return s;
}

/* The array of a key. NULL, which jansson takes for an empty one, if absent. */
static const json_t *read_array(struct model_json *source, const json_t *of,
                                const char *key)
{
    const json_t *v = json_object_get(of, key);
    if (v && !json_is_array(v))
        set_problem(source, "%s is not a list", key);
    return json_is_array(v) ? v : NULL;
}

static struct str_list read_items(struct model_json *source, const json_t *list)
{
    struct str_list out = {NULL, json_array_size(list)};
    out.items = arena_new_array(source->arena, struct str, out.n);
    for (size_t i = 0; i < out.n; i++) {
        const json_t *v = json_array_get(list, i);
        if (!json_is_string(v))
            set_problem(source, "an item of a list is not a text");
        out.items[i] = arena_str(source->arena, json_text(v));
    }
    return out;
}

static struct str_list read_list(struct model_json *source, const json_t *of,
                                 const char *key)
{
    return read_items(source, read_array(source, of, key));
}

static struct hints read_hints(struct model_json *source, const json_t *of)
{
    return (struct hints){.instructions = read_text(source, of, "instructions"),
                          .synonyms = read_list(source, of, "synonyms"),
                          .examples = read_list(source, of, "examples")};
}

static void read_field(struct model_json *source, const json_t *v,
                       struct field *f)
{
    f->name = read_name(source, v);
    f->expression = read_text(source, v, "expression");
    f->dialect = read_text(source, v, "dialect");
    f->column = read_text(source, v, "column");
    f->description = read_text(source, v, "description");
    f->label = read_text(source, v, "label");
    f->datatype = read_text(source, v, "datatype");
    f->is_time = json_get_bool(v, "isTime", false);
    f->is_key = json_get_bool(v, "isKey", false);
    f->required = json_get_bool(v, "required", false);
    f->hints = read_hints(source, v);
}

static void read_keys(struct model_json *source, const json_t *v,
                      struct dataset *d)
{
    const json_t *keys = read_array(source, v, "uniqueKeys");
    d->primary_key = read_list(source, v, "primaryKey");
    d->n_unique_keys = json_array_size(keys);
    d->unique_keys =
        arena_new_array(source->arena, struct str_list, d->n_unique_keys);
    for (size_t i = 0; i < d->n_unique_keys; i++)
        d->unique_keys[i] = read_items(source, json_array_get(keys, i));
}

static void read_dataset(struct model_json *source, const json_t *v,
                         struct dataset *d)
{
    const json_t *fields = read_array(source, v, "fields");
    d->name = read_name(source, v);
    d->label = read_text(source, v, "label");
    d->description = read_text(source, v, "description");
    d->shown = read_list(source, v, "shown");
    d->source = read_text(source, v, "source");
    d->schema = read_text(source, v, "schema");
    d->table = read_text(source, v, "table");
    d->query_relations = read_list(source, v, "queryRelations");
    d->yaml = read_text(source, v, "yaml");
    d->hints = read_hints(source, v);
    d->n_fields = json_array_size(fields);
    d->fields = arena_new_array(source->arena, struct field, d->n_fields);
    for (size_t i = 0; i < d->n_fields; i++)
        read_field(source, json_array_get(fields, i), &d->fields[i]);
    read_keys(source, v, d);
    if (map_get(&source->names, d->name))
        set_problem(source, "there are two datasets \"%.*s\"",
                    STR_ARG(d->name));
    map_put(&source->names, d->name, d);
}

static size_t dataset_named(struct model_json *source, const json_t *v)
{
    const struct dataset *d = map_get(&source->names, json_text(v));
    if (!d)
        set_problem(source, "there is no dataset \"%.*s\"",
                    STR_ARG(json_text(v)));
    return d ? (size_t)(d - source->o->datasets) : 0;
}

static void read_relationship(struct model_json *source, const json_t *v,
                              struct relationship *r)
{
    r->name = read_name(source, v);
    r->description = read_text(source, v, "description");
    r->from = dataset_named(source, json_object_get(v, "from"));
    r->to = dataset_named(source, json_object_get(v, "to"));
    r->from_columns = read_list(source, v, "fromColumns");
    r->to_columns = read_list(source, v, "toColumns");
    r->to_is_key = json_get_bool(v, "toIsKey", false);
    r->hints = read_hints(source, v);
    if (!r->from_columns.n || r->from_columns.n != r->to_columns.n)
        set_problem(source, "the columns of \"%.*s\" do not match",
                    STR_ARG(r->name));
}

static void read_metric(struct model_json *source, const json_t *v,
                        struct metric *metric)
{
    const json_t *datasets = read_array(source, v, "datasets");
    metric->name = read_name(source, v);
    metric->label = read_text(source, v, "label");
    metric->expression = read_text(source, v, "expression");
    metric->dialect = read_text(source, v, "dialect");
    metric->description = read_text(source, v, "description");
    metric->datatype = read_text(source, v, "datatype");
    metric->hints = read_hints(source, v);
    metric->n_datasets = json_array_size(datasets);
    metric->datasets =
        arena_new_array(source->arena, size_t, metric->n_datasets);
    for (size_t i = 0; i < metric->n_datasets; i++)
        metric->datasets[i] =
            dataset_named(source, json_array_get(datasets, i));
}

static void read_parts(struct model_json *source, const json_t *json)
{
    struct ontology *o = source->o;
    const json_t *datasets = read_array(source, json, "datasets");
    const json_t *relationships = read_array(source, json, "relationships");
    const json_t *metrics = read_array(source, json, "metrics");
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
    struct model_json source = {.arena = arena,
                                .o = arena_new(arena, struct ontology)};
    map_init(&source.names, arena);
    if (json_get_int(json, "format", 0) != ONTOLOGY_JSON_FORMAT)
        set_problem(&source, "not a model of format %d", ONTOLOGY_JSON_FORMAT);
    source.o->name = read_text(&source, json, "name");
    source.o->description = read_text(&source, json, "description");
    source.o->version = read_text(&source, json, "version");
    source.o->hints = read_hints(&source, json);
    source.o->hides = json_get_bool(json, "hides", false);
    read_parts(&source, json);
    if (problem)
        *problem = source.problem;
    return source.problem.len ? NULL : source.o;
}
