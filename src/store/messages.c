#include "store/messages.h"
#include "base/crypto.h"
#include "rows.h"
#include "store/charts.h"
#include "store/chats.h"
#include <string.h>
#include "base/banned.h"

/* ---- ask ---------------------------------------------------------------- */

static const struct statement ask_statement = {
    .name = "messages.ask",
    .sql = "select outcome, question, answer, parent, " SQL_TIME("asked_at") ","
           "   exists (select from data_chats where id = $2::uuid and not named)"
           " from ask_question($1::uuid, $2::uuid, $3,"
           "   nullif($4, '')::uuid, $5, $6, decode($7, 'hex'))",
};

static struct next pair_made(struct flow *f), chat_named(struct flow *f);

/* What one key stands for. */
static struct str digest(struct arena *arena, const struct message_pair *m)
{
    uint8_t hash[SHA256_SIZE];
    sha256(arena_printf(arena, "%.*s\n%.*s", STR_ARG(m->parent_id),
                        STR_ARG(m->content)), hash);
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
    query_str(f, q, m->key.len ? digest(flow_here(f), m) : STR(""));
    query_begin(f, q);
    return await(f, pair_made);
}

static enum asked asked_of(struct str word)
{
    static const struct {
        const char *word;
        enum asked asked;
    } words[] = {{"made", ASKED},          {"repeated", ASKED_BEFORE},
                 {"busy", ASK_BUSY},       {"existed", ASK_EXISTS},
                 {"reused", ASK_KEY_REUSED}, {"no_parent", ASK_PARENT_MISSING}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i].word))
            return words[i].asked;
    return ASK_CHAT_MISSING;
}

static struct str take(struct flow *f, const struct query *q, int column)
{
    return arena_str(flow_keep(f), query_cell(q, 0, column));
}

static struct next pair_made(struct flow *f)
{
    struct message_pair *m = locals(f, struct message_pair);
    m->outcome = asked_of(query_cell(m->query, 0, 0));
    m->question_id = take(f, m->query, 1);
    m->made_answer = take(f, m->query, 2);
    m->made_parent = take(f, m->query, 3);
    m->asked_at = take(f, m->query, 4);
    bool unnamed = query_cell_bool(m->query, 0, 5);
    if (m->outcome != ASKED || !unnamed)
        return back(f);
    struct chat_naming *n = keep(f, struct chat_naming);
    *n = (struct chat_naming){.store = m->store,
                              .chat_id = m->chat_id,
                              .question = m->content};
    return attempt(f, chat_naming_begin, n, chat_named, chat_named);
}

/* Or not, which the end of the run makes up for: the question is asked. */
static struct next chat_named(struct flow *f)
{
    return back(f);
}

/* ---- answer again ------------------------------------------------------- */

static const struct statement again_statement = {
    .name = "messages.again",
    .sql = "select outcome, chat, question, answer, parent, content, "
           SQL_TIME("asked_at") ", " SQL_TIME("answered_at")
           " from answer_again($1::uuid, $2::uuid, $3)",
};

static struct next again_made(struct flow *f);

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
    struct str word = query_cell(m->query, 0, 0);
    m->outcome = str_is(word, "made")   ? AGAIN_MADE
                 : str_is(word, "busy") ? AGAIN_BUSY
                 : str_is(word, "open") ? AGAIN_OPEN
                                        : AGAIN_MISSING;
    m->chat_id = take(f, m->query, 1);
    m->question_id = take(f, m->query, 2);
    m->made_answer = take(f, m->query, 3);
    m->question_parent = take(f, m->query, 4);
    m->content = take(f, m->query, 5);
    m->asked_at = take(f, m->query, 6);
    m->answered_at = take(f, m->query, 7);
    return back(f);
}

/* ---- pages -------------------------------------------------------------- */

#define SIZE_OF_CHARTS                                                         \
    "coalesce((select sum(octet_length(x.bytes)) from message_charts x"        \
    "  where x.message_id = m.id), 0) * 4 / 3"

/* `texts` and `whole`: bytes of the page up to here, without charts and with. */
#define MESSAGE_PAGE(order)                                                    \
    "with chat as materialized (select id, message_count from data_chats"      \
    "   where owner_id = $1::uuid and deleted_at is null"                      \
    "     and id = coalesce(nullif($2, '')::uuid, (select chat_id"             \
    "       from data_chat_messages where id = nullif($3, '')::uuid))),"       \
    " page as (select *, row_number() over w as place,"                        \
    "     sum(weight) over w as texts, sum(weight + charts) over w as whole"   \
    "   from (select *, octet_length(content) +"                               \
    "       coalesce(octet_length(metadata::text), 0) as weight,"              \
    "       " SIZE_OF_CHARTS " as charts from data_chat_messages m"            \
    "     where chat_id = (select id from chat)"                               \
    "       and ($3 = '' or id = nullif($3, '')::uuid)"                        \
    "     order by seq " order " limit $4::int offset $5::int) m"              \
    "   window w as (order by seq " order "))"                                 \
    " select (select message_count from chat), exists (select from chat),"     \
    "   m.id, m.chat_id, m.role, m.content,"                                   \
    "   case when texts <= $6::bigint or place = 1 then m.metadata::text"      \
    "     else '{\"deferred\":true,\"bytes\":'"                                \
    "       || octet_length(m.metadata::text) || '}' end,"                     \
    "   m.status, " SQL_TIME("m.created_at") ", m.parent_id,"                  \
    "   (select json_agg(s.id order by s.seq) from data_chat_messages s"       \
    "     where coalesce(s.parent_id, s.chat_id)"                              \
    "       = coalesce(m.parent_id, m.chat_id)),"                              \
    "   (select json_build_object('rating', b.rating, 'reason', b.reason,"     \
    "       'updatedAt', " SQL_TIME("b.updated_at") ")"                        \
    "     from message_feedback b where b.message_id = m.id),"                 \
    "   case when charts > 0 then (select json_agg(json_build_object("         \
    "       'n', x.n, 'stepId', x.step_id, 'mediaType', x.media_type,"         \
    "       'bytes', octet_length(x.bytes)) order by x.n)"                     \
    "     from message_charts x where x.message_id = m.id) end,"               \
    "   case when charts > 0 and $7::boolean"                                  \
    "     and (whole <= $6::bigint or place = 1) then " SQL_CHARTS("m.id")     \
    "   end"                                                                   \
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
    query_int(f, q, MESSAGE_PAGE_BYTES);
    query_bool(q, p->with_charts);
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

static void write_metadata(struct json_writer *w, struct str metadata,
                           struct str charts)
{
    struct buf out;
    json_put_key(w, "metadata");
    if (!charts.len) {
        json_put_raw(w, metadata.len ? metadata : STR("null"));
        return;
    }
    buf_init(&out, NULL);
    charts_put_back(&out, metadata, charts);
    json_put_raw(w, buf_view(&out));
    buf_done(&out);
}

void message_write(struct json_writer *w, const struct query *q, int row)
{
    struct str charts = query_cell(q, row, 12);
    json_field_str(w, "id", query_cell(q, row, 2));
    json_field_str(w, "chatId", query_cell(q, row, 3));
    row_field_str(w, "parentId", q, row, 9);
    row_field_raw(w, "branches", q, row, 10);
    json_field_str(w, "role", query_cell(q, row, 4));
    json_field_str(w, "content", query_cell(q, row, 5));
    write_metadata(w, query_cell(q, row, 6), query_cell(q, row, 13));
    json_field_str(w, "status", query_cell(q, row, 7));
    row_field_raw(w, "feedback", q, row, 11);
    json_field_raw(w, "charts", charts.len ? charts : STR("[]"));
    json_field_str(w, "createdAt", query_cell(q, row, 8));
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
           " select " SQL_TIME("now()") " from target",
};

static struct next feedback_put(struct flow *f);

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
        m->updated_at = take(f, m->query, 0);
    return back(f);
}
