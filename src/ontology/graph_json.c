/* graph_json.c - writes a model as the JSON of a graph; see its header. */
#include "ontology/graph_json.h"
#include "base/json.h"
#include <stdio.h>
#include "base/banned.h"

enum { ID_SIZE = 48 };

static void put_nonempty(struct json_writer *w, const char *key,
                         struct str text)
{
    if (text.len)
        json_field_str(w, key, text);
}

static void put_node(struct json_writer *w, const char *id, const char *label,
                     struct str name)
{
    json_put_object(w);
    json_field_text(w, "id", id);
    json_field_text(w, "label", label);
    json_field_str(w, "name", name);
    json_field_object(w, "properties");
}

static void put_edge(struct json_writer *w, const char *id, const char *source,
                     const char *target, const char *type)
{
    json_put_object(w);
    json_field_text(w, "id", id);
    json_field_text(w, "source", source);
    json_field_text(w, "target", target);
    json_field_text(w, "type", type);
    json_field_object(w, "properties");
}

/* Properties and the node or edge around them. */
static void put_end(struct json_writer *w)
{
    json_put_object_end(w);
    json_put_object_end(w);
}

static void put_dataset(struct json_writer *w, const struct dataset *d,
                        size_t i)
{
    char id[ID_SIZE];
    snprintf(id, sizeof id, "d%zu", i);
    put_node(w, id, "Dataset", d->name);
    json_field_str(w, "source", d->source);
    put_nonempty(w, "label", d->label);
    put_nonempty(w, "description", d->description);
    json_field_strs(w, "primaryKey", d->primary_key.items, d->primary_key.n);
    json_field_strs(w, "synonyms", d->hints.synonyms.items,
                    d->hints.synonyms.n);
    json_field_int(w, "fieldCount", (int64_t)d->n_fields);
    put_end(w);
}

static void put_field(struct json_writer *w, const struct field *field,
                      size_t dataset, size_t i)
{
    char id[ID_SIZE];
    snprintf(id, sizeof id, "d%zuf%zu", dataset, i);
    put_node(w, id, "Field", field->name);
    json_field_str(w, "expression", field->expression);
    put_nonempty(w, "dataType", field->datatype);
    put_nonempty(w, "label", field->label);
    put_nonempty(w, "description", field->description);
    json_field_bool(w, "isTime", field->is_time);
    json_field_bool(w, "isPrimaryKey", field->is_key);
    json_field_strs(w, "synonyms", field->hints.synonyms.items,
                    field->hints.synonyms.n);
    put_end(w);
}

static void put_field_edge(struct json_writer *w, size_t dataset, size_t i)
{
    char id[ID_SIZE], source[ID_SIZE], target[ID_SIZE];
    snprintf(id, sizeof id, "h%zuf%zu", dataset, i);
    snprintf(source, sizeof source, "d%zu", dataset);
    snprintf(target, sizeof target, "d%zuf%zu", dataset, i);
    put_edge(w, id, source, target, "HAS_FIELD");
    put_end(w);
}

static void put_relationship(struct json_writer *w,
                             const struct relationship *r, size_t i)
{
    char id[ID_SIZE], source[ID_SIZE], target[ID_SIZE];
    snprintf(id, sizeof id, "r%zu", i);
    snprintf(source, sizeof source, "d%zu", r->from);
    snprintf(target, sizeof target, "d%zu", r->to);
    put_edge(w, id, source, target, "RELATES_TO");
    json_field_str(w, "name", r->name);
    put_nonempty(w, "description", r->description);
    json_field_strs(w, "fromColumns", r->from_columns.items, r->from_columns.n);
    json_field_strs(w, "toColumns", r->to_columns.items, r->to_columns.n);
    json_field_bool(w, "toIsKey", r->to_is_key);
    put_end(w);
}

static void put_metric(struct json_writer *w, const struct metric *m)
{
    json_put_object(w);
    json_field_str(w, "name", m->name);
    put_nonempty(w, "label", m->label);
    put_nonempty(w, "description", m->description);
    put_nonempty(w, "expression", m->expression);
    json_field_strs(w, "synonyms", m->hints.synonyms.items,
                    m->hints.synonyms.n);
    json_put_object_end(w);
}

void ontology_graph_json(const struct ontology *o, bool with_fields,
                         struct buf *out)
{
    struct json_writer writer, *w = &writer;
    json_writer_init(w, out);
    json_put_object(w);
    json_field_array(w, "nodes");
    for (size_t d = 0; d < o->n_datasets; d++) {
        put_dataset(w, &o->datasets[d], d);
        for (size_t i = 0; with_fields && i < o->datasets[d].n_fields; i++)
            put_field(w, &o->datasets[d].fields[i], d, i);
    }
    json_put_array_end(w);
    json_field_array(w, "edges");
    for (size_t i = 0; i < o->n_relationships; i++)
        put_relationship(w, &o->relationships[i], i);
    for (size_t d = 0; d < o->n_datasets; d++)
        for (size_t i = 0; with_fields && i < o->datasets[d].n_fields; i++)
            put_field_edge(w, d, i);
    json_put_array_end(w);
    json_field_array(w, "metrics");
    for (size_t i = 0; i < o->n_metrics; i++)
        put_metric(w, &o->metrics[i]);
    json_put_array_end(w);
    json_put_object_end(w);
}
