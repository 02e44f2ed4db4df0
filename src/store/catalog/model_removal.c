/* model_removal.c - restores an ontology that was hidden (removal.h), and deletes
 * models and ontologies that have been hidden for a minute. */
#include "store/semantic_models.h"
#include "store/audit.h"
#include "store/ontologies.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn ontology_restored;

#define GRACE "interval '1 minute'"

/* A model is deleted by the sweep after that of its last ontology. An ontology
 * that is `creating` for ten minutes has lost the process that made it. */
static const struct statement sweep_statement = {
    .name = "models.sweep",
    .again = true,
    .sql = "with failed as (update ontologies set status = 'failed',"
           "     failure = 'The process that made it ended."
           " Delete it and create it again.',"
           "     updated_at = now()"
           "   where status = 'creating' and deleted_at is null"
           "     and updated_at < now() - interval '10 minutes'),"
           " old_runs as (delete from semantic_model_runs"
           "   where ended_at < now() - interval '90 days'),"
           " models as (delete from semantic_models s"
           "   where deleted_at < now() - " GRACE " and not exists (select"
           "     from ontologies o where o.semantic_model_id = s.id))"
           " delete from ontologies o where deleted_at < now() - " GRACE
           "   and not exists (select from runs r join data_chats c"
           "     on c.id = r.chat_id where c.ontology_id = o.id"
           "     and r.ended_at is null)",
};

struct next removed_sweep_begin(struct flow *f)
{
    struct removed_sweep *s = locals(f, struct removed_sweep);
    s->query = query_new(f, s->store->system, &sweep_statement);
    query_begin(f, s->query);
    return await(f, row_none);
}

static const struct statement restore_statement = {
    .name = "ontologies.restore",
    .sql = "with old as materialized (select o.id, o.name, o.deleted_at"
           "   from ontologies o join semantic_models s"
           "     on s.id = o.semantic_model_id and s.deleted_at is null"
           "   where o.id = $2::uuid and (o.owner_id = $1::uuid or $4::boolean)"
           "     and o.deleted_at > now() - " GRACE "   for update of o),"
           " restored as (update ontologies o set deleted_at = null,"
           "     updated_at = now() from old where o.id = old.id"
           "   returning o.id),"
           " chats as (update data_chats c set deleted_at = null from old"
           "   where c.ontology_id = old.id"
           "     and c.deleted_at = old.deleted_at),"
           " noted as (" SQL_AUDIT " select $1::uuid, 'ontology.restored',"
           "   'ontology', id::text, jsonb_build_object('name', name), $3"
           "   from old)"
           " select id from restored",
};

struct next ontology_restore_begin(struct flow *f)
{
    struct ontology_restore *r = locals(f, struct ontology_restore);
    struct query *q = r->query =
        query_new(f, r->store->system, &restore_statement);
    query_str(f, q, r->user_id);
    query_str(f, q, r->ontology_id);
    query_str(f, q, r->request_id);
    query_bool(q, r->all);
    query_begin(f, q);
    return await(f, ontology_restored);
}

static struct next ontology_restored(struct flow *f)
{
    struct ontology_restore *r = locals(f, struct ontology_restore);
    r->found = r->query->n_rows > 0;
    return back(f);
}
