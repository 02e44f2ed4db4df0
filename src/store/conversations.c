/* conversations.c - ontologies by name, chats by their messages, answers as
 * text; see store/conversations.h. */
#include "store/conversations.h"
#include "rows.h"
#include "store/chats.h"
#include "base/banned.h"

static step_fn askable_listed, conversation_opened, answer_known, recent_listed;

/* ---- ontologies ---------------------------------------------------------- */

#define ASKABLE_ROW(FIRST, X) \
    FIRST(uuid, id, "o.id") \
    X(text, name, "o.name") \
    X(text, description, "o.description") \
    X(uuid, model_id, "o.semantic_model_id") \
    X(uuid, connection_id, "s.connection_id") \
    X(text, database, "s.database_name") \
    X(int32, version, "o.version") \
    X(int64, created_s, "extract(epoch from o.created_at)::bigint") \
    X(boolean, only, "o.same = 1")
#define ASKABLE_COLUMNS ROW_SQL(ASKABLE_ROW)

struct next askable_list_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "ontologies.askable",
        .again = true,
        .sql = "select " ASKABLE_COLUMNS
               " from (select x.*, count(*) over (partition by x.name) as same"
               "   from ontologies x where x.deleted_at is null"
               "     and x.status = 'ready'"
               "     and (x.owner_id = $1::uuid or x.visibility = 'shared'"
               "       or $2::boolean)) o"
               " join semantic_models s on s.id = o.semantic_model_id"
               " where $3 = '' or o.name = $3 or o.id::text = lower($3)"
               " order by o.created_at desc, o.id limit $4::int",
    };
    struct askable_list *l = locals(f, struct askable_list);
    struct query *q = l->query = query_new(f, l->store->system, &statement);
    query_str(f, q, l->user_id);
    query_bool(q, l->all);
    query_str(f, q, l->wanted);
    query_int(f, q, ASKABLE_MOST);
    query_begin(f, q);
    return await(f, askable_listed);
}

static struct next askable_listed(struct flow *f)
{
    struct askable_list *l = locals(f, struct askable_list);
    l->n = (size_t)l->query->n_rows;
    l->items = arena_new_array(flow_keep(f), struct askable, l->n + 1);
    for (size_t i = 0; i < l->n; i++)
        ROW_READ(ASKABLE_ROW, &l->items[i],
                 row_copies(l->query, (int)i, flow_keep(f)));
    return back(f);
}

/* ---- conversations ------------------------------------------------------- */

#define OPENED_ROW(FIRST, X) \
    FIRST(uuid, chat_id, "chat") \
    X(text, parent_id, "parent")
#define OPENED_COLUMNS ROW_SQL(OPENED_ROW)

static const struct statement new_statement = {
    .name = "conversations.new",
    .sql = "insert into data_chats (owner_id, ontology_id, name)"
           " values ($1::uuid, $2::uuid, $3) returning id, 'root'",
};

/* Looks only at the chats that were used last, from the last answer back to the
 * first question: each message has one parent, so a candidate costs one look
 * for each turn. */
static const struct statement open_statement = {
    .name = "conversations.open",
    .sql =
        "with recursive past as materialized ("
        "   select k::int, e->>'question' as question, e->>'answer' as answer,"
        "          gen_random_uuid() as question_id,"
        "          gen_random_uuid() as answer_id"
        "     from json_array_elements($4::json) with ordinality x (e, k)),"
        " mine as materialized ("
        "   select id, ontology_id, agent from data_chats"
        "    where owner_id = $1::uuid and deleted_at is null"
        "    order by updated_at desc, id limit 200),"
        " tail as ("
        "   select a.id as answer, a.chat_id, q.parent_id as before, p.k, a.seq"
        "     from past p cross join mine c"
        "     join data_chat_messages a on a.chat_id = c.id"
        "      and a.role = 'assistant' and a.status <> 'generating'"
        "      and a.content = p.answer"
        "     join data_chat_messages q on q.id = a.parent_id"
        "      and q.content = p.question"
        "    where p.k = (select max(k) from past)"
        "      and c.ontology_id = $2::uuid and c.agent = 'pipeline'"
        "      and not chat_is_busy(c.id)"
        "   union all"
        "   select t.answer, t.chat_id, q.parent_id, p.k, t.seq"
        "     from tail t join past p on p.k = t.k - 1"
        "     join data_chat_messages a on a.id = t.before"
        "      and a.chat_id = t.chat_id and a.content = p.answer"
        "     join data_chat_messages q on q.id = a.parent_id"
        "      and q.content = p.question),"
        " found as materialized ("
        "   select chat_id, answer from tail where k = 1 and before is null"
        "    order by seq desc limit 1),"
        " made as ("
        "   insert into data_chats (owner_id, ontology_id, name, message_count)"
        "   select $1::uuid, $2::uuid, $3, (select 2 * count(*) from past)"
        "    where not exists (select from found)"
        "   returning id),"
        " told as ("
        "   insert into data_chat_messages (id, chat_id, parent_id, role,"
        "                                   content)"
        "   select m.id, made.id, m.parent, m.role, m.content from made,"
        "          (select question_id as id, 'user' as role,"
        "                  question as content, 2 * k as place,"
        "                  lag(answer_id) over (order by k) as parent"
        "             from past"
        "           union all"
        "           select answer_id, 'assistant', answer, 2 * k + 1,"
        "                  question_id from past) m"
        "    order by m.place)"
        " select " OPENED_COLUMNS " from ("
        "   select chat_id as chat, answer::text as parent from found"
        "   union all"
        "   select made.id, (select answer_id::text from past"
        "                     order by k desc limit 1) from made) o",
};

struct next conversation_open_begin(struct flow *f)
{
    struct conversation_open *c = locals(f, struct conversation_open);
    struct query *q = c->query = query_new(
        f, c->store->system, c->n_turns ? &open_statement : &new_statement);
    query_str(f, q, c->user_id);
    query_str(f, q, c->ontology_id);
    query_str(f, q, chat_name_of(c->question));
    if (c->n_turns)
        query_str(f, q, c->turns);
    query_begin(f, q);
    return await(f, conversation_opened);
}

static struct next conversation_opened(struct flow *f)
{
    struct conversation_open *c = locals(f, struct conversation_open);
    ROW_READ(OPENED_ROW, c, row_copies(c->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- answers ------------------------------------------------------------- */

#define ANSWER_ROW(FIRST, X) \
    FIRST(uuid, id, "m.id") \
    X(uuid, chat_id, "m.chat_id") \
    X(uuid, ontology_id, "c.ontology_id") \
    X(text, ontology, "o.name") \
    X(text, question, "q.content") \
    X(text, content, "m.content") \
    X(text, status, "m.status") \
    X(int64, prompt_tokens, "(m.metadata#>>'{tokensUsed,prompt}')::bigint") \
    X(int64, completion_tokens, \
      "(m.metadata#>>'{tokensUsed,completion}')::bigint") \
    X(text, verification, "m.metadata#>>'{verificationReport,status}'") \
    X(json, lineage, "m.metadata->'dataLineage'") \
    X(json, queries, \
      "(select json_agg(r#>>'{sqlResult,sql}') from json_array_elements(" \
      "   case when json_typeof(m.metadata->'stepResults') = 'array'" \
      "     then m.metadata->'stepResults' else '[]' end) r" \
      "   where r#>>'{sqlResult,sql}' <> '')") \
    X(text, error_code, "m.metadata#>>'{error,code}'") \
    X(text, error_text, "m.metadata#>>'{error,message}'")
#define ANSWER_COLUMNS ROW_SQL(ANSWER_ROW)

struct next answer_read_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "answers.read",
        .again = true,
        .sql =
            "select " ANSWER_COLUMNS
            " from data_chat_messages m join data_chats c on c.id = m.chat_id"
            " join ontologies o on o.id = c.ontology_id"
            " left join data_chat_messages q on q.id = m.parent_id"
            " where m.id = $2::uuid and c.owner_id = $1::uuid"
            "   and c.deleted_at is null and m.role = 'assistant'",
    };
    struct answer_read *a = locals(f, struct answer_read);
    struct query *q = a->query = query_new(f, a->store->system, &statement);
    query_str(f, q, a->user_id);
    query_str(f, q, a->answer_id);
    query_begin(f, q);
    return await(f, answer_known);
}

static struct next answer_known(struct flow *f)
{
    struct answer_read *a = locals(f, struct answer_read);
    a->found = a->query->n_rows > 0;
    if (a->found)
        ROW_READ(ANSWER_ROW, a, row_copies(a->query, 0, flow_keep(f)));
    return back(f);
}

#define RECENT_ROW(FIRST, X) \
    FIRST(uuid, id, "m.id") \
    X(text, question, "left(q.content, 200)")
#define RECENT_COLUMNS ROW_SQL(RECENT_ROW)

struct next recent_answers_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "answers.recent",
        .again = true,
        .sql = "select " RECENT_COLUMNS
               " from (select id from data_chats where owner_id = $1::uuid"
               "   and deleted_at is null order by updated_at desc, id"
               "   limit $2::int) c"
               " join lateral (select * from data_chat_messages"
               "   where chat_id = c.id and role = 'assistant'"
               "     and status = 'complete' order by seq desc"
               "   limit $2::int) m on true"
               " join data_chat_messages q on q.id = m.parent_id"
               " order by m.seq desc limit $2::int",
    };
    struct recent_answers *r = locals(f, struct recent_answers);
    struct query *q = r->query = query_new(f, r->store->system, &statement);
    query_str(f, q, r->user_id);
    query_int(f, q, RECENT_ANSWERS);
    query_begin(f, q);
    return await(f, recent_listed);
}

static struct next recent_listed(struct flow *f)
{
    struct recent_answers *r = locals(f, struct recent_answers);
    r->n = (size_t)r->query->n_rows;
    r->items = arena_new_array(flow_keep(f), struct recent_answer, r->n + 1);
    for (size_t i = 0; i < r->n; i++)
        ROW_READ(RECENT_ROW, &r->items[i],
                 row_copies(r->query, (int)i, flow_keep(f)));
    return back(f);
}
