/* ontologies.c - ontologies: list, create from a semantic model, show as a
 * graph, suggest questions, remove.
 *
 * Creating one answers at once with the status `creating`; a flow of its own
 * then reads the model, embeds its datasets and sets the status. removed_sweep
 * cleans up if the process ends in between. */
#include "store/ontologies.h"
#include "agent/vectors.h"
#include "analyst/analyst.h"
#include "loop/wait.h"
#include "ontology/graph_json.h"
#include "ontology/model_json.h"
#include "../request.h"
#include "store/graph_store.h"
#include "store/semantic_models.h"
#include "base/banned.h"

enum {
    NAME_MOST = 255,
    DESCRIPTION_MOST = 2000,
    EXAMPLES_MOST = 8,
    MAKING_MEMORY = 64 * 1024 * 1024
};

static const char ontology_missing[] = "Ontology not found";

struct ontology_work {
    struct ontology_page page;
    struct ontology_create create;
    struct ontology_settle settle;
    struct graph_projection projection;
    struct dataset_vectors vectors;
    struct ontology_acquire hold;
    struct removal remove;
    struct ontology_restore restore;
    struct child making;
    struct work work;
    struct arena memory; /* for what another thread makes */
    struct ontology *model;
    struct str problem;
    bool with_fields;
    step_fn *then;
    struct buf graph;
    struct str examples[EXAMPLES_MOST];
    size_t n_examples;
};

static struct next ontologies_found(struct flow *f),
    ontology_found(struct flow *f), ontology_made(struct flow *f),
    ontology_row_read(struct flow *f), create_begin(struct flow *f),
    model_parsed(struct flow *f), datasets_embedded(struct flow *f),
    ontology_projected(struct flow *f), create_over(struct flow *f),
    ontology_settled(struct flow *f), ready_found(struct flow *f),
    model_held(struct flow *f), graph_held(struct flow *f),
    graph_written(struct flow *f), examples_held(struct flow *f),
    examples_tried(struct flow *f), ontology_remove_due(struct flow *f),
    ontology_removed(struct flow *f), graphs_dropped(struct flow *f),
    backfill_due(struct flow *f), backfill_embedded(struct flow *f),
    backfilled(struct flow *f), ontology_is_back(struct flow *f),
    restored_read(struct flow *f), restore_due(struct flow *f),
    restored_embedded(struct flow *f);

static void ontology_work_done(void *what)
{
    struct ontology_work *x = what;
    buf_done(&x->graph);
    arena_done(&x->memory);
}

static struct ontology_work *ontology_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = keep(f, struct ontology_work);
    x->page.store = x->create.store = x->settle.store = x->hold.store =
        x->restore.store = x->remove.store = x->projection.store =
            request_store(q);
    x->page.user_id = x->create.user_id = x->remove.user_id =
        x->restore.user_id = q->user.id;
    x->remove.request_id = x->restore.request_id = q->x->request_id;
    x->page.all = x->create.all = x->restore.all = request_may(q, MAY_ADMIN);
    x->page.page = x->page.page_size = 1;
    arena_init(&x->memory, 0);
    buf_init(&x->graph, NULL);
    defer_kept(f, ontology_work_done, x);
    q->state = x;
    return x;
}

/* ---- GET /api/ontologies, /:id ------------------------------------------- */

struct next ontologies_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_page *p = &ontology_work_new(f)->page;
    request_uuid_query(q, "semanticModelId", &p->model_id);
    if (!request_paging(q, &p->page, &p->page_size, 20))
        return back(f);
    return call(f, ontology_page_begin, p, ontologies_found);
}

static struct next ontologies_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct ontology_page *p = &((struct ontology_work *)q->state)->page;
    reply_page(q, p->query, ontology_write, p->page, p->page_size, p->total);
    return back(f);
}

static void reply_with_row(struct request *q, int status)
{
    const struct ontology_work *x = q->state;
    struct api_reply r;
    reply_open_object(q, &r);
    ontology_write(&r.w, x->page.query, 0);
    reply_send_object(q, &r, status);
}

struct next ontologies_get(struct flow *f)
{
    struct ontology_page *p = &ontology_work_new(f)->page;
    if (!request_uuid(REQUEST(f), "id", &p->ontology_id))
        return back(f);
    return call(f, ontology_page_begin, p, ontology_found);
}

static struct next ontology_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct ontology_work *x = q->state;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    reply_with_row(q, 200);
    return back(f);
}

/* ---- POST /api/ontologies ------------------------------------------------ */

static void read_ontology_body(struct request *q, struct ontology_create *c)
{
    request_text(q, "name", 1, NAME_MOST, &c->name);
    request_text(q, "description", 0, DESCRIPTION_MOST, &c->description);
    c->model_id = json_get_text(q->body, "semanticModelId");
    if (!uuid_valid(c->model_id))
        request_invalid(q, "semanticModelId", "must be a UUID");
    request_visibility(q, &c->shared);
}

struct next ontologies_create(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = ontology_work_new(f);
    if (!request_body(q))
        return back(f);
    read_ontology_body(q, &x->create);
    if (request_refused(q))
        return back(f);
    return call(f, ontology_create_begin, &x->create, ontology_made);
}

static struct next ontology_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    if (!x->create.found)
        return reply_refusal(f, ERR_NOT_FOUND, "Semantic model not found");
    x->page.ontology_id = x->create.id;
    return call(f, ontology_page_begin, &x->page, ontology_row_read);
}

/* A flow of its own creates the ontology, because it needs more memory than a
 * request has. */
static struct next ontology_row_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    reply_with_row(q, 201);
    x->vectors = (struct dataset_vectors){
        .with = agent_settings(q->api->options.agent)->embedding,
        .memory = &x->memory,
        .agent = q->api->options.agent,
        .user_id = q->user.id};
    child_begin(f, &x->making, create_begin, x, "ontology", MAKING_MEMORY);
    op_tolerate(&x->making.op);
    return await(f, create_over);
}

/* Runs on another thread. */
static void parse_model(void *what)
{
    struct ontology_work *x = what;
    json_t *json =
        json_loadb(x->create.model.ptr, x->create.model.len, 0, NULL);
    x->problem = STR("not JSON");
    x->model = json ? ontology_from_json(&x->memory, json, &x->problem) : NULL;
    json_decref(json);
}

static struct next create_begin(struct flow *f)
{
    struct ontology_work *x = locals(f, struct ontology_work);
    work_begin(f, &x->work, parse_model, x);
    return await(f, model_parsed);
}

static struct next model_parsed(struct flow *f)
{
    struct ontology_work *x = locals(f, struct ontology_work);
    if (!x->model)
        return fail_because(f, ERR_INTERNAL, "stored model: %.*s",
                            STR_ARG(x->problem));
    if (!x->model->n_datasets)
        return fail_because(f, ERR_NO_DATASETS, "The model has no datasets.");
    x->vectors.model = x->model;
    return call(f, dataset_vectors_begin, &x->vectors, datasets_embedded);
}

static void put_projection(struct ontology_work *x, struct str id,
                           const struct ontology *model)
{
    struct graph_projection *p = &x->projection;
    p->ontology_id = id;
    p->model = model;
    p->embedding_model = x->vectors.embedding_model;
    p->vectors = x->vectors.vectors;
    p->dimensions = x->vectors.dimensions;
}

static struct next datasets_embedded(struct flow *f)
{
    struct ontology_work *x = locals(f, struct ontology_work);
    put_projection(x, x->create.id, x->model);
    return call(f, graphs_project_begin, &x->projection, ontology_projected);
}

static struct next ontology_projected(struct flow *f)
{
    return back(f);
}

static struct next create_over(struct flow *f)
{
    struct ontology_work *x = REQUEST(f)->state;
    enum err how = x->making.op.status;
    x->settle.id = x->create.id;
    x->settle.failure = how == OK                ? NULL
                        : how == ERR_NO_DATASETS ? "The model has no datasets."
                                                 : err_sentence(how);
    return call(f, ontology_settle_begin, &x->settle, ontology_settled);
}

static struct next ontology_settled(struct flow *f)
{
    return back(f);
}

/* ---- GET /api/ontologies/:id/graph, /suggestions ------------------------- */

/* Holds the ontology of :id if it is ready, and continues with `then`. */
static struct next with_model(struct flow *f, step_fn *then)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    if (!request_uuid(q, "id", &x->page.ontology_id) || request_refused(q))
        return back(f);
    x->then = then;
    return call(f, ontology_page_begin, &x->page, ready_found);
}

static struct next ready_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    if (!x->page.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    if (!str_is(x->page.status, "ready"))
        return reply_refusal(f, ERR_CONFLICT, "The ontology is not ready.");
    x->hold.id = x->page.ontology_id;
    x->hold.version = x->page.version;
    return call(f, ontology_acquire_begin, &x->hold, model_held);
}

static struct next model_held(struct flow *f)
{
    return flow_go(f, ((struct ontology_work *)REQUEST(f)->state)->then,
                   "then");
}

static void read_fields_query(struct request *q, struct ontology_work *x)
{
    struct str word = STR("true");
    http_get_query(q->x, "fields", &word);
    x->with_fields = str_is(word, "true");
    if (!x->with_fields && !str_is(word, "false"))
        request_invalid(q, "fields", "must be true or false");
}

struct next ontologies_graph(struct flow *f)
{
    read_fields_query(REQUEST(f), ontology_work_new(f));
    return with_model(f, graph_held);
}

/* Runs on another thread; the model is immutable and held. */
static void write_graph(void *what)
{
    struct ontology_work *x = what;
    ontology_graph_json(x->hold.held->model, x->with_fields, &x->graph);
}

static struct next graph_held(struct flow *f)
{
    struct ontology_work *x = REQUEST(f)->state;
    work_begin(f, &x->work, write_graph, x);
    return await(f, graph_written);
}

static struct next graph_written(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct ontology_work *x = q->state;
    struct api_reply r;
    reply_open(q, &r);
    json_put_raw(&r.w, buf_view(&x->graph));
    reply_send(q, &r, 200);
    return back(f);
}

struct next ontologies_suggestions(struct flow *f)
{
    ontology_work_new(f);
    return with_model(f, examples_held);
}

/* Runs on another thread. */
static void try_examples(void *what)
{
    struct ontology_work *x = what;
    x->n_examples = analyst_examples(&x->memory, x->hold.held->model,
                                     x->examples, EXAMPLES_MOST);
}

static struct next examples_held(struct flow *f)
{
    struct ontology_work *x = REQUEST(f)->state;
    work_begin(f, &x->work, try_examples, x);
    return await(f, examples_tried);
}

static struct next examples_tried(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct ontology_work *x = q->state;
    struct api_reply r;
    reply_open_object(q, &r);
    json_field_strs(&r.w, "suggestions", x->examples, x->n_examples);
    reply_send_object(q, &r, 200);
    return back(f);
}

/* ---- POST /api/admin/ontologies/:id/backfill-embeddings ------------------ */

struct next ontologies_backfill(struct flow *f)
{
    ontology_work_new(f);
    return with_model(f, backfill_due);
}

static struct next backfill_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    x->vectors = (struct dataset_vectors){
        .with = agent_settings(q->api->options.agent)->embedding,
        .model = x->hold.held->model,
        .memory = &x->memory,
        .agent = q->api->options.agent,
        .user_id = q->user.id};
    return call(f, dataset_vectors_begin, &x->vectors, backfill_embedded);
}

/* Old embeddings stay if the embedding model does not answer. */
static struct next backfill_embedded(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    if (x->vectors.with && !x->vectors.embedding.vectors)
        return reply_refusal(f, ERR_BAD_GATEWAY,
                             "The embedding model did not answer.");
    put_projection(x, x->page.ontology_id, x->hold.held->model);
    return call(f, graphs_project_begin, &x->projection, backfilled);
}

static struct next backfilled(struct flow *f)
{
    struct ontology_work *x = REQUEST(f)->state;
    return call(f, ontology_page_begin, &x->page, ontology_found);
}

/* ---- DELETE /api/ontologies/:id ------------------------------------------ */

struct next ontologies_remove(struct flow *f)
{
    struct ontology_page *p = &ontology_work_new(f)->page;
    if (!request_uuid(REQUEST(f), "id", &p->ontology_id))
        return back(f);
    return call(f, ontology_page_begin, p, ontology_remove_due);
}

static struct next ontology_remove_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    if (!request_for_owner(q, x->page.query->n_rows, x->page.owner_id,
                           ontology_missing))
        return back(f);
    x->remove.id = x->page.ontology_id;
    x->remove.what = REMOVED_ONTOLOGY;
    return call(f, removal_begin, &x->remove, ontology_removed);
}

static struct next ontology_removed(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    if (!request_removed(q, &x->remove, ontology_missing))
        return back(f);
    x->projection.ontology_id = x->remove.id;
    return call(f, graphs_drop_begin, &x->projection, graphs_dropped);
}

static struct next graphs_dropped(struct flow *f)
{
    reply_empty(REQUEST(f), 204);
    return back(f);
}

/* ---- POST /api/ontologies/:id/restore ------------------------------------ */

struct next ontologies_restore(struct flow *f)
{
    struct ontology_work *x = ontology_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->restore.ontology_id))
        return back(f);
    return call(f, ontology_restore_begin, &x->restore, ontology_is_back);
}

static struct next ontology_is_back(struct flow *f)
{
    struct ontology_work *x = REQUEST(f)->state;
    if (!x->restore.found)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    x->page.ontology_id = x->restore.ontology_id;
    return call(f, ontology_page_begin, &x->page, restored_read);
}

/* One that was removed while it was created is still being created, or that
 * failed: there is nothing to project. */
static struct next restored_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    if (!x->page.query->n_rows || !str_is(x->page.status, "ready"))
        return ontology_found(f);
    x->then = restore_due;
    return ready_found(f);
}

/* The graph stores dropped it, so it is projected again. */
static struct next restore_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct ontology_work *x = q->state;
    x->vectors = (struct dataset_vectors){
        .with = agent_settings(q->api->options.agent)->embedding,
        .model = x->hold.held->model,
        .memory = &x->memory,
        .agent = q->api->options.agent,
        .user_id = q->user.id};
    return call(f, dataset_vectors_begin, &x->vectors, restored_embedded);
}

static struct next restored_embedded(struct flow *f)
{
    struct ontology_work *x = REQUEST(f)->state;
    put_projection(x, x->page.ontology_id, x->hold.held->model);
    return call(f, graphs_project_begin, &x->projection, backfilled);
}
