#include "store/traces.h"
#include "rows.h"
#include "base/banned.h"

static const struct statement traces_statement = {
    .name = "traces.list",
    .sql =
        "with message as materialized (select m.id, c.owner_id = $1::uuid as own"
        "   from data_chat_messages m join data_chats c on c.id = m.chat_id"
        "   where m.id = $3::uuid and c.id = $2::uuid and c.deleted_at is null)"
        " select (select own from message), t.id, t.message_id, t.phase,"
        "   t.purpose, t.provider, t.model, t.response_content,"
        "   " SQL_TIME("t.started_at") ", " SQL_TIME("t.completed_at") ","
        "   t.error, " SQL_TIME("t.created_at") ", t.call_index, t.step_id,"
        "   t.temperature, t.prompt_messages::text, t.tool_calls::text,"
        "   t.prompt_tokens, t.completion_tokens, t.total_tokens, t.duration_ms,"
        "   t.structured_output"
        " from (select 1) one left join llm_traces t"
        "   on t.message_id = (select id from message where own)"
        " order by t.call_index",
};

static struct next traces_listed(struct flow *f);

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
    t->query = rows_keep(f, t->query);
    t->found = !query_is_null(t->query, 0, 0);
    t->foreign = t->found && !query_cell_bool(t->query, 0, 0);
    if (query_is_null(t->query, 0, 1))
        t->query->n_rows = 0;
    return back(f);
}

void trace_write(struct json_writer *w, const struct query *q, int row)
{
    static const char *const texts[] = {
        "id", "messageId", "phase", "purpose", "provider", "model",
        "responseContent", "startedAt", "completedAt", "error", "createdAt"};
    static const char *const raws[] = {
        "callIndex", "stepId", "temperature", "promptMessages", "toolCalls",
        "promptTokens", "completionTokens", "totalTokens", "durationMs"};
    json_put_object(w);
    for (int i = 0; i < 11; i++)
        row_field_str(w, texts[i], q, row, i + 1);
    for (int i = 0; i < 9; i++)
        row_field_raw(w, raws[i], q, row, i + 12);
    json_field_bool(w, "structuredOutput", query_cell_bool(q, row, 21));
    json_put_object_end(w);
}
