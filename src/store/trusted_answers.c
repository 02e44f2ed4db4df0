/* trusted_answers.c - trusted answers: listed, added, removed, checked again,
 * and found for a run. */
#include "store/trusted_answers.h"
#include "store/audit.h"
#include "ontology/question_set.h"
#include "rows.h"
#include "base/banned.h"

static step_fn trusted_listed, trusted_was_put, trusted_found, trusted_removed,
    due_read, check_stored, stale_ontologies_read, engine_read, source_read,
    match_read, pool_read;

/* ---- rows ----------------------------------------------------------------- */

#define TRUSTED_ROW(FIRST, X) \
    FIRST(uuid, id, "p.id", "id") \
    X(uuid, ontology_id, "p.ontology_id", "ontologyId") \
    X(text, ontology_name, "p.ontology_name", "ontologyName") \
    X(text, question, "p.question", "question") \
    X(text, sql, "p.sql", "sql") \
    X(json, values, "p.bound_values", "values") \
    X(text, period, "nullif(p.period, '')", "period") \
    X(text, state, \
      "case when p.problem is null then 'trusted' else 'stale' end", "state") \
    X(text, problem, "p.problem", "problem") \
    X(uuid, message_id, "p.message_id", "messageId") \
    X(json, step_id, "p.step_id", "stepId") \
    X(text, by, "p.added_by_name", "by") \
    X(time, at, "rfc3339(p.added_at)", "at") \
    X(uuid, owner_id, "p.owner_id") \
    X(int64, total, "t.total")
#define TRUSTED_COLUMNS ROW_SQL(TRUSTED_ROW)
ROW_STRUCT(trusted_row, TRUSTED_ROW);

void trusted_write(struct json_writer *w, const struct query *q, int row)
{
    struct trusted_row t = trusted_row_at(q, row);
    ROW_WRITE(TRUSTED_ROW, w, &t);
}

/* May the user $1 see the ontology o? $2: they see all. */
#define SEEN \
    "o.deleted_at is null and (o.owner_id = $1::uuid" \
    "   or o.visibility = 'shared' or $2::boolean)"

#define LISTED \
    " from trusted_answers a join ontologies o on o.id = a.ontology_id" \
    " where " SEEN " and ($3 = '' or o.id = nullif($3, '')::uuid)" \
    "   and ($4 = '' or a.message_id = nullif($4, '')::uuid)" \
    "   and ($5 = '' or strpos(lower(a.question), lower($5)) > 0)" \
    "   and ($6 = '' or (a.problem is null) = ($6 = 'trusted'))"

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "trusted.page",
    .again = true,
    .sql =
        "select " TRUSTED_COLUMNS " from (select count(*) as total" LISTED ") t"
        " left join (select a.*, o.name as ontology_name, o.owner_id" LISTED
        "   order by o.name, o.id, a.added_at, a.id"
        "   limit $7::int offset $8::int) p on true"
        " order by p.ontology_name, p.ontology_id, p.added_at, p.id",
};

struct next trusted_page_begin(struct flow *f)
{
    struct trusted_page *p = locals(f, struct trusted_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->user_id);
    query_bool(q, p->all);
    query_str(f, q, p->ontology_id);
    query_str(f, q, p->message_id);
    query_str(f, q, p->search);
    query_str(f, q, p->state);
    query_page(f, q, p->page, p->page_size);
    query_begin(f, q);
    return await(f, trusted_listed);
}

static struct next trusted_listed(struct flow *f)
{
    struct trusted_page *p = locals(f, struct trusted_page);
    struct trusted_row first = trusted_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.id);
    p->total = first.total;
    return back(f);
}

struct trusted_line trusted_line_at(const struct query *q, int row)
{
    struct trusted_row t = trusted_row_at(q, row);
    return (struct trusted_line){.id = t.id,
                                 .state = t.state,
                                 .ontology_name = t.ontology_name,
                                 .question = t.question,
                                 .problem = t.problem};
}

void trusted_set_write(struct buf *out, const struct query *q,
                       struct str ontology_name)
{
    question_set_begin(out, STR("trusted"), ontology_name);
    if (!q->n_rows)
        buf_text(out, "  []\n");
    for (int i = 0; i < q->n_rows; i++) {
        struct trusted_row t = trusted_row_at(q, i);
        char day[11] = "";
        if (t.period.len)
            question_set_day(t.period, day);
        question_set_add(out,
                         &(struct question_set_item){.id = t.id,
                                                     .question = t.question,
                                                     .category = STR("trusted"),
                                                     .sql = t.sql,
                                                     .asked = str_of(day)});
    }
}

/* ---- add ------------------------------------------------------------------ */

#define PUT_ROW(FIRST, X) \
    FIRST(uuid, id, "answer_id") \
    X(text, outcome, "outcome")
#define PUT_COLUMNS ROW_SQL(PUT_ROW)
ROW_STRUCT(trusted_put_row, PUT_ROW);

static const struct statement put_statement = {
    .name = "trusted.put",
    .sql = "select " PUT_COLUMNS " from put_trusted_answers($1::uuid, $2::uuid,"
           "   $3::json, $4::int, $5)",
};

struct next trusted_put_begin(struct flow *f)
{
    struct trusted_put *p = locals(f, struct trusted_put);
    struct query *q = p->query = query_new(f, p->store->system, &put_statement);
    query_str(f, q, p->ontology_id);
    query_str(f, q, p->user_id);
    query_text(q, p->items.ptr); /* large: not copied */
    query_int(f, q, TRUSTED_MOST);
    query_str(f, q, p->request_id);
    query_begin(f, q);
    return await(f, trusted_was_put);
}

static struct next trusted_was_put(struct flow *f)
{
    struct trusted_put *p = locals(f, struct trusted_put);
    p->found = p->query->n_rows > 0;
    p->room = true;
    for (int i = 0; i < p->query->n_rows; i++) {
        struct trusted_put_row row = trusted_put_row_at(p->query, i);
        p->room = p->room && !str_is(row.outcome, "full");
        p->added += str_is(row.outcome, "added");
        p->replaced += str_is(row.outcome, "replaced");
        if (i == 0)
            p->id = arena_str(flow_keep(f), row.id);
    }
    return back(f);
}

/* ---- find and remove ------------------------------------------------------ */

static const struct statement find_statement = {
    .name = "trusted.find",
    .again = true,
    .sql = "select " TRUSTED_COLUMNS
           " from (select a.*, o.name as ontology_name, o.owner_id"
           "   from trusted_answers a join ontologies o"
           "     on o.id = a.ontology_id where " SEEN
           "     and a.id = $3::uuid) p, (select 1 as total) t",
};

struct next trusted_find_begin(struct flow *f)
{
    struct trusted_find *t = locals(f, struct trusted_find);
    struct query *q = t->query =
        query_new(f, t->store->system, &find_statement);
    query_str(f, q, t->user_id);
    query_bool(q, t->all);
    query_str(f, q, t->id);
    query_begin(f, q);
    return await(f, trusted_found);
}

static struct next trusted_found(struct flow *f)
{
    struct trusted_find *t = locals(f, struct trusted_find);
    t->query = rows_keep(f, t->query);
    t->found = t->query->n_rows > 0;
    if (t->found)
        t->owner_id = trusted_row_at(t->query, 0).owner_id;
    return back(f);
}

static const struct statement remove_statement = {
    .name = "trusted.remove",
    .sql = "with gone as (delete from trusted_answers where id = $1::uuid"
           "   returning id, ontology_id),"
           " noted as (" SQL_AUDIT " select $2::uuid,"
           "   'trusted_answer.removed', 'trusted_answer', id::text,"
           "   jsonb_build_object('ontologyId', ontology_id), $3 from gone)"
           " select exists (select from gone)",
};

struct next trusted_remove_begin(struct flow *f)
{
    struct trusted_remove *t = locals(f, struct trusted_remove);
    struct query *q = t->query =
        query_new(f, t->store->system, &remove_statement);
    query_str(f, q, t->id);
    query_str(f, q, t->user_id);
    query_str(f, q, t->request_id);
    query_begin(f, q);
    return await(f, trusted_removed);
}

static struct next trusted_removed(struct flow *f)
{
    struct trusted_remove *t = locals(f, struct trusted_remove);
    t->found = ROW_VALUE(boolean, row_slices(t->query, 0));
    return back(f);
}

/* ---- checking again ------------------------------------------------------- */

#define DUE_ROW(FIRST, X) \
    FIRST(uuid, id, "id") \
    X(text, sql, "sql")
#define DUE_COLUMNS ROW_SQL(DUE_ROW)

static const struct statement due_statement = {
    .name = "trusted.due",
    .again = true,
    .sql = "select " DUE_COLUMNS " from trusted_answers"
           " where ontology_id = $1::uuid and checked_version < $2::int"
           " order by added_at, id limit $3::int",
};

struct next trusted_due_begin(struct flow *f)
{
    struct trusted_due *t = locals(f, struct trusted_due);
    struct query *q = t->query = query_new(f, t->store->system, &due_statement);
    query_str(f, q, t->ontology_id);
    query_int(f, q, t->version);
    query_int(f, q, TRUSTED_BATCH);
    query_begin(f, q);
    return await(f, due_read);
}

static struct next due_read(struct flow *f)
{
    struct trusted_due *t = locals(f, struct trusted_due);
    const struct query *q = t->query;
    t->n = 0;
    t->items = arena_new_array(t->memory, struct trusted_unchecked,
                               (size_t)q->n_rows + 1);
    for (int i = 0; i < q->n_rows; i++)
        ROW_READ(DUE_ROW, &t->items[t->n++], row_copies(q, i, t->memory));
    return back(f);
}

/* A process that holds an older version changes nothing. */
static const struct statement checked_statement = {
    .name = "trusted.checked",
    .again = true,
    .sql = "update trusted_answers t set checked_version = $1::int,"
           "   problem = x.problem"
           " from json_to_recordset($2::json) as x(id uuid, problem text)"
           " where t.id = x.id and t.checked_version < $1::int",
};

struct next trusted_checked_begin(struct flow *f)
{
    struct trusted_checked *t = locals(f, struct trusted_checked);
    struct query *q = query_new(f, t->store->system, &checked_statement);
    query_int(f, q, t->version);
    query_str(f, q, t->items);
    query_begin(f, q);
    return await(f, check_stored);
}

static struct next check_stored(struct flow *f)
{
    return back(f);
}

#define STALE_ROW(FIRST, X) \
    FIRST(uuid, id, "o.id") \
    X(int32, version, "o.version")
#define STALE_COLUMNS ROW_SQL(STALE_ROW)
ROW_STRUCT(stale_ontology_row, STALE_ROW);

static const struct statement stale_statement = {
    .name = "trusted.ontologies",
    .again = true,
    .sql = "select " STALE_COLUMNS " from ontologies o where " SEEN
           "   and o.status = 'ready'"
           "   and ($3 = '' or o.id = nullif($3, '')::uuid)"
           "   and exists (select from trusted_answers a"
           "     where a.ontology_id = o.id and a.checked_version < o.version)"
           " order by o.id limit 100",
};

struct next trusted_stale_ontologies_begin(struct flow *f)
{
    struct trusted_stale_ontologies *t =
        locals(f, struct trusted_stale_ontologies);
    struct query *q = t->query =
        query_new(f, t->store->system, &stale_statement);
    query_str(f, q, t->user_id);
    query_bool(q, t->all);
    query_str(f, q, t->ontology_id);
    query_begin(f, q);
    return await(f, stale_ontologies_read);
}

static struct next stale_ontologies_read(struct flow *f)
{
    struct trusted_stale_ontologies *t =
        locals(f, struct trusted_stale_ontologies);
    size_t n = (size_t)t->query->n_rows;
    t->ids = arena_new_array(flow_keep(f), struct str, n + 1);
    t->versions = arena_new_array(flow_keep(f), int, n + 1);
    for (t->n = 0; t->n < n; t->n++) {
        struct stale_ontology_row row =
            stale_ontology_row_at(t->query, (int)t->n);
        t->ids[t->n] = arena_str(flow_keep(f), row.id);
        t->versions[t->n] = row.version;
    }
    return back(f);
}

#define ENGINE_ROW(FIRST, X) \
    FIRST(boolean, of_trino, "c.db_type = 'trino'") \
    X(text, catalog, "coalesce(s.database_name, c.database_name)")
#define ENGINE_COLUMNS ROW_SQL(ENGINE_ROW)

static const struct statement engine_statement = {
    .name = "trusted.engine",
    .again = true,
    .sql = "select " ENGINE_COLUMNS " from ontologies o"
           " join semantic_models s on s.id = o.semantic_model_id"
           " join connections c on c.id = s.connection_id"
           " where o.id = $1::uuid",
};

struct next trusted_engine_begin(struct flow *f)
{
    struct trusted_engine *e = locals(f, struct trusted_engine);
    e->query = query_new(f, e->store->system, &engine_statement);
    query_str(f, e->query, e->ontology_id);
    query_begin(f, e->query);
    return await(f, engine_read);
}

static struct next engine_read(struct flow *f)
{
    struct trusted_engine *e = locals(f, struct trusted_engine);
    if (e->query->n_rows)
        ROW_READ(ENGINE_ROW, e, row_copies(e->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- marking an answer ---------------------------------------------------- */

#define SOURCE_ROW(FIRST, X) \
    FIRST(text, question, "u.content") \
    X(text, sql, "r#>>'{sqlResult,sql}'") \
    X(uuid, ontology_id, "c.ontology_id") \
    X(boolean, continues, "u.parent_id is not null") \
    X(int64, answered_ms, "epoch_ms(m.created_at)") \
    X(int32, found_step, "(r->>'stepId')::int")
#define SOURCE_COLUMNS ROW_SQL(SOURCE_ROW)

static const struct statement source_statement = {
    .name = "trusted.source",
    .again = true,
    .sql = "select " SOURCE_COLUMNS
           " from data_chat_messages m join data_chats c on c.id = m.chat_id"
           " join data_chat_messages u on u.id = m.parent_id"
           " cross join lateral json_array_elements("
           "   case when json_typeof(m.metadata->'stepResults') = 'array'"
           "     then m.metadata->'stepResults' else '[]' end)"
           "   with ordinality s(r, place)"
           " where m.id = $2::uuid and c.owner_id = $1::uuid"
           "   and c.deleted_at is null and m.status = 'complete'"
           "   and r#>>'{sqlResult,sql}' <> ''"
           "   and ($3 = '0' or r->>'stepId' = $3)"
           " order by s.place limit 1",
};

struct next trusted_source_begin(struct flow *f)
{
    struct trusted_source *t = locals(f, struct trusted_source);
    struct query *q = t->query =
        query_new(f, t->store->system, &source_statement);
    query_str(f, q, t->user_id);
    query_str(f, q, t->message_id);
    query_int(f, q, t->step_id);
    query_begin(f, q);
    return await(f, source_read);
}

static struct next source_read(struct flow *f)
{
    struct trusted_source *t = locals(f, struct trusted_source);
    t->found = t->query->n_rows > 0;
    if (t->found)
        ROW_READ(SOURCE_ROW, t, row_copies(t->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- for a run ------------------------------------------------------------ */

#define MATCH_ROW(FIRST, X) \
    FIRST(uuid, id, "id") \
    X(text, question, "question") \
    X(text, sql, "sql") \
    X(text, period, "period") \
    X(text, by, "added_by_name") \
    X(time, at, "rfc3339(added_at)") \
    X(int32, checked_version, "checked_version")
#define MATCH_COLUMNS ROW_SQL(MATCH_ROW)

static const struct statement match_statement = {
    .name = "trusted.match",
    .again = true,
    .sql = "select " MATCH_COLUMNS " from trusted_answers"
           " where ontology_id = $1::uuid and md5(wording) = md5($2)"
           "   and md5(bound_values) = md5($3) and wording = $2"
           "   and bound_values = $3 and problem is null",
};

struct next trusted_match_begin(struct flow *f)
{
    struct trusted_match *t = locals(f, struct trusted_match);
    struct query *q = t->query =
        query_new(f, t->store->system, &match_statement);
    query_str(f, q, t->ontology_id);
    query_str(f, q, t->wording);
    query_str(f, q, t->values);
    query_begin(f, q);
    return await(f, match_read);
}

static struct next match_read(struct flow *f)
{
    struct trusted_match *t = locals(f, struct trusted_match);
    t->found = t->query->n_rows > 0;
    if (t->found)
        ROW_READ(MATCH_ROW, t, row_copies(t->query, 0, t->memory));
    return back(f);
}

#define POOL_ROW(FIRST, X) \
    FIRST(text, question, "question") \
    X(text, sql, "sql")
#define POOL_COLUMNS ROW_SQL(POOL_ROW)

static const struct statement pool_statement = {
    .name = "trusted.pool",
    .again = true,
    .sql = "select " POOL_COLUMNS " from trusted_answers"
           " where ontology_id = $1::uuid and problem is null"
           "   and octet_length(sql) <= $2::int"
           " order by added_at, id limit $3::int",
};

struct next trusted_pool_begin(struct flow *f)
{
    struct trusted_pool *t = locals(f, struct trusted_pool);
    struct query *q = t->query =
        query_new(f, t->store->system, &pool_statement);
    query_str(f, q, t->ontology_id);
    query_int(f, q, TRUSTED_EXAMPLE_BYTES);
    query_int(f, q, TRUSTED_MOST);
    query_begin(f, q);
    return await(f, pool_read);
}

static struct next pool_read(struct flow *f)
{
    struct trusted_pool *t = locals(f, struct trusted_pool);
    const struct query *q = t->query;
    t->n = 0;
    t->items = arena_new_array(t->memory, struct trusted_example,
                               (size_t)q->n_rows + 1);
    for (int i = 0; i < q->n_rows; i++)
        ROW_READ(POOL_ROW, &t->items[t->n++], row_copies(q, i, t->memory));
    return back(f);
}
