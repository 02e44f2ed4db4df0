/* explorer_runs.c - explorations in browsers, as other processes see them; see
 * store/explorer_runs.h. */
#include "store/explorer_runs.h"
#include "base/crypto.h"
#include "rows.h"
#include "base/banned.h"

static step_fn run_listed, run_found, part_known;

/* ---- that one is under way ---------------------------------------------- */

/* Removes what was left behind, a little at a time. */
static const struct statement list_statement = {
    .name = "explorer.list",
    .sql = "with old as (delete from explorer_runs where run_id in ("
           "     select run_id from explorer_runs where expires_at < now()"
           "     limit 100 for update skip locked)),"
           " parts as (delete from explorer_parts where (run_id, number) in ("
           "     select run_id, number from explorer_parts"
           "     where expires_at < now() limit 100 for update skip locked)),"
           " listed as (insert into explorer_runs (run_id, user_id, chat_id,"
           "     expires_at) values ($1::uuid, $2::uuid, $3,"
           "     clock_timestamp() + $4::bigint * interval '1 millisecond'))"
           " delete from explorer_runs where user_id = $2::uuid"
           "   and chat_id = $3 and expires_at > now() returning run_id",
};

struct next explorer_list_begin(struct flow *f)
{
    struct explorer_listing *l = locals(f, struct explorer_listing);
    struct query *q = l->query =
        query_new(f, l->store->system, &list_statement);
    query_str(f, q, l->run_id);
    query_str(f, q, l->user_id);
    query_str(f, q, l->chat_id);
    query_int(f, q, l->for_ms);
    query_begin(f, q);
    return await(f, run_listed);
}

static struct next run_listed(struct flow *f)
{
    struct explorer_listing *l = locals(f, struct explorer_listing);
    l->query = rows_keep(f, l->query);
    return back(f);
}

struct str explorer_earlier(const struct explorer_listing *l, int row)
{
    return ROW_VALUE(uuid, row_slices(l->query, row));
}

static const struct statement search_statement = {
    .name = "explorer.search",
    .sql = "select run_id from explorer_runs where user_id = $1::uuid"
           " and (chat_id = $2 or run_id::text = $2)"
           " and expires_at > clock_timestamp()"
           " order by expires_at desc limit 1",
};

struct next explorer_search_begin(struct flow *f)
{
    struct explorer_search *s = locals(f, struct explorer_search);
    struct query *q = s->query =
        query_new(f, s->store->system, &search_statement);
    query_str(f, q, s->user_id);
    query_str(f, q, s->id);
    query_begin(f, q);
    return await(f, run_found);
}

static struct next run_found(struct flow *f)
{
    struct explorer_search *s = locals(f, struct explorer_search);
    s->run_id = STR("");
    if (s->query->n_rows)
        s->run_id = ROW_VALUE(uuid, row_copies(s->query, 0, flow_keep(f)));
    return back(f);
}

static const struct statement unlist_statement = {
    .name = "explorer.unlist",
    .sql = "delete from explorer_runs where run_id = $1::uuid",
};

struct next explorer_unlist_begin(struct flow *f)
{
    struct explorer_unlisting *u = locals(f, struct explorer_unlisting);
    struct query *q = query_new(f, u->store->system, &unlist_statement);
    query_str(f, q, u->run_id);
    query_begin(f, q);
    return await(f, row_none);
}

/* ---- parts of the stream ------------------------------------------------ */

#define PART_LIVES "interval '10 minutes'"

static const struct statement put_statement = {
    .name = "explorer.put",
    .sql = "with old as (delete from explorer_parts where run_id = $2::uuid"
           "     and $3::int = 0 and number > 0)"
           " insert into explorer_parts (run_id, number, frames, is_last,"
           "   expires_at) values ($2::uuid, $3::int, $1, $4::boolean,"
           "   clock_timestamp() + " PART_LIVES ")"
           " on conflict (run_id, number) do update"
           "   set frames = excluded.frames, is_last = excluded.is_last",
};

struct next explorer_part_put_begin(struct flow *f)
{
    struct explorer_part *p = locals(f, struct explorer_part);
    struct query *q = query_new(f, p->store->system, &put_statement);
    query_bytes(q, seal(flow_here(f), p->store->key, p->frames));
    query_str(f, q, p->run_id);
    query_int(f, q, p->number);
    query_bool(q, p->is_last);
    query_begin(f, q);
    return await(f, row_none);
}

static const struct statement remove_statement = {
    .name = "explorer.remove",
    .sql = "delete from explorer_parts where run_id = $1::uuid",
};

struct next explorer_parts_remove_begin(struct flow *f)
{
    struct explorer_parts_removal *r = locals(f, struct explorer_parts_removal);
    struct query *q = query_new(f, r->store->system, &remove_statement);
    query_str(f, q, r->run_id);
    query_begin(f, q);
    return await(f, row_none);
}

#define PART_ROW(FIRST, X) \
    FIRST(boolean, is_last, "is_last") \
    X(hex, sealed, "encode(frames, 'hex')")
#define PART_COLUMNS ROW_SQL(PART_ROW)
ROW_STRUCT(part_row, PART_ROW);

static const struct statement read_statement = {
    .name = "explorer.read",
    .sql = "select " PART_COLUMNS " from explorer_parts"
           " where run_id = $1::uuid and number = $2::int",
};

struct next explorer_part_read_begin(struct flow *f)
{
    struct explorer_part_read *p = locals(f, struct explorer_part_read);
    struct query *q = p->query =
        query_new(f, p->store->system, &read_statement);
    query_str(f, q, p->run_id);
    query_int(f, q, p->number);
    query_begin(f, q);
    return await(f, part_known);
}

/* A part that cannot be opened was not sealed by this server. */
static struct next part_known(struct flow *f)
{
    struct explorer_part_read *p = locals(f, struct explorer_part_read);
    struct str sealed;
    p->found = false;
    if (!p->query->n_rows)
        return back(f);
    const struct part_row row = part_row_at(p->query, 0);
    p->is_last = row.is_last;
    p->found = hex_decode(flow_here(f), row.sealed, &sealed) &&
               seal_open(p->memory, p->store->key, sealed, &p->frames);
    return back(f);
}
