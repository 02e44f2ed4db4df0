/* capsules.c - threads and capsules; see store/capsules.h. */
#include "store/capsules.h"
#include "base/scan.h"
#include "rows.h"
#include "store/chats.h"
#include "base/banned.h"

static step_fn thread_asked, thread_listed, capsule_known;

/* ---- ask ---------------------------------------------------------------- */

static enum thread_asked row_thread_asked(struct row_cursor *at)
{
    static const struct {
        const char *word;
        enum thread_asked asked;
    } words[] = {{"made", THREAD_ASKED},
                 {"busy", THREAD_BUSY},
                 {"not_ready", THREAD_NOT_READY},
                 {"other_dataset", THREAD_OTHER_DATASET},
                 {"other_agent", THREAD_OTHER_AGENT},
                 {"no_sandbox", THREAD_NO_SANDBOX},
                 {"missing", THREAD_BUSY}}; /* deleted in the meantime */
    struct str word = row_text(at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i].word))
            return words[i].asked;
    return THREAD_NO_DATASET;
}

#define ASKED_ROW(FIRST, X) \
    FIRST(thread_asked, outcome, "outcome") \
    X(uuid, chat_id, "chat") \
    X(uuid, answer_id, "answer") \
    X(text, detail, "detail")
#define ASKED_COLUMNS ROW_SQL(ASKED_ROW)

static const struct statement ask_statement = {
    .name = "threads.ask",
    .sql = "select " ASKED_COLUMNS
           " from ask_thread($1::uuid, $2, $3::uuid, $4, $5::boolean, $6, $7,"
           "   $8::boolean, $9::int)",
};

struct next thread_ask_begin(struct flow *f)
{
    struct thread_ask *t = locals(f, struct thread_ask);
    struct query *q = t->query = query_new(f, t->store->system, &ask_statement);
    query_str(f, q, t->user_id);
    query_str(f, q, t->thread_id);
    query_str(f, q, t->dataset_id);
    query_str(f, q, t->agent);
    query_bool(q, t->all_datasets);
    query_str(f, q, t->content);
    query_str(f, q, chat_name_of(t->content));
    query_bool(q, t->sandbox);
    query_int(f, q, t->max_steps);
    query_begin(f, q);
    return await(f, thread_asked);
}

static struct next thread_asked(struct flow *f)
{
    struct thread_ask *t = locals(f, struct thread_ask);
    ROW_READ(ASKED_ROW, t, row_copies(t->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- messages ----------------------------------------------------------- */

/* What clients call the dataset of a chat: the upload, or else the ontology. */
#define DATASET_OF_CHAT \
    "coalesce((select s.id from file_sets s where s.ontology_id = c.ontology_id" \
    "   and s.deleted_at is null limit 1), c.ontology_id)"

#define THREAD_ROW(FIRST, X) \
    FIRST(uuid, id, "m.id", "id") \
    X(text, role, "m.role", "role") \
    X(text, content, "m.content", "content") \
    X(uuid, dataset_id, DATASET_OF_CHAT, "dataset_id") \
    X(uuid, run_id, \
      "case when m.role = 'assistant' then m.id else (select a.id" \
      "   from data_chat_messages a where a.chat_id = c.id" \
      "     and a.parent_id = m.id order by a.seq limit 1) end", \
      "run_id") \
    X(time, created_at, "rfc3339(m.created_at)", "created_at")
#define THREAD_COLUMNS ROW_SQL(THREAD_ROW)
ROW_STRUCT(thread_row, THREAD_ROW);

struct next thread_page_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "threads.messages",
        .again = true,
        .sql =
            "select " THREAD_COLUMNS " from data_chats c join lateral (select *"
            "     from data_chat_messages where chat_id = c.id"
            "       and status <> 'generating' order by seq desc"
            "     limit $3::int) m on true"
            "   where c.owner_id = $1::uuid and c.thread_id = $2"
            "     and c.deleted_at is null order by m.seq",
    };
    struct thread_page *p = locals(f, struct thread_page);
    p->query = query_new(f, p->store->system, &statement);
    query_str(f, p->query, p->user_id);
    query_str(f, p->query, p->thread_id);
    query_int(f, p->query, p->most);
    query_begin(f, p->query);
    return await(f, thread_listed);
}

static struct next thread_listed(struct flow *f)
{
    struct thread_page *p = locals(f, struct thread_page);
    p->query = rows_keep(f, p->query);
    return back(f);
}

void thread_message_write(struct json_writer *w, const struct query *q, int row)
{
    struct thread_row r = thread_row_at(q, row);
    ROW_WRITE(THREAD_ROW, w, &r);
}

/* ---- capsules ----------------------------------------------------------- */

/* What the scientist's metadata say of its end. */
#define FINAL_OUTPUT \
    "(case when c.agent = 'scientist' then m.metadata -> 'finalOutput' end)"

#define CAPSULE_ROW(FIRST, X) \
    FIRST(uuid, run_id, "m.id", "run_id") \
    X(time, created_at, "rfc3339(coalesce(k.created_at, m.created_at))", \
      "created_at") \
    X(text, dataset_id, "coalesce(k.dataset_id, (" DATASET_OF_CHAT ")::text)", \
      "dataset_id") \
    X(text, question, \
      "coalesce(k.question, (select q.content from data_chat_messages q" \
      "   where q.id = m.parent_id))", \
      "question") \
    X(text, query_mode, \
      "coalesce(k.query_mode, case when " FINAL_OUTPUT " ->> 'code' <> ''" \
      "   then 'python' else 'chat' end)", \
      "query_mode") \
    X(json, plan_json, "k.plan_json::text", "plan_json") \
    X(text, compiled_sql, "k.compiled_sql", "compiled_sql") \
    X(text, python_code, \
      "coalesce(k.python_code, " FINAL_OUTPUT " ->> 'code')", "python_code") \
    X(text, status, \
      "coalesce(k.status, case m.status when 'generating' then 'running'" \
      "   when 'failed' then 'failed' else 'succeeded' end)", \
      "status") \
    X(json, result_json, \
      "case when not $3::boolean then coalesce(k.result_json::text, '{}') end", \
      "result_json") \
    X(json, error_json, \
      "coalesce(k.error_json, case when m.status = 'failed' then" \
      "   json_build_object('type', m.metadata -> 'error' -> 'code'," \
      "     'message', m.metadata -> 'error' -> 'message') end)::text", \
      "error_json") \
    X(int64, exec_time_ms, "coalesce(k.exec_time_ms, 0)", "exec_time_ms") \
    X(text, content, "m.content") \
    X(text, thread_id, "coalesce(c.thread_id, c.id::text)") \
    X(json, final_output, FINAL_OUTPUT "::text", "final_output") \
    X(boolean, run_failed, "m.status = 'failed'")
#define CAPSULE_COLUMNS ROW_SQL(CAPSULE_ROW)
ROW_STRUCT(capsule_row, CAPSULE_ROW);

static const struct statement capsule_statement = {
    .name = "capsules.one",
    .again = true,
    .sql = "select " CAPSULE_COLUMNS
           " from data_chat_messages m join data_chats c on c.id = m.chat_id"
           " left join run_capsules k on k.run_id = m.id"
           " where m.id = $1::uuid and c.owner_id = $2::uuid"
           "   and m.role = 'assistant' and c.deleted_at is null",
};

struct next capsule_read_begin(struct flow *f)
{
    struct capsule_read *r = locals(f, struct capsule_read);
    r->query = query_new(f, r->store->system, &capsule_statement);
    query_str(f, r->query, r->run_id);
    query_str(f, r->query, r->user_id);
    query_bool(r->query, r->head);
    query_begin(f, r->query);
    return await(f, capsule_known);
}

static struct next capsule_known(struct flow *f)
{
    struct capsule_read *r = locals(f, struct capsule_read);
    r->query = rows_keep(f, r->query);
    r->found = r->query->n_rows > 0;
    if (!r->found)
        return back(f);
    struct capsule_row row = capsule_row_at(r->query, 0);
    r->status = arena_str(flow_keep(f), row.status);
    r->run_failed = row.run_failed;
    r->error = arena_str(flow_keep(f), row.error_json);
    return back(f);
}

void capsule_write(struct json_writer *w, const struct query *q)
{
    struct capsule_row r = capsule_row_at(q, 0);
    ROW_WRITE(CAPSULE_ROW, w, &r);
    json_field_str(w, "assistant_message", r.content);
    json_field_str(w, "thread_id", r.thread_id);
}

struct str capsule_result(const struct query *q)
{
    return capsule_row_at(q, 0).result_json;
}

struct str capsule_ran(const struct query *q)
{
    struct capsule_row r = capsule_row_at(q, 0);
    return r.compiled_sql.len ? r.compiled_sql : r.python_code;
}

bool capsule_result_is_cut(struct str result)
{
    return str_is(scan_get(result, "truncated"), "true");
}

/* A member of the result, or what stands for it. */
static void put_member(struct json_writer *w, struct str result,
                       const char *key, const char *otherwise)
{
    struct str value = scan_get(result, key);
    json_field_raw(w, key, value.len ? value : str_of(otherwise));
}

static void put_text(struct json_writer *w, const char *key, struct str text)
{
    if (text.ptr)
        json_field_str(w, key, text);
    else
        json_field_null(w, key);
}

static void put_json(struct json_writer *w, const char *key, struct str json)
{
    json_field_raw(w, key, json.len ? json : STR("null"));
}

void capsule_write_response(struct json_writer *w, const struct query *q)
{
    struct capsule_row r = capsule_row_at(q, 0);
    json_field_str(w, "assistant_message", r.content);
    json_field_str(w, "run_id", r.run_id);
    json_field_str(w, "thread_id", r.thread_id);
    json_field_str(w, "status", r.status);
    json_field_object(w, "result");
    put_member(w, r.result_json, "columns", "[]");
    put_member(w, r.result_json, "rows", "[]");
    put_member(w, r.result_json, "row_count", "0");
    put_member(w, r.result_json, "exec_time_ms", "0");
    put_json(w, "error", r.error_json);
    put_member(w, r.result_json, "truncated", "false");
    json_put_object_end(w);
    json_field_object(w, "details");
    json_field_str(w, "dataset_id", r.dataset_id);
    json_field_str(w, "query_mode", r.query_mode);
    put_json(w, "plan_json", r.plan_json);
    put_text(w, "compiled_sql", r.compiled_sql);
    put_text(w, "python_code", r.python_code);
    json_put_object_end(w);
    if (r.final_output.len)
        json_field_raw(w, "final_output", r.final_output);
}

struct str capsule_question(const struct query *q)
{
    return capsule_row_at(q, 0).question;
}

/* A run that failed before it was loaded has kept nothing. */
void capsule_write_exploration(struct json_writer *w, const struct query *q)
{
    struct capsule_row r = capsule_row_at(q, 0);
    struct str status = scan_get(r.result_json, "status");
    struct str error = scan_get(r.result_json, "error");
    json_field_str(w, "runId", r.run_id);
    json_field_raw(w, "status", status.len ? status : STR("\"error\""));
    put_member(w, r.result_json, "summary", "\"\"");
    put_member(w, r.result_json, "insights", "[]");
    put_member(w, r.result_json, "executedQueries", "[]");
    put_member(w, r.result_json, "charts", "[]");
    put_member(w, r.result_json, "metadata",
               "{\"stepCount\":0,\"tokensUsed\":0,\"durationMs\":0}");
    if (error.len)
        json_field_raw(w, "error", error);
    else if (!status.len)
        put_json(w, "error", r.error_json);
}
