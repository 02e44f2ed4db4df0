/* removal.c - hides a chat, an ontology, a model or a file set, and asks its runs
 * to stop. */
#include "store/removal.h"
#include "rows.h"
#include "store/audit.h"
#include "base/banned.h"

static step_fn removal_done;

/* One row for each run that is stopped, or one row without a run. `hidden` has
 * what was to be hidden, if there is such a thing. */
#define REMOVAL_ROW(FIRST, X) \
    FIRST(uuid, id, "(select id from hidden)") \
    X(uuid, run, "message_id")
#define REMOVAL_COLUMNS ROW_SQL(REMOVAL_ROW)
ROW_STRUCT(removal_row, REMOVAL_ROW);

static const struct statement chat_statement = {
    .name = "chats.remove",
    .sql = "with hidden as (update data_chats set deleted_at = now()"
           "   where id = $2::uuid and owner_id = $1::uuid"
           "     and deleted_at is null returning id),"
           " stopped as (update runs set cancel_requested = true"
           "   where chat_id in (select id from hidden) and ended_at is null"
           "   returning message_id),"
           " noted as (" SQL_AUDIT " select $1::uuid, 'chat.deleted', 'chat',"
           "   id::text, '{}', $3 from hidden)"
           " select " REMOVAL_COLUMNS
           " from (select 1) one left join stopped on true",
};

/* CTEs that hide the chats of the ontologies in `gone`, and stop their runs. */
#define WITH_CHATS \
    " chats as (update data_chats set deleted_at = now()" \
    "   where ontology_id in (select id from gone) and deleted_at is null)," \
    " stopped as (update runs set cancel_requested = true" \
    "   where ended_at is null and chat_id in (select id from data_chats" \
    "     where ontology_id in (select id from gone)) returning message_id)"

static const struct statement ontology_statement = {
    .name = "ontologies.remove",
    .sql = "with hidden as (update ontologies set deleted_at = now(),"
           "     updated_at = now() where id = $2::uuid and deleted_at is null"
           "   returning id, name),"
           " gone as (select id from hidden)," WITH_CHATS ","
           " noted as (" SQL_AUDIT " select $1::uuid, 'ontology.deleted',"
           "   'ontology', id::text, jsonb_build_object('name', name), $3"
           "   from hidden)"
           " select " REMOVAL_COLUMNS
           " from (select 1) one left join stopped on true",
};

/* It is renamed, so that its name is free at once. */
static const struct statement model_statement = {
    .name = "semantic_models.remove",
    .sql = "with old as materialized (select id, name from semantic_models"
           "   where id = $2::uuid and deleted_at is null for update),"
           " hidden as (update semantic_models s set deleted_at = now(),"
           "     name = s.id::text from old where s.id = old.id"
           "   returning s.id),"
           " gone as (update ontologies set deleted_at = now(),"
           "     updated_at = now() where deleted_at is null"
           "     and semantic_model_id in (select id from hidden)"
           "   returning id)," WITH_CHATS ","
           " noted as (" SQL_AUDIT " select $1::uuid, 'semantic_model.deleted',"
           "   'semantic_model', old.id::text, jsonb_build_object('name',"
           "   old.name), $3 from old)"
           " select " REMOVAL_COLUMNS
           " from (select 1) one left join stopped on true",
};

/* All that is hidden gets the same time, by which file_set_restore finds it
 * again. Nothing is renamed, because it may come back. */
static const struct statement file_set_statement = {
    .name = "file_sets.remove",
    .sql = "with hidden as (update file_sets set deleted_at = now(),"
           "     updated_at = now() where id = $2::uuid and deleted_at is null"
           "     and status <> 'uploading' returning id, name),"
           " models as (update semantic_models set deleted_at = now()"
           "   where deleted_at is null and connection_id in (select c.id"
           "     from connections c join hidden h on h.id = c.file_set_id)"
           "   returning id),"
           " gone as (update ontologies set deleted_at = now(),"
           "     updated_at = now() where deleted_at is null"
           "     and semantic_model_id in (select id from models)"
           "   returning id)," WITH_CHATS ","
           " noted as (" SQL_AUDIT " select $1::uuid, 'file_set.deleted',"
           "   'file_set', id::text, jsonb_build_object('name', name), $3"
           "   from hidden)"
           " select " REMOVAL_COLUMNS
           " from (select 1) one left join stopped on true",
};

struct next removal_begin(struct flow *f)
{
    static const struct statement *const statements[] = {
        [REMOVED_CHAT] = &chat_statement,
        [REMOVED_ONTOLOGY] = &ontology_statement,
        [REMOVED_MODEL] = &model_statement,
        [REMOVED_FILE_SET] = &file_set_statement};
    struct removal *r = locals(f, struct removal);
    struct query *q = r->query =
        query_new(f, r->store->system, statements[r->what]);
    query_str(f, q, r->user_id);
    query_str(f, q, r->id);
    query_str(f, q, r->request_id);
    query_begin(f, q);
    return await(f, removal_done);
}

static struct next removal_done(struct flow *f)
{
    struct removal *r = locals(f, struct removal);
    const struct query *q = r->query;
    r->found = removal_row_at(q, 0).id.len > 0;
    r->runs = arena_new_array(flow_keep(f), struct str, (size_t)q->n_rows);
    for (int i = 0; i < q->n_rows; i++) {
        struct str run = removal_row_at(q, i).run;
        if (run.len)
            r->runs[r->n_runs++] = arena_str(flow_keep(f), run);
    }
    return back(f);
}
