/* model_parts.c - see ontology/model_parts.h. */
#include "ontology/model_parts.h"
#include "base/json.h"
#include "base/banned.h"

static void put_hints(struct json_writer *w, const struct hints *h)
{
    json_field_str_or_null(w, "instructions", h->instructions);
    json_field_strs(w, "synonyms", h->synonyms.items, h->synonyms.n);
}

static void put_field(struct json_writer *w, const struct field *f)
{
    json_put_object(w);
    json_field_str(w, "name", f->name);
    json_field_str_or_null(w, "label", f->label);
    json_field_str_or_null(w, "description", f->description);
    json_field_str(w, "expression", f->expression);
    json_field_str_or_null(w, "column", f->column);
    json_field_str_or_null(w, "datatype", f->datatype);
    json_field_bool(w, "isKey", f->is_key);
    json_field_bool(w, "isTime", f->is_time);
    json_field_bool(w, "hidden", f->hidden);
    put_hints(w, &f->hints);
    json_put_object_end(w);
}

static void put_dataset(struct json_writer *w, const struct dataset *d)
{
    json_put_object(w);
    json_field_str(w, "name", d->name);
    json_field_str_or_null(w, "label", d->label);
    json_field_str_or_null(w, "description", d->description);
    json_field_str(w, "source", d->source);
    json_field_strs(w, "primaryKey", d->primary_key.items, d->primary_key.n);
    json_field_bool(w, "hidden", d->hidden);
    put_hints(w, &d->hints);
    json_field_array(w, "fields");
    for (size_t i = 0; i < d->n_fields; i++)
        put_field(w, &d->fields[i]);
    json_put_array_end(w);
    json_put_object_end(w);
}

static void put_relationship(struct json_writer *w, const struct ontology *o,
                             const struct relationship *r)
{
    const struct dataset *from = &o->datasets[r->from];
    const struct dataset *to = &o->datasets[r->to];
    json_put_object(w);
    json_field_str(w, "name", r->name);
    json_field_str_or_null(w, "description", r->description);
    json_field_str(w, "from", from->name);
    json_field_str(w, "to", to->name);
    json_field_strs(w, "fromColumns", r->from_columns.items, r->from_columns.n);
    json_field_strs(w, "toColumns", r->to_columns.items, r->to_columns.n);
    json_field_bool(w, "toIsKey", r->to_is_key);
    json_field_bool(w, "hidden", from->hidden || to->hidden);
    put_hints(w, &r->hints);
    json_put_object_end(w);
}

static void put_metric(struct json_writer *w, const struct ontology *o,
                       const struct metric *m)
{
    json_put_object(w);
    json_field_str(w, "name", m->name);
    json_field_str_or_null(w, "label", m->label);
    json_field_str_or_null(w, "description", m->description);
    json_field_str(w, "expression", m->expression);
    json_field_str_or_null(w, "datatype", m->datatype);
    json_field_bool(w, "hidden", m->hidden);
    put_hints(w, &m->hints);
    json_field_array(w, "datasets");
    for (size_t i = 0; i < m->n_datasets; i++)
        json_put_str(w, o->datasets[m->datasets[i]].name);
    json_put_array_end(w);
    json_put_object_end(w);
}

void model_parts_json(const struct ontology *all, struct buf *out)
{
    struct json_writer writer, *w = &writer;
    json_writer_init(w, out);
    json_put_object(w);
    json_field_str_or_null(w, "description", all->description);
    put_hints(w, &all->hints);
    json_field_strs(w, "examples", all->hints.examples.items,
                    all->hints.examples.n);
    json_field_array(w, "datasets");
    for (size_t i = 0; i < all->n_datasets; i++)
        put_dataset(w, &all->datasets[i]);
    json_put_array_end(w);
    json_field_array(w, "relationships");
    for (size_t i = 0; i < all->n_relationships; i++)
        put_relationship(w, all, &all->relationships[i]);
    json_put_array_end(w);
    json_field_array(w, "metrics");
    for (size_t i = 0; i < all->n_metrics; i++)
        put_metric(w, all, &all->metrics[i]);
    json_put_array_end(w);
    json_put_object_end(w);
}
