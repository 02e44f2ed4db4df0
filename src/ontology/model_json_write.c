/* model_json_write.c - writes a model as JSON, with the keys that
 * model_json_read.c reads, in the order of model.h. */
#include "ontology/model_json.h"
#include "base/banned.h"

static void put_text(struct json_writer *w, const char *key, struct str s)
{
    if (s.len)
        json_field_str(w, key, s);
}

static void put_true(struct json_writer *w, const char *key, bool b)
{
    if (b)
        json_field_bool(w, key, true);
}

static void put_list(struct json_writer *w, const char *key,
                     struct str_list list)
{
    if (list.n)
        json_field_strs(w, key, list.items, list.n);
}

static void put_hints(struct json_writer *w, const struct hints *hints)
{
    put_text(w, "instructions", hints->instructions);
    put_list(w, "synonyms", hints->synonyms);
    put_list(w, "examples", hints->examples);
}

static void put_field(struct json_writer *w, const struct field *f)
{
    json_put_object(w);
    put_text(w, "name", f->name);
    put_text(w, "expression", f->expression);
    put_text(w, "dialect", f->dialect);
    put_text(w, "column", f->column);
    put_text(w, "description", f->description);
    put_text(w, "label", f->label);
    put_text(w, "datatype", f->datatype);
    put_true(w, "isTime", f->is_time);
    put_true(w, "isKey", f->is_key);
    put_true(w, "required", f->required);
    put_hints(w, &f->hints);
    json_put_object_end(w);
}

static void put_dataset(struct json_writer *w, const struct dataset *d)
{
    json_put_object(w);
    put_text(w, "name", d->name);
    put_text(w, "label", d->label);
    put_text(w, "description", d->description);
    put_text(w, "source", d->source);
    put_text(w, "schema", d->schema);
    put_text(w, "table", d->table);
    put_list(w, "queryRelations", d->query_relations);
    put_text(w, "yaml", d->yaml);
    put_hints(w, &d->hints);
    json_field_array(w, "fields");
    for (size_t i = 0; i < d->n_fields; i++)
        put_field(w, &d->fields[i]);
    json_put_array_end(w);
    put_list(w, "shown", d->shown);
    put_list(w, "primaryKey", d->primary_key);
    json_field_array(w, "uniqueKeys");
    for (size_t i = 0; i < d->n_unique_keys; i++)
        json_put_strs(w, d->unique_keys[i].items, d->unique_keys[i].n);
    json_put_array_end(w);
    json_put_object_end(w);
}

static void put_relationship(struct json_writer *w, const struct ontology *o,
                             const struct relationship *r)
{
    json_put_object(w);
    put_text(w, "name", r->name);
    put_text(w, "description", r->description);
    put_text(w, "from", o->datasets[r->from].name);
    put_text(w, "to", o->datasets[r->to].name);
    put_list(w, "fromColumns", r->from_columns);
    put_list(w, "toColumns", r->to_columns);
    put_true(w, "toIsKey", r->to_is_key);
    put_hints(w, &r->hints);
    json_put_object_end(w);
}

static void put_metric(struct json_writer *w, const struct ontology *o,
                       const struct metric *metric)
{
    json_put_object(w);
    put_text(w, "name", metric->name);
    put_text(w, "label", metric->label);
    put_text(w, "expression", metric->expression);
    put_text(w, "dialect", metric->dialect);
    put_text(w, "description", metric->description);
    put_text(w, "datatype", metric->datatype);
    put_hints(w, &metric->hints);
    json_field_array(w, "datasets");
    for (size_t i = 0; i < metric->n_datasets; i++)
        json_put_str(w, o->datasets[metric->datasets[i]].name);
    json_put_array_end(w);
    json_put_object_end(w);
}

void ontology_to_json(const struct ontology *ontology, struct buf *out)
{
    struct json_writer writer, *w = &writer;
    json_writer_init(w, out);
    json_put_object(w);
    json_field_int(w, "format", ONTOLOGY_JSON_FORMAT);
    put_text(w, "name", ontology->name);
    put_text(w, "description", ontology->description);
    put_text(w, "version", ontology->version);
    put_hints(w, &ontology->hints);
    put_true(w, "hides", ontology->hides);
    json_field_array(w, "datasets");
    for (size_t i = 0; i < ontology->n_datasets; i++)
        put_dataset(w, &ontology->datasets[i]);
    json_put_array_end(w);
    json_field_array(w, "relationships");
    for (size_t i = 0; i < ontology->n_relationships; i++)
        put_relationship(w, ontology, &ontology->relationships[i]);
    json_put_array_end(w);
    json_field_array(w, "metrics");
    for (size_t i = 0; i < ontology->n_metrics; i++)
        put_metric(w, ontology, &ontology->metrics[i]);
    json_put_array_end(w);
    json_put_object_end(w);
}
