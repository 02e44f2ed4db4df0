/* traces.c - the model calls of an answer, for its owner. */
#include "store/traces.h"
#include "rows.h"
#include "base/banned.h"

static step_fn traces_listed;

#define TRACE_ROW(FIRST, X) \
    FIRST(text, own, "(select own from message)") \
    X(uuid, id, "t.id", "id") \
    X(uuid, message_id, "t.message_id", "messageId") \
    X(text, phase, "t.phase", "phase") \
    X(text, purpose, "t.purpose", "purpose") \
    X(text, provider, "t.provider", "provider") \
    X(text, model, "t.model", "model") \
    X(text, response, "t.response_content", "responseContent") \
    X(time, started_at, "rfc3339(t.started_at)", "startedAt") \
    X(time, completed_at, "rfc3339(t.completed_at)", "completedAt") \
    X(text, error, "t.error", "error") \
    X(time, created_at, "rfc3339(t.created_at)", "createdAt") \
    X(json, call_index, "t.call_index", "callIndex") \
    X(json, step_id, "t.step_id", "stepId") \
    X(json, temperature, "t.temperature", "temperature") \
    X(json, prompt, \
      "case when t.shared_call is null then t.prompt_messages::text" \
      "   else prompt_of(t.message_id, t.call_index) end", \
      "promptMessages") \
    X(json, sections, "t.prompt_sections::text", "promptSections") \
    X(json, tool_calls, "t.tool_calls::text", "toolCalls") \
    X(json, prompt_tokens, "t.prompt_tokens", "promptTokens") \
    X(json, completion_tokens, "t.completion_tokens", "completionTokens") \
    X(json, total_tokens, "t.total_tokens", "totalTokens") \
    X(json, cached_tokens, "t.cached_tokens", "cachedTokens") \
    X(json, reasoning_tokens, "t.reasoning_tokens", "reasoningTokens") \
    X(json, cost, "t.cost / 1e9", "cost") \
    X(json, duration_ms, "t.duration_ms", "durationMs") \
    X(boolean, structured, "t.structured_output", "structuredOutput")
#define TRACE_COLUMNS ROW_SQL(TRACE_ROW)
ROW_STRUCT(trace_row, TRACE_ROW);

/* `own`: NULL when there is no such message. */
static const struct statement traces_statement = {
    .name = "traces.list",
    .sql =
        "with message as materialized (select m.id,"
        "     c.owner_id = $1::uuid as own"
        "   from data_chat_messages m join data_chats c on c.id = m.chat_id"
        "   where m.id = $3::uuid and c.id = $2::uuid and c.deleted_at is null)"
        " select " TRACE_COLUMNS " from (select 1) one left join llm_traces t"
        "   on t.message_id = (select id from message where own)"
        " order by t.call_index",
};

struct next trace_list_begin(struct flow *f)
{
    struct trace_list *t = locals(f, struct trace_list);
    struct query *q = t->query =
        query_new(f, t->store->system, &traces_statement);
    query_str(f, q, t->user_id);
    query_str(f, q, t->chat_id);
    query_str(f, q, t->message_id);
    query_begin(f, q);
    return await(f, traces_listed);
}

static struct next traces_listed(struct flow *f)
{
    struct trace_list *t = locals(f, struct trace_list);
    struct trace_row first = trace_row_at(t->query, 0);
    t->query = rows_keep_page(f, t->query, first.id);
    t->found = first.own.ptr != NULL;
    t->foreign = t->found && !str_is(first.own, "t");
    return back(f);
}

void trace_write(struct json_writer *w, const struct query *q, int row)
{
    struct trace_row t = trace_row_at(q, row);
    json_put_object(w);
    ROW_WRITE(TRACE_ROW, w, &t);
    json_put_object_end(w);
}
