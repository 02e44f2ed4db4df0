#include "store/live_runs.h"
#include "rows.h"
#include "base/banned.h"

/* The total is counted beside the page, so that an empty page has it too. */
static const struct statement page_statement = {
    .name = "runs.live", .again = true,
    .sql =
        "with live as (select * from runs where ended_at is null),"
        " page as (select * from live order by started_at, message_id"
        "   limit $1::int offset $2::bigint)"
        " select (select count(*) from live), r.message_id, r.chat_id,"
        "   r.user_id, u.email, r.owner, r.phase, " SQL_TIME("r.started_at") ","
        "   " SQL_TIME("r.lease_until") ", r.attempt, r.revision,"
        "   (extract(epoch from now() - r.started_at) * 1000)::bigint,"
        "   coalesce(r.lease_until < now(), true), r.cancel_requested"
        " from (select 1) one left join page r on true"
        " left join users u on u.id = r.user_id"
        " order by r.started_at, r.message_id",
};

static struct next page_read(struct flow *f);

struct next live_run_page_begin(struct flow *f)
{
    struct live_run_page *p = locals(f, struct live_run_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_int(f, q, p->page_size);
    query_int(f, q, (int64_t)(p->page - 1) * p->page_size);
    query_begin(f, q);
    return await(f, page_read);
}

static struct next page_read(struct flow *f)
{
    struct live_run_page *p = locals(f, struct live_run_page);
    p->query = rows_keep(f, p->query);
    p->total = query_cell_int(p->query, 0, 0);
    if (query_is_null(p->query, 0, 1))
        p->query->n_rows = 0;
    return back(f);
}

struct str live_run_id(const struct query *q, int row)
{
    return query_cell(q, row, 1);
}

void live_run_write(struct json_writer *w, const struct query *q, int row)
{
    static const char *const texts[] = {"messageId", "chatId", "userId",
                                        "userEmail", "owner", "phase",
                                        "startedAt", "leaseUntil"};
    static const char *const numbers[] = {"attempt", "revision", "ageMs"};
    for (int i = 0; i < 8; i++)
        row_field_str(w, texts[i], q, row, i + 1);
    for (int i = 0; i < 3; i++)
        row_field_raw(w, numbers[i], q, row, i + 9);
    json_field_bool(w, "orphaned", query_cell_bool(q, row, 12));
    json_field_bool(w, "cancelRequested", query_cell_bool(q, row, 13));
}

/* ---- whose it is ---------------------------------------------------------- */

static const struct statement owner_statement = {
    .name = "runs.owner", .again = true,
    .sql = "select user_id from runs where message_id = $1::uuid",
};

static struct next owner_known(struct flow *f);

struct next run_owner_begin(struct flow *f)
{
    struct run_owner *o = locals(f, struct run_owner);
    o->query = query_new(f, o->store->system, &owner_statement);
    query_str(f, o->query, o->message_id);
    query_begin(f, o->query);
    return await(f, owner_known);
}

static struct next owner_known(struct flow *f)
{
    struct run_owner *o = locals(f, struct run_owner);
    o->found = o->query->n_rows > 0;
    if (o->found)
        o->user_id = arena_str(flow_keep(f), query_cell(o->query, 0, 0));
    return back(f);
}
