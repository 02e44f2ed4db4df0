#include "store/step_query.h"
#include "base/banned.h"

static const struct statement step_statement = {
    .name = "messages.step",
    .again = true,
    .sql = "select r#>>'{sqlResult,sql}', o.id, o.version, s.connection_id,"
           "   (select updated_at from connections where id = s.connection_id),"
           "   s.database_name"
           " from data_chat_messages m join data_chats c on c.id = m.chat_id"
           " join ontologies o on o.id = c.ontology_id"
           " join semantic_models s on s.id = o.semantic_model_id"
           " cross join lateral json_array_elements("
           "   case when json_typeof(m.metadata->'stepResults') = 'array'"
           "     then m.metadata->'stepResults' else '[]' end) r"
           " where m.id = $2::uuid and c.owner_id = $1::uuid"
           "   and c.deleted_at is null and r->>'stepId' = $3"
           "   and r#>>'{sqlResult,sql}' <> '' limit 1",
};

static struct next step_found(struct flow *f);

struct next step_query_begin(struct flow *f)
{
    struct step_query *s = locals(f, struct step_query);
    struct query *q = s->query =
        query_new(f, s->store->system, &step_statement);
    query_str(f, q, s->user_id);
    query_str(f, q, s->message_id);
    query_int(f, q, s->step_id);
    query_begin(f, q);
    return await(f, step_found);
}

static struct next step_found(struct flow *f)
{
    struct step_query *s = locals(f, struct step_query);
    const struct query *q = s->query;
    s->found = q->n_rows > 0;
    if (!s->found)
        return back(f);
    s->sql = arena_str(flow_keep(f), query_cell(q, 0, 0));
    s->ontology_id = arena_str(flow_keep(f), query_cell(q, 0, 1));
    s->ontology_version = (int)query_cell_int(q, 0, 2);
    s->connection_id = arena_str(flow_keep(f), query_cell(q, 0, 3));
    s->connection_changed_at = arena_str(flow_keep(f), query_cell(q, 0, 4));
    s->database = arena_str(flow_keep(f), query_cell(q, 0, 5));
    return back(f);
}
