/* usage.c - sums of what users and chats have used. */
#include "store/usage.h"
#include "rows.h"
#include "base/banned.h"

static step_fn usage_known;

/* A cost of nothing is unknown: the models had no price. */
#define SUMS \
    "count(*) as answers, coalesce(sum(t.tokens), 0) as tokens," \
    " nullif(sum(t.cost), 0) / 1e9 as cost"

#define CHAT_ROW(FIRST, X) \
    FIRST(text, json, \
          "(select row_to_json(s) from (select " SUMS " from token_usage t" \
          "   where t.chat_id = c.id) s)")
static const struct statement chat_statement = {
    .name = "usage.chat",
    .sql = "select " ROW_SQL(
        CHAT_ROW) " from data_chats c where c.id = $2::uuid"
                  " and c.owner_id = $1::uuid and c.deleted_at is null",
};

/* $1 empty: all users. */
#define SINCE \
    " from token_usage t where ($1 = '' or t.user_id = nullif($1, '')::uuid)" \
    " and t.at >= (date_trunc('day', now() at time zone 'UTC')" \
    "   - $2::int * interval '1 day') at time zone 'UTC'"
#define DAYS_ROW(FIRST, X) \
    FIRST( \
        text, json, \
        "json_strip_nulls(json_build_object('days'," \
        "  (select coalesce(json_agg(d), '[]') from (select" \
        "     to_char(t.at at time zone 'UTC', 'YYYY-MM-DD') as day, " SUMS SINCE \
        " group by 1 order by 1 desc) d)," \
        "  'users', case when $1 = '' then (select coalesce(json_agg(p)," \
        "     '[]') from (select u.id as \"userId\", u.email, s.answers," \
        "     s.tokens, s.cost from (select t.user_id, " SUMS SINCE \
        "     group by 1 order by 4 desc nulls last, 3 desc limit 100) s" \
        "     join users u on u.id = s.user_id) p) end))")
static const struct statement days_statement = {
    .name = "usage.days",
    .sql = "select " ROW_SQL(DAYS_ROW),
};

struct next usage_read_begin(struct flow *f)
{
    struct usage_read *u = locals(f, struct usage_read);
    bool chat = u->chat_id.len > 0;
    u->query = query_new(f, u->store->system,
                         chat ? &chat_statement : &days_statement);
    query_str(f, u->query, u->everyone ? STR("") : u->user_id);
    if (chat)
        query_str(f, u->query, u->chat_id);
    else
        query_int(f, u->query, u->days);
    query_begin(f, u->query);
    return await(f, usage_known);
}

static struct next usage_known(struct flow *f)
{
    struct usage_read *u = locals(f, struct usage_read);
    u->json = STR("");
    if (u->query->n_rows)
        u->json = ROW_VALUE(text, row_copies(u->query, 0, flow_keep(f)));
    return back(f);
}
