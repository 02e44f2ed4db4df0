/* explorer_calls.c - tool calls that wait for a browser; see
 * store/explorer_calls.h. Answers are sealed with the server's key: neither the
 * table nor what PostgreSQL logs of a statement shows anything of them. */
#include "store/explorer_calls.h"
#include "base/crypto.h"
#include "rows.h"
#include "store/audit.h"
#include "base/banned.h"

static step_fn admission_known, call_claimed, call_taken;

/* ---- before an exploration ---------------------------------------------- */

#define ADMISSION_ROW(FIRST, X) \
    FIRST(boolean, spent, "spent") \
    X(boolean, costly, "costly") \
    X(int64, cost_today, "cost")
#define ADMISSION_COLUMNS ROW_SQL(ADMISSION_ROW)

static const struct statement admission_statement = {
    .name = "explorer.admit",
    .sql =
        "with today as (select $4::bigint > 0 and $4::bigint <= t.tokens"
        "     as spent, $5::bigint > 0 and $5::bigint <= t.cost as costly, t.cost"
        "   from used_today($1::uuid) t),"
        " noted as (" SQL_AUDIT
        "   select $1::uuid, 'explorer.started', 'exploration', $2, '{}', $3"
        "   from today where not spent and not costly)"
        " select " ADMISSION_COLUMNS " from today",
};

struct next explorer_admission_begin(struct flow *f)
{
    struct explorer_admission *a = locals(f, struct explorer_admission);
    struct query *q = a->query =
        query_new(f, a->store->system, &admission_statement);
    query_str(f, q, a->user_id);
    query_str(f, q, a->run_id);
    query_str(f, q, a->request_id);
    query_int(f, q, a->tokens_per_day);
    query_int(f, q, a->cost_per_day);
    query_begin(f, q);
    return await(f, admission_known);
}

static struct next admission_known(struct flow *f)
{
    struct explorer_admission *a = locals(f, struct explorer_admission);
    ROW_READ(ADMISSION_ROW, a, row_slices(a->query, 0));
    return back(f);
}

/* ---- a call ------------------------------------------------------------- */

/* Removes what processes that ended left behind, a little at a time. */
static const struct statement open_statement = {
    .name = "explorer.open",
    .sql = "with old as (delete from explorer_calls where id in ("
           "     select id from explorer_calls where expires_at < now()"
           "     order by expires_at limit 100 for update skip locked))"
           " insert into explorer_calls (id, user_id, expires_at)"
           " values ($1::uuid, $2::uuid,"
           "   clock_timestamp() + $3::bigint * interval '1 millisecond')",
};

struct next explorer_call_open_begin(struct flow *f)
{
    struct explorer_call_open *c = locals(f, struct explorer_call_open);
    struct query *q = query_new(f, c->store->system, &open_statement);
    query_str(f, q, c->id);
    query_str(f, q, c->user_id);
    query_int(f, q, c->wait_ms);
    query_begin(f, q);
    return await(f, row_none);
}

#define WAITING " and answer is null and expires_at > clock_timestamp()"

static const struct statement claim_statement = {
    .name = "explorer.claim",
    .sql = "delete from explorer_calls where id = $1::uuid"
           " and user_id = $2::uuid" WAITING " returning id",
};

static const struct statement answer_statement = {
    .name = "explorer.answer",
    .sql = "update explorer_calls set answer = $1 where id = $2::uuid"
           " and user_id = $3::uuid" WAITING " returning id",
};

struct next explorer_call_answer_begin(struct flow *f)
{
    struct explorer_call_answer *a = locals(f, struct explorer_call_answer);
    struct store *s = a->store;
    struct query *q = a->query = query_new(
        f, s->system, a->body.len ? &answer_statement : &claim_statement);
    if (a->body.len)
        query_bytes(q, seal(flow_here(f), s->key, a->body));
    query_str(f, q, a->id);
    query_str(f, q, a->user_id);
    query_begin(f, q);
    return await(f, call_claimed);
}

static struct next call_claimed(struct flow *f)
{
    struct explorer_call_answer *a = locals(f, struct explorer_call_answer);
    a->accepted = a->query->n_rows > 0;
    return back(f);
}

/* ---- taking an answer --------------------------------------------------- */

static const struct statement take_statement = {
    .name = "explorer.take",
    .sql = "delete from explorer_calls where id = $1::uuid"
           " and ($2::boolean or answer is not null)"
           " returning encode(answer, 'hex')",
};

struct next explorer_call_take_begin(struct flow *f)
{
    struct explorer_call_take *t = locals(f, struct explorer_call_take);
    struct query *q = t->query =
        query_new(f, t->store->system, &take_statement);
    query_str(f, q, t->id);
    query_bool(q, t->ends);
    query_begin(f, q);
    return await(f, call_taken);
}

/* An answer that cannot be opened was not sealed by this server. */
static struct next call_taken(struct flow *f)
{
    struct explorer_call_take *t = locals(f, struct explorer_call_take);
    struct str sealed;
    if (t->query->n_rows &&
        hex_decode(flow_here(f), ROW_VALUE(hex, row_slices(t->query, 0)),
                   &sealed) &&
        sealed.len && !seal_open(t->memory, t->store->key, sealed, &t->body))
        t->body = STR("");
    return back(f);
}
