/* model_removal.c - models and ontologies that were hidden (removal.h) are gone
 * after a minute. */
#include "store/semantic_models.h"
#include "base/banned.h"

#define GRACE "interval '1 minute'"

/* A model goes a round after its last ontology. The making of an ontology that
 * takes longer has lost its process. */
static const struct statement sweep_statement = {
    .name = "models.sweep",
    .again = true,
    .sql =
        "with failed as (update ontologies set status = 'failed',"
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
