/* chat_removal.c - restores a hidden chat (removal.h) within a minute, and
 * deletes it after that. */
#include "rows.h"
#include "store/audit.h"
#include "store/chats.h"
#include "base/banned.h"

static step_fn chat_restored;

#define GRACE "interval '1 minute'"

/* ---- restore --------------------------------------------------------- */

static const struct statement restore_statement = {
    .name = "chats.restore",
    .sql = "with restored as (update data_chats set deleted_at = null"
           "   where id = $2::uuid and owner_id = $1::uuid"
           "     and deleted_at > now() - " GRACE " and exists (select"
           "       from ontologies o where o.id = ontology_id"
           "       and o.deleted_at is null) returning id),"
           " noted as (" SQL_AUDIT " select $1::uuid, 'chat.restored', 'chat',"
           "   id::text, '{}', $3 from restored)"
           " select id from restored",
};

struct next chat_restore_begin(struct flow *f)
{
    struct chat_restore *r = locals(f, struct chat_restore);
    struct query *q = r->query =
        query_new(f, r->store->system, &restore_statement);
    query_str(f, q, r->user_id);
    query_str(f, q, r->chat_id);
    query_str(f, q, r->request_id);
    query_begin(f, q);
    return await(f, chat_restored);
}

static struct next chat_restored(struct flow *f)
{
    struct chat_restore *r = locals(f, struct chat_restore);
    r->found = r->query->n_rows > 0;
    return back(f);
}

/* ---- remove ------------------------------------------------------------- */

/* A chat whose run has not ended waits: the run still writes to it. */
static const struct statement sweep_statement = {
    .name = "chats.sweep",
    .urgent = true,
    .again = true,
    .sql = "delete from data_chats where id in (select id from data_chats c"
           "   where deleted_at < now() - " GRACE
           "     and not exists (select from runs r where r.chat_id = c.id"
           "       and r.ended_at is null)"
           "   order by deleted_at limit 20 for update skip locked)",
};

struct next chat_sweep_begin(struct flow *f)
{
    struct chat_sweep *s = locals(f, struct chat_sweep);
    s->query = query_new(f, s->store->system, &sweep_statement);
    query_begin(f, s->query);
    return await(f, row_none);
}
