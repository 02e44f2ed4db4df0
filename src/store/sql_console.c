/* sql_console.c - saved queries and history of the SQL console; see
 * store/sql_console.h. */
#include "store/sql_console.h"
#include "rows.h"
#include "store/audit.h"
#include "base/banned.h"

static step_fn console_ontology_read, history_read, history_deleted,
    queries_read, query_stored, query_removed;

/* May the user $1 use the ontology o? $2: they may use all. */
#define SEEN \
    "o.deleted_at is null and (o.owner_id = $1::uuid" \
    "   or o.visibility = 'shared' or $2::boolean)"

/* ---- the ontology --------------------------------------------------------- */

#define CONSOLE_ROW(FIRST, X) \
    FIRST(boolean, ready, "o.status = 'ready'") \
    X(boolean, of_files, "c.file_set_id is not null") \
    X(boolean, of_trino, "c.db_type = 'trino'") \
    X(int32, version, "o.version") \
    X(text, name, "o.name") \
    X(uuid, connection_id, "c.id") \
    X(text, connection_changed_at, "c.updated_at") \
    X(text, database, "s.database_name")
#define CONSOLE_COLUMNS ROW_SQL(CONSOLE_ROW)

struct next console_ontology_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "sql.ontology",
        .again = true,
        .sql = "select " CONSOLE_COLUMNS " from ontologies o"
               " join semantic_models s on s.id = o.semantic_model_id"
               " join connections c on c.id = s.connection_id"
               " where " SEEN " and o.id = $3::uuid",
    };
    struct console_ontology *o = locals(f, struct console_ontology);
    struct query *q = o->query = query_new(f, o->store->system, &statement);
    query_str(f, q, o->user_id);
    query_bool(q, o->all);
    query_str(f, q, o->ontology_id);
    query_begin(f, q);
    return await(f, console_ontology_read);
}

static struct next console_ontology_read(struct flow *f)
{
    struct console_ontology *o = locals(f, struct console_ontology);
    o->found = o->query->n_rows > 0;
    if (o->found)
        ROW_READ(CONSOLE_ROW, o, row_copies(o->query, 0, flow_keep(f)));
    return back(f);
}

/* ---- what ran ------------------------------------------------------------- */

struct next sql_run_note_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "sql.note",
        .sql = "select note_sql_run($1::uuid, $2::uuid, $3, $4, $5::int,"
               " $6::int, $7, $8::boolean, $9::int, $10, $11, $12)",
    };
    struct sql_run_note *n = locals(f, struct sql_run_note);
    struct query *q = query_new(f, n->store->system, &statement);
    query_str(f, q, n->user_id);
    query_str(f, q, n->ontology_id);
    query_str(f, q, n->sql);
    query_text(q, n->outcome);
    query_int(f, q, n->rows);
    query_int(f, q, n->elapsed_ms);
    query_str(f, q, n->problem);
    query_bool(q, n->history);
    query_int(f, q, SQL_HISTORY_MOST);
    query_text(q, n->action);
    query_str(f, q, n->statement);
    query_str(f, q, n->request_id);
    query_begin(f, q);
    return await(f, row_none);
}

#define HISTORY_ROW(FIRST, X) \
    FIRST(uuid, id, "h.id", "id") \
    X(text, sql, "h.sql", "sql") \
    X(time, at, "rfc3339(h.at)", "at") \
    X(text, outcome, "h.outcome", "outcome") \
    X(int32, rows, "h.row_count", "rowCount") \
    X(int32, elapsed_ms, "h.elapsed_ms", "elapsedMs") \
    X(text, problem, "h.problem", "problem")
#define HISTORY_COLUMNS ROW_SQL(HISTORY_ROW)
ROW_STRUCT(history_row, HISTORY_ROW);

struct next sql_history_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "sql.history",
        .again = true,
        .sql = "select " HISTORY_COLUMNS " from sql_history h"
               " where h.user_id = $1::uuid and h.ontology_id = $2::uuid"
               " order by h.at desc, h.id desc",
    };
    struct sql_history *h = locals(f, struct sql_history);
    struct query *q = h->query = query_new(f, h->store->system, &statement);
    query_str(f, q, h->user_id);
    query_str(f, q, h->ontology_id);
    query_begin(f, q);
    return await(f, history_read);
}

static struct next history_read(struct flow *f)
{
    struct sql_history *h = locals(f, struct sql_history);
    h->query = rows_keep(f, h->query);
    return back(f);
}

void sql_history_write(struct json_writer *w, const struct query *q, int row)
{
    struct history_row h = history_row_at(q, row);
    ROW_WRITE(HISTORY_ROW, w, &h);
}

struct next sql_history_delete_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "sql.history_delete",
        .sql = "delete from sql_history where user_id = $1::uuid"
               " and case when $2 = '' then ontology_id = nullif($3, '')::uuid"
               "   else id = nullif($2, '')::uuid end",
    };
    struct sql_history_delete *d = locals(f, struct sql_history_delete);
    struct query *q = d->query = query_new(f, d->store->system, &statement);
    query_str(f, q, d->user_id);
    query_str(f, q, d->id);
    query_str(f, q, d->ontology_id);
    query_begin(f, q);
    return await(f, history_deleted);
}

static struct next history_deleted(struct flow *f)
{
    struct sql_history_delete *d = locals(f, struct sql_history_delete);
    d->deleted = d->query->affected;
    return back(f);
}

/* ---- saved queries -------------------------------------------------------- */

#define SAVED_ROW(FIRST, X) \
    FIRST(uuid, id, "s.id", "id") \
    X(uuid, ontology_id, "s.ontology_id", "ontologyId") \
    X(text, name, "s.name", "name") \
    X(text, sql, "s.sql", "sql") \
    X(boolean, shared, "s.shared", "shared") \
    X(boolean, mine, "s.owner_id = $1::uuid", "mine") \
    X(text, by, "coalesce(nullif(u.display_name, ''), u.email)", "by") \
    X(time, updated_at, "rfc3339(s.updated_at)", "updatedAt") \
    X(uuid, owner_id, "s.owner_id")
#define SAVED_COLUMNS ROW_SQL(SAVED_ROW)
ROW_STRUCT(saved_row, SAVED_ROW);

struct next sql_query_list_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "sql.saved",
        .again = true,
        .sql = "select " SAVED_COLUMNS " from sql_queries s"
               " join ontologies o on o.id = s.ontology_id"
               " join users u on u.id = s.owner_id"
               " where " SEEN " and (s.shared or s.owner_id = $1::uuid)"
               "   and ($3 = '' or o.id = nullif($3, '')::uuid)"
               "   and ($4 = '' or s.id = nullif($4, '')::uuid)"
               " order by s.owner_id = $1::uuid desc, lower(s.name), s.id"
               " limit 1000",
    };
    struct sql_query_list *l = locals(f, struct sql_query_list);
    struct query *q = l->query = query_new(f, l->store->system, &statement);
    query_str(f, q, l->user_id);
    query_bool(q, l->all);
    query_str(f, q, l->ontology_id);
    query_str(f, q, l->id);
    query_begin(f, q);
    return await(f, queries_read);
}

static struct next queries_read(struct flow *f)
{
    struct sql_query_list *l = locals(f, struct sql_query_list);
    l->query = rows_keep(f, l->query);
    if (l->query->n_rows)
        l->owner_id = saved_row_at(l->query, 0).owner_id;
    return back(f);
}

struct sql_query_fields sql_query_fields(const struct query *q, int row)
{
    struct saved_row s = saved_row_at(q, row);
    return (struct sql_query_fields){s.ontology_id, s.name, s.sql, s.shared};
}

void sql_query_write(struct json_writer *w, const struct query *q, int row)
{
    struct saved_row s = saved_row_at(q, row);
    ROW_WRITE(SAVED_ROW, w, &s);
}

/* `taken`: the owner has another one of that name; `room`: they may add one.
 * The count may be exceeded by requests of the same moment, by as many. */
#define PUT_FIRST \
    "with place as materialized (select exists (select from sql_queries q" \
    "     where q.owner_id = $2::uuid and q.ontology_id = $3::uuid" \
    "       and lower(q.name) = lower($4)" \
    "       and q.id is distinct from nullif($1, '')::uuid) as taken," \
    "   (select count(*) from sql_queries q where q.owner_id = $2::uuid" \
    "       and q.ontology_id = $3::uuid) < $7::int as room),"

#define PUT_ROW(FIRST, X) \
    FIRST(boolean, taken, "place.taken") \
    X(boolean, room, "place.room") \
    X(uuid, made, "p.id")
#define PUT_COLUMNS ROW_SQL(PUT_ROW)

#define PUT_NOTED \
    " noted as (" SQL_AUDIT \
    " select $2::uuid, 'sql_query.saved', 'sql_query'," \
    "   p.id::text, jsonb_build_object('shared', p.shared), $8 from p)" \
    " select " PUT_COLUMNS " from place left join p on true"

static const struct statement add_statement = {
    .name = "sql.add",
    .sql = PUT_FIRST
    " p as (insert into sql_queries (ontology_id, owner_id, name, sql, shared)"
    "   select $3::uuid, $2::uuid, $4, $5, $6::boolean from place"
    "   where $1 = '' and not taken and room"
    "   on conflict do nothing returning *)," PUT_NOTED,
};

static const struct statement change_statement = {
    .name = "sql.change",
    .sql = PUT_FIRST " p as (update sql_queries q set name = $4, sql = $5,"
                     "     shared = $6::boolean, updated_at = now() from place"
                     "   where q.id = nullif($1, '')::uuid and not place.taken"
                     "   returning q.*)," PUT_NOTED,
};

struct next sql_query_put_begin(struct flow *f)
{
    struct sql_query_put *p = locals(f, struct sql_query_put);
    struct query *q = p->query = query_new(
        f, p->store->system, p->id.len ? &change_statement : &add_statement);
    query_str(f, q, p->id);
    query_str(f, q, p->user_id);
    query_str(f, q, p->ontology_id);
    query_str(f, q, p->name);
    query_str(f, q, p->sql);
    query_bool(q, p->shared);
    query_int(f, q, SQL_QUERIES_MOST);
    query_str(f, q, p->request_id);
    query_begin(f, q);
    return await(f, query_stored);
}

static struct next query_stored(struct flow *f)
{
    struct sql_query_put *p = locals(f, struct sql_query_put);
    ROW_READ(PUT_ROW, p, row_copies(p->query, 0, flow_keep(f)));
    p->found = p->made.len > 0;
    if (!p->found && !p->id.len && p->room)
        p->taken = true; /* by a request of the same moment */
    return back(f);
}

struct next sql_query_remove_begin(struct flow *f)
{
    static const struct statement statement = {
        .name = "sql.remove",
        .sql = "with gone as (delete from sql_queries where id = $1::uuid"
               "   returning id), noted as (" SQL_AUDIT
               " select $2::uuid, 'sql_query.deleted', 'sql_query', id::text,"
               "   '{}', $3 from gone) select exists (select from gone)",
    };
    struct sql_query_remove *r = locals(f, struct sql_query_remove);
    struct query *q = r->query = query_new(f, r->store->system, &statement);
    query_str(f, q, r->id);
    query_str(f, q, r->user_id);
    query_str(f, q, r->request_id);
    query_begin(f, q);
    return await(f, query_removed);
}

static struct next query_removed(struct flow *f)
{
    struct sql_query_remove *r = locals(f, struct sql_query_remove);
    r->found = ROW_VALUE(boolean, row_slices(r->query, 0));
    return back(f);
}
