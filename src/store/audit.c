/* audit.c - audit events: written on their own, and listed for admins. */
#include "store/audit.h"
#include "rows.h"
#include "base/banned.h"

static step_fn audit_page_read;

static const struct statement write_statement = {
    .name = "audit.write",
    .sql = SQL_AUDIT " values (nullif($1, '')::uuid, $2, $3, $4,"
                     " coalesce(nullif($5, ''), '{}')::jsonb, $6)",
};

struct next audit_write_begin(struct flow *f)
{
    struct audit_write *a = locals(f, struct audit_write);
    struct query *q = query_new(f, a->store->system, &write_statement);
    query_str(f, q, a->actor_id);
    query_text(q, a->action);
    query_text(q, a->target_type ? a->target_type : "");
    query_str(f, q, a->target);
    query_str(f, q, a->details);
    query_str(f, q, a->request_id);
    query_begin(f, q);
    return await(f, row_none);
}

/* ---- the list ----------------------------------------------------------- */

#define AUDIT_ROW(FIRST, X) \
    FIRST(int64, total, "(select count(*) from fitting)") \
    X(int64, id, "p.id") \
    X(time, at, "rfc3339(p.at)") \
    X(text, action, "p.action") \
    X(uuid, actor_id, "p.actor_id") \
    X(text, actor_email, "u.email") \
    X(text, target_type, "p.target_type") \
    X(text, target, "p.target") \
    X(json, details, "p.details::text") \
    X(text, request_id, "p.request_id")
#define AUDIT_COLUMNS ROW_SQL(AUDIT_ROW)
ROW_STRUCT(audit_row, AUDIT_ROW);

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "audit.page",
    .again = true,
    .sql =
        "with fitting as (select a.* from audit_events a"
        "   where ($1 = '' or a.action = $1 or (right($1, 1) = '.'"
        "          and left(a.action, length($1)) = $1))"
        "     and ($2 = '' or a.actor_id in (select u.id from users u"
        "          where u.id::text = lower($2) or lower(u.email) = lower($2))"
        "          or a.actor_id::text = lower($2))"
        "     and ($3 = '' or a.at >= nullif($3, '')::timestamptz)"
        "     and ($4 = '' or a.at < nullif($4, '')::timestamptz)),"
        " page as (select * from fitting order by at desc, id desc"
        "   limit $5::int offset $6::bigint)"
        " select " AUDIT_COLUMNS " from (select 1) one left join page p on true"
        " left join users u on u.id = p.actor_id"
        " order by p.at desc, p.id desc",
};

struct next audit_page_begin(struct flow *f)
{
    struct audit_page *a = locals(f, struct audit_page);
    struct query *q = a->query =
        query_new(f, a->store->system, &page_statement);
    query_str(f, q, a->action);
    query_str(f, q, a->actor);
    query_str(f, q, a->from);
    query_str(f, q, a->to);
    query_page(f, q, a->page, a->page_size);
    query_begin(f, q);
    return await(f, audit_page_read);
}

static struct next audit_page_read(struct flow *f)
{
    struct audit_page *a = locals(f, struct audit_page);
    struct audit_row first = audit_row_at(a->query, 0);
    a->query = rows_keep_page(f, a->query, first.action);
    a->total = first.total;
    return back(f);
}

/* {"id": id, second: value}, or null when there is neither. */
static void audit_put_party(struct json_writer *w, const char *key,
                            struct str id, const char *second, struct str value)
{
    json_put_key(w, key);
    if (!id.len && !value.len) {
        json_put_null(w);
        return;
    }
    json_put_object(w);
    json_field_str(w, "id", id);
    if (!value.len)
        value.ptr = NULL;
    row_put_text(w, second, value);
    json_put_object_end(w);
}

void audit_event_write(struct json_writer *w, const struct query *q, int row)
{
    struct audit_row e = audit_row_at(q, row);
    json_field_int(w, "id", e.id);
    json_field_str(w, "at", e.at);
    json_field_str(w, "action", e.action);
    audit_put_party(w, "actor", e.actor_id, "email", e.actor_email);
    audit_put_party(w, "target", e.target, "type", e.target_type);
    json_field_raw(w, "details", e.details);
    json_field_str(w, "requestId", e.request_id);
}
