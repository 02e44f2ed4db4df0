/* file_removal.c - restores a hidden file set (removal.h) within a minute, and
 * deletes it after that; deletes uploads whose process has ended. */
#include "store/file_sets.h"
#include "store/audit.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn file_set_restored, file_sets_swept;

#define GRACE "interval '1 minute'"
#define LOST "interval '10 minutes'"

/* CTEs that delete the sets in `gone`, with the models over them; ontologies
 * and chats go with their models, connections and files with their sets. */
#define DELETE_GONE \
    " models as (delete from semantic_models where connection_id in (select" \
    "   c.id from connections c where c.file_set_id in (select id from gone)))," \
    " sets as (delete from file_sets where id in (select id from gone))"

/* ---- restore ------------------------------------------------------------ */

/* What was hidden with it has the same time. */
static const struct statement restore_statement = {
    .name = "file_sets.restore",
    .sql =
        "with old as materialized (select id, name, deleted_at from file_sets"
        "   where id = $2::uuid and (owner_id = $1::uuid or $4::boolean)"
        "     and deleted_at > now() - " GRACE " for update),"
        " restored as (update file_sets s set deleted_at = null,"
        "     updated_at = now() from old where s.id = old.id returning s.id),"
        " models as (update semantic_models m set deleted_at = null"
        "   from connections c, old where c.file_set_id = old.id"
        "     and m.connection_id = c.id and m.deleted_at = old.deleted_at"
        "   returning m.id),"
        " ontologies as (update ontologies o set deleted_at = null,"
        "     updated_at = now() from old where o.deleted_at = old.deleted_at"
        "     and o.semantic_model_id in (select id from models)"
        "   returning o.id),"
        " chats as (update data_chats c set deleted_at = null from old"
        "   where c.deleted_at = old.deleted_at"
        "     and c.ontology_id in (select id from ontologies)),"
        " noted as (" SQL_AUDIT " select $1::uuid, 'file_set.restored',"
        "   'file_set', id::text, jsonb_build_object('name', name), $3"
        "   from old)"
        " select id from restored",
};

struct next file_set_restore_begin(struct flow *f)
{
    struct file_set_restore *r = locals(f, struct file_set_restore);
    struct query *q = r->query =
        query_new(f, r->store->system, &restore_statement);
    query_str(f, q, r->user_id);
    query_str(f, q, r->set_id);
    query_str(f, q, r->request_id);
    query_bool(q, r->all);
    query_begin(f, q);
    return await(f, file_set_restored);
}

static struct next file_set_restored(struct flow *f)
{
    struct file_set_restore *r = locals(f, struct file_set_restore);
    r->found = r->query->n_rows > 0;
    return back(f);
}

/* ---- delete ------------------------------------------------------------- */

/* The chunks of a large set are for the sweep. */
static const struct statement drop_statement = {
    .name = "file_sets.drop",
    .again = true,
    .sql =
        "with gone as (select id from file_sets s where id = $1::uuid"
        "     and (select coalesce(sum(bytes), 0) from files f"
        "       where f.file_set_id = s.id) <= 64 * 1024 * 1024),"
        " hidden as (update file_sets set deleted_at = now() - " GRACE
        "   where id = $1::uuid and id not in (select id from gone))," DELETE_GONE
        " select",
};

struct next file_set_drop_begin(struct flow *f)
{
    struct file_set_drop *d = locals(f, struct file_set_drop);
    d->query = query_new(f, d->store->system, &drop_statement);
    query_str(f, d->query, d->set_id);
    query_begin(f, d->query);
    return await(f, row_none);
}

/* A set whose run has not ended waits: the run still reads it. First go the
 * chunks, not too many at a time, and then the sets that had none left. */
static const struct statement sweep_statement = {
    .name = "file_sets.sweep",
    .again = true,
    .sql =
        "with failed as (update file_sets set status = 'failed',"
        "     failure = 'The process that prepared it ended."
        " Delete it and upload it again.', updated_at = now()"
        "   where status = 'preparing' and deleted_at is null"
        "     and updated_at < now() - " LOST "),"
        " old as materialized (select id from file_sets s"
        "   where (deleted_at < now() - " GRACE
        "       or status = 'uploading' and updated_at < now() - " LOST ")"
        "     and not exists (select from connections k"
        "       join semantic_models m on m.connection_id = k.id"
        "       join ontologies o on o.semantic_model_id = m.id"
        "       join data_chats c on c.ontology_id = o.id"
        "       join runs r on r.chat_id = c.id"
        "       where k.file_set_id = s.id and r.ended_at is null)"
        "   order by s.updated_at limit 20 for update skip locked),"
        " chunks as (delete from file_chunks where (file_id, n) in (select"
        "     k.file_id, k.n from old join files f on f.file_set_id = old.id"
        "     join file_chunks k on k.file_id = f.id limit 256) returning n),"
        " gone as (select id from old where not exists (select from files f"
        "   join file_chunks k on k.file_id = f.id"
        "   where f.file_set_id = old.id))," DELETE_GONE
        " select exists (select from chunks)",
};

struct next file_set_sweep_begin(struct flow *f)
{
    struct file_set_sweep *s = locals(f, struct file_set_sweep);
    s->query = query_new(f, s->store->system, &sweep_statement);
    query_begin(f, s->query);
    return await(f, file_sets_swept);
}

static struct next file_sets_swept(struct flow *f)
{
    struct file_set_sweep *s = locals(f, struct file_set_sweep);
    s->more = s->query->n_rows && ROW_VALUE(boolean, row_slices(s->query, 0));
    return back(f);
}
