/* model_removal.c - deletes models and ontologies that have been hidden
 * (removal.h) for a minute. */
#include "store/semantic_models.h"
#include "../rows.h"
#include "base/banned.h"

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
