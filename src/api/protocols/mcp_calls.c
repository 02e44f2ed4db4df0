/* mcp_calls.c - the tools of the MCP server (mcp_tools.def), on the functions
 * that the API and the agents use: the same permissions, guard and limits.
 *
 *   ask               -> ask_due -> (asked_run.h) -> ask_over
 *   list_ontologies   -> ontologies_told
 *   describe_dataset  -> describe_due -> model_held -> tool_over
 *   query             -> query_due -> model_held -> source_ready -> tool_over
 *   get_answer        -> answer_told
 *
 * What goes wrong inside a tool is a result with isError, which the client's
 * model reads. */
#include "agent/run.h"
#include "base/random.h"
#include "base/scan.h"
#include "base/utf8.h"
#include "frames.h"
#include "mcp.h"
#include "base/banned.h"

enum { QUESTION_MOST = 10000, NAMES_SHOWN = 20, QUERIES_AT_ONCE = 8 };

static unsigned queries; /* in progress in this process */

static struct next ask(struct flow *f), ask_due(struct flow *f),
    ask_over(struct flow *f), list_ontologies(struct flow *f),
    ontologies_told(struct flow *f), describe_dataset(struct flow *f),
    describe_due(struct flow *f), query(struct flow *f),
    query_due(struct flow *f), model_held(struct flow *f),
    source_ready(struct flow *f), tool_over(struct flow *f),
    get_answer(struct flow *f), answer_told(struct flow *f),
    ontology_named(struct flow *f);

const struct mcp_tool mcp_tools[] = {
#define MCP_TOOL(name, title, reads, permission, description, schema) \
    {#name, title, reads, MAY_##permission, description, schema, name},
#include "mcp_tools.def"
#undef MCP_TOOL
    {0}};

/* ---- results ------------------------------------------------------------- */

/* Answers with a tool's result; `structured` is JSON, or empty. */
static struct next mcp_tool_answer(struct flow *f, struct str text, bool failed,
                                   struct str structured)
{
    struct mcp *m = mcp_of(f);
    struct api_reply r;
    mcp_open(m, &r);
    json_field_array(&r.w, "content");
    json_put_object(&r.w);
    json_field_text(&r.w, "type", "text");
    json_field_str(&r.w, "text", text);
    json_put_object_end(&r.w);
    json_put_array_end(&r.w);
    if (structured.len)
        json_field_raw(&r.w, "structuredContent", structured);
    json_field_bool(&r.w, "isError", failed);
    return mcp_answer(f, &r);
}

static struct next tool_refuse(struct flow *f, struct str why)
{
    return mcp_tool_answer(f, why, true, STR(""));
}

/* A text argument; absent: empty. False: it is something else. */
static bool text_argument(struct mcp *m, const char *name, struct str *out)
{
    const json_t *v = json_object_get(m->arguments, name);
    *out = utf8_trim(json_text(v));
    return (!v || json_is_null(v) || json_is_string(v)) &&
           str_find_char(*out, '\0') < 0;
}

static struct next wrong_arguments(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    return tool_refuse(
        f, arena_printf(&m->request->memory,
                        "The arguments do not fit. They have this JSON Schema: "
                        "%s",
                        m->tool->schema));
}

struct next mcp_tools_call(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct str name = json_get_text(m->params, "name");
    const struct mcp_tool *t = mcp_tools;
    while (t->name && !str_is(name, t->name))
        t++;
    m->tool = t;
    m->arguments = json_object_get(m->params, "arguments");
    if (!t->name)
        return mcp_refuse(f, MCP_INVALID_PARAMS,
                          arena_printf(&m->request->memory,
                                       "There is no tool \"%.*s\".",
                                       STR_ARG(utf8_first(name, 100))),
                          STR(""));
    if (!request_may(m->request, t->permission))
        return tool_refuse(f, STR("Your account may not use this tool."));
    if ((m->arguments && !json_is_object(m->arguments)) ||
        !text_argument(m, "ontology", &m->wanted))
        return wrong_arguments(f);
    return flow_go(f, t->begin, t->name);
}

/* ---- the ontology -------------------------------------------------------- */

static struct next find_ontologies(struct flow *f, struct str wanted,
                                   step_fn *then, const char *name)
{
    struct mcp *m = mcp_of(f);
    struct request *q = m->request;
    m->ontologies = (struct askable_list){.store = request_store(q),
                                          .user_id = q->user.id,
                                          .all = request_may(q, MAY_ADMIN),
                                          .wanted = wanted};
    return flow_call(f, askable_list_begin, "askable_list_begin",
                     &m->ontologies, then, name, NULL, NULL);
}

/* Finds the ontology that m->wanted names, or the only one, and continues with
 * `then`; else answers with the reason. */
static struct next mcp_with_ontology(struct flow *f, step_fn *then)
{
    struct mcp *m = mcp_of(f);
    m->then = then;
    return find_ontologies(f, m->wanted, ontology_named, "ontology_named");
}

static struct next no_ontology(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    const struct askable_list *l = &m->ontologies;
    struct buf out;
    buf_init(&out, &m->request->memory);
    if (!l->n)
        buf_printf(&out, "%s list_ontologies shows what there is.",
                   m->wanted.len ? "There is no ontology of this name."
                                 : "There is no ontology yet.");
    else
        buf_text(&out, "There are several ontologies; name one, or give its "
                       "id:");
    for (size_t i = 0; i < l->n && i < NAMES_SHOWN; i++)
        buf_printf(&out, "\n- %.*s (%.*s)", STR_ARG(l->items[i].name),
                   STR_ARG(l->items[i].id));
    return tool_refuse(f, buf_view(&out));
}

static struct next ontology_named(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    return m->ontologies.n == 1 ? flow_go(f, m->then, "then") : no_ontology(f);
}

static struct next list_ontologies(struct flow *f)
{
    return find_ontologies(f, STR(""), ontologies_told, "ontologies_told");
}

static struct next ontologies_told(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    const struct askable_list *l = &m->ontologies;
    struct buf out, json;
    struct json_writer w;
    buf_init(&out, &m->request->memory);
    buf_init(&json, &m->request->memory);
    json_writer_init(&w, &json);
    json_put_object(&w);
    json_field_array(&w, "ontologies");
    for (size_t i = 0; i < l->n; i++) {
        const struct askable *a = &l->items[i];
        buf_printf(&out, "- %.*s (%.*s): %.*s\n", STR_ARG(a->name),
                   STR_ARG(a->id), STR_ARG(a->description));
        json_put_object(&w);
        json_field_str(&w, "id", a->id);
        json_field_str(&w, "name", a->name);
        json_field_str(&w, "description", a->description);
        json_put_object_end(&w);
    }
    json_put_array_end(&w);
    json_put_object_end(&w);
    return mcp_tool_answer(
        f, out.len ? buf_view(&out) : STR("There are no ontologies."), false,
        buf_view(&json));
}

/* ---- ask ----------------------------------------------------------------- */

static struct next ask(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct asked_run *r = &m->run;
    *r = (struct asked_run){.request = m->request};
    if (!text_argument(m, "question", &r->question) || !r->question.len ||
        utf8_count(r->question) > QUESTION_MOST ||
        !text_argument(m, "chat_id", &r->chat_id) ||
        (r->chat_id.len && !uuid_valid(r->chat_id)))
        return wrong_arguments(f);
    if (r->chat_id.len)
        return go(f, ask_due);
    return mcp_with_ontology(f, ask_due);
}

static void put_progress(struct mcp *m, const struct frame *e)
{
    struct api_reply r;
    bool phase = str_is(e->type, "phase_start");
    if (!phase && !str_is(e->type, "step_start"))
        return;
    struct buf out;
    buf_init(&out, NULL);
    json_writer_init(&r.w, &out);
    json_put_object(&r.w);
    json_field_text(&r.w, "jsonrpc", "2.0");
    json_field_text(&r.w, "method", "notifications/progress");
    json_field_object(&r.w, "params");
    json_field_raw(&r.w, "progressToken", m->progress_token);
    json_field_int(&r.w, "progress", ++m->progress);
    json_field_raw(&r.w, "message", scan_get(e->data, "description"));
    json_put_object_end(&r.w);
    json_put_object_end(&r.w);
    mcp_notify(m, buf_view(&out));
    buf_done(&out);
}

static bool on_ask_frames(struct asked_run *r, struct str frames)
{
    struct mcp *m = r->who;
    struct frame e;
    if (m->sse && !sse_has_room(m->sse, frames.len))
        return false;
    while (m->sse && m->progress_token.len && frame_next(&frames, &e))
        put_progress(m, &e);
    return true;
}

static void on_ask_start(struct asked_run *r)
{
    mcp_open_stream(r->who);
}

static struct next ask_due(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct asked_run *r = &m->run;
    if (!r->chat_id.len)
        r->ontology_id = m->ontologies.items[0].id;
    r->answer_id = mcp_answer_id(m, m->id);
    r->ends_with_client = m->modern;
    r->on_start = on_ask_start;
    r->on_frames = on_ask_frames;
    r->who = m;
    m->asks = true;
    m->cancelled = false;
    return call(f, asked_run_begin, r, ask_over);
}

void mcp_put_answer(struct json_writer *w, const struct answer_read *a)
{
    json_field_str(w, "answer_id", a->id);
    json_field_str(w, "chat_id", a->chat_id);
    json_field_str(w, "ontology", a->ontology);
    json_field_str(w, "question", a->question);
    json_field_str(w, "status", a->status);
    json_field_str(w, "answer", a->content);
    json_field_text(w, "verification",
                    a->verification.len ? a->verification.ptr : NULL);
    json_field_raw(w, "queries", a->queries.len ? a->queries : STR("[]"));
    json_field_raw(w, "lineage", a->lineage.len ? a->lineage : STR("null"));
    if (a->error_code.len) {
        json_field_str(w, "error_code", a->error_code);
        json_field_str(w, "error", a->error_text);
    }
}

static struct next tell_answer(struct flow *f, const struct answer_read *a)
{
    struct mcp *m = mcp_of(f);
    struct buf json, text;
    struct json_writer w;
    bool failed = asked_run_error(a) != OK;
    buf_init(&json, &m->request->memory);
    buf_init(&text, &m->request->memory);
    json_writer_init(&w, &json);
    json_put_object(&w);
    mcp_put_answer(&w, a);
    json_put_object_end(&w);
    if (failed && a->error_text.len)
        buf_str(&text, a->error_text);
    else if (str_is(a->status, "generating"))
        buf_text(&text, "The answer is not finished yet.");
    else
        buf_str(&text, a->content);
    buf_printf(&text, "\n\n(answer_id %.*s, chat_id %.*s; checks: %.*s)",
               STR_ARG(a->id), STR_ARG(a->chat_id),
               STR_ARG(a->verification.len ? a->verification : STR("none")));
    return mcp_tool_answer(f, buf_view(&text), failed, buf_view(&json));
}

static struct next ask_over(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    const struct asked_run *r = &m->run;
    m->asks = false;
    if (m->cancelled) /* as the protocol says */
        return mcp_silent(f);
    if (r->refused)
        return tool_refuse(f,
                           str_of(r->why ? r->why : err_sentence(r->refused)));
    if (!r->ended)
        return tool_refuse(
            f, arena_printf(&m->request->memory,
                            "The answer is not finished; get_answer has it "
                            "later. (answer_id %.*s)",
                            STR_ARG(r->message_id)));
    return tell_answer(f, &r->answer);
}

/* ---- get_answer ---------------------------------------------------------- */

static struct next get_answer(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    m->answer = (struct answer_read){.store = request_store(m->request),
                                     .user_id = m->request->user.id};
    if (!text_argument(m, "answer_id", &m->answer.answer_id) ||
        !uuid_valid(m->answer.answer_id))
        return wrong_arguments(f);
    return call(f, answer_read_begin, &m->answer, answer_told);
}

static struct next answer_told(struct flow *f)
{
    const struct answer_read *a = &mcp_of(f)->answer;
    if (!a->found)
        return tool_refuse(f, STR("You have no such answer."));
    return tell_answer(f, a);
}

/* ---- describe_dataset, query --------------------------------------------- */

static struct str arguments_json(struct mcp *m, const char *key,
                                 struct str value, bool list)
{
    struct buf out;
    struct json_writer w;
    buf_init(&out, &m->request->memory);
    json_writer_init(&w, &out);
    json_put_object(&w);
    json_put_key(&w, key);
    if (list)
        json_put_array(&w);
    json_put_str(&w, value);
    if (list)
        json_put_array_end(&w);
    json_put_object_end(&w);
    return buf_view(&out);
}

static struct next describe_dataset(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct str name;
    m->tool_run = (struct tool_run){.name = STR("list_datasets")};
    if (!text_argument(m, "dataset", &name))
        return wrong_arguments(f);
    if (name.len) {
        m->tool_run.name = STR("get_dataset_details");
        m->tool_run.arguments = arguments_json(m, "datasetNames", name, true);
    }
    return mcp_with_ontology(f, describe_due);
}

static struct next hold_model(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    const struct askable *o = &m->ontologies.items[0];
    m->hold = (struct ontology_acquire){
        .store = request_store(m->request), .id = o->id, .version = o->version};
    return call(f, ontology_acquire_begin, &m->hold, model_held);
}

static struct next describe_due(struct flow *f)
{
    return hold_model(f);
}

static struct next query(struct flow *f)
{
    enum { SQL_MOST = 30000 };
    struct mcp *m = mcp_of(f);
    struct str sql;
    if (!text_argument(m, "sql", &sql) || !sql.len ||
        utf8_count(sql) > SQL_MOST)
        return wrong_arguments(f);
    m->tool_run =
        (struct tool_run){.name = STR("query_database"),
                          .arguments = arguments_json(m, "sql", sql, false)};
    return mcp_with_ontology(f, query_due);
}

static void leave_query(void *unused)
{
    (void)unused;
    queries--;
}

static struct next query_due(struct flow *f)
{
    if (queries == QUERIES_AT_ONCE)
        return tool_refuse(f, STR("Other queries are in progress. Try again "
                                  "later."));
    return hold_model(f);
}

/* What the owner of the connection shares with models holds here, too: the
 * client is one. So the row of the connection is read. */
static struct next model_held(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    const struct askable *o = &m->ontologies.items[0];
    m->source = (struct source_open){.store = request_store(m->request),
                                     .connection_id = o->connection_id,
                                     .database = o->database};
    return call(f, source_open_begin, &m->source, source_ready);
}

static struct next tool_ended(struct flow *f)
{
    return back(f);
}

static struct next run_tool_begin(struct flow *f)
{
    struct mcp *m = locals(f, struct mcp);
    queries++;
    defer(f, leave_query, NULL);
    return call(f, tool_begin, &m->tool_run, tool_ended);
}

static struct next source_ready(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    struct request *q = m->request;
    const struct agent_settings *s = agent_settings(q->api->options.agent);
    m->context = (struct tool_context){.ontology = m->hold.held,
                                       .source = m->source.opened,
                                       .sandbox = &s->sandbox,
                                       .store = request_store(q),
                                       .sql_timeout_ms = s->sql_timeout_ms,
                                       .sql_max_rows = s->sql_max_rows,
                                       .sql_max_bytes = s->sql_max_bytes,
                                       .text_budget = s->prompt_budget,
                                       .share_rows = m->source.share_rows,
                                       .ontology_id = m->hold.id,
                                       .trace = &q->x->trace,
                                       .user_id = q->user.id};
    m->tool_run.context = &m->context;
    m->tool_run.memory = &m->memory;
    return call(f, run_tool_begin, m, tool_over);
}

static struct next tool_over(struct flow *f)
{
    struct mcp *m = mcp_of(f);
    return mcp_tool_answer(f, m->tool_run.result, m->tool_run.failed, STR(""));
}
