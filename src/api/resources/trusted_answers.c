/* trusted_answers.c - trusted answers: list, add, import, export, remove.
 *
 * The owner of an ontology and admins may change them; everyone who may see the
 * ontology may read them. Before they are listed, those that were checked
 * against an older version of their ontology are checked again. */
#include "agent/model_probe.h"
#include "agent/trusted.h"
#include "base/clock.h"
#include "ontology/question_key.h"
#include "ontology/question_set.h"
#include "../request.h"
#include "base/banned.h"

enum { MS_PER_DAY = 86400000, STEP_MOST = 1000000, REFUSALS_SHOWN = 100 };

static const char ontology_missing[] = "Ontology not found";
static const char answer_missing[] = "Trusted answer not found";

struct trusted_work {
    struct trusted_recheck recheck;
    struct trusted_page page;
    struct trusted_source source;
    struct ontology_page ontology;
    struct ontology_acquire hold;
    struct model_probe probe;
    struct trusted_add add;
    struct trusted_find find;
    struct trusted_remove remove;
    struct trusted_candidate candidate;
    struct arena memory; /* of imports and exports */
    int64_t skipped;
    bool rewritten; /* the request says the question */
    step_fn *then;
};

static struct next answers_checked(struct flow *f),
    trusted_listed(struct flow *f), export_due(struct flow *f),
    export_checked(struct flow *f), export_read(struct flow *f),
    marked_read(struct flow *f), ontology_known(struct flow *f),
    ontology_held(struct flow *f), add_due(struct flow *f),
    answer_added(struct flow *f), added_read(struct flow *f),
    import_due(struct flow *f), set_read(struct flow *f),
    set_added(struct flow *f), remove_due(struct flow *f),
    answer_removed(struct flow *f);

static void trusted_work_done(void *what)
{
    struct trusted_work *x = what;
    arena_done(&x->memory);
}

static struct trusted_work *trusted_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = keep(f, struct trusted_work);
    x->recheck.store = x->page.store = x->source.store = x->ontology.store =
        x->hold.store = x->add.store = x->find.store = x->remove.store =
            request_store(q);
    x->recheck.user_id = x->page.user_id = x->source.user_id =
        x->ontology.user_id = x->add.user_id = x->find.user_id =
            x->remove.user_id = q->user.id;
    x->recheck.all = x->page.all = x->ontology.all = x->find.all =
        request_may(q, MAY_ADMIN);
    x->add.request_id = x->remove.request_id = q->x->request_id;
    x->ontology.page = x->ontology.page_size = 1;
    x->probe.program = q->api->options.program;
    x->probe.questions = true;
    x->probe.memory = x->add.memory = &x->memory;
    arena_init(&x->memory, 0);
    defer_kept(f, trusted_work_done, x);
    q->state = x;
    return x;
}

static struct trusted_work *work_of(struct flow *f)
{
    return REQUEST(f)->state;
}

/* ---- GET /trusted-answers ------------------------------------------------- */

struct next trusted_answers_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = trusted_work_new(f);
    struct trusted_page *p = &x->page;
    request_uuid_query(q, "ontologyId", &p->ontology_id);
    request_uuid_query(q, "messageId", &p->message_id);
    request_search(q, &p->search);
    http_get_query(q->x, "state", &p->state);
    if (p->state.len && !str_is(p->state, "trusted") &&
        !str_is(p->state, "stale"))
        request_invalid(q, "state", "must be trusted or stale");
    if (!request_paging(q, &p->page, &p->page_size, 20))
        return back(f);
    x->recheck.ontology_id = p->ontology_id;
    return call(f, trusted_recheck_begin, &x->recheck, answers_checked);
}

static struct next answers_checked(struct flow *f)
{
    return call(f, trusted_page_begin, &work_of(f)->page, trusted_listed);
}

static struct next trusted_listed(struct flow *f)
{
    const struct trusted_page *p = &work_of(f)->page;
    reply_page(REQUEST(f), p->query, trusted_write, p->page, p->page_size,
               p->total);
    return back(f);
}

/* ---- the ontology of a request -------------------------------------------- */

/* Reads the ontology and continues with `then`. */
static struct next with_ontology(struct flow *f, struct str id, step_fn *then)
{
    struct trusted_work *x = work_of(f);
    x->ontology.ontology_id = id;
    x->then = then;
    return call(f, ontology_page_begin, &x->ontology, ontology_known);
}

static struct next ontology_known(struct flow *f)
{
    struct trusted_work *x = work_of(f);
    if (!x->ontology.query->n_rows)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    return flow_go(f, x->then, "then");
}

/* Holds the ontology of a request that changes its answers. */
static struct next hold_own(struct flow *f, step_fn *then)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = q->state;
    if (!request_for_owner(q, true, x->ontology.owner_id, ontology_missing))
        return back(f);
    if (!str_is(x->ontology.status, "ready"))
        return reply_refusal(f, ERR_CONFLICT, "The ontology is not ready.");
    x->hold.id = x->ontology.ontology_id;
    x->hold.version = x->ontology.version;
    x->then = then;
    return call(f, ontology_acquire_begin, &x->hold, ontology_held);
}

static struct next ontology_held(struct flow *f)
{
    struct trusted_work *x = work_of(f);
    x->add.held = x->hold.held;
    return flow_go(f, x->then, "then");
}

static struct next refuse_full(struct flow *f)
{
    return reply_refusal(f, ERR_CONFLICT,
                         arena_printf(&REQUEST(f)->memory,
                                      "An ontology has at most %d trusted "
                                      "answers. Remove some first.",
                                      TRUSTED_MOST)
                             .ptr);
}

/* ---- POST /trusted-answers ------------------------------------------------ */

static void read_step(struct request *q, int *out)
{
    const json_t *v = json_object_get(q->body, "stepId");
    if (!v || json_is_null(v))
        return;
    json_int_t n = json_integer_value(v);
    *out = n >= 1 && n <= STEP_MOST ? (int)n : 0;
    if (!*out)
        request_invalid(q, "stepId", "must be the number of a step");
}

static void read_trusted_body(struct request *q, struct trusted_work *x)
{
    struct trusted_candidate *c = &x->candidate;
    bool sql = request_text_given(q, "sql", 1, TRUSTED_SQL_MOST, &c->sql);
    x->rewritten = request_text_given(q, "question", 1, TRUSTED_QUESTION_MOST,
                                      &c->question);
    if (json_object_get(q->body, "messageId"))
        request_uuid_given(q, "messageId", &x->source.message_id);
    read_step(q, &x->source.step_id);
    if (json_object_get(q->body, "ontologyId"))
        request_uuid_given(q, "ontologyId", &x->page.ontology_id);
    if (x->source.message_id.len || json_object_get(q->body, "messageId"))
        return;
    if (!x->page.ontology_id.len && !json_object_get(q->body, "ontologyId"))
        request_invalid(q, "ontologyId", "is missing; give it or messageId");
    if (!sql && !json_object_get(q->body, "sql"))
        request_invalid(q, "sql", "is missing; give it or messageId");
    if (!x->rewritten && !json_object_get(q->body, "question"))
        request_invalid(q, "question", "is missing; give it or messageId");
}

struct next trusted_answers_add(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = trusted_work_new(f);
    if (!request_body(q))
        return back(f);
    read_trusted_body(q, x);
    if (request_refused(q))
        return back(f);
    x->candidate.day = clock_wall_ms() / MS_PER_DAY;
    if (x->source.message_id.len)
        return call(f, trusted_source_begin, &x->source, marked_read);
    return with_ontology(f, x->page.ontology_id, add_due);
}

/* What the answer's message says; the request may say it otherwise. */
static void take_marked(struct trusted_work *x)
{
    struct trusted_candidate *c = &x->candidate;
    const struct trusted_source *s = &x->source;
    if (!c->question.len)
        c->question = s->question;
    if (!c->sql.len)
        c->sql = s->sql;
    c->day = s->answered_ms / MS_PER_DAY;
    c->message_id = s->message_id;
    c->step_id = s->found_step;
}

static struct next marked_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = q->state;
    struct question_key key;
    if (!x->source.found)
        return reply_refusal(f, ERR_NOT_FOUND,
                             "No such answer of yours has a query");
    if (x->page.ontology_id.len &&
        !str_eq(x->page.ontology_id, x->source.ontology_id))
        request_invalid(q, "ontologyId", "is not that of the answer's chat");
    take_marked(x);
    question_key_make(&q->memory, x->candidate.question, &key);
    if (x->source.continues && !x->rewritten && question_refers_back(&key))
        request_invalid(q, "question",
                        "must be given: the question continues an earlier one, "
                        "so write it so that it can be understood alone");
    if (request_refused(q))
        return back(f);
    return with_ontology(f, x->source.ontology_id, add_due);
}

static struct next add_due(struct flow *f)
{
    struct trusted_work *x = work_of(f);
    x->add.items = &x->candidate;
    x->add.n = 1;
    if (!x->add.held)
        return hold_own(f, add_due);
    return call(f, trusted_add_begin, &x->add, answer_added);
}

static struct next answer_added(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = q->state;
    if (x->candidate.problem.len) {
        request_invalid(q, x->candidate.field,
                        arena_cstr(&q->memory, x->candidate.problem));
        request_refused(q);
        return back(f);
    }
    if (!x->add.put.found)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    if (!x->add.put.room)
        return refuse_full(f);
    x->find.id = x->add.put.id;
    return call(f, trusted_find_begin, &x->find, added_read);
}

static struct next added_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct trusted_work *x = q->state;
    struct api_reply r;
    if (!x->find.found)
        return reply_refusal(f, ERR_NOT_FOUND, answer_missing);
    reply_open_object(q, &r);
    trusted_write(&r.w, x->find.query, 0);
    reply_send_object(q, &r, x->add.put.added ? 201 : 200);
    return back(f);
}

/* ---- POST /trusted-answers/import ----------------------------------------- */

struct next trusted_answers_import(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = trusted_work_new(f);
    if (!request_body(q))
        return back(f);
    request_uuid_given(q, "ontologyId", &x->page.ontology_id);
    const json_t *yaml = json_object_get(q->body, "yaml");
    if (!json_is_string(yaml))
        request_invalid(q, "yaml", "must be a set of questions as text");
    if (request_refused(q))
        return back(f);
    x->probe.text = json_text(yaml);
    return with_ontology(f, x->page.ontology_id, import_due);
}

static struct next import_due(struct flow *f)
{
    struct trusted_work *x = work_of(f);
    if (!x->add.held)
        return hold_own(f, import_due);
    return call(f, model_probe_begin, &x->probe, set_read);
}

static struct next refuse_set(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct trusted_work *x = q->state;
    struct json_writer w;
    struct buf details;
    buf_init(&details, &q->memory);
    json_writer_init(&w, &details);
    model_probe_findings(&w, &x->probe, "error", "yaml");
    reply_error_with(q, ERR_VALIDATION, "The set of questions has errors.",
                     buf_view(&details));
    return back(f);
}

/* The set was read in another process; its texts live as long as the probe's
 * answer. */
static struct next set_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = q->state;
    const json_t *all = json_object_get(x->probe.answer, "questions"), *v;
    size_t i, n = json_array_size(all);
    if (x->probe.busy)
        return reply_refusal(f, ERR_RATE_LIMITED,
                             "Other files are being read. Try again later.");
    if (!json_is_array(all))
        return refuse_set(f);
    if (n > TRUSTED_MOST)
        return refuse_full(f);
    x->add.items = arena_new_array(&x->memory, struct trusted_candidate, n + 1);
    json_array_foreach(all, i, v)
    {
        x->add.items[i] = (struct trusted_candidate){
            .question = json_get_text(v, "question"),
            .sql = json_get_text(v, "sql"),
            .day = clock_parse_day(json_get_text(v, "asked")),
            .line = (int)json_get_int(v, "line", 0)};
    }
    x->add.n = n;
    x->skipped = json_get_int(x->probe.answer, "skipped", 0);
    return call(f, trusted_add_begin, &x->add, set_added);
}

static struct next set_added(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct trusted_work *x = q->state;
    struct api_reply r;
    size_t shown = 0;
    if (!x->add.put.found)
        return reply_refusal(f, ERR_NOT_FOUND, ontology_missing);
    if (!x->add.put.room)
        return refuse_full(f);
    reply_open_object(q, &r);
    json_field_int(&r.w, "added", x->add.put.added);
    json_field_int(&r.w, "replaced", x->add.put.replaced);
    json_field_int(&r.w, "skipped", x->skipped);
    json_field_array(&r.w, "refused");
    for (size_t i = 0; i < x->add.n && shown < REFUSALS_SHOWN; i++) {
        const struct trusted_candidate *c = &x->add.items[i];
        if (!c->problem.len)
            continue;
        shown++;
        json_put_object(&r.w);
        json_field_int(&r.w, "line", c->line);
        json_field_text(&r.w, "field", c->field);
        json_field_str(&r.w, "message", c->problem);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    reply_send_object(q, &r, 200);
    return back(f);
}

/* ---- GET /trusted-answers/export ------------------------------------------ */

struct next trusted_answers_export(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = trusted_work_new(f);
    request_uuid_query(q, "ontologyId", &x->page.ontology_id);
    if (!x->page.ontology_id.len)
        request_invalid(q, "ontologyId", "is missing");
    if (request_refused(q))
        return back(f);
    return with_ontology(f, x->page.ontology_id, export_due);
}

static struct next export_due(struct flow *f)
{
    struct trusted_work *x = work_of(f);
    x->recheck.ontology_id = x->page.ontology_id;
    return call(f, trusted_recheck_begin, &x->recheck, export_checked);
}

/* All of them: an ontology has no more. */
static struct next export_checked(struct flow *f)
{
    struct trusted_work *x = work_of(f);
    x->page.state = STR("trusted");
    x->page.page = 1;
    x->page.page_size = TRUSTED_MOST;
    return call(f, trusted_page_begin, &x->page, export_read);
}

static struct next export_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = q->state;
    struct buf out;
    buf_init(&out, &q->memory);
    trusted_set_write(&out, x->page.query, x->ontology.name);
    http_set_header(q->x, "Content-Disposition",
                    STR("attachment; filename=\"trusted-answers.yaml\""));
    reply_bytes(q, "application/yaml", buf_view(&out));
    return back(f);
}

/* ---- DELETE /trusted-answers/:id ------------------------------------------ */

struct next trusted_answers_remove(struct flow *f)
{
    struct trusted_work *x = trusted_work_new(f);
    if (!request_uuid(REQUEST(f), "id", &x->find.id))
        return back(f);
    return call(f, trusted_find_begin, &x->find, remove_due);
}

static struct next remove_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct trusted_work *x = q->state;
    if (!request_for_owner(q, x->find.found, x->find.owner_id, answer_missing))
        return back(f);
    x->remove.id = x->find.id;
    return call(f, trusted_remove_begin, &x->remove, answer_removed);
}

static struct next answer_removed(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct trusted_work *x = q->state;
    if (!x->remove.found)
        return reply_refusal(f, ERR_NOT_FOUND, answer_missing);
    reply_empty(q, 204);
    return back(f);
}
