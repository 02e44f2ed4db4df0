/* messages.c - questions and answers: created in pairs, answered again, listed,
 * rated. */
#include "store/messages.h"
#include "base/crypto.h"
#include "chart_row.h"
#include "store/charts.h"
#include "store/chats.h"
#include <string.h>
#include "base/banned.h"

static step_fn pair_made, again_made, messages_listed, feedback_put;

/* ---- ask ---------------------------------------------------------------- */

static enum asked row_asked(struct row_cursor *at)
{
    static const struct {
        const char *word;
        enum asked asked;
    } words[] = {{"made", ASKED},
                 {"repeated", ASKED_BEFORE},
                 {"busy", ASK_BUSY},
                 {"existed", ASK_EXISTS},
                 {"reused", ASK_KEY_REUSED},
                 {"no_parent", ASK_PARENT_MISSING}};
    struct str word = row_text(at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i].word))
            return words[i].asked;
    return ASK_CHAT_MISSING;
}

#define PAIR_ROW(FIRST, X) \
    FIRST(asked, outcome, "outcome") \
    X(uuid, question_id, "question") \
    X(uuid, made_answer, "answer") \
    X(uuid, made_parent, "parent") \
    X(time, asked_at, "rfc3339(asked_at)") \
    X(boolean, unnamed, \
      "exists (select from data_chats where id = $2::uuid and not named)")
#define PAIR_COLUMNS ROW_SQL(PAIR_ROW)

static const struct statement ask_statement = {
    .name = "messages.ask",
    .sql = "select " PAIR_COLUMNS " from ask_question($1::uuid, $2::uuid, $3,"
           "   nullif($4, '')::uuid, $5, $6, decode($7, 'hex'))",
};

/* What a repeated Idempotency-Key has to have in common with the first use. */
static struct str pair_digest(struct arena *arena, const struct message_pair *m)
{
    uint8_t hash[SHA256_SIZE];
    sha256(arena_printf(arena, "%.*s\n%.*s", STR_ARG(m->parent_id),
                        STR_ARG(m->content)),
           hash);
    return hex_encode(arena, hash, sizeof hash);
}

struct next message_pair_begin(struct flow *f)
{
    struct message_pair *m = locals(f, struct message_pair);
    struct query *q = m->query = query_new(f, m->store->system, &ask_statement);
    query_str(f, q, m->user_id);
    query_str(f, q, m->chat_id);
    query_str(f, q, m->content);
    query_str(f, q, m->answer_id);
    query_str(f, q, m->parent_id);
    query_str(f, q, m->key);
    query_str(f, q, m->key.len ? pair_digest(flow_here(f), m) : STR(""));
    query_begin(f, q);
    return await(f, pair_made);
}

static struct next pair_made(struct flow *f)
{
    struct message_pair *m = locals(f, struct message_pair);
    ROW_READ(PAIR_ROW, m, row_copies(m->query, 0, flow_keep(f)));
    if (m->outcome != ASKED || !m->unnamed)
        return back(f);
    struct chat_naming *n = keep(f, struct chat_naming);
    /* When naming fails, the end of the run names the chat. */
    *n = (struct chat_naming){
        .store = m->store, .chat_id = m->chat_id, .question = m->content};
    return attempt(f, chat_naming_begin, n, row_none, row_none);
}

/* ---- answer again ------------------------------------------------------- */

static enum again row_again(struct row_cursor *at)
{
    struct str word = row_text(at);
    return str_is(word, "made")   ? AGAIN_MADE
           : str_is(word, "busy") ? AGAIN_BUSY
           : str_is(word, "open") ? AGAIN_OPEN
                                  : AGAIN_MISSING;
}

#define AGAIN_ROW(FIRST, X) \
    FIRST(again, outcome, "outcome") \
    X(uuid, chat_id, "chat") \
    X(uuid, question_id, "question") \
    X(uuid, made_answer, "answer") \
    X(uuid, question_parent, "parent") \
    X(text, content, "content") \
    X(time, asked_at, "rfc3339(asked_at)") \
    X(time, answered_at, "rfc3339(answered_at)")
#define AGAIN_COLUMNS ROW_SQL(AGAIN_ROW)

static const struct statement again_statement = {
    .name = "messages.again",
    .sql = "select " AGAIN_COLUMNS " from answer_again($1::uuid, $2::uuid, $3)",
};

struct next message_again_begin(struct flow *f)
{
    struct message_again *m = locals(f, struct message_again);
    struct query *q = m->query =
        query_new(f, m->store->system, &again_statement);
    query_str(f, q, m->user_id);
    query_str(f, q, m->answer_id);
    query_str(f, q, m->llm_provider);
    query_begin(f, q);
    return await(f, again_made);
}

static struct next again_made(struct flow *f)
{
    struct message_again *m = locals(f, struct message_again);
    ROW_READ(AGAIN_ROW, m, row_copies(m->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- pages -------------------------------------------------------------- */

#define MESSAGE_ROW(FIRST, X) \
    FIRST(int64, total, "(select message_count from chat)") \
    X(boolean, chat_found, "exists (select from chat)") \
    X(uuid, id, "m.id", "id") \
    X(uuid, chat_id, "m.chat_id", "chatId") \
    X(uuid, parent_id, "m.parent_id", "parentId") \
    X(json, branches, \
      "(select json_agg(s.id order by s.seq) from data_chat_messages s" \
      "   where coalesce(s.parent_id, s.chat_id)" \
      "     = coalesce(m.parent_id, m.chat_id))", \
      "branches") \
    X(text, role, "m.role", "role") \
    X(text, content, "m.content", "content") \
    X(json, metadata, \
      "case when texts <= $6::bigint or place = 1 then m.metadata::text" \
      "   else '{\"deferred\":true,\"bytes\":'" \
      "     || octet_length(m.metadata::text) || '}' end") \
    X(text, status, "m.status") \
    X(json, feedback, \
      "(select json_build_object('rating', b.rating, 'reason', b.reason," \
      "     'updatedAt', rfc3339(b.updated_at))" \
      "   from message_feedback b where b.message_id = m.id)") \
    X(json, charts, \
      "case when charts > 0 then (select json_agg(json_build_object(" \
      "     'n', x.n, 'stepId', x.step_id, 'mediaType', x.media_type," \
      "     'bytes', octet_length(x.bytes)) order by x.n)" \
      "   from message_charts x where x.message_id = m.id) end") \
    X(json, chart_bytes, \
      "case when charts > 0 and $7::boolean" \
      "     and (whole <= $6::bigint or place = 1)" \
      "   then " SQL_CHARTS_OF "m.id) end") \
    X(time, created_at, "rfc3339(m.created_at)")
#define MESSAGE_COLUMNS ROW_SQL(MESSAGE_ROW)
ROW_STRUCT(message_row, MESSAGE_ROW);

#define CHARTS_SIZE \
    "coalesce((select sum(octet_length(x.bytes)) from message_charts x" \
    "  where x.message_id = m.id), 0) * 4 / 3"

/* `texts` and `whole`: bytes of the page up to and including this message,
 * without charts and with them. */
#define MESSAGE_PAGE(order) \
    "with chat as materialized (select id, message_count from data_chats" \
    "   where owner_id = $1::uuid and deleted_at is null" \
    "     and id = coalesce(nullif($2, '')::uuid, (select chat_id" \
    "       from data_chat_messages where id = nullif($3, '')::uuid)))," \
    " page as (select *, row_number() over w as place," \
    "     sum(weight) over w as texts, sum(weight + charts) over w as whole" \
    "   from (select *, octet_length(content) +" \
    "       coalesce(octet_length(metadata::text), 0) as weight," \
    "       " CHARTS_SIZE " as charts from data_chat_messages m" \
    "     where chat_id = (select id from chat)" \
    "       and ($3 = '' or id = nullif($3, '')::uuid)" \
    "     order by seq " order " limit $4::int offset $5::int) m" \
    "   window w as (order by seq " order "))" \
    " select " MESSAGE_COLUMNS \
    " from (select 1) one left join page m on true order by m.seq " order

static const struct statement message_page_ascending = {
    .name = "messages.page",
    .again = true,
    .sql = MESSAGE_PAGE("asc"),
};
static const struct statement message_page_descending = {
    .name = "messages.page.desc",
    .again = true,
    .sql = MESSAGE_PAGE("desc"),
};

struct next message_page_begin(struct flow *f)
{
    struct message_page *p = locals(f, struct message_page);
    struct query *q = p->query = query_new(
        f, p->store->system,
        p->descending ? &message_page_descending : &message_page_ascending);
    query_str(f, q, p->user_id);
    query_str(f, q, p->chat_id);
    query_str(f, q, p->message_id);
    query_page(f, q, p->page, p->page_size);
    query_int(f, q, MESSAGE_PAGE_BYTES);
    query_bool(q, p->with_charts);
    query_begin(f, q);
    return await(f, messages_listed);
}

static struct next messages_listed(struct flow *f)
{
    struct message_page *p = locals(f, struct message_page);
    struct message_row first = message_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.id);
    p->total = first.total;
    p->chat_found = first.chat_found;
    return back(f);
}

static void message_put_metadata(struct json_writer *w, struct str metadata,
                                 struct str charts)
{
    struct buf out;
    json_put_key(w, "metadata");
    if (!charts.len) {
        json_put_raw(w, metadata.len ? metadata : STR("null"));
        return;
    }
    buf_init(&out, NULL);
    charts_restore(&out, metadata, charts);
    json_put_raw(w, buf_view(&out));
    buf_done(&out);
}

void message_write(struct json_writer *w, const struct query *q, int row)
{
    struct message_row m = message_row_at(q, row);
    ROW_WRITE(MESSAGE_ROW, w, &m);
    message_put_metadata(w, m.metadata, m.chart_bytes);
    json_field_str(w, "status", m.status);
    row_put_json(w, "feedback", m.feedback);
    json_field_raw(w, "charts", m.charts.len ? m.charts : STR("[]"));
    json_field_str(w, "createdAt", m.created_at);
}

/* ---- feedback ----------------------------------------------------------- */

static const struct statement feedback_statement = {
    .name = "messages.feedback",
    .sql = "with target as materialized (select m.id from data_chat_messages m"
           "   join data_chats c on c.id = m.chat_id"
           "   where m.id = $2::uuid and c.owner_id = $1::uuid"
           "     and c.deleted_at is null and m.role = 'assistant'),"
           " gone as (delete from message_feedback where $3 = ''"
           "   and message_id = (select id from target)),"
           " put as (insert into message_feedback (message_id, rating, reason)"
           "   select id, $3, $4 from target where $3 <> ''"
           "   on conflict (message_id) do update set updated_at = now(),"
           "     rating = excluded.rating, reason = excluded.reason)"
           " select rfc3339(now()) from target",
};

struct next message_feedback_begin(struct flow *f)
{
    struct message_feedback *m = locals(f, struct message_feedback);
    struct query *q = m->query =
        query_new(f, m->store->system, &feedback_statement);
    query_str(f, q, m->user_id);
    query_str(f, q, m->message_id);
    query_str(f, q, m->rating);
    query_str(f, q, m->reason);
    query_begin(f, q);
    return await(f, feedback_put);
}

static struct next feedback_put(struct flow *f)
{
    struct message_feedback *m = locals(f, struct message_feedback);
    m->found = m->query->n_rows > 0;
    if (m->found)
        m->updated_at = ROW_VALUE(time, row_copies(m->query, 0, flow_keep(f)));
    return back(f);
}
