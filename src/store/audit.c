#include "store/audit.h"
#include "rows.h"
#include "base/banned.h"

static const struct statement write_statement = {
    .name = "audit.write",
    .sql = SQL_AUDIT " values (nullif($1, '')::uuid, $2, $3, $4,"
                     " coalesce(nullif($5, ''), '{}')::jsonb, $6)",
};

static struct next written(struct flow *f);

struct next audit_write_begin(struct flow *f)
{
    struct audit_write *a = locals(f, struct audit_write);
    struct query *q = a->query =
        query_new(f, a->store->system, &write_statement);
    query_str(f, q, a->actor_id);
    query_text(q, a->action);
    query_text(q, a->target_type ? a->target_type : "");
    query_str(f, q, a->target);
    query_str(f, q, a->details);
    query_str(f, q, a->request_id);
    query_begin(f, q);
    return await(f, written);
}

static struct next written(struct flow *f)
{
    return back(f);
}

/* ---- reading ------------------------------------------------------------ */

/* The total is counted beside the page, so that an empty page has it too. */
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
        " select (select count(*) from fitting), p.id, " SQL_TIME(
            "p.at") ","
                    "   p.action, p.actor_id, u.email, p.target_type, p.target,"
                    "   p.details::text, p.request_id"
                    " from (select 1) one left join page p on true"
                    " left join users u on u.id = p.actor_id"
                    " order by p.at desc, p.id desc",
};

static struct next page_read(struct flow *f);

struct next audit_page_begin(struct flow *f)
{
    struct audit_page *a = locals(f, struct audit_page);
    struct query *q = a->query =
        query_new(f, a->store->system, &page_statement);
    query_str(f, q, a->action);
    query_str(f, q, a->actor);
    query_str(f, q, a->from);
    query_str(f, q, a->to);
    query_int(f, q, a->page_size);
    query_int(f, q, (int64_t)(a->page - 1) * a->page_size);
    query_begin(f, q);
    return await(f, page_read);
}

static struct next page_read(struct flow *f)
{
    struct audit_page *a = locals(f, struct audit_page);
    a->query = rows_keep(f, a->query);
    a->total = query_cell_int(a->query, 0, 0);
    if (query_is_null(a->query, 0, 1))
        a->query->n_rows = 0;
    return back(f);
}

static void id_and(struct json_writer *w, const char *key, const char *second,
                   struct str id, struct str value)
{
    json_put_key(w, key);
    if (!id.len && !value.len) {
        json_put_null(w);
        return;
    }
    json_put_object(w);
    json_field_str(w, "id", id);
    if (value.len)
        json_field_str(w, second, value);
    else
        json_field_null(w, second);
    json_put_object_end(w);
}

void audit_event_write(struct json_writer *w, const struct query *q, int row)
{
    json_field_int(w, "id", query_cell_int(q, row, 1));
    json_field_str(w, "at", query_cell(q, row, 2));
    json_field_str(w, "action", query_cell(q, row, 3));
    id_and(w, "actor", "email", query_cell(q, row, 4), query_cell(q, row, 5));
    id_and(w, "target", "type", query_cell(q, row, 7), query_cell(q, row, 6));
    json_field_raw(w, "details", query_cell(q, row, 8));
    json_field_str(w, "requestId", query_cell(q, row, 9));
}
