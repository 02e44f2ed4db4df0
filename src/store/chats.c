#include "store/chats.h"
#include "rows.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

/* ---- lists -------------------------------------------------------------- */

#define CHAT_COLUMNS                                                           \
    "c.id, c.name, c.ontology_id, c.owner_id, c.llm_provider, c.agent, "       \
    SQL_TIME("c.created_at") ", " SQL_TIME("c.updated_at") ", o.name, "        \
    "o.status, o.dataset_count, (select count(*) from data_chat_messages m "   \
    "where m.chat_id = c.id)"

/* The page is cut first, so that counts are made for its rows alone. */
#define CHAT_PAGE(order)                                                       \
    "select " CHAT_COLUMNS ", c.total from (select *,"                         \
    "   count(*) over () as total from data_chats"                             \
    "   where owner_id = $1::uuid and deleted_at is null"                      \
    "   and ($2 = '' or strpos(lower(name), lower($2)) > 0)"                   \
    "   and ($3 = '' or ontology_id = nullif($3, '')::uuid)"                   \
    "   order by " order " limit $4::int offset $5::int) c"                    \
    " join ontologies o on o.id = c.ontology_id order by "

static const struct {
    const char *sort_by;
    bool ascending;
    struct statement statement;
} chat_pages[] = {
#define SORT(key, column)                                                      \
    {key, false, {CHAT_PAGE(column " desc, id") "c." column " desc, c.id",     \
                  "chats." key ".desc", true}},                                      \
    {key, true, {CHAT_PAGE(column ", id") "c." column ", c.id",                \
                 "chats." key ".asc", true}},
    SORT("updatedAt", "updated_at")
    SORT("createdAt", "created_at")
    SORT("name", "name")
};

static const struct statement chat_statement = {
    .name = "chats.one",
    .sql = "select " CHAT_COLUMNS ", 1 from data_chats c"
           " join ontologies o on o.id = c.ontology_id"
           " where c.owner_id = $1::uuid and c.id = $2::uuid"
           "   and c.deleted_at is null",
};

static struct next chats_listed(struct flow *f), total_known(struct flow *f);

static const struct statement *page_statement(const struct chat_page *p)
{
    for (size_t i = 0; i < sizeof chat_pages / sizeof *chat_pages; i++)
        if (!strcmp(chat_pages[i].sort_by, p->sort_by) &&
            chat_pages[i].ascending == p->ascending)
            return &chat_pages[i].statement;
    return &chat_pages[0].statement;
}

static struct next look(struct flow *f, int page, int page_size, step_fn *then)
{
    struct chat_page *p = locals(f, struct chat_page);
    bool one = p->chat_id.len > 0;
    struct query *q = p->query = query_new(
        f, p->store->system, one ? &chat_statement : page_statement(p));
    query_str(f, q, p->user_id);
    if (one) {
        query_str(f, q, p->chat_id);
    } else {
        query_str(f, q, p->search);
        query_str(f, q, p->ontology_id);
        query_int(f, q, page_size);
        query_int(f, q, (int64_t)(page - 1) * page_size);
    }
    query_begin(f, q);
    return await(f, then);
}

struct next chat_page_begin(struct flow *f)
{
    const struct chat_page *p = locals(f, struct chat_page);
    return look(f, p->page, p->page_size, chats_listed);
}

/* Rows tell the total; past the end there are none, so the first one is asked. */
static struct next chats_listed(struct flow *f)
{
    struct chat_page *p = locals(f, struct chat_page);
    if (p->query->n_rows == 0 && p->page > 1)
        return look(f, 1, 1, total_known);
    p->query = rows_keep(f, p->query);
    p->total = p->query->n_rows ? query_cell_int(p->query, 0, 12) : 0;
    return back(f);
}

static struct next total_known(struct flow *f)
{
    struct chat_page *p = locals(f, struct chat_page);
    p->query = rows_keep(f, p->query);
    p->total = p->query->n_rows ? query_cell_int(p->query, 0, 12) : 0;
    p->query->n_rows = 0;
    return back(f);
}

static void text_or_null(struct json_writer *w, const char *key,
                         const struct query *q, int row, int column)
{
    json_put_key(w, key);
    if (query_is_null(q, row, column))
        json_put_null(w);
    else
        json_put_str(w, query_cell(q, row, column));
}

static void raw_or_null(struct json_writer *w, const char *key,
                        const struct query *q, int row, int column)
{
    struct str raw = query_cell(q, row, column);
    json_field_raw(w, key, raw.len ? raw : STR("null"));
}

void chat_write(struct json_writer *w, const struct query *q, int row)
{
    static const char *const keys[] = {"id", "name", "ontologyId", "ownerId",
                                       "llmProvider", "agent", "createdAt",
                                       "updatedAt"};
    for (int i = 0; i < 8; i++)
        text_or_null(w, keys[i], q, row, i);
    json_put_key(w, "ontology");
    json_put_object(w);
    json_field_str(w, "id", query_cell(q, row, 2));
    json_field_str(w, "name", query_cell(q, row, 8));
    json_field_str(w, "status", query_cell(q, row, 9));
    json_field_raw(w, "datasetCount", query_cell(q, row, 10));
    json_put_object_end(w);
    json_field_raw(w, "messageCount", query_cell(q, row, 11));
}

/* ---- create ------------------------------------------------------------- */

static const struct statement create_statement = {
    .name = "chats.create",
    .sql = "with o as materialized (select id, status from ontologies"
           "   where id = $2::uuid and (owner_id = $1::uuid"
           "     or visibility = 'shared' or $5::boolean)),"
           " made as (insert into data_chats (owner_id, ontology_id, name, named,"
           "     llm_provider) select $1::uuid, id,"
           "     case when $3 = '' then 'New chat' else $3 end, $3 <> '',"
           "     nullif($4, '') from o where status = 'ready' returning id)"
           " select exists (select from o), (select id from made)",
};

static struct next chat_created(struct flow *f);

struct next chat_create_begin(struct flow *f)
{
    struct chat_create *c = locals(f, struct chat_create);
    struct query *q = c->query =
        query_new(f, c->store->system, &create_statement);
    query_str(f, q, c->user_id);
    query_str(f, q, c->ontology_id);
    query_str(f, q, c->name);
    query_str(f, q, c->llm_provider);
    query_bool(q, c->all_ontologies);
    query_begin(f, q);
    return await(f, chat_created);
}

static struct next chat_created(struct flow *f)
{
    struct chat_create *c = locals(f, struct chat_create);
    c->ontology_found = query_cell_bool(c->query, 0, 0);
    c->ontology_ready = !query_is_null(c->query, 0, 1);
    c->id = arena_str(flow_keep(f), query_cell(c->query, 0, 1));
    return back(f);
}

/* ---- messages ----------------------------------------------------------- */

/* A chat whose run is in progress takes no further question. */
static const struct statement pair_statement = {
    .name = "messages.pair",
    .sql =
        "with chat as materialized (select id from data_chats"
        "   where id = $2::uuid and owner_id = $1::uuid and deleted_at is null"
        "   for no key update),"
        " known as materialized (select id from data_chat_messages"
        "   where id = nullif($4, '')::uuid),"
        " live as materialized (select message_id from runs, chat"
        "   where chat_id = chat.id and ended_at is null"
        "     and lease_until > now()),"
        " go as materialized (select id from chat"
        "   where not exists (select from live)"
        "     and not exists (select from known)),"
        " asked as (insert into data_chat_messages (chat_id, role, content)"
        "   select id, 'user', $3 from go returning id, seq, created_at),"
        " answer as (insert into data_chat_messages (id, chat_id, role, status)"
        "   select coalesce(nullif($4, '')::uuid, gen_random_uuid()), go.id,"
        "     'assistant', 'generating' from go, asked returning id),"
        " touched as (update data_chats c set updated_at = now() from go"
        "   where c.id = go.id)"
        " select exists (select from chat), exists (select from live),"
        "   exists (select from known), (select id from asked),"
        "   (select id from answer),"
        "   (select " SQL_TIME("created_at") " from asked)",
};

static struct next pair_made(struct flow *f);

struct next message_pair_begin(struct flow *f)
{
    struct message_pair *m = locals(f, struct message_pair);
    struct query *q = m->query = query_new(f, m->store->system, &pair_statement);
    query_str(f, q, m->user_id);
    query_str(f, q, m->chat_id);
    query_str(f, q, m->content);
    query_str(f, q, m->assistant_id);
    query_begin(f, q);
    return await(f, pair_made);
}

static struct next pair_made(struct flow *f)
{
    struct message_pair *m = locals(f, struct message_pair);
    struct arena *keep = flow_keep(f);
    m->chat_found = query_cell_bool(m->query, 0, 0);
    m->existed = query_cell_bool(m->query, 0, 2);
    m->busy = query_cell_bool(m->query, 0, 1) && !m->existed;
    m->user_message_id = arena_str(keep, query_cell(m->query, 0, 3));
    m->assistant_message_id = arena_str(keep, query_cell(m->query, 0, 4));
    m->created_at = arena_str(keep, query_cell(m->query, 0, 5));
    return back(f);
}

#define MESSAGE_PAGE(order)                                                    \
    "with chat as materialized (select id from data_chats"                     \
    "   where id = $2::uuid and owner_id = $1::uuid and deleted_at is null),"  \
    " page as (select * from data_chat_messages"                               \
    "   where chat_id = (select id from chat)"                                 \
    "     and ($3 = '' or id = nullif($3, '')::uuid)"                          \
    "   order by seq " order " limit $4::int offset $5::int)"                  \
    " select (select count(*) from data_chat_messages"                         \
    "     where chat_id = (select id from chat)), exists (select from chat),"  \
    "   m.id, m.chat_id, m.role, m.content, m.metadata::text, m.status, "      \
    SQL_TIME("m.created_at")                                                   \
    " from (select 1) one left join page m on true order by m.seq " order

static const struct statement message_page_ascending = {
    .name = "messages.page",
    .sql = MESSAGE_PAGE("asc"),
};
static const struct statement message_page_descending = {
    .name = "messages.page.desc",
    .sql = MESSAGE_PAGE("desc"),
};

static struct next messages_listed(struct flow *f);

struct next message_page_begin(struct flow *f)
{
    struct message_page *p = locals(f, struct message_page);
    struct query *q = p->query = query_new(
        f, p->store->system,
        p->descending ? &message_page_descending : &message_page_ascending);
    query_str(f, q, p->user_id);
    query_str(f, q, p->chat_id);
    query_str(f, q, p->message_id);
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    query_begin(f, q);
    return await(f, messages_listed);
}

static struct next messages_listed(struct flow *f)
{
    struct message_page *p = locals(f, struct message_page);
    p->query = rows_keep(f, p->query);
    p->total = query_cell_int(p->query, 0, 0);
    p->chat_found = query_cell_bool(p->query, 0, 1);
    if (query_is_null(p->query, 0, 2))
        p->query->n_rows = 0;
    return back(f);
}

/* Charts are most of a message's bytes; their places stay, empty. */
static void drop_charts(json_t *v)
{
    const char *key;
    json_t *child;
    void *next;
    size_t i;
    if (json_is_array(v))
        json_array_foreach(v, i, child) drop_charts(child);
    json_object_foreach_safe(v, next, key, child)
    {
        if (!strcmp(key, "charts") && json_is_array(child))
            json_object_set_new(v, key, json_array());
        else
            drop_charts(child);
    }
}

static void write_metadata(struct json_writer *w, struct str metadata,
                           bool without_charts)
{
    json_t *v = NULL;
    if (without_charts && str_find(metadata, STR("\"charts\":[\"")) >= 0)
        v = json_read(metadata, NULL);
    json_put_key(w, "metadata");
    if (!v) {
        json_put_raw(w, metadata.len ? metadata : STR("null"));
        return;
    }
    struct buf out;
    buf_init(&out, NULL);
    drop_charts(v);
    json_print_into(&out, v);
    json_put_raw(w, buf_view(&out));
    buf_done(&out);
    json_decref(v);
}

void message_write(struct json_writer *w, const struct query *q, int row,
                   bool without_charts)
{
    json_field_str(w, "id", query_cell(q, row, 2));
    json_field_str(w, "chatId", query_cell(q, row, 3));
    json_field_str(w, "role", query_cell(q, row, 4));
    json_field_str(w, "content", query_cell(q, row, 5));
    write_metadata(w, query_cell(q, row, 6), without_charts);
    json_field_str(w, "status", query_cell(q, row, 7));
    json_field_str(w, "createdAt", query_cell(q, row, 8));
}

/* ---- traces ------------------------------------------------------------- */

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
        text_or_null(w, texts[i], q, row, i + 1);
    for (int i = 0; i < 9; i++)
        raw_or_null(w, raws[i], q, row, i + 12);
    json_field_bool(w, "structuredOutput", query_cell_bool(q, row, 21));
    json_put_object_end(w);
}
