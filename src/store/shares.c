/* shares.c - links to chats: made, read and ended by the owner, opened by
 * anyone who has the token. */
#include "store/shares.h"
#include "base/crypto.h"
#include "chart_row.h"
#include "store/audit.h"
#include "store/share_text.h"
#include "store/charts.h"
#include "base/banned.h"

static step_fn share_made, share_found, share_ended, share_opened,
    share_chart_read;

enum { TOKEN_BYTES = 32, TOKEN_LENGTH = 43, HASH_LENGTH = 2 * SHA256_SIZE };

#define SHARE_ROW(FIRST, X) \
    FIRST(time, created_at, "rfc3339(s.created_at)", "createdAt") \
    X(time, expires_at, "rfc3339(s.expires_at)", "expiresAt") \
    X(boolean, include_sql, "s.include_sql", "includeSql") \
    X(boolean, is_active, "s.expires_at is null or s.expires_at > now()", \
      "isActive") \
    X(boolean, chat_found, "c.found") \
    X(uuid, chat_id, "s.chat_id")
#define SHARE_COLUMNS ROW_SQL(SHARE_ROW)
ROW_STRUCT(share_row, SHARE_ROW);

/* ---- the owner's side --------------------------------------------------- */

static struct str token_hash_of(struct arena *arena, struct str token)
{
    uint8_t hash[SHA256_SIZE];
    sha256(token, hash);
    return hex_encode(arena, hash, sizeof hash);
}

static const struct statement make_statement = {
    .name = "shares.make",
    .sql =
        "with chat as materialized (select id from data_chats"
        "   where id = $2::uuid and owner_id = $1::uuid"
        "     and deleted_at is null),"
        " made as (insert into chat_shares as s (chat_id, token_hash, leaf_id,"
        "     include_sql, expires_at)"
        "   select chat.id, decode($3, 'hex'), leaf.id, $4::boolean,"
        "     nullif($5, '')::timestamptz from chat"
        "   join lateral (select id from data_chat_messages"
        "     where chat_id = chat.id order by seq desc limit 1) leaf on true"
        "   on conflict (chat_id) do update set created_at = now(),"
        "     token_hash = excluded.token_hash, leaf_id = excluded.leaf_id,"
        "     include_sql = excluded.include_sql,"
        "     expires_at = excluded.expires_at returning s.*),"
        " noted as (" SQL_AUDIT " select $1::uuid, 'chat.shared', 'chat',"
        "   chat_id::text, jsonb_build_object('includeSql', include_sql,"
        "     'expiresAt', expires_at), $6 from made)"
        " select " SHARE_COLUMNS
        " from (select exists (select from chat) as found) c"
        " left join made s on true",
};

struct next share_make_begin(struct flow *f)
{
    struct share_make *s = locals(f, struct share_make);
    uint8_t secret[TOKEN_BYTES];
    random_bytes(secret, sizeof secret);
    s->token = base64url_encode(
        flow_keep(f), (struct str){(const char *)secret, sizeof secret});
    struct query *q = s->query =
        query_new(f, s->store->system, &make_statement);
    query_str(f, q, s->user_id);
    query_str(f, q, s->chat_id);
    query_str(f, q, token_hash_of(flow_here(f), s->token));
    query_bool(q, s->include_sql);
    query_str(f, q, s->expires_at);
    query_str(f, q, s->request_id);
    query_begin(f, q);
    return await(f, share_made);
}

static struct next share_made(struct flow *f)
{
    struct share_make *s = locals(f, struct share_make);
    struct share_row row = share_row_at(s->query, 0);
    s->query = rows_keep(f, s->query);
    s->found = row.chat_found;
    s->made = row.chat_id.len > 0;
    return back(f);
}

static const struct statement read_statement = {
    .name = "shares.read",
    .again = true,
    .sql = "with chat as (select id from data_chats"
           "   where id = $2::uuid and owner_id = $1::uuid"
           "     and deleted_at is null)"
           " select " SHARE_COLUMNS
           " from (select exists (select from chat) as found) c"
           " left join (chat_shares s join chat on chat.id = s.chat_id)"
           "   on true",
};

struct next share_read_begin(struct flow *f)
{
    struct share_read *s = locals(f, struct share_read);
    s->query = query_new(f, s->store->system, &read_statement);
    query_str(f, s->query, s->user_id);
    query_str(f, s->query, s->chat_id);
    query_begin(f, s->query);
    return await(f, share_found);
}

static struct next share_found(struct flow *f)
{
    struct share_read *s = locals(f, struct share_read);
    struct share_row row = share_row_at(s->query, 0);
    s->query = rows_keep(f, s->query);
    s->chat_found = row.chat_found;
    s->found = row.chat_id.len > 0;
    return back(f);
}

void share_write(struct json_writer *w, const struct query *q)
{
    struct share_row row = share_row_at(q, 0);
    ROW_WRITE(SHARE_ROW, w, &row);
}

static const struct statement end_statement = {
    .name = "shares.end",
    .sql = "with gone as (delete from chat_shares s using data_chats c"
           "   where c.id = s.chat_id and c.id = $2::uuid"
           "     and c.owner_id = $1::uuid and c.deleted_at is null"
           "   returning s.chat_id),"
           " noted as (" SQL_AUDIT " select $1::uuid, 'chat.unshared', 'chat',"
           "   chat_id::text, '{}', $3 from gone)"
           " select chat_id from gone",
};

struct next share_end_begin(struct flow *f)
{
    struct share_end *s = locals(f, struct share_end);
    s->query = query_new(f, s->store->system, &end_statement);
    query_str(f, s->query, s->user_id);
    query_str(f, s->query, s->chat_id);
    query_str(f, s->query, s->request_id);
    query_begin(f, s->query);
    return await(f, share_ended);
}

static struct next share_ended(struct flow *f)
{
    struct share_end *s = locals(f, struct share_end);
    s->found = s->query->n_rows > 0;
    return back(f);
}

/* ---- the public side ---------------------------------------------------- */

/* The share whose token has the hash $1, and its branch from the leaf up. */
#define SHARED \
    "with recursive share as materialized (select s.*, c.name" \
    "   from chat_shares s join data_chats c on c.id = s.chat_id" \
    "   join users u on u.id = c.owner_id" \
    "   where s.token_hash = decode($1, 'hex') and c.deleted_at is null" \
    "     and (s.expires_at is null or s.expires_at > now())" \
    "     and u.is_active)," \
    " branch as (select m.*, 1 as place from share" \
    "     join data_chat_messages m on m.id = share.leaf_id" \
    "   union all select m.*, b.place + 1 from branch b cross join lateral" \
    "     (select * from data_chat_messages where id = b.parent_id limit 1) m" \
    "     where b.place < 200)"

/* Error messages of the database and findings of checks may quote values of
 * rows; without include_sql, caveats are cut before them. */
#define SHARED_CAVEATS \
    "case when json_typeof(b.metadata#>'{explainerOutput,caveats}') = 'array'" \
    " then (select json_agg(case when share.include_sql" \
    "         or c ~ ('^Step [0-9]+: (only the first [0-9]+ rows were read;'" \
    "           || ' there are more|long values were cut)[.]$') then c" \
    "       when c ~ '^Step [0-9]+: '" \
    "         then substring(c from '^Step [0-9]+') || ' failed.'" \
    "       else regexp_replace(c, '^(Verification failed|Not verified)'" \
    "         || '[:.] .*', '\\1.') end)" \
    "   from json_array_elements_text(" \
    "     b.metadata#>'{explainerOutput,caveats}') c) end"

#define SHARED_ROW(FIRST, X) \
    FIRST(hex, token_hash, "encode(share.token_hash, 'hex')") \
    X(text, chat_name, "share.name") \
    X(boolean, with_rows, "share.include_sql") \
    X(time, shared_at, "rfc3339(share.created_at)") \
    X(time, expires_at, "rfc3339(share.expires_at)") \
    X(uuid, id, "m.id", "id") \
    X(text, role, "m.role", "role") \
    X(text, content, "m.content", "content") \
    X(text, status, "m.status", "status") \
    X(time, created_at, "rfc3339(m.created_at)", "createdAt") \
    X(json, lineage, "m.lineage", "dataLineage") \
    X(json, badge, "m.badge", "verification") \
    X(json, caveats, "coalesce(m.caveats, '[]')", "caveats") \
    X(json, charts, \
      "coalesce((select json_agg(json_build_object('n', x.n," \
      "     'stepId', x.step_id, 'mediaType', x.media_type," \
      "     'bytes', octet_length(x.bytes)) order by x.n)" \
      "   from message_charts x where x.message_id = m.id), '[]')", \
      "charts") \
    X(json, steps, \
      "case when sum(octet_length(m.steps::text)) over (order by m.place)" \
      "   <= 4194304 then m.steps end", \
      "steps")
#define SHARED_COLUMNS ROW_SQL(SHARED_ROW)
ROW_STRUCT(shared_row, SHARED_ROW);

/* Exactly these columns become public: nothing of tool calls, traces, prompts,
 * connections or people. SQL and rows only with include_sql, up to 4 MiB. */
static const struct statement open_statement = {
    .name = "shares.open",
    .again = true,
    .sql = SHARED
    ","
    " shown as (select b.id, b.role, b.content, b.status, b.created_at,"
    "     b.place, b.metadata->'dataLineage' as lineage,"
    "     case when json_typeof(b.metadata->'verificationReport') = 'object'"
    "       then json_build_object('status',"
    "         b.metadata#>'{verificationReport,status}', 'passed',"
    "         b.metadata#>'{verificationReport,passed}') end as badge,"
    "     " SHARED_CAVEATS " as caveats,"
    "     case when share.include_sql"
    "       and json_typeof(b.metadata->'stepResults') = 'array' then"
    "       (select json_agg(json_build_object("
    "           'stepId', r->'stepId', 'description', r->'description',"
    "           'sql', r#>'{sqlResult,sql}', 'data', r#>'{sqlResult,data}',"
    "           'columns', r#>'{sqlResult,columns}',"
    "           'columnTypes', r#>'{sqlResult,columnTypes}',"
    "           'rowCount', r#>'{sqlResult,rowCount}',"
    "           'truncated', r#>'{sqlResult,truncated}'))"
    "         from json_array_elements(b.metadata->'stepResults') r"
    "         where json_typeof(r->'sqlResult') = 'object') end as steps"
    "   from branch b, share where b.status <> 'generating')"
    " select " SHARED_COLUMNS
    " from share left join shown m on true order by m.place desc",
};

static bool is_token(struct str s)
{
    bool good = s.len == TOKEN_LENGTH;
    for (size_t i = 0; i < s.len && good; i++) {
        char c = s.ptr[i];
        good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c >= '0' && c <= '9') || c == '-' || c == '_';
    }
    return good;
}

struct next share_open_begin(struct flow *f)
{
    struct share_open *s = locals(f, struct share_open);
    if (!is_token(s->token))
        return back(f);
    s->query = query_new(f, s->store->system, &open_statement);
    query_str(f, s->query, token_hash_of(flow_here(f), s->token));
    query_begin(f, s->query);
    return await(f, share_opened);
}

/* The index has found the hash; it is compared again in constant time. */
static struct next share_opened(struct flow *f)
{
    struct share_open *s = locals(f, struct share_open);
    struct str hash = token_hash_of(flow_here(f), s->token);
    s->query = rows_keep(f, s->query);
    if (!s->query->n_rows)
        return back(f);
    struct shared_row first = shared_row_at(s->query, 0);
    s->found = first.token_hash.len == HASH_LENGTH &&
               crypto_equal(first.token_hash.ptr, hash.ptr, HASH_LENGTH);
    return back(f);
}

void share_open_write(struct json_writer *w, const struct query *q)
{
    struct shared_row m = shared_row_at(q, 0);
    json_field_str(w, "name", m.chat_name);
    json_field_str(w, "sharedAt", m.shared_at);
    row_put_text(w, "expiresAt", m.expires_at);
    json_field_array(w, "messages");
    for (int i = 0; i < q->n_rows; i++) {
        m = shared_row_at(q, i);
        if (!m.id.len)
            continue;
        if (!m.with_rows && str_is(m.role, "assistant"))
            m.content = text_without_tables(w->out->arena, m.content);
        json_put_object(w);
        ROW_WRITE(SHARED_ROW, w, &m);
        json_put_object_end(w);
    }
    json_put_array_end(w);
}

static const struct statement chart_statement = {
    .name = "shares.chart",
    .again = true,
    .sql = SHARED
    " select " CHART_COLUMNS
    " from branch b join message_charts x on x.message_id = b.id"
    " where b.id = $2::uuid and x.n = $3::int and b.status <> 'generating'",
};

struct next share_chart_begin(struct flow *f)
{
    struct share_chart *s = locals(f, struct share_chart);
    if (!is_token(s->token))
        return back(f);
    s->query = query_new(f, s->store->system, &chart_statement);
    query_str(f, s->query, token_hash_of(flow_here(f), s->token));
    query_str(f, s->query, s->message_id);
    query_int(f, s->query, s->n);
    query_begin(f, s->query);
    return await(f, share_chart_read);
}

static struct next share_chart_read(struct flow *f)
{
    struct share_chart *s = locals(f, struct share_chart);
    return chart_take(f, s->query, &s->media_type, &s->bytes);
}
