/* model_edits.c - a semantic model in parts: shown, changed one thing at a time,
 * replaced; its versions listed, compared, restored.
 *
 *   text_read -> [version_read] -> text_changed -> parts_embedded -> parts_stored
 *
 * Another process changes the text and reads the new one like an import
 * (agent/model_probe.h), so nothing invalid is stored. The version that the
 * client saw must still be the newest one when it is stored. */
#include "agent/model_probe.h"
#include "agent/vectors.h"
#include "../request.h"
#include "store/model_versions.h"
#include "store/ontologies.h"
#include "store/semantic_models.h"
#include "base/banned.h"

enum { VERSION_MOST = 1000000000 };

static const char model_missing[] = "Semantic model not found";
static const char version_missing[] = "This version is not kept";

struct edit_work {
    struct semantic_model_text text;
    struct model_version_page page;
    struct model_version_text version;
    struct model_probe probe;
    struct dataset_vectors vectors;
    struct ontology_import import;
    struct arena memory; /* of the parsed model and its vectors */
    const json_t *edits, *yaml;
    int64_t seen, restores; /* versions */
    bool dry_run;
    step_fn *then;
};

static struct next text_read(struct flow *f), parts_due(struct flow *f),
    parts_read(struct flow *f), change_due(struct flow *f),
    version_read(struct flow *f), probe_due(struct flow *f),
    text_changed(struct flow *f), parts_embedded(struct flow *f),
    parts_stored(struct flow *f), versions_due(struct flow *f),
    versions_listed(struct flow *f), version_due(struct flow *f),
    version_shown(struct flow *f);

static void edit_work_done(void *what)
{
    struct edit_work *x = what;
    arena_done(&x->memory);
}

static struct edit_work *edit_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct edit_work *x = keep(f, struct edit_work);
    x->text.store = x->page.store = x->version.store = x->import.store =
        request_store(q);
    x->text.user_id = x->import.owner_id = q->user.id;
    x->text.all = request_may(q, MAY_ADMIN);
    x->import.request_id = q->x->request_id;
    x->probe.program = q->api->options.program;
    x->probe.edit = true;
    x->probe.memory = &x->memory;
    arena_init(&x->memory, 0);
    defer_kept(f, edit_work_done, x);
    q->state = x;
    return x;
}

static struct edit_work *work_of(struct flow *f)
{
    return REQUEST(f)->state;
}

/* Reads the text of :id, if the user may see it, and continues with `then`. */
static struct next with_text(struct flow *f, step_fn *then)
{
    struct edit_work *x = work_of(f);
    if (!request_uuid(REQUEST(f), "id", &x->text.model_id) ||
        request_refused(REQUEST(f)))
        return back(f);
    x->then = then;
    return call(f, semantic_model_text_begin, &x->text, text_read);
}

static struct next text_read(struct flow *f)
{
    return flow_go(f, work_of(f)->then, "then");
}

/* ---- GET /api/semantic-models/:id/parts ----------------------------------- */

struct next model_parts_show(struct flow *f)
{
    edit_work_new(f);
    return with_text(f, parts_due);
}

/* The request of the other process: the text, and what to do with it. */
static struct next begin_probe(struct flow *f, step_fn *then)
{
    struct request *q = REQUEST(f);
    struct edit_work *x = q->state;
    json_t *request =
        json_pack("{s:s%}", "text", x->text.text.ptr, x->text.text.len);
    defer(f, json_drop, request);
    if (x->edits)
        json_object_set(request, "edits", (json_t *)x->edits);
    if (x->yaml)
        json_object_set(request, "yaml", (json_t *)x->yaml);
    if (x->restores)
        json_object_set_new(
            request, "yaml",
            json_stringn(x->version.text.ptr, x->version.text.len));
    x->probe.text = json_print(&x->memory, request);
    return call(f, model_probe_begin, &x->probe, then);
}

static struct next parts_due(struct flow *f)
{
    return begin_probe(f, parts_read);
}

static struct next refuse_busy_probe(struct flow *f)
{
    return reply_refusal(f, ERR_RATE_LIMITED,
                         "Other models are being read. Try again later.");
}

static bool may_edit(struct request *q, const struct edit_work *x)
{
    return request_may(q, MAY_SEMANTIC_MODELS_WRITE) &&
           (request_may(q, MAY_ADMIN) || str_eq(x->text.owner_id, q->user.id));
}

static void put_parts(struct request *q, struct json_writer *w)
{
    const struct edit_work *x = q->state;
    struct buf out;
    buf_init(&out, &q->memory);
    json_print_into(&out, json_object_get(x->probe.answer, "parts"));
    json_field_raw(w, "parts", buf_view(&out));
    json_field_bool(w, "editable", may_edit(q, x));
}

static struct next parts_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct edit_work *x = q->state;
    struct api_reply r;
    if (x->probe.busy)
        return refuse_busy_probe(f);
    if (!x->probe.model)
        return reply_refusal(f, ERR_CONFLICT,
                             "The stored text of this model can no longer be "
                             "read. Replace it by another one.");
    reply_open_object(q, &r);
    json_field_int(&r.w, "version", x->text.version);
    put_parts(q, &r.w);
    reply_send_object(q, &r, 200);
    return back(f);
}

/* ---- POST /api/semantic-models/:id/edits ---------------------------------- */

static int64_t read_version(struct request *q, const char *field, bool needed)
{
    const json_t *v = json_object_get(q->body, field);
    int64_t n = json_is_integer(v) ? (int64_t)json_integer_value(v) : 0;
    if ((v || needed) && (n < 1 || n > VERSION_MOST))
        request_invalid(q, field, "must be the number of a version");
    return n;
}

static void read_change(struct request *q, struct edit_work *x)
{
    x->seen = read_version(q, "version", true);
    x->restores = read_version(q, "restore", false);
    x->edits = json_object_get(q->body, "edits");
    x->yaml = json_object_get(q->body, "yaml");
    request_bool_given(q, "dryRun", &x->dry_run);
    if (x->yaml && !json_is_string(x->yaml))
        request_invalid(q, "yaml", "must be text");
    if (!!x->edits + !!x->yaml + !!json_object_get(q->body, "restore") != 1)
        request_invalid(q, "edits",
                        "is missing; give edits, yaml or restore, one of them");
}

struct next model_edits_make(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct edit_work *x = edit_work_new(f);
    if (!request_body(q))
        return back(f);
    read_change(q, x);
    return with_text(f, change_due);
}

static struct next refuse_old_version(struct flow *f, int64_t seen, int now)
{
    struct str sentence = arena_printf(
        &REQUEST(f)->memory,
        now ? "The model was changed meanwhile: you saw version %lld, and "
              "version %d is the newest. Reload it and make your change again."
            : "The model was changed meanwhile: version %lld is not the newest "
              "any more. Reload it and make your change again.",
        (long long)seen, now);
    return reply_refusal(f, ERR_CONFLICT, sentence.ptr);
}

static struct next change_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct edit_work *x = q->state;
    if (!request_for_owner(q, true, x->text.owner_id, model_missing))
        return back(f);
    if (x->seen != x->text.version)
        return refuse_old_version(f, x->seen, x->text.version);
    if (!x->restores)
        return go(f, probe_due);
    x->version.model_id = x->text.model_id;
    x->version.version = (int)x->restores;
    return call(f, model_version_text_begin, &x->version, version_read);
}

static struct next version_read(struct flow *f)
{
    if (!work_of(f)->version.found)
        return reply_refusal(f, ERR_NOT_FOUND, version_missing);
    return go(f, probe_due);
}

static struct next probe_due(struct flow *f)
{
    return begin_probe(f, text_changed);
}

/* What is wrong: an edit that cannot be made, or errors of the new text. */
static struct next refuse_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct edit_work *x = q->state;
    struct str problem = json_get_text(x->probe.answer, "problem");
    struct json_writer w;
    struct buf details;
    if (problem.len) {
        request_invalid(
            q, arena_cstr(&q->memory, json_get_text(x->probe.answer, "field")),
            arena_cstr(&q->memory, problem));
        request_refused(q);
        return back(f);
    }
    buf_init(&details, &q->memory);
    json_writer_init(&w, &details);
    model_probe_findings(&w, &x->probe, "error", x->yaml ? "yaml" : "edits");
    reply_error_with(q, ERR_VALIDATION, "The model would not be valid.",
                     buf_view(&details));
    return back(f);
}

static void reply_change(struct request *q, bool saved, int version)
{
    const struct edit_work *x = q->state;
    const json_t *answer = x->probe.answer;
    struct api_reply r;
    struct buf changes;
    buf_init(&changes, &q->memory);
    json_print_into(&changes, json_object_get(answer, "changes"));
    reply_open_object(q, &r);
    json_field_int(&r.w, "version", version);
    json_field_bool(&r.w, "saved", saved);
    json_field_raw(&r.w, "changes", buf_view(&changes));
    json_field_bool(&r.w, "rewritten",
                    json_get_bool(answer, "rewritten", false));
    json_put_key(&r.w, "warnings");
    model_probe_findings(&r.w, &x->probe, "warning", NULL);
    if (x->dry_run)
        json_field_str(&r.w, "yaml", x->probe.yaml);
    put_parts(q, &r.w);
    reply_send_object(q, &r, 200);
}

static struct next text_changed(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct edit_work *x = q->state;
    if (x->probe.busy)
        return refuse_busy_probe(f);
    if (!x->probe.model)
        return refuse_change(f);
    if (x->dry_run || str_eq(x->probe.yaml, x->text.text)) {
        reply_change(q, false, x->text.version);
        return back(f);
    }
    x->vectors = (struct dataset_vectors){
        .with = agent_settings(q->api->options.agent)->embedding,
        .model = x->probe.model,
        .memory = &x->memory,
        .agent = q->api->options.agent,
        .user_id = q->user.id};
    return call(f, dataset_vectors_begin, &x->vectors, parts_embedded);
}

static struct next parts_embedded(struct flow *f)
{
    struct edit_work *x = work_of(f);
    struct ontology_import *i = &x->import;
    i->model = x->probe.model;
    dataset_vectors_into(&x->vectors, i);
    i->without_ontology = true;
    i->replaces_model = x->text.model_id;
    i->source_text = x->probe.yaml;
    i->expected_version = x->text.version;
    i->restores = (int)x->restores;
    i->changes =
        json_print(&x->memory, json_object_get(x->probe.answer, "changes"));
    return call(f, ontology_import_begin, i, parts_stored);
}

static struct next parts_stored(struct flow *f)
{
    struct edit_work *x = work_of(f);
    if (x->import.taken)
        return refuse_old_version(f, x->seen, 0);
    reply_change(REQUEST(f), true, x->import.version);
    return back(f);
}

/* ---- GET /api/semantic-models/:id/versions -------------------------------- */

struct next model_versions_list(struct flow *f)
{
    struct model_version_page *p = &edit_work_new(f)->page;
    if (!request_paging(REQUEST(f), &p->page, &p->page_size, 20))
        return back(f);
    return with_text(f, versions_due);
}

static struct next versions_due(struct flow *f)
{
    struct edit_work *x = work_of(f);
    x->page.model_id = x->text.model_id;
    return call(f, model_version_page_begin, &x->page, versions_listed);
}

static struct next versions_listed(struct flow *f)
{
    const struct model_version_page *p = &work_of(f)->page;
    reply_page(REQUEST(f), p->query, model_version_write, p->page, p->page_size,
               p->total);
    return back(f);
}

/* ---- GET /api/semantic-models/:id/versions/:version ----------------------- */

struct next model_versions_get(struct flow *f)
{
    struct edit_work *x = edit_work_new(f);
    if (!request_index(REQUEST(f), "version", VERSION_MOST,
                       &x->version.version))
        return back(f);
    return with_text(f, version_due);
}

static struct next version_due(struct flow *f)
{
    struct edit_work *x = work_of(f);
    x->version.model_id = x->text.model_id;
    return call(f, model_version_text_begin, &x->version, version_shown);
}

static struct next version_shown(struct flow *f)
{
    const struct edit_work *x = work_of(f);
    if (!x->version.found)
        return reply_refusal(f, ERR_NOT_FOUND, version_missing);
    return reply_row(f, x->version.query, model_version_text_write, 200);
}
