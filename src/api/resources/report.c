/* report.c - POST /api/report: writes the report of an exploration, from the
 * results in the request or from those of a stored run.
 *
 *   report_write -> (run_found) -> admitted -> model_known -> write_due
 *                -> (the model, a child flow) -> written
 *
 * The Markdown streams as the model writes it; for `Accept: application/json`
 * it is one answer. Nothing is stored but the tokens. */
#include "agent/report.h"
#include "agent/agent.h"
#include "base/compiler.h"
#include "../limits.h"
#include "question.h"
#include "llm/provider.h"
#include "store/capsules.h"
#include "store/explorer_calls.h"
#include "store/model_runs.h"
#include "base/banned.h"

enum {
    REPORTS_OF_USER = 2, /* in this process */
    AGAIN_S = 5,
    MODEL_MEMORY = 16 * 1024 * 1024,
};

struct report_work {
    struct report_work *next; /* of those in progress */
    struct request *request;
    struct report_input input;
    const struct agent_provider *provider;
    struct settings_agent_config config;
    struct capsule_read capsule;
    struct explorer_admission admission;
    struct llm_call llm;
    struct child model;
    struct model_run_tokens tokens;
    bool as_json, begun;
    bool gone;     /* the client has disconnected */
    bool detached; /* the exchange is ended, or about to be */
    char run_id[UUID_SIZE];
};

/* Reports in progress in this process. */
static struct report_work *reports;

static struct next run_found(struct flow *f), admission_due(struct flow *f),
    admitted(struct flow *f), model_known(struct flow *f),
    write_due(struct flow *f), model_begin(struct flow *f),
    model_over(struct flow *f), written(struct flow *f),
    tokens_counted(struct flow *f);

/* ---- the request -------------------------------------------------------- */

static struct str json_member(struct request *q, const char *name)
{
    const json_t *v = json_object_get(q->body, name);
    return v && !json_is_null(v) ? json_print(&q->memory, v) : STR("");
}

/* The older form: sqlHistory and charts instead of explorationResults. */
static struct str legacy_results(struct request *q)
{
    struct buf out;
    struct json_writer w;
    struct str queries = json_member(q, "sqlHistory");
    struct str charts = json_member(q, "charts");
    buf_init(&out, &q->memory);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_raw(&w, "executedQueries", queries.len ? queries : STR("[]"));
    json_field_raw(&w, "charts", charts.len ? charts : STR("[]"));
    json_put_object_end(&w);
    return buf_view(&out);
}

static void check_type(struct request *q, const char *name, bool list)
{
    const json_t *v = json_object_get(q->body, name);
    if (v && !json_is_null(v) && !(list ? json_is_array(v) : json_is_object(v)))
        request_invalid(q, name, list ? "must be a list" : "must be an object");
}

static bool is_given(struct request *q, const char *name)
{
    const json_t *v = json_object_get(q->body, name);
    return v && !json_is_null(v);
}

static void check_schema(struct request *q)
{
    const json_t *schema = json_object_get(q->body, "schema");
    for (size_t i = 0; i < json_array_size(schema); i++) {
        const json_t *column = json_array_get(schema, i);
        if (!json_get_text(column, "name").len ||
            !json_get_text(column, "type").len) {
            request_invalid(q, "schema",
                            "must have a name and a type in each "
                            "column");
            return;
        }
    }
}

static void check_words(struct request *q, struct str id, struct str provider)
{
    static const char *const known[] = {"openai", "anthropic", "azure",
                                        "builtin", NULL};
    const char *const *word = known;
    while (*word && !str_is(provider, *word))
        word++;
    if (is_given(q, "llmProvider") && !*word)
        request_invalid(q, "llmProvider",
                        "must be openai, anthropic, azure or builtin");
    if (is_given(q, "runId") && !id.len)
        request_invalid(q, "runId", "must be the id of a run");
}

static void read_report(struct request *q, struct report_work *w)
{
    struct str id = json_get_text(q->body, "runId");
    struct str provider = json_get_text(q->body, "llmProvider");
    check_words(q, id, provider);
    check_schema(q);
    check_type(q, "explorationResults", false);
    check_type(q, "sqlHistory", true);
    check_type(q, "charts", true);
    check_type(q, "schema", true);
    w->input.schema = json_member(q, "schema");
    w->input.results = json_member(q, "explorationResults");
    if (!w->input.results.len)
        w->input.results = legacy_results(q);
    w->capsule.run_id = id;
    if (!is_given(q, "runId") || is_given(q, "question"))
        question_of(q, "question", &w->input.question);
    w->provider = agent_provider(q->api->options.agent, provider);
}

static bool user_has_room(const struct request *q)
{
    int n = 0;
    for (const struct report_work *w = reports; w; w = w->next)
        n += str_eq(w->request->user.id, q->user.id);
    return n < REPORTS_OF_USER;
}

static void leave_list(void *work)
{
    struct report_work *w = work, **at = &reports;
    while (*at && *at != w)
        at = &(*at)->next;
    if (*at)
        *at = w->next;
}

static struct next refuse_report(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct report_work *w = q->state;
    if (!w->provider)
        return reply_refusal(f, ERR_MODEL_UNAVAILABLE, NULL);
    limits_refuse(q, "reports", REPORTS_OF_USER, 0, AGAIN_S,
                  "Two reports of yours are being written already.");
    return back(f);
}

struct next report_write(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct report_work *w = keep(f, struct report_work);
    q->state = w;
    w->request = q;
    if (!request_body(q))
        return back(f);
    read_report(q, w);
    if (request_refused(q))
        return back(f);
    if (!w->provider || !user_has_room(q))
        return refuse_report(f);
    w->as_json =
        http_accepts(http_get_header(q->x, "accept"),
                     STR("application/json")) &&
        !http_accepts(http_get_header(q->x, "accept"), STR("text/markdown"));
    w->next = reports;
    reports = w;
    defer_kept(f, leave_list, w);
    if (!w->capsule.run_id.len)
        return go(f, admission_due);
    if (!uuid_valid(w->capsule.run_id))
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    w->capsule.store = request_store(q);
    w->capsule.user_id = q->user.id;
    return call(f, capsule_read_begin, &w->capsule, run_found);
}

static struct next run_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct report_work *w = q->state;
    if (!w->capsule.found)
        return reply_refusal(f, ERR_NOT_FOUND, "Run not found");
    if (str_is(w->capsule.status, "running"))
        return reply_refusal(f, ERR_CONFLICT,
                             "The exploration is not finished.");
    w->input.results = capsule_result(w->capsule.query);
    if (!w->input.question.len)
        w->input.question = capsule_question(w->capsule.query);
    return go(f, admission_due);
}

/* ---- the model ---------------------------------------------------------- */

static struct next admission_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct report_work *w = q->state;
    uuid_new(w->run_id);
    w->admission = (struct explorer_admission){
        .store = request_store(q),
        .user_id = q->user.id,
        .run_id = str_of(w->run_id),
        .request_id = q->x->request_id,
        .tokens_per_day = agent_settings(q->api->options.agent)->tokens_per_day,
        .cost_per_day = agent_settings(q->api->options.agent)->cost_per_day};
    return call(f, explorer_admission_begin, &w->admission, admitted);
}

static struct next admitted(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct report_work *w = q->state;
    if (w->admission.spent || w->admission.costly) {
        limits_refuse_day(q, !w->admission.spent);
        return back(f);
    }
    w->config = (struct settings_agent_config){
        .store = request_store(q), .provider = str_of(w->provider->id)};
    return call(f, settings_agent_config_begin, &w->config, model_known);
}

static void begin_stream(struct report_work *w)
{
    struct request *q = w->request;
    w->begun = q->answered = true;
    http_set_header(q->x, "Cache-Control", STR("private, no-store"));
    http_set_header(q->x, "X-Content-Type-Options", STR("nosniff"));
    http_set_header(q->x, "X-Accel-Buffering", STR("no"));
    http_stream_begin(q->x, 200, "text/markdown; charset=utf-8");
}

static void on_model_text(void *who, struct str piece)
{
    struct report_work *w = who;
    if (w->as_json || w->gone || !piece.len)
        return;
    if (!w->begun)
        begin_stream(w);
    http_stream_write(w->request->x, piece);
}

static void on_client_gone(struct http_exchange *x)
{
    struct report_work *w = x->owner;
    w->gone = true;
    if (w->model.flow)
        flow_stop(w->model.flow, ERR_CANCELLED);
}

/* Runs when the flow ends for any reason: a report that is not complete ends
 * without its last chunk. */
static void close_report(void *work)
{
    struct report_work *w = work;
    struct http_exchange *x = w->request->x;
    if (w->detached)
        return;
    x->on_gone = NULL;
    if (w->begun)
        http_abort(x);
}

static void detach_exchange(struct report_work *w)
{
    w->detached = true;
    w->request->x->on_gone = NULL;
}

static struct next send_report(struct flow *f, struct str text)
{
    struct request *q = REQUEST(f);
    struct report_work *w = q->state;
    if (!w->as_json) {
        if (!w->begun)
            begin_stream(w);
        http_stream_write(q->x, text);
        detach_exchange(w);
        http_stream_end(q->x);
        return back(f);
    }
    struct api_reply r;
    detach_exchange(w);
    reply_open_bare(q, &r);
    json_field_str(&r.w, "report", text);
    reply_send(q, &r, 200);
    return back(f);
}

static struct next model_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct report_work *w = q->state;
    w->provider =
        agent_provider_configured(&q->memory, w->provider, &w->config);
    if (w->provider->model.provider->local)
        return send_report(f, report_by_code(&q->memory, &w->input));
    return go(f, write_due);
}

static struct next write_due(struct flow *f)
{
    struct report_work *w = REQUEST(f)->state;
    w->request->x->owner = w;
    w->request->x->on_gone = on_client_gone;
    defer(f, close_report, w); /* while there is a request */
    child_begin(f, &w->model, model_begin, w, "report", MODEL_MEMORY);
    op_tolerate(&w->model.op);
    return await(f, written);
}

static struct next model_begin(struct flow *f)
{
    struct report_work *w = locals(f, struct report_work);
    struct request *q = w->request;
    w->llm = (struct llm_call){
        .model = &w->provider->model,
        .messages = report_prompt(flow_here(f), &w->input),
        .n_messages = PROMPT_MESSAGES,
        .total_ms = agent_settings(q->api->options.agent)->llm_call_timeout_ms,
        .on_text = on_model_text,
        .who = w,
        .trace = &q->x->trace,
        .memory = &q->memory};
    return call(f, llm_begin, &w->llm, model_over);
}

static struct next model_over(struct flow *f)
{
    return back(f);
}

static struct next written(struct flow *f)
{
    struct report_work *w = REQUEST(f)->state;
    if (w->llm.model) /* else there was no memory for the call */
        agent_price_call(w->request->api->options.agent, w->llm.model,
                         &w->llm.usage);
    w->tokens = (struct model_run_tokens){.store = request_store(w->request),
                                          .user_id = w->request->user.id,
                                          .tokens = w->llm.usage.total,
                                          .cost = w->llm.usage.cost};
    if (w->tokens.tokens <= 0)
        return go(f, tokens_counted);
    return attempt(f, model_run_tokens_begin, &w->tokens, tokens_counted,
                   tokens_counted);
}

static struct next tokens_counted(struct flow *f)
{
    struct report_work *w = REQUEST(f)->state;
    enum err how = w->model.op.status;
    if (how == OK && !w->gone && (w->begun || w->llm.content.len))
        return send_report(f, w->begun ? STR("") : w->llm.content);
    if (w->begun)
        return back(f); /* cut off: the client sees no last chunk */
    detach_exchange(w);
    return reply_refusal(f, how == OK ? ERR_MODEL_UNAVAILABLE : how, NULL);
}
