/* mcp.c - the Model Context Protocol over streamable HTTP: POST /mcp.
 *
 *   mcp_serve -> message_due <-> (message_begin -> a method) -> replied
 *
 * It has no state of its own (mcp_session.c). Versions without a handshake need
 * no session: they cancel by closing the stream.
 *
 * A response is JSON, unless a question is asked: then it is an event stream
 * with progress notifications. A client of an older version that disconnects
 * does not cancel its question, as the protocol says; get_answer has it. */
#include "mcp.h"
#include "../limits.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/utf8.h"
#include "base/banned.h"

enum {
    STALL_MS = 15000,
    QUEUE_BYTES = 1024 * 1024,
};

static const char modern_version[] = "2026-07-28";
static const char latest_legacy[] = "2025-11-25";
static const char *const versions[] = {
    modern_version, latest_legacy, "2025-06-18", "2025-03-26", "2024-11-05"};
enum { VERSIONS = sizeof versions / sizeof *versions };

#define META "io.modelcontextprotocol/"

static struct next message_due(struct flow *f), message_begin(struct flow *f),
    message_cancelled(struct flow *f), message_failed(struct flow *f),
    replied(struct flow *f);

struct mcp *mcp_of(struct flow *f)
{
    return REQUEST(f)->state;
}

/* ---- replies ------------------------------------------------------------- */

static void send_frame(struct mcp *m, struct str json)
{
    struct buf out;
    if (!m->sse)
        return;
    buf_init(&out, NULL);
    sse_frame(&out, STR("message"), json, -1);
    sse_send(m->sse, buf_view(&out));
    buf_done(&out);
}

static void add_reply(struct mcp *m, struct str json)
{
    if (m->request->answered)
        send_frame(m, json);
    else
        m->replies[m->n_replies] = json;
    m->n_replies++;
}

void mcp_open(struct mcp *m, struct api_reply *r)
{
    reply_open_bare(m->request, r);
    json_field_text(&r->w, "jsonrpc", "2.0");
    json_field_raw(&r->w, "id", m->id);
    json_field_object(&r->w, "result");
    if (m->modern)
        json_field_text(&r->w, "resultType", "complete");
}

struct next mcp_silent(struct flow *f)
{
    return back(f);
}

struct next mcp_answer(struct flow *f, struct api_reply *r)
{
    json_put_object_end(&r->w);
    json_put_object_end(&r->w);
    add_reply(mcp_of(f), buf_view(&r->out));
    return back(f);
}

static int status_of(const struct mcp *m, enum mcp_error code)
{
    switch (code) {
    case MCP_PARSE:
    case MCP_INVALID_REQUEST:
    case MCP_VERSION:
    case MCP_HEADER_MISMATCH:
        return 400;
    case MCP_NO_SESSION:
        return 404;
    case MCP_NOT_ACCEPTABLE:
        return 406;
    case MCP_INVALID_PARAMS:
        return m->modern ? 400 : 200;
    case MCP_NO_METHOD:
        return m->modern ? 404 : 200;
    default:
        return 200;
    }
}

static struct str error_json(struct mcp *m, enum mcp_error code,
                             struct str message, struct str data)
{
    struct api_reply r;
    reply_open_bare(m->request, &r);
    json_field_text(&r.w, "jsonrpc", "2.0");
    json_field_raw(&r.w, "id", m->id.len ? m->id : STR("null"));
    json_field_object(&r.w, "error");
    json_field_int(&r.w, "code", code);
    json_field_str(&r.w, "message", message);
    if (data.len)
        json_field_raw(&r.w, "data", data);
    json_put_object_end(&r.w);
    json_put_object_end(&r.w);
    return buf_view(&r.out);
}

struct next mcp_refuse(struct flow *f, enum mcp_error code, struct str message,
                       struct str data)
{
    struct mcp *m = mcp_of(f);
    if (!m->batch)
        m->status = status_of(m, code);
    add_reply(m, error_json(m, code, message, data));
    return back(f);
}

void mcp_notify(struct mcp *m, struct str message)
{
    send_frame(m, message);
}

void mcp_put_caching(struct mcp *m, struct json_writer *w)
{
    if (!m->modern)
        return;
    json_field_int(w, "ttlMs", 0);
    json_field_text(w, "cacheScope", "private");
}

/* ---- the stream ---------------------------------------------------------- */

/* No one waits for the rest; whether the question is cancelled, too, depends on
 * the version. */
static void client_gone(struct mcp *m)
{
    m->next = m->n;
    if (m->asks)
        asked_run_gone(&m->run);
}

static void on_mcp_client_gone(struct sse *sse, void *who)
{
    struct mcp *m = who;
    (void)sse;
    m->sse = NULL;
    client_gone(m);
}

static void close_mcp_stream(void *mcp)
{
    struct mcp *m = mcp;
    sse_close(&m->sse);
}

void mcp_open_stream(struct mcp *m)
{
    struct request *q = m->request;
    if (q->answered)
        return;
    q->answered = true;
    m->sse = sse_open(q->x, &(struct sse_options){
                                .heartbeat_ms = q->api->options.heartbeat_ms,
                                .queue_bytes = QUEUE_BYTES,
                                .stall_ms = STALL_MS,
                                .on_closed = on_mcp_client_gone,
                                .who = m});
    for (size_t i = 0; i < m->n_replies; i++)
        send_frame(m, m->replies[i]);
}

static void on_mcp_exchange_gone(struct http_exchange *x)
{
    client_gone(x->owner);
}

static struct next replied(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct mcp *m = q->state;
    sse_close(&m->sse);
    if (q->answered)
        return back(f);
    if (!m->n_replies) {
        reply_empty(q, 202);
        return back(f);
    }
    q->answered = true;
    http_set_header(q->x, "Cache-Control", STR("no-store"));
    struct buf body;
    buf_init(&body, &q->memory);
    buf_text(&body, m->batch ? "[" : "");
    for (size_t i = 0; i < m->n_replies; i++)
        buf_printf(&body, "%s%.*s", i ? "," : "", STR_ARG(m->replies[i]));
    buf_text(&body, m->batch ? "]" : "");
    http_reply(q->x, m->status ? m->status : 200, "application/json",
               buf_view(&body));
    return back(f);
}

/* ---- what every request has to say --------------------------------------- */

static bool takes(struct str accept, const char *type, const char *any)
{
    return http_accepts(accept, str_of(type)) ||
           http_accepts(accept, str_of(any)) ||
           http_accepts(accept, STR("*/*"));
}

static struct str versions_json(struct request *q, struct str requested)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, &q->memory);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_field_array(&w, "supported");
    for (size_t i = 0; i < VERSIONS; i++)
        json_put_text(&w, versions[i]);
    json_put_array_end(&w);
    json_field_str(&w, "requested", requested);
    json_put_object_end(&w);
    return buf_view(&out);
}

static bool version_known(struct str version)
{
    for (size_t i = 0; i < VERSIONS; i++)
        if (str_is(version, versions[i]))
            return true;
    return false;
}

/* The versions that had batches; a client that names none speaks one of them. */
static bool has_batches(struct str version)
{
    return !version.len || str_is(version, "2025-03-26") ||
           str_is(version, "2024-11-05");
}

/* Answers the whole POST with an error. */
static struct next refuse_post(struct flow *f, enum mcp_error code,
                               const char *message, struct str data)
{
    struct mcp *m = mcp_of(f);
    m->batch = false;
    m->status = status_of(m, code);
    add_reply(m, error_json(m, code, str_of(message), data));
    return go(f, replied);
}

/* Each message of a batch counts for the rate limit; the first has counted. */
static bool batch_admitted(struct request *q, size_t n)
{
    struct limits *l = q->api->limits;
    for (size_t i = 1; l && i < n; i++)
        if (!limits_count(l, q->user.id, clock_us()).admitted)
            return false;
    return true;
}

static struct next read_messages(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct mcp *m = q->state;
    struct str version = http_get_header(q->x, "MCP-Protocol-Version");
    q->body = json_read(q->x->body, NULL);
    if (!q->body)
        return refuse_post(f, MCP_PARSE, "The body is not JSON.", STR(""));
    if (version.len && !version_known(version))
        return refuse_post(f, MCP_VERSION, "Unsupported protocol version",
                           versions_json(q, version));
    m->modern = str_is(version, modern_version);
    m->batch = json_is_array(q->body);
    m->n = m->batch ? json_array_size(q->body) : 1;
    if (m->batch && !has_batches(version))
        return refuse_post(f, MCP_INVALID_REQUEST,
                           "This version of the protocol has no batches.",
                           STR(""));
    if (!m->n || m->n > MCP_BATCH_MOST)
        return refuse_post(f, MCP_INVALID_REQUEST,
                           "A batch has 1 to 50 messages.", STR(""));
    if (!batch_admitted(q, m->n))
        return reply_refusal(f, ERR_RATE_LIMITED, NULL);
    m->session = m->modern ? STR("") : http_get_header(q->x, "Mcp-Session-Id");
    if (m->session.len && !mcp_session_valid(q, m->session))
        return refuse_post(f, MCP_NO_SESSION, "There is no such session.",
                           STR(""));
    return go(f, message_due);
}

static void free_tool_memory(void *mcp)
{
    arena_done(&((struct mcp *)mcp)->memory);
}

struct next mcp_serve(struct flow *f)
{
    enum { TOOL_MEMORY = 64 * 1024 * 1024 };
    struct request *q = REQUEST(f);
    struct mcp *m = keep(f, struct mcp);
    struct str accept = http_get_header(q->x, "Accept");
    if (!mcp_origin_fits(q))
        return reply_refusal(f, ERR_FORBIDDEN,
                             "Pages of this origin may not use the server.");
    if (!request_is_json(q))
        return reply_refusal(f, ERR_MEDIA_TYPE, NULL);
    m->request = q;
    q->state = m;
    flow_arena_init(&m->memory, TOOL_MEMORY);
    defer_kept(f, free_tool_memory, m);
    defer_kept(f, close_mcp_stream, m);
    q->x->owner = m;
    q->x->on_gone = on_mcp_exchange_gone;
    if (!takes(accept, "application/json", "application/*") ||
        !takes(accept, "text/event-stream", "text/*"))
        return refuse_post(f, MCP_NOT_ACCEPTABLE,
                           "The client must accept both application/json and "
                           "text/event-stream.",
                           STR(""));
    return go(f, read_messages);
}

/* ---- the handshake ------------------------------------------------------- */

static void put_server(struct json_writer *w)
{
    json_put_object(w);
    json_field_text(w, "name", "sextant");
    json_field_text(w, "title", "Sextant");
    json_field_text(w, "version", SEXTANT_VERSION);
    json_put_object_end(w);
}

static void put_abilities(struct json_writer *w)
{
    json_field_raw(w, "capabilities",
                   STR("{\"tools\":{\"listChanged\":false},"
                       "\"resources\":{\"subscribe\":false,"
                       "\"listChanged\":false}}"));
    json_field_text(w, "instructions",
                    "Sextant answers questions about data with checked, "
                    "read-only queries. Use `ask` for questions, "
                    "`list_ontologies` for what there is to ask about.");
}

static struct next initialize(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct mcp *m = q->state;
    struct api_reply r;
    struct str version = json_get_text(m->params, "protocolVersion");
    if (!version.len)
        return mcp_refuse(f, MCP_INVALID_PARAMS,
                          STR("protocolVersion must be a version."), STR(""));
    if (m->batch)
        return mcp_refuse(f, MCP_INVALID_REQUEST,
                          STR("initialize must not be part of a batch."),
                          STR(""));
    bool known = version_known(version) && !str_is(version, modern_version);
    http_set_header(q->x, "Mcp-Session-Id", mcp_new_session(q));
    mcp_open(m, &r);
    json_field_str(&r.w, "protocolVersion",
                   known ? version : str_of(latest_legacy));
    put_abilities(&r.w);
    json_put_key(&r.w, "serverInfo");
    put_server(&r.w);
    return mcp_answer(f, &r);
}

static struct next discover(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct api_reply r;
    mcp_open(m, &r);
    json_field_array(&r.w, "supportedVersions");
    for (size_t i = 0; i < VERSIONS; i++)
        json_put_text(&r.w, versions[i]);
    json_put_array_end(&r.w);
    put_abilities(&r.w);
    mcp_put_caching(m, &r.w);
    json_field_object(&r.w, "_meta");
    json_put_key(&r.w, META "serverInfo");
    put_server(&r.w);
    json_put_object_end(&r.w);
    return mcp_answer(f, &r);
}

static struct next ping(struct flow *f)
{
    struct api_reply r;
    mcp_open(mcp_of(f), &r);
    return mcp_answer(f, &r);
}

static struct next tools_list(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct api_reply r;
    mcp_open(m, &r);
    json_field_array(&r.w, "tools");
    for (const struct mcp_tool *t = mcp_tools; t->name; t++) {
        if (!request_may(m->request, t->permission))
            continue;
        json_put_object(&r.w);
        json_field_text(&r.w, "name", t->name);
        json_field_text(&r.w, "title", t->title);
        json_field_text(&r.w, "description", t->description);
        json_field_raw(&r.w, "inputSchema", str_of(t->schema));
        json_field_object(&r.w, "annotations");
        json_field_bool(&r.w, "readOnlyHint", t->reads_only);
        json_field_bool(&r.w, "destructiveHint", false);
        json_put_object_end(&r.w);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    mcp_put_caching(m, &r.w);
    return mcp_answer(f, &r);
}

static struct next templates_list(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct api_reply r;
    mcp_open(m, &r);
    json_field_raw(
        &r.w, "resourceTemplates",
        STR("[{\"uriTemplate\":\"sextant://ontologies/{id}\","
            "\"name\":\"ontology\",\"title\":\"The semantic model of an "
            "ontology\",\"mimeType\":\"application/yaml\"},"
            "{\"uriTemplate\":\"sextant://answers/{id}\",\"name\":\"answer\","
            "\"title\":\"An answer\",\"mimeType\":\"application/json\"}]"));
    mcp_put_caching(m, &r.w);
    return mcp_answer(f, &r);
}

/* ---- cancelling ---------------------------------------------------------- */

/* A request of this process that has not stored its question yet. */
static void cancel_here(struct request *q, struct str answer_id)
{
    for (struct request *r = q->api->live; r; r = r->next_live) {
        const struct handler *h = r->match.route->target;
        struct mcp *m = r->state;
        if (h->begin != mcp_serve || !m || !m->asks ||
            !str_eq(m->run.answer_id, answer_id) ||
            !str_eq(r->user.id, q->user.id))
            continue;
        m->cancelled = m->run.ends_with_client = true;
        asked_run_gone(&m->run);
    }
}

static struct next cancel_request(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    const json_t *id = json_object_get(m->params, "requestId");
    if (!m->session.len || (!json_is_string(id) && !json_is_integer(id)))
        return back(f);
    struct str answer = mcp_answer_id(m, json_print(&m->request->memory, id));
    cancel_here(m->request, answer);
    m->cancel = (struct run_cancel){.store = request_store(m->request),
                                    .user_id = m->request->user.id,
                                    .message_id = answer};
    return call(f, run_cancel_begin, &m->cancel, message_cancelled);
}

static struct next message_cancelled(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    if (m->cancel.found)
        agent_cancel_anywhere(m->request->api->options.agent,
                              m->cancel.message_id, m->cancel.running);
    return back(f);
}

/* ---- messages ------------------------------------------------------------ */

static const struct method {
    const char *name;
    step_fn *begin;
    const char *step;
    bool legacy, modern; /* in which versions it is */
    const char *named;   /* its parameter in the header Mcp-Name; or NULL */
} methods[] = {
    {"initialize", initialize, "initialize", true, false, NULL},
    {"ping", ping, "ping", true, false, NULL},
    {"server/discover", discover, "discover", false, true, NULL},
    {"tools/list", tools_list, "tools_list", true, true, NULL},
    {"tools/call", mcp_tools_call, "mcp_tools_call", true, true, "name"},
    {"resources/list", mcp_resources_list, "mcp_resources_list", true, true,
     NULL},
    {"resources/templates/list", templates_list, "templates_list", true, true,
     NULL},
    {"resources/read", mcp_resources_read, "mcp_resources_read", true, true,
     "uri"},
};

static const struct method *method_of(const struct mcp *m, struct str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (str_is(name, methods[i].name) &&
            (m->modern ? methods[i].modern : methods[i].legacy))
            return &methods[i];
    return NULL;
}

/* A header's value; one that is not plain ASCII comes as =?base64?…?=. */
static bool header_is(struct request *q, const char *name, struct str value)
{
    struct str is = http_get_header(q->x, name), text;
    if (str_eq(is, value))
        return true;
    return str_starts(is, STR("=?base64?")) && str_ends(is, STR("?=")) &&
           is.len > 11 &&
           base64_decode(&q->memory, str_cut(is, 9, is.len - 11), &text) &&
           str_eq(text, value);
}

/* A modern request says its version and abilities, and its headers repeat what
 * proxies route by. Returns false after an answer was made. */
static bool envelope_fits(struct mcp *m, struct str name,
                          const struct method *known, enum mcp_error *code,
                          const char **why)
{
    struct request *q = m->request;
    const json_t *meta = json_object_get(m->params, "_meta");
    const json_t *version = json_object_get(meta, META "protocolVersion");
    *code = MCP_INVALID_PARAMS;
    *why = "params._meta must have " META "protocolVersion and " META
           "clientCapabilities.";
    if (!json_is_string(version) ||
        !json_object_get(meta, META "clientCapabilities"))
        return false;
    *code = MCP_HEADER_MISMATCH;
    *why = "A header does not match the body of the request.";
    if (!header_is(q, "MCP-Protocol-Version", json_text(version)) ||
        !header_is(q, "Mcp-Method", name))
        return false;
    return !known || !known->named ||
           header_is(q, "Mcp-Name", json_get_text(m->params, known->named));
}

static struct next answer_request(struct flow *f, struct str name)
{
    struct mcp *m = mcp_of(f);
    const struct method *known = method_of(m, name);
    enum mcp_error code;
    const char *why;
    if (m->params && !json_is_object(m->params))
        return mcp_refuse(f, MCP_INVALID_PARAMS,
                          STR("params must be an object."), STR(""));
    if (m->modern && !envelope_fits(m, name, known, &code, &why))
        return mcp_refuse(f, code, str_of(why), STR(""));
    if (!known)
        return mcp_refuse(f, MCP_NO_METHOD,
                          arena_printf(&m->request->memory,
                                       "There is no method \"%.*s\".",
                                       STR_ARG(utf8_first(name, 100))),
                          STR(""));
    const json_t *token =
        json_object_get(json_object_get(m->params, "_meta"), "progressToken");
    if (json_is_string(token) || json_is_integer(token))
        m->progress_token = json_print(&m->request->memory, token);
    return flow_go(f, known->begin, known->step);
}

static struct next message_due(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct mcp *m = q->state;
    if (m->next == m->n)
        return go(f, replied);
    m->message = m->batch ? json_array_get(q->body, m->next) : q->body;
    m->next++;
    m->id = m->progress_token = STR("");
    m->params = json_object_get(m->message, "params");
    m->progress = 0;
    return attempt(f, message_begin, q, message_due, message_failed);
}

/* Something that the message needs was not there. */
static struct next message_failed(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct str why = failure_text(f);
    m->asks = false;
    if (m->id.len)
        add_reply(m,
                  error_json(m, MCP_INTERNAL,
                             why.len ? why : str_of(err_sentence(failure(f))),
                             STR("")));
    return go(f, message_due);
}

static struct next no_method(struct flow *f, bool has_id)
{
    const struct mcp *m = mcp_of(f);
    bool response = json_object_get(m->message, "result") ||
                    json_object_get(m->message, "error");
    if (response && has_id && !m->modern)
        return back(f); /* nothing was asked */
    return mcp_refuse(f, MCP_INVALID_REQUEST, STR("A message needs a method."),
                      STR(""));
}

static struct next message_begin(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    const json_t *id = json_object_get(m->message, "id");
    struct str method = json_get_text(m->message, "method");
    bool has_id = json_is_string(id) || json_is_integer(id);
    if (has_id)
        m->id = json_print(&m->request->memory, id);
    if (!str_is(json_get_text(m->message, "jsonrpc"), "2.0") || (id && !has_id))
        return mcp_refuse(f, MCP_INVALID_REQUEST,
                          STR("This is not a JSON-RPC 2.0 message."), STR(""));
    if (!method.len)
        return no_method(f, has_id);
    if (has_id)
        return answer_request(f, method);
    return str_is(method, "notifications/cancelled") ? cancel_request(f)
                                                     : back(f);
}
