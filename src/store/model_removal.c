/* model_removal.c - the end of models and ontologies: hidden at once with their
 * chats, gone after a minute. */
#include "store/audit.h"
#include "store/semantic_models.h"
#include "base/banned.h"

#define GRACE "interval '1 minute'"

/* ---- hide --------------------------------------------------------------- */

/* After `gone`, the ontologies that go: their chats and runs. */
#define WITH_CHATS                                                             \
    " chats as (update data_chats set deleted_at = now()"                      \
    "   where ontology_id in (select id from gone) and deleted_at is null),"   \
    " stopped as (update runs set cancel_requested = true"                     \
    "   where ended_at is null and chat_id in (select id from data_chats"      \
    "     where ontology_id in (select id from gone)) returning message_id)"

static const struct statement ontology_statement = {
    .name = "ontologies.remove",
    .sql = "with gone as (update ontologies set deleted_at = now(),"
           "     updated_at = now() where id = $2::uuid and deleted_at is null"
           "   returning id, name),"
           WITH_CHATS ","
           " noted as (" SQL_AUDIT " select $1::uuid, 'ontology.deleted',"
           "   'ontology', id::text, jsonb_build_object('name', name), $3"
           "   from gone)"
           " select (select id from gone), message_id"
           "   from (select 1) one left join stopped on true",
};

/* Its name is free at once. */
static const struct statement model_statement = {
    .name = "semantic_models.remove",
    .sql = "with old as materialized (select id, name from semantic_models"
           "   where id = $2::uuid and deleted_at is null for update),"
           " model as (update semantic_models s set deleted_at = now(),"
           "     name = s.id::text from old where s.id = old.id"
           "   returning s.id),"
           " gone as (update ontologies set deleted_at = now(),"
           "     updated_at = now() where deleted_at is null"
           "     and semantic_model_id in (select id from model)"
           "   returning id),"
           WITH_CHATS ","
           " noted as (" SQL_AUDIT " select $1::uuid, 'semantic_model.deleted',"
           "   'semantic_model', old.id::text, jsonb_build_object('name',"
           "   old.name), $3 from old)"
           " select (select id from model), message_id"
           "   from (select 1) one left join stopped on true",
};

static struct next model_removed(struct flow *f);

struct next model_remove_begin(struct flow *f)
{
    struct model_remove *r = locals(f, struct model_remove);
    struct query *q = r->query =
        query_new(f, r->store->system,
                  r->whole_model ? &model_statement : &ontology_statement);
    query_str(f, q, r->user_id);
    query_str(f, q, r->id);
    query_str(f, q, r->request_id);
    query_begin(f, q);
    return await(f, model_removed);
}

static struct next model_removed(struct flow *f)
{
    struct model_remove *r = locals(f, struct model_remove);
    const struct query *q = r->query;
    r->found = !query_is_null(q, 0, 0);
    r->runs = arena_new_array(flow_keep(f), struct str, (size_t)q->n_rows);
    for (int i = 0; i < q->n_rows; i++)
        if (!query_is_null(q, i, 1))
            r->runs[r->n_runs++] = arena_str(flow_keep(f),
                                             query_cell(q, i, 1));
    return back(f);
}

/* ---- remove ------------------------------------------------------------- */

/* A model goes a round after its last ontology. The making of an ontology that
 * takes longer has lost its process. */
static const struct statement sweep_statement = {
    .name = "models.sweep",
    .again = true,
    .sql = "with failed as (update ontologies set status = 'failed',"
           "     failure = 'Its making was cut off. Delete it and make it anew.',"
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

static struct next removed_swept(struct flow *f)
{
    return back(f);
}

struct next removed_sweep_begin(struct flow *f)
{
    struct removed_sweep *s = locals(f, struct removed_sweep);
    s->query = query_new(f, s->store->system, &sweep_statement);
    query_begin(f, s->query);
    return await(f, removed_swept);
}
