/* csv_chat.c - the CSV analyst at its own paths: asks in a thread, waits for the
 * run, and answers with its capsule; or streams the run in its own form.
 *
 *   chat_ask, chat_stream, runs_submit -> ask_due -> thread_known
 *     -> (asked_run) -> run_over -> capsule_known
 *   agentic_explore: the same for the explorer, whose answer is its result
 *   runs_get, runs_status -> run_known;  threads_messages -> thread_read */
#include "agent/run.h"
#include "base/random.h"
#include "base/utf8.h"
#include "csv_events.h"
#include "explorer_request.h"
#include "../figures.h"
#include "../limits.h"
#include "net/sse.h"
#include "question.h"
#include "../protocols/asked_run.h"
#include "store/capsules.h"
#include "base/banned.h"

enum {
    AGAIN_S = 5,
    NO_SANDBOX_S = 300,
    STALL_MS = 15000,
    QUEUE_BYTES = 1024 * 1024,
    FULL_BYTES = 32 * 1024,
    MESSAGES_MOST = 200,
    MESSAGES_USUAL = 50,
};

struct csv_chat {
    struct thread_ask ask;
    struct asked_run run;
    struct capsule_read capsule;
    struct thread_page page;
    bool streams;
    bool explores;   /* the answer is an exploration */
    struct sse *sse; /* NULL: there is none, or the client has gone */
};

static struct next ask_due(struct flow *f), thread_known(struct flow *f),
    run_over(struct flow *f), capsule_known(struct flow *f),
    run_known(struct flow *f), status_known(struct flow *f),
    thread_read(struct flow *f);
static void on_run_start(struct asked_run *r), close_stream(void *chat);

static struct csv_chat *csv_chat_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct csv_chat *c = keep(f, struct csv_chat);
    c->ask.store = c->capsule.store = c->page.store = request_store(q);
    c->ask.user_id = c->capsule.user_id = c->page.user_id = q->user.id;
    q->state = c;
    return c;
}

static const struct agent_settings *settings_of(const struct request *q)
{
    return agent_settings(q->api->options.agent);
}

/* ---- what a request says ------------------------------------------------ */

/* What can be written in an address: no control characters, and not what means
 * a folder there. */
static bool is_thread_name(struct str s)
{
    return s.len && utf8_count(s) <= THREAD_ID_MOST && !str_is(s, ".") &&
           !str_is(s, "..") && !str_has_control(s);
}

static void read_thread(struct request *q, struct thread_ask *a)
{
    const json_t *v = json_object_get(q->body, "thread_id");
    a->thread_id = json_text(v);
    if (!v || json_is_null(v)) {
        char id[UUID_SIZE];
        uuid_new(id);
        a->thread_id = arena_printf(&q->memory, "thread-%s", id);
    } else if (!is_thread_name(a->thread_id)) {
        request_invalid(q, "thread_id",
                        "must be 1 to 255 characters, none of them a control "
                        "character, and not . or ..");
    }
}

static void read_dataset(struct request *q, struct thread_ask *a)
{
    a->dataset_id = json_get_text(q->body, "dataset_id");
    if (!a->dataset_id.len)
        request_invalid(q, "dataset_id", "must be the id of a dataset");
}

static void read_agent(struct request *q, struct thread_ask *a)
{
    const json_t *v = json_object_get(q->body, "agent");
    a->agent = json_text(v);
    bool known = str_is(a->agent, "csv") || str_is(a->agent, "scientist");
    if (v && !json_is_null(v) && (!known || agent_of(a->agent) == AGENT_KINDS))
        request_invalid(q, "agent", "must be csv or scientist");
}

static bool read_common(struct request *q, struct thread_ask *a)
{
    if (!request_body(q))
        return false;
    read_thread(q, a);
    read_dataset(q, a);
    return true;
}

static struct next ask_message(struct flow *f, bool streams)
{
    struct request *q = REQUEST(f);
    struct csv_chat *c = csv_chat_new(f);
    c->streams = streams;
    if (!read_common(q, &c->ask))
        return back(f);
    read_agent(q, &c->ask);
    question_of(q, "message", &c->ask.content);
    return request_refused(q) ? back(f) : go(f, ask_due);
}

struct next chat_ask(struct flow *f)
{
    return ask_message(f, false);
}

struct next chat_stream(struct flow *f)
{
    return ask_message(f, true);
}

/* ---- POST /api/agentic-explore ------------------------------------------ */

struct next agentic_explore(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct csv_chat *c = csv_chat_new(f);
    char id[UUID_SIZE];
    if (!request_body(q))
        return back(f);
    uuid_new(id);
    c->explores = true;
    c->ask.agent = STR("explorer");
    c->ask.thread_id = arena_printf(&q->memory, "exploration-%s", id);
    c->ask.dataset_id = json_get_text(q->body, "datasetId");
    if (!c->ask.dataset_id.len)
        request_invalid(q, "datasetId", "must be the id of a dataset");
    question_of(q, "question", &c->ask.content);
    c->ask.max_steps = explorer_steps_read(q);
    return request_refused(q) ? back(f) : go(f, ask_due);
}

/* ---- POST /runs --------------------------------------------------------- */

static const struct run_form {
    const char *type, *prefix, *field, *also;
} run_forms[] = {{"sql", "SQL: ", "sql", NULL},
                 {"python", "PYTHON: ", "python_code", NULL},
                 {"plan", "PLAN: ", "plan", "plan_json"}};

/* The value of a form's field; NULL: there is none. */
static const json_t *form_value(struct request *q, const struct run_form *form)
{
    const json_t *v = json_object_get(q->body, form->field);
    if ((!v || json_is_null(v)) && form->also)
        v = json_object_get(q->body, form->also);
    return v && !json_is_null(v) ? v : NULL;
}

/* Clients may send the fields of the other forms, too, unused. */
static bool form_types_fit(struct request *q)
{
    bool fit = true;
    for (size_t i = 0; i < 3; i++) {
        const struct run_form *form = &run_forms[i];
        const json_t *v = form_value(q, form);
        if (!v || (form->also ? json_is_object(v) : json_is_string(v)))
            continue;
        request_invalid(q, form->field,
                        form->also ? "must be a QueryPlan"
                                   : "must be a string");
        fit = false;
    }
    return fit;
}

/* Without query_type, the field that there is says what it is. */
static const struct run_form *form_of(struct request *q)
{
    const json_t *type = json_object_get(q->body, "query_type");
    bool given = type && !json_is_null(type);
    for (size_t i = 0; i < 3; i++) {
        const struct run_form *form = &run_forms[i];
        if (given ? str_is(json_text(type), form->type)
                  : form_value(q, form) != NULL)
            return form;
    }
    request_invalid(q, "query_type", "must be sql, python or plan");
    return NULL;
}

static void read_run(struct request *q, struct thread_ask *a)
{
    enum { CONTENT_MOST = 10000 };
    const struct run_form *form = form_of(q);
    if (!form || !form_types_fit(q))
        return;
    const json_t *v = form_value(q, form);
    struct str text = json_is_object(v) && form->also
                          ? json_print(&q->memory, v)
                          : utf8_trim(json_text(v));
    size_t n = utf8_count(text);
    if (!text.len || n + 8 > CONTENT_MOST || (form->also && !json_is_object(v)))
        request_invalid(q, form->field,
                        form->also ? "must be a QueryPlan"
                                   : "must be 1 to 9992 characters");
    a->content =
        arena_printf(&q->memory, "%s%.*s", form->prefix, STR_ARG(text));
}

struct next runs_submit(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct csv_chat *c = csv_chat_new(f);
    if (!read_common(q, &c->ask))
        return back(f);
    c->ask.agent = STR("csv");
    read_run(q, &c->ask);
    return request_refused(q) ? back(f) : go(f, ask_due);
}

/* ---- asking ------------------------------------------------------------- */

static struct next no_sandbox(struct flow *f)
{
    struct request *q = REQUEST(f);
    http_set_header(q->x, "Retry-After",
                    arena_printf(&q->memory, "%d", NO_SANDBOX_S));
    return reply_refusal(f, ERR_UNAVAILABLE,
                         "This needs the sandbox, which is off on this "
                         "server.");
}

static bool needs_python(const struct thread_ask *a)
{
    return str_is(a->agent, "scientist") ||
           str_eq_nocase(utf8_first(a->content, 7), STR("PYTHON:"));
}

static struct next ask_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct csv_chat *c = q->state;
    if (q->api->draining)
        return reply_refusal(f, ERR_UNAVAILABLE,
                             "This process is shutting down.");
    if (!uuid_valid(c->ask.dataset_id))
        return reply_refusal(f, ERR_NOT_FOUND, "Dataset not found");
    c->ask.sandbox = !settings_of(q)->sandbox.off;
    if (!c->ask.sandbox && needs_python(&c->ask))
        return no_sandbox(f);
    c->ask.all_datasets = request_may(q, MAY_ADMIN);
    return call(f, thread_ask_begin, &c->ask, thread_known);
}

static struct next not_ready(struct flow *f, const struct thread_ask *a)
{
    bool failed = str_is(a->detail, "failed");
    return reply_refusal(f, failed ? ERR_VALIDATION : ERR_CONFLICT,
                         failed ? "The dataset could not be prepared."
                                : "The dataset is still being prepared.");
}

static struct next thread_known(struct flow *f)
{
    struct csv_chat *c = REQUEST(f)->state;
    switch (c->ask.outcome) {
    case THREAD_ASKED:
        break;
    case THREAD_BUSY:
        return reply_refusal(f, ERR_CHAT_BUSY, NULL);
    case THREAD_NOT_READY:
        return not_ready(f, &c->ask);
    case THREAD_OTHER_DATASET:
        return reply_refusal(f, ERR_CONFLICT,
                             "This thread is about another dataset. Use "
                             "another thread_id.");
    case THREAD_OTHER_AGENT:
        return reply_refusal(f, ERR_CONFLICT,
                             "This thread has another agent. Use another "
                             "thread_id.");
    case THREAD_NO_SANDBOX:
        return no_sandbox(f);
    case THREAD_NO_DATASET:
        return reply_refusal(f, ERR_NOT_FOUND, "Dataset not found");
    }
    c->run = (struct asked_run){.request = REQUEST(f),
                                .chat_id = c->ask.chat_id,
                                .message_id = c->ask.answer_id,
                                .on_start = on_run_start,
                                .who = c};
    if (c->streams)
        defer_kept(f, close_stream, c);
    return call(f, asked_run_begin, &c->run, run_over);
}

/* ---- starting ----------------------------------------------------------- */

static void refuse_claim(struct request *q, const struct run_claim *c)
{
    switch (c->outcome) {
    case CLAIM_BUSY:
        limits_refuse(q, "runs", c->limit, 0, AGAIN_S,
                      "Other answers of yours are still being written.");
        break;
    case CLAIM_SPENT:
    case CLAIM_COSTLY:
        limits_refuse_day(q, c->outcome == CLAIM_COSTLY);
        break;
    case CLAIM_FULL:
        limits_refuse(q, "queue", 0, 0, AGAIN_S,
                      "Too many questions are waiting. Try again later.");
        break;
    default:
        reply_error(q, ERR_CONFLICT, "The question was answered elsewhere.");
    }
}

/* ---- the stream --------------------------------------------------------- */

static bool on_log_frames(struct asked_run *r, struct str frames)
{
    struct csv_chat *c = r->who;
    struct buf out;
    if (!c->sse)
        return true;
    if (!sse_has_room(c->sse, frames.len))
        return false;
    buf_init(&out, NULL);
    csv_events_put(&out, frames);
    if (out.len)
        sse_send(c->sse, buf_view(&out));
    buf_done(&out);
    asked_run_pace(r, sse_queued(c->sse) > FULL_BYTES);
    return true;
}

static void on_stream_drained(struct sse *sse, void *who)
{
    (void)sse;
    asked_run_pace(&((struct csv_chat *)who)->run, false);
}

static void on_client_gone(struct sse *sse, void *who)
{
    struct csv_chat *c = who;
    (void)sse;
    c->sse = NULL;
    asked_run_gone(&c->run);
}

static void close_stream(void *chat)
{
    struct csv_chat *c = chat;
    sse_close(&c->sse);
}

static void on_run_start(struct asked_run *r)
{
    struct request *q = r->request;
    struct csv_chat *c = r->who;
    if (!c->streams)
        return;
    q->answered = true;
    r->on_frames = on_log_frames;
    c->sse = sse_open(q->x, &(struct sse_options){
                                .heartbeat_ms = q->api->options.heartbeat_ms,
                                .queue_bytes = QUEUE_BYTES,
                                .stall_ms = STALL_MS,
                                .on_closed = on_client_gone,
                                .on_drained = on_stream_drained,
                                .who = c});
}

/* ---- the end ------------------------------------------------------------ */

static struct next run_over(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct csv_chat *c = q->state;
    if (c->run.refused) {
        refuse_claim(q, &c->run.claim);
        return back(f);
    }
    if (c->streams && !c->sse)
        return back(f);
    if (!c->run.ended) {
        if (!c->streams)
            reply_error(q, ERR_UNAVAILABLE,
                        "The answer is not finished; ask for it with GET "
                        "/runs.");
        return back(f);
    }
    c->capsule.run_id = c->ask.answer_id;
    return call(f, capsule_read_begin, &c->capsule, capsule_known);
}

static void put_event(struct buf *out, const char *event, struct str data)
{
    buf_printf(out, "event: %s\ndata: %.*s\n\n", event, STR_ARG(data));
}

static struct str response_json(struct request *q, const struct csv_chat *c)
{
    struct api_reply r;
    reply_open_bare(q, &r);
    capsule_write_response(&r.w, c->capsule.query);
    json_put_object_end(&r.w);
    return buf_view(&r.out);
}

/* A run that failed as a whole has no result. */
static void end_stream(struct request *q, struct csv_chat *c)
{
    struct buf out;
    buf_init(&out, &q->memory);
    if (!c->capsule.found)
        put_event(&out, "error",
                  STR("{\"type\":\"NOT_FOUND\",\"message\":\"The thread was "
                      "deleted.\"}"));
    else if (c->capsule.run_failed)
        put_event(&out, "error", c->capsule.error);
    else
        put_event(&out, "result", response_json(q, c));
    put_event(&out, "done",
              arena_printf(&q->memory, "{\"run_id\":\"%.*s\"}",
                           STR_ARG(c->ask.answer_id)));
    sse_send_last(c->sse, buf_view(&out));
    sse_close(&c->sse);
}

static struct next capsule_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct csv_chat *c = q->state;
    if (c->streams) {
        if (c->sse)
            end_stream(q, c);
        return back(f);
    }
    if (!c->capsule.found)
        return reply_refusal(f, ERR_NOT_FOUND, "The thread was deleted.");
    struct api_reply r;
    reply_open_bare(q, &r);
    if (c->explores)
        capsule_write_exploration(&r.w, c->capsule.query);
    else
        capsule_write_response(&r.w, c->capsule.query);
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- GET /runs/:id, /runs/:id/status ------------------------------------ */

struct next runs_get(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct capsule_read *r = &csv_chat_new(f)->capsule;
    r->run_id = request_param(q, "id");
    if (!uuid_valid(r->run_id))
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    return call(f, capsule_read_begin, r, run_known);
}

static struct next run_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct capsule_read *c = &((struct csv_chat *)q->state)->capsule;
    struct api_reply r;
    if (!c->found)
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    reply_open_bare(q, &r);
    capsule_write(&r.w, c->query);
    reply_send(q, &r, 200);
    return back(f);
}

struct next runs_status(struct flow *f)
{
    struct capsule_read *r = &csv_chat_new(f)->capsule;
    r->run_id = request_param(REQUEST(f), "id");
    r->head = true;
    if (!uuid_valid(r->run_id))
        return go(f, status_known);
    return call(f, capsule_read_begin, r, status_known);
}

static struct next status_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct capsule_read *c = &((struct csv_chat *)q->state)->capsule;
    struct api_reply r;
    reply_open_bare(q, &r);
    json_field_str(&r.w, "run_id", c->run_id);
    json_field_str(&r.w, "status", c->found ? c->status : STR("not_found"));
    reply_send(q, &r, 200);
    return back(f);
}

/* ---- GET /threads/:id/messages ------------------------------------------ */

/* `limit` is brought into its bounds, not refused. */
static bool read_limit(struct request *q, int *most)
{
    struct str text;
    int64_t n = MESSAGES_USUAL;
    if (http_get_query(q->x, "limit", &text) && !str_to_int64(text, &n)) {
        request_invalid(q, "limit", "must be a number");
        return false;
    }
    *most = (int)(n < 1 ? 1 : n > MESSAGES_MOST ? MESSAGES_MOST : n);
    return true;
}

struct next threads_messages(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct thread_page *p = &csv_chat_new(f)->page;
    p->thread_id = request_name(q, "id");
    if (!read_limit(q, &p->most) || !utf8_valid(p->thread_id)) {
        if (!request_refused(q))
            reply_error(q, ERR_NOT_FOUND, "Thread not found");
        return back(f);
    }
    return call(f, thread_page_begin, p, thread_read);
}

static struct next thread_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct thread_page *p = &((struct csv_chat *)q->state)->page;
    struct api_reply r;
    reply_open_bare(q, &r);
    json_field_str(&r.w, "thread_id", p->thread_id);
    json_field_array(&r.w, "messages");
    for (int i = 0; i < p->query->n_rows; i++) {
        json_put_object(&r.w);
        thread_message_write(&r.w, p->query, i);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    reply_send(q, &r, 200);
    return back(f);
}
