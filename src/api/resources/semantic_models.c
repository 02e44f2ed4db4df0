/* semantic_models.c - semantic models as users write them: validate, create,
 * read, return as text, change, remove. */
#include "store/semantic_models.h"
#include "agent/model_probe.h"
#include "agent/vectors.h"
#include "base/utf8.h"
#include "../request.h"
#include "store/connections.h"
#include "store/ontologies.h"
#include "base/banned.h"

enum { NAME_MOST = 255, DESCRIPTION_MOST = 2000, IDENTIFIER_MOST = 63 };

static const char model_missing[] = "Semantic model not found";

struct model_work {
    struct semantic_model_page page;
    struct semantic_model_text text;
    struct semantic_model_change change;
    struct removal remove;
    struct connection_page connection;
    struct model_probe probe;
    struct dataset_vectors vectors;
    struct arena memory; /* for the parsed model and its vectors */
    struct ontology_import import;
    const char *field; /* "yaml" or "model" */
    struct str id;
    step_fn *then; /* continues when the user owns the model */
    int status;    /* of the response */
};

static struct next models_found(struct flow *f), model_found(struct flow *f),
    text_known(struct flow *f), model_owner_known(struct flow *f),
    model_validated(struct flow *f), new_model_read(struct flow *f),
    model_connection_known(struct flow *f), model_stored(struct flow *f),
    model_change_due(struct flow *f), model_row_changed(struct flow *f),
    other_text_read(struct flow *f), text_due(struct flow *f),
    model_embedded(struct flow *f), model_remove_due(struct flow *f),
    model_removed(struct flow *f);

static void model_memory_done(void *memory)
{
    arena_done(memory);
}

static struct model_work *model_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = keep(f, struct model_work);
    x->page.store = x->text.store = x->change.store = x->remove.store =
        x->connection.store = x->import.store = request_store(q);
    x->page.user_id = x->text.user_id = x->change.user_id = x->remove.user_id =
        x->connection.user_id = q->user.id;
    x->page.all = x->text.all = x->change.all = x->connection.all =
        request_may(q, MAY_ADMIN);
    x->import.owner_id = q->user.id;
    x->remove.request_id = x->change.request_id = q->x->request_id;
    x->page.page = x->page.page_size = 1;
    x->connection.page = x->connection.page_size = 1;
    x->probe.program = q->api->options.program;
    x->probe.memory = &x->memory;
    arena_init(&x->memory, 0);
    defer_kept(f, model_memory_done, &x->memory);
    q->state = x;
    return x;
}

/* ---- GET /api/semantic-models, /:id, /:id/yaml --------------------------- */

struct next semantic_models_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct semantic_model_page *p = &model_work_new(f)->page;
    request_uuid_query(q, "connectionId", &p->connection_id);
    request_search(q, &p->search);
    if (!request_paging(q, &p->page, &p->page_size, 20))
        return back(f);
    return call(f, semantic_model_page_begin, p, models_found);
}

static struct next models_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct semantic_model_page *p =
        &((struct model_work *)q->state)->page;
    reply_page(q, p->query, semantic_model_write, p->page, p->page_size,
               p->total);
    return back(f);
}

struct next semantic_models_get(struct flow *f)
{
    struct model_work *x = model_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->page.model_id))
        return back(f);
    x->status = 200;
    return call(f, semantic_model_page_begin, &x->page, model_found);
}

/* Includes the warnings of a text that came with this request. */
static struct next model_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = q->state;
    struct api_reply r;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, model_missing);
    reply_open_object(q, &r);
    semantic_model_write(&r.w, x->page.query, 0);
    if (x->probe.answer) {
        json_put_key(&r.w, "warnings");
        model_probe_findings(&r.w, &x->probe, "warning", NULL);
    }
    reply_send_object(q, &r, x->status);
    return back(f);
}

struct next semantic_models_yaml(struct flow *f)
{
    struct model_work *x = model_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->text.model_id))
        return back(f);
    return call(f, semantic_model_text_begin, &x->text, text_known);
}

static struct next text_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct model_work *x = q->state;
    http_set_header(q->x, "Content-Disposition",
                    STR("attachment; filename=\"model.osi.yaml\""));
    reply_bytes(q, "application/yaml", x->text.text);
    return back(f);
}

/* ---- reading the body ---------------------------------------------------- */

static void read_text_field(struct request *q, const char *field, size_t least,
                            size_t most, const char **out)
{
    struct str text;
    if (request_text_given(q, field, least, most, &text))
        *out = arena_cstr(&q->memory, text);
}

static void read_connection_id(struct request *q, const char **out)
{
    const json_t *v = json_object_get(q->body, "connectionId");
    if (!v)
        return;
    *out = arena_cstr(&q->memory, json_text(v));
    if (!uuid_valid(json_text(v)))
        request_invalid(q, "connectionId", "must be a UUID");
}

/* Reads `yaml`, or `model` written out as text. Returns true if one is
 * given. */
static bool read_model_text(struct request *q, struct model_work *x)
{
    const json_t *yaml = json_object_get(q->body, "yaml");
    const json_t *model = json_object_get(q->body, "model");
    if (yaml && !json_is_string(yaml))
        request_invalid(q, "yaml", "must be text");
    if (model && !json_is_object(model) && !json_is_array(model))
        request_invalid(q, "model", "must be an object");
    if (yaml && model)
        request_invalid(q, "model", "and yaml cannot both be given");
    x->field = yaml ? "yaml" : "model";
    x->probe.as_yaml = !yaml;
    x->probe.text = yaml    ? json_text(yaml)
                    : model ? json_print(&q->memory, model)
                            : STR("");
    return yaml || model;
}

static void read_model_fields(struct request *q, struct model_work *x)
{
    struct semantic_model_change *c = &x->change;
    read_text_field(q, "name", 1, NAME_MOST, &c->name);
    read_text_field(q, "description", 0, DESCRIPTION_MOST, &c->description);
    read_connection_id(q, &c->connection_id);
    read_text_field(q, "databaseName", 0, IDENTIFIER_MOST, &c->database);
    if (request_visibility(q, &x->import.shared))
        c->visibility = x->import.shared ? "shared" : "private";
}

/* ---- findings of the reader ---------------------------------------------- */

static struct next refuse_busy_reader(struct flow *f)
{
    return reply_refusal(f, ERR_RATE_LIMITED,
                         "Other models are being read. Try again later.");
}

static struct next refused_by_reader(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct model_work *x = q->state;
    struct json_writer w;
    struct buf details;
    buf_init(&details, &q->memory);
    json_writer_init(&w, &details);
    model_probe_findings(&w, &x->probe, "error", x->field);
    int64_t errors = json_get_int(x->probe.answer, "errors", 1);
    reply_error_with(q, ERR_VALIDATION,
                     arena_printf(&q->memory, "The model has %lld error%s.",
                                  (long long)errors, errors == 1 ? "" : "s")
                         .ptr,
                     buf_view(&details));
    return back(f);
}

/* ---- POST /api/semantic-models/validate ---------------------------------- */

struct next semantic_models_validate(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = model_work_new(f);
    if (!request_body(q))
        return back(f);
    if (!read_model_text(q, x))
        request_invalid(q, "yaml", "is missing; give yaml or model");
    if (request_refused(q))
        return back(f);
    return call(f, model_probe_begin, &x->probe, model_validated);
}

static void put_summary(struct json_writer *w, const struct ontology *o)
{
    size_t fields = 0;
    for (size_t i = 0; i < o->n_datasets; i++)
        fields += o->datasets[i].n_fields;
    json_put_object(w);
    json_field_str(w, "name", o->name);
    json_field_str(w, "description", o->description);
    json_put_key(w, "osiVersion");
    if (o->version.len)
        json_put_str(w, o->version);
    else
        json_put_null(w);
    json_field_int(w, "datasetCount", (int64_t)o->n_datasets);
    json_field_int(w, "fieldCount", (int64_t)fields);
    json_field_int(w, "relationshipCount", (int64_t)o->n_relationships);
    json_field_int(w, "metricCount", (int64_t)o->n_metrics);
    json_put_object_end(w);
}

static struct next model_validated(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct model_work *x = q->state;
    struct api_reply r;
    if (x->probe.busy)
        return refuse_busy_reader(f);
    reply_open_object(q, &r);
    json_field_bool(&r.w, "valid", x->probe.model != NULL);
    json_put_key(&r.w, "errors");
    model_probe_findings(&r.w, &x->probe, "error", NULL);
    json_put_key(&r.w, "warnings");
    model_probe_findings(&r.w, &x->probe, "warning", NULL);
    json_field_int(&r.w, "errorCount",
                   json_get_int(x->probe.answer, "errors", 0));
    json_field_int(&r.w, "warningCount",
                   json_get_int(x->probe.answer, "warnings", 0));
    json_put_key(&r.w, "model");
    if (x->probe.model)
        put_summary(&r.w, x->probe.model);
    else
        json_put_null(&r.w);
    reply_send_object(q, &r, 200);
    return back(f);
}

/* ---- POST /api/semantic-models ------------------------------------------- */

struct next semantic_models_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = model_work_new(f);
    x->status = 201;
    if (!request_body(q))
        return back(f);
    read_model_fields(q, x);
    if (!x->change.connection_id)
        request_invalid(q, "connectionId", "is missing");
    if (!read_model_text(q, x))
        request_invalid(q, "yaml", "is missing; give yaml or model");
    if (request_refused(q))
        return back(f);
    x->connection.connection_id = str_of(x->change.connection_id);
    return call(f, connection_page_begin, &x->connection,
                model_connection_known);
}

static struct next model_connection_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = q->state;
    if (!x->connection.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, "Connection not found");
    return call(f, model_probe_begin, &x->probe, new_model_read);
}

static void set_import(struct model_work *x)
{
    struct ontology_import *i = &x->import;
    const struct semantic_model_change *c = &x->change;
    i->model = x->probe.model;
    i->source_text = x->probe.as_yaml ? x->probe.yaml : x->probe.text;
    i->connection_id = str_of(c->connection_id);
    i->database = str_of(c->database ? c->database : "");
    i->description = str_of(c->description ? c->description : "");
    i->name = c->name ? str_of(c->name) : str_trim(i->model->name);
    i->without_ontology = true;
}

static struct next new_model_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = q->state;
    if (x->probe.busy)
        return refuse_busy_reader(f);
    if (!x->probe.model)
        return refused_by_reader(f);
    set_import(x);
    x->import.fresh = true;
    size_t n = utf8_count(x->import.name);
    if (n < 1 || n > NAME_MOST)
        request_invalid(
            q, "name",
            "is missing, and the model itself has no name of 1 to 255 "
            "characters");
    if (request_refused(q))
        return back(f);
    return call(f, ontology_import_begin, &x->import, model_stored);
}

static struct next model_stored(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = q->state;
    if (x->import.taken)
        return reply_refusal(
            f, ERR_CONFLICT,
            "You already have a semantic model with this name.");
    x->page.model_id = x->import.model_id;
    return call(f, semantic_model_page_begin, &x->page, model_found);
}

/* ---- owner only ---------------------------------------------------------- */

static struct next for_model_owner(struct flow *f, step_fn *then)
{
    struct model_work *x = REQUEST(f)->state;
    if (!request_uuid(REQUEST(f), "id", &x->id))
        return back(f);
    x->page.model_id = x->id;
    x->then = then;
    return call(f, semantic_model_page_begin, &x->page, model_owner_known);
}

static struct next model_owner_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = q->state;
    if (!request_for_owner(q, x->page.query->n_rows, x->page.owner_id,
                           model_missing))
        return back(f);
    return flow_go(f, x->then, "then");
}

/* ---- PATCH /api/semantic-models/:id -------------------------------------- */

struct next semantic_models_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = model_work_new(f);
    if (!request_body(q))
        return back(f);
    read_model_fields(q, x);
    bool text = read_model_text(q, x);
    if (request_refused(q))
        return back(f);
    return for_model_owner(f, text ? text_due : model_change_due);
}

static struct next text_due(struct flow *f)
{
    struct model_work *x = REQUEST(f)->state;
    return call(f, model_probe_begin, &x->probe, other_text_read);
}

static struct next other_text_read(struct flow *f)
{
    const struct model_work *x = REQUEST(f)->state;
    if (x->probe.busy)
        return refuse_busy_reader(f);
    return x->probe.model ? go(f, model_change_due) : refused_by_reader(f);
}

static struct next model_change_due(struct flow *f)
{
    struct model_work *x = REQUEST(f)->state;
    x->change.model_id = x->id;
    return call(f, semantic_model_change_begin, &x->change, model_row_changed);
}

/* A new text also updates the ontologies of the model and their embeddings. */
static struct next model_row_changed(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct model_work *x = q->state;
    x->status = 200;
    if (x->change.taken)
        return reply_refusal(f, ERR_CONFLICT,
                             "Its owner already has a model with this name.");
    if (!x->change.found)
        return reply_refusal(f, ERR_NOT_FOUND, "Connection not found");
    if (!x->probe.model)
        return call(f, semantic_model_page_begin, &x->page, model_found);
    x->vectors = (struct dataset_vectors){
        .with = agent_settings(q->api->options.agent)->embedding,
        .model = x->probe.model,
        .memory = &x->memory,
        .agent = q->api->options.agent,
        .user_id = q->user.id};
    return call(f, dataset_vectors_begin, &x->vectors, model_embedded);
}

static struct next model_embedded(struct flow *f)
{
    struct model_work *x = REQUEST(f)->state;
    x->import.model = x->probe.model;
    dataset_vectors_into(&x->vectors, &x->import);
    x->import.without_ontology = true;
    x->import.request_id = REQUEST(f)->x->request_id;
    x->import.replaces_model = x->id;
    x->import.source_text = x->probe.as_yaml ? x->probe.yaml : x->probe.text;
    return call(f, ontology_import_begin, &x->import, model_stored);
}

/* ---- DELETE /api/semantic-models/:id ------------------------------------- */

struct next semantic_models_remove(struct flow *f)
{
    model_work_new(f);
    return for_model_owner(f, model_remove_due);
}

static struct next model_remove_due(struct flow *f)
{
    struct model_work *x = REQUEST(f)->state;
    x->remove.id = x->id;
    x->remove.what = REMOVED_MODEL;
    return call(f, removal_begin, &x->remove, model_removed);
}

static struct next model_removed(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct model_work *x = q->state;
    if (request_removed(q, &x->remove, model_missing))
        reply_empty(q, 204);
    return back(f);
}
