/* run_ends.c - ends runs from outside: cancelled by a user, cut when the owner
 * does not react, expired when no client ever started them. */
#include "store/runs.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn cancel_answered, cut_answered;

/* ---- cancel ------------------------------------------------------------- */

#define CANCEL_ROW(FIRST, X) \
    FIRST(boolean, found, "known") \
    X(boolean, running, "running") \
    X(boolean, cancelled, "cancelled") \
    X(text, status, "status")
#define CANCEL_COLUMNS ROW_SQL(CANCEL_ROW)

static const struct statement cancel_statement = {
    .name = "runs.cancel",
    .urgent = true,
    .again = true,
    .sql = "select " CANCEL_COLUMNS
           " from cancel_answer($1::uuid, nullif($2, '')::uuid)",
};

static const struct statement cut_statement = {
    .name = "runs.cut",
    .urgent = true,
    .sql = "select end_cancelled_run($1::uuid)",
};

struct next run_cancel_begin(struct flow *f)
{
    struct run_cancel *c = locals(f, struct run_cancel);
    c->query = query_new(f, c->store->system, &cancel_statement);
    query_str(f, c->query, c->message_id);
    query_str(f, c->query, c->user_id);
    query_begin(f, c->query);
    return await(f, cancel_answered);
}

static struct next cancel_answered(struct flow *f)
{
    struct run_cancel *c = locals(f, struct run_cancel);
    ROW_READ(CANCEL_ROW, c, row_copies(c->query, 0, flow_keep(f)));
    return back(f);
}

struct next run_forced_end_begin(struct flow *f)
{
    struct run_forced_end *c = locals(f, struct run_forced_end);
    c->query = query_new(f, c->store->system, &cut_statement);
    query_str(f, c->query, c->message_id);
    query_begin(f, c->query);
    return await(f, cut_answered);
}

static struct next cut_answered(struct flow *f)
{
    struct run_forced_end *c = locals(f, struct run_forced_end);
    c->ended = ROW_VALUE(boolean, row_slices(c->query, 0));
    return back(f);
}

/* ---- expiry ------------------------------------------------------------- */

static const struct statement expire_statement = {
    .name = "runs.expire",
    .urgent = true,
    .sql =
        "with old as (select m.id, m.chat_id, c.owner_id"
        "   from data_chat_messages m join data_chats c on c.id = m.chat_id"
        "   where m.status = 'generating' and m.role = 'assistant'"
        "     and m.created_at < now() - $1::int * interval '1 millisecond'"
        "     and not exists (select from runs r where r.message_id = m.id)"
        "   limit 1000),"
        " never as (insert into runs (message_id, chat_id, user_id, phase,"
        "     ended_at) select id, chat_id, owner_id, 'done', now() from old"
        "   on conflict do nothing returning message_id)"
        " update data_chat_messages set status = 'failed', metadata = $2::json"
        " where id in (select message_id from never)",
};

struct next run_expiry_begin(struct flow *f)
{
    struct run_expiry *x = locals(f, struct run_expiry);
    x->query = query_new(f, x->store->system, &expire_statement);
    query_int(f, x->query, x->after_ms);
    query_text(x->query, arena_printf(flow_here(f),
                                      "{\"error\":{\"message\":\"%s\",\"code\":"
                                      "\"NOT_STARTED\"}}",
                                      err_sentence(ERR_NOT_STARTED))
                             .ptr);
    query_begin(f, x->query);
    return await(f, row_none);
}
