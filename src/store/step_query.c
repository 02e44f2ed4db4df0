/* step_query.c - finds the SQL of a step in the metadata of its message. */
#include "store/step_query.h"
#include "rows.h"
#include "base/banned.h"

static step_fn step_found;

#define STEP_ROW(FIRST, X) \
    FIRST(text, sql, "r#>>'{sqlResult,sql}'") \
    X(uuid, ontology_id, "o.id") \
    X(int32, ontology_version, "o.version") \
    X(uuid, connection_id, "s.connection_id") \
    X(text, connection_changed_at, \
      "(select updated_at from connections where id = s.connection_id)") \
    X(text, database, "s.database_name")
#define STEP_COLUMNS ROW_SQL(STEP_ROW)

static const struct statement step_statement = {
    .name = "messages.step",
    .again = true,
    .sql = "select " STEP_COLUMNS
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
    if (s->found)
        ROW_READ(STEP_ROW, s, row_copies(q, 0, flow_keep(f)));
    return back(f);
}
